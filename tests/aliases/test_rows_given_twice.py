"""Arguments that are lists of lists, and written to by two subscripts: a row may stand there twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles
from tests.programs.entry import Entry, assert_good, numbers, rows

ASKED = "if len(set(map(id, A))) != len(A):"


def eliminated(A, b):
    n = len(A)
    for k in range(n):
        for i in range(k + 1, n):
            f = A[i][k] / A[k][k]
            for j in range(k, n):
                A[i][j] -= f * A[k][j]
            b[i] -= f * b[k]
    return A[2][2] * b[2] + A[0][0] * A[1][1]


def relaxed(A):
    for _ in range(2):
        for i in range(1, len(A) - 1):
            for j in range(1, len(A[0]) - 1):
                A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1])
    return A[1][1] * A[2][1]


def factored(A):
    n = len(A)
    for k in range(n):
        A[k][k] = np.sqrt(A[k][k] + 5.0 - sum(A[k][j] ** 2 for j in range(k)))
        for i in range(k + 1, n):
            A[i][k] = (A[i][k] - sum(A[i][j] * A[k][j] for j in range(k))) / A[k][k]
    return sum(np.log(A[i][i]) for i in range(n))


def rows_scaled(A):
    for row in A:
        s = sum(v * v for v in row)
        for j in range(len(row)):
            row[j] /= s
    return A[0][1] * A[1][2] + A[2][0]


def raised(M, i):
    M[i][i] += M[0][1] ** 2


def helped(A):
    for i in range(3):
        raised(A, i)
    return A[0][0] * A[2][2]


def exchanged(A):
    A[0], A[2] = A[2], A[0]
    A[0][1] *= A[2][1]
    return A[0][1] ** 2 + A[2][1]


def given_another(A, b):
    A[1] = b
    A[1][0] = b[1] * 2.0
    return b[0] * A[1][0]


def held_twice(A):
    A.append(A[0])
    A[3][1] = 5.0 * A[1][1]
    return A[0][1] ** 2


def only_read(A):
    M = [row[:] for row in A]
    M[0][1] = M[1][1] * 2.0
    return M[0][1] * sum(A[0]) * A[1][1]


SQUARE = numbers(3, 3).tolist()
PROGRAMS = (
    Entry(eliminated, (SQUARE, numbers(3).tolist()), (0, 1), like_only=True),
    Entry(relaxed, (numbers(4, 3).tolist(),), like_only=True),
    *(
        Entry(function, (SQUARE,), like_only=True)
        for function in (factored, rows_scaled, helped, exchanged, only_read)
    ),
    Entry(given_another, (SQUARE, numbers(3).tolist()), (0, 1), like_only=True, may_refuse=True),
    Entry(held_twice, (SQUARE,), like_only=True, may_refuse=True),
)


@pytest.mark.parametrize("entry", rows(PROGRAMS))
def test_derivative_is_right(entry: Entry) -> None:
    assert_good(entry)


@pytest.mark.parametrize("function", [relaxed, helped])
def test_a_row_that_is_there_twice_is_right_or_refused(function: Any) -> None:
    def at(row: Any) -> Any:
        return function([row, [1.0, 2.0, 3.0], row, [0.1, 0.2, 0.3]])

    first, steps = np.array([0.3, 0.4, 0.5]), 1e-6 * np.eye(3)
    slopes = [(at(list(first + h)) - at(list(first - h))) / 2e-6 for h in steps]
    row = list(first)
    try:
        found = s2sad.grad(function)([row, [1.0, 2.0, 3.0], row, [0.1, 0.2, 0.3]])
    except ValueError as refusal:
        assert "made for A whose rows are lists of their own" in str(refusal)
        return
    np.testing.assert_allclose(np.add(found[0], found[2]), slopes, rtol=1e-7)


@pytest.mark.parametrize("function", [relaxed, helped])
def test_a_tangent_of_a_row_that_is_there_twice_is_there_twice(function: Any) -> None:
    def along(t: float) -> Any:
        row = [0.3 + t, 0.4 - t, 0.5]
        return function([row, [1.0, 2.0, 3.0], row, [0.1, 0.2, 0.3]])

    row, dot = [0.3, 0.4, 0.5], [1.0, -1.0, 0.0]
    A = [row, [1.0, 2.0, 3.0], row, [0.1, 0.2, 0.3]]
    A_dot = [dot, [0.0] * 3, dot, [0.0] * 3]
    found = s2sad.jvp(function, wrt="A")(A, A_dot)[1]
    np.testing.assert_allclose(found, (along(1e-6) - along(-1e-6)) / 2e-6, rtol=1e-7)


def test_nothing_is_asked_where_no_argument_is_written_to() -> None:
    row = [0.3, 0.4, 0.5]
    derivative = s2sad.grad(only_read, like=([row, row],))
    made = derivative([row, row])
    assert made == derivative([row, list(row)])
    assert ASKED not in derivative.source


@pytest.mark.parametrize("like", [False, True])
def test_what_a_text_asks_is_asked_before_it_copies(like: bool) -> None:
    """A copy lies in one piece, whatever the argument does: `A.ravel()` would be a view of it."""

    def f(A):
        A[0, 1] = A[0, 0] * 2.0
        v = A.ravel()
        v[0] = v[1] ** 2
        return np.sum(A**2)

    A = np.arange(1.0, 7.0).reshape(2, 3)
    derivative = s2sad.grad(f, like=(A,)) if like else s2sad.grad(f)
    assert derivative(A)[0, 0] == pytest.approx(72.0)
    with pytest.raises((ValueError, s2sad.ArgumentError), match="has to lie in one piece"):
        derivative(np.asfortranarray(A))


def test_what_lies_in_one_piece_may_be_a_number() -> None:
    """Without examples x may be an array, of which `A.ravel()` is no view where it is turned."""

    def f(u, x):
        A = np.outer(u, u) + x
        v = A.ravel()
        v[0] = np.sin(v[1])
        return np.sum(A * u)

    u, text = np.array([0.3, 0.5]), oracles.standalone(s2sad.jvp(f, wrt=(0, 1)).source, "f_jvp")
    expected = oracles.differences(f, (u, 0.7), (0, 1))
    tangent = text(u, 0.7, np.zeros(2), 1.0)[1]
    assert tangent == pytest.approx(expected.value[-1])
