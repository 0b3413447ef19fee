"""Functions that are made of the one that a solver is given."""

import numpy as np

from s2sad.scipy.primitives import numbers

# mypy: ignore-errors


def applied(f, *args):
    """Return what the function that the solver is given gives."""
    return f(*args)


def weighted_sum(f, *args, weight):
    """Return the sum of what a function gives times a weight."""
    value = f(*args)
    return np.sum(weight * (np.array(value) if isinstance(value, (list, tuple)) else value))


def half_squares(f, *args):
    """Return half the sum of the squares of what a function gives."""
    value = f(*args)
    return 0.5 * np.sum(np.square(np.array(value) if isinstance(value, (list, tuple)) else value))


def misfit(f, p, xdata, ydata):
    """Return half the sum of the squares of what a model misses."""
    return 0.5 * np.sum(np.square(f(xdata, *numbers(p)) - ydata))


def weighted_misfit(f, p, xdata, ydata, sigma):
    """Return half the sum of the squares of what a model misses, by standard deviations."""
    return 0.5 * np.sum(np.square((f(xdata, *numbers(p)) - ydata) / sigma))
