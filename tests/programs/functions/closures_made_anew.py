"""Functions made inside that see another value at each call: their cells are bound anew."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers

FACTOR = 0.7


def between_calls(u, c):
    a = c * 2.0
    inner = lambda t: a * np.sin(t)  # noqa: E731
    y = inner(u[0])
    a *= u[1]
    return y + inner(y)


def where_nothing_varies(u, c):
    a = FACTOR
    inner = lambda t: a * (t + 0.5)  # noqa: E731
    inner(0.3 + a)
    a *= 0.5
    x = 0.5 * inner(0.5)
    return x * np.sum(u**2) * c


def in_a_test_alone(u, c):
    z = FACTOR

    def inner(t):
        return z * t

    a = inner(0.3)
    z = 0.2
    if a > inner(1.0):
        c = c * u[0]
    return c * np.sum(u)


def in_loops(u, c):
    for _ in range(2):
        for t in range(1, 3):
            d = c - u[t]
            inner = lambda s: d * np.sin(s)  # noqa: E731, B023
            x = inner(abs(d))
            d += np.mean(u)
            b = 0.5 * inner(len(u) * 0.1 * x)
            if b > 100.0:
                continue
    return 0.5 * np.sin(0.5 * np.sum(u**2)) * x


def in_each_pass(u, c):
    z = 0.0
    for b in u:
        x = FACTOR

        def inner(t):
            return x * np.sin(t)  # noqa: B023

        s = inner(b**2)
        x *= c
        z += s * inner(np.cos(u[0]))
    for x in u[1:]:
        z *= x
    return z


U = numbers(4) + 0.9

PROGRAMS = tuple(
    Entry(function, (U, 0.6), (0, 1))
    for function in (between_calls, where_nothing_varies, in_a_test_alone, in_loops, in_each_pass)
)
