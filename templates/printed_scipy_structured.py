"""Functions for matrices of diagonals that right-hand sides call, printed where they are used."""

import numpy as np


def _traces(g, count):
    """Return the sums of the main diagonal and of those above it."""
    return np.array([np.trace(g, k) for k in range(count)])


def _on_diagonals(v, g):
    """Return a matrix like g with v[k] all along the k-th diagonal above the first."""
    place = np.arange(g.shape[1]) - np.arange(g.shape[0])[:, None]
    known = (place >= 0) & (place < len(v))
    return np.where(known, v[np.where(known, place, 0)], 0.0)


def _circulant_bar(g):
    """Return the adjoint of c in scipy.linalg.circulant(c)."""
    k = np.arange(len(g))
    return np.sum(g[(k[:, None] + k) % len(g), k], axis=1)


def _band_turned(ab, l_and_u):
    """Return the band of the transpose of a banded matrix."""
    lower, upper = l_and_u
    n = ab.shape[1]
    turned = np.zeros_like(ab)
    for d in range(-lower, upper + 1):
        right, left = max(d, 0), max(-d, 0)
        turned[lower + d, left : n - right] = ab[upper - d, right : n - left]
    return turned


def _band_of(a, b, ab, l_and_u):
    """Return the band of the outer product of a and b, summed over columns."""
    lower, upper = l_and_u
    n = ab.shape[1]
    band = np.zeros_like(ab)
    for d in range(-lower, upper + 1):
        right, left = max(d, 0), max(-d, 0)
        rows = a[left : n - right] * b[right : n - left]
        rows = rows if np.ndim(b) == 1 else np.sum(rows, axis=1)
        band[upper - d, right : n - left] = rows
    return band


def _band_times(ab, b, l_and_u):
    """Return the product of a banded matrix and b."""
    lower, upper = l_and_u
    n = ab.shape[1]
    product = np.zeros_like(b)
    for d in range(-lower, upper + 1):
        right, left = max(d, 0), max(-d, 0)
        diagonal = ab[upper - d, right : n - left]
        rows = np.transpose(diagonal * np.transpose(b[right : n - left]))
        product[left : n - right] += rows
    return product


def _half_band_of(a, b, ab, lower):
    """Return the half band of the outer product of a and b, both halves added."""
    last, n = ab.shape[0] - 1, ab.shape[1]
    band = np.zeros_like(ab)
    for d in range(last + 1):
        rows = a[: n - d] * b[d:]
        if d > 0:
            rows = rows + a[d:] * b[: n - d]
        rows = rows if np.ndim(b) == 1 else np.sum(rows, axis=1)
        if lower:
            band[d, : n - d] = rows
        else:
            band[last - d, d:] = rows
    return band


def _half_band_times(ab, b, lower):
    """Return the product of a symmetric banded matrix and b."""
    last, n = ab.shape[0] - 1, ab.shape[1]
    product = np.zeros_like(b)
    for d in range(last + 1):
        diagonal = ab[d, : n - d] if lower else ab[last - d, d:]
        product[: n - d] += np.transpose(diagonal * np.transpose(b[d:]))
        if d > 0:
            product[d:] += np.transpose(diagonal * np.transpose(b[: n - d]))
    return product


def _pairs_dot(x, x_dot):
    """Return <x[i] - x[j], x_dot[i] - x_dot[j]> for all pairs of rows."""
    own = np.sum(x * x_dot, axis=1)
    across = np.dot(x, np.transpose(x_dot))
    return own[:, None] + own - across - np.transpose(across)
