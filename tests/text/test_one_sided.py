"""What is zero on one side of a bound needs no slope that is zero there, too: penalties and hinges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

X = np.array([0.7, -0.4, 0.0, 1.3, -2.0])
W = np.array([0.3, -0.8, 1.1])


def penalty(x: Any, c: Any) -> Any:
    return np.sum(np.maximum(x - c, 0.0) ** 2)


def named(x: Any, c: Any) -> Any:
    over = np.maximum(0, x - c)
    return 0.5 * np.sum(over**2) + over @ over


def hinge(w: Any, A: Any, y: Any) -> Any:
    margin = np.maximum(1 - y * (A @ w), 0)
    return np.mean(margin**2) + 0.1 * w @ w


def both_sides(x: Any) -> Any:
    return np.sum(np.minimum(x, 0.0) ** 2 + np.clip(x, 0, None) ** 3)


def of_a_number(x: Any) -> Any:
    return max(x - 1.0, 0.0) ** 2 + max(0, 2 - x) ** 2


ROWS = [
    (penalty, (X, 0.1), "return 2.0 * np.maximum(x - c, 0.0)"),
    (named, (X, 0.1), "return 2.0 * over + over"),
    (hinge, (W, X[:, None] * W, np.sign(X + 0.1)), "2.0 * margin / margin.size * y @ A"),
    (both_sides, (X + 0.1,), "return 2.0 * np.minimum(x, 0.0) + 3.0 * np.clip(x, 0, None) ** 2"),
    (of_a_number, (1.3,), "return 2.0 * (max(x - 1.0, 0.0) - max(0, 2 - x))"),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_no_slope_where_the_part_itself_is_zero(row: Any) -> None:
    function, args, line = row
    text = s2sad.grad(function, like=args).source
    assert line in text, text
    flat = flatten((standalone(text)(*args),), (args[0],))
    assert compare(flat, differences(function, args, [0])) is None


def linear(x: Any) -> Any:
    return np.sum(np.maximum(x, 0.0))


def of_another(x: Any, y: Any) -> Any:
    part = np.maximum(x, 0.0)
    return np.sum(part**2) + np.sum(y * part)


def written_between(x: Any) -> Any:
    part = np.maximum(x, 0.0)
    total = np.sum(part**2)
    part += 1.0
    return total + np.sum(part**2)


@pytest.mark.parametrize(
    ("function", "args"),
    [(linear, (X + 0.1,)), (of_another, (X + 0.1, X)), (written_between, (X + 0.1,))],
)
def test_the_slope_stays_where_the_part_does_not_vanish(function: Any, args: Any) -> None:
    text = s2sad.grad(function, like=args).source
    assert "> 0.0" in text
    flat = flatten((standalone(text)(*args),), (args[0],))
    assert compare(flat, differences(function, args, [0])) is None


def of_choices(x: Any, y: Any) -> Any:
    first = x[0]
    size = 2.0 * max(0.0, first) if first > 0 else 0.0
    part = np.where(x > 0, np.maximum(x, 0.0), 0.0)
    return size * np.sum(part * y) + size**2


def test_what_you_wrote_stays() -> None:
    args = X + 0.1, W[[0, 1, 2, 0, 1]]
    text = s2sad.grad(of_choices, like=args).source
    assert "\n    size = 2.0 * max(0.0, first) if first > 0 else 0.0" in text, text
    assert "\n    part = np.where(" in text, text
    flat = flatten((standalone(text)(*args),), args[:1])
    assert compare(flat, differences(of_choices, args, [0])) is None


def test_second_derivatives_have_the_slope() -> None:
    args, direction = (X + 0.1, 0.2), np.ones(5)
    product = s2sad.hvp(penalty, like=args)(*args, direction)
    np.testing.assert_array_equal(product, 2.0 * (X + 0.1 > 0.2))
