"""Objects that hold others, whose methods call each other, inherit, and write through shared fields.

node.left.value += node.total()
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

BODIES = forms(
    """
    self.x = self.x * 0.9 + d  self.x += d  self.x[0] = np.sum(d)  self.x[1:] *= 0.8
    self.n += 1  self.log.append(self.x[0])  self.log = [*self.log, np.sum(d)]  self.x = d * self.rate
    self.rate = self.rate * 0.9 + d[0] * 0.1  self.x = self.x + self.rate * len(self.log)
    self.kept = self.x  self.kept = self.x.copy()  self.x = self.kept * 0.5 + self.x  self.kept[1] = d[0]
    """
)
VALUES = forms(
    """
    np.sum(self.x) * self.rate  np.sum(self.x * self.kept)  sum(self.log) + self.x[0]
    self.rate * self.n + self.x[1]  np.sum(self.scaled(self.x))
    """
)
SCALED = forms(
    """c * self.rate  c + self.x[0]  np.sin(c) * self.scale  c * self.scale + self.kept"""
)
CHANGES = forms(
    """
    p.step(p.x * s)  q.step(u)  r.step(p.kept)  s = s * 0.8 + 0.1 * p.value  s += 0.1 * q.value
    p.x = q.x  q.x = p.scaled(q.x)  p, q = q, p  r = parts[i % 2]  parts[i % 2] = q  p.other = q
    p.other.step(v)  s += 0.1 * sum(o.value for o in parts)  r.other.x[0] = s  q.rate = s
    parts.append(Part(u * s, p))  parts[-1].other.x = parts[-1].other.x * s  r.kept = p.x
    for o in parts: o.step(v)  q = copy.copy(p)  s += 0.1 * r.log[-1]  p.log = q.log  p = Other(v * s, r)
    """
)
RESULTS = ("p.value + q.value + r.value * s", "sum(o.value for o in parts) + p.value * s")


def program(rng: random.Random) -> str:
    """Return two classes and a function that changes objects of them in each pass of a loop."""
    steps = [rng.choice(BODIES) for _ in range(rng.randint(1, 3))]
    others = [rng.choice(BODIES) for _ in range(rng.randint(0, 2))]
    first = rng.choice(("", "super().step(d)", "super().step(d * 0.5)"))
    own = [line for line in (first, *others) if line] or ["self.n += 2"]
    classes = [
        "class Part:",
        f"    scale = {rng.choice(('0.7', '2.0'))}",
        "",
        "    def __init__(self, x, other=None):",
        "        self.x, self.other, self.n = x, other if other is not None else self, 0",
        "        self.rate, self.log = x[0] * 0.5, [x[1]]",
        f"        self.kept = {rng.choice(('x', 'x.copy()', 'x * 2.0', 'self.x'))}",
        "",
        "    def step(self, d):",
        *(f"        {line}" for line in steps),
        *(("        return self",) if rng.random() < 0.3 else ()),
        "",
        "    def scaled(self, c):",
        f"        return {rng.choice(SCALED)}",
        "",
        "    @property",
        "    def value(self):",
        f"        return {rng.choice(VALUES)}",
        "",
        "",
        "class Other(Part):",
        f"    scale = {rng.choice(('0.4', '3.0'))}",
        "",
        "    def step(self, d):",
        *(f"        {line}" for line in own),
    ]
    lines = [
        "s = u[0] * 1.5",
        "p = Part(u * v)",
        f"q = {rng.choice(('Part', 'Other'))}(np.sin(v), p)",
    ]
    lines += ["r = Other(u * 1.0, q)", f"parts = {rng.choice(('[p, q]', '[p, r]', '[q, r, p]'))}"]
    lines.append(f"for i in range({rng.choice(('2', '3'))}):")
    lines += passes(rng, lambda: rng.choice(CHANGES), 4)
    lines.append(f"return {rng.choice(RESULTS)}")
    body = "".join(f"    {line}\n" for line in lines)
    head = "import copy\n\nimport numpy as np\n\n\n"
    return f"{head}{chr(10).join(classes)}\n\n\ndef f(u, v):\n{body}"
