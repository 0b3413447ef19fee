"""Objects whose classes ask what they are given, fields under names in lists, and lists of objects."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry


class Dual:
    def __init__(self, a, b=0.0):
        self.a, self.b = a, b

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.a + other.a, self.b + other.b)

    __radd__ = __add__

    def __mul__(self, other):
        if isinstance(other, (int, float, np.ndarray)):
            return Dual(self.a * other, self.b * other)
        return Dual(self.a * other.a, self.a * other.b + self.b * other.a)

    def __rmul__(self, other):
        return self * other


class Body:
    names = ("x", "v")

    def __init__(self, m, x, v=0.0):
        self.m, self.x, self.v = m, x, v

    @property
    def momentum(self):
        return self.m * self.v

    def scale(self, factor):
        for name in self.names:
            setattr(self, name, factor * getattr(self, name))

    def drift(self, dt):
        self.x += dt * self.v

    def energy(self):
        return 0.5 * self.m * self.v**2 + self.x**2


FIELDS = ("m", "x")


def dual_numbers(x):
    d = Dual(x, 1.0)
    y = 3.0 * d * d + 1.0 + d * x
    return y.a * y.b + (x + d).a


def fields_by_name(x):
    body = Body(2.0, x, x * x)
    total = 0.0
    for name in FIELDS:
        total += getattr(body, name) ** 2
    body.scale(x)
    for name, value in zip(("x", "m"), (x * 3.0, total), strict=True):
        setattr(body, name, getattr(body, name) * value)
    return total + sum(getattr(body, name) for name in ["x", "v", "momentum"])


def fields_of_a_dict(x):
    body = Body(2.0, x, x * x)
    total = sum(vars(body).values())
    for name, value in vars(body).items():
        body.v = body.v * x
        if name != "m":
            total += value * value
    return total


PROGRAMS: tuple[Entry, ...] = tuple(
    Entry(function, (0.7,)) for function in (dual_numbers, fields_by_name, fields_of_a_dict)
)
