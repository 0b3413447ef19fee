"""Functions for covariances and histograms that a right-hand side may call."""

import numpy as np


def _cov_dot(m, m_dot):
    """Return the tangent of the products of the centred rows of m."""
    half = np.dot(m_dot, (m - np.mean(m, axis=1, keepdims=True)).T)
    return half + half.T


def _unit_rows(x):
    """Return the rows of x, centred and of length 1, and what their lengths were."""
    centred = x - np.mean(x, axis=1, keepdims=True)
    size = np.sqrt(np.sum(centred * centred, axis=1, keepdims=True))
    return centred / size, size


def _corrcoef_bar(y_bar, x):
    """Return the adjoint of x in np.corrcoef(x)."""
    unit, size = _unit_rows(x)
    unit_bar = np.dot(y_bar + y_bar.T, unit)
    return (unit_bar - unit * np.sum(unit * unit_bar, axis=1, keepdims=True)) / size


def _corrcoef_dot(x, x_dot):
    """Return the tangent of np.corrcoef(x)."""
    unit, size = _unit_rows(x)
    dot = (x_dot - np.mean(x_dot, axis=1, keepdims=True)) / size
    half = np.dot(dot - unit * np.sum(unit * dot, axis=1, keepdims=True), unit.T)
    return half + half.T


def _bins_of(a, edges):
    """Return into which bin each a falls, and whether it falls into any."""
    i = np.searchsorted(edges, a, side="right") - 1
    i = np.where(a == edges[-1], len(edges) - 2, i)
    inside = (i >= 0) & (i < len(edges) - 1)
    return np.where(inside, i, 0), inside


def _histogram_bar(y_bar, a, edges):
    """Return the adjoint of the weights in np.histogram(a, edges, weights=...)."""
    i, inside = _bins_of(a, edges)
    return np.where(inside, y_bar[i], 0.0)
