"""Objects that a pass of a loop makes and a `return` in that loop reads: what was looked for is found."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np

from tests.programs.entry import Entry, numbers

Vec = namedtuple("Vec", "x y")


@dataclass
class Part:
    pos: float
    vel: float


def the_first_that_will_do(u, x):
    for v in u:
        p = Part(v * x, v)
        if v > 0.2:
            return p.pos * p.vel
    return x


def a_named_tuple_that_will_do(u, x):
    for v in u:
        p = Vec(v * x, v)
        if v > 0.2:
            return p.x * p.y
    return x


def a_dict_that_will_do(u, x):
    for v in u:
        p = {"a": v * x, "b": v}
        p["a"] += x
        if p["a"] > 0.1:
            return p["a"] * p["b"]
    return x


def an_array_that_will_do(u, x):
    for i in range(4):
        p = Part(u[i : i + 2] * x, u[i])
        p.pos[0] += x
        if p.vel > 0.1:
            return np.sum(p.pos**2) * p.vel
    return x


def found_in_an_inner_loop(u, x):
    for i in range(3):
        q = Part(u[i], x)
        for j in range(3):
            p = Part(u[j] * q.vel, q.pos)
            if p.pos > 0.1:
                return p.pos * q.pos + p.vel * j
    return x * u[0]


def in_a_while_that_never_ends(u, x):
    i = 0
    while True:
        p = Part(u[i] * x, u[i])
        i += 1
        if i == 5 or p.pos > 0.3:
            return p.pos * p.vel


def not_the_first(u, x):
    prev = None
    for v in u:
        p = Part(v * x, v)
        if v > 0.2 and prev is not None:
            return p.pos * p.vel
        prev = p
    return x


def beside_the_one_before(u, x):
    prev = None
    for v in u:
        p = Part(v * x, v)
        if prev is not None and p.pos < prev.pos:
            return prev.pos * p.vel
        prev = p
    return prev.vel * x


def beside_the_best(u, x):
    best = Part(x, x)
    for v in u:
        p = Part(v * x, v)
        if p.pos > best.pos:
            best = p
        best.vel += x
        if best.vel > 1.5:
            return p.vel * best.pos
    return best.pos * best.vel


def found_by_a_helper(u, x):
    def find(u, c):
        for v in u:
            p = Part(v * x, v)
            if p.vel > c:
                return p.pos * p.vel
        return x

    return find(u, 0.1) + find(u[::-1], 0.5)


RIGHT = (
    the_first_that_will_do,
    a_named_tuple_that_will_do,
    a_dict_that_will_do,
    an_array_that_will_do,
    found_in_an_inner_loop,
    in_a_while_that_never_ends,
    not_the_first,
    found_by_a_helper,
)
REFUSED = (beside_the_one_before, beside_the_best)
PROGRAMS = tuple(
    Entry(function, (sign * numbers(6), 0.7), (0, 1), note=note, may_refuse=function in REFUSED)
    for function in (*RIGHT, *REFUSED)
    for sign, note in ((1.0, ""), (-1.0, "other"))
)
