"""Functions of arrays within each other, and stores into what they give.

A = np.where(M > 0.4, np.cumsum(M, axis=1), v)
A = A.copy()
A[A > 0.3] *= c
"""

from __future__ import annotations

import random

# {m} is a matrix of three rows and four columns, {w} a vector of four
MATRICES = (
    *("({m} * {m})", "({m} + {w})", "np.sin({m})", "np.cumsum({m}, axis=0)"),
    *("np.cumsum({m}, axis=-1)", "({m} - {m}.mean(axis=0, keepdims=True))"),
    *("np.maximum({m}, 0.3)", "np.where({m} > 0.4, {m}, {w})", "{m}[::-1]", "{m}[:, ::-1]"),
    *("np.roll({m}, 1, axis=0)", "np.clip({m}, 0.1, 0.8)", "np.outer({w}[:3], {w})"),
    *("np.add.accumulate({m}, axis=1)", "np.broadcast_to({w}, (3, 4))", "np.tile({w}, (3, 1))"),
    *("np.vstack([{w}, {w}, {w}])", "({m}.T * c).T", "np.sort({m}, axis=1)", "np.abs({m} - 0.3)"),
    *("({m} / ({m} ** 2 + 1.0))", "np.diff({m}, axis=0, prepend=0.1)", "np.flip({m}, axis=1)"),
    *("np.take({m}, [2, 0, 2], axis=0)", 'np.einsum("ij,j->ij", {m}, {w})', "({m} @ np.diag({w}))"),
    *("np.repeat({m}[:1], 3, axis=0)", "np.hypot({m}, {w} + 1.0)", "np.logaddexp({m}, {w})"),
    *("{w}[np.argsort({m}, axis=1)]", "{m}[np.argsort({w}[:3])]", "{w}[np.argsort({m}, axis=0)]"),
    "np.exp({m} * 0.3 - np.max({m}, axis=1, keepdims=True))",
)
VECTORS = (
    *("{m}.sum(axis=0)", "np.mean({m}, axis=0)", "{m}.max(axis=0)", "np.prod({m} + 0.5, axis=0)"),
    *("{m}[1]", "{m}[-1]", "({w} * {w})", "np.cumsum({w})", "{w}[::-1]", "np.std({m}, axis=0)"),
    *("np.var({m}, axis=0, ddof=1)", "np.maximum.reduce({m}, axis=0)", "np.sqrt({w} ** 2 + 1.0)"),
    *("np.concatenate([{w}[:2], {w}[2:]])", "({w}[:3] @ {m})", "np.median({m}, axis=0)"),
    *("np.linalg.norm({m} + 0.1, axis=0)", "np.tensordot({w}[:3], {m}, axes=1)"),
    *("np.interp({w}, np.linspace(0.0, 1.0, 4), {w})", "np.append({w}[1:], c)", "np.gradient({w})"),
    *('np.convolve({w}, [0.2, 0.6, 0.2], "same")', "np.sum({m}, axis=0, where={m} > 0.3)"),
    *("np.average({m}, axis=0, weights=[0.2, 0.5, 0.3])", 'np.pad({w}[1:3], 1, mode="edge")'),
    *("np.amin({m}, axis=0, initial=0.7)", "np.dot({m}.T, {w}[:3])", "np.partition({w}, 2)"),
    *("np.kron({w}[:2], {w}[2:])", "np.where({w} > 0.3, {w}, c)", "np.linspace(0.1, c, 4)"),
)
CHANGES = (
    *("A = {m}", "a = {w}", "a = a.copy()\na[1:3] *= c", "a = a.copy()\na[[0, 2]] *= c"),
    *(
        "a = a.copy()\na[a > 0.3] *= c",
        "A = A.copy()\nA[[0, 2]] += c",
        "A = A.copy()\nA[:, 1] *= c",
    ),
    *("A = A.copy()\nA[A > 0.5] -= c", "A = A.copy()\nA[np.ix_([0, 1], [1, 3])] *= c"),
    *("A = A.copy()\nA[[0, 1], [1, 2]] += c", "A = A.copy()\nA[1] = {w}"),
    "A = A.copy()\nnp.add.at(A, ([0, 1, 0], [1, 2, 1]), c)",
    "B = np.empty((3, 4))\nnp.multiply({m}, {w}, out=B)\nA = B",
    *("A = A.copy()\nA.T[1] += c * A[:, 0]", "a = a.copy()\na[1:] += a[:-1] * c"),
    *("A = A.copy()\nA.ravel()[3] = c", "A = A.copy()\nnp.fill_diagonal(A, c)"),
    "A = A.copy()\nnp.putmask(A, A > 0.5, c)",
)
RESULTS = (
    *("np.sum(A * a) + c", "np.sum(A ** 2) * c + np.sum(a)", "np.sum({m} * A) + np.sum({w} * a)"),
    *("np.linalg.norm(A) + np.sum(np.sin(a))", "np.max(A) * np.sum(a) + np.mean(A)"),
    *("np.sum(A @ a) * c", "np.sum({w}[np.nonzero({m} > 0.4)[1]] ** 2) * c"),
    *("np.sum({m}[np.nonzero({m} > 0.4)] ** 2) + c", "np.sum({w}[np.triu_indices(4)[0]] ** 3)"),
    *("np.sum({w}[np.argwhere({m} > 0.4)[:, 1]] ** 2)", "np.sum({m}[np.triu_indices(3)] ** 2) * c"),
)
DEEPEST = 3


def program(rng: random.Random) -> str:
    """Return a function of a matrix, a vector and a number."""

    def filled(form: str, depth: int, names: tuple[str, str]) -> str:
        while "{" in form:
            at = form.index("{")
            part = matrix(depth, names) if form[at + 1] == "m" else vector(depth, names)
            form = form[:at] + part + form[at + 3 :]
        return form

    def matrix(depth: int, names: tuple[str, str]) -> str:
        if depth > DEEPEST or rng.random() < 0.3:
            return rng.choice(("M", "(M * v)", names[0]))
        return filled(rng.choice(MATRICES), depth + 1, names)

    def vector(depth: int, names: tuple[str, str]) -> str:
        if depth > DEEPEST or rng.random() < 0.3:
            return rng.choice(("v", "M[0]", "(M[1] * c)", names[1]))
        return filled(rng.choice(VECTORS), depth + 1, names)

    given, made = ("M", "v"), ("A", "a")
    lines = [f"A = {matrix(1, given)}", "a = v * c"]
    for _ in range(rng.randint(1, 4)):
        lines += filled(rng.choice(CHANGES), 2, made).splitlines()
    lines.append(f"return {filled(rng.choice(RESULTS), 2, made)}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(M, v, c):\n{body}"
