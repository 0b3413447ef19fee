"""Arrays written in place: by stores, views, `out=`, and calls that write.

row = A.T[1]
row[1:] += row[:-1] * c
np.multiply(A[0], v, out=A[2])
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms, passes

# of {r}, {q}: vectors of four elements, {A}: matrices of three rows, {n}: numbers
NUMBERS = forms(
    """
    c   s   v[{i}]   M[1, {i}]   {r}[{i}]   0.7   np.sum({r}) * 0.2   c * {r}[1]
    """
)
VECTORS = forms(
    """
    {r}   v   M[0]   {r} * {q}   np.sin({r})   {r}[::-1]   {A}[1]   {A}[2] * c   v * {n}
    {r}.copy()   {A}.sum(axis=0) * 0.3   np.cumsum({r})   np.where({r} > 0.4, {q}, c)
    """
)
STORES = forms(
    """
    {r}[1:] += {r}[:-1]   {r}[1:] = {r}[:-1] * c   {r}[:-1] -= {q}[1:]   {r}[:] = {v}   {r} += {v}
    {r} *= {v}   {r}[::2] *= {n}   {r}[{i}] = {n}   {r}[{i}] += {n}   {r}[:] = {r}[::-1]
    {r}[[2, 0]] += {n}   {r}[[1, 3]] = {r}[[3, 1]]   {r}[{r} > 0.5] *= c   {r}[{r} < 0.2] = {n}
    {r}[0], {r}[3] = {r}[3], {r}[0]   {r} /= 1.0 + {v} ** 2   {r} **= 2   {r} -= {r}.mean()
    {r}[1:3] = {q}[2:]   {r}[...] = {n}   {r}[-1] *= {r}[0]   {A}[0] += {v}   {A}[:, 1] *= {n}
    {A} *= {v}   {A}[1:] += {A}[:-1]   {A}[1:, 1:] -= c
    {A}[0], {A}[1] = {A}[1].copy(), {A}[0].copy()   {A}[[0, 2]] = {A}[[2, 0]]   {A} += {A}[0]
    {A}[:, [0, 2]] *= {n}   {A}[{A} > 0.6] = {n}   {A}[[0, 1], [2, 3]] += {n}   {A}[1] = {v}
    {A}[...] = {A}[::-1]   {A}[:, ::-1] *= {v}   {A}[i % 3] = {v}   {A}[i % 3, 1:] *= {n}
    {A}[:, 0] = {A}[:, 1] * {A}[:, 2]   {A}[[1]] *= {v}   {A}[1:3] = {A}[0:2] * c
    """
)
VIEWS = forms(
    """
    {r} = {A}[{j}]   {r} = {A}.T[:, {j}]   {r} = {A}.ravel()[4:8]   {r} = {A}.reshape(-1)[::3]
    {r} = {A}[{j}][::-1]   {r} = {q}   {r} = {r}.copy()   {r} = {v}   {r} = {A}.reshape(4, 3).T[0]
    {A} = {A}[::-1]   {A} = {A}[:, ::-1]   {A} = {A}.copy()   {A} = M * c   {A} = {A} * {v}
    {r} = {A}.swapaxes(0, 1)[:, 1]   {r} = np.atleast_1d({q})   {r} = np.asarray({A})[1]
    {r} = {A}.flat[0:4]   {r} = np.squeeze({A}[{j}][None])   ({r}, _, {q}) = {A}
    {r} = {A}[-1, :]
    """
)
CALLS = forms(
    """
    np.multiply({v}, {v}, out={r})   np.add({A}, {v}, out={A})   np.copyto({r}, {v})
    np.copyto({A}, {v}, where={A} > 0.5)   np.add.at({r}, [0, 2, 0], {n})   {r}.fill({n})
    np.subtract.at({A}, ([0, 2], [1, 1]), {n})   {r}.sort()   {A}.sort(axis=1)   {A}.sort(axis=0)
    np.put({r}, [1, 2], {n})   np.putmask({r}, {r} > 0.5, {n})   np.place({r}, {r} > 0.6, [c, s])
    np.fill_diagonal({A}, {n})   np.exp({r} * 0.3, out={r})   np.clip({r}, 0.1, 0.9, out={r})
    np.cumsum({r}, out={q})   np.sum({A}, axis=0, out={r})   np.dot(M[:, :3], {A}, out={A})
    np.maximum({r}, {q}, out={r})   np.sqrt({r} ** 2 + 0.1, out={r}[:])   change({r}, {n})
    np.einsum('i,i->i', {v}, {r}, out={q})   np.multiply({r}[1:], c, out={r}[:-1])
    change({A}[0], c)   np.add({r}, {n}, out={r}, where={r} > 0.3)   np.negative({A}, out={A})
    {r}.put([0, 3], {n})   {A}.itemset if False else None
    np.take({A}, [1, 0, 2, 3], axis=1, out={A}[:, :])   {r} = change({r}, c)
    np.concatenate([{r}[2:], {q}[:2]], out={r})   for row in {A}: row *= {n}
    for x in {A}: x[1:] += c   for row, x in zip({A}, v): row -= x
    for k in range(4): {r}[k] *= {n}   np.matmul({A}, B, out={r}[:3])
    """
)
RESULTS = (
    *(
        "np.sum({A} ** 2) + np.sum({r} * {q}) * c",
        "np.sum({A}[1] * {r}) + s",
        "np.sum({r}) + np.sum({A} @ v)",
    ),
    *("np.sum({r} ** 2) + {A}[1, 2] * s + np.sum(A) + np.sum(B)",),
)
HEAD = """import numpy as np


def change(x, y):
    x *= y
    x[1:] += x[:-1]
    return x


def f(M, v, c):
"""


def program(rng: random.Random) -> str:
    """Return a function that writes to vectors and matrices which share memory."""

    def filled(form: str) -> str:
        holes = {
            "r": lambda: rng.choice(("a", "b", "B")),
            "q": lambda: rng.choice(("a", "b", "B")),
            "A": lambda: "A" if rng.random() < 0.8 else "C",
            "n": lambda: filled(rng.choice(NUMBERS)),
            "v": lambda: filled(rng.choice(VECTORS)),
            "i": lambda: str(rng.randint(0, 3)),
            "j": lambda: str(rng.randint(0, 2)),
        }
        while "{" in form:
            at = form.index("{")
            name = holes[form[at + 1]]()
            # the same vector is read and written in one statement
            again = form[at : at + 3] if form[at + 1] in "rqA" else ""
            form = form.replace(again, name) if again else form[:at] + name + form[at + 3 :]
        return form

    def change() -> str:
        chance = rng.random()
        return filled(rng.choice(STORES if chance < 0.5 else CALLS if chance < 0.75 else VIEWS))

    lines = ["s = v[0] * 1.5", f"A = {rng.choice(('M.copy()', 'M * v', 'np.outer(v[:3], v)'))}"]
    lines += [f"C = {rng.choice(('M * c', 'A', 'A.copy()', 'np.zeros((3, 4))'))}"]
    for name in "abB":
        lines.append(f"{name} = {rng.choice(('v.copy()', 'v * c', 'A[1]', 'A[0]', 'M[1] * 1.0'))}")
    if rng.random() < 0.6:
        lines += ["for i in range(3):", *passes(rng, change, 5)]
        lines = [x.replace("u[i]", "v[i]") for x in lines]
    else:
        lines += ["i = 1", *(change() for _ in range(rng.randint(2, 7)))]
    lines.append(f"return {filled(rng.choice(RESULTS))}")
    return HEAD + "".join(f"    {line}\n" for line in lines)
