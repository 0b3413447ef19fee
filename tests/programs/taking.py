"""Functions as values: methods that are taken from objects, tables and lists of functions."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


class Spring:
    """An object with fields that its methods read and write."""

    def __init__(self, stiffness, kind="soft"):
        self.stiffness = stiffness
        self.force = self.soft if kind == "soft" else self.hard
        if kind == "hard":
            self.force = self.hard

    def soft(self, x):
        return np.tanh(self.stiffness * x)

    def hard(self, x):
        return self.stiffness * x**3

    def pulled(self, x):
        self.stiffness = self.stiffness * 1.5
        return self.stiffness * x

    def settled(self, x):
        step = self.soft
        for _ in range(3):
            x = step(x)
        return x


def newton(residual, x):
    for _ in range(3):
        x = x - 0.1 * residual(x)
    return x


def methods_taken_from_an_object(u):
    spring = Spring(u[0])
    f, g = spring.soft, spring.pulled
    spring.stiffness = spring.stiffness * u[1]
    y = f(u) + g(u)
    return np.sum(newton(spring.soft, y) * f(u) * spring.settled(u))


def methods_kept_in_fields(u):
    soft, hard = Spring(u[0]), Spring(u[1], "hard")
    f = hard.force
    hard.force = soft.soft
    hard.stiffness = u[2]
    return np.sum(soft.force(u) * f(u) + hard.force(u))


def a_method_of_what_a_name_held(u):
    spring = Spring(u[0])
    f = spring.pulled
    spring = Spring(u[1])
    y = f(u)
    for _ in range(3):
        y = f(y) + spring.soft(u)
    return np.sum(y)


def a_method_of_what_a_loop_changes(u):
    spring = Spring(u[0])
    f, y = spring.soft, u
    for _ in range(2):
        spring = Spring(spring.stiffness * u[1])
        y = f(y) + spring.soft(y)
    return np.sum(y)


U = abs(numbers(3)) + 0.1

RIGHT = (methods_taken_from_an_object, methods_kept_in_fields, a_method_of_what_a_name_held)

PROGRAMS = (
    *(Entry(function, (U,)) for function in RIGHT),
    Entry(a_method_of_what_a_loop_changes, (U,), may_refuse=True),
)
