"""Functions for random numbers that a right-hand side may call."""

import numpy as np


def _draws_bar(y_bar, off, cov):
    """Return the adjoint of cov, of draws off the mean by its Cholesky factor."""
    factor = np.linalg.cholesky(cov)
    draws = np.linalg.solve(factor, np.reshape(off, (-1, len(cov))).T)
    return _cholesky_back(np.dot(np.reshape(y_bar, (-1, len(cov))).T, draws.T), factor)


def _draws_dot(off, cov, cov_dot):
    """Return the tangent of draws off the mean by the Cholesky factor of cov."""
    factor = np.linalg.cholesky(cov)
    draws = np.linalg.solve(factor, np.reshape(off, (-1, len(cov))).T)
    moved = np.dot(_cholesky_move(cov_dot, factor), draws)
    return np.reshape(moved.T, np.shape(off))


def _chosen(rng, a, size, replace, p):
    """Return items that are drawn from an array."""
    return a[rng.choice(len(a), size, replace=replace, p=p)]


def _permuted(rng, x):
    """Return the items of an array in an order that is drawn."""
    return x[rng.permutation(len(x))]
