"""Inner functions that remember in a dict what they gave: they compute it again."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers

AFTER = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}


def looked_for_first(x):
    memo = {}

    def f(k):
        if k in memo:
            return memo[k]
        r = x * k + 1.0 if k < 2 else f(k - 1) + 0.5 * f(k - 2) * x
        memo[k] = r
        return r

    return f(6)


def begun_with_entries(x):
    memo = {0: 1.0, 1: x}

    def f(k):
        if k in memo:
            return memo[k]
        memo[k] = f(k - 1) + 0.5 * f(k - 2) * x
        return memo[k]

    return f(5)


def asked_behind_another_test(x):
    memo = {0: 1.0, 1: x}

    def f(k):
        if k <= 1:
            return 5.0 * x
        if k in memo:
            return memo[k]
        memo[k] = f(k - 1) + 0.5 * f(k - 2) * x
        return memo[k]

    return f(5)


def made_where_it_is_not(x):
    memo = {0: 1.0, 1: x}

    def f(k):
        if k not in memo:
            memo[k] = f(k - 1) + 0.5 * f(k - 2) * x
        return memo[k]

    return f(5) + f(1)


def of_two_numbers(u):
    memo = {}

    def f(i, j):
        if (i, j) not in memo:
            if i == 0 or j == 0:
                memo[i, j] = u[i] * u[j]
            else:
                memo[i, j] = min(f(i - 1, j) + u[i], f(i, j - 1) + u[j], f(i - 1, j - 1))
        return memo[i, j]

    return f(3, 2)


def longest_way(u):
    memo = {}

    def longest(n):
        if n not in memo:
            memo[n] = u["abcd".index(n)] ** 2 + max([longest(m) for m in AFTER[n]], default=0.0)
        return memo[n]

    return longest("a") ** 2


def powers_of_a_matrix(A):
    memo = {}

    def power(k):
        if k in memo:
            return memo[k]
        if k == 0:
            r = np.eye(3)
        elif k % 2:
            r = A @ power(k - 1)
        else:
            h = power(k // 2)
            r = h @ h
        memo[k] = r
        return r

    return np.trace(power(5)) + np.sum(power(3))


def way_through_a_grid(u):
    memo, v = {}, u**2

    def cost(i, j):
        if i == 0 and j == 0:
            return (u[0] - v[0]) ** 2
        if (i, j) not in memo:
            before = []
            if i > 0:
                before.append(cost(i - 1, j))
            if j > 0:
                before.append(cost(i, j - 1))
            memo[i, j] = (u[i] - v[j]) ** 2 + min(before)
        return memo[i, j]

    return cost(2, 2)


def counted_on_the_way(u):
    calls = [0]

    def product(k):
        calls[0] += 1
        return u[0] if k == 0 else product(k - 1) * u[k] + calls[0]

    return product(3) * calls[0]


def key_of_less_than_all(u):
    memo = {}

    def f(i, w):
        if i in memo:
            return memo[i]
        r = u[i] * w
        memo[i] = r
        return r

    return f(3, 1.0) * f(3, 2.0)


def length_of_the_dict(u):
    memo = {}

    def f(i):
        if i in memo:
            return memo[i]
        r = u[i] ** 2 if i == 0 else f(i - 1) * u[i]
        memo[i] = r
        return r

    return f(3) + len(memo)


def changed_in_between(u):
    memo = {}

    def f(i):
        if i in memo:
            return memo[i]
        r = u[i] ** 2 if i == 0 else f(i - 1) * u[i]
        memo[i] = r
        return r

    a = f(3)
    u = u * 2.0
    return a + f(4)


def how_often(u):
    memo, count = {}, [0]

    def f(i):
        count[0] += 1
        if i in memo:
            return memo[i]
        r = u[i] ** 2 if i == 0 else f(i - 1) * u[i]
        memo[i] = r
        return r

    return f(3) * count[0] + f(3) * count[0]


def written_to_what_it_gave(u):
    memo = {}

    def f(i):
        if i in memo:
            return memo[i]
        r = u * i if i == 0 else f(i - 1) * u
        memo[i] = r
        return r

    a = f(2)
    a += 1.0
    return np.sum(f(2) * a)


def list_that_it_gave_grows(x):
    memo = {}

    def f(k):
        if k in memo:
            return memo[k]
        r = [x * k] if k == 0 else f(k - 1)
        r.append(x)
        memo[k] = r
        return r

    return sum(f(3)) + sum(f(2))


X, U = 1.3, numbers(5)
PROGRAMS = (
    *(
        Entry(function, (X,), may_refuse=True)  # functools.cache says the same
        for function in (
            *(looked_for_first, begun_with_entries, asked_behind_another_test),
            made_where_it_is_not,
        )
    ),
    *(
        Entry(function, (U,))
        for function in (longest_way, key_of_less_than_all, way_through_a_grid, counted_on_the_way)
    ),
    Entry(of_two_numbers, (U,), may_refuse=True),
    Entry(powers_of_a_matrix, (numbers(3, 3),), may_refuse=True),
    *(
        Entry(function, (U,), may_refuse=True)
        for function in (length_of_the_dict, changed_in_between, how_often, written_to_what_it_gave)
    ),
    Entry(list_that_it_gave_grows, (X,), may_refuse=True),
)
