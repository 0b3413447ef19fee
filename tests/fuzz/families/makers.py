"""Classes and functions that are given, made and held: by arguments, tables, other classes and functions.

def model(kind, w):
    class Layer(kind):
        def __call__(self, x):
            return super().__call__(x) * w
    return Layer
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import filled, forms

HOLES = {
    "x": ("x", "x * self.k", "np.sin(x)", "x + self.w", "self.w * x", "x * x[0]"),
    "n": ("self.k", "x[1]", "self.w[0]", "0.7", "np.sum(x) * 0.1"),
    "body": forms(
        """
        self.w = {x}  self.k = {n}  self.seen.append({n})  x = {x}  self.w *= {n}  self.w[0] = {n}  self.count += 1
        if self.count > 1: x = {x}  self.w = self.w * 0.5 + {x}  self.seen = [{n}]  x = x * self.seen[-1]  x = x.copy()  x[1:] *= {n}
        """
    ),
    "y": ("w", "z", "u", "w * z", "u * s"),
    "a": ("p", "q", "layers[0]", "layers[-1]", "layers[i % 2]"),
    "c": forms(
        """
        w = {a}({y})  z = {a}({y})  s = s * 0.8 + 0.1 * np.sum({a}({y}))  p, q = q, p  layers.append({a})  p = make({K}, {y})
        q = make({K}, {y}, s)  w = apply({a}, {y})  z = apply({K}({y}, s), {y})  for each in layers: z = each(z) * 0.5
        z = reduce(lambda h, layer: layer(h), layers, {y})  {a}.k = s  s += 0.1 * {a}.k  w = {a}.w  w = w * s  {a}.w = {y}
        s += 0.1 * sum(np.sum(each.w) for each in layers)  layers = [K({y}, s) for K in (Base, Other)]  w = twice({a})({y})
        layers[0] = {a}  p = table['b']({y}, s)  p = table['a']({y}, s)  w = z  s = s * 0.5 + sum({a}.seen)  z = z * 0.9
        """
    ),
    "K": ("Base", "Other", "Third", "table['a']", "made", "type(p)"),
}
HEAD = """from functools import reduce

import numpy as np


class Base:
    factor = 0.8

    def __init__(self, w, k=0.5):
        self.w, self.k, self.seen, self.count = w, k, [k], 0
        {init}

    def __call__(self, x):
        {base}
        return {x} * self.factor


class Other(Base):
    factor = 1.2

    def __call__(self, x):
        {other}
        return {way}


class Third(Other):
    def __init__(self, w, k=0.3):
        super().__init__({given}, k)
        self.seen.append(w[1])


def make(kind, w, k=0.4):
    {make}


def apply(layer, x):
    return layer({applied})


def twice(layer):
    return lambda x: layer(layer(x))


def derived(kind, k):
    class Made(kind):
        def __call__(self, x):
            {own}
            return super().__call__({super})

    return Made


def f(u, v):
"""


def program(rng: random.Random) -> str:
    """Return classes, functions that are given classes and make some, and one that uses them in a loop."""

    def fill(form: str) -> str:
        return filled(rng, form, HOLES)

    head = HEAD
    parts = {
        "init": "self.n = 0" if rng.random() < 0.5 else "self.w = w * k",
        "base": fill("{body}"),
        "other": fill("{body}"),
        "way": rng.choice(
            (
                "super().__call__(x) * self.k",
                "super().__call__(x * 0.5) + self.w",
                "x * self.w",
                "x * self.factor",
            )
        ),
        "given": rng.choice(("w", "w * 2.0", "np.cos(w)")),
        "make": rng.choice(
            (
                "return kind(w, k)",
                "made = kind(w, k)\n    made.k = w[0]\n    return made",
                "return kind(w * k)",
            )
        ),
        "applied": rng.choice(("x", "x * layer.k", "layer.w")),
        "own": fill("{body}"),
        "super": rng.choice(("x * k", "x", "x + k")),
        "x": fill("{x}"),
    }
    for name, text in parts.items():
        head = head.replace("{" + name + "}", text)
    lines = [
        "i, s = 1, u[0] * 1.5",
        "w, z = u * v, v * 1.0",
        "table = {'a': Base, 'b': Other, 'c': Third}",
    ]
    lines += [
        f"made = {rng.choice(('derived(Base, s)', 'derived(Other, 0.5)', 'Third', 'table[chr(98)]'))}"
    ]
    lines += [
        f"p, q = {rng.choice(('Base(u)', 'Third(v)', 'made(u * v)'))}, {rng.choice(('made(u, s)', 'make(Other, u)', 'Base(w, v[1])'))}"
    ]
    lines.append(
        f"layers = {rng.choice(('[p, q]', '[q, p]', '[K(u, s) for K in (Base, Other)]', '[Base(u), Base(v)]'))}"
    )
    count = rng.choice((1, 2, 3))
    if rng.random() < 0.6:
        lines += [
            f"for i in range({rng.choice(('2', '3'))}):",
            *(f"    {fill('{c}')}" for _ in range(count)),
        ]
    else:
        lines += [fill("{c}") for _ in range(count)]
    lines.append("return np.sum(w * z) + np.sum(p(u)) * s + sum(np.sum(each.w) for each in layers)")
    return head + "".join(f"    {line}\n" for line in lines)
