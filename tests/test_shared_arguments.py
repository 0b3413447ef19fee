"""One array that is given twice to a function which writes to it: the other name would see that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad

U = np.array([0.7, 0.31, 0.42])
A = np.arange(9.0).reshape(3, 3) + 0.5


def scaled(u, v):
    u *= 2.0
    return np.sum(u * v)


def overwritten_unread(u, v):
    u[0] = 5.0
    return np.sum(v**2)


def in_a_list(u, vs):
    u += 1.0
    return np.sum(u * vs[0])


def renamed_first(u, v):
    u = u * 2.0
    u += 1.0
    return np.sum(u * v)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (scaled, (U, U)),
        (scaled, (U, U[::-1])),
        (scaled, (A[0], A[:, 0])),
        (overwritten_unread, (U, U[:])),
        (in_a_list, (U, [U])),
    ],
)
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.value_and_grad, s2sad.hessian])
def test_the_same_memory_twice_is_refused(function: Any, args: Any, make: Any) -> None:
    with pytest.raises(s2sad.ArgumentError, match="are one array, and u is written to"):
        make(function)(*args)


def test_so_it_is_at_second_order() -> None:
    with pytest.raises(s2sad.ArgumentError, match="are one array"):
        s2sad.jvp(s2sad.grad(scaled))(U, U, U)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (scaled, (U, U.copy())),
        (scaled, (A[:, 0], A[:, 1])),
        (scaled, (A.ravel()[::2], A.ravel()[1::2].repeat(2)[:5])),
        (renamed_first, (U, U)),
    ],
)
def test_what_is_apart_goes_through(function: Any, args: Any) -> None:
    found = s2sad.value_and_grad(function)(*args)
    apart = tuple(each.copy() for each in args)
    np.testing.assert_array_equal(found[1], s2sad.grad(function)(*apart))
    assert found[0] == function(*apart)


def test_a_tangent_may_be_the_argument() -> None:
    value, tangent = s2sad.jvp(scaled)(U, U + 1.0, U)
    assert value == pytest.approx(2.0 * np.sum(U * (U + 1.0)))
    assert tangent == pytest.approx(value)


class Held:
    def __init__(self, w: Any) -> None:
        self.w = w


def beside_an_object(u, held):
    u *= 2.0
    return np.sum(u * held.w)


def test_what_an_object_holds_is_seen_too() -> None:
    assert s2sad.check_grad(beside_an_object, (U, Held(U.copy())))
    with pytest.raises(s2sad.ArgumentError, match="u and held are one array"):
        s2sad.grad(beside_an_object)(U, Held(U))


def of_any_number(u, *others):
    u += 1.0
    return np.sum(u * others[1])


def test_arguments_without_names_are_seen_too() -> None:
    with pytest.raises(s2sad.ArgumentError, match="are one array"):
        s2sad.grad(of_any_number)(U, 1.0, U)
