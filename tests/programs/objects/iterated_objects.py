"""Objects that are gone through, of which elements are written, and that are added to in place."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


class Grid:
    def __init__(self, data):
        self.data = data

    def __iter__(self):
        return iter(self.data)

    def __getitem__(self, i):
        return self.data[i]

    def __setitem__(self, i, v):
        self.data[i] = v * 2.0

    def __len__(self):
        return len(self.data)

    def __call__(self, t):
        return self.data * t

    def __add__(self, other):
        return Grid(self.data + other.data)

    def __iadd__(self, other):
        self.data = self.data + 3.0 * other.data
        return self

    def __neg__(self):
        return Grid(-self.data)

    def __mul__(self, s):
        return Grid(self.data * s)


class Turns:
    def __init__(self, u):
        self.u = u

    def __iter__(self):
        yield from self.u


def gone_through_by_asking(u):
    g = Grid(u * u)
    s = 0.0
    for x in g:
        s += x * u[0]
    return s


def gone_through_in_a_generator(u):
    g = Grid(u * u)
    return sum(x * x for x in g)


def changed_while_gone_through(u):
    g = Grid(u * 1.0)
    s = 0.0
    for x in g:
        s += x * x
        g.data = g.data * 2.0
    return s + np.sum(g.data)


def written_while_gone_through(u):
    g = Grid(u * 1.0)
    s = 0.0
    for x in g:
        s += x * x
        g[4] = x
    return s


def left_from_within(u):
    g = Grid(u * 1.0)
    s = 0.0
    for x in g:
        if x > 0.9:
            break
        s += x * x
    return s


def elements_written(u):
    g = Grid(u * u)
    g[0] = u[1] * u[2]
    g[1] += u[3]
    i = 2
    g[i] *= g[0]
    return np.sum(g(2.0) ** 2)


def elements_of_rows(A):
    g = Grid(A * 1.0)
    g[0, 1] = A[1, 1] ** 2
    g[1] += g[0]
    row = g[2]
    g[2, 0] -= A[0, 0]
    return np.sum(g.data**2) + np.sum(row)


def elements_in_a_loop(u):
    g = Grid(np.zeros(5))
    for i in range(len(g)):
        g[i] = u[i] ** 2
        if i > 1:
            g[i] -= g[i - 1]
    return np.sum(g.data**2)


def added_in_place_by_asking(u):
    g = Grid(u)
    h = g
    g += Grid(u * u)
    return np.sum(g.data * h.data)


def multiplied_anew(u):
    g = Grid(u)
    h = g
    g *= 3.0
    return np.sum(g.data * h.data**2)


def added_in_a_loop(u):
    g = Grid(u)
    for _ in range(3):
        g += Grid(np.sin(g.data))
        g *= 0.5
    h = -g
    return np.sum(h.data * g[1])


def yielded(u):
    s = 0.0
    for x in Turns(u * u):
        s += x * u[1]
    return s


def starred_where_they_are_asked(u):
    g = Grid(u * u)
    return [*g, u[3]][1] * max(*g) + sum([*g]) * u[0]


def side_by_side(u):
    g, t = Grid([u[0] * u[1], u[2], u[3]]), Grid(u)
    s = sum(p * q for p, q in zip(g, t, strict=False))
    for i, (p, q) in enumerate(zip(g, g, strict=True)):
        s += i * p * q
    return s + sum(map(np.sin, g)) * u[4]


A, U = numbers(4, 4), numbers(5)
OF_VECTORS = (
    gone_through_by_asking,
    gone_through_in_a_generator,
    changed_while_gone_through,
    left_from_within,
    elements_written,
    elements_in_a_loop,
    added_in_place_by_asking,
    multiplied_anew,
    added_in_a_loop,
    starred_where_they_are_asked,
    side_by_side,
)


def named_or_not(x, how):
    key = how.__name__ if hasattr(how, "__name__") else how
    scale = x if hasattr(x, "__mro__") or hasattr(x, "__qualname__") else 2.0 * x
    return np.sum(scale**2) * (3.0 if key == "hann" else key)


class Multiples:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, i):
        if i >= 3:
            raise IndexError(i)
        return self.x * (i + 1.0)


class Pair:
    def __init__(self, *parts):
        self.parts = parts

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, i):
        return self.parts[i]


def gone_through_by_place(x):
    total = sum(np.sum(v * v) for v in Multiples(x))
    first, second = Pair(x, x * total)
    for i, v in enumerate(Pair(x, second)):
        total = total + np.sum(v * first) * (i + 1)
    return total


PROGRAMS = (
    Entry(gone_through_by_place, (U,)),
    *(Entry(function, (U,)) for function in OF_VECTORS),
    Entry(elements_of_rows, (A,)),
    Entry(written_while_gone_through, (U,), may_refuse=True),
    Entry(yielded, (U,), may_refuse=True),
    Entry(named_or_not, (0.7, 1.5), (0, 1)),
    Entry(named_or_not, (0.7, "hann"), note="text"),
)
