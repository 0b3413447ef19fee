"""Blocks within each other, and the ways out of them: loops, branches, trials, calls.

for k in range(4):
    if (y := u[k] * s) > 0.4:
        continue
    try:
        s += math.sqrt(t - 0.2)
    except ValueError:
        break
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms

NUMBERS = forms(
    """
    u[{i}]
    v[{i}]
    s
    t
    u[{i}] * v[{i}]
    np.sin(s)
    w[{i}] ** 2
    0.5
    t * s
    math.tanh(t)
    np.sum(w) * 0.1
    max(t, u[{i}])
    abs(v[{i}])
    w[{i}]
    step(t, s)
    step(u[{i}], 0.3)
    deep(u[{i}], {n})
    (t if {c} else v[{i}])
    u[k]
    w[k] * s
    (y := u[{i}] * t)
    (c or 1) * s
    min(s, 1.5)
    float(s > 0.5) * t
    """
)
TESTS = forms(
    """
    u[{i}] > 0.4
    s > 0.7
    t > u[{i}]
    k == 2
    k % 2 == 0
    c > 1
    flag
    not flag
    w[{i}] > 0.3 and s < 1.5
    s > 0.9 or k == 1
    0.1 < v[{i}] < 0.7
    (y := s * t) > 0.3
    any(w > 0.8)
    np.all(w < 2.0)
    len(u) > 3
    """
)
SIMPLE = forms(
    """
    s = s * 0.8 + {x} * 0.4
    t = {x}
    s, t = t, s * 0.8
    w = w * {x}
    w[k] = {x}
    w[1:3] *= {x}
    s += {x} if {c} else {x}
    assert s < 1e5
    bump({x})
    flag = {c}
    c += 1
    if (y := {x}) > 0.3: s += y * 0.5
    s *= 0.9
    w = w.copy()
    c = k
    t = t - 0.1 * (s if flag else {x})
    s = np.tanh(s)
    k = (k + 1) % 5
    w, z = z, w
    """
)
RAISING = forms(
    """
    s += math.sqrt({x} - 0.3)
    t = math.log({x})
    s += 1.0 / (k - 1)
    s += u[k + 2]
    raise ValueError("no")
    t += [s, t][c]
    s *= {x}
    """
)
KINDS = ("ValueError", "(ValueError, IndexError)", "(ZeroDivisionError, IndexError)", "Exception")
LOOPS = forms(
    """
    for k in range({n}):
    for k, e in enumerate(u):
    for e in w:
    for e in (s, t, {x}):
    for k in range(c):
    for k in range(3, 0, -1):
    for e, y in zip(u, w):
    """
)
DEEPEST = 3


class Writer:
    """Writes blocks of statements, each a list of lines."""

    def __init__(self, rng: random.Random) -> None:
        """Take the choices from a random state."""
        self.rng = rng

    def filled(self, form: str) -> str:
        """Return a form with numbers, tests and positions in its holes."""
        while "{" in form:
            at = form.index("{")
            hole, rest = form[at + 1], form[at + 3 :]
            form = form[:at] + self.part(hole) + rest
        return form

    def part(self, hole: str) -> str:
        """Return what stands in a hole."""
        if hole in "in":
            return str(self.rng.randint(1, 4))
        form = self.rng.choice(NUMBERS if hole == "x" else TESTS)
        return self.filled(form)

    def block(self, depth: int, loops: bool) -> list[str]:
        """Return the lines of some statements, one block further in."""
        lines: list[str] = []
        for _ in range(self.rng.randint(1, 4 if depth < 2 else 2)):
            lines += self.statement(depth, loops)
        return [f"    {line}" for line in lines]

    def statement(self, depth: int, loops: bool) -> list[str]:
        """Return the lines of one statement."""
        chance = self.rng.random()
        if depth > DEEPEST or chance < 0.45:
            return [self.filled(self.rng.choice(SIMPLE))]
        if chance < 0.6:
            return self.exit(loops)
        forms = (self.branch, self.loop, self.loop, self.while_, self.match, self.trial)
        return self.rng.choice(forms)(depth + 1, loops)

    def exit(self, loops: bool) -> list[str]:
        """Leave a loop, a pass of it, or the function, where a test holds."""
        exits = ("break", "continue", "break") if loops else ("return s * t + np.sum(w)",)
        chosen = self.rng.choice((*exits, "return s * 1.3"))
        return [f"if {self.filled('{c}')}:", f"    {chosen}"]

    def branch(self, depth: int, loops: bool) -> list[str]:
        """Return an if with or without further branches."""
        lines = [f"if {self.filled('{c}')}:", *self.block(depth, loops)]
        if self.rng.random() < 0.3:
            lines += [f"elif {self.filled('{c}')}:", *self.block(depth, loops)]
        return lines + (["else:", *self.block(depth, loops)] if self.rng.random() < 0.5 else [])

    def loop(self, depth: int, loops: bool) -> list[str]:
        """Return a for, with or without an else."""
        lines = [self.filled(self.rng.choice(LOOPS)), *self.block(depth, True)]
        return lines + (["else:", *self.block(depth, loops)] if self.rng.random() < 0.2 else [])

    def while_(self, depth: int, loops: bool) -> list[str]:
        """Return a while that ends after some passes, whatever else is in it."""
        name = f"n{depth}"
        test = self.rng.choice((f"{name} < 4", f"s < 2.0 and {name} < 6", f"{name} < min(c, 4)"))
        lines = [f"{name} = 0", f"while {test}:", f"    {name} += 1", *self.block(depth, True)]
        return lines + (["else:", *self.block(depth, loops)] if self.rng.random() < 0.2 else [])

    def trial(self, depth: int, loops: bool) -> list[str]:
        """Return a try, with what may raise in it."""
        raising = f"    {self.filled(self.rng.choice(RAISING))}"
        if raising.strip().startswith("raise"):
            raising = f"    if {self.filled('{c}')}:\n        {raising.strip()}"
        before = self.block(depth, loops) if self.rng.random() < 0.2 else []
        lines = ["try:", *before, *raising.split("\n")]
        lines += [f"except {self.rng.choice(KINDS)}:", *self.block(depth, loops)]
        lines += ["else:", *self.block(depth, loops)] if self.rng.random() < 0.3 else []
        return lines + (["finally:", "    s *= 0.9"] if self.rng.random() < 0.3 else [])

    def match(self, depth: int, loops: bool) -> list[str]:
        """Return a match of a whole number."""
        lines = [self.rng.choice(("match c:", "match k % 3:"))]
        for case in ("1", "2 | 3", "_"):
            lines += [f"    case {case}:", *(f"    {x}" for x in self.block(depth, loops))]
        return lines


HELPERS = """import math

import numpy as np


def step(x, y):
    if x > 0.6:
        return x * y
    for k in range(3):
        y = y * 0.7 + x
        if y > 1.2:
            return y - x
    return np.sin(x + y)


def deep(x, n):
    if n == 0 or x > 1.5:
        return x * 0.5
    return x * deep(x * 1.1, n - 1) + 0.1


def f(u, v):
    s, t, c, k, flag = u[0] * 1.2, v[1], 2, 1, False
    w, z = u * v, v + 0.1

    def bump(x):
        nonlocal s, c
        if x > 0.4:
            c = 1
            s += x * 0.3
        else:
            s *= 0.9

"""


def program(rng: random.Random) -> str:
    """Return a function with blocks in blocks."""
    lines = Writer(rng).block(1, False)
    while len(lines) < 4:
        lines += Writer(rng).block(1, False)
    return HELPERS + "".join(f"{x}\n" for x in lines) + "    return s + t * np.sum(w) + z[1]\n"
