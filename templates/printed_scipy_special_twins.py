"""Twins of SciPy's special functions."""

import numpy as np


def _hurwitz_zeta(x, q):
    """Twin of scipy.special.zeta(x, q): a sum, and what is left of it."""
    found = 0.0
    for k in range(12):
        found = found + (q + k) ** (-x)
    last = q + 12.0
    found = found + last ** (1.0 - x) / (x - 1.0) + 0.5 * last ** (-x)
    term = x * last ** (-x - 1.0)
    over = (12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1307674368000.0 / 691.0)
    for k in range(6):
        found = found + term / over[k]
        rising = (x + 2.0 * k + 1.0) * (x + 2.0 * k + 2.0)
        term = term * rising / last**2
    return found
