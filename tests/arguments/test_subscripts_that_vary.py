"""What stands in brackets is a position, or what they compute with: then it is followed or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy import c_, mgrid, r_, s_

import s2sad
from tests import oracles

U = np.array([0.31, 1.42, 0.83])
JOIN = np.r_
CUBIC = np.poly1d([0.5, -1.0, 2.0])  # an object that has no hash
STEPS = [0.5, 2.0, 3.0]
BY_NUMBER = {0.31: 2.0, 1.42: 3.0}


class Line:
    """An object whose brackets compute."""

    def __getitem__(self, key):
        return 2.0 * key


class Rows(list):
    """A list of its own class: brackets give what it holds."""


LINE = Line()
ROWS = Rows(STEPS)


def joined_by_an_imported_name(u):
    return np.sum(r_[u, 2.0 * u, 1.0] ** 2)


def joined_by_another_name(u):
    return np.sum(JOIN[u[0], u] ** 2)


def columns_by_an_imported_name(u):
    return np.sum(c_[u, u * u] ** 2)


def joined_by_its_own_name(u):
    return np.sum(np.r_[0.0, u] * np.r_[u, 1.0])


def held_at_a_position(u):
    return STEPS[int(u[1])] * u[0] + ROWS[int(u[1])] * u[2]


def held_under_a_number(u):
    return BY_NUMBER[float(u[0])] * u[1]


def chosen_by_a_mask(u):
    return np.sum(u[u > 0.5] * np.array(STEPS)[u > 0.5])


def with_an_object_that_has_no_hash(u):
    return float(CUBIC(2.0)) * np.sum(u * u)


@pytest.mark.parametrize(
    "function",
    [
        joined_by_an_imported_name,
        joined_by_another_name,
        columns_by_an_imported_name,
        joined_by_its_own_name,
        held_at_a_position,
        chosen_by_a_mask,
        with_an_object_that_has_no_hash,
    ],
)
def test_brackets_that_are_followed(function: Any) -> None:
    assert s2sad.check_grad(function, (U,))
    expected = oracles.differences(function, (U,), (0,))
    assert oracles.compare(s2sad.grad(function)(U), expected) is None


def test_a_dict_gives_what_it_holds() -> None:
    np.testing.assert_array_equal(s2sad.grad(held_under_a_number)(U), [0.0, 2.0, 0.0])


# ---------------------------------------------------------------- refused


def of_an_object(u):
    return LINE[u[0]] * u[1]


def of_an_object_under_another_name(u):
    line = LINE
    return line[u[0]] * u[1]


def of_an_object_made_here(u):
    line = Line()
    return line[u[0]] * u[1]


def of_two_numbers(u):
    return LINE[u[0], 1][0] * u[1]


def of_a_grid(u):
    return np.sum(np.mgrid[0 : u[0] : 5j])


def of_an_imported_grid(u):
    return np.sum(mgrid[u[0] : 2.0 : 5j])


def of_an_open_grid(u):
    return np.sum(np.ogrid[0 : u[0] : 5j])


def of_a_row_of_a_slice(u):
    return np.r_[0 : u[0] : 0.1][1] * u[1]


def of_a_slice_with_a_name(u):
    key = slice(0.0, u[0], 1.0)
    return key.stop * u[1]


def of_a_key_that_is_kept(u):
    return s_[u[0], u[1]][0] * u[1]


def of_a_key_in_an_index(u):
    return np.index_exp[u[0]][0] * u[1]


def of_a_computed_key(u):
    x = np.sin(u[0])
    y = LINE[x]
    return y * u[1]


REFUSED = [of_two_numbers, of_a_grid, of_an_imported_grid, of_an_open_grid]
REFUSED += [of_a_row_of_a_slice, of_a_slice_with_a_name]
KEPT = [of_a_key_that_is_kept, of_a_key_in_an_index]
OBJECTS = [of_an_object, of_an_object_under_another_name, of_an_object_made_here, of_a_computed_key]


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
@pytest.mark.parametrize("function", REFUSED)
def test_brackets_that_compute_are_refused(function: Any, make: Any) -> None:
    args = (U,) if make is s2sad.grad else (U, U)
    with pytest.raises(s2sad.S2sadError):
        make(function)(*args)
    with pytest.raises(s2sad.S2sadError):
        _ = make(function, like=(U,)).source


@pytest.mark.parametrize("function", KEPT)
def test_brackets_that_give_their_own_index_are_followed(function: Any) -> None:
    expected = oracles.differences(function, (U,), (0,))
    for like in (None, (U,)):
        assert oracles.compare(s2sad.grad(function, like=like)(U), expected) is None
        _, tangent = s2sad.jvp(function, like=like)(U, U)
        np.testing.assert_allclose(tangent, expected.value @ U, rtol=1e-7)


@pytest.mark.parametrize("function", OBJECTS)
def test_brackets_of_an_object_are_followed_or_refused(function: Any) -> None:
    expected = oracles.differences(function, (U,), (0,))
    assert oracles.compare(s2sad.grad(function, like=(U,))(U), expected) is None
    try:
        _, tangent = s2sad.jvp(function, like=(U,))(U, U)
    except s2sad.Unsupported as refusal:
        assert "depends on a key that varies" in str(refusal)
    else:
        assert tangent == pytest.approx(expected.value @ U, rel=1e-6)
