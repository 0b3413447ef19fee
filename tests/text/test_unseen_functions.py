"""What a careful scientist would write in functions of fields that nobody has seen before.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(17)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]


def filtered_weights(r: Any, x: Any, y: Any) -> Any:
    """Of a particle filter: what a sum gives to all its terms is one number in each pass."""
    logw = np.zeros(len(x))
    likelihood = 0.0
    for t in range(len(y)):
        x = np.sin(x) + 0.5 * x / (1.0 + x**2)
        logw = logw - 0.5 * ((y[t] - x**2) / r) ** 2 - np.log(r)
        m = np.max(logw)
        w = np.exp(logw - m)
        total = np.sum(w)
        likelihood += m + np.log(total)
        logw = logw - m - np.log(total)
    w = np.exp(logw)
    return likelihood + np.sum(w * w)


def multipoles(g: Any, r: Any) -> Any:
    """A power of a whole number that is never zero has no test of that."""
    potential = 0.0
    for n in range(len(g)):
        potential += g[n] * (1.0 / r) ** (n + 1)
    return potential


def odd_powers(x: Any, c: Any) -> Any:
    s = 0.0
    for k in range(3):
        s += c * x ** (2 * k + 1)
    return s


def legendre(c: Any, s: Any) -> Any:
    """What the user chose in one expression, and tests within a test."""
    P = np.zeros((4, 4))
    P[0, 0] = 1.0
    for n in range(1, 4):
        P[n, n] = s * P[n - 1, n - 1]
        for m in range(n):
            P[n, m] = (2.0 * n - 1.0) * c * P[n - 1, m]
            if n > 1:
                P[n, m] -= (n - 1.0) * P[n - 2, m] if m < n - 1 else 0.0
    return np.sum(P**2)


def thresholds(x: Any, k: Any) -> Any:
    total = 0.0
    for n in range(len(x)):
        z = np.sqrt(k + n) * x[n] if n > 1 else 0.0
        total += np.sin(z) * k
    return total


def residuals(c: Any, x: Any) -> Any:
    """Of a moving average: each pass reads those of some passes before it, which stay as they are."""
    e = np.zeros(len(x))
    for t in range(len(x)):
        seen = 0.0
        for j in range(len(c)):
            if t > j:
                seen += c[j] * np.sin(e[t - 1 - j])
        e[t] = x[t] - seen
    return np.sum(e**2)


def filtered_twice(c: Any, x: Any) -> Any:
    """What is read before each element was never stored to, or by passes before: none is saved."""
    n, q = len(x), len(c)
    y = np.zeros(n)
    for t in range(q, n):
        total = x[t]
        for j in range(q):
            total += c[j] * np.tanh(y[t - 1 - j])
        y[t] = total
    return np.sum(y**2)


def from_the_end(c: Any, x: Any) -> Any:
    """Positions below zero are those of the end: here elements are saved."""
    e = x.copy()
    for t in range(len(x)):
        for j in range(len(c)):
            e[t] += c[j] * np.sin(e[t - 1 - j])
    return np.sum(e**2)


def stacked_blocks(c: Any, x: Any) -> Any:
    """Blocks that each pass stores to are its own."""
    e = np.zeros(len(x))
    for k in range(len(x) // 2):
        e[2 * k : 2 * k + 2] = np.sin(x[2 * k : 2 * k + 2]) * c[0]
    return np.sum(e * e)


def bordered(a: Any, c: Any) -> Any:
    """Behind a block: what is stored beside it has no adjoint that anything reads."""
    n = len(c)
    A = np.zeros((n + 1, n + 1))
    A[:n, :n] = np.diag(c) + a * np.outer(c, c)
    A[n, :n] = 1.0
    A[:n, n] = 1.0
    return np.sum(np.linalg.inv(A))


def exchanged(area: Any, hot: Any, cold: Any, pairs: Any) -> Any:
    """Two streams that lose their temperatures: the difference is saved, not both."""
    h, c = hot.copy(), cold.copy()
    duty = 0.0
    for k, (i, j) in enumerate(pairs):
        q = np.tanh(area[k]) * (h[i] - c[j])
        h[i] -= 0.5 * q
        c[j] += 0.3 * q
        duty += q**2
    return duty + np.sum(c**2)


def rotated(A: Any, c: Any) -> Any:
    """What is still there is said again: no name for a difference of two elements."""
    A = A.copy()
    for p in range(2):
        angle = np.arctan2(2.0 * A[p, p + 1], A[p + 1, p + 1] - A[p, p])
        A[p, p + 1] = c * np.sin(angle)
    return np.sum(A**2)


def reflectivity(t: Any, n: Any, c: Any) -> Any:
    """Of layers: what is added to the elements of a small matrix is written out at once."""
    M = np.eye(2, dtype=complex)
    for k in range(len(t)):
        M = M @ np.array([[np.cos(t[k]), 1j * np.sin(t[k]) / n[k]], [1j * n[k] * np.sin(t[k]), c]])
    a = M[0, 0] + M[0, 1] * c
    b = M[1, 0] + M[1, 1] * c
    return np.abs((a - b) / (a + b)) ** 2


def area_of_triangle(J: Any, c: Any) -> Any:
    F = np.tanh(J * c) + np.eye(2)
    return F[0, 0] * F[1, -1] - F[0, 1] * F[-1, 0]


def injected(theta: Any, V: Any, Y: Any, S: Any) -> Any:
    """Power at the nodes of a grid: real parts of what is turned are imaginary parts."""
    v = V * np.exp(1j * theta)
    return np.sum(np.abs(v * np.conj(Y @ v) - S) ** 2)


def deviance(sigma: Any, e: Any) -> Any:
    return 0.5 * len(e) * np.log(2.0 * np.pi * sigma**2) + 0.5 * np.sum(e**2) / sigma**2


def along_pairs(x: Any, pairs: Any) -> Any:
    """Positions that both sweeps take from a row."""
    total = 0.0
    for k in range(len(pairs)):
        i, j = pairs[k]
        d = x[i] - x[j]
        total += np.sqrt(d @ d)
    return total


ROWS: list[Row] = [
    (
        injected,
        (RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=(3, 3)) + 0.3j, 0.2 + 0.1j),
        "theta,V",
        ["-np.imag("],
        ["np.real(1j"],
    ),
    (deviance, (0.7, RNG.normal(size=3)), "sigma,e", ["len(e) / sigma"], []),
    (
        along_pairs,
        (RNG.normal(size=(3, 2)), np.array([[0, 1], [1, 2], [2, 0]])),
        "x",
        ["for i, j in reversed(pairs):"],
        ["parts"],
    ),
    (
        reflectivity,
        (RNG.normal(size=2), RNG.uniform(1.0, 2.0, 2), 1.4),
        "t,n,c",
        ["M_bar = np.array([["],
        ["M_bar[0, 0]"],
    ),
    (area_of_triangle, (RNG.normal(size=(2, 2)), 0.7), "J,c", ["F_bar = np.array("], ["F_bar["]),
    (
        exchanged,
        (RNG.normal(size=3), RNG.normal(size=2), RNG.normal(size=2), [(0, 1), (1, 1), (0, 0)]),
        "area,hot,cold",
        ["q_term = h[i] - c[j]"],
        ["h_saved", "c_saved"],
    ),
    (rotated, (RNG.normal(size=(3, 3)), 0.7), "A,c", [], ["angle_term ="]),
    (residuals, (RNG.normal(size=2), RNG.normal(size=5)), "c,x", [], ["_saved", "] = 0.0"]),
    (filtered_twice, (RNG.normal(size=2), RNG.normal(size=5)), "c,x", [], ["_saved", "] = 0.0"]),
    (from_the_end, (RNG.normal(size=2), RNG.normal(size=5)), "c,x", ["e_saved"], []),
    (stacked_blocks, (RNG.normal(size=2), RNG.normal(size=4)), "c,x", [], ["] = 0.0"]),
    (bordered, (0.3, RNG.uniform(1.0, 2.0, 3)), "a,c", [], ["] = 0.0"]),
    (
        filtered_weights,
        (0.7, RNG.normal(size=4), RNG.normal(size=3)),
        "r,x",
        ["logw_bar += total_bar * w"],
        ["full_like"],
    ),
    (multipoles, (RNG.normal(size=4), 1.3), "g,r", ["** n"], ["!= 0"]),
    (odd_powers, (0.4, 1.2), "x,c", ["** (2 * k)"], ["!= 0"]),
    (
        legendre,
        (0.4, 0.9),
        "c,s",
        ["if n > 1 and m < n - 1:", "if m < n - 1 else 0.0"],
        ["else:", "] = 0.0"],
    ),
    (
        thresholds,
        (RNG.normal(size=4), 1.3),
        "x,k",
        ["z = np.sqrt(k + n) * x[n] if n > 1 else 0.0"],
        ["else:"],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_gradients(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    gradient = s2sad.grad(function, tuple(wrt.split(",")), like=args)
    source = gradient.source
    assert all(line in source for line in lines), source
    assert not any(part in source for part in nowhere), source
    places = [function.__code__.co_varnames.index(name) for name in wrt.split(",")]
    flat = flatten(tuple(standalone(source)(*args)), tuple(args[place] for place in places))
    assert compare(flat, differences(function, args, places)) is None


def test_the_slope_of_a_power_is_right_at_zero() -> None:
    assert s2sad.grad(odd_powers, "x")(0.0, 1.2) == 1.2


def blocks_in_rows(B: Any, x: Any) -> Any:
    n = len(B)
    W = B.reshape(2 * n, 3)
    return np.sum((W @ x) ** 2)


def test_an_array_in_another_shape_keeps_its_lengths_free() -> None:
    gradient = s2sad.grad(blocks_in_rows, ("B", "x"), like=(RNG.normal(size=(4, 2, 3)), np.ones(3)))
    assert "float64 arrays B (n, 2, 3), x (3,)" in gradient.source, gradient.source
    args = RNG.normal(size=(5, 2, 3)), RNG.normal(size=3)
    flat = flatten(tuple(standalone(gradient.source)(*args)), args)
    assert compare(flat, differences(blocks_in_rows, args, [0, 1])) is None
