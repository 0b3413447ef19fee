"""Functions that the tests show, with example arguments."""

from __future__ import annotations

import numpy as np


def misfit(W, m, d, steps):
    """Half the squared misfit."""
    u = np.tanh(W @ m)
    w = np.zeros_like(u)
    for _ in range(steps):
        w[1:] += 0.1 * u[:-1] * w[1:]
        u = u + np.sin(w) * 0.5
    r = u - d
    return 0.5 * np.sum(r**2)


def misfit_example():
    rng = np.random.default_rng(0)
    return rng.normal(size=(6, 4)), rng.normal(size=4), rng.normal(size=6), 5


def heat(u, nu, steps):
    # explicit Euler
    for _ in range(steps):
        flux = nu * (u[1:] - u[:-1])
        u = u.copy()
        u[1:-1] += flux[1:] - flux[:-1]
    return np.sum(u * u)


HEAT = (np.linspace(0.0, 1.0, 9) ** 2, 0.1, 7)
