"""Lists of objects of which nobody knows how many there are: read, written, kept, and put in order."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tests.programs.entry import Entry, numbers


class Particle:
    def __init__(self, x, v, m=1.5):
        self.x = x
        self.v = v
        self.m = m
        self.f = 0.0

    def kick(self, dt):
        self.v += dt * self.f / self.m

    @property
    def energy(self):
        return 0.5 * self.m * self.v**2


@dataclass
class Body:
    pos: np.ndarray
    mass: float


class Point(NamedTuple):
    x: float
    t: float


def made(u, v):
    return [Particle(a, b) for a, b in zip(u, v, strict=True)]


def pulled_pair_by_pair(u, v):
    ps = made(u, v)
    for i, a in enumerate(ps):
        for b in ps[i + 1 :]:
            d = b.x - a.x
            a.f += d / (d * d + 0.1)
            b.f -= d / (d * d + 0.1)
    for p in ps:
        p.kick(0.3)
        p.x += 0.3 * p.v
    return sum(p.energy for p in ps) + ps[0].x * ps[-1].x


def told_apart_by_identity(u, v):
    ps = made(u, v)
    for a in ps:
        for b in ps:
            if a is b:
                continue
            a.f += b.v * a.x
    ps.sort(key=lambda p: p.x)
    return sum(i * p.f**2 for i, p in enumerate(sorted(ps, key=lambda p: -p.v))) + ps[0].f


def potential(M, m):
    bodies = [Body(pos=row, mass=k) for row, k in zip(M, m, strict=True)]
    energy = 0.0
    for a, b in combinations(bodies, 2):
        energy -= a.mass * b.mass / np.linalg.norm(a.pos - b.pos)
    return energy * len(bodies)


def pairs_of_places_and_pairs_of_objects(M, m):
    """What the two calls of `combinations` list was one memory, of numbers and of objects."""
    bodies = [Body(row.copy(), k) for row, k in zip(M, m, strict=True)]
    for i, j in combinations(range(len(bodies)), 2):
        bodies[i].pos += 0.1 * bodies[j].pos * bodies[i].mass
    return sum(a.mass / np.linalg.norm(a.pos - b.pos) for a, b in combinations(bodies, 2))


def last_of_a_history(x):
    history = [Point(x, 0.0)]
    for k in range(4):
        last = history[-1]
        history.append(Point(last.x + 0.1 * np.sin(last.x), last.t + 0.1 * k))
    return sum(p.x * p.t for p in history[1:]) + history[2].x


def copies_of_what_changes(x):
    state, kept, seen = {"x": x, "v": 1.0}, [], []
    p = Particle(x, 1.0)
    for _ in range(3):
        state["v"] -= 0.1 * state["x"]
        state["x"] += 0.1 * state["v"]
        kept.append(dict(state))
        p.f = -p.x * p.v
        p.kick(0.2)
        seen.append(copy.copy(p))
    return kept[0]["x"] * kept[-1]["v"] * seen[1].v


def made_anew_in_each_step(u, v):
    ps = [Point(a, b) for a, b in zip(u, v, strict=True)]
    for _ in range(2):
        ps = [Point(p.x + 0.1 * p.t, p.t - 0.1 * p.x) for p in ps]
    up = [p for p in ps if p.x > 0.0]
    return sum(p.x * p.t for p in ps) * len(up) + up[0].t


def largest_and_the_one_before(u, v):
    ps = made(u, v)
    best = before = ps[0]
    total = 0.0
    for p in ps[1:]:
        if p.x > best.x:
            best = p
        total += (p.x - before.x) ** 2 * p.v
        before = p
    return total * best.x * best.v * p.x


def taken_off_and_replaced(u, v):
    ps = made(u, v)
    ps[1] = Particle(u[0] * v[1], v[0])
    del ps[0]
    ps[0].x *= 3.0
    total = 1.0
    while len(ps) > 1:
        p = ps.pop()
        total = total * 0.5 + p.x * p.v
    return total * ps[0].x


# right, or refused: the list would hold one object several times, or grow while it is gone through


def one_object_many_times(x):
    kept = []
    p = Particle(x, 1.0)
    for _ in range(3):
        p.f = -p.x
        p.kick(0.1)
        kept.append(p)
    return kept[0].v * kept[-1].v


def grows_while_it_is_gone_through(u):
    ps = [Point(a, 1.0) for a in u]
    for p in ps:
        if len(ps) < 5:
            ps.append(Point(p.x * 2.0, p.t + 1.0))
    return sum(p.x * p.t for p in ps)


def changed_under_another_name(u):
    ps = [Particle(a, a * a) for a in u]
    up = [p for p in ps if p.x > 0.0]
    for p in up:
        p.x *= 2.0
    return sum(p.x**2 for p in ps)


def counts_another_way(u):
    ps = [Point(a, a * a) for a in u]
    total = 0.0
    for i, p in enumerate(ps):
        i = i - 2
        for q in ps[i + 1 :]:
            total += q.x * p.t
    return total


def one_object_at_two_places(u):
    ps = [Particle(a, a * a) for a in u]
    ps[2] = ps[1]
    ps[1].x += u[0]
    return sum(p.x**2 for p in ps)


def handed_back_to_another_place(u):
    ps = [Particle(a, a * a) for a in u]
    ps[0] = moved(ps[1])
    ps[1].x *= 3.0
    return sum(p.x**2 for p in ps)


def moved(p):
    p.x = p.x * 2.0
    return p


def kept_when_it_was_taken_off(u):
    ps = [Particle(a, a * a) for a in u]
    last = ps[-1]
    ps.pop()
    last.x *= 2.0
    return last.x + sum(p.x for p in ps)


@dataclass(frozen=True)
class Vector:
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(k * self.x, k * self.y)


@dataclass
class AtRest:
    place: Vector
    speed: Vector = Vector(0.0, 0.0)

    def kick(self, force, dt):
        self.speed = self.speed + force * dt

    def drift(self, dt):
        self.place = self.place + self.speed * dt


class Resting:
    def __init__(self, place, speed=Vector(0.0, 0.5)):
        self.place, self.speed = place, speed

    kick, drift = AtRest.kick, AtRest.drift


def after_a_step(bodies):
    for b in bodies:
        b.kick(Vector(1.0, b.place.x), 0.1)
    for b in bodies:
        b.drift(0.2)
    return sum(b.place.x * b.speed.y for b in bodies)


def bodies_at_rest_by_default(u, v):
    return after_a_step([AtRest(Vector(a, b)) for a, b in zip(u, v, strict=True)])


def speed_of_a_parameter(u, v):
    return after_a_step([Resting(Vector(a, b)) for a, b in zip(u, v, strict=True)])


U, V = numbers(4), numbers(4, start=0.7)
PAIRS = (pulled_pair_by_pair, told_apart_by_identity, made_anew_in_each_step)
MAY_REFUSE = (
    *(grows_while_it_is_gone_through, changed_under_another_name, counts_another_way),
    *(one_object_at_two_places, handed_back_to_another_place, kept_when_it_was_taken_off),
)

PROGRAMS = (
    *(Entry(function, (U, V), wrt=(0, 1)) for function in PAIRS),
    *(Entry(f, (U, V), wrt=(0, 1)) for f in (bodies_at_rest_by_default, speed_of_a_parameter)),
    Entry(largest_and_the_one_before, (U, V), wrt=(0, 1)),
    Entry(taken_off_and_replaced, (U, V), wrt=(0, 1)),
    Entry(potential, (numbers(4, 3), V), wrt=(0, 1)),
    Entry(pairs_of_places_and_pairs_of_objects, (numbers(4, 3), V), wrt=(0, 1)),
    Entry(last_of_a_history, (0.7,)),
    Entry(copies_of_what_changes, (0.7,)),
    Entry(one_object_many_times, (0.7,), may_refuse=True),
    *(Entry(function, (U,), may_refuse=True) for function in MAY_REFUSE),
)
