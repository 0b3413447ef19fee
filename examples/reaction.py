"""A reaction that diffuses on a ring, and how far it is from what was measured."""

import numpy as np


def misfit(u, v, F, k, d):
    for _ in range(100):
        lap_u = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
        lap_v = np.roll(v, 1) - 2.0 * v + np.roll(v, -1)
        r = u * v**2
        u = u + 0.2 * lap_u - r + F * (1.0 - u)
        v = v + 0.1 * lap_v + r - (F + k) * v
    return np.sum((v - d) ** 2)


misfit_example = (np.ones(64), np.linspace(0.0, 0.5, 64), 0.03, 0.06, np.zeros(64))
