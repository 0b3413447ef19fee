"""Iterators that are gone on with where they were left, of which no item has a place of its own."""

from __future__ import annotations

import itertools
import math

import numpy as np

from tests.programs.entry import Entry

U = np.array([0.05, 0.7, 0.3, 0.9, 0.45, 0.8, 0.2])


def rest_of_those_that_pass(u):
    passing = (e * e for e in u if e > 0.1)
    first = next(passing) * 0.5
    second = next(passing)
    for e in passing:
        first += e * second
    return first


def left_by_break(u):
    passing = (e for e in u if e > 0.1)
    s = 0.0
    for e in passing:
        s += e
        if s > 0.9:
            break
    for e in passing:
        s += e**2
    return s


def of_filter(u):
    passing = filter(lambda e: e > 0.1, u)
    s = next(passing) * 0.5
    return s + sum(passing)


def of_itertools(u):
    fails = itertools.filterfalse(lambda e: e < 0.1, u)
    chosen = itertools.compress(u, [1, 0, 1, 1, 1])
    products = itertools.starmap(lambda a, b: a * b, zip(u, reversed(u), strict=True))
    s = next(fails) * sum(fails) + 2.0 * next(chosen) * sum(chosen)
    return s + 3.0 * next(products) + sum(products) ** 2


def choices_of_positions(u):
    pairs = itertools.combinations(range(4), 2)
    i, j = next(pairs)
    s = u[i] * u[j]
    for i, j in pairs:
        s += u[i] * u[j] ** 2
    return s


def lists_of_choices(u):
    """A list of them is no iterator: it is gone through as often as one likes."""
    pairs = list(itertools.combinations(range(4), 2))
    s = sum(u[i] * u[j] for i, j in pairs)
    for _ in range(2):
        for i, j in pairs:
            s = 0.5 * s + u[i] * u[j] ** 2
    return s * len(pairs)


def spread_into_a_list(u):
    def late():
        for k in range(4):
            if k > 1:
                yield k, k + 1

    pairs = [*late()]
    return sum(u[i] ** 2 * u[j - 1] for i, j in pairs)


def reversed_under_a_name(u):
    behind = reversed([(k, 3 - k) for k in range(4)])
    mapped = reversed(list(map(divmod, (3, 5, 2, 6), (2, 2, 3, 4))))
    s = sum(u[i] * u[j] ** 2 for i, j in behind)
    for i, _ in behind:
        s *= u[i]
    for i, j in mapped:
        s = 0.7 * s + u[i] * u[j]
    return s


def first_and_rest_of_a_dict(u):
    named = {k: u[k] for k in range(4)}
    key, *keys = named
    first, *rest = named.values()
    (_, second), *_ = named.items()
    return named[key] * named[keys[1]] + first * sum(rest) + second**2


def numbers_go_on(u):
    numbered = ((k, e) for k, e in enumerate(u, 1) if e > 0.1)
    s = 0.0
    for k, e in numbered:
        s += k * e
        if s > 2.0:
            break
    for k, e in numbered:
        s += 3.0 * k * e
        if e > 0.7:
            break
    return s + sum(k * e**2 for k, e in numbered)


def mapped_over_those_that_pass(u):
    squares = map(np.square, filter(lambda e: e > 0.1, u))
    s = next(squares)
    for k, e in enumerate(squares):
        if k == 1:
            s *= e
            break
    return s * sum(squares)


def on_one_way(u):
    passing = (e for e in u if e > 0.1)
    s = next(passing) if u[0] > 0.0 else 0.0
    return s + sum(passing) ** 2


def defaults_at_the_end(u):
    passing = (e for e in u if e > 0.75)
    s = 1.0
    for k in range(4):
        s = s * 0.7 + next(passing, 0.3) * (k + 1)
    return s + sum(passing)


def until_there_is_none(u):
    passing = (e for e in u if e > 0.1)
    s = 1.0
    while True:
        e = next(passing, None)
        if e is None:
            break
        s *= 1.0 + e
    return s


def pairs_of_the_rest(u):
    passing = (e for e in u if e > 0.1)
    s = next(passing)
    return s * sum(a * b for a, b in zip(passing, passing, strict=False)) + sum(passing)


def beside_those_that_pass(u):
    passing = filter(None, u)
    s = next(passing)
    for a, b in zip(passing, u, strict=False):
        s += a * b
        if s > 0.8:
            break
    return s


def changed_on_the_way(u):
    w = u * 1.0
    passing = (e for e in w if e > 0.1)
    s = next(passing)
    w[:] = w * 3.0
    return s * sum(passing)


def values_of_a_dict(u):
    held = {"a": u[1], "b": u[0], "c": u[2], "d": u[3]}
    passing = (e for e in held.values() if e > 0.1)
    s = next(passing)
    return s * next(passing)


def number_that_begins_elsewhere(u):
    first, s = 1, 0.0
    for k, e in enumerate(u, first):
        first = first + 2
        s += k * e**2
    return s * first


