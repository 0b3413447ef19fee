"""Twins of SciPy's splines of knots and coefficients, and of polynomials in pieces."""

import numpy as np


def _b_spline(xnew, t, c, k):
    """Twin of scipy.interpolate.BSpline(t, c, k)(xnew): de Boor's recursion."""
    if np.ndim(c) > 2:
        raise ValueError("made for splines of one coefficient or row each")
    i = np.clip(np.searchsorted(t, xnew, side="right") - 1, k, len(t) - k - 2)
    parts = [c[i - k + j] for j in range(k + 1)]
    for r in range(1, k + 1):
        blended = []
        for j in range(k + 1 - r):
            left = t[i - k + r + j]
            share = (xnew - left) / (t[i + 1 + j] - left)
            if np.ndim(c) > 1:
                share = np.expand_dims(share, -1)
            blended.append(parts[j] + share * (parts[j + 1] - parts[j]))
        parts = blended
    return parts[0]


def _b_spline_derived(xnew, t, c, k, nu):
    """Twin of scipy.interpolate.BSpline(t, c, k)(xnew, nu)."""
    if np.ndim(c) > 1:
        raise ValueError("made for splines of one row of coefficients")
    if nu > k:
        return 0.0 * _b_spline(xnew, t, c, k)
    c = c[: len(t) - k - 1]
    for r in range(nu):
        c = (k - r) * (c[1:] - c[:-1]) / (t[k - r + 1 : -1] - t[1 : r - k - 1])
        t = t[1:-1]
    return _b_spline(xnew, t, c, k - nu)


def _b_spline_integral(a, b, t, c, k):
    """Twin of scipy.interpolate.splint: what lies outside counts as zero."""
    sums = np.cumsum(c[: len(t) - k - 1] * (t[k + 1 :] - t[: -k - 1]) / (k + 1))
    sums = np.concatenate((np.zeros_like(sums[:1]), sums))
    t = np.concatenate((t[:1], t, t[-1:]))
    low, high = np.clip(a, t[0], t[-1]), np.clip(b, t[0], t[-1])
    return _b_spline(high, t, sums, k + 1) - _b_spline(low, t, sums, k + 1)


def _at_knots(x, tck, der):
    """Twin of scipy.interpolate.splev(x, tck, der)."""
    t, c, k = tck
    return _b_spline_derived(x, t, c, k, der)


def _integral_at_knots(a, b, tck):
    """Twin of scipy.interpolate.splint(a, b, tck)."""
    t, c, k = tck
    return _b_spline_integral(a, b, t, c, k)


def _derived_at_knots(tck, n):
    """Twin of scipy.interpolate.splder(tck, n)."""
    t, c, k = tck
    for _ in range(n):
        rises = c[1 : len(t) - k - 1] - c[: len(t) - k - 2]
        c = np.concatenate((k * rises / (t[k + 1 : -1] - t[1 : -k - 1]), np.zeros(k)))
        t = t[1:-1]
        k = k - 1
    return t, c, k


def _summed_at_knots(tck, n):
    """Twin of scipy.interpolate.splantider(tck, n)."""
    t, c, k = tck
    for _ in range(n):
        sums = np.cumsum(c[: len(t) - k - 1] * (t[k + 1 :] - t[: -k - 1])) / (k + 1)
        c = np.concatenate((np.zeros(1), sums, sums[-1] * np.ones(k + 2)))
        t = np.concatenate((t[:1], t, t[-1:]))
        k = k + 1
    return t, c, k


def _knots(x, k):
    """Return the knots of a spline of degree k, none of them near the ends."""
    if k % 2:
        middle = x[(k + 1) // 2 : len(x) - (k + 1) // 2]
    else:
        middle = (0.5 * (x[1:] + x[:-1]))[k // 2 : len(x) - 1 - k // 2]
    first, last = np.full(k + 1, x[0]), np.full(k + 1, x[-1])
    return np.concatenate((first, middle, last))


def _through(x, y, k):
    """Return knots and coefficients of the spline of degree k through points."""
    t, basis = _knots(x, k), np.zeros((len(x), len(x)))
    basis[...] = _b_spline(x, t, np.eye(len(x)), k)
    return t, np.linalg.solve(basis, y)


def _interpolating(xnew, x, y, k, nu):
    """Twin of scipy.interpolate.make_interp_spline(x, y, k)(xnew, nu)."""
    t, c = _through(x, y, k)
    return _b_spline_derived(xnew, t, c, k, nu)


def _knots_through(x, y, k):
    """Twin of scipy.interpolate.splrep(x, y, k=k)."""
    t, c = _through(x, y, k)
    return t, np.concatenate((c, np.zeros(k + 1))), k


def _of_pieces(xnew, c, x, nu):
    """Twin of scipy.interpolate.PPoly(c, x)(xnew, nu)."""
    if np.ndim(c) != 2:
        raise ValueError("the derivative is that of polynomials of one row")
    x, last = np.asarray(x), np.shape(c)[0] - 1
    i = np.clip(np.searchsorted(x, xnew, side="right") - 1, 0, len(x) - 2)
    share, total = xnew - x[i], np.zeros_like(xnew)
    for m in range(last + 1 - nu):
        factor = 1.0
        for r in range(nu):
            factor = factor * (last - m - r)
        total = total * share + factor * c[m, i]
    return total
