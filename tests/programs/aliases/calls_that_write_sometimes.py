"""Calls that change what they are given, where they are looked at only in some cases."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def relaxed(u, rate):
    u *= 1.0 - rate
    u[1:] += 0.3 * u[:-1] ** 2
    return np.sum(u)


def in_a_test(u, c):
    if c > 0 and relaxed(u, 0.1) > -50.0:
        c = c * u[1]
    else:
        c = np.sin(c)
    return np.sum(u**2) * c


def in_a_test_of_a_loop(u, c):
    n = 0
    while n < 3 and relaxed(u, 0.1 * c) > -50.0:
        u[n] += 0.5 * c
        n += 1
    return np.sum(u**2)


def in_one_of_two_tests(u, c):
    if c > 0 or relaxed(u, 0.2) < -50.0 or relaxed(u, c) > 0.0:
        u = u * 2.0
    return np.sum(u**2) * c


def on_a_side(u, c):
    return np.sum(u**3) + (relaxed(u, c) if c > 0 else np.sum(np.sin(u))) * u[1]


def on_both_sides(u, c):
    s = np.sum(u) * (relaxed(u, 0.1) if c > 0 else relaxed(u[::-1], 0.2)) * np.prod(u)
    return s + np.sum(u * c)


def as_a_value(u, c):
    s = c > 0 and relaxed(u, c)
    return np.sum(u**2) + s


def in_a_chain(u, c):
    s = 1.0 if 0.0 < c < relaxed(u, 0.1) else 2.0
    return s * np.sum(u**2) * c


def below(x):
    x[0] = x[0] ** 2 + x[1]
    return x[0]


def in_a_function_of_a_function(u, c):
    def either(v):
        return below(v) if v[1] > c else v[1]

    return either(u) * u[0] + np.sum(u)


def read_before_it(u, c):
    s = u[0] * (y := relaxed(u, c)) * u[1]
    return s + y


def read_before_it_in_a_display(u, c):
    a, b, d = u[0], (y := relaxed(u, c)), u[1]
    return a * b + d * y


def read_before_an_inner_one(u, c):
    kept = [c]

    def bump(v):
        kept[0] = kept[0] * v
        return v

    s = kept[0] * (y := bump(u[1])) + kept[0] * y
    return s * np.sum(u)


def by_a_function_made_here(u, c):
    rate = c

    def bump(t):
        nonlocal rate
        rate = rate * t
        return rate

    if c > -1.0 and bump(u[0]) > -50.0:
        return rate * u[2]
    return rate * u[1]


U = numbers(4) + 0.9

PROGRAMS = tuple(
    Entry(function, (U, c), (0, 1), note=note)
    for function in (
        in_a_test,
        in_a_test_of_a_loop,
        in_one_of_two_tests,
        on_a_side,
        on_both_sides,
        as_a_value,
        in_a_chain,
        in_a_function_of_a_function,
        by_a_function_made_here,
        read_before_it,
        read_before_it_in_a_display,
        read_before_an_inner_one,
    )
    for c, note in ((0.5, ""), (-0.5, "other"))
)
