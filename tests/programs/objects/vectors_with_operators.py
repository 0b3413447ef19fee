"""Fields that are objects with operators of their own, in bodies that stand in lists."""

from __future__ import annotations

import math

from tests.programs.entry import Entry, numbers


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __rmul__(self, k):
        return self * k

    def __truediv__(self, k):
        return Vec(self.x / k, self.y / k)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __abs__(self):
        return math.sqrt(self @ self)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __iter__(self):
        return iter((self.x, self.y))

    def __len__(self):
        return 2

    def __eq__(self, o):
        return self.x == o.x and self.y == o.y

    def __call__(self, t):
        return self.x + self.y * t

    def dot(self, o):
        return self.x * o.x + self.y * o.y


class IVec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y
        return self

    def __imul__(self, k):
        self.x *= k
        self.y *= k
        return self

    def __sub__(self, o):
        return IVec(self.x - o.x, self.y - o.y)

    def scaled(self, k):
        return IVec(self.x * k, self.y * k)


class Part:
    def __init__(self, x, v, m):
        self.x, self.v, self.m = x, v, m


class World:
    def __init__(self, ps):
        self.ps = ps
        self.com = Vec(0.0, 0.0)

    def step(self, dt):
        for p in self.ps:
            p.x += p.v * dt
            self.com += p.x * p.m
        for i in range(len(self.ps)):
            for j in range(i + 1, len(self.ps)):
                a, b = self.ps[i], self.ps[j]
                d = b.x - a.x
                f = d * (dt / (0.1 + d @ d) ** 1.5)
                a.v += f * b.m
                b.v -= f * a.m


class Acc:
    total = 0.0

    def add(self, x):
        self.total += x
        return self


def field_iadd(u, s):
    p = Part(Vec(u[0], u[1]), Vec(u[2], u[3]), 1.0)
    for _k in range(3):
        p.x += p.v * s
        p.v += p.x * (-0.1)
    return p.x.x * p.v.y


def field_iadd_own(u, s):
    p = Part(IVec(u[0], u[1]), IVec(u[2], u[3]), 1.0)
    for _k in range(3):
        p.x += p.v.scaled(s)
        p.v += p.x.scaled(-0.1)
        p.x *= 0.9
    return p.x.x * p.v.y


def field_iadd_new(u, s):
    p = Part(Vec(u[0], u[1]), Vec(u[2], u[3]), 1.0)
    for _k in range(3):
        p.x += Vec(s, u[4])
        p.x -= Vec(p.v.y, 0.1)
    return p.x.x * p.x.y


def field_world(u, s):
    w = World(
        [
            Part(Vec(u[0], u[1]), Vec(u[2], u[3]), 1.0),
            Part(Vec(u[2], u[4]), Vec(s, u[5]), 2.0),
            Part(Vec(s, 0.1), Vec(0.2, u[0]), 0.5),
        ]
    )
    for _ in range(2):
        w.step(0.1 * s)
    return w.com @ w.ps[1].v + w.ps[0].x.x


def field_dict(u, s):
    d = {"x": Vec(u[0], u[1]), "v": Vec(s, u[2])}
    for _ in range(3):
        d["x"] += d["v"] * 0.1
        d["v"] -= d["x"] * s
    return d["x"] @ d["v"]


def field_list(u, s):
    d = [Vec(u[0], u[1]), Vec(s, u[2])]
    for _ in range(3):
        d[0] += d[1] * 0.1
        d[1] -= d[0] * s
    return d[0] @ d[1]


def field_alias(u, s):
    v = IVec(u[0], u[1])
    p = Part(v, v, 1.0)
    p.x += IVec(s, u[2])
    return p.v.x * v.y * p.x.x


def field_alias_new(u, s):
    v = Vec(u[0], u[1])
    p = Part(v, v, 1.0)
    p.x += Vec(s, u[2])
    return p.v.x * v.y * p.x.x


def field_branch(u, s):
    p = Part(Vec(u[0], u[1]), Vec(u[2], u[3]), 1.0)
    for _k in range(4):
        if p.x.x > 0.1:
            p.x += p.v * s
        else:
            p.v -= p.x * s
    return p.x @ p.v


def field_nested(u, s):
    q = Part(Part(Vec(u[0], u[1]), Vec(u[2], u[3]), 1.0), Vec(s, s), 2.0)
    for _ in range(2):
        q.x.x += q.v * s
        q.x.v *= s
        q.v += q.x.x
    return q.x.x @ q.v + q.x.v.y


def bodies_field_iadd(u, s):
    ps = [Part(Vec(u[0], u[1]), Vec(u[2], u[3]), 1.0), Part(Vec(u[2], u[4]), Vec(s, u[5]), 2.0)]
    for _k in range(3):
        for p in ps:
            p.x += p.v * s
            p.v += p.x * (-0.1 / p.m)
    return ps[0].x.x * ps[1].v.y


def sun_and_earth(u, s):
    sun = Part(Vec(0.0, 0.0), Vec(u[0], u[1]), 1.0)
    earth = Part(Vec(s, u[2]), Vec(u[3], u[4]), 0.1)
    bodies = [sun, earth]
    sun.v += Vec(0.1, s)
    for _k in range(3):
        for b in bodies:
            b.x += b.v * 0.1
    return sun.x.x * earth.x.y + bodies[0].v.y


def fluent(u, s):
    a = Acc()
    a.add(u[0]).add(s).add(u[1] * s)
    return a.total**2


US = (numbers(6), 0.7), (0, 1)

PROGRAMS = tuple(
    Entry(function, *US)
    for function in (
        field_iadd,
        field_iadd_own,
        field_iadd_new,
        field_world,
        field_dict,
        field_list,
        field_alias,
        field_alias_new,
        field_branch,
        field_nested,
        bodies_field_iadd,
        sun_and_earth,
        fluent,
    )
)
