"""What is sorted, and what is counted from elsewhere, where a helper is handed it."""

from __future__ import annotations

import bisect
import functools
import heapq
import itertools
from collections import namedtuple

import numpy as np

from tests.programs.entry import Entry

Three = namedtuple("Three", "p q r")


def weighed(x):
    return {"ab": x, "baa": x * x, "c": 2.0 + x}


def by_last_letter(d):
    z = 0.1
    for k in sorted(d, key=lambda s: s[-1]):
        z = 0.5 * z + d[k]
    return z


def by_length(d):
    z = 0.1
    for k in sorted(d, key=len, reverse=True):
        z = 0.5 * z + d[k]
    return z


def by_text(d):
    z = 0.1
    for k in sorted(d, key=str):
        z = 0.5 * z + d[k]
    return z


def items_by_key(d):
    z = 0.1
    for _, v in sorted(d.items(), key=lambda kv: kv[0][-1]):
        z = 0.5 * z + v
    return z


def items_backwards(d):
    z = 0.1
    for _, v in sorted(d.items(), reverse=True):
        z = 0.5 * z + v
    return z


def values_downwards(d):
    z = 0.1
    for v in sorted(d.values(), key=lambda v: -v):
        z = 0.5 * z + v
    return z


def plainly(d):
    z = 0.1
    for k in sorted(d):
        z = 0.5 * z + d[k]
    return z


def side_by_side(d):
    z = 0.1
    for k, w in zip(sorted(d, key=lambda k: -len(k)), (1.0, 2.0, 3.0), strict=True):
        z = 0.5 * z + d[k] * w
    return z


def last_letter(x):
    return by_last_letter(weighed(x))


def length(x):
    return by_length(weighed(x))


def text(x):
    return by_text({"last": x, 0: x * x, 1: 2.0 * x})


def items(x):
    return items_by_key(weighed(x))


def backwards(x):
    return items_backwards(weighed(x))


def downwards(x):
    return values_downwards(weighed(x))


def in_order(x):
    return plainly({"c": x, "a": x * x, "b": 2.0})


def beside_others(x):
    return side_by_side(weighed(x))


def counted(ps):
    return sum(i * p for i, p in enumerate(ps, start=3))


def counted_from_three(x):
    return counted((x, x * x)) + counted([x, x * x])


def places_of_a_named_tuple(x):
    v = Three(x, x * x, 0.5)
    return sum(each for k, each in enumerate(v) if k % 2 == 0)


def handed_a_named_tuple(v):
    s = 0.0
    for k, each in enumerate(v):
        s += (k + 1) * each
    return s


def places_of_a_named_tuple_that_is_handed_on(x):
    return handed_a_named_tuple(Three(x, x * x, 0.5)) * np.sin(x)


def elements_in_order(u):
    least, *_, greatest = sorted(u)
    return greatest**2 - least * sum(k * v for k, v in enumerate(sorted(u, reverse=True)))


def folded_as_they_are_made(u):
    return functools.reduce(np.logaddexp, (k * v for k, v in enumerate(u)))


def told_by_what_it_lacks(u):
    squares = (v * v for v in u)
    items = squares if hasattr(squares, "shape") else list(squares)
    return items[0] * items[1]


def stacked_numbers(u):
    rows = [v[..., np.newaxis] for v in u]
    return np.concatenate(rows, axis=-1) @ u * np.sum(np.max(u)[None] * u)


def elements_in_a_list(u):
    items = (u * u).tolist()
    items.append(items[0])
    items[0] = 3.0 * items[1]
    return sum(k * v * v for k, v in enumerate(sorted(items)))


class Mass:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value

    def __bool__(self):
        return bool(self.value > 0.15)


def objects_in_order(x):
    masses = sorted(Mass(value) for value in x)
    masses.append(Mass(x[0] * x[1]))
    masses.sort(reverse=True)
    return sum(k * mass.value**2 for k, mass in enumerate(masses))


def objects_that_are_true(x):
    masses = [Mass(value) for value in x]
    total = x[0] if any(masses) else x[1] ** 2
    total += x[1] if all(masses) else x[2] ** 2
    return total * (1.0 + bool(masses[0]) + 2.0 * bool(masses[1]))


def put_in_order(x):
    kept = sorted(x)
    bisect.insort(kept, x[0] * x[1])
    pairs = []
    for value in x:
        bisect.insort_left(pairs, (value, value**2))
    squares = sum(k * square for k, (_, square) in enumerate(pairs))
    return sum(k * value**2 for k, value in enumerate(kept)) + squares


def looked_up_in_order(x):
    inner, outer = np.sort(x), sorted(x)
    k = bisect.bisect(inner, x[3] * 1.2)
    j = bisect.bisect_left(outer, x[3])
    i = bisect.bisect(outer, x[0] * x[1], 1, 3)
    n = bisect.bisect_right(outer, 0.05, key=lambda value: value**2)
    pairs = [(value, value**2) for value in outer]
    m = bisect.bisect_left(pairs, (x[2], 0.0))
    return inner[k - 1] * outer[j] + inner[i] ** 2 * outer[n - 1] + 3.0 * pairs[m][1] + k + m


def merged_in_order(x):
    merged = heapq.merge(sorted(x), sorted(1.7 * x), sorted(0.45 * x))
    backwards = heapq.merge([x[0], x[2]], [x[3]], reverse=True)
    total = sum(k * value**2 for k, value in enumerate(merged))
    return total + sum(k * value for k, value in enumerate(backwards))


def grouped_by_key(x):
    rows = [("a", x[0]), ("a", x[1]), ("b", x[2]), ("a", x[3])]
    groups = itertools.groupby(rows, key=lambda row: row[0])
    total = sum(k * sum(v for _, v in group) ** 2 for k, (_, group) in enumerate(groups))
    for number, group in itertools.groupby(range(4), key=lambda k: k // 2):
        total += (number + 1.0) * sum(x[k] for k in group) ** 3
    return total


OF_ARRAYS = tuple(
    Entry(function, (np.array([0.4, 0.1, 0.3, 0.2]),))
    for function in (
        elements_in_order,
        folded_as_they_are_made,
        told_by_what_it_lacks,
        stacked_numbers,
        elements_in_a_list,
        objects_in_order,
        objects_that_are_true,
        put_in_order,
        looked_up_in_order,
        merged_in_order,
        grouped_by_key,
    )
)
PROGRAMS = OF_ARRAYS + tuple(
    Entry(function, (0.3,))
    for function in (
        last_letter,
        length,
        text,
        items,
        backwards,
        downwards,
        in_order,
        beside_others,
        counted_from_three,
        places_of_a_named_tuple,
        places_of_a_named_tuple_that_is_handed_on,
    )
)
