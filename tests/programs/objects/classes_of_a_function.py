"""Classes that a function defines for itself, and what makes an object anew."""

from __future__ import annotations

from collections import namedtuple
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tests.programs.entry import Entry, numbers


def operators_and_inheritance(u):
    class Pair:
        size = 2

        def __init__(self, a, b):
            self.a, self.b = a, b

        def __add__(self, other):
            return Pair(self.a + other.a, self.b + other.b)

        @property
        def norm(self):
            return np.sqrt(self.a**2 + self.b**2)

    class Scaled(Pair):
        def __init__(self, a, b, scale=1.5):
            super().__init__(a * scale, b)
            self.scale = scale

    total = Pair(u[0], u[1])
    for _ in range(3):
        total = total + Pair(u[2], 0.1)
    return total.norm * Pair.size + Scaled(u[1], u[2]).norm


def steps_of_a_named_tuple(u):
    State = namedtuple("State", ["place", "speed"])
    state = State(u[0], u[1])
    for _ in range(3):
        state = State(state.place + 0.1 * state.speed, state.speed - 0.1 * np.sin(state.place))
    return state.place * state.speed


def a_list_of_them(u):
    @dataclass
    class Body:
        place: float
        speed: float = 0.5
        seen: list = field(default_factory=list)

    first, second = Body(u[0]), Body(u[1], u[2])
    first.seen.append(u[2])
    second.seen.append(u[0])
    bodies = [Body(each) for each in u]
    for body in bodies:
        body.speed -= body.place
        body.place *= body.speed
    return sum(body.place for body in bodies) * sum(first.seen) + second.seen[0] * second.speed


def made_by_a_function_inside(u):
    class Found:
        def __init__(self, value, is_small=True):
            self.value, self.is_small = value, is_small

    def solved(a):
        if a > 0.7:
            return Found(a**2, is_small=False)
        return Found(2.0 * a)

    found, other = solved(u[0]), solved(u[1])
    if found.is_small:
        return found.value * other.value
    return found.value + other.value * solved(u[2]).value


def of_what_it_reads(u):
    rate = u[0] * 2.0

    class Decay:
        def __init__(self, start):
            self.start = start

        def value(self):
            return self.start * rate  # whatever it is by then

    decay = Decay(u[1])
    rate = u[2]
    return decay.value() + rate


@dataclass
class Square:
    side: float
    factor: float = field(default=2.0, init=False)

    def __post_init__(self):
        self.area = self.side**2

    @cached_property
    def scaled(self):
        return self.factor * self.area


def replaced_is_made_again(u):
    square = Square(u[0])
    square.factor = u[1]
    first = square.scaled
    square.factor = u[2]
    other = replace(square, side=u[1] * u[2])
    return first * square.scaled + other.area * other.factor + other.scaled


def a_deep_copy_of_a_list_that_is_held(u):
    p = {"h": [u[0], u[1]], "n": "abc", "k": 3, "z": None}
    q = deepcopy(p)
    q["h"].append(p["h"][1] * q["k"])
    more = q["h"] + [u[0]]
    return sum(more) * len(more) * len(q["n"]) + (p["h"][0] if q["z"] is None else 0.0)


def a_deep_copy_of_what_is_held_twice(u):
    state = {"a": Square(u[0])}
    state["b"] = state["a"]
    other = deepcopy(state)
    other["a"].side = u[1] * 2.0
    return other["b"].side * state["b"].side


class Weighed:
    factor = 0.8

    def __init__(self, w, k=1.5):
        self.w, self.k = w, k

    def __call__(self, x):
        return x + self.w * self.factor


def doubled(kind, times):
    class Doubled(kind):
        def __call__(self, x):
            return super().__call__(x) * times

    return Doubled


def applied(layer, x):
    return layer(x * layer.k)


def handed_to_a_function(u):
    """A function outside calls a method that is known inside alone."""
    p = doubled(Weighed, 2)(u * u[1])
    q = type(p)(u[::-1], u[2])
    return np.sum(applied(p, u) * applied(q, u**2)) + np.sum(p(u)) + np.sum(applied(Weighed(u), u))


U = abs(numbers(3)) + 0.1

PROGRAMS = (
    *(
        Entry(function, (U,))
        for function in (
            *(operators_and_inheritance, steps_of_a_named_tuple, a_list_of_them),
            *(replaced_is_made_again, a_deep_copy_of_what_is_held_twice),
            a_deep_copy_of_a_list_that_is_held,
            *(made_by_a_function_inside, handed_to_a_function),
        )
    ),
    Entry(of_what_it_reads, (U,), may_refuse=True),
)
