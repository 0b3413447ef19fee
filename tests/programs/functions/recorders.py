"""What is handed to a function to record what it is called with: lambdas, methods of lists, objects."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def stepped(f, y, h, n, callback=None):
    t = 0.0
    for _ in range(n):
        y = y + h * f(t, y)
        t += h
        if callback is not None:
            callback(t, y)
    return y


def solved(x, n, seen):
    for _ in range(n):
        x = x - 0.1 * x**3
        seen(x)
    return x


class Solver:
    def __init__(self, f):
        self.f = f

    def run(self, x, n, seen):
        for _ in range(n):
            x = x - 0.1 * self.f(x)
            seen(x)
        return x


def energies(p):
    kept = []

    def rhs(t, u):
        return np.array([u[1], -p[0] * u[0] - p[1] * u[1] + t])

    y = stepped(rhs, np.array([1.0, 0.5]), 0.1, 4, callback=lambda t, y: kept.append(np.sum(y**2)))
    return sum(kept) + y[0]


def states(p):
    kept = []

    def rhs(t, u):
        return np.array([u[1], -p[0] * u[0] - p[1] * u[1] + t])

    y = stepped(rhs, np.array([1.0, 0.5]), 0.1, 4, lambda t, y: kept.append(y))
    return np.sum(np.array(kept) ** 2) + y[0]


def method_of_a_list(x):
    kept = []
    y = solved(x, 4, kept.append)
    return sum(v * v for v in kept) * y


def two_recorders(x):
    first, second = [], []
    y = solved(x, 2, first.append) + solved(x * x, 2, lambda v: second.append(v * x))
    return sum(v**2 for v in first) * sum(second) + y


def recorded_in_a_loop(x):
    kept = []
    for k in range(2):
        solved(x * k, 2, kept.append)
    return sum(v**2 for v in kept) * x


def recorded_in_a_comprehension(x):
    kept = []
    ys = [solved(x * k, 2, kept.append) for k in range(1, 3)]
    return sum(ys) * sum(v * v for v in kept)


def recorded_by_a_method(x):
    kept, more = [], []
    s = Solver(lambda v: v**3)
    y = s.run(x, 3, lambda q: kept.append(q * x)) * Solver(np.sin).run(x, 2, more.append)
    return y * sum(kept) * sum(more)


def recorded_inside(x):
    kept = []
    f = lambda v: solved(v, 2, kept.append)  # noqa: E731
    return f(x) * f(2.0 * x) + sum(kept)


X = 1.3
PROGRAMS = (
    Entry(energies, (numbers(2),)),
    Entry(states, (numbers(2),)),
    *(
        Entry(function, (X,))
        for function in (
            *(method_of_a_list, two_recorders, recorded_in_a_loop, recorded_in_a_comprehension),
            *(recorded_by_a_method, recorded_inside),
        )
    ),
)
