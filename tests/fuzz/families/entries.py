"""Lists whose items are lists of several kinds of values: a queue of counts, numbers and words.

waiting.append([i, u[i] ** 2, "sin"])
count, value, word = waiting.pop(0)
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

COUNTS = forms("i  i + 1  1  2  len(waiting)")
VALUES = forms("u[i] ** 2  s * v[i]  np.sin(u[i])  0.5  u[i] * v[i]")
WORDS = forms("'sin'  'exp'  'tanh'")
# {new} is an entry, {r} the name of one, {count}, {value} and {word} are made anew
CHANGES = (
    "waiting.append({new})",
    "waiting.insert(0, {new})",
    "waiting = [{new}, *waiting]",
    "waiting = waiting + [{new}]",
    "{r} = {new}\nwaiting.append({r})",
    "waiting[-1][0] += 1",
    "waiting[-1][1] *= 0.9",
    "waiting[0] = {new}",
    "for {r} in waiting:\n    {r}[1] = {r}[1] * 0.8 + 0.01 * {r}[0]",
    "last = waiting.pop()\ns = s + 0.1 * last[1] * v[last[0] % len(v)]\nwaiting.append(last)",
    "n, x, word = waiting[0]\ns += 0.1 * np.sum(np.full(n % 3, x)) + (0.1 if word == 'exp' else 0.2)",
    "for n, x, word in waiting:\n    s += 0.02 * (np.sin(x) if word == 'sin' else x) * u[n % 5]",
    "s += 0.05 * sum(x * n for n, x, _ in waiting)",
    "while len(waiting) > 3 and waiting[0][0] < 4:\n    waiting.pop(0)",
    "best = max(waiting, key=lambda r: r[1])\ns += 0.1 * best[1] * u[best[0] % 5]",
    "waiting.sort(key=lambda r: -r[0])",
    "s += 0.1 * np.sum(np.repeat([r[1] for r in waiting], [r[0] % 3 for r in waiting]))",
)
RESULTS = (
    "sum(x * n + (s if word == 'sin' else 0.1) for n, x, word in waiting)",
    "s * waiting[-1][1] + np.sum(np.ones(waiting[0][0] % 4) * waiting[0][1])",
    "s + sum(v[r[0] % 5] * r[1] ** 2 for r in waiting)",
)


def program(rng: random.Random) -> str:
    """Return a function that changes a list of entries of several kinds in each pass of a loop."""

    def change() -> str:
        return rng.choice(CHANGES).format(new=_entry(rng), r=rng.choice(("row", "entry")))

    lines = ["s = u[0] * 1.5", "i = 0", "waiting = [[1, u[1], 'sin']]"]
    lines.append(f"for i in range({rng.choice(('len(u)', '3', '4'))}):")
    lines += passes(rng, change, 3)
    lines.append(f"return {rng.choice(RESULTS)}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(u, v):\n{body}"


def _entry(rng: random.Random) -> str:
    """Return a list of a count, a number and a word."""
    parts = (rng.choice(each) for each in (COUNTS, VALUES, WORDS))
    return f"[{', '.join(parts)}]"
