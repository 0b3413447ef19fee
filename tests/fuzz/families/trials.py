"""Trials, managers and loops with an else that write into slices, and what leaves them early.

for i in range(3):
    try:
        with held(A[i]) as row:
            row[1:] *= check(s)
    except Failed as error:
        s += error.args[0]
        continue
    finally:
        A[i] += 0.1 * s
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import filled, forms

HOLES = {
    "x": (
        "s",
        "t",
        "a[j]",
        "A[i, j]",
        "v[j]",
        "np.sum(a) * 0.1",
        "0.4",
        "s * t",
        "A[i] @ v * 0.2",
        "np.sin(t)",
    ),
    "c": (
        *(
            "s > 0.7",
            "t > A[i, j]",
            "a[j] > 0.4",
            "i == 1",
            "j % 2 == 0",
            "A[i, 0] > 0.5",
            "done",
            "not done",
            "np.sum(a) > 1.2",
        ),
        *("k > 1", "s > 0.5 and i < 2", "j == 2 or s > 1.0"),
    ),
    "q": (
        "a",
        "A[i]",
        "A[:, j]",
        "A[i, 1:]",
        "A[1:, j]",
        "a[::-1]",
        "A[::2, j]",
        "a[j:]",
        "A[i, :j]",
        "A[:i + 1, j]",
        "A",
    ),
}
SIMPLE = forms(
    """
    s += 0.3 * {x}   s -= 0.2 * {x}   s = s + 0.3 * {x}   t = t - 0.3 * {x}   t += 0.2 * {x}   s = {x} * 0.7   s *= 0.9   t = s * 0.8
    a[j] += 0.3 * {x}   A[i, j] -= 0.2 * {x}   a = a + 0.2 * {x}   A[i] += 0.2 * a   a -= 0.2 * v
    s = s * 0.8 + 0.2 * {x}   t = {x}   {q} *= {x}   {q} += 0.1 * {x}   {q} = 0.5 * {q}   a[j] = {x}   A[i, j] = {x}   A[i, 1:] = A[i, :-1] * s
    A[i] = a * {x}   a = a * {x}   a[1:] += a[:-1] * 0.3   a = A[i]   a = A[i].copy()   s, t = t, s * 0.9   done = {c}   k += 1   i = (i + 1) % 3
    j = (j + 1) % 4   A = A * 0.9   kept.append({x})   s = s + 0.1 * kept[-1]   a[:] = A[i, ::-1]   b = a   b += 0.2   A[i - 1] += {x} * v
    s = bump(A, i, s)   a[a > 0.4] *= {x}   s = 0.9 * s + 0.1 * np.sum({q})   if {c}: s *= 0.8
    """
)
RAISING = forms(
    """
    s += 0.2 * check({x})   t = check({x}, 0.5)   {q} *= check({x})   s = math.sqrt({x} - 0.2)   t = math.log({x})   s += A[i + 1, j]   A[i + 1, j] = {x}
    s = s / (k - 1)   A[i, j + 1] += s   raise Failed({x})   a[j] = check(s)   kept.append(check({x}))   s = kept.pop(3)   t = table[k]   raise ValueError
    """
)
EXCEPTIONS = (
    *(
        "Failed",
        "ValueError",
        "(Failed, IndexError)",
        "(ValueError, ZeroDivisionError)",
        "Exception",
        "(Failed, ValueError, LookupError, ArithmeticError)",
        "(IndexError, Failed, ValueError)",
        "(Failed, ArithmeticError, ValueError, IndexError)",
        "(ValueError, ArithmeticError, LookupError, Failed)",
        "IndexError",
        "ArithmeticError",
        "LookupError",
    ),
)
LOOPS = (
    "for i in range(3):",
    "for j in range(4):",
    "for i, a in enumerate(A):",
    "for j, x in enumerate(v):",
    "for i in (2, 0):",
    "for a in A:",
)
LOOPS += (
    "for j in range(i, 4):",
    "for i in range(j):",
    "for row, x in zip(A, v):",
    "for j in reversed(range(3)):",
    "for s in (s * 0.9, t):",
)
MANAGERS = (
    "np.errstate(all='ignore')",
    "suppress(Failed)",
    "suppress(ValueError, IndexError)",
    "scaled(A, i)",
    "Counted(kept)",
    "opened(a) as b",
    "Swallow() as z",
)
RETURNS = (
    "return s * np.sum(A)",
    "return s + t",
    "return np.sum(a) * s",
    "return A[i] @ v + s",
    "return np.sum(A ** 2)",
)
HEAD = """import math
from contextlib import contextmanager, suppress

import numpy as np


class Failed(Exception):
    pass


class Swallow:
    def __enter__(self):
        self.n = 0
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, Failed)


class Counted:
    def __init__(self, kept):
        self.kept = kept

    def __enter__(self):
        self.kept.append(0.3)

    def __exit__(self, *args):
        self.kept.append(self.kept[-1] * 0.5)


@contextmanager
def scaled(A, i):
    A[i] *= 2.0
    try:
        yield
    finally:
        A[i] /= 2.0


