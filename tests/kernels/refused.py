"""Kernels that are refused today, each with a part of what the error says.

A kernel that starts to go through moves to the tables of the others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np


def complex_contour(coefficients, radius, points):
    """Residues by the trapezoidal rule around a circle, in complex numbers."""
    angle = 2.0 * np.pi * np.arange(points) / points
    z = radius * np.exp(1j * angle)
    return np.abs(np.mean(z / np.polyval(coefficients, z))) ** 2


def recursive_quadrature(a, b, depth):
    """Simpson's rule on halves of halves, by recursion."""
    middle = 0.5 * (a + b)
    if depth == 0:
        return (b - a) / 6.0 * (np.exp(-a * a) + 4.0 * np.exp(-middle * middle) + np.exp(-b * b))
    left = recursive_quadrature(a, middle, depth - 1)
    return left + recursive_quadrature(middle, b, depth - 1)


def folded_product(factors):
    """The product of a list of matrices, folded."""
    return np.sum(functools.reduce(np.dot, factors))


def guarded_root(x):
    """A square root that falls back where there is none."""
    try:
        y = np.sqrt(x) * x
    except FloatingPointError:
        y = 0.0
    return np.sum(y)


def energy_of_all(springs, x):
    """The energy of springs, summed by a generator."""
    return sum(0.5 * k * (x - rest) ** 2 for k, rest in springs)


class Oscillator:
    """A state with a method that steps it."""

    def __init__(self, x, v):
        self.x, self.v = x, v

    def step(self, k, dt):
        """Advance by symplectic Euler."""
        self.v -= dt * k * self.x
        self.x += dt * self.v


def stepped_object(x, v, k, dt):
    """An oscillator as an object whose state is stepped."""
    body = Oscillator(x, v)
    for _ in range(3):
        body.step(k, dt)
    return body.x * body.v


CASES: dict[Callable[..., Any], tuple[str, Callable[[np.random.Generator], tuple[Any, ...]]]] = {
    complex_contour: ("complex numbers", lambda g: (g.uniform(0.5, 1.5, 4), 2.5, 6)),
    recursive_quadrature: ("calls itself", lambda g: (0.1, 1.2, 2)),
    folded_product: (
        "functools.reduce",
        lambda g: ([g.standard_normal((2, 2)) for _ in range(3)],),
    ),
    guarded_root: ("this Try", lambda g: (g.uniform(0.5, 1.5, 3),)),
    energy_of_all: ("GeneratorExp", lambda g: ([(1.0, 0.2), (0.7, -0.1)], 0.3)),
    stepped_object: ("Oscillator", lambda g: (0.4, 0.3, 2.0, 0.1)),
}
