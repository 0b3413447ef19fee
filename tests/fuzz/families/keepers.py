"""Functions and methods of the module that put arrays into what they are handed, and give back parts.

def put(held, x):
    held.append(x * 2.0)
    return held[-1]
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import filled, forms, passes

# of methods and functions: x is an array, k a number, {p} an array that is held
KEPT = {
    "p": ("box.a", "box.b", "box.parts[0]", "box.parts[-1]", "box.by['a']", "box.by['b']"),
    "x": ("x", "x * k", "x + {p}[0]", "np.sin(x)", "x[::-1]", "{p} * x", "{p}", "x.copy()"),
    "n": ("k", "x[0]", "{p}[1]", "np.sum({p}) * 0.1", "0.7"),
}
BODIES = forms(
    """
    box.a = {x}  box.b = {x}  box.a, box.b = box.b, box.a  box.parts.append({x})  box.by['a'] = {x}
    box.by['b'] = {x}  box.parts[0] = {x}  box.parts = [{x}, {x}]  {p} *= {n}  {p}[0] = {n}
    {p}[1:] += {p}[:-1] * k  x = {x}  x[0] += {n}  box.parts.insert(0, {x})  box.by = {'a': {x}, 'b': {x}}
    box.parts = box.parts + [{x}]  box.a = box.parts[-1]  box.parts.extend([box.b, {x}])  x = box.parts.pop()\n    box.parts.append(x)
    box.by.update(a={x})  x = box.by.get('c', {p})  box.by['b'] = box.a  box.parts[-1], box.a = box.a, {x}
    """
)
RETURNS = forms(
    """
    return {x}  return {p}  return x  return {p}[:]  return {p}[::-1]  return x, {p}  return [{p}, x]
    return {p} if k > 0.5 else x  return {'a': {p}, 'b': x}
    """
)
# of f: h, g are boxes, w, z arrays, {q} an array that is held
HOLES = {
    "q": (
        "h.a",
        "h.parts[-1]",
        "h.parts[0]",
        "g.b",
        "g.by['a']",
        "g.parts[-1]",
        "h.by['b']",
        "w",
        "z",
    ),
    "y": ("w", "z", "{q}", "u", "w * z", "{q} * s"),
    "h": ("h", "g"),
    "c": ("s", "0.9", "v[i]"),
}
CALLS = forms(
    """
    w = first({h}, {y}, {c})  z = first({h}, {y}, {c})  first({h}, {y}, {c})  first({h}, {y}, {c})
    w, z = {h}.pair({y})  w = {h}.keep({y}, {c})  {h}.keep({y}, {c})  w = h.keep(g.keep({y}, {c}), s)
    z = first({h}, first({h}, {y}, s), {c})  {q} *= {c}  {q}[0] += {c}  w *= {c}  z[1:] += w[0]  w[0] = s
    h = g  h = copy.copy(g)  g = copy.deepcopy(h)  g = Box({y}, {y})  w = {q}  z = {q}.copy()  h.parts = g.parts
    h.by = g.by  for a in (h.a, h.b): a *= {c}  for a in {h}.parts: a += {c}  for a in {h}.by.values(): a[1] = s
    s = s * 0.8 + 0.1 * np.sum({q})  s = s * 0.9 + 0.1 * {q} @ {q}  h, g = g, h
    """
)
SINGLE = ("return x", "return {x}", "return {p}", "return {p}[:]", "return {p} if k > 0.5 else x")


def program(rng: random.Random) -> str:
    """Return a class and functions that keep arrays, and one that writes to what they give back."""

    def body(result: str) -> list[str]:
        count = rng.choice((0, 1, 1, 2))
        own = [
            line
            for _ in range(count)
            for line in filled(rng, rng.choice(BODIES), KEPT).split("\n    ")
        ]
        return [*own, filled(rng, result, KEPT)]

    def method(lines: list[str]) -> list[str]:
        return [f"        {line}".replace("box.", "self.") for line in lines]

    head = [
        "import copy",
        "",
        "import numpy as np",
        "",
        "",
        "class Box:",
        "    def __init__(self, a, b):",
    ]
    head += [f"        self.a, self.b = a, {rng.choice(('b', 'b * 2.0', 'a', 'b.copy()'))}"]
    head += [f"        self.parts = {rng.choice(('[a, b]', '[self.b]', '[a * b]', '[b, self.a]'))}"]
    head += [f"        self.by = {rng.choice(('dict(a=a, b=b)', 'dict(a=a * b, b=self.b)'))}", ""]
    head += ["    def keep(self, x, k=0.5):", *method(body(rng.choice(SINGLE))), ""]
    pair = filled(rng, "return {x}, {p}", KEPT)
    head += ["    def pair(self, x, k=0.3):", *method([*body("x = x * k")[:-1], pair]), "", ""]
    for name in ("first",):
        head += [
            f"def {name}(box, x, k=0.4):",
            *(f"    {line}" for line in body(rng.choice(SINGLE))),
        ]
        head += ["", ""]
    lines = ["i, s = 1, u[0] * 1.5", "h, g = Box(u * v, np.sin(v)), Box(v * 1.0, u + v)"]
    lines.append(f"w, z = {rng.choice(('u * 1.0, h.a', 'h.b, g.a', 'first(h, u), v * 0.5'))}")
    if rng.random() < 0.3:
        lines.append(f"for i in range({rng.choice(('2', '3'))}):")
        lines += passes(rng, lambda: filled(rng, rng.choice(CALLS), HOLES), 2)
    else:
        lines += [filled(rng, rng.choice(CALLS), HOLES) for _ in range(rng.randint(1, 3))]
    lines.append(filled(rng, "return np.sum({q} * {q}) + np.sum({q}) * s + np.sum(w * z)", HOLES))
    text = "".join(f"    {line}\n" for line in lines)
    return "\n".join(head) + f"\ndef f(u, v):\n{text}"
