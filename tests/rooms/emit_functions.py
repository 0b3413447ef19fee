"""Functions whose texts are looked at word by word."""

import math
from math import sin

import numpy as np
import numpy.linalg as nl

GRAVITY = 9.81
RATES = {"slow": 0.3, "fast": (1, 2)}
SMALL = np.float32(0.1)
WEIGHTS = np.array([0.2, 0.3, 0.5])


def slope(a, k=1.0):
    """Return a slope."""
    return a * math.sin(k * a)


def commented(u, c):
    # the state is not to be changed
    u = u.copy()
    # pylint: disable=all
    flux = (
        c
        * (
            u[1:]  # right
            - u[:-1]
        )
    )  # metres per second
    if c > 0.3:
        # upwind
        u[1:] += flux  # in place
    return np.sum(u**2)


def with_constants(x, t):
    return GRAVITY * x * np.dot(WEIGHTS, t) + slope(x)


def powers_and_slices(u, n):
    total = 0.0
    for i in range(1, n):
        total += u[i] ** 2 + u[i - 1 : i + 1].sum() ** -n - (-(u[0] ** 2)) + n**2
    return total * math.pi


def with_kinds(x, /, scale=2.0, *, power=3):
    return scale * x**power


def own_bars(x, x_bar):
    y = x * x_bar
    return np.sin(y) * y


def both_versions(c, u):
    c = 0.7 * c * c
    return np.sin(c) * u * c


def long_lines(first_argument, second_argument):
    total = np.sum(first_argument * second_argument) + np.sum(first_argument * first_argument)
    return total


def shadowing(x, len):
    total = 0.0
    for i in range(3):
        total += x[i] * len * x[i]
    return total


def quotients(a, b):
    x = a
    for _ in range(3):
        x = 0.5 * (x + a / x) * b
    return x


def counted(x, len):
    total = 0.0
    for value in x:
        total += value * len
    return total


def scaled(x, c):
    return 2.0 * c * x


class Stage:
    """An object that no short text gives."""

    __slots__ = ("factor",)

    def __init__(self, factor):
        self.factor = factor


STAGE = Stage(object())


def with_an_object(x):
    return x if STAGE.factor is x else x * np.float64(hash(STAGE) % 2)


def swung(theta, omega, dt):
    # half a step
    omega = omega - dt * np.sin(theta)
    theta = theta + dt * omega
    return theta


def many_modules(x):
    x = x * sin(RATES["slow"])
    return nl.norm(x) * np.exp(SMALL)


def of_any_lengths(params, x):
    for W in params:
        x = np.tanh(x + W)
    return np.sum(x)


def two_results(x, c):
    return c * x, np.sum(x)
