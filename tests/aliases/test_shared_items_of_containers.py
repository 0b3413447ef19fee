"""What two lists or dicts hold together is one thing: written in one of them, it is seen in the other."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import S2sadError

U = np.array([0.7, 0.31, 0.42])


def starred(u):
    rows = [[1.0, u[0]], [u[1], 4.0]]
    others = [*rows]
    others[0][0] = 9.0
    return np.sum(u) * rows[0][0]


def joined(u):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    others = rows + rows
    others[0][0] = 9.0
    return np.sum(u) * rows[0][0]


def repeated(u):
    rows = [[1.0, 2.0], [3.0, u[0]]]
    others = rows * 2
    others[0][0] = 9.0
    return np.sum(u) * rows[0][0]


def repeated_arrays(u):
    w = np.ones(3)
    others = [w] * 3
    others[1] += u
    return np.sum(others[0] * u)


def starred_dict(u):
    d = {"w": np.ones(3)}
    w = {**d}["w"]
    w[1] = u[0]
    return np.sum(d["w"] * u)


def starred_dict_with_a_name(u):
    d = {"w": np.ones(3)}
    e = {**d}
    w = e["w"]
    w[1] = u[0]
    return np.sum(d["w"] * u)


def comprehension(u):
    w = np.ones(3)
    others = [w for _ in range(3)]
    v = others[1]
    v[0] = 5.0
    return w[0] * u[2]


def rows_of_a_matrix(u):
    rows = [row for row in np.ones((3, 3))]  # noqa: C416
    others = [row for row in rows]  # noqa: C416
    v = others[0]
    v[:] = 3.0
    return np.sum(rows[0] * u)


def given_joined(u, rows):
    others = rows + rows
    others[0][0] = 9.0
    return rows[0][0] * u[1]


def given_repeated(u, rows):
    others = rows * 2
    others[0][0] = 9.0
    return rows[0][0] * u[1]


def given_copied(u, rows):
    others = rows.copy()
    others[0][0] = 9.0
    return rows[0][0] * u[1]


def given_starred(u, rows):
    others = [*rows]
    others[0][0] = 9.0
    return rows[0][0] * u[1]


MADE = (
    starred,
    joined,
    repeated,
    repeated_arrays,
    starred_dict,
    starred_dict_with_a_name,
    comprehension,
    rows_of_a_matrix,
)
GIVEN = (given_joined, given_repeated, given_copied, given_starred)


def both(a, b):
    return a + b


def copied(rows):
    return rows.copy()


def listed(rows):
    return list(rows)


def in_a_tuple(rows):
    return tuple(rows)


def turned(rows):
    return rows[::-1]


def in_order(rows):
    return sorted(rows)


def in_pairs(rows):
    return list(zip(rows, [1.0, 2.0], strict=True))


def chosen(rows):
    return list(filter(lambda row: row[0] > 0.0, rows))


def repeated_by(rows):
    return rows * 2


def wrapped(rows):
    return [rows]


def by_both(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = both(rows, rows)
    others[0][0] = 7.0
    return rows[0][0] * u[1]


def by_copied(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = copied(rows)
    others[0][0] = 7.0
    return rows[0][0] * u[1]


def by_listed(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = listed(rows)
    others[0][0] = 7.0
    return rows[0][0] * u[1]


def by_in_a_tuple(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = in_a_tuple(rows)
    others[0][0] = 7.0
    return rows[0][0] * u[1]


def by_turned(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = turned(rows)
    others[0][0] = 7.0
    return rows[1][0] * u[1]


def by_in_order(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = in_order(rows)
    others[0][0] = 7.0
    return rows[1][0] * u[1]


def by_in_pairs(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = in_pairs(rows)
    others[0][0][0] = 7.0
    return rows[0][0] * u[1]


def by_chosen(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = chosen(rows)
    others[0][0] = 7.0
    return rows[0][0] * u[1]


def by_repeated(u):
    rows = [[u[2], 1.0], [2.0, 5.0]]
    others = repeated_by(rows)
    others[0][0] = 7.0
    return rows[0][0] * u[1]


def by_wrapped(u):
    rows = [[3.0, 1.0], [2.0, 5.0]]
    others = wrapped(rows)
    others[0][0][0] = 7.0
    return rows[0][0] * u[1]


def longer_tuple(u):
    w = np.ones(3) * u
    pair = (w, 1.0)
    three = (*pair, 2.0) if u[0] > 5.0 else pair + (2.0,)  # noqa: RUF005
    three[0][0] = 8.0
    return np.sum(w * u) * pair[1]


CALLED = (
    by_both,
    by_copied,
    by_listed,
    by_in_a_tuple,
    by_turned,
    by_in_order,
    by_in_pairs,
    by_chosen,
    by_repeated,
    by_wrapped,
    longer_tuple,
)
ROWS: tuple[Any, ...] = (
    [[1.0, 2.0], [3.0, 4.0]],
    [np.array([1.0, 2.0]), np.array([3.0, 4.0])],
    np.array([[1.0, 2.0], [3.0, 4.0]]),
)


@pytest.mark.parametrize("function", [*MADE, *CALLED])
def test_what_is_held_twice_is_written_twice(function: Callable[..., Any]) -> None:
    _right_or_refused(function)


@pytest.mark.parametrize("rows", ROWS, ids=["lists", "arrays", "array"])
@pytest.mark.parametrize("function", GIVEN)
def test_what_an_argument_holds_is_written_in_what_is_made_of_it(
    function: Callable[..., Any], rows: Any
) -> None:
    _right_or_refused(function, rows)


def sums(a, b):
    return both(a, b) * 2.0


def of_arrays(u):
    v = u * u
    w = both(u, v)
    w[0] = 1.0
    x = sums(u, w)
    x[1:] += w[1:]
    return np.sum(w * x * u) * copied(v)[0]


def test_what_a_function_makes_of_arrays_is_its_own() -> None:
    """What holds the items of lists shares nothing of arrays: such programs go through."""
    assert s2sad.check_grad(of_arrays, (U,))
    found = s2sad.grad(of_arrays, like=(U,))(U)
    np.testing.assert_allclose(found, s2sad.grad(of_arrays)(U))


def _right_or_refused(function: Callable[..., Any], *args: Any) -> None:
    held = copy.deepcopy(args)
    steps = np.eye(3) * 1e-6

    def value(u: Any) -> float:
        return float(function(u, *copy.deepcopy(args)))

    try:
        found = s2sad.grad(function)(U, *args)
    except S2sadError:
        return
    np.testing.assert_allclose(found, [(value(U + h) - value(U - h)) / 2e-6 for h in steps], 1e-6)
    np.testing.assert_equal(args, held)
