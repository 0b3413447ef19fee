"""Functions that right-hand sides of differences, slopes and integrals call, printed where used."""

import math

import numpy as np


def _trapezoid_weights(x):
    """Return what each of the values at x counts for in np.trapezoid."""
    steps = np.diff(x)
    return 0.5 * (np.pad(steps, (0, 1)) + np.pad(steps, (1, 0)))[: len(x)]


def _even_weights(u):
    """Return what each of the values u counts for in np.trapezoid with steps of one."""
    weights = np.ones_like(u, dtype=np.result_type(u, 0.5))
    weights[:1] -= 0.5
    weights[-1:] -= 0.5
    return weights


def _interp_gap(xp, i):
    """Return how far points of xp are from the next ones; 1 where there is none."""
    return xp[i + 1] - xp[i] if len(xp) > 1 else np.ones_like(xp[i])


def _interp_place(x, xp):
    """Return between which points np.interp finds x, and how far along."""
    i = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    along = (x - xp[i]) / _interp_gap(xp, i)
    return i, np.clip(along, 0.0, 1.0)


def _interp_slope(x, xp, fp):
    """Return the derivative of np.interp(x, xp, fp) in x; 0 beyond the ends."""
    i, _ = _interp_place(x, xp)
    inside = (x >= xp[0]) & (x <= xp[-1])
    return inside * (fp[i + 1] - fp[i]) / _interp_gap(xp, i)


def _added_at(values, xp, i):
    """Return the sums of values at points of xp, which may be whole numbers."""
    total = np.zeros(len(xp), np.result_type(values))
    np.add.at(total, i, values)
    return total


def _interp_spread(y_bar, x, xp):
    """Return what each point of np.interp receives from y_bar."""
    i, along = _interp_place(x, xp)
    below = _added_at((1.0 - along) * y_bar, xp, i)
    return below + _added_at(along * y_bar, xp, i + 1)


def _interp_moved(v, x, xp):
    """Return the tangent of what the points of np.interp receive, for a moving x."""
    i, _ = _interp_place(x, xp)
    inside = (x >= xp[0]) & (x <= xp[-1])
    rate = inside * v / _interp_gap(xp, i)
    return _added_at(rate, xp, i + 1) - _added_at(rate, xp, i)


def _interp_dot(x, xp, point_dot):
    """Return the tangent of np.interp for tangents at its points."""
    i, along = _interp_place(x, xp)
    return (1.0 - along) * point_dot[i] + along * point_dot[i + 1]


def _is_interpolated(x, xp, left, right):
    """Return where np.interp gives neither `left` nor `right`."""
    below = np.zeros_like(x, bool) if left is None else x < xp[0]
    above = np.zeros_like(x, bool) if right is None else x > xp[-1]
    return ~(below | above)


def _periodic_places(xp, period):
    """Return which points of xp follow each other, with one more at each end."""
    order = np.argsort(np.asarray(xp) % period)
    return np.concatenate((order[-1:], order, order[:1]))


def _periodic_points(xp, period):
    """Return the points of one period in order, with one more at each end."""
    inside = np.sort(np.asarray(xp) % period)
    return np.concatenate((inside[-1:] - period, inside, inside[:1] + period))


def _diff_bar(y_bar, a, axis):
    """Return the adjoint of a in np.diff(a, axis=axis)."""
    back = np.moveaxis(y_bar, axis, 0)
    out = np.moveaxis(np.zeros_like(a), axis, 0)
    out[1:] += back
    out[:-1] -= back
    return np.moveaxis(out, 0, axis)


def _even_gradient_bar(y_bar, dx, axis):
    """Return the adjoint of f in np.gradient(f, dx, axis=axis)."""
    back = np.moveaxis(y_bar, axis, 0) / (2.0 * dx)
    back[[0, -1]] *= 2.0  # the slopes at both ends are of one step
    f_bar = np.moveaxis(np.zeros_like(y_bar), axis, 0)
    f_bar[1:] += back[:-1]
    f_bar[-1] += back[-1]
    f_bar[:-1] -= back[1:]
    f_bar[0] -= back[0]
    return np.moveaxis(f_bar, 0, axis)


