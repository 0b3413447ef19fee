"""Kernels by their structure: recursion, a fallback, an object that is stepped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def recursive_quadrature(a, b, depth):
    """Simpson's rule on halves of halves, by recursion."""
    middle = 0.5 * (a + b)
    if depth == 0:
        return (b - a) / 6.0 * (np.exp(-a * a) + 4.0 * np.exp(-middle * middle) + np.exp(-b * b))
    left = recursive_quadrature(a, middle, depth - 1)
    return left + recursive_quadrature(middle, b, depth - 1)


def guarded_root(x):
    """A square root that falls back where there is none."""
    try:
        y = np.sqrt(x) * x
    except FloatingPointError:
        y = 0.0
    return np.sum(y)


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


CASES: dict[Callable[..., Any], Callable[[np.random.Generator], tuple[Any, ...]]] = {
    recursive_quadrature: lambda g: (0.1, 1.2, 2),
    guarded_root: lambda g: (g.uniform(0.5, 1.5, 3),),
    stepped_object: lambda g: (0.4, 0.3, 2.0, 0.1),
}
