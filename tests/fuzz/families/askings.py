"""Small functions whose results have every form that a derivative can be asked of.

u = u.copy(); u[1:] *= u[:-1]
w = np.where(u > 0.3, A[0] * c, u)
return Pair(w, {"a": np.sum(w), "b": A @ u})
"""

from __future__ import annotations

import random

import numpy as np

from tests.fuzz.families.passes import forms
from tests.oracles import Args

# {v} is a vector of three elements, {m} a matrix of 2 x 3, {n} a number
VECTORS = forms(
    """
    u   u   w   w   A[0]   A[1] * w   np.sin({v})   {v} * {v}   {v} * {n}   {m}[1]   {m}.sum(axis=0)   np.where({v} > 0.3, {v}, {v})   {v}[::-1]   np.cumsum({v})
    np.roll({v}, 1)   np.maximum({v}, {n})   {v} + {n}   {v} ** 2   np.tanh({v} @ np.outer({v}, u))   np.array([{n}, {n}, 0.5])   np.exp(-{v})   np.full(3, {n})
    np.concatenate([{v}[:1], {v}[1:]])   np.linalg.solve(np.eye(3) * 2.0 + np.outer(u, w) * 0.1, {v})   np.cross({v}, u)   np.sort({v})   {v} / (1.0 + {v} ** 2)   np.abs({v})
    {m}.T @ {m}[:, 0]   np.mean({m}, axis=0)   np.clip({v}, 0.1, 0.7)   np.max({m}, axis=0)   np.interp({v}, [0.0, 0.5, 1.0], w)   np.gradient({v})   {v}[[2, 0, 0]]   np.hypot({v}, 1.0)
    np.convolve({v}, [0.5, 0.2], 'same')   np.sqrt({v} ** 2 + 0.1)   np.zeros(3)   np.einsum('ij,j->j', {m}, {v})   np.pad({v}[1:], (1, 0))   np.repeat({v}[:1], 3)   {v}.copy()   0.3 * {v}
    """
)
MATRICES = forms(
    """
    A   A   B   np.outer(u[:2], {v})   {m} * {v}   {m} + {n}   np.sin({m})   {m}[::-1]   np.stack([{v}, {v}])   {m} @ np.diag({v})   {m} * {m}   np.array([{v}, w])   np.cumsum({m}, axis=1)
    np.reshape({v}[None] * {m}, (2, 3))   {m} - {m}.mean(axis=1, keepdims=True)   np.where({m} > 0.4, {m}, {v})   np.tile({v}, (2, 1))   np.exp({m} * 0.3)   {m} / (1.0 + np.sum({v} ** 2))   np.broadcast_to({v}, (2, 3))
    """
)
NUMBERS = forms(
    """
    c   c   s   u[0]   w[1]   A[1, 2]   np.sum({v})   {v} @ {v}   np.sum({m} ** 2)   np.sin({n})   {n} * {n}   np.max({v})   {m}[0, 1]   np.mean({m})   np.linalg.norm({v})   {v}[-1]   0.7   np.prod({v})
    np.exp(-{n})   np.linalg.det({m}[:, :2])   np.std({v})   np.trapezoid({v})   (s if c > 0.5 else {n})   max({n}, s)   float({n})   np.vdot({v}, {v})   abs({n})   {n} ** 3   s / (1.0 + {n} ** 2)
    """
)
LINES = forms(
    """
    w = {v}   w = w.copy(); w[1:] *= w[:-1]   w = w.copy(); w[0] = {n}   s = {n}   s = s * {n}   B = {m}   w = w * {n}   u = u.copy(); u += {v}   u = u * 1.0; u[{i}] = {n}   A = A.copy(); A[0] *= {v}   A = A.copy(); A[:, {i}] = {n}
    for k in range(3): s = s * 0.8 + w[k] * {n}   for k in range(2): w = np.tanh(w + A[k] * {n})   for a in w: s += a * {n} * 0.3   for k in range(1, 3): w = w * 1.0; w[k] += w[k - 1] * s   if {n} > 0.4: s = s * 1.5
    if {n} > 0.5: w = w * {v}   w, u = u, w   w = u   w = u[::-1]   v = np.zeros(3); v[:2] = {v}[1:]; w = w + v   w[w > 0.4] = {n}   w = w.copy(); w[w > 0.4] *= {n}   B = A.copy(); B[1] = {v}   B = B.copy(); B += {v}   w = w.copy(); w -= w.mean()
    s = w @ u   d = {"a": {v}, "b": {n}}; w = d["a"] * d["b"]   xs = [{v}, {v}]; w = xs[0] * xs[1]   while s > 1.0: s = s * 0.5   c = c * {n}   w = u + w; u = w * 0.5   k = 0\n    while k < 2 and s < 2.0: s = s + {n} * w[k]; k += 1   B = np.zeros((2, 3)); B[0] = {v}; B[1, 1:] = {v}[:2]
    """
)
RESULTS = {
    "vector": ("{v}", "w", "u * w", "w + {v}"),
    "number": ("{n}", "np.sum(w * {v})", "s + np.sum(B * A)", "w @ u + s", "s", "np.sum({v} ** 2)"),
    "matrix": ("{m}", "B", "np.outer(u[:2], w)"),
    "tuple": (
        "({v}, {n})",
        "(w, u)",
        "({n}, {m}, {v})",
        "(w, w)",
        "(s, u)",
        "({v}, A, w[::-1])",
        "u, w[1:], s",
        "({v},)",
        "(w, 0.5)",
        "(c, u)",
    ),
    "dict": (
        '{"a": {v}, "b": {n}}',
        '{"a": w, "b": {m}, "c": s}',
        "dict(a={n}, b={n})",
        '{"p": u, "q": w}',
        '{"a": {n}}',
    ),
    "pair": (
        "Pair({v}, {n})",
        "Pair(w, u)",
        "Pair({n}, {m})",
        "Pair(a=s, b=w)",
        "Both({v}, {n})",
        "Both(w, u)",
    ),
    "nested": (
        '({v}, {"a": {n}, "b": {m}})',
        "[w, ({n}, u)]",
        '{"a": (w, s), "b": [{v}]}',
        'Pair(w, {"a": {n}})',
        "((w, s), (u, {n}))",
        "[{n}, {n}]",
        "[w, {v}]",
    ),
}
HEAD = """from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclass
class Both:
    a: Any
    b: Any


def f(u, A, c):
    w, B, s = u * c, A * u, c * 1.3
"""
HOLES = {"v": VECTORS, "m": MATRICES, "n": NUMBERS, "i": ("0", "1", "2", "-1")}
LEAVES = {"v": ("u", "w", "A[1]"), "m": ("A", "B"), "n": ("s", "c", "w[1]")}
DEEPEST = 2


