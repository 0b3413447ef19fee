"""What is kept as a triangle or a diagonal of a matrix: so many elements, and no sums to a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone
from tests.text.test_nothing_superfluous import has

RNG = np.random.default_rng(32)


def of_a_factor(theta: Any, Y: Any) -> Any:
    n = Y.shape[1]
    L = np.zeros((n, n))
    L[np.tril_indices(n, -1)] = theta[n:]
    np.fill_diagonal(L, np.exp(theta[:n]))
    return np.sum(np.sin(L @ Y.T))


def with_diagonal(theta: Any, x: Any) -> Any:
    L = np.zeros((len(x), len(x)))
    L[np.tril_indices(len(x))] = theta
    return np.sum(np.sin(L @ x))


def of_distances(x: Any, d: Any) -> Any:
    D = np.sqrt(np.sum((x[:, None] - x[None]) ** 2, axis=-1) + 1e-9)
    return np.sum((D[np.triu_indices(len(x), 1)] - d) ** 2)


def on_a_diagonal(d: Any, A: Any) -> Any:
    A = A.copy()
    np.fill_diagonal(A, d)
    return np.sum(np.sin(A @ A))


ROWS = [
    (
        of_a_factor,
        (RNG.random(6), RNG.random((4, 3))),
        [
            "theta_bar[:n] = L_bar[chosen] * L[chosen]\n",
            "(Y.shape[1] * Y.shape[1] - Y.shape[1]) // 2",
        ],
    ),
    (with_diagonal, (RNG.random(6), RNG.random(3)), ["((m + m*m) // 2) == n"]),
    (of_distances, (RNG.random((4, 2)), RNG.random(6)), ["2.0 * (D[result_triu_indices] - d)"]),
    (
        on_a_diagonal,
        (RNG.random(3), RNG.random((3, 3))),
        ["    A[chosen] = d\n", "return A_bar[chosen]"],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_triangles_and_diagonals(row: Any) -> None:
    function, args, lines = row
    for place, name in enumerate(function.__code__.co_varnames[:2]):
        derivative = s2sad.grad(function, name, like=args)
        has(derivative.source, lines if place == 0 else [], ["_sum_to", "np.resize"])
        flat = flatten((standalone(derivative.source)(*args),), (args[place],))
        assert compare(flat, differences(function, args, [place])) is None


def test_a_shorter_diagonal_is_begun_again() -> None:
    args = RNG.random(2), RNG.random((3, 3))
    derivative = s2sad.grad(on_a_diagonal, like=args)
    flat = flatten((standalone(derivative.source)(*args),), (args[0],))
    assert compare(flat, differences(on_a_diagonal, args, [0])) is None


def test_another_number_of_elements_is_refused() -> None:
    made = standalone(s2sad.grad(with_diagonal, like=ROWS[1][1]).source)
    with pytest.raises(ValueError, match="made for float arrays theta"):
        made(RNG.random(5), RNG.random(3))
