"""Matrices in lists, dicts and objects: rows, columns, transposes and blocks of them, written in place.

held[0].T[1] += held[1][0]
for row in held[1]:
    row -= row.mean()
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import filled, forms, passes

ITEMS = (
    "M * c",
    "np.outer(v[:3], v)",
    "M[:, ::-1] * v",
    "M + 0.0",
    "np.sin(M)",
    "np.zeros((3, 4))",
)
HOLDERS = (
    ("held = [{x}, {x}, {x}]", ("held[0]", "held[1]", "held[i % 3]", "held[-1]"), "held"),
    ("held = {'a': {x}, 'b': {x}}", ("held['a']", "held['b']"), "held.values()"),
    ("held = SimpleNamespace(a={x}, b={x})", ("held.a", "held.b"), "(held.a, held.b)"),
    ("held = [[{x}, {x}], [{x}]]", ("held[0][0]", "held[0][1]", "held[i % 2][0]"), "held[0]"),
    (
        "held = {'a': [{x}, {x}], 'b': {x}}",
        ("held['a'][0]", "held['a'][i % 2]", "held['b']"),
        "held['a']",
    ),
    ("held = np.stack([{x}, {x}, {x}])", ("held[0]", "held[1]", "held[i % 3]"), "held"),
    ("held = Field({x}, {x})", ("held.a", "held.b"), "(held.a, held.b)"),
    ("held = ({x}, {x})", ("held[0]", "held[1]"), "held"),
)
HOLES = {
    "n": forms("c  s  v[{k}]  {p}[1, {k}]  {r}[{k}]  0.7  np.sum({p}) * 0.1  {p}[i % 3, {k}]"),
    "k": ("0", "1", "2", "3", "i"),
    "j": ("0", "1", "2", "i % 3", "-1"),
    "r": (
        "w",
        "z",
        "v",
        "{p}[{j}]",
        "{p}.T[0:3, 1].sum() * v",
        "{p}.sum(axis=0) * 0.3",
        "np.sin({p}[1])",
    ),
    "q": ("{p}[:, {k}]", "{p}.sum(axis=1)", "{p}[:, 1] * {n}", "w[:3]", "v[1:]"),
    "m": ("{p}", "{p} * c", "M", "{p}[::-1]", "np.sin({p})", "{p} * {r}", "{q}[:, None] * {r}"),
}
CHANGES = forms(
    """
    {p}[{j}] = {r}  {p}[{j}] += {r} * {n}  {p}[:, {k}] *= {n}  {p}[:, {k}] = {q}  {p}.T[{k}] += {q}
    {p} += {m}  {p} *= {r}  {p}[1:] = {p}[:-1]  {p}[1:] += {p}[:-1] * c  {p}[:, 1:] -= {p}[:, :-1]
    {p}[1:, 1:] = {p}[:-1, :-1] * {n}  {p} -= {p}.mean(axis=0)  {p} -= {q}[:, None]  {p}[...] = {m}
    {p}[::2, ::3] = {n}  {p}[[2, 0]] = {p}[[0, 1]]  {p}[{p} > 0.5] *= {n}  {p}[{j}, {k}] = {n}
    {p}[{j}, {k}] += {n}  {p}.ravel()[3:7] = {r}  {p}.reshape(-1)[::3] += {r}  {p}.flat[2] = {n}
    {p}.reshape(2, 6)[1, 2:] *= {n}  {p}[{j}], {p}[0] = {p}[0].copy(), {r} * 1.0
    np.multiply({m}, {r}, out={p})  np.copyto({p}, {m}, where={p} < 0.4)  {p}[:] = {p}.T.reshape(3, 4)
    np.fill_diagonal({p}, {n})  np.add.at({p}, ([0, 2, 0], [1, 1, 1]), {n})
    """
)
REBINDS = forms(
    """
    {P} = {m}  {P} = {m} * 1.0  {P}, {P} = {p}, {m}  {P} = {p}.T.reshape(3, 4)  {P} = {p}[::-1]
    {P} = {p}.T[::-1].T  {P} = {p}.copy()  {P} = np.vstack([{p}[1:], {r}])  {P} = np.roll({p}, 1, axis=0)
    """
)
NAMES = forms(
    """
    w = {p}[{j}]  w = {r} * 1.0  w += {r}  w[1:] *= {n}
    w[0] = {n}  z = w  z = {p}.ravel()[4:8]  z = {p}[{j}][::-1]  z *= {n}  w, z = z, w  z = {r}.copy()
    A = {p}  A *= {n}  A = {p}.T  A[{j}] = A[{j}] * {n}  A[1:2] += 0.1  A = A.copy()
    for row in {p}: row *= {n}  for row in {p}: row[1:] += row[:-1] * c
    for h in {all}: h *= {n}  for h in {all}: h[{j}] += {r}  for h in {all}: s = s * 0.9 + h[1, 2] * 0.1
    for col in {p}.T: col -= col[0] * 0.3  for a, b in zip({p}, {m}): a += b * c
    for a, b in zip({all}, {all}): a[0] = b[1] * c  for k, row in enumerate({p}): row[k] = s
    for x, y in zip({p}, v): x *= y  s = s * 0.8 + np.sum({p} * {m}) * 0.05  s += 0.1 * {q} @ {q}
    s += 0.1 * max(np.sum(h) for h in {all})  other = held  other = copy.deepcopy(held)
    other = copy.copy(held)  s = s * 0.9 + 0.1 * np.sum(other_sum(held))
    """
)
RESULTS = (
    "np.sum({p} ** 2) + np.sum({p}) * s",
    "np.sum({p} * {p}) + np.sum(w * z)",
    "sum(np.sum(h * h) for h in {all}) + s * np.sum(w)",
    "np.sum({p}[1] * {r}) + np.sum(A) * s",
)
HEAD = """import copy
from types import SimpleNamespace

import numpy as np


class Field:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def other_sum(h):
    return np.sum([np.sum(x) for x in h]) if isinstance(h, list) else 1.0


def f(M, v, c):
"""


def program(rng: random.Random) -> str:
    """Return a function that writes to matrices which a container holds, through views of them."""
    holder, places, every = rng.choice(HOLDERS)
    holes = {**HOLES, "p": places, "P": places, "all": (every,), "x": ITEMS}
    pool = CHANGES if holder.startswith("held = (") else CHANGES + REBINDS

    def change() -> str:
        return filled(rng, rng.choice(pool if rng.random() < 0.6 else NAMES), holes)

    made = filled(rng, holder, holes)
    lines = [
        "i, s = 0, v[0] * 1.5",
        made,
        "other = held",
        f"A = {rng.choice(('M * v', places[0]))}",
    ]
    lines.append(f"w = {rng.choice(('v * c', places[0] + '[1]', 'A[2]'))}")
    lines.append(f"z = {rng.choice(('v * 1.0', places[1] + '[2][::-1]', 'w'))}")
    lines += [change() for _ in range(rng.choice((0, 1, 2)))]
    if rng.random() < 0.7:
        lines.append(f"for i in range({rng.choice(('2', '3', 'len(M)'))}):")
        lines += [line.replace("u[i]", "v[i]") for line in passes(rng, change, 4)]
    lines.append(f"return {filled(rng, rng.choice(RESULTS), holes)}")
    body = "".join(f"    {line}\n" for line in lines)
    return HEAD + body
