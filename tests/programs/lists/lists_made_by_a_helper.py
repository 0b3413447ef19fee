"""Lists of objects that a helper makes."""

from __future__ import annotations

from tests.programs.entry import Entry, numbers


class Part:
    def __init__(self, x, v, m):
        self.x, self.v, self.m = x, v, m


def _mk(u, s):
    return [Part(u[0], u[1], 1.0), Part(s, u[2], 2.0)]


def _made_with_names(u, s):
    a, b = Part(u[0], u[1], 1.0), Part(s, u[2], 2.0)
    return [a, b]


def _made_as_a_tuple(u, s):
    return Part(u[0], u[1], 1.0), Part(s, u[2], 2.0)


def _made_that_appends(u, n):
    out = []
    for i in range(n):
        out.append(Part(u[i], u[i + 1], 1.0))
    return out


def _of_a_comprehension_in_a_helper(u, n):
    return [Part(u[i], u[i + 1], 1.0) for i in range(n)]


class Sim:
    def __init__(self, u, s):
        self.ps = _mk(u, s)
        self.t = 0.0

    def step(self, dt):
        for p in self.ps:
            p.x = p.x + p.v * dt
        self.t += dt
        return self

    def energy(self):
        return sum(p.x * p.v for p in self.ps)


def of_a_helper(u, s):
    ps = _mk(u, s)
    for p in ps:
        p.x = p.x + p.v * s
    return sum(p.x * p.v for p in ps)


def of_a_helper_with_names(u, s):
    ps = _made_with_names(u, s)
    for p in ps:
        p.x = p.x + p.v * s
    return sum(p.x * p.v for p in ps)


def of_a_helper_as_a_tuple(u, s):
    a, b = _made_as_a_tuple(u, s)
    a.x += b.v
    return a.x * b.x


def of_a_helper_that_appends(u, s):
    ps = _made_that_appends(u, 3)
    for p in ps:
        p.x = p.x + p.v * s
    return sum(p.x * p.v for p in ps)


def of_a_comprehension_in_a_helper(u, s):
    ps = _of_a_comprehension_in_a_helper(u, 3)
    for p in ps:
        p.x = p.x + p.v * s
    return sum(p.x * p.v for p in ps)


def kept_by_an_object(u, s):
    sim = Sim(u, s)
    for _ in range(2):
        sim.step(s)
    return sim.energy() * sim.t


def taken_apart(u, s):
    a, b = _mk(u, s)
    a.x += b.v
    return a.x * b.x


US = (numbers(6), 0.7), (0, 1)

PROGRAMS = tuple(
    Entry(function, *US)
    for function in (
        of_a_helper,
        of_a_helper_with_names,
        of_a_helper_as_a_tuple,
        of_a_helper_that_appends,
        of_a_comprehension_in_a_helper,
        kept_by_an_object,
        taken_apart,
    )
)
