"""What a scientist would write of fields on grids, of rates and of tables: the text, and its numbers.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere. The numbers are compared with differences, and both modes
with each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(23)


def on_staggered_grids(u: Any, dt: Any) -> Any:
    for _ in range(3):
        east = np.zeros((2, len(u) + 1))
        west = np.zeros((2, len(u) + 1))
        east[:, 1:-1] = np.sin(u[1:] - u[:-1])
        west[:, 1:-1] = np.cos(u[1:] + u[:-1])
        u = u - dt / 0.5 * (east[0, 1:] - east[1, :-1] + west[0, 1:] - west[1, :-1])
    return np.sum(u**2)


def limited(u: Any, dt: Any, dx: Any) -> Any:
    left = u - np.roll(u, 1)
    right = np.roll(u, -1) - u
    slope = np.where(left * right > 0.0, np.where(np.abs(left) < np.abs(right), left, right), 0.0)
    flux = u + 0.5 * slope
    return np.sum((u - dt / dx * (flux - np.roll(flux, 1))) ** 2)


def two_at_once(u: Any, a: Any) -> Any:
    wet = dry = 0.0
    damp = np.zeros(4)
    for k in range(2):
        damp[k] = damp[3 - k] = a * (k + 1)
    for x in u:
        wet = a * wet + x
        dry = wet - a * dry
    return np.sum(damp * u) * wet * dry


U = RNG.standard_normal(4)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]
ROWS: list[Row] = [
    (
        on_staggered_grids,
        (U, 0.1),
        "u",
        ["east_bar[0, 1:] -= east_term_bar", "west_bar[1, :-1] += east_term_bar"],
        ["= dt / 0.5 * u_bar\n        east_bar[1"],
    ),
    (limited, (U, 0.1, 0.5), "u", ["flux_bar = dt / dx * (np.roll("], []),
    (two_at_once, (U, 0.3), "u,a", ["wet = dry = 0.0", "damp[k] = damp[3 - k] = "], []),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_the_text_is_as_by_hand_and_right(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    names = tuple(wrt.split(","))
    gradient = s2sad.grad(function, names, like=args)
    for line in lines:
        assert line in gradient.source, gradient.source
    for part in nowhere:
        assert part not in gradient.source, gradient.source
    places = [function.__code__.co_varnames.index(name) for name in names]
    given = tuple(args[place] for place in places)
    for made in (standalone(gradient.source), s2sad.grad(function, names)):
        found = flatten(tuple(made(*args)), given)
        assert compare(found, differences(function, args, places)) is None
    assert s2sad.check_grad(function, args, names)
