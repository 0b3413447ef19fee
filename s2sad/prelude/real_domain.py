"""The functions of np.emath on the real domain, where they are NumPy's own; beyond it they are complex."""

# mypy: ignore-errors

from typing import Any

import numpy as np


def sqrt(x):
    """Return the square root of numbers that are not negative."""
    return np.sqrt(_not_negative(x))


def log(x):
    """Return the natural logarithm of numbers that are not negative."""
    return np.log(_not_negative(x))


def log2(x):
    """Return the logarithm to base 2 of numbers that are not negative."""
    return np.log2(_not_negative(x))


def log10(x):
    """Return the logarithm to base 10 of numbers that are not negative."""
    return np.log10(_not_negative(x))


def logn(n, x):
    """Return the logarithm to base n of numbers that are not negative."""
    return np.log(_not_negative(x)) / np.log(_not_negative(n))


def power(x, p):
    """Return powers of numbers that are not negative."""
    return np.power(_not_negative(x), p)


def arccos(x):
    """Return the angle whose cosine is x, of numbers from -1 to 1."""
    return np.arccos(_up_to_one(x))


def arcsin(x):
    """Return the angle whose sine is x, of numbers from -1 to 1."""
    return np.arcsin(_up_to_one(x))


def arctanh(x):
    """Return the number whose hyperbolic tangent is x, of numbers from -1 to 1."""
    return np.arctanh(_up_to_one(x))


def _not_negative(x):
    x = np.asarray(x) if isinstance(x, (list, tuple)) else x
    if not np.iscomplexobj(x) and np.any(x < 0):
        raise ValueError("np.emath gives complex numbers below 0: add 0j to what may be below 0")
    return x


def _up_to_one(x):
    x = np.asarray(x) if isinstance(x, (list, tuple)) else x
    if not np.iscomplexobj(x) and np.any(np.abs(x) > 1):
        raise ValueError("np.emath gives complex numbers beyond 1: add 0j to what may be beyond 1")
    return x


OF_EMATH: dict[Any, Any] = {
    getattr(np.emath, own.__name__): own
    for own in (sqrt, log, log2, log10, logn, power, arccos, arcsin, arctanh)
}
