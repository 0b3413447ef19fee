"""What people write in notebooks: pairs in order, running results, generators, timers, property setters."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import time
from collections import namedtuple
from contextlib import contextmanager
from enum import Enum

import numpy as np

from tests.programs.entry import Entry, numbers


class Kind(Enum):
    LINEAR = 1
    CUBIC = 2


def of_a_kind(u, kind=Kind.CUBIC):
    match kind:
        case Kind.LINEAR:
            return np.sum(u)
        case Kind.CUBIC:
            return np.sum(u**3)
    raise ValueError(kind)


def chosen_by_a_member(u):
    return of_a_kind(u) * of_a_kind(u, Kind.LINEAR)


def keyed_by_members(u, a):
    rates = {Kind.LINEAR: {"k": 2.0 * a}, Kind.CUBIC: {"k": a * a}}
    total = np.sum(u * rates[Kind.LINEAR]["k"])
    for kind in Kind:
        total += rates[kind]["k"] ** 2
    return total


def named_tuples_made_inside(u, a):
    Arrow = namedtuple("Arrow", "start end energy")
    Pair = namedtuple("Pair", ["rate", "scale"], defaults=(2.0,))
    total, pair = 0.0, Pair(a)
    for arrow in [Arrow(0, 1, 0.5), Arrow(1, 2, 1.0), Arrow(2, 0, 0.2)]:
        total += u[arrow.start] * u[arrow.end] * np.exp(-arrow.energy * pair.rate)
    return total * pair.scale


def pairs_in_order(u, v):
    pairs = sorted(zip(u, v, strict=True), key=lambda p: p[1])
    rest = sorted(zip(u, v, strict=True), key=operator.itemgetter(0), reverse=True)
    rest.sort(key=lambda p: p[0] * p[1])
    total = sum((i + 1) * a * b for i, (a, b) in enumerate(pairs))
    return total * rest[0][1] + rest[-1][0]


def numbered_from_one(u, v):
    a, b, c = map(float, u[:3])
    total = a * b + c
    for k, (x, y) in enumerate(zip(u, v, strict=True), start=1):
        total = total * 0.5 + x * y / k
    return total


def counted_on_and_on(u):
    total = 1.0
    for k, x in zip(itertools.count(1), u):
        total = total * x + k
    return total


def running_results(u, M):
    total = sum(itertools.accumulate(u, lambda a, b: 0.9 * a + b, initial=0.5))
    products = list(itertools.accumulate(u, operator.mul))
    for x in itertools.chain.from_iterable(M):
        total += x**3
    for x in itertools.takewhile(lambda t: t < 0.9, u):
        total += x * x
    first = functools.reduce(lambda a, b: a * 0.5 + b, u)
    return total * products[-1] + first * sum(x * x for x in itertools.islice(u, 1, None, 2))


def generators_made_inside(u):
    def pairs(w):
        for i in range(len(w)):
            for j in range(i):
                yield i, j, w[i] * w[j]

    def sums(w):
        total = 0.0
        for x in w:
            total += x
            yield total

    def flat(w):
        for x in w:
            yield from (x, x * x)

    first, *_ = sums(u)
    total = sum(x / (i + j + 1) for i, j, x in pairs(u)) * max(flat(u))
    for a, b in zip(sums(u), flat(u), strict=False):
        total += a * b * first
    return total


def generator_that_sees_what_the_loop_changes(u):
    scale = u[0]

    def scaled(w):
        for x in w:
            yield x * scale

    total = 0.0
    for x in scaled(u):
        total += x
        scale = scale * 0.5 + x
    return total


class Polygon:
    def __init__(self, xs, scale):
        self.xs = xs
        self._scale = scale

    def __iter__(self):
        for x in self.xs:
            yield x * self._scale

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        if value < -9.0:
            raise ValueError("too small")
        self._scale = value


def objects_that_yield(u):
    shape = Polygon(u, u[0])
    shape.scale = shape.scale * 2.0
    shape.scale += u[1]
    total = sum(shape) * max(shape) + shape.scale
    for x in shape:
        total += x**2
    a, b, *_ = list(shape)
    return total * a + b


@contextmanager
def timed(label):
    start = time.perf_counter()
    try:
        yield
    finally:
        if time.perf_counter() - start > 1e6:
            print(label)


def watched_and_left_early(u):
    old = np.geterr()
    try:
        np.seterr(all="ignore")
        with timed("sum"):
            total = np.sum(u**2)
        for x in u:
            try:
                if x < 0.0:
                    continue
                total = total * x
            finally:
                total = total * 1.1
        if total > 1e3:
            return total
        return math.sqrt(total * total + 1.0)
    finally:
        np.seterr(**old)


def keys_of_f_strings(u):
    layers = {f"W{i}": u[i] ** 2 for i in range(3)}
    for i in range(3):
        layers[f"b{i:02d}"] = u[i + 1]
    y = 0.3
    for i in range(3):
        y = np.tanh(layers[f"W{i}"] * y + layers[f"b{i:02d}"])
    return y


def interpolated_between_whole_numbers(u, x):
    return np.interp(x + 1.0, np.arange(5), u) ** 2


U, V = numbers(5), numbers(5, start=0.7)
ONE = (counted_on_and_on, objects_that_yield, keys_of_f_strings, watched_and_left_early)

PROGRAMS = (
    *(Entry(function, (U,)) for function in ONE),
    Entry(generators_made_inside, (U,), may_refuse=True),
    Entry(generator_that_sees_what_the_loop_changes, (U,), may_refuse=True),
    Entry(keyed_by_members, (U, 0.7), (0, 1)),
    Entry(named_tuples_made_inside, (U, 0.7), (0, 1)),
    Entry(pairs_in_order, (U, V), (0, 1)),
    Entry(numbered_from_one, (U, V), (0, 1)),
    Entry(running_results, (U, numbers(2, 3)), (0, 1)),
    Entry(interpolated_between_whole_numbers, (U, 0.73), (0, 1)),
)
