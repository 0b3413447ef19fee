"""Reductions and ufuncs with all that they may be given: out, where, axis, keepdims, initial, ddof, dtype.

np.add(A[0], a, out=A[1], where=A[2] > 0.3)
a = np.std(A, axis=0, ddof=1) + np.add.reduce(A, 0, initial=c)
np.multiply.at(a, [0, 2, 0], c)
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import filled, forms

# {m} is a matrix of 3 x 4, {v} a vector of four elements, {t} one of three, {n} a number, {k} a mask of
# 3 x 4, {w} one of four, {M}, {V} and {T} what may be written to
MATRICES = forms(
    """
    A   A   M   (A * v)   (M + a)   np.sin(A)   B   A[::-1]   np.multiply.outer({t}, {v})   np.add.outer({t}, {v})
    np.subtract.outer({v}, {t}).T   np.divide.outer({t}, {v} + 2.0)   np.maximum.outer({t}, {v})
    np.divide({m}, np.abs({m}) + 1.5, out=np.zeros((3, 4)), where={k})   np.sqrt({m}, out=np.ones((3, 4)), where={m} > 0.2)
    np.log({m}, where={m} > 0.1, out=np.zeros_like(A))
    np.cumsum({m}, axis=1)   np.cumprod({m}, axis=0)   np.add.accumulate({m}, axis=1)   np.cumsum({m}).reshape(3, 4)
    np.multiply.accumulate({m})   np.maximum.accumulate({m}, axis=1)   np.minimum.accumulate({m}, axis=0)
    ({m} - np.mean({m}, axis=0, keepdims=True))   ({m} - {m}.mean(axis=1, keepdims=True))
    ({m} / (1.0 + np.std({m}, axis=1, keepdims=True, ddof=1)))   ({m} - np.max({m}, keepdims=True))
    ({m} * np.sum({m}, axis=(0, 1), keepdims=True) * 0.1)   np.einsum('ij,j->ij', {m}, {v})   np.add.outer({t}, {v}, dtype=float)
    np.einsum('ij,kj->ik', {m}, {m}) @ {m} * 0.1   np.clip({m}, 0.1, {n} + 1.0)   np.clip({m}, {v} * 0.5, None)
    np.add({m}, {v}, dtype=np.float64)   np.true_divide({m}, 2)   np.where({k}, {m}, {v})
    np.add.reduceat({m}, [0, 2, 1], axis=0)   np.add({m}, {n}, out=None)   np.hypot({m}, {v})   np.diff({m}, axis=0, prepend={v}[None])
    np.concatenate([{m}[:1], {m}[1:]], axis=0, out=np.empty((3, 4)))   np.power({m} + 2.0, {n})
    np.moveaxis(np.sum({h}, axis=2, keepdims=True), 2, 0)[0]   {h}.mean(axis=2)   np.prod({h}, axis=-1)   np.max({h}, axis=2)
    np.average({h}, axis=2, weights={v}[:2] + 2.0)   np.linalg.norm({h}, axis=2)   np.tensordot({h}, {v}[:2], axes=1)
    np.take({h}, 1, axis=2)   np.swapaxes({h}, 0, 1)[:, :, 0].T   np.add.reduce({h}, axis=2, initial={n})
    """
)
CUBES = forms(
    """
    np.multiply.outer({m}, {v}[:2])   np.add.outer({m}, {t}[1:])   np.stack([{m}, {m}], axis=2)   np.sin({m}[:, :, None] * {v}[1:3])
    """
)
VECTORS = forms(
    """
    a   a   v   A[0]   (v * c)   np.sum({m}, axis=0)   {m}.sum(0, where={k})   np.add.reduce({m}, axis=0)   np.sum({m}, 0, where={w})
    np.add.reduce({m}, 0, initial={n})   np.multiply.reduce({m}, axis=0)   np.maximum.reduce({m}, axis=0, initial=0.3)
    np.max({m}, axis=0, initial={n}, where={k})   np.mean({m}, axis=0, where={k} | (A > -9.0))   np.std({m}, axis=0, ddof=1)
    np.var({m}, 0, ddof=1)   {m}.var(axis=0, ddof=2)   np.std({m}, 0, mean=np.mean({m}, axis=0, keepdims=True))
    np.prod({m}, axis=0, where={k})   np.prod({m}, axis=0, initial={n})   np.add.accumulate({v})   np.cumprod({v})
    np.logaddexp.reduce({m}, axis=0)   np.maximum.accumulate({v})
    np.add.reduceat({v}, [0, 2, 1, 3])   np.add.reduceat({m}, [1, 0], axis=0)[1]   np.add.reduceat({m}, [0, 1, 2, 2], axis=1)[1]
    np.einsum('ij->j', {m})   np.einsum('ij,i->j', {m}, {t})   np.einsum('i,i->i', {v}, {v})   np.einsum({v}, [0], {n}, [], [0])
    np.einsum('i,ij,j->j', {t}, {m}, {v}, optimize=True)   np.ptp({m}, axis=0)   np.average({m}, axis=0, weights={t} + 2.0)
    np.average({m}, 0, weights=np.abs({m}) + 0.5)   np.sum({h}, axis=(0, 2))   np.max({h}, axis=(0, 2))   np.prod({h}, axis=(2, 0))
    {h}.std(axis=(0, -1), ddof=1)   np.mean({h}, axis=(2, 0))   np.min({h}, axis=(0, 2), initial={n})   np.median({m}, axis=0)
    np.nansum({m}, axis=0)   np.nanmax({m}, axis=0)   np.linalg.norm({m}, axis=0)   np.linalg.norm({m}, 3, 0)   np.amin({m}, 0)
    np.sum({m}, axis=0, dtype=float)   np.sum({h}, axis=(0, 2), where={h} > 0.3)   np.diff({v}, append={n})   np.diff({v}, 1, prepend=0.5)
    np.subtract({v}, {v}, out=np.ones(4), where={w})   np.reciprocal({v}, out=np.zeros(4), where={v} > 0.3)   np.quantile({m}, 0.3, axis=0)
    np.trapezoid({m}, axis=0)   np.trapezoid({m}, dx={n}, axis=0)   {m}.max(0)   np.cumsum({v})
      np.float_power({v} + 2.0, {v})   np.nanmean({m}, axis=0)   np.matmul({t}, {m})
    np.dot({t}, {m}, out=np.empty(4))   np.matmul({t}, {m}, out=np.zeros(4))   np.einsum('ij,i->j', {m}, {t}, out=np.zeros(4))
    np.sum({m}, axis=0, out=np.zeros(4))   np.add.outer({v}, {t})[:, 1]   np.vecdot({m}, {m}[::-1], axis=0)   np.bincount([0, 3, 1], {t}, 4)
    """
)
SHORT = forms(
    """
    A[:, 1]   v[:3]   a[1:]   {m}.sum(axis=1)   np.sum({m}, axis=-1, initial={n})   {m}.mean(1)   np.std({m}, axis=1)   {m}.prod(axis=1)
    np.max({m}, 1, initial=0.2)   np.add.reduceat({v}, [0, 1, 3])   np.diff({v})   {m} @ {v}   np.einsum('ij,ij->i', {m}, {m})
      np.add.reduceat({m}, [2], axis=1)[:, 0]   np.sum({h}, axis=(1, 2))   np.var({m}, axis=1, ddof=1)
    """
)
NUMBERS = forms(
    """
    c   c   a[1]   A[0, 2]   0.4   np.sum({v})   np.mean({m})   np.std({v}, ddof=1)   np.var({m}, ddof=1)   np.max({m}, initial=0.5)
    np.sum({m}, where={k})   np.sum({m}, initial={n})   np.prod({v})   np.prod({m}, initial={n}, where={k})   np.add.reduce({v})
    np.multiply.reduce({v}, initial={n})   np.max({v}, where={w}, initial=-1.0)   np.sum({m}, axis=None)   np.sum({m}, axis=(0, 1))
    np.add.reduce({m}, axis=None)   np.maximum.reduce({m}, axis=(0, 1))   np.einsum('ij,ij', {m}, {m})   np.einsum('i,i->', {v}, {v})
    np.average({v}, weights={v} + 2.0)   np.ptp({v})   np.linalg.norm({m})   np.logaddexp.reduce({v})   {v}.std()
    np.einsum('ii', np.outer({t}, {t}))   np.trapezoid({v})   np.mean({v}, where={w} | (v > -9.0))   np.min({v}, initial={n})   np.std({m}, axis=(0, 1))
    np.sum({v}, keepdims=True)[0]   np.mean({m}, keepdims=True)[0, 0]   np.median({v})   np.multiply({n}, {n})   np.add({n}, 1)   np.minimum.reduce({v})
    """
)
MASKS = (
    "A > 0.3",
    "M < 0.6",
    "(A > a)",
    "np.array([True, False, True, True])",
    "M > v",
    "(A > 0.2) & (M < 0.8)",
)
ROW_MASKS = (
    "a > 0.3",
    "v > 0.1",
    "A[1] < 0.6",
    "np.array([True, False, True, True])",
    "[False, True, True, False]",
)
CHANGES = forms(
    """
    A = {m}   a = {v}   A = {m} * 0.7   B = {m}   c = {n} * 0.5   np.add({M}, {m}, out={M})   np.multiply({M}, {v}, out={M})
    np.add({V}, {v}, out={V})   np.multiply({v}, {v}, out={V})   np.sin({v}, out={V})   np.exp({V} * 0.3, out={V})   np.negative({V}, {V})
    np.add({v}, {v}, {V})   np.sum({m}, axis=0, out={V})   {m}.sum(axis=0, out={V})   np.sum({m}, axis=1, out={T})   np.cumsum({v}, out={V})
    np.cumsum({V}, out={V})   np.cumprod({m}, axis=1, out={M})   np.mean({m}, axis=0, out={V})   np.max({m}, axis=0, out={V})   np.prod({m}, 1, out={T})
    np.std({m}, axis=0, out={V})   np.dot({m}, {v}, out={T})   np.matmul({m}, {v}, out={T})   np.einsum('ij,j->i', {m}, {v}, out={T})
    np.add({v}, {n}, out={V}, where={w})   np.divide({m}, {v}, out={M}, where=np.abs({v}) > 0.2)   np.sqrt({V}, out={V}, where={V} > 0.2)
    np.multiply({M}, {n}, out={M}, where={k})   np.copyto({V}, {v})   np.copyto({M}, {v}, where={k})   np.copyto({M}, {n})   np.clip({V}, 0.1, {n} + 0.5, out={V})
    np.add.at({V}, [0, 2, 0], {n})   np.add.at({V}, [1, 1, 3], {t})   np.multiply.at({V}, [0, 2, 0], {n})   np.subtract.at({V}, [3, 0, 3], {t})
    np.add.at({M}, (slice(None), [0, 0, 2]), {n})   np.add.at({M}, [0, 1, 0], {v})   np.add.at({M}, ([0, 2, 0], [1, 1, 1]), {t})   np.add.at({V}, {w}, {n})
    np.maximum.at({V}, [0, 2], {n})   np.divide.at({V}, [0, 0], {n} + 1.5)   np.add.accumulate({v}, out={V})
    np.add.reduce({m}, axis=0, out={V})   np.maximum.accumulate({v}, out={V})   np.take({v}, [0, 3, 1, 1], out={V})   np.concatenate([{v}[:2], {v}[2:]], out={V})
    np.stack([{v}, {v}, {v}], out={M})   np.add.outer({t}, {v}, out={M})   np.multiply.outer({t}, {v}, out={M})   b = np.add({V}, {v}, out={V}); b *= {n}
    b = np.multiply({v}, {n}, out={V}); c = c + b[1] * 0.1   np.add({V}[1:], {V}[:-1], out={V}[1:])   np.add({V}[:-1], {V}[1:], out={V}[1:])   np.multiply({V}[::-1], {V}, out={V})
    np.add(A[0], {v}, out=A[1])   np.multiply(A.T, {n}, out=A.T)   np.subtract(A[:, 1:], A[:, :-1], out=A[:, :-1])   np.sum(A, axis=0, out=A[1])
    np.put({V}, [0, 2], {n})   np.putmask({V}, {w}, {v})   np.add({n}, {n}, out={V}[1:2])   np.frexp   np.matmul({t}, {m}, out={V})   np.abs({V}, out={V})   np.put({V}, [3, 1], [{n}, {n}])
    np.fill_diagonal({M}, {n})   np.outer({t}, {v}, out={M})   np.add({m}, {m}, out=B)   np.tanh({m}, out=B)   np.dot({t}, {m}, out={V})   np.maximum({V}, {n}, out={V})   np.minimum({m}, {v}, out={M})
    """
)
CHANGES = tuple(change for change in CHANGES if change != "np.frexp")
RESULTS = (
    "np.sum(A * A) + np.sum(a * B) * c",
    "np.sum(np.sin(A) * B) + a @ a + c",
    "np.sum(A ** 2, where=M > 0.2) + np.sum(B) * np.sum(a) + c ** 2",
    "np.einsum('ij,ij,j->', A, B, a) + c * np.sum(A) + np.sum(a)",
)
HOLES = {
    "m": MATRICES,
    "h": CUBES,
    "v": VECTORS,
    "t": SHORT,
    "n": NUMBERS,
    "k": MASKS[:3] + MASKS[4:],
    "w": ROW_MASKS,
    "M": ("A", "A", "B"),
    "V": ("a", "a", "A[1]", "A[0, ::-1]", "B[2]"),
    "T": ("A[:, 2]", "a[:3]", "B[:, 0]"),
}
LEAVES = {
    **HOLES,
    "m": ("A", "A", "M", "B"),
    "h": ("np.multiply.outer(A, v[:2])", "np.sin(M[:, :, None] * v[1:3])"),
}
LEAVES |= {
    "v": ("a", "a", "v", "A[1]"),
    "t": ("v[:3]", "A[:, 1]", "a[1:]"),
    "n": ("c", "a[1]", "0.4", "A[0, 2]"),
}
DEEPEST = 2


def program(rng: random.Random) -> str:
    """Return a function of a matrix, a vector and a number."""

    def nested(form: str, depth: int) -> str:
        while "{" in form:
            at = form.index("{")
            name = form[at + 1]
            if name not in "mhvtn":
                part = rng.choice(HOLES[name])
            elif depth > DEEPEST or rng.random() < 0.45:
                part = filled(rng, rng.choice(LEAVES[name]), LEAVES)
            else:
                part = nested(rng.choice(HOLES[name]), depth + 1)
            form = form[:at] + part + form[at + 3 :]
        return form

    lines = [
        f"A = {rng.choice(('M * c', 'M.copy()', 'M + v', 'np.sin(M)'))}",
        "a, B = v * c, M * v",
    ]
    if rng.random() < 0.2:
        lines.append("B = A")
    for _ in range(rng.randint(1, 4)):
        change = nested(rng.choice(CHANGES), 1).split("; ")
        if rng.random() < 0.15:
            change = ["for _ in range(2):", *(f"    {line}" for line in change)]
        elif rng.random() < 0.1:
            change = [
                f"if {rng.choice(('c > 0.4', 'a[0] > 0.3'))}:",
                *(f"    {line}" for line in change),
            ]
        lines += change
    lines.append(f"return {rng.choice(RESULTS)}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(M, v, c):\n{body}"
