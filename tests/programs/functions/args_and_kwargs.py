"""*args and **kwargs of what is lowered in place: functions made inside, methods, `__init__`."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


class Options:
    def __init__(self, rate, **more):
        self.rate = rate
        self.__dict__.update(more)
        self.more = more


class Unit(Options):
    def __init__(self, *args, scale=1.5, **more):
        super().__init__(*args, **more)
        self.scale = scale

    def __call__(self, *values):
        total = 0.0
        for value in values:
            total += self.scale * (self.rate * value + self.bias)
        return total


def handed_on_to_the_class_above(u):
    first, second = Unit(u[0], bias=u[1], scale=u[2]), Unit(u[0], bias=u[2] * u[1])
    first.bias = first.bias * 2.0  # what stands in `more` keeps its value
    return first(u[1], u[2]) * second(u[0]) + first.more["bias"]


def more_or_fewer(u):
    def mixed(*parts, **weights):
        args_1 = 3.0
        bias = weights.pop("bias", args_1)
        total = bias * len(parts) + len(weights)
        for place, part in enumerate(parts):
            total = total + (place + 1) * part**2 * weights.get("scale", 1.0)
        return total

    return mixed() + mixed(u[0], bias=u[1]) * mixed(u[2], u[0], scale=u[1])


def what_is_given_is_changed(u):
    def grown(*given):
        given[0][-1] = given[1] * 2.0
        return np.sum(given[0])

    v = u.copy()
    total = grown(v, u[0])
    total += grown(v, v[2])
    return total * np.sum(v**2)


def twice(function):
    def inner(*args, **kwargs):
        return 2.0 * function(*args, **kwargs)

    return inner


def wrapped_inside(u):
    power = twice(lambda v, k=2.0: v**k)
    return power(u[0]) + power(u[1], k=3.0) * u[2]


U = abs(numbers(3)) + 0.1

PROGRAMS = tuple(
    Entry(function, (U,))
    for function in (
        *(handed_on_to_the_class_above, more_or_fewer, what_is_given_is_changed),
        wrapped_inside,
    )
)
