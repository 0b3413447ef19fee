"""Lists, dicts and objects that are handed to functions, which change, copy, keep and return them.

def change(c, x):
    c["a"] = c["b"] * x[0]
    return c
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

# how a container is made of three values, its places, and how to go through it
HOLDERS = (
    ("[{x}, {y}, {z}]", ("c[0]", "c[1]", "c[-1]", "c[k % 2]"), "c"),
    ("{{'a': {x}, 'b': {y}, 'd': {z}}}", ("c['a']", "c['b']", "c['d']"), "c.values()"),
    ("SimpleNamespace(a={x}, b={y}, d={z})", ("c.a", "c.b", "c.d"), "(c.a, c.b)"),
    ("Box({x}, {y}, {z})", ("c.a", "c.b", "c.d"), "(c.b, c.d)"),
)
ARRAYS = ("u * u[1]", "np.sin(v)", "u * v", "np.cos(u)", "v * 1.0", "u")
NUMBERS = ("u[1]", "np.sin(v[0])", "u[0] * v[2]", "s", "np.sum(v)", "0.5")
# of a function: {p}, {q} are places of its container c, x a value, k a whole number, o another container
BODIES = forms(
    """
    {p} = {q} * 0.9  {p} = x  {p} += x  {p} *= 0.8  {p}, {q} = {q}, {p}  {p} = {p} + {q} * x
    x = {p}  x = {p} * {q}  o = c  {p} = {o}  {p} = {p} * np.sum({q})  x = x * 0.5 + {q}
    if np.sum({p}) > 0.8: {p} = {p} * 0.5  if k > 1: return c  if k == 0: {p} = x * 1.0
    for e in {all}: x = x + e * 0.1  c = copy.copy(c)  c = copy.deepcopy(c)  kept.append({p})
    x = x + sum(np.sum(e) for e in {all}) * 0.1  {p} = kept[-1] * 0.3 + {q}  k += 1
    if k < 2: inner(c, {q}, k + 1)
    """
)
OF_ARRAYS = forms(
    """{p}[0] = np.sum(x)  {p}[1:] *= 0.9  x = x.copy()  x[0] += 0.1  {p}[k] = {q}[0]"""
)
CALLS = forms(
    """
    h = change(h, {v}, k)  change(h, {v}, k)  g = change(h, {v})  inner(g, {v}, k)  h = inner(h, {v})
    g = h  h, g = g, h  s = s * 0.8 + np.sum(read(h)) * 0.1  s = s * 0.9 + np.sum(read(g, 1)) * 0.1
    g = copy.copy(h)  g = inner(copy.deepcopy(h), {v}, k)  s = s * 0.7 + np.sum(kept[-1]) * 0.1
    change(g, s * {v})  kept.append(read(h))  h = change(inner(h, {v}, k), read(g))
    """
)
RETURNS = ("return c", "return c", "return o")


def program(rng: random.Random) -> str:
    """Return functions that change a container, and one that hands two of them on in a loop."""
    made, places, every = rng.choice(HOLDERS)
    values = ARRAYS if rng.random() < 0.5 else NUMBERS

    def value() -> str:
        return rng.choice(values)

    def statement(names: tuple[str, ...]) -> str:
        pool = (*BODIES, *OF_ARRAYS) if values is ARRAYS else BODIES
        if "inner" not in names:
            pool = tuple(form for form in pool if "inner" not in form)
        other = rng.choice(places).replace("c", "o", 1)
        return rng.choice(pool).format(
            p=rng.choice(places), q=rng.choice(places), all=every, o=other
        )

    def body(names: tuple[str, ...], result: str) -> list[str]:
        own = [statement(names) for _ in range(rng.choice((1, 2, 3)))]
        return ["    o = c", *(f"    {line}" for line in own), f"    {result}"]

    head = ["import copy", "from types import SimpleNamespace", "", "import numpy as np", "", ""]
    if "Box" in made:
        head += ["class Box:", "    def __init__(self, a, b, d):"]
        head += ["        self.a, self.b, self.d = a, b, d", "", ""]
    first = rng.choice([each for each in values if each != "s"])
    lines = [f"s, k, kept = u[0] * 1.5, 1, [{first}]"]
    lines += ["def inner(c, x, k=1):", *body((), rng.choice(RETURNS))]
    lines += ["def change(c, x, k=0):", *body(("inner",), rng.choice(RETURNS))]
    lines += ["def read(c, k=0):", "    x = " + rng.choice(places), *body((), "return x")]
    for name in ("h", "g"):
        lines.append(f"{name} = {made.format(x=value(), y=value(), z=value())}")
    lines.append(f"for k in range({rng.choice(('2', '3'))}):")
    lines += passes(rng, lambda: rng.choice(CALLS).format(v=value()), 4)
    lines.append(f"return np.sum(read(h)) + np.sum({rng.choice(places).replace('c', 'g', 1)}) * s")
    text = "".join(f"    {line}\n" for line in lines)
    return f"{chr(10).join(head)}\ndef f(u, v):\n{text}".replace("u[i]", "u[k]")
