"""np.piecewise and np.vectorize, which call what they are given."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad

X = np.array([0.1, 0.45, 0.7, 0.35])


def double(u: Any) -> Any:
    return 2.0 * u


def two(x: Any, s: Any) -> Any:
    return np.sum(np.piecewise(x, [x < 0.4, x >= 0.4], [np.sin, lambda u: u * u]) * s)


def three(x: Any, s: Any) -> Any:
    return np.sum(np.piecewise(x * s, [x < 0.2, x >= 0.5], [np.exp, 3.0, double]) ** 2)


def overlapping(x: Any, s: Any) -> Any:
    """The later of two pieces that both hold is written last."""
    return np.sum(np.piecewise(x, [x > 0.0, x > 0.4], [double, np.sqrt]) * s)


@pytest.mark.parametrize("function", [two, three, overlapping])
@pytest.mark.parametrize("x", [X, X.reshape(2, 2), 0.3, 0.9])
def test_piecewise(function: Callable[..., Any], x: Any) -> None:
    report = s2sad.check_grad(function, (x, 1.3))
    assert report, report
    value, _ = s2sad.value_and_grad(function)(x, 1.3)
    assert value == function(x, 1.3)


def test_the_piece_that_does_not_hold_is_not_called() -> None:
    """No nan comes from where a function is not defined."""

    def f(x: Any) -> Any:
        return np.sum(np.piecewise(x, [x > 0.0], [np.log, 0.0]))

    assert np.array_equal(s2sad.grad(f)(np.array([-1.0, 2.0, 0.0])), [0.0, 0.5, 0.0])


def test_vectorize_of_a_function_of_math() -> None:
    def f(x: Any) -> Any:
        h = np.vectorize(math.sin)
        return np.sum(h(x) * x)

    assert s2sad.check_grad(f, (X,))


def test_vectorize_of_what_gives_integers_is_a_constant() -> None:
    def f(x: Any) -> Any:
        h = np.vectorize(math.floor)
        return np.sum(h(x) * x)

    np.testing.assert_array_equal(s2sad.grad(f)(X), np.floor(X))
    np.testing.assert_array_equal(s2sad.grad(f, like=(X,))(X), np.floor(X))


def weighted(w: Any, a: Any) -> Any:
    return w[0] * a + w[1]


@pytest.mark.parametrize(
    ("f", "cause"),
    [
        (lambda x: np.sum(np.vectorize(np.sum, signature="(n)->()")(x)), "a signature"),
        (lambda x: np.sum(np.vectorize(weighted, excluded=["w"])(w=x, a=x)), "excluded arguments"),
    ],
)
def test_options_of_vectorize_are_the_cause_of_a_refusal(f: Any, cause: str) -> None:
    with pytest.raises(s2sad.Unsupported, match=f"np.vectorize with {cause}"):
        s2sad.grad(f)(X)
