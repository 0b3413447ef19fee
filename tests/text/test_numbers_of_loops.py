"""Without examples, where a result is a number, so is what loops carry to it, and rows are vectors.

Each row: a function, its arguments, what it is differentiated with respect to, what the entry
asks for, and what the text has nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten

RNG = np.random.default_rng(41)
Row = tuple[Callable[..., Any], tuple[Any, ...], list[str], list[str]]


def steered(controls: Any, start: Any, dt: Any) -> Any:
    """The cost begins as 0.0 and is a sum of more: what it grows by are numbers."""
    x, angle, speed = start
    cost = 0.0
    for push, turn in controls:
        x = x + dt * speed * np.cos(angle)
        angle = angle + dt * turn
        speed = speed + dt * push
        cost += push**2 + turn**2
    return cost + 10.0 * (x - 1.0) ** 2 + speed**2


def interest(rates: Any, values: Any, loan: Any) -> Any:
    """Items of two vectors that are gone through together."""
    debt = loan
    for rate, value in zip(rates, values):  # noqa: B905
        debt = debt * (1.0 + rate) - value
    return debt**2


def grown(rows: Any, weight: Any) -> Any:
    """What begins as a number and becomes an array is asked for nothing."""
    total = 0.0
    for row in rows:
        total = total + weight * row
    return np.sum(total**2)


ROWS: list[Row] = [
    (
        steered,
        (RNG.standard_normal((4, 2)), RNG.standard_normal(3), 0.1),
        ["controls (n, 2)", "real number dt"],
        ["_sum_to", "np.shape(x)"],
    ),
    (interest, (RNG.random(4), RNG.random(4), 2.0), ["rates (n,)"], ["_sum_to"]),
    (grown, (RNG.standard_normal((3, 2)), 0.5), [], ["rows (n, m)"]),
    (grown, (RNG.standard_normal(3), 0.5), [], ["rows (n, m)"]),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_is_asked_at_the_entry(row: Row) -> None:
    function, args, asked, nowhere = row
    derivative = s2sad.grad(function, function.__code__.co_varnames[0])
    text = derivative.source
    for words in asked:
        assert words in " ".join(text.replace('"', "").split()), text
    for words in nowhere:
        assert words not in text, text
    names: dict[str, Any] = {}
    exec(text, names)
    got = flatten(names[f"{function.__name__}_grad"](*args), args[0])
    assert compare(got, differences(function, args, (0,))) is None


def test_what_does_not_fit_is_refused() -> None:
    names: dict[str, Any] = {}
    exec(s2sad.grad(steered, "controls").source, names)
    controls, start, _ = ROWS[0][1]
    with pytest.raises(ValueError, match="real number dt"):
        names["steered_grad"](controls, start, np.array([0.1, 0.2]))
