"""Results with parts: shared, nested, views of each other, arguments and parts of them.

w = p["a"] * xs[0]
q = {"w": w, "row": p["b"][1]}
return [q, (w, w[1:]), p["c"]]
"""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np

from tests.fuzz.families.passes import forms
from tests.oracles import Args, pack, unpack

# {v} is a vector of three elements, {m} a matrix of two rows, {n} a number, {r} any result
VECTORS = forms(
    """
    p["a"]   xs[0]   xs[1] * u   u   t[0]   p["b"][0]   p["b"].T[:, 1]   np.sin(u)   w   w[::-1]
    w[:]   A[1]   u * {n}   {v} + {v}   np.cumsum(w)   w * w   {v}.copy()   {m}.sum(axis=0)
    np.asarray(w)   np.where(w > 0.5, {v}, {v})   {m}[0]   z   np.broadcast_to({n}, 3)
    """
)
MATRICES = forms(
    """
    p["b"]   p["b"] * u   A   A[::-1]   np.outer(u[:2], w)   A * {n}   np.stack([{v}, {v}])
    np.array([{v}, w])   A[:]   w + p["b"]   np.broadcast_to({v}, (2, 3))
    """
)
NUMBERS = forms(
    """
    p["c"]   xs[2]   t[1]   u[0]   np.sum(w)   c   c * w[1]   s   float(u[1])   np.max({v})   0.5
    {n} * {n}   w @ u   A[1, 2]
    """
)
CHANGES = forms(
    """
    w = {v}   w = w.copy(); w[1:] *= {n}   z = w   z = w[::-1]   A = {m}   A = A.copy(); A[0] += w
    ys = [w, w]   ys.append({v})   ys[0] = {v}   q["a"] = {v}   q["c"] = {n}   q = {"a": w, "b": z}
    p = dict(p)   p["a"] = {v}   xs = list(xs)   xs[0] = {v}   u *= 1.5   p["a"] += {v}
    p["c"] *= 1.5   xs[1] *= {n}   xs[2] = {n}   A = A + 0.0; A[:, 1] = {n}   s = {n}   w, z = z, w
    ys = ys[::-1]   q = dict(q)   ys = [*ys, {v}]   w = w + 0.0; z = w; w += {v}   t = ({v}, {n})
    for e in ys: s = s + np.sum(e) * 0.3   u = u * 1.0; u[0] = {n}   ys = [e * s for e in ys]
    z = z.copy(); z[...] = w   A = A.copy(); z = A[0]   w = np.array(w); w.sort()
    """
)
BRANCHES = ("if u[0] > 0.4:", "for k in range(2):", "if c > 0.3:")
RESULTS = forms(
    """
    {v}   {n}   {m}   {v}   {m}   w   ys   q   p   xs   t   z   A   (w, w)   [w, w[1:]]   [z, w]
    (w, w.reshape(3, 1))   (A, A.T)   tuple(ys)   [e * 2.0 for e in xs]   (u, p, u)   [*xs, w]
    {k: e * 2.0 for k, e in p.items()}   {"x": w, **q}   ys + [w]   (*t, w)   dict(a=w, b=s)
    """
)
DISPLAYS = ("({r}, {r})", "[{r}, {r}]", '{"k": {r}, "l": {r}}', "({r}, {r}, {r})", "{r}")
HOLES = {"v": VECTORS, "m": MATRICES, "n": NUMBERS, "r": RESULTS}
LEAVES = {"v": ("w", "u", "z"), "m": ("A", 'p["b"]'), "n": ("s", "c"), "r": ("w", "s")}
DEEPEST = 2


def arguments(rng: np.random.Generator) -> Args:
    """Return a dict, a list and a tuple of arrays and numbers, a vector and a number."""

    def some(*shape: int) -> Any:
        return np.abs(rng.uniform(-0.1, 1.0, shape)).round(3)

    numbers = [float(rng.uniform(0.2, 1.0)) for _ in range(4)]
    p = {"a": some(3), "b": some(2, 3), "c": numbers[0]}
    return p, [some(3), some(3), numbers[1]], (some(3), numbers[2]), some(3), numbers[3]


def program(rng: random.Random) -> str:
    """Return a function whose result has parts."""

    def filled(form: str, depth: int = 0) -> str:
        while (at := _hole(form)) >= 0:
            hole = form[at + 1]
            choices = HOLES[hole] if depth < DEEPEST else LEAVES[hole]
            part = rng.choice((*DISPLAYS, *RESULTS) if hole == "r" and depth < 1 else choices)
            form = form[:at] + filled(part, depth + 1) + form[at + 3 :]
        return form

    lines = [
        "s = c * 1.2",
        "w = u",
        "z, A = u, p['b']",
        "ys, q = [u], {'a': u}",
        f"w = {filled('{v}')}",
    ]
    for _ in range(rng.randint(1, 5)):
        change = filled(rng.choice(CHANGES))
        if rng.random() < 0.2 and not change.startswith("for"):
            lines += [rng.choice(BRANCHES), f"    {change}"]
        else:
            lines.append(change)
    lines.append(f"return {filled(rng.choice(DISPLAYS))}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(p, xs, t, u, c):\n{body}"


def _hole(form: str) -> int:
    found = [form.find("{" + hole + "}") for hole in HOLES]
    return min((at for at in found if at >= 0), default=-1)


def seed_of(text: str, args: Args, rng: np.random.Generator) -> Any:
    """Return numbers for all floats of what a program returns."""
    space: dict[str, Any] = {}
    exec(text, space)
    try:
        value = space["f"](*copy.deepcopy(args))
    except Exception:  # the score says that it does not run
        return 1.0
    return unpack(rng.uniform(-1.0, 1.0, pack(value).size).round(2), value)
