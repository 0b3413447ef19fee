"""Functions that write to what they are given, and call themselves with what nobody else has."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def corrected(u, f):
    u[1:-1] = 0.5 * (u[:-2] + u[2:]) + f[1:-1]
    if len(u) > 3:
        rest = (f - u)[::2]
        u[::2] += corrected(np.zeros(len(rest)), rest)
    return u


def once(f):
    return np.sum(corrected(np.zeros(len(f)), f) ** 2)


def again_and_again(f):
    u = np.zeros(len(f))
    for _ in range(2):
        u = corrected(u, f)
    return np.sum(u**2)


def for_what_it_does(f):
    u = np.zeros(len(f))
    corrected(u, f)
    return np.sum(u**2)


def smooth(u, f, h):
    for _ in range(2):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + h * h * f[1:-1])


def residual(u, f, h):
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] + (u[:-2] - 2 * u[1:-1] + u[2:]) / (h * h)
    return r


def prolonged(e, n):
    out = np.zeros(n)
    out[::2] = e
    out[1::2] = 0.5 * (e[:-1] + e[1:])
    return out


def vcycle(u, f, h):
    """Smooth, correct on the coarse grid, and smooth again."""
    if len(u) == 3:
        u[1] = 0.5 * h * h * f[1]
        return u
    smooth(u, f, h)
    rest = residual(u, f, h)[::2]
    e = vcycle(np.zeros_like(rest), rest.copy(), 2 * h)
    u += prolonged(e, len(u))
    smooth(u, f, h)
    return u


def multigrid(f, start):
    u = start.copy()
    for _ in range(2):
        u = vcycle(u, f, 0.125)
    return np.sum(u * f)


def smoothed(u, f):
    for _ in range(2):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + f[1:-1])
    return u


def cycled(u, f):
    """What it returns is what it was handed, or something else: nobody reads the former."""
    if len(u) <= 3:
        u[1] = 0.5 * f[1]
        return u
    u = smoothed(u, f)
    rest = f[::2] * u[::2]
    e = cycled(np.zeros_like(rest), rest)
    e = cycled(e, rest)
    u = u + prolonged(e, len(u))
    return smoothed(u, f)


def cycled_twice(f):
    u = np.zeros(len(f))
    for _ in range(2):
        u = cycled(u, f)
    return np.sum(u * f)


def cycled_and_read(f):
    u = f * f
    v = cycled(u, f)
    return np.sum(u * v)


def branching(u, f, n):
    u[0] += f[0]
    if n > 0:
        a = branching(np.zeros(3), f, n - 1)
        b = branching(u.copy(), f * 2, n - 1)
        u += a * b
    return u


def branches(f):
    return np.sum(branching(np.ones(3), f, 2))


def branches_that_write(f):
    u = np.ones(3)
    branching(u, f, 2)
    return np.sum(u)


def scaled(u):
    m = np.sum(u * u)
    u /= 1.0 + m
    if len(u) > 2:
        return m * scaled(u[1:]) + u[0]
    return m


def scaled_and_read(f):
    u = f * f
    m = scaled(u)
    return m * np.sum(u * f)


def shifted(u, f, n):
    u[:-1] += f[1:] * f[:-1]
    if n > 0:
        shifted(u[1:], f[1:], n - 1)


def shifted_by_itself(f):
    u = f * 2.0
    shifted(u, u, 2)
    return np.sum(u * f)


def shifted_by_another(f):
    u = f * 2.0
    shifted(u, f, 2)
    held = u
    shifted(u[::-1], f * f, 1)
    return np.sum(u * held)


PROGRAMS = (
    Entry(scaled_and_read, (numbers(4),)),
    Entry(shifted_by_itself, (numbers(5),), may_refuse=True),
    Entry(shifted_by_another, (numbers(5),)),
    Entry(once, (numbers(5),)),
    Entry(again_and_again, (numbers(5),)),
    Entry(for_what_it_does, (numbers(5),)),
    Entry(multigrid, (numbers(9), numbers(9)), (0, 1)),
    Entry(cycled_twice, (numbers(5),)),
    Entry(cycled_and_read, (numbers(5),), may_refuse=True),
    Entry(branches, (numbers(3),)),
    Entry(branches_that_write, (numbers(3),)),
)