def _gradient_bar(y_bar, f, steps, axis, edge_order):
    """Return the adjoint of f in np.gradient, with one step or all of them."""
    back = np.moveaxis(y_bar, axis, 0)
    f_bar = np.moveaxis(np.zeros(np.shape(f), y_bar.dtype), axis, 0)
    steps = steps * np.ones(len(back) - 1, f.dtype)
    h = np.reshape(steps, (-1,) + (1,) * (np.ndim(f) - 1))
    a, b, whole = h[:-1], h[1:], h[:-1] + h[1:]
    f_bar[:-2] -= b / (a * whole) * back[1:-1]
    f_bar[1:-1] += (b - a) / (a * b) * back[1:-1]
    f_bar[2:] += a / (b * whole) * back[1:-1]
    f_bar[0] -= back[0] / h[0]
    f_bar[1] += back[0] / h[0]
    f_bar[-2] -= back[-1] / h[-1]
    f_bar[-1] += back[-1] / h[-1]
    if edge_order == 2:
        # each end lies on a parabola: it bends by the second difference
        first, last = back[0] * h[0] / whole[0], back[-1] * h[-1] / whole[-1]
        f_bar[0] -= first / h[0]
        f_bar[1] += first / h[0] + first / h[1]
        f_bar[2] -= first / h[1]
        f_bar[-3] += last / h[-2]
        f_bar[-2] -= last / h[-2] + last / h[-1]
        f_bar[-1] += last / h[-1]
    return np.moveaxis(f_bar, 0, axis)


def _reduceat_bar(y_bar, array, indices):
    """Return the adjoint of array in np.add.reduceat(array, indices)."""
    array_bar = np.zeros_like(array)
    for i in range(len(indices)):
        stop = indices[i + 1] if i + 1 < len(indices) else len(array)
        array_bar[indices[i] : max(stop, indices[i] + 1)] += y_bar[i]
    return array_bar


def _diffs_bar(y_bar, a, n, axis):
    """Return the adjoint of a in np.diff(a, n, axis)."""
    n = min(n, np.shape(a)[axis])
    back = np.moveaxis(y_bar, axis, 0)
    for _ in range(n):
        ends = np.zeros_like(back, shape=(1, *back.shape[1:]))
        back = np.concatenate((ends, back)) - np.concatenate((back, ends))
    return np.moveaxis(back, 0, axis)


def _length_along(part, axis):
    """Return how many elements np.diff takes of a part along axis: one of a number."""
    return np.shape(part)[axis] if np.ndim(part) else 1


def _diff_part(y_bar, part, start, n, axis):
    """Return the adjoint of what stands from `start` on where np.diff joins."""
    back = np.moveaxis(y_bar, axis, 0)
    for _ in range(n):
        ends = np.zeros_like(back, shape=(1, *back.shape[1:]))
        back = np.concatenate((ends, back)) - np.concatenate((back, ends))
    own = np.moveaxis(back[start : start + _length_along(part, axis)], 0, axis)
    return own if np.ndim(part) else np.sum(own)


def _digamma(x):
    """Return the derivative of math.lgamma: a series from 10 on (DLMF 5.5, 5.11.2)."""
    y = 0.0
    if x < 0.0:
        y = -math.pi / math.tan(math.pi * x)
        x = 1.0 - x
    while x < 10.0:
        y = y - 1.0 / x
        x = x + 1.0
    w = 1.0 / (x * x)
    tail = 1.0 / 240.0 - w * (1.0 / 132.0 - w * 691.0 / 32760.0)
    tail = 1.0 / 12.0 - w * (1.0 / 120.0 - w * (1.0 / 252.0 - w * tail))
    return y + math.log(x) - 0.5 / x - w * tail
