"""`with` of classes that set something when they are entered and left."""

from __future__ import annotations

import contextlib
import math

import numpy as np

from tests.programs.entry import Entry, numbers


class Ctx:
    def __init__(self):
        self.g = 1.0

    def __enter__(self):
        self.g = 2.0
        return self

    def __exit__(self, *a):
        self.g = 0.5
        return False


class Scaled:
    def __init__(self, k):
        self.k = k

    def __enter__(self):
        return self.k

    def __exit__(self, t, v, tb):
        pass


class Stack:
    def __init__(self):
        self.scale = 1.0
        self.old = []

    def __enter__(self):
        self.old.append(self.scale)
        self.scale = self.scale * 0.5
        return self

    def __exit__(self, *exc):
        self.scale = self.old.pop()


class Swallow:
    def __enter__(self):
        return self

    def __exit__(self, *e):
        return True


def ctx(u, s):
    c = Ctx()
    with c:
        y = u[0] * c.g * s
    return y * c.g


def ctx_as(u, s):
    with Ctx() as c:
        y = u[0] * c.g * s
        c.g *= s
        y *= c.g
    return y * c.g


def ctx_value(u, s):
    with Scaled(s) as k:
        y = np.sum(u * k)
    return y**2


def ctx_return(u, s):
    with Scaled(s) as k:
        return np.sum(u * k)


def ctx_loop(u, s):
    c = Ctx()
    t = 0.0
    for q in u:
        with c:
            if q < 0:
                continue
            t += q * c.g * s
        t *= c.g
    return t


def ctx_left(u, s):
    c = Ctx()
    t = 0.0
    for q in u:
        with c:
            if q * s > 0.3:
                break
            t += q * s
    return t * c.g


def ctx_failing(u, s):
    c = Ctx()
    try:
        with c:
            y = math.sqrt(-s)
    except ValueError:
        y = u[0] * s
    return y * c.g


def ctx_stack(u, s):
    k = Stack()
    k.scale = s
    with k:
        y = u[0] * k.scale
        with k:
            y += u[1] * k.scale
    return y * k.scale


def ctx_two(u, s):
    with Scaled(s) as k, Scaled(u[0]) as m:
        y = k * m
    return y * y


def ctx_swallow(u, s):
    y = s
    with Swallow():
        y = u[0] * s
        raise ValueError
    return y


def quiet_value(u, s):
    with np.errstate(all="ignore"):
        if s > 2.0:
            return u[1] * s
        v = u * u
        for q in v:
            if q > 0.5:
                return q * s
    return np.sum(v * s)


def quiet_passes(u, s):
    t = 0.0
    for q in u:
        with np.errstate(over="ignore"):
            if q * s < -0.5:
                continue
            t += q * q * s
            if t > 3.0:
                break
        t *= s
    return t


@contextlib.contextmanager
def quietly():
    old = np.seterr(all="ignore")
    try:
        yield
    finally:
        np.seterr(**old)


def quiet_loop(u, s):
    v = np.zeros(3)
    with quietly():
        for k in range(3):
            if u[k] > 2.0:
                break
            v[k] = u[k] ** 2 * s
        if s > 3.0:
            return s
    return np.sum(v * v)


class Deep:
    def __init__(self, held):
        self.held = held

    def __enter__(self):
        self.held["depth"] += 1

    def __exit__(self, *raised):
        self.held["depth"] -= 1
        self.held["scale"] = self.held["scale"] * 2.0


def counted_ways(u, s):
    held = {"depth": 0, "scale": s}
    y = 0.0
    for k in range(3):
        with Deep(held):
            if k == 1:
                continue
            y = y + held["scale"] * u[k]
    return y * held["scale"] * (held["depth"] + 1)


def noted_in_a_file(u, s):
    with open("/dev/null", "w") as notes:
        notes.write(str(u))
        if len(u) > 2:
            for k in range(len(u)):
                notes.write(f"{k**2}")
    return np.sum(u**2) * s


US = (numbers(6), 0.7), (0, 1)

PROGRAMS = (
    *(
        Entry(function, *US)
        for function in (
            *(ctx, ctx_as, ctx_value, ctx_return, ctx_stack, ctx_two),
            *(quiet_value, quiet_passes, quiet_loop, counted_ways, ctx_loop, ctx_left),
            noted_in_a_file,
        )
    ),
    *(Entry(function, *US, may_refuse=True) for function in (ctx_swallow, ctx_failing)),
)
