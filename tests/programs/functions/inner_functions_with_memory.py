"""Inner functions that call themselves, have defaults, or keep what they gave.

@functools.cache above def c(k): return 1.0 + x * k / c(k + 1)
"""

# ruff: noqa: B006

from __future__ import annotations

import functools
from functools import cache, lru_cache

import numpy as np

from tests.programs.entry import Entry


def left_out(x):

    def fib(k, w=0.5):
        return x if k < 2 else fib(k - 1) * w + fib(k - 2) * x

    return fib(5)


def left_out_of_some(x):
    c = x * x

    def fib(k, w=c):
        return x if k < 2 else fib(k - 1) * w + fib(k - 2, w=0.1) * x

    return fib(4) + fib(3, 0.2)


def default_from_before(x):
    c = x * x

    def fib(k, w=c):
        return x if k < 2 else fib(k - 1) * w + fib(k - 2, w=0.1) * x

    c = 3.0
    return fib(4) + fib(3, 0.2) * c


def default_that_grows(x):

    def fib(k, acc=[]):
        acc.append(1)
        return x if k < 2 else fib(k - 1) + fib(k - 2) * len(acc)

    return fib(4)


def left_out_in_a_sum(x):

    def fib(k, w=0.5):
        return x if k < 2 else fib(k - 1) * w + fib(k - 2) * x

    return sum(fib(k) for k in range(4))


def default_that_stands_for_another(x):

    def fib(k, w=None):
        if w is None:
            w = x
        return x if k < 2 else fib(k - 1, w) * w + fib(k - 2) * x

    return fib(4)


def defaults_of_values(x):

    def rec(y, n=2, scale=x):
        scale = scale * 2
        return y if n == 0 else rec(y * scale, n - 1)

    return rec(x)


def continued_fraction(x):

    @functools.cache
    def cf(k):
        return 1.0 if k > 4 else 1.0 + x * k / cf(k + 1)

    return cf(0)


def cached_in_a_loop(x):

    @cache
    def fib(k):
        return x if k < 2 else fib(k - 1) * 0.5 + fib(k - 2) * x

    s = 0.0
    for i in range(4):
        s += fib(i)
    return s


def cached_before_a_change(x):

    @lru_cache
    def fib(k):
        return x if k < 2 else fib(k - 1) * 0.5 + fib(k - 2) * x

    a = fib(3)
    x = x * 2
    return a + fib(3) + fib(4)


@cache
def terms(n, m):
    return tuple((n - 2 * k, 0.5**k) for k in range((n - m) // 2 + 1))


def cached_under_names_of_its_own(x):
    """What it is handed is called as it calls it: it is no variable of the function around."""
    s = 0.0
    for n, m in [(2, 0), (3, 1), (4, 0)]:
        s += sum(c * x**k for k, c in terms(n, m)) * x
    return s


def cached_array_written(x):

    @cache
    def row(k):
        return np.arange(3.0) * x if k == 0 else row(k - 1) * 2

    r = row(1)
    r += 1.0
    return np.sum(row(1) * row(2))


def cached_arrays(x):

    @cache
    def row(k):
        return np.arange(3.0) * x if k == 0 else row(k - 1) * 2

    return np.sum(row(1) * row(2))


def cached_reads_a_list(x):
    c = [1.0]

    @cache
    def f(k):
        return x * k * c[0]

    a = f(1)
    c[0] = 2.0
    return a * f(1) * f(2)


def cached_reads_through_another(x):

    @cache
    def f(k):
        return g(k) * x

    def g(k):
        return k * y

    y = 1.0
    a = f(1)
    y = 2.0
    return a * f(1)


def cached_list_written(x):

    @cache
    def f(k):
        return [x * k, x]

    f(1).append(3.0)
    L = f(1)
    L[0] = 5.0
    return f(1)[0] * len(f(1))


def cached_while_it_changes(x):

    @cache
    def f(k):
        return x * k

    s = 0.0
    for _ in range(3):
        x = x * 2
        s += f(1)
    return s


def cached_by_each_that_makes_it(x):
    def make(scale):
        @cache
        def f(k):
            return scale * x if k == 0 else f(k - 1) * x

        return f

    return make(1.0)(2) + make(x)(3)


def binomial(x):

    @cache
    def binom(n, k):
        if k == 0 or k == n:
            return 1.0
        return binom(n - 1, k - 1) * x + binom(n - 1, k) * (1 - x)

    return binom(5, 2)


def table_of_matches(w):
    S = np.array([1.0, 2.0, 3.0])

    @cache
    def best(i, j):
        if i == 0 or j == 0:
            return 0.0
        return max(best(i - 1, j), best(i, j - 1), best(i - 1, j - 1) + S[i - 1] * w)

    return best(3, 2)


def cached_with_a_default(x):

    @cache
    def f(k, w=0.5):
        return x if k == 0 else f(k - 1) * x * w

    return f(3)


WAYS = {"square": 2, "Cube": 3}


@functools.cache
def validated(way, ways):
    ways = tuple([str(each).lower() for each in ways])
    way = way.lower()
    if way not in ways:
        raise ValueError(f"{way} is none of {ways}")
    return way


def way_that_is_validated(x):
    return x**2 if validated("Square", tuple(WAYS)) == "square" else x**3


OF_ONE = (
    cached_under_names_of_its_own,
    way_that_is_validated,
    left_out,
    left_out_of_some,
    default_from_before,
    left_out_in_a_sum,
    default_that_stands_for_another,
    defaults_of_values,
    continued_fraction,
    cached_in_a_loop,
    cached_arrays,
    binomial,
    table_of_matches,
    cached_with_a_default,
    cached_by_each_that_makes_it,
)
REFUSABLE = (
    default_that_grows,
    cached_before_a_change,
    cached_array_written,
    cached_reads_a_list,
    cached_reads_through_another,
    cached_list_written,
    cached_while_it_changes,
)
PROGRAMS = (
    *(Entry(function, (0.7,)) for function in OF_ONE),
    *(Entry(function, (0.7,), may_refuse=True) for function in REFUSABLE),
)
