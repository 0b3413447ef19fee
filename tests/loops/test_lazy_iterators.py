"""What is gone through later than it is named is computed where it is gone through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests import lazies, oracles
from tests.programs.control_flow import inactive_writes
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


LATE = [
    generator_sees_a_new_value,
    generator_sees_a_new_item,
    values_see_a_new_value,
    items_see_a_new_key,
    generator_used_before,
]


@pytest.mark.parametrize("function", LATE)
def test_what_is_seen_late_is_right(function: Any) -> None:
    assert s2sad.check_grad(function, (U,))


@pytest.mark.parametrize("function", lazies.CHANGED)
def test_the_text_for_any_arguments_is_right_or_refused(function: Any) -> None:
    space: dict[str, Any] = {}
    slopes = oracles.differences(function, (U, 0.7), (0,))
    try:
        exec(s2sad.grad(function).source, space)
        found = space[f"{function.__name__}_grad"](U.copy(), 0.7)
    except (s2sad.Unsupported, ValueError) as refusal:
        assert isinstance(refusal, s2sad.Unsupported) or "made for" in str(refusal)
        return
    assert oracles.compare(found, slopes) is None


@pytest.mark.parametrize("function", lazies.CHANGED)
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
def test_with_examples_it_is_right(function: Any, make: Any) -> None:
    args = (U, 0.7)
    derivative = make(function, like=args)
    if make is s2sad.jvp:
        assert judged(function, args, (0,), derivative) is None
    else:
        slopes = oracles.differences(function, args, (0,))
        assert oracles.compare(derivative(U.copy(), 0.7), slopes) is None


@pytest.mark.parametrize("function", lazies.AS_MADE + lazies.ASKED)
def test_what_does_not_change_before_is_right(function: Any) -> None:
    assert s2sad.check_grad(function, (U, 0.7))


def test_what_is_shuffled_was_read_before() -> None:
    assert s2sad.check_grad(inactive_writes.shuffled, (inactive_writes.U,))
    with pytest.raises(s2sad.Unsupported, match="overwrites what the reverse sweep needs"):
        s2sad.grad(inactive_writes.resized)(inactive_writes.U)
    assert s2sad.check_grad(inactive_writes.changed_in_an_object, (inactive_writes.U,))
    v = np.arange(5.0)
    s2sad.grad(inactive_writes.argument_is_shuffled)(inactive_writes.U, v)
    assert np.array_equal(v, np.arange(5.0))
    assert s2sad.check_grad(inactive_writes.argument_is_shuffled, (inactive_writes.U, v), wrt="u")


def test_what_an_object_of_the_caller_holds_in_a_list_is_not_written_to() -> None:
    weights = inactive_writes.Weights()
    found = s2sad.grad(inactive_writes.in_a_list_of_an_argument)(inactive_writes.U, weights)
    np.testing.assert_array_equal(found, np.full(5, 2.0))
    np.testing.assert_array_equal(weights.all[0], np.ones(5))