@contextmanager
def opened(a):
    b = a * 1.5
    yield b
    a += 0.1 * b


def check(x, most=0.8):
    if x > most:
        raise Failed(x * 0.5)
    return x * x + 0.3


def bump(A, i, s):
    try:
        for j in range(4):
            A[i, j] += 0.1 * s
            if A[i, j] > 0.9:
                return s * A[i, j]
        else:
            s = s * 0.7
    finally:
        A[i, 0] *= 0.9
    return s + A[i, 1]


def f(M, v, c):
    s, t, i, j, k, done, kept, table = c * 1.3, v[0], 1, 2, 0, False, [c], (0.2, 0.5)
    A, a = M * 1.0, M[1] * v
    b = a * 0.5
"""
DEEPEST = 2


class Writer:
    """Writes blocks of statements, each a list of lines."""

    def __init__(self, rng: random.Random) -> None:
        """Take the choices from a random state."""
        self.rng, self.count = rng, 0

    def filled(self, form: str) -> str:
        """Return a form whose holes are filled."""
        return filled(self.rng, form, HOLES)

    def block(self, depth: int, inside: bool) -> list[str]:
        """Return the lines of some statements, one block further in."""
        lines: list[str] = []
        for _ in range(self.rng.choice((1, 1, 2))):
            lines += self.statement(depth, inside)
        return [f"    {line}" for line in lines]

    def statement(self, depth: int, inside: bool) -> list[str]:
        """Return the lines of one statement; `inside` of a loop it may leave that."""
        chance = self.rng.random()
        if depth > DEEPEST or chance < 0.4:
            return [self.filled(self.rng.choice(SIMPLE))]
        if chance < 0.52:
            return self.exit(inside)
        made = self.rng.choice(
            (self.trial, self.trial, self.manager, self.loop, self.loop, self.while_)
        )
        return made(depth + 1, inside)

    def exit(self, inside: bool) -> list[str]:
        """Leave a loop, a pass of it, or the function, where a test holds."""
        exits = ("break", "continue", "break", "continue") if inside else RETURNS[:1]
        exits += (self.rng.choice(RETURNS),)
        return [self.filled("if {c}:"), f"    {self.rng.choice(exits)}"]

    def raising(self) -> list[str]:
        """Return what may raise."""
        line = self.filled(self.rng.choice(RAISING))
        return (
            [self.filled("    if {c}:"), f"        {line}"]
            if line.startswith("raise")
            else [f"    {line}"]
        )

    def trial(self, depth: int, inside: bool) -> list[str]:
        """Return a try, with what may raise in it, and one to three of its other parts."""
        rng = self.rng
        lines = [
            "try:",
            *(self.block(depth, inside) if rng.random() < 0.4 else []),
            *self.raising(),
        ]
        if rng.random() < 0.3:
            lines.append(f"    {rng.choice(RETURNS)}")
        for kind in rng.sample(EXCEPTIONS, rng.choice((0, 1, 1, 1, 2))):
            name = rng.random() < 0.3
            lines += [f"except {kind}{' as error' if name else ''}:", *self.block(depth, inside)]
            if name and kind == "Failed":
                lines.append("    s += 0.2 * error.args[0]")
            lines += [["    raise"], ["    " + rng.choice(RETURNS)], [], [], [], []][
                rng.randrange(6)
            ]
        handled = any(line.startswith("except") for line in lines)
        if handled and rng.random() < 0.3:
            lines += ["else:", *self.block(depth, inside)]
        if not handled or rng.random() < 0.3:
            lines += ["finally:", *(self.block(DEEPEST + 1, False))]
        return lines

    def manager(self, depth: int, inside: bool) -> list[str]:
        """Return a with."""
        lines = [f"with {self.rng.choice(MANAGERS)}:", *self.block(depth, inside)]
        return lines + (self.raising() if "uppress" in lines[0] or "Swallow" in lines[0] else [])

    def loop(self, depth: int, inside: bool) -> list[str]:
        """Return a for, with or without an else."""
        lines = [self.rng.choice(LOOPS), *self.block(depth, True)]
        return lines + (["else:", *self.block(depth, inside)] if self.rng.random() < 0.35 else [])

    def while_(self, depth: int, inside: bool) -> list[str]:
        """Return a while that ends after some passes."""
        self.count += 1
        name = f"n{self.count}"
        test = self.rng.choice((f"{name} < 3", f"{name} < 4 and s < 1.4", "True"))
        lines = [f"{name} = 0", f"while {test}:", f"    {name} += 1"]
        lines += [f"    if {name} > 3:", "        break"] if test == "True" else []
        lines += self.block(depth, True)
        return lines + (["else:", *self.block(depth, inside)] if self.rng.random() < 0.35 else [])


def program(rng: random.Random) -> str:
    """Return a function of a matrix, a vector and a number with trials in its blocks."""
    lines: list[str] = []
    while len(lines) < 5:
        lines += Writer(rng).block(1, False)
    return (
        HEAD + "".join(f"{x}\n" for x in lines) + "    return s + t * np.sum(A) + np.sum(a * v)\n"
    )
