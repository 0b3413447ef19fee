"""What objects answer, what they are ordered by, and columns of rows."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter

import numpy as np

from tests.programs.entry import Entry, numbers


class Span:
    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi

    def __contains__(self, x):
        return self.lo <= x < self.hi


class Series:
    def __init__(self, c):
        self.c = c

    def __iter__(self):
        return iter(self.c)

    def __len__(self):
        return len(self.c)

    def __getitem__(self, i):
        return self.c[i]

    def __contains__(self, k):
        return k in (1, 2)


class P2:
    def __init__(self, x, y):
        self.x, self.y = x, y


def asked_whether_it_holds(u, s):
    r = Span(-0.5, s)
    t = 0.0
    for q in u:
        if q in r:
            t += q * s
        elif q not in Span(-5.0, 0.9):
            t += q
    return t


def asked_in_a_comprehension(u, s):
    r = Span(-0.5, s)
    return sum(q * s for q in u if q in r)


def asked_for_a_key(u, s):
    q = Series(u)
    t = 0.0
    for c in q:
        t += c * c
    for i in range(len(q)):
        t += q[i] ** 3
    if 1 in q:
        t *= s
    return t


def in_order_of_a_field(u, s):
    ps = [P2(u[i], u[i + 1] * s) for i in range(4)]
    ps.sort(key=attrgetter("x"))
    return ps[0].y * ps[1].x


def gone_through_in_order(u, s):
    ps = [P2(u[i], u[i + 1] * s) for i in range(4)]
    t = 0.0
    for i, p in enumerate(sorted(ps, key=attrgetter("x"))):
        t += p.y * i
    return t


def in_order_of_a_key(u, s):
    ps = [{"x": u[i], "y": u[i + 1] * s} for i in range(4)]
    ps.sort(key=itemgetter("x"))
    return ps[0]["y"] * ps[1]["x"]


def the_largest_two(u, s):
    ps = [P2(u[i], u[i + 1] * s) for i in range(4)]
    best = sorted(ps, key=attrgetter("x"), reverse=True)[:2]
    return sum(b.y for b in best)


def columns_as_arrays(u, s):
    rows = [(q, q * s) for q in u]
    a, b = map(np.array, zip(*rows, strict=False))
    return np.sum(a * b)


def columns_in_a_list(u, s):
    rows = [(q, q * s) for q in u]
    a, b = [np.array(c) for c in zip(*rows, strict=False)]
    return np.sum(a * b)


def columns_one_by_one(u, s):
    rows = []
    for q in u:
        rows.append((q, q * s))
    a, b = (np.array(c) for c in zip(*rows, strict=False))
    return np.sum(a * b)


@dataclass(order=True)
class Task:
    due: float
    cost: float = field(compare=False)


def in_the_order_of_a_dataclass(u, s):
    tasks = sorted([Task(q, q * s) for q in u], reverse=True)
    return sum(task.cost * k for k, task in enumerate(tasks))


def extremes_of_a_dataclass(u, s):
    tasks = [Task(q * q, q * s) for q in u]
    return max(tasks).cost * min(tasks).due


def first_due_so_far(u, s):
    first = None
    for k, q in enumerate(u):
        task = Task(q * s, q * k)
        if first is None or task < first:
            first = task
    return first.cost * first.due


def due_in_turn(u, s):
    queue = []
    for k, q in enumerate(u):
        heapq.heappush(queue, Task(q, q * s + k))
    return heapq.heappop(queue).cost + 3.0 * heapq.heappop(queue).cost


US = (numbers(6), 0.7), (0, 1)

PROGRAMS = tuple(
    Entry(function, *US)
    for function in (
        asked_whether_it_holds,
        asked_in_a_comprehension,
        asked_for_a_key,
        in_order_of_a_field,
        gone_through_in_order,
        in_order_of_a_key,
        the_largest_two,
        columns_as_arrays,
        columns_in_a_list,
        columns_one_by_one,
        in_the_order_of_a_dataclass,
        extremes_of_a_dataclass,
        first_due_so_far,
        due_in_turn,
    )
)
