"""Named tuples and dicts that are only read are gone through as sequences, and loops over them left."""

from __future__ import annotations

import functools
import itertools
import math
from collections import namedtuple
from typing import Any

import numpy as np

from tests.programs.entry import Entry

Three = namedtuple("Three", "p q r")


class Backwards(namedtuple("Backwards", "p q")):
    """A named tuple that is gone through from its end."""

    def __iter__(self) -> Any:
        return iter((self[1], self[0]))


def three(x):
    return Three(x, x * x, 0.5)


def weighed(x):
    return {"b": x, "a": x * x, "c": 2.0}


def line(a, b, c=2.0):
    return a * b + c


def summed_fields(x):
    v = three(x)
    return sum(v, 1.0) * max(*v, 1.0) - min(*v, x**3)


def counted_from_two(x):
    v = three(x)
    return sum(each * k for k, each in enumerate(v, 2))


def fields_from_behind(x):
    v = three(x)
    return sum(each * k for k, each in enumerate(reversed(v)))


def paired(x):
    v = three(x)
    return sum(a * b for a, b in itertools.combinations(v, 2)) + sum(
        a - 2 * b for a, b in itertools.pairwise(v)
    )


def piled_up(x):
    v = three(x)
    total = list(itertools.accumulate(v, initial=2.0))[2]
    return total * functools.reduce(lambda a, b: 0.5 * a + b, v, 3.0)


def spread_fields(x):
    v = three(x)
    return line(*v) * [*v, 2.0][-1] * [2.0, *v][1]


def asked(x):
    v = three(x)
    if any(each > 0.4 for each in v) and all(each > 0.01 for each in v):
        return next(each for each in v if each > 0.4) * next(iter(v)) * x
    return 0.0


def by_place(x):
    v, s = three(x), 0.0
    for i in range(len(v)):
        s += v[i] * i
    return s * v[len(v) - 1]


def ordered(x):
    v = three(x)
    return sorted(v, key=lambda each: -each)[0] * tuple(v)[1] * list(v)[2]


def its_own_way_of_going_through(x):
    s = 0.1
    for each in Backwards(x, x * x):
        s = 0.5 * s + each
    return s


def left_at_the_first(x):
    y = 0.0
    for key, value in weighed(x).items():
        if key != "b" and value > 0.01:
            y = value * 2.0
            break
    return y + x


def left_before_the_end(x):
    d, s = weighed(x), 0.0
    for key in d:
        if d[key] > 1.0:
            s += 3.0 * d[key]
            break
        s += d[key]
        if key == "zz":
            break
    return s


def first_that_fits(x):
    d = weighed(x)
    return next(v for v in d.values() if v < x) * d[next(iter(d))]


def keys_that_are_made(x):
    v = three(x)
    placed = {2 * k: each for k, each in enumerate(v, 1)}
    loud = {k.upper(): each for k, each in weighed(x).items()}
    return placed[6] * loud["A"]


def keys_that_are_counted(x):
    d = weighed(x)
    return sum(d[k] * i for i, k in enumerate(d, 2)) + d[max(d, key=d.get)]


def keys_beside_others(x):
    d = weighed(x)
    return sum(d[k] * w for k, w in zip(d, (1.0, 2.0, 3.0), strict=True))


def lengths_of_it(x):
    v = three(x)
    return math.hypot(*v) * np.linalg.norm(v) * np.dot(v, v)


def handed_on(v, x):
    s = 0.0
    for k, each in enumerate(v, start=1):
        s += each * k
        if s > 10.0:
            break
    return s * max(v) * x


def in_a_helper(x):
    return handed_on(three(x), x)


def a_text_from_behind(x):
    d, s = {"a": x, "b": x * x}, 0.1
    for letter in reversed("ab"):
        s = 0.5 * s + d[letter]
    return s


def sum_of_an_argument(d):
    return sum(d.values()) * max(d.values()) * len(d)


def counted_in_an_argument(d):
    return sum(i * v**2 for i, v in enumerate(d.values(), 1))


def array_of_an_argument(d):
    return np.sum(np.array(list(d.values())) ** 3)


def parts_of_an_argument(d):
    a, b = d.values()
    return a * b**2


PARAMS = {"k": 0.3, "a": 0.7}

PROGRAMS = (
    *(
        Entry(function, (0.3,))
        for function in (
            summed_fields,
            counted_from_two,
            fields_from_behind,
            paired,
            piled_up,
            spread_fields,
            asked,
            by_place,
            ordered,
            left_at_the_first,
            left_before_the_end,
            first_that_fits,
            keys_that_are_made,
            keys_that_are_counted,
            keys_beside_others,
            in_a_helper,
            a_text_from_behind,
        )
    ),
    *(
        Entry(function, (PARAMS,), like_only=True)
        for function in (
            sum_of_an_argument,
            counted_in_an_argument,
            array_of_an_argument,
            parts_of_an_argument,
        )
    ),
    Entry(lengths_of_it, (0.3,), may_refuse=True),
    Entry(its_own_way_of_going_through, (0.3,), may_refuse=True),
)
