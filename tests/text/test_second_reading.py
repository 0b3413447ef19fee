"""What differed in texts that were read beside adjoints written by hand, one row for each kind.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere. The numbers are compared with differences, for any arguments,
in forward mode and at second order, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(41)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]


def flows_of_lines(theta: Any, g: Any, b: Any, lines: Any) -> Any:
    """A product of an element and a function of a name is said twice."""
    p = np.zeros(len(theta))
    for k, (i, j) in enumerate(lines):
        d = theta[i] - theta[j]
        p[i] += g[k] - g[k] * np.cos(d) - b[k] * np.sin(d)
        p[j] += g[k] - g[k] * np.cos(d) + b[k] * np.sin(d)
    return np.sum(p**2)


LINES = [(0, 1), (1, 2), (3, 0)]

ROWS: list[Row] = [
    (
        flows_of_lines,
        (RNG.normal(size=4), RNG.normal(size=3), RNG.normal(size=3), LINES),
        "theta,g,b",
        ["cos_d, sin_d = np.cos(d), np.sin(d)", "p[j] += g[k] - g[k] * cos_d + b[k] * sin_d"],
        ["p_product"],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_it_is_written_as_by_hand(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    names = tuple(wrt.split(","))
    gradient = s2sad.grad(function, names, like=args)
    source = gradient.source
    assert all(line in source for line in lines), source
    assert not any(part in source for part in nowhere), source
    places = [function.__code__.co_varnames.index(name) for name in names]
    given = tuple(args[place] for place in places)
    for made in (standalone(source), s2sad.grad(function, names)):
        found = flatten(tuple(made(*args)), given)
        assert compare(found, differences(function, args, places)) is None
    assert s2sad.check_grad(function, args, names)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_its_second_derivative_is_right(row: Row) -> None:
    function, args, wrt, *_ = row
    names = tuple(wrt.split(","))
    places = [function.__code__.co_varnames.index(name) for name in names]
    dots = [RNG.normal(size=np.shape(args[place])) for place in places]
    moved = [list(args), list(args)]
    for sign, each in zip((1e-5, -1e-5), moved, strict=True):
        for place, dot in zip(places, dots, strict=True):
            each[place] = args[place] + sign * (dot if np.ndim(dot) else float(dot))
    gradient = s2sad.grad(function, names, like=args)
    above, below = (gradient(*each) for each in moved)
    found = s2sad.hvp(function, names, like=args)(
        *args, *(d if np.ndim(d) else float(d) for d in dots)
    )
    for one, high, low in zip(found, above, below, strict=True):
        np.testing.assert_allclose(one, (np.asarray(high) - low) / 2e-5, rtol=1e-5, atol=1e-7)
