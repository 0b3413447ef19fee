"""What is gone through later than it is named is not computed where it is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests import lazies, oracles
from tests.programs import changing
from tests.rooms.forward import judged

U = np.array([0.7, 0.31, 0.42, 0.93])


def generator_sees_a_new_value(u):
    k = u[0]
    terms = (k * x for x in u)
    k = 5.0 * u[1]
    return sum(terms) * k


def generator_sees_a_new_item(u):
    xs = [u[0], u[1]]
    squares = (x * x for x in xs)
    xs.append(u[2])
    return sum(squares)


def values_see_a_new_value(u):
    d = {"a": u[0], "b": u[1]}
    values = d.values()
    d["a"] = 3.0 * u[2]
    return sum(values)


def items_see_a_new_key(u):
    d = {"a": u[0]}
    items = d.items()
    d["b"] = u[1] ** 2
    return sum(v for _, v in items)


def generator_used_before(u):
    k = u[0]
    terms = (k * x for x in u)
    total = sum(terms)
    k = 5.0 * u[1]
    return total * k


@pytest.mark.parametrize(
    "function",
    [
        generator_sees_a_new_value,
        generator_sees_a_new_item,
        values_see_a_new_value,
        items_see_a_new_key,
    ],
)
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
def test_what_is_seen_late_is_refused(function: Any, make: Any) -> None:
    args = (U,) if make is s2sad.grad else (U, U)
    with pytest.raises(s2sad.Unsupported, match="is gone through after this line"):
        make(function)(*args)


def test_what_is_gone_through_at_once_is_right() -> None:
    assert s2sad.check_grad(generator_used_before, (U,))


@pytest.mark.parametrize("function", lazies.CHANGED)
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
def test_what_changes_before_it_is_gone_through_is_refused(function: Any, make: Any) -> None:
    with pytest.raises(s2sad.Unsupported, match="is gone through after this line"):
        make(function).source  # noqa: B018


@pytest.mark.parametrize("function", lazies.CHANGED)
def test_with_examples_it_is_right_or_refused(function: Any) -> None:
    args = (U, 0.7)
    for make in (s2sad.grad, s2sad.jvp):
        try:
            derivative = make(function, like=args)
        except s2sad.Unsupported as refusal:
            assert "is gone through after this line" in str(refusal)
            continue
        if make is s2sad.jvp:
            assert judged(function, args, (0,), derivative) is None
        else:
            slopes = oracles.differences(function, args, (0,))
            assert oracles.compare(derivative(U.copy(), 0.7), slopes) is None


@pytest.mark.parametrize("function", lazies.AS_MADE)
def test_what_does_not_change_before_is_right(function: Any) -> None:
    assert s2sad.check_grad(function, (U, 0.7))


def test_what_is_gone_through_once_has_no_length() -> None:
    with pytest.raises(s2sad.Unsupported, match="can be gone through only once"):
        s2sad.grad(lambda u, x: sum(lazies.scaled(u, x))).source  # noqa: B018


def test_what_is_shuffled_was_read_before() -> None:
    assert s2sad.check_grad(changing.shuffled, (changing.U,))
    assert s2sad.check_grad(changing.resized, (changing.U,))
    assert s2sad.check_grad(changing.changed_in_an_object, (changing.U,))
    v = np.arange(5.0)
    s2sad.grad(changing.argument_is_shuffled)(changing.U, v)
    assert np.array_equal(v, np.arange(5.0))
    assert s2sad.check_grad(changing.argument_is_shuffled, (changing.U, v), wrt="u")


def test_what_an_object_of_the_caller_holds_in_a_list_is_not_written_to() -> None:
    weights = changing.Weights()
    found = s2sad.grad(changing.in_a_list_of_an_argument)(changing.U, weights)
    np.testing.assert_array_equal(found, np.full(5, 2.0))
    np.testing.assert_array_equal(weights.all[0], np.ones(5))
