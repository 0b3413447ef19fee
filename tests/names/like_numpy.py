"""A module of the user's, imported as np, whose functions are called like NumPy's."""

from __future__ import annotations

K = 2.5
pi = 3.0
W = [1.0, 2.0]


def sin(x):
    return x * x * x


def shape(x):
    return x * 2.0


def zeros_like(x):
    return x * 5.0


def size(x):
    return x * x
