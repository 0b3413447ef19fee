"""Rows of positions that a loop takes apart, without examples: numbers, and what is read there vectors or matrices.

Each row: a function, its arguments, what it is differentiated with respect to, what its text asks, and
arguments of other ranks, which it refuses, and a call without a text takes as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(53)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, str]


def flows(V: Any, g: Any, lines: Any, seen: Any) -> Any:
    """Elements are read, and stored to what is made alike."""
    p = np.zeros_like(V)
    for k, (i, j) in enumerate(lines):
        p[i] += V[i] ** 2 * g[k] - V[i] * V[j] * g[k]
        p[j] += V[j] ** 2 * g[k] - V[i] * V[j] * g[k]
    return np.sum((p - seen) ** 2)


def exchanged(T: Any, C: Any, units: Any) -> Any:
    """The result is a number, so the duty is one, and so are the elements."""
    T = T.copy()
    duty = 0.0
    for hot, cold in units:
        q = min(C[hot], C[cold]) * (T[hot] - T[cold])
        T[hot] -= q / C[hot]
        T[cold] += q / C[cold]
        duty += q
    return duty


def springs(x: Any, k: Any, bonds: Any) -> Any:
    """What is summed may be rows: x is asked for nothing."""
    energy = 0.0
    for e, (i, j) in enumerate(bonds):
        d = x[i] - x[j]
        energy += k[e] * np.sum(d**2)
    return energy


def trusses(x: Any, k: Any, bonds: Any) -> Any:
    """A product tells that the elements are rows."""
    energy = 0.0
    for e, (i, j) in enumerate(bonds):
        d = x[i] - x[j]
        energy += k[e] * (np.sqrt(d @ d) - 1.0) ** 2
    return energy


def diagonal(log_q: Any, P: Any, a: Any) -> Any:
    q = np.exp(log_q)
    return a @ (P + np.diag(q)) @ a


def smooth(u: Any, v: Any, alpha: Any) -> Any:
    """A loop goes over fields that are written out: each is what the loop takes it for."""
    rough = 0.0
    for f in (u, v):
        rough += np.sum(np.diff(f, axis=1) ** 2)
    return alpha * rough + np.sum((u - v) ** 2)


def placed(frac: Any, cell: Any, q: Any) -> Any:
    """Rows of a product are read: frac is a matrix, not one row."""
    pos = frac @ cell
    energy = 0.0
    for i in range(len(pos)):
        d = pos[i] + cell[0]
        energy += q[i] / np.sqrt(d @ d) + cell[0, 1] * cell[1, 0]
    return energy


def elements(X: Any, x: Any, tri: Any, mu: Any) -> Any:
    """Rows at positions make matrices: with vectors, or with more axes, the text would raise at once."""
    W = 0.0
    for a, b, c in tri:
        D = np.column_stack([X[b] - X[a], X[c] - X[a]])
        d = np.column_stack([x[b] - x[a], x[c] - x[a]])
        F = d @ np.linalg.inv(D)
        W += mu * np.sum(F**2) - np.log(np.linalg.det(F))
    return W


PAIRS = [(0, 1), (1, 2), (0, 3)]
V, T, C = RNG.uniform(1.0, 2.0, (3, 4))
POINTS = RNG.normal(size=(4, 2))
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
ROWS: list[Row] = [
    (flows, (V, C[:3], PAIRS, T), "V,g", "lines (k, 2)"),
    (exchanged, (T, C, PAIRS), "T", "T (n,), C (m,), units (k, 2)"),
    (springs, (POINTS, C[:3], PAIRS), "x,k", "bonds (m, 2)"),
    (smooth, (POINTS, 1.0 + POINTS, 0.3), "u,v", "u (n, m), v (n, m)"),
    (placed, (POINTS, np.eye(2) + 0.1, V), "frac,cell,q", "frac (n, m)"),
    (
        elements,
        (SQUARE, SQUARE + 0.1 * POINTS, [(0, 1, 2), (1, 3, 2)], 0.4),
        "X,x,mu",
        "X (n, m), x (k, l), tri (p, 3)",
    ),
    (diagonal, (T, np.diag(V), C), "log_q,a", "log_q (n,), a (n,)"),
    (trusses, (POINTS, C[:3], PAIRS), "x,k", "x (n, m), k (l,), bonds (p, 2)"),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_rows_are_taken_for_positions(row: Row) -> None:
    function, args, wrt, asked = row
    names = tuple(wrt.split(","))
    source = s2sad.grad(function, names if len(names) > 1 else wrt).source
    assert asked in " ".join(source.split()), source
    assert "_written_last" not in source and "np.add.at" not in source
    places = [function.__code__.co_varnames.index(name) for name in names]
    found = standalone(source)(*args)
    flat = flatten(found if len(names) > 1 else (found,), tuple(args[k] for k in places))
    assert compare(flat, differences(function, args, places)) is None


def test_rows_of_several_blocks_are_positions_in_a_call_alone() -> None:
    blocks = [(np.array([0, 1]), np.array([1, 2]))]
    args = (V, C[:1], blocks, T)
    made = s2sad.grad(flows, "V")
    assert compare(flatten(made(*args), V), differences(flows, args, (0,))) is None
    with pytest.raises(ValueError, match=r"made for .* lines \(k, 2\)"):
        standalone(made.source)(*args)
