"""What a class holds is changed: objects are counted and numbered, and what they share is read through them."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


class Body:
    """Numbered and named by how many there are; nothing that is computed asks."""

    count = 0

    def __init__(self, mass):
        Body.count += 1
        self.number, self.mass = Body.count, mass
        self.name = f"body {self.number}"

    def energy(self, v):
        return 0.5 * self.mass * v**2


def numbered_bodies(u):
    bodies = [Body(x) for x in u]
    bodies.append(Body(u[0] * u[1]))
    pair = [Body(u[2]), Body(2.0)]
    return sum(b.energy(u[1]) for b in bodies) + pair[0].mass * pair[1].energy(u[0])


def numbers_begun_anew(u):
    Body.count = 0
    bodies = [Body(x) for x in u]
    return sum(b.mass * b.number for b in bodies) * Body.count


class Medium:
    """Objects share a speed, which class and objects are asked for."""

    speed = 1.0
    passes = 0

    def __init__(self, length):
        self.length = length

    @property
    def time(self):
        return self.length / self.speed

    @classmethod
    def warm(cls, factor):
        cls.speed = cls.speed * factor
        type(cls(1.0)).passes += 1

    @staticmethod
    def square():
        return Medium.speed**2


class Layer(Medium):
    """Asks the class above."""

    def cost(self):
        return super().time * self.speed * getattr(self, "passes")  # noqa: B009


PLACED = Medium(3.0)


def shared_through_a_class(u):
    Medium.speed, Medium.passes = u[0], 0
    layer, first = Layer(u[1]), Medium(u[2])
    total = first.time
    for x in u:
        Medium.warm(1.0 + x * x)
        total += layer.cost() * x + PLACED.time
    before = Medium.speed
    Medium.speed = 2.0
    return total * Medium.square() + sum(m.time for m in (layer, first)) * before


class Vacuum:
    """Has a speed of its own."""

    speed = 4.0

    def __init__(self, length):
        self.length = length


def given_to_one_of_two_classes(u):
    Medium.speed = u[0]
    parts = [Medium(u[1]), Vacuum(u[2])]
    return sum(part.length / part.speed for part in parts)


class Found:
    """Keeps what was computed first for all objects."""

    kept = None

    def __init__(self, x):
        self.x = x

    def value(self):
        if Found.kept is None:
            Found.kept = np.sin(self.x)
        return Found.kept


def computed_once_for_all(u):
    Found.kept = None
    return Found(u[0]).value() * Found(u[1]).value() * u[2]


U = abs(numbers(4)) + 0.2
PROGRAMS = tuple(
    Entry(function, (U,))
    for function in (
        *(numbered_bodies, numbers_begun_anew, shared_through_a_class),
        computed_once_for_all,
        given_to_one_of_two_classes,
    )
)
