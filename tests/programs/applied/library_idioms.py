"""What libraries of science do: tables of objects, early returns before an integral, trials one after the other.

if c > 4.0: return x * x
def inner(t): return rate * t
return integral(inner, 0.0, x)
"""

from __future__ import annotations

import math
from datetime import datetime

import numpy as np

from tests.programs.entry import Entry


class Sieve:
    __slots__ = ("opening", "wire")

    def __init__(self, opening, wire=None):
        self.opening, self.wire = opening, wire


SIEVES = [Sieve(0.2 * k, 0.05 * k if k % 3 else None) for k in range(8)]
STANDARDS = {"coarse": SIEVES[:3], "fine": SIEVES, "other": [Sieve(0.4), Sieve(0.9)]}


def between(low, high, standard):
    found = []
    for sieve in STANDARDS[standard]:
        if low <= sieve.opening <= high:
            found.append(low * sieve.opening**2)
    return sum(found)


def best_of_a_table(x):
    best = SIEVES[0]
    for sieve in SIEVES:
        if sieve.wire is not None and sieve.opening < x:
            best = sieve
    return x * best.opening


def position(t, x):
    return [x * t, math.sin(x), t]


def scaled_last(moment, x):
    result = position(moment.toordinal(), x)
    result[-1] = result[-1] * 60.0
    return result


def items_of_two_kinds(a, n):
    a, n = map(np.asarray, [a, n])
    r = 0.1
    for _ in range(3):
        r = r * a**n
    return r


def arrays_of_two_kinds(a, u):
    whole, real = (part * 1 for part in [np.arange(3), u * a])
    total = 0.0
    for k in range(3):
        total = total + a * whole[k] * real[k]
    return total


def list_of_two_kinds(a, u):
    parts = [np.arange(3), u * a]
    total = 0.0
    for part in parts:
        total = total + a * np.sum(part * u)
    return total + np.sum(parts[0] * parts[1])


def number_under_two_names(r, q):
    y = q
    z = y
    y += r
    return np.sin(z) * y * r


def _lessened(x, y):
    for _ in range(2):
        y -= np.sin(x)
    return x


def number_handed_over(r, q):
    t = _lessened(r, q)
    return q * t + np.sin(q)


def integral(function, low, high):
    step = (high - low) / 4
    return step * sum(function(low + k * step) for k in range(5))


def integral_after_return(x, c):
    if c > 4.0:
        return x * x
    rate = x * c

    def inner(t):
        return rate * t * t

    if c > 3.0:
        return 2.0 * integral(inner, 0.0, x)
    return integral(inner, 0.0, x)


def two_of_one_name(x, c):
    if c > 4.0:
        k = 2.0 * x

        def inner(t):
            return k * t * t

        return integral(inner, 0.0, x)
    k = x + c

    def inner(t):
        return k * t**3

    return integral(inner, 0.0, x)


def bound_later(x, c):
    if c > 4.0:
        k = 2.0 * x

    def inner(t):
        return k * t * t

    total = integral(inner, 0.0, x) if c > 4.0 else 1.0
    k = 3.0 * x
    return total * x + integral(inner, 0.0, x)


class Settings(dict):
    """A dict whose entries are attributes, as many libraries have one."""

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)


SETTINGS = Settings(gain=2.0, inner=Settings(power=3.0))


def settings_by_default(x, settings=SETTINGS):
    return settings.gain * x**settings.inner.power


def by_choice(x, settings=None):
    settings = settings or SETTINGS
    return settings.gain * x ** settings.inner["power"]


MOMENT = datetime(2020, 6, 6, 7, 10, 57)

PROGRAMS = (
    *(Entry(between, (0.35, 1.07, name), note=name) for name in STANDARDS),
    *(Entry(best_of_a_table, (x,), note=f"{x}") for x in (0.5, 5.0)),
    Entry(
        scaled_last,
        (MOMENT, 0.7),
        wrt=(1,),
        mode="vjp",
        seed=[1.0, 0.5, 2.0],
        like_only=True,
        may_refuse=True,
    ),
    Entry(items_of_two_kinds, (1.3, 3), like_only=True),
    Entry(arrays_of_two_kinds, (1.3, np.array([0.3, -0.4, 0.8])), wrt=(0, 1)),
    Entry(number_under_two_names, (0.7, 0.4)),
    Entry(number_handed_over, (0.7, 0.4)),
    Entry(list_of_two_kinds, (1.3, np.array([0.3, -0.4, 0.8])), wrt=(0, 1)),
    *(
        Entry(function, (1.2, c), wrt=(0, 1), note=f"{c}")
        for function in (integral_after_return, two_of_one_name)
        for c in (2.0, 3.5, 5.0)
    ),
    *(Entry(function, (1.3,)) for function in (settings_by_default, by_choice)),
    *(Entry(bound_later, (1.2, c), may_refuse=True, note=f"{c}") for c in (2.0, 5.0)),
)
