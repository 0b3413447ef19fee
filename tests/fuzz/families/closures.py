"""Inner functions that read, rebind and write what is around them, and are handed on as values.

def put(x, k):
    nonlocal s
    w[k] = x * s
    s = s * 0.9
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

FUNCTIONS = (
    "def scaled(x, k=0.5):\n    return x * k + s",
    "def scaled(x, k=0.5):\n    return np.sin(x) * w[1] + k",
    "def scaled(x, k=0.5):\n    y = x * v[0]\n    y[:2] += k\n    return y",
    "def scaled(x, k=0.5):\n    if np.sum(x) > 1.0:\n        return x * s\n    return w * k",
)
CHANGING = (
    "def put(x, k):\n    w[k] = np.sum(x) * 0.3\n    return w",
    "def put(x, k):\n    nonlocal s\n    s = s * 0.9 + x[k] * 0.2\n    return s * w",
    "def put(x, k):\n    nonlocal w\n    w = w * 0.5 + x * s\n    return w[:3]",
    "def put(x, k):\n    nonlocal w, z\n    w, z = z, w\n    z[k] *= s\n    return w",
    "def put(x, k):\n    kept.append(x[k] * s)\n    return w + kept[0]",
    "def put(x, k):\n    x[k] += s\n    return x",
)
MAKING = (
    "def made(k):\n    c = k * s\n    return lambda x: x * c + w[1]",
    "def made(k):\n    def inner(x):\n        return x[k] * s + x\n    return inner",
    "def made(k):\n    calls = [k]\n    def inner(x):\n        calls.append(k)\n        return x * len(calls) * s\n"
    "    return inner",
    "def made(k):\n    return partial(scaled, k=k * s)",
    "def made(k):\n    c = w.copy()\n    def inner(x):\n        nonlocal c\n        c = c * 0.8 + x[k]\n"
    "        return c\n    return inner",
)
CHANGES = forms(
    """
    w = scaled(w)  z = scaled(z, s)  s = s * 0.8 + np.sum(scaled(w)) * 0.1  put(z, i)  put(w, 1)
    z = put(w * 1.0, i)[0] * z  fs.append(made(i))  fs[-1] = made(i)  w = w * 0.5 + fs[-1](z)
    s += 0.1 * np.sum(fs[i % len(fs)](w))  s += 0.1 * sum(np.sum(g(z)) for g in fs)  w, z = z, w
    g = fs[0]  w = g(w) * 0.5  kept.append(s)  s = s * 0.9 + kept[-1] * 0.1  z = np.sin(w)  w = w.copy()
    fs.append(lambda x: x * s + i)  fs.append(lambda x, k=i: x * k + w[0])  w[i] = s  z += s * w
    """
)
RESULTS = ("np.sum(w * z) + s", "np.sum(fs[-1](w)) * s", "np.sum(put(w, 2)) + s * np.sum(z)")


def program(rng: random.Random) -> str:
    """Return a function whose inner functions are called, made and replaced in each pass of a loop."""
    inner = (rng.choice(FUNCTIONS), rng.choice(CHANGING), rng.choice(MAKING))
    lines = ["i, s, kept = 1, u[0] * 1.5, [v[1]]", "w, z = u * v, np.cos(u)"]
    lines += [line for text in inner for line in text.split("\n")]
    lines.append(f"fs = [{rng.choice(('scaled', 'np.sin', 'made(2)'))}]")
    lines.append(f"g = {rng.choice(('fs[0]', 'scaled', 'made(1)'))}")
    lines.append(f"for i in range({rng.choice(('2', '3', '4'))}):")
    lines += passes(rng, lambda: rng.choice(CHANGES), 4)
    lines.append(f"return {rng.choice(RESULTS)}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"from functools import partial\n\nimport numpy as np\n\n\ndef f(u, v):\n{body}"
