"""Functions of the user's that hide those of Python."""

from __future__ import annotations

from tests.names import like_numpy as np


def len(x):
    return x * x


def abs(x):
    return x**3


def max(a, b):
    return a * b


def float(x):
    return x * 2.0


def of_builtins(x):
    return len(x) + abs(x) * max(x, 2.0) + float(x)


def of_numpy(x):
    return np.sin(x) + np.shape(x) + np.zeros_like(x) * np.size(x)


def of_constants(x):
    return np.K * x * np.pi * np.W[1] * x
