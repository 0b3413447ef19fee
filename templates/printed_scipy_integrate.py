"""Twins of SciPy's integrals of samples."""

import numpy as np


def _cumulative_trapezoid(u, x, dx, axis, initial):
    """Twin of scipy.integrate.cumulative_trapezoid."""
    steps = dx if x is None else np.diff(x)
    if x is not None and np.ndim(x) > 1:
        steps = np.moveaxis(np.diff(x, axis=axis), axis, -1)
    v = np.moveaxis(u, axis, -1)
    total = np.cumsum(0.5 * steps * (v[..., 1:] + v[..., :-1]), axis=-1)
    if initial is not None:
        start = np.full_like(v[..., :1], initial)
        total = np.concatenate((start, total), axis=-1)
    return np.moveaxis(total, -1, axis)


def _simpson(u, x, dx, axis):
    """Twin of scipy.integrate.simpson."""
    count = np.shape(u)[axis] - 1
    steps = dx * np.ones(count, u.dtype) if x is None else np.diff(x)
    return np.sum(_simpson_weights(steps) * np.moveaxis(u, axis, -1), axis=-1)


def _simpson_weights(steps):
    """Return what each value counts for in Simpson's rule, with steps between them."""
    steps = 1.0 * steps  # whole numbers may be given
    if len(steps) < 2:
        return 0.5 * np.repeat(steps, 2)
    weights = np.zeros(len(steps) + 1, steps.dtype)
    # parabolas over pairs of steps; the last of an odd number overlaps the one before
    pairs = len(steps) // 2
    a, b = steps[0 : 2 * pairs : 2], steps[1 : 2 * pairs : 2]
    weights[0 : 2 * pairs : 2] += (a + b) * (2.0 * a - b) / (6.0 * a)
    weights[1 : 2 * pairs : 2] += (a + b) ** 3 / (6.0 * a * b)
    weights[2 : 2 * pairs + 1 : 2] += (a + b) * (2.0 * b - a) / (6.0 * b)
    if len(steps) % 2:
        c, d = steps[-2], steps[-1]
        weights[-1] += d * (2.0 * d + 3.0 * c) / (6.0 * (c + d))
        weights[-2] += d * (d + 3.0 * c) / (6.0 * c)
        weights[-3] -= d**3 / (6.0 * c * (c + d))
    return weights


def _cumulative_simpson(u, x, dx, axis, initial):
    """Twin of scipy.integrate.cumulative_simpson: by parabolas through three points."""
    v = np.moveaxis(u, axis, -1) * 1.0
    steps = dx * np.ones(np.shape(v)[-1] - 1, v.dtype) if x is None else np.diff(x)
    if len(steps) < 2:
        areas = 0.5 * steps * (v[..., 1:] + v[..., :-1])
    else:
        areas = np.zeros_like(v[..., 1:])
        a, b = steps[:-1], steps[1:]
        left, middle, right = v[..., :-2], v[..., 1:-1], v[..., 2:]
        first = _of_first_step(a, b, left, middle, right)
        last = _of_first_step(b, a, right, middle, left)
        areas[..., :-1:2] = first[..., ::2]
        areas[..., 1::2] = last[..., ::2]
        areas[..., -1] = last[..., -1]
    total = np.cumsum(areas, axis=-1)
    if initial is not None:
        start = np.full_like(v[..., :1], initial)
        total = np.concatenate((start, initial + total), axis=-1)
    return np.moveaxis(total, -1, axis)


def _of_first_step(a, b, left, middle, right):
    """Return the area over the first of two steps, under a parabola through three."""
    share = a / (a + b)
    bend = share * a / b
    first, second = (3.0 - share) * left, (3.0 + bend + share) * middle
    return a / 6.0 * (first + second - bend * right)


def _romb(u, dx, axis):
    """Twin of scipy.integrate.romb: trapezoids of ever wider steps, extrapolated."""
    v = np.moveaxis(u, axis, -1)
    steps = np.shape(v)[-1] - 1
    wide, sums = 1, []
    while wide <= steps:
        part = v[..., ::wide]
        inner = np.sum(part[..., 1:-1], axis=-1)
        sums.append(dx * wide * (inner + 0.5 * (part[..., 0] + part[..., -1])))
        wide = 2 * wide
    power = 1.0
    while len(sums) > 1:
        power = 4.0 * power
        sums = [a + (a - b) / (power - 1.0) for a, b in zip(sums[:-1], sums[1:])]
    return sums[0]


def _trapezoid(u, x, axis):
    """Twin of np.trapezoid(u, x, axis=axis), of places for each value."""
    u, step = np.moveaxis(u, axis, 0), np.diff(x, axis=axis)
    return np.sum(0.5 * np.moveaxis(step, axis, 0) * (u[1:] + u[:-1]), axis=0)
