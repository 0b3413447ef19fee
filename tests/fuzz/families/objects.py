"""Objects of classes of several kinds: changed, copied, exchanged and held in lists.

p = P(u[0] ** 2, v[1])
q = copy.copy(p)
p.a, q.b = q.b, p.a
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import passes

KINDS = ("plain", "slots", "dataclass", "frozen", "named", "derived")
IMMUTABLE = ("frozen", "named", "derived")
HEADS = {
    "plain": ("class P:", "    def __init__(self, a, b=0.3):", "        self.a = a"),
    "slots": ("class P:", '    __slots__ = ("a", "b")', "", "    def __init__(self, a, b=0.3):"),
    "dataclass": ("@dataclass", "class P:", "    a: object", "    b: object = 0.3"),
    "frozen": ("@dataclass(frozen=True)", "class P:", "    a: object", "    b: object = 0.3"),
    "named": ("class P(NamedTuple):", "    a: object", "    b: object = 0.3"),
    "derived": ('class P(namedtuple("P", "a b")):',),
}
INIT = {"plain": ("        self.b = b",), "slots": ("        self.a = a", "        self.b = b")}
METHODS = (
    "    def total(self):",
    "        return np.sum(self.a) + np.sum(self.b) * 2.0",
    "",
    "    @property",
    "    def both(self):",
    "        return self.a * self.b",
    "",
    "    def __mul__(self, c):",
    "        return P(self.a * c, self.b * c)",
)
CHANGING = (
    "    def step(self, x):",
    "        self.a = self.a * 0.9 + x",
    "        return self",
)
ARRAYS = ("u * u[{i}]", "np.sin(u) + {i}", "u[{i}] * v", "u * 1.0", "v * s", "u")
NUMBERS = ("u[{i}] ** 2", "np.sin(v[{i}])", "u[{i}] * v[{i}]", "u[{i}] * s", "s", "v[{i}]", "0.5")
USED = (
    "s = s * 0.8 + {p}.total() * 0.1",
    "{p} = P({q}.b, {p}.a)",
    "s += np.sum({p}.both) * 0.1",
    "{p} = {q} * 0.9",
    "{p}, {q} = {q}, {p}",
    "{p} = copy.copy({q})",
    "{p} = copy.deepcopy({q})",
)
CHANGED = (
    "{p}.a = {x}",
    "{p}.b *= 0.9",
    "{p}.step({x})",
    "{p} = {q}.step({x})",
    "{p}.a, {q}.b = {q}.b, {p}.a",
    "{p}.b = {q}.a",
    'setattr({p}, "a", {x})',
    "{p}.a += {x}",
)
OF_TUPLES = (
    "{p} = {q}._replace(a={x})",
    "y, z = {p}",
    "{p} = P(*{q})",
    "s += np.sum({p}[0]) * 0.1",
)
HELD = (
    "ps[i % 3] = {p}",
    "{p} = ps[i % 3]",
    "s += sum(o.total() for o in ps) * 0.1",
    "ps.append({p})",
)
RESULTS = ("p.total() + q.total() * s", "np.sum(p.a * q.b) + s", "np.sum(p.both) + q.total() + s")


def program(rng: random.Random) -> str:
    """Return a class and a function that changes two objects of it in each pass of a loop."""
    kind, items = rng.choice(KINDS), ARRAYS if rng.random() < 0.4 else NUMBERS

    def item(place: str) -> str:
        return rng.choice(items).format(i=place)

    def use() -> str:
        p, q = rng.choice("pq"), rng.choice("pq")
        return rng.choice(uses).format(p=p, q=q, x=item("i"))

    others = ("p", "copy.copy(p)", "copy.deepcopy(p)", f"P(p.a, {item('1')})")
    lines = ["s = u[0] * 1.5", f"p = P({item('0')}, {item('1')})", f"q = {rng.choice(others)}"]
    uses = [*USED, *(() if kind in IMMUTABLE else CHANGED)]
    uses += OF_TUPLES if kind in ("named", "derived") else ()
    if rng.random() < 0.4:
        lines.append(f"ps = [p, q, P({item('3')}, {item('1')})]")
        uses += HELD
    lines.append("for i in range(4):")
    lines += passes(rng, use, 4)
    lines.append(f"return {rng.choice(RESULTS)}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"{IMPORTS}\n\n{_class(kind)}\n\n\ndef f(u, v):\n{body}"


IMPORTS = """import copy
from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
"""


def _class(kind: str) -> str:
    parts = [*HEADS[kind], *INIT.get(kind, ()), "", *METHODS]
    return "\n".join([*parts, *(() if kind in IMMUTABLE else ("", *CHANGING))])
