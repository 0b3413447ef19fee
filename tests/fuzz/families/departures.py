"""Numbers and arrays that are added to before and behind what leaves a loop, a block or the function.

s += u[i] * 0.3
if s > 0.6:
    break
s -= w[1] * 0.2
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import filled, forms

HOLES = {
    "x": forms(
        """
        s   t   u[i % 5]   v[2]   u[0]   s * t   w[1]   0.3   np.sum(w)   t * t   w[i % 5]   v[i % 5] * s
        """
    )
}
CHANGES = forms(
    """
    s += {x} * 0.3   s -= {x} * 0.2   s = s + {x} * 0.3   s = {x}   s = {x} * 0.5   s = s * 1.2   s *= 0.9   t = t + {x} * 0.2
    t -= {x} * 0.1   t = s   t = s * 0.5   s = t + {x}   w = w + {x} * 0.1   w += {x} * 0.1   w[1:] += {x} * 0.1   w[i % 5] += {x} * 0.2
    w[i % 5] = {x}   w -= u * 0.1   w *= 0.9   w = u * {x}   s, t = t, s   w[1:] -= w[:-1] * 0.3   w[:] = u * {x}   w = w - v * {x}
    t = np.sum(w) * 0.1   t += w[0]
    """
)
TESTS = forms(
    """
    s > 0.6   t > 0.5   u[i % 5] > 0.5   w[1] > 0.3   i > 2   np.sum(w) > 1.0   s + t > 1.0
    """
)
RAISING = forms(
    """
    r = math.sqrt(0.5 - u[i % 5])   r = 1.0 / (i - 2)   r = [0.1, 0.2][i]   r = math.log(0.6 - v[i % 5])
    """
)
LOOPS = ("for i in range(4):", "for i in range(3):", "while i < 4:")
HEAD = """import math

import numpy as np


def f(u, v):
    s, t, w, i = u[0], v[1], u * v, 1
"""


def program(rng: random.Random) -> str:
    """Return a function of two vectors with a loop that may be left between its statements."""

    def changes(*counts: int) -> list[str]:
        return [filled(rng, rng.choice(CHANGES), HOLES) for _ in range(rng.choice(counts))]

    def inner(lines: list[str]) -> list[str]:
        return [f"    {line}" for line in lines]

    def departure() -> list[str]:
        draw, test = rng.random(), f"if {rng.choice(TESTS)}:"
        if draw < 0.6:
            return [test, *inner(changes(0, 0, 1)), f"    {rng.choice(('break', 'continue'))}"]
        if draw < 0.75:
            return [test, "    return s * 1.5 + t + np.sum(w)"]
        if draw < 0.87:
            tried = [*changes(1, 2), rng.choice(RAISING), *changes(1, 2)]
            caught = ["pass"] if rng.random() < 0.4 else changes(1)
            return ["try:", *inner(tried), "except Exception:", *inner(caught)]
        return [test, *inner(changes(1, 2))]

    def block(depth: int) -> list[str]:
        lines = []
        for _ in range(rng.choice((1, 2, 2))):
            lines += [*changes(1, 2), *departure()]
        if not depth and rng.random() < 0.12:
            lines += [rng.choice(("for i in range(3):", "for k in range(2):")), *inner(block(1))]
        return [*lines, *changes(1, 2)]

    loop = rng.choice(LOOPS)
    counted = ["i += 1"] if loop.startswith("while") else []
    lines = [*changes(1), loop, *inner([*counted, *block(0)])]
    lines += ["else:", *inner(changes(1))] if rng.random() < 0.3 else []
    lines += [*changes(1), "return s + t * np.sum(w) + w[2]"]
    return HEAD + "".join(f"{line}\n" for line in inner(lines))
