"""Positions that are computed: orders, the largest, what is chosen, bins; gathers and scatters there.

k = np.argsort(w)
w[k[:2]] = w[k[1:3]] * s
np.add.at(z, k % 3, w)
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import filled, forms, passes

HOLES = {
    "k": forms(
        """
        np.argsort({w})  np.argsort({w})[:3]  np.nonzero({w} > 0.4)[0]  np.flatnonzero({w} > s * 0.5)
        np.searchsorted([0.2, 0.5], {w})  np.argsort({w})[::-1]  np.array([i, 0, i])  k  j  k[:2]
        np.digitize({w}, [0.3, 0.6])  np.arange(5) % 3  np.where({w} < 0.6)[0]  np.argpartition({w}, 2)[:2]
        np.argmax(A, axis=0)  np.clip(k + 1, 0, 4)  np.unravel_index(np.argmax(A), A.shape)[1]  (k + i) % 5
        np.lexsort((v, w))  np.array([np.argmax({w}), np.argmin({w})])  np.unique(k)  np.argmin(A, axis=1)
        np.argwhere({w} > 0.3)[:, 0]  [i, 3]  [0, 2, 0]  np.triu_indices(3)[1]  [np.argmax({w}), i]
        """
    ),
    "m": forms(
        "np.argmax({w})  i  int(np.argmin({w}))  k[0]  k[-1]  int(np.sum({w} > 0.4)) % 5  -1  j[i % 2]"
    ),
    "w": ("w", "z", "u", "A[1]", "w * v", "v"),
    "r": ("w", "z", "A[0]", "A[i % 3]"),
    "n": ("s", "{w}[{m}]", "0.8", "v[{m}] * s"),
    "x": ("{w}[{k}]", "{w}[{k}] * s", "{w} * {n}", "np.sin({w})", "{w}[::-1]", "A.T[{k}, 1]"),
}
CHANGES = forms(
    """
    k = {k}  j = {k}  {r}[{k}] *= {n}  {r}[{k}] = {n}  {r}[{k}] += {n}  {r}[{m}] = {n}  {r}[{m}] += {n}
    {r}[k] = {w}[k] * s  {r}[k] += {w}[k]  {r}[k] = {r}[k][::-1]  {r}[j] -= {w}[j] * {n}  np.add.at({r}, {k}, {n})
    np.add.at({r}, k, {w}[k])  np.subtract.at({r}, k, {w}[k] * s)  np.maximum.at({r}, {k}, {n})  w = {w}[np.argsort({w})]
    A[{m} % 3, {k}] = {n}  A[:, {k}] *= {n}  A[1, k] = {w}[k]  A[[0, 2], {m}] += {n}  A[A > {n}] *= s
    w = np.where({w} > {n}, {w}, z)  z = np.take({w}, np.argsort({w}))  s = s * 0.8 + 0.1 * np.sum({x})  w = w.copy()
    s += 0.1 * {w}[{m}]  z = np.bincount(np.arange(5) % 3, weights={w}, minlength=5)  np.put({r}, {k}, {n})
    {r}[{m}], {r}[0] = {r}[0], {r}[{m}]  {r}[{w} > 0.4] = {n}  {r}[({w} > 0.4) & ({w} < {n} + 1.0)] += {n}
    for p in {k}: {r}[p] += {n}  for p, q in zip(k, j): {r}[p] = {r}[q] * s  mask = {w} > 0.4\n{r}[mask] = {w}[mask] * {n}
    {r}[~mask] *= {n}  mask[{m}] = True  mask[k] = False  mask &= {w} < 0.9  z = np.take_along_axis(A, np.argsort(A, axis=1), axis=1)[1]
    np.put_along_axis(A, np.argmax(A, axis=1)[:, None], {n}, axis=1)  A[np.arange(3), np.argmax(A, axis=1)] = {n}
    A[np.ix_([0, 2], [1, i])] *= {n}  z = np.repeat({w}[:2], [2, 3])  w = {w}[mask].sum() * v  z = {x}.sum() * v  w = z
    """
)
RESULTS = (
    "np.sum(w * z) + np.sum(A ** 2) * s",
    "np.sum(w ** 2) + np.sum(A[1] * z) + s",
    "np.sum({x}) * s + np.sum(w) + np.sum(A * A)",
)


def program(rng: random.Random) -> str:
    """Return a function that reads and writes at positions which it computes from what varies."""

    def change() -> str:
        return filled(rng, rng.choice(CHANGES), HOLES)

    lines = [
        "i, s = 1, u[0] * 1.5 + 0.1",
        "w, z = u * v, np.sin(v) + 0.3",
        "A = np.outer(u[:3] + 0.2, v + w)",
    ]
    lines += [
        "mask = u > 0.4",
        f"k, j = np.argsort(u), {rng.choice(('np.argsort(v)', 'np.array([0, 3, 0])', 'np.argsort(w)[:3]'))}",
    ]
    if rng.random() < 0.5:
        lines += [f"for i in range({rng.choice(('2', '3'))}):", *passes(rng, change, 3)]
    else:
        lines += [line for _ in range(rng.randint(1, 4)) for line in change().split("\n")]
    lines.append(f"return {filled(rng, rng.choice(RESULTS), HOLES)}")
    text = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(u, v):\n{text}"
