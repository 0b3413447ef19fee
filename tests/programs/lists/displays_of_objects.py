"""Objects in a display are gone through like any list of objects, by whatever index."""

from __future__ import annotations

import itertools
from collections import namedtuple
from dataclasses import dataclass

import numpy as np

from tests.programs.entry import Entry, numbers

Spring = namedtuple("Spring", "x m")


@dataclass
class Body:
    x: float
    m: float


def two_indices(a):
    bodies = [Body(0.0, a), Body(1.0, a * a)]
    s = 0.0
    for i in range(2):
        for j in range(i):
            s += bodies[i].x * bodies[j].m
    return s


def the_rest(a):
    bodies = [Body(0.5, a), Body(1.0, a * a), Body(a, 2.0)]
    s = 0.0
    for i, p in enumerate(bodies):
        for q in bodies[i + 1 :]:
            s += p.m * q.m * (p.x - q.x)
    return s


def pairs(a):
    bodies = [Body(0.0, a), Body(1.0, a * a), Body(a, 2.0)]
    s = 0.0
    for p, q in itertools.combinations(bodies, 2):
        s += p.m * q.m
    return s


def counted_from_elsewhere(a):
    bodies = [Body(a, 1.0), Body(a * a, 2.0)]
    s = 0.0
    for i, p in enumerate(bodies, start=1):
        s += i * p.x * p.m
    for i, p in enumerate(bodies, 5):
        s += i * p.x
    return s


def by_mass(a):
    bodies = [Body(a, 3.0), Body(a * a, 2.0), Body(2 * a, 1.0)]
    s = 0.0
    for p in sorted(bodies, key=lambda p: p.m):
        s = 0.5 * s + p.x
    return s


def handed_on(bodies):
    s = 0.0
    for p in sorted(bodies, key=lambda p: -p.m):
        s = 0.5 * s + p.x
    return s


def displays_that_are_handed_on(a):
    springs = handed_on([Spring(a, 3.0), Spring(a * a, 2.0), Spring(2 * a, 4.0)])
    return springs * handed_on((Body(a, 3.0), Body(a * a, 5.0)))


def heaviest(a):
    bodies = [Body(a, 3.0), Body(a * a, 2.0)]
    best = max(bodies, key=lambda p: p.m)
    return best.x


def fields_written_to(a):
    bodies = [Body(a, 1.0), Body(a * a, 2.0)]
    for _ in range(3):
        for i in range(2):
            for j in range(2):
                if i != j:
                    bodies[i].x += 0.1 * bodies[j].m * (bodies[j].x - bodies[i].x)
    return bodies[0].x * bodies[1].x


def arrays_written_to(u):
    bodies = [Body(u.copy(), 1.0), Body(2.0 * u, 2.0)]
    for i in range(2):
        bodies[i].x[0] += bodies[1 - i].x[1]
        bodies[i].x *= bodies[1 - i].m
    return np.sum(bodies[0].x * bodies[1].x)


ONE = (0.7,)

PROGRAMS = (
    Entry(two_indices, ONE),
    Entry(the_rest, ONE),
    Entry(pairs, ONE),
    Entry(counted_from_elsewhere, ONE),
    Entry(by_mass, ONE),
    Entry(displays_that_are_handed_on, ONE, may_refuse=True),
    Entry(heaviest, ONE),
    Entry(fields_written_to, ONE),
    Entry(arrays_written_to, (numbers(3),)),
)
