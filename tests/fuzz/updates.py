"""Random programs that update arrays in place under several names: in lists, dicts, objects, rows, loops, helpers.

program(7)      the text of a module with a function f(u)
"""

from __future__ import annotations

import random

HEAD = """import numpy as np


def scale(a, c):
    a *= c


def shift(a, c):
    a += c
    return a


def power(a):
    a **= 2
    return np.sum(a)


class Box:
    def __init__(self, r):
        self.r = r

    def grow(self, c):
        self.r *= c
        return self


def f(u):
    a = np.sin(u)
    b = np.cos(u) + 1.5
    t = 0.0
    xs = [a, b.copy()]
    box = Box(b)
    M = np.outer(u, u)
    d = {"k": a}
"""
END = """    held = np.sum(b * xs[0]) + np.sum(xs[1]) + np.sum(box.r**2) + np.sum(d["k"])
    return t + np.sum(a) + np.sum(M) + held
"""
PLACES = ("a", "b", "xs[0]", "xs[1]", "box.r", "M[0]", "M[:, 1]", 'd["k"]')
ARRAYS = (*PLACES, "M.sum(axis=0)", "np.sin(b)", "u")
NUMBERS = ("u[0]", "a[1]", "b[0]", "0.1 * t", "xs[1][2]", "M[0, 1]", "0.1 * np.sum(a)", "box.r[2]")
LISTS = ("a", "b", "xs[0]", "M", "box.r", "a[::-1]", "xs", "M.T")
BINDINGS = (
    *("a, b = b, a", "xs[0] = b", "xs[1] = a.copy()", "xs[1] = M[0]", "xs[0] = a * b"),
    *("a = xs[0]", "b = box.r", "a = a * 1.0", "b = M[0]", 'd["k"] = b', 'd["k"] = b * 1.0'),
    *("box.r = a", "box.r = b * 1.0", "box.r = xs[0]"),
)


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def of(self, choices: tuple[str, ...]) -> str:
        return self.random.choice(choices)

    def bounded(self) -> str:
        return f"np.tanh({self.of(self.random.choice((ARRAYS, NUMBERS)))})"

    def update(self, items: tuple[str, ...]) -> str:
        symbol = self.of(("*=", "+=", "/=", "-=", "**="))
        value = self.bounded()
        if items and self.random.random() < 0.5:
            value = f"(0.5 + 0.1 * np.tanh({self.of(items)}))"
        value = {"/=": f"1.5 + {value} ** 2", "**=": "2"}.get(symbol, value)
        return f"{self.of(PLACES)} {symbol} {value}"

    def simple(self, items: tuple[str, ...]) -> str:
        number = f"np.tanh({self.of(NUMBERS)})"
        place = f"{self.of(('a', 'b', 'xs[1]', 'M[0]'))}[{self.of(('0', '1:', '-1', '[0, 2]'))}]"
        return self.of(
            (
                *[self.update(items)] * 6,
                *(f"scale({self.of(PLACES)}, {number})", f"t += power({self.of(PLACES)})"),
                f"t += np.sum(shift({self.of(PLACES)}, {number}))",
                *(f"box.grow({number})", *[self.of(BINDINGS)] * 3),
                f"{place} {self.of(('*=', '+=', '='))} {number}",
                f"t += np.sum({self.of(ARRAYS)}) * {self.of(NUMBERS)}",
            )
        )

    def head(self, items: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """Return the first line of a block, and the numbers that are had in it."""
        self.count += 1
        k, over = self.count, self.of(LISTS)
        loops = (
            f"for s{k} in {over}:",
            f"for k{k}, s{k} in enumerate({over}):",
            f"for s{k}, q{k} in zip({over}, b):",
        )
        inside = (*items, f"np.sum(s{k})")
        return self.random.choice(
            (
                *((loop, inside) for loop in loops),
                (f"if {self.of(NUMBERS)} > {self.of(('0.1', '-0.5', '0.5'))}:", items),
                (f"for _ in range({self.random.randint(1, 3)}):", items),
            )
        )

    def block(self, depth: int, items: tuple[str, ...]) -> list[str]:
        if depth > 3 or self.random.random() < 0.8:
            return ["    " * depth + self.simple(items)]
        first, inside = self.head(items)
        lines = ["    " * depth + first]
        for _ in range(self.random.randint(1, 3)):
            lines += self.block(depth + 1, inside)
        if inside != items:
            lines.append("    " * (depth + 1) + f"t += 0.1 * {inside[-1]}")
        return lines


def program(seed: int) -> str:
    """Return the text of a module with a function f(u) of an array of three numbers."""
    writer = _Writer(seed)
    lines = [line for _ in range(writer.random.randint(4, 9)) for line in writer.block(1, ())]
    return HEAD + "\n".join(lines) + "\n" + END
