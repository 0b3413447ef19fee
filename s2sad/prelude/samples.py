"""The module statistics: what gives more than one number."""

# mypy: ignore-errors

import statistics

import numpy as np


def linear_regression(x, y, *, proportional=False):
    """Return slope and intercept of the line of least squares."""
    xs, ys = np.asarray(x), np.asarray(y)
    middle, level = (0.0, 0.0) if proportional else (np.mean(xs), np.mean(ys))
    offsets = xs - middle
    slope = np.sum(offsets * (ys - level)) / np.sum(offsets * offsets)
    return statistics.LinearRegression(slope, level - slope * middle)
