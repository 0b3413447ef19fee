"""A residual of which a fit wants the Jacobian."""

import numpy as np


def residual(m, t, d):
    """A sum of two decays against data: m holds two amplitudes and two rates."""
    return m[0] * np.exp(-m[1] * t) + m[2] * np.exp(-m[3] * t) - d


residual_example = (np.array([1.0, 0.5, 0.3, 2.0]), np.linspace(0, 3, 9), np.ones(9))
