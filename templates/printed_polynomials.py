"""Functions for polynomials that a right-hand side may call."""

import numpy as np


def _powers(x, count):
    """Return the powers of x, the highest first, as the columns of a matrix."""
    x = np.asarray(x)
    columns = np.ones_like(x, shape=(x.size, count))
    for k in reversed(range(count - 1)):
        columns[:, k] = columns[:, k + 1] * np.ravel(x)
    return columns


def _polyval_slope(p, x):
    """Return the derivative of np.polyval(p, x) in x."""
    value = 0.0 * x
    slope = 0.0 * x
    for each in p:
        slope = slope * x + value
        value = value * x + each
    return slope


def _falling(size, m):
    """Return what m derivatives multiply each of `size` coefficients with."""
    factors = np.ones(size)
    for i in range(m):
        factors = factors * np.maximum(np.arange(size - 1.0 - i, -1.0 - i, -1.0), 0.0)
    return factors


def _poly_twice(y_bar, zeros, v):
    """Return the adjoint of the zeros in np.dot(_poly_bar(y_bar, zeros), v)."""
    bars = np.zeros_like(zeros)
    for i in range(len(zeros)):
        for j in range(len(zeros)):
            if i != j:
                bars[i] += v[j] * np.dot(y_bar[2:], np.poly(np.delete(zeros, [i, j])))
    return bars


def _vander_slope(x, N, increasing):
    """Return the derivative of each row of np.vander(x, N, increasing) in its x."""
    powers = np.arange(1.0, N)
    if increasing:
        return np.pad(powers * np.vander(x, N - 1, True), ((0, 0), (1, 0)))
    return np.pad(powers[::-1] * np.vander(x, N - 1), ((0, 0), (0, 1)))


def _poly_bar(y_bar, zeros):
    """Return the adjoint of the zeros of the polynomial np.poly(zeros)."""
    bars = np.zeros_like(zeros)
    for i in range(len(zeros)):
        bars[i] = -np.dot(y_bar[1:], np.poly(np.delete(zeros, i)))
    return bars


def _poly_dot(zeros, zeros_dot):
    """Return the tangent of np.poly(zeros)."""
    dot = np.zeros_like(zeros, shape=len(zeros) + 1)
    for i in range(len(zeros)):
        dot[1:] -= zeros_dot[i] * np.poly(np.delete(zeros, i))
    return dot


def _least_norm(a, y_bar):
    """Return the smallest x for which np.dot(x, a) is y_bar."""
    q, r = np.linalg.qr(a)
    return np.dot(q, np.linalg.solve(r.T, y_bar))


def _polyfit_dot(x, x_dot, z, y):
    """Return the tangent of y = np.polyfit(x, z, len(y) - 1) where x moves."""
    slope = np.polyval(np.polyder(y), x)
    rest = (z - np.polyval(y, x)) * x_dot
    moved = np.dot(rest, _vander_slope(x, len(y), False))
    back = _least_norm(np.vander(x, len(y)), moved)
    return np.polyfit(x, back - slope * x_dot, len(y) - 1)
