"""Twins of SciPy's distributions of vectors."""

import numpy as np
import scipy.special


def _dirichlet_logpdf(x, alpha):
    """Twin of scipy.stats.dirichlet.logpdf; the last of the shares may be left out."""
    x = np.asarray(x)
    if len(x) < len(alpha):
        x = np.append(x, 1.0 - np.sum(x))
    total = scipy.special.gammaln(np.sum(alpha)) - np.sum(scipy.special.gammaln(alpha))
    return total + np.sum(scipy.special.xlogy(alpha - 1.0, np.transpose(x)), axis=-1)


def _boxcox_llf(lmb, data):
    """Twin of scipy.stats.boxcox_llf(lmb, data): the logarithm of a likelihood."""
    logs = np.log(data)
    if lmb == 0.0:
        spread = np.var(logs)
    else:
        spread = np.var(data**lmb / lmb)
    return (lmb - 1.0) * np.sum(logs) - 0.5 * len(data) * np.log(spread)


def _shares_between(u, v):
    """Return how far the shares of two samples differ, and the gaps between values."""
    every = np.sort(np.concatenate((u, v)))
    first = np.searchsorted(np.sort(u), every[:-1], "right") / float(len(u))
    second = np.searchsorted(np.sort(v), every[:-1], "right") / float(len(v))
    return (first - second).astype(every.dtype), np.diff(every)


def _wasserstein_distance(u, v):
    """Twin of scipy.stats.wasserstein_distance(u, v)."""
    shares, steps = _shares_between(u, v)
    return np.sum(np.abs(shares) * steps)


def _energy_distance(u, v):
    """Twin of scipy.stats.energy_distance(u, v)."""
    shares, steps = _shares_between(u, v)
    return np.sqrt(2.0 * np.sum(shares**2 * steps))


def _chisquare(observed, expected, ddof):
    """Twin of scipy.stats.chisquare(f_obs, f_exp, ddof), of one row of frequencies."""
    if expected is None:
        expected = np.mean(observed)
    found = np.sum((observed - expected) ** 2 / expected)
    return found, scipy.special.chdtrc(len(observed) - 1.0 - ddof, found)


def _zmap(scores, compare, ddof):
    """Twin of scipy.stats.zmap(scores, compare, 0, ddof)."""
    return (scores - np.mean(compare, axis=0)) / np.std(compare, axis=0, ddof=ddof)