def found_between(u):
    passing = (e for e in u if e > 0.1)
    pairs = zip(passing, u, strict=False)
    s = 0.0
    for a, b in pairs:
        s += a * b
        if s > 0.3:
            break
    return s + sum(a * b**2 for a, b in pairs) + sum(passing)


def sums_from_the_end(u):
    items = reversed([u[0], u[1] * u[0], np.mean(u)])
    s = sum(items) + 0.5 * sum(items)
    return s + sum(reversed(u)) * sum(reversed((u[2], u[3])))


def taken_from_the_end(u):
    held = {"a": u[1], "b": u[0] * u[1]}
    first, second = reversed([u[2], u[3] * u[2]])
    powers = []
    for k in range(3):
        powers.append(u[4] ** k)
    s = sum(reversed(powers)) + max(reversed(powers)) * math.fsum(reversed([first, second]))
    return s + sum(reversed(held.values())) * np.sum(tuple(reversed([u[5], u[6]])))


def beside_what_ends_first(u):
    passing = (e for e in u if e > 0.1)
    s = 1.0
    for a, b in zip(u[3:5], passing, strict=False):
        s += a * b
        if s > 1.5:
            continue
        s *= b
    else:
        s += next(passing, 0.3) * s
    for e in passing:
        s += e * s
    return s


def sums_beside_what_ends_first(u):
    passing = (e for e in u if e > 0.1)
    s = sum(a * b for a, b in zip(u[:2], passing, strict=False))
    s += 2.1 * sum(a * b for a, b in zip(u[:0], passing, strict=False))
    for k, (a, b) in enumerate(zip(range(1, 3), passing, strict=False)):
        s += a * b * k
    return s * sum(passing)


def between_two_others(u):
    passing = (e for e in u if e > 0.1)
    s = 1.0
    for a, b, c in zip(u[:3], passing, u[1:3], strict=False):
        s += a * b * c
    rest = list(passing)
    return s + len(rest) * sum(rest)


def pairs_that_pass(u):
    falling = (a * b for a, b in zip(u, u[2:], strict=False) if a > b)
    s = 1.0
    for a, b in zip(u[:1], falling, strict=False):
        s += a * b
    for e in falling:
        s += e**2
        break
    return s * next(falling, 0.25)


def numbered_then_asked(u):
    passing = (e for e in u if e > 0.1)
    s = 1.0
    for k, e in enumerate(passing):
        s += e * k
        if k == 1:
            break
    s = s * 0.8 + next(passing, 0.25)
    return s * next(passing, 0.25)


def asked_whether_any(u):
    passing, turned = (e for e in u if e > 0.1), reversed(u)
    s = 1.0
    if any(e > 0.6 for e in passing) and not all(e < 0.5 for e in turned):
        s *= 1.2
    for e in passing:
        s += e**2 * s
        break
    return s + s * next(turned) * sum(passing)


def list_from_its_end(u):
    turned = reversed(u.tolist())
    s = 1.0
    for e in turned:
        s += e * 1.3
        if s > 1.5:
            break
    s += next(turned)
    for e in turned:
        s += e * s
    return s


def what_a_generator_returns(u):
    """It was taken for None; of one that comes to its end it is."""

    def squared(x):
        yield x
        if x > 0.5:
            return x * x
        yield x * 3.0

    def both():
        for x in u:
            square = yield from squared(x)
            if square is not None:
                yield square * 2.0

    return sum(both())


def what_a_recursive_generator_returns(u):
    def down(n):
        if n == 0:
            return u[0]
        yield u[n]
        below = yield from down(n - 1)
        return below * u[n]

    def whole():
        last = yield from down(3)
        yield last

    return sum(whole())


PROGRAMS = (
    Entry(what_a_generator_returns, (np.array([0.4, 0.7, 0.2, 0.9]),)),
    Entry(what_a_recursive_generator_returns, (np.array([0.4, 0.7, 0.2, 0.9]),)),
    *(
        Entry(function, (U,))
        for function in (
            sums_from_the_end,
            taken_from_the_end,
            rest_of_those_that_pass,
            left_by_break,
            of_filter,
            of_itertools,
            choices_of_positions,
            lists_of_choices,
            spread_into_a_list,
            reversed_under_a_name,
            first_and_rest_of_a_dict,
            numbers_go_on,
            mapped_over_those_that_pass,
            on_one_way,
            defaults_at_the_end,
            until_there_is_none,
            pairs_of_the_rest,
            changed_on_the_way,
            number_that_begins_elsewhere,
            beside_those_that_pass,
            beside_what_ends_first,
            sums_beside_what_ends_first,
            between_two_others,
            pairs_that_pass,
            numbered_then_asked,
            asked_whether_any,
            list_from_its_end,
        )
    ),
    *(Entry(function, (U,), may_refuse=True) for function in (values_of_a_dict, found_between)),
)
