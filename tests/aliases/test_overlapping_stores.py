"""Stores that read the memory they write: right where NumPy's result is anyone's, else refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, right_or_refused

V = np.array([0.7, -0.4, 0.9, 0.5, -1.1, 0.3])
A = np.array([[0.3, 0.8, -0.5], [1.2, -0.7, 0.4], [0.1, 0.6, -0.9]])
W = np.arange(1.0, 7.0)


def in_steps(v: Any) -> Any:
    v[1:4] = v[::2]
    return np.sum(v * W)


def row_from_column(a: Any) -> Any:
    a[1] = a[:, 0]
    return np.sum(a * a[0])


def through_a_name(v: Any) -> Any:
    u = v
    w = u[::2]
    u[2:5] = w
    return np.sum(u * W)


def part_of_a_part(v: Any) -> Any:
    v[1:4] = v[:][::2]
    return np.sum(v * W)


def backwards_twice(v: Any) -> Any:
    v[1:4] = v[::-1][::-2]
    return np.sum(v * W)


def in_longer_steps(v: Any) -> Any:
    v[::2] = v[:3]
    return np.sum(v * W)


def column_from_a_row_that_crosses_it(a: Any) -> Any:
    a[:, 2] = a[1]
    return np.sum(a * np.arange(9.0).reshape(3, 3))


def by_a_mask(v: Any) -> Any:
    m = v > -9.0
    v[m] = v[::-1]
    return np.sum(v * W)


def one_by_one(v: Any) -> Any:
    v.flat[1:] = v[:-1]
    return np.sum(v * W)


def joined(v: Any) -> Any:
    np.concatenate([v[3:], v[:3]], out=v)
    return np.sum(v * W)


def given(to: Any, part: Any) -> None:
    to[:] = part


def handed_on(v: Any) -> Any:
    given(v[1:4], v[::2])
    return np.sum(v * W)


def stepped_again(v: Any) -> Any:
    w = v
    for _ in range(2):
        w = w[::2]
    v[1:3] = w
    return np.sum(v * W)


@pytest.mark.parametrize("like", [True, False])
@pytest.mark.parametrize(
    "function",
    [
        *(in_steps, row_from_column, through_a_name, in_longer_steps),
        *(part_of_a_part, backwards_twice, column_from_a_row_that_crosses_it),
        *(by_a_mask, one_by_one, joined, handed_on, stepped_again),
    ],
)
def test_what_is_read_and_written_in_different_steps_is_right_or_refused(
    function: Callable[..., Any], like: bool
) -> None:
    of_matrix = row_from_column, column_from_a_row_that_crosses_it
    x = A if function in of_matrix else V
    right_or_refused(function, (x,), like=(x,) if like else None)


def shifted(v: Any) -> Any:
    v[1:] = v[:-1]
    v[::2] = v[1::2]
    return np.sum(v * W)


def turned(v: Any) -> Any:
    v[:] = v[::-1]
    v[::-1] = v
    return np.sum(v * W)


def itself(v: Any) -> Any:
    v[::1] = v
    v[...] = v
    return np.sum(v * W)


def twice(v: Any) -> Any:
    v[::-1] += v
    v[:3] -= v[3:]
    return np.sum(v * W)


def rows(a: Any) -> Any:
    a[0] = a[1]
    a[:, 1] = a[:, 2]
    return np.sum(a * a[2])


def transposed(a: Any) -> Any:
    a[:] = a.T
    return np.sum(a * a[0])


def mirrored(v: Any) -> Any:
    v[:2] = v[2:4][::-1]
    v[-2:] = v[:-2][-2:][::-1]
    return np.sum(v * W)


def mirrored_by_a_width(v: Any) -> Any:
    n = 2
    w = np.zeros(len(v) + 2 * n)
    w[n:-n] = v
    w[:n] = w[n : 2 * n][::-1]
    w[-n:] = w[-2 * n : -n][::-1]
    return np.sum(w**3)


def through_what_is_turned(v: Any) -> Any:
    w = v[::-1]
    v[:2] = w[1:3]
    w[1:] = w[:-1]
    w[1:3] = v[2:4]
    return np.sum(v * W)


def spread(a: Any) -> Any:
    a[:] = a[0]
    return np.sum(a * a)


def column_from_row(a: Any) -> Any:
    a[1:, 1] = a[1, 1:]
    return np.sum(a * a[0])


def in_turns(v: Any) -> Any:
    u, w = v.copy(), v * 2.0
    for k in range(1, 4):
        u[k:] = w[:-k]
        w[::2] = u[::2]
        u, w = w, u
    return np.sum(u * W)


def swapped(v: Any) -> Any:
    i, j = 1, 4
    v[i], v[j] = v[j], v[i]
    return np.sum(v * W)


def copied(v: Any) -> Any:
    v[1:4] = v[::2].copy()
    return np.sum(v * W)


def beside_the_diagonal(v: Any) -> Any:
    n = len(v)
    mat = np.zeros((n, n))
    top = mat.reshape(-1)[1 :: n + 1]
    bot = mat.reshape(-1)[n :: n + 1]
    top[0] = v[0] * v[1]
    top[1:] = np.sqrt(v[1:-1] ** 2 + 1.0)
    bot[...] = top
    mat[:, -1] -= v * v[2]
    return np.sum(mat**2 * np.arange(1.0, n * n + 1.0).reshape(n, n))


def lines_of_one_array(v: Any) -> Any:
    w = v * 2.0
    a, b = w[1::2], w[::2]
    b[:] = a
    return np.sum(w * W)


def one_of_two_ways_to_itself(a: Any) -> Any:
    rows = np.asarray(a, dtype=np.float64)
    for i in range(len(a)):
        row = rows[i]
        rows[i] = row if np.sum(row) == 0.0 else row / np.linalg.norm(row)
    return np.sum(rows * rows[::-1] ** 2)


@pytest.mark.parametrize(
    "function",
    [
        one_of_two_ways_to_itself,
        *(
            shifted,
            turned,
            itself,
            twice,
            rows,
            transposed,
            spread,
            swapped,
            in_turns,
            column_from_row,
        ),
        *(copied, beside_the_diagonal, lines_of_one_array),
        *(mirrored, mirrored_by_a_width, through_what_is_turned),
    ],
)
def test_what_an_array_gives_to_itself(function: Callable[..., Any]) -> None:
    x = (
        A
        if function in (rows, transposed, spread, column_from_row, one_of_two_ways_to_itself)
        else V
    )
    expected = differences(function, (x,), (0,), 1.0)
    for like in (None, (x,)):
        gradient = s2sad.grad(function, like=like)(x)
        assert compare(flatten(gradient, x), expected) is None


def lines_of_other_steps(v: Any) -> Any:
    w = v * 2.0
    a, b = w[1:4], w[::2]
    b[:] = a
    return np.sum(w * W)


def lines_of_other_arrays_of_the_same_memory(v: Any) -> Any:
    mat = (v * 2.0).reshape(2, 3)
    top, bot = mat.reshape(-1)[1::2], mat.T[1:, 0]
    top[:2] = bot
    return np.sum(mat)


@pytest.mark.parametrize(
    "function", [lines_of_other_steps, lines_of_other_arrays_of_the_same_memory]
)
def test_lines_of_other_steps_are_right_or_refused(function: Any) -> None:
    right_or_refused(function, (V,), like=(V,))


def test_columns_of_one_matrix_that_differ_in_their_place_do_not_overlap():
    """It was refused where the matrix may get a row of itself as its other meaning."""

    def filled(x):
        a = np.zeros_like(np.atleast_2d(x))
        rows, columns = a.shape
        for k in range(1, columns):
            a[:, k] = 2.0 * x[:, k] ** 2
        a[:, 0] = a[:, 1]
        a = a[0] if rows == 1 else a
        return np.sum(a)

    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(s2sad.grad(filled)(x), 4.0 * x * [0.0, 2.0, 1.0])
