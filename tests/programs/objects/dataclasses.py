"""Dataclasses as dicts and tuples, by the names of their fields, and made with InitVar."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import InitVar, asdict, astuple, dataclass, field, fields
from typing import NamedTuple

import numpy as np

from tests.programs.entry import Entry, numbers


@dataclass
class Pt:
    x: float
    y: float = 1.0


class Kind(enum.Enum):
    NEAR = 1
    FAR = 2


@dataclass
class Kept:
    x: float
    kind: Kind = Kind.NEAR


@dataclass
class In:
    p: Pt
    arr: np.ndarray
    d: dict = field(default_factory=dict)


@dataclass
class Vd:
    x: float
    y: float

    def __add__(self, o):
        return Vd(*(a + b for a, b in zip(astuple(self), astuple(o), strict=False)))

    def __mul__(self, k):
        return Vd(*[a * k for a in astuple(self)])

    def dot(self, o):
        return sum(a * b for a, b in zip(astuple(self), astuple(o), strict=False))


@dataclass
class Ini:
    a: float
    k: InitVar[float] = 2.0
    b: float = field(init=False)

    def __post_init__(self, k):
        self.b = self.a * k


@dataclass
class Par:
    x: float
    v: float

    def __post_init__(self):
        self.e = 0.5 * self.v**2


def dc_astuple(u, s):
    p = Pt(u[0], s)
    a, b = astuple(p)
    return a * b + sum(astuple(p))


def dc_asdict(u, s):
    p = Pt(u[0], s)
    d = asdict(p)
    return d["x"] * d["y"] + sum(d.values())


def dc_asdict_deep(u, s):
    q = In(Pt(u[0], s), u[:2].copy())
    d = asdict(q)
    q.p.x = 5.0
    q.arr[0] = 7.0
    return d["p"]["x"] * d["p"]["y"] + np.sum(d["arr"] ** 2)


def dc_astuple_deep(u, s):
    q = In(Pt(u[0], s), u[:2].copy())
    (a, b), arr, d = astuple(q)
    q.arr[0] = 7.0
    return a * b + np.sum(arr**2)


def dc_astuple_loop(u, s):
    t = 0.0
    for v in astuple(Pt(u[0], s)):
        t += v * v
    return t + np.sum(np.array(astuple(Pt(u[1], s))) ** 3)


def dc_astuple_ops(u, s):
    a, b = Vd(u[0], u[1]), Vd(u[2], s)
    for _ in range(2):
        a = a + b * s
    return a.dot(b)


def dc_asdict_mod(u, s):
    p = dataclasses.replace(Pt(u[0]), y=s)
    return Pt(**{**dataclasses.asdict(p), "x": u[1]}).x * p.y


def dc_fields(u, s):
    p = Pt(u[0], s)
    return sum(getattr(p, f.name) ** 2 for f in fields(p))


def dc_fields_class(u, s):
    p = Pt(u[0], s)
    q = Pt(**{f.name: getattr(p, f.name) * 2.0 for f in fields(Pt)})
    return q.x * q.y


def dc_fields_loop(u, s):
    p = Pt(u[0], s)
    t = 0.0
    for f in fields(p):
        t += getattr(p, f.name) ** 2
    return t


def dc_initvar(u, s):
    p = Ini(u[0], s)
    return p.a * p.b


def dc_initvar_default(u, s):
    p = Ini(u[0])
    return p.a * p.b * s


def dc_post(u, s):
    ps = [Par(a, b) for a, b in zip(u[:3], u[3:], strict=False)]
    return sum(q.e * q.x for q in ps) * s


@dataclass
class Scaled(Ini):
    c: float = 1.0
    w: InitVar[float] = 0.5

    def __post_init__(self, k, w):
        super().__post_init__(k)
        self.c = self.c * w


def dc_initvar_inherited(u, s):
    p = Scaled(u[0], s, u[1], w=s)
    for f in fields(p):
        setattr(p, f.name, getattr(p, f.name) * (2.0 if f.name == "a" else 1.0))
    return p.a * p.b * p.c * len(fields(p))


@dataclass(order=True)
class Ranked:
    rank: float
    size: float = 0.5
    label: str = field(default="", compare=False)


class Scored(NamedTuple):
    value: float
    weight: float = 2.0


def dc_equal(u, s):
    a, b = Ranked(u[0], s), Ranked(u[0], s, label="other")
    c = Ranked(u[1], s)
    same = a.rank * s if a == b else s
    return same + (c.rank**2 if a != c else 0.0)


def dc_ordered(u, s):
    a, b = Ranked(u[0], s), Ranked(u[1], s)
    low, high = (a, b) if a < b else (b, a)
    return low.rank * s + high.rank**2 * low.size


def dc_equal_in_a_loop(u, s):
    every = [Ranked(v, v * s) for v in u]
    first = every[0]
    for each in every:
        if each == first:
            continue
        first = Ranked(first.rank + each.rank * each.size, first.size)
    return first.rank * first.size


def named_tuple_made_of_items(u, s):
    a, b = Scored._make([u[0], s]), Scored._make((u[1] * s, s))
    return a.value * b.weight + a.weight * b.value


US = (numbers(6), 0.7), (0, 1)


def dc_of_a_kind(u, s):
    p, q = Kept(u[0] * s), Kept(u[1], Kind.FAR)
    kept = {"p": p, "q": q}
    for _ in range(2):
        kept["p"].x = kept["p"].x * u[2]
        p, q = q, p
        kept["q"] = p
    return p.x * q.x + kept["q"].x + kept["p"].x ** 2


PROGRAMS = tuple(
    Entry(function, *US)
    for function in (
        dc_astuple,
        dc_asdict,
        dc_asdict_deep,
        dc_astuple_deep,
        dc_astuple_loop,
        dc_astuple_ops,
        dc_asdict_mod,
        dc_fields,
        dc_fields_class,
        dc_fields_loop,
        dc_initvar,
        dc_initvar_default,
        dc_initvar_inherited,
        dc_post,
        dc_equal,
        dc_ordered,
        dc_equal_in_a_loop,
        *(named_tuple_made_of_items, dc_of_a_kind),
    )
)
