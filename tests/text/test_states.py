"""States that are tuples or lists of a few numbers: each item is a name of its own."""

# ruff: noqa: B905 (as users write zip)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences


def rates(x, v, mu):
    return v, mu * (1.0 - x * x) * v - x


def listed(state, mu):
    x, v = state
    return [v, mu * (1.0 - x * x) * v - x]


def by_generator(x, mu, n):
    state = (x, 1.0)
    for _ in range(n):
        one = rates(*state, mu)
        guess = tuple(s + 0.1 * d for s, d in zip(state, one))
        two = rates(*guess, mu)
        state = tuple(s + 0.05 * (d + e) for s, d, e in zip(state, one, two))
    return state[0] * state[1]


def step(state, mu, h):
    one = rates(*state, mu)
    guess = tuple(s + h * d for s, d in zip(state, one))
    two = rates(*guess, mu)
    return tuple(s + 0.5 * h * (d + e) for s, d, e in zip(state, one, two))


def by_helper(x, mu, n):
    state = (x, 1.0)
    for _ in range(n):
        state = step(state, mu, 0.1)
    return state[0] * state[1]


def by_list(x, mu, n):
    state = [x, 1.0]
    for _ in range(n):
        one = listed(state, mu)
        two = listed([s + 0.1 * d for s, d in zip(state, one)], mu)
        state = [s + 0.05 * (d + e) for s, d, e in zip(state, one, two)]
    return state[0] * state[-1]


def by_map(x, mu, n):
    state = (x, 1.0)
    for _ in range(n):
        state = tuple(map(lambda s, d: s + 0.1 * d, state, listed(state, mu)))
    x, v = state
    return x * v


def of_a_list_that_grows(x, mu, n):
    """It is no state: what is told apart is refused, and the list stays whole."""
    state = [x, 1.0]
    for k in range(n):
        one = [state[1], -mu * state[0]]
        state = [s + 0.1 * d for s, d in zip(state, one)]
        state.append(mu * k)
    return state[0] * state[1] + state[2]


def of_a_list_that_is_filled(x, mu, n):
    state = [x, 1.0]
    for _ in range(n):
        one, new = listed(state, mu), []
        for s, d in zip(state, one):
            new.append(s + 0.1 * d)
        state = new
    return state[0] * state[1]


def at_a_place(x, mu, n):
    state = [x, 1.0]
    for _ in range(n):
        one = listed(state, mu)
        state = [s + 0.1 * d for s, d in zip(state, one)]
    return sum(state[k] * state[k - 1] for k in range(n % 2, 2))


TOLD_APART = (by_generator, by_helper, by_list, by_map)
KEPT = (of_a_list_that_grows, of_a_list_that_is_filled, at_a_place)
ARGS = (0.7, 0.3, 5)


@pytest.mark.parametrize("like", [ARGS, None], ids=["like", "any"])
@pytest.mark.parametrize("function", [*TOLD_APART, *KEPT])
def test_they_are_differentiated(function: Callable[..., Any], like: Any) -> None:
    made = s2sad.grad(function, ("x", "mu"), like=like)
    expected = differences(function, ARGS, (0, 1))
    assert compare(np.array(made(*ARGS)), expected) is None


@pytest.mark.parametrize("function", TOLD_APART)
def test_items_are_names(function: Callable[..., Any]) -> None:
    text = str(s2sad.grad(function, ("x", "mu"), like=ARGS).source)
    text = "\n".join(line.partition("#")[0] for line in text.splitlines())
    assert "state_0_bar" in text or "item_bar" in text
    assert not any(word in text for word in ("state[", "state_bar[", ".append(s", "for s, d"))
    assert "for _ in range(n):" in text


@pytest.mark.parametrize("function", [by_generator, by_helper])
def test_they_are_numbers_where_the_result_is_one(function: Callable[..., Any]) -> None:
    text = str(s2sad.grad(function, ("x", "mu")).source)
    assert "_sum_to" not in text
    assert "real numbers x, mu" in text


def element_by_element(x, mu, n):
    y = np.array([x, 1.0])
    for _ in range(n):
        out = np.empty(2)
        for i, d in enumerate(rates(*y, mu)):
            out[i] = y[i] + 0.1 * d
        y = out
    return y[0] * y[1]


def test_a_loop_of_one_statement_over_a_few_numbers_is_written_out() -> None:
    made = s2sad.grad(element_by_element, ("x", "mu"), like=ARGS)
    assert "gone_through" not in str(made.source)
    expected = differences(element_by_element, ARGS, (0, 1))
    assert compare(np.array(made(*ARGS)), expected) is None
