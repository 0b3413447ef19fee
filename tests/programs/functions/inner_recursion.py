"""Inner functions that call themselves and others, and what those read.

f = lambda x: math.exp(-k * x); def rec(lo, hi, depth): ... f(m) ... rec(lo, m, depth - 1)
"""

# ruff: noqa: E731, B023

from __future__ import annotations

import math

import numpy as np

from tests.programs.entry import Entry, numbers


def quadrature(a, k):
    f = lambda x: math.exp(-k * x)

    def rec(lo, hi, depth):
        if depth == 0:
            return (hi - lo) * f(0.5 * (lo + hi))
        m = 0.5 * (lo + hi)
        return rec(lo, m, depth - 1) + rec(m, hi, depth - 1)

    return rec(0.0, a, 3)


def adaptive_simpson(a, k):
    f = lambda x: math.exp(-k * x)

    def simpson(lo, hi):
        return (hi - lo) / 6 * (f(lo) + 4 * f(0.5 * (lo + hi)) + f(hi))

    def rec(lo, hi, whole, tol):
        m = 0.5 * (lo + hi)
        left, right = (simpson(lo, m), simpson(m, hi))
        if abs(left + right - whole) < 15 * tol:
            return left + right + (left + right - whole) / 15
        return rec(lo, m, left, tol / 2) + rec(m, hi, right, tol / 2)

    return rec(0.0, a, simpson(0.0, a), 1e-06)


def ends_handed_on(a, k):

    def f(x):
        return np.sin(k * x) * x

    def rec(lo, hi, flo, fhi, depth):
        m = 0.5 * (lo + hi)
        fm = f(m)
        if depth == 0:
            return (hi - lo) * (flo + 4 * fm + fhi) / 6
        return rec(lo, m, flo, fm, depth - 1) + rec(m, hi, fm, fhi, depth - 1)

    return rec(0.0, a, f(0.0), f(a), 2)


def of_two_others(a, k):
    c = k * a
    f = lambda x: c * x * x
    g = lambda x, y: f(x) + k * y

    def rec(x, n):
        return x if n == 0 else g(rec(f(x), n - 1), x)

    return rec(a, 2) + g(a, k)


def own_names_alike(a, k):
    c = 3.0

    def f(x):
        return x * k

    def rec(k, n):
        c = f(k)
        return c if n == 0 else c + rec(k * 0.5, n - 1)

    return rec(a, 2) * c


def halves_of_an_array(u, k):

    def f(x):
        return k * x**2

    def rec(v):
        if len(v) == 1:
            return f(v[0])
        n = len(v) // 2
        return rec(v[:n]) * 1.5 + rec(v[n:])

    return rec(u)


def read_through_another(a, k):
    f = lambda x: k * x * x

    def rec(x, n):
        return f(x) if n == 0 else f(rec(x, n - 1))

    y = rec(a, 1)
    k = k * 2.0
    return y + rec(a, 2)


def made_anew_in_each_pass(a, k):
    s = 0.0
    for i in range(2):
        f = lambda x: k * x * x + i

        def rec(x, n):
            return f(x) if n == 0 else f(rec(x, n - 1))

        s += rec(a, 2)
    return s


def filled_in(a, k):
    def f(x, p=2):
        return k * x**p

    def rec(x, n):
        if n == 0:
            return f(x)
        return f(rec(x, n - 1), 3)

    return rec(a, 2)


def clash_of_names(a, k):
    clash_of_names_inner = a * 2
    f = lambda x: k * x * x

    def rec(x, n):
        return f(x) if n == 0 else f(rec(x, n - 1)) + clash_of_names_inner

    return rec(a, 2)


def inside_inside(a, k):

    def outer(z):
        f = lambda x: k * x * z

        def rec(x, n):
            return f(x) if n == 0 else f(rec(x, n - 1))

        return rec(a, 2)

    return outer(a) + outer(k)


def in_comprehensions(a, k):
    f = lambda x: k * x * x

    def rec(x, n):
        if n == 0:
            return f(x)
        t = [rec(x * j, n - 1) for j in (0.5, 0.2)]
        return sum(f(v) for v in t)

    return rec(a, 2)


def called_in_a_sum(a, k):
    f = lambda x: k * x * x

    def rec(x, n):
        return f(x) if n == 0 else rec(f(x), n - 1)

    return sum(rec(x, 1) for x in (a, k)) + f(k)


def called_by_another(a, k):
    f = lambda x: k * x * x

    def rec(x, n):
        return f(x) if n == 0 else rec(f(x), n - 1)

    g = lambda x: rec(x, 2) * k
    return g(a) + rec(k, 1)


def other_made_later(a, k):

    def bisect(lo, hi, n):
        m = 0.5 * (lo + hi)
        if n == 0:
            return m
        if g(m) > 0:
            return bisect(lo, m, n - 1)
        return bisect(m, hi, n - 1)

    def g(x):
        return x * x - k

    return bisect(0.0, a, 5)


OF_TWO = (
    quadrature,
    adaptive_simpson,
    ends_handed_on,
    of_two_others,
    own_names_alike,
    filled_in,
    clash_of_names,
    inside_inside,
    in_comprehensions,
    called_in_a_sum,
    called_by_another,
)
REFUSABLE_OF_TWO = (read_through_another, made_anew_in_each_pass, other_made_later)
PROGRAMS = (
    *(Entry(function, (0.7, 0.3), (0, 1)) for function in OF_TWO),
    *(Entry(function, (0.7, 0.3), (0, 1), may_refuse=True) for function in REFUSABLE_OF_TWO),
    Entry(halves_of_an_array, (numbers(4), 0.3), (0, 1)),
)
