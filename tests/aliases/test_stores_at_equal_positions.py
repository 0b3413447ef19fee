"""Writes at positions given by arrays: of equal ones the last is kept, as NumPy does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad


def written(u, v, k):
    w = u * 1.0
    w[k] = v * v
    return np.sum(w**3)


def added_and_taken(u, v, k):
    w = u * 1.0
    w[k] += v * v
    w[k] -= 0.5 * v
    w[k] *= v
    return np.sum(w**3)


def one_number_everywhere(u, v, k):
    w = u * 1.0
    w[k] = v[0] ** 2
    return np.sum(w**3)


def rows_and_columns(A, v, k):
    B = A * 1.0
    B[:, k] = v**2
    B[k, 1:] *= v[1]
    B[k, k[::-1]] = v
    return np.sum(B**3)


def lists_and_masks(u, v, k):
    w = u * 1.0
    w[[0, 0, 2]] = v[:3] ** 2
    w[w > 0.9] = v[0]
    return np.sum(w**3)


def exchanged(u, i, j):
    w = u * 1.0
    w[[i, j]] = w[[j, i]]
    return np.sum(w * np.arange(5.0) ** 2)


U, K = np.linspace(0.2, 1.1, 5), np.array([0, 2, 2, 3, 0])
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (written, (U, U + 1.0, K)),
    (added_and_taken, (U, U + 1.0, K)),
    (one_number_everywhere, (U, U + 1.0, K)),
    (rows_and_columns, (np.outer(U, U) + 0.1, U, K)),
    (lists_and_masks, (U, U + 1.0, K)),
    (exchanged, (U, 1, 3)),
]


@pytest.mark.parametrize("f, args", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_of_equal_positions_the_last_is_written(
    f: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    report = s2sad.check_grad(f, args)
    assert report, str(report)


def test_all_but_the_last_of_equal_positions_have_no_gradient() -> None:
    v_bar = s2sad.grad(written, wrt="v")(U, U, K)
    assert np.flatnonzero(v_bar == 0.0).tolist() == [0, 1]


def lists_of_the_run(u, free):
    w = np.zeros(6)
    w[free] = u[free] ** 2
    w[free] *= u[free]
    return np.sum(w**3)


def test_lists_as_positions_are_differentiated_twice() -> None:
    """A list of positions is known to give an array: its second derivatives were refused."""
    free, direction = [1, 3, 4], np.linspace(-1.0, 1.0, 5)
    product = s2sad.hvp(lists_of_the_run, like=(U, free))(U, free, u_dot=direction)
    expected = np.zeros(5)
    expected[free] = 72.0 * U[free] ** 7 * direction[free]
    np.testing.assert_allclose(product, expected, rtol=1e-12)


def scaled_and_placed(u, m, y):
    z = y * m
    return z * u[(m + 1) % 4] + u[m] ** 2


def test_a_number_that_is_computed_with_may_be_a_position_without_examples():
    made: dict[str, Any] = {}
    exec(s2sad.grad(scaled_and_placed).source, made)
    u = np.linspace(0.1, 1.0, 6)
    expected = np.zeros(6)
    expected[[0, 3]] = 0.5 * 3, 2.0 * u[3]
    np.testing.assert_allclose(made["scaled_and_placed_grad"](u, 3, 0.5), expected)
    with pytest.raises(IndexError):
        made["scaled_and_placed_grad"](u, 3.0, 0.5)