def arguments(rng: np.random.Generator) -> Args:
    """Return a vector of three elements, a matrix of two rows, and a number."""
    vector, matrix = (np.abs(rng.uniform(-0.1, 1.0, shape)).round(3) for shape in (3, (2, 3)))
    return vector, matrix, float(rng.uniform(0.2, 1.0))


def program(rng: random.Random) -> str:
    """Return a function of a vector, a matrix and a number, with a result of some form."""
    form = rng.choice(list(RESULTS))

    def nested(text: str, depth: int) -> str:
        while (
            at := min((p for p in (text.find("{" + h + "}") for h in HOLES) if p >= 0), default=-1)
        ) >= 0:
            name = text[at + 1]
            choices = (
                LEAVES[name]
                if name in LEAVES and (depth > DEEPEST or rng.random() < 0.4)
                else HOLES[name]
            )
            text = text[:at] + nested(rng.choice(choices), depth + 1) + text[at + 3 :]
        return text

    lines: list[str] = []
    for _ in range(rng.choice((0, 1, 2, 2, 3))):
        line = nested(rng.choice(LINES), 1)
        lines += [line] if line.startswith(("for", "if", "while", "k = 0")) else line.split("; ")
    lines.append(f"return {nested(rng.choice(RESULTS[form]), 1)}")
    return HEAD + "".join(f"    {line}\n" for line in lines)
