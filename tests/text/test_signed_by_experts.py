"""Lines that an expert would sign: of functions from many fields, beside what he would not write.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(23)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]


def lengths_of_bars(x: Any, area: Any, bars: Any) -> Any:
    """The head of the loop stays as it was written, and is so when the sweep goes back."""
    weight = 0.0
    for (i, j), A in zip(bars, area, strict=True):
        d = x[j] - x[i]
        weight += A**2 * np.sqrt(d @ d)
    return weight


def variation(real: Any, imag: Any) -> Any:
    """Differences of complex rows are pulled back by differences, too."""
    z = real + 1j * imag
    return np.sum(np.abs(np.diff(z, axis=0)) ** 2) + np.sum(np.abs(np.diff(z)) ** 2)


def roughness(u: Any) -> Any:
    return np.sum(np.diff(u) ** 3)


def momentum(f: Any, c: Any, k: Any) -> Any:
    """Products of a vector with all that a stack holds, and of stacks over their last axes."""
    return np.sum(np.tensordot(c, f, axes=1) ** 2) + np.sum(np.tensordot(f, k, axes=2) ** 3)


BARS = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
ROWS: list[Row] = [
    (
        lengths_of_bars,
        (RNG.random((4, 2)), RNG.random(4) + 0.5, BARS),
        "x",
        ["for (i, j), A in zip(reversed(bars), reversed(area)):"],
        ["parts"],
    ),
    (
        variation,
        (RNG.normal(size=(4, 3)), RNG.normal(size=(4, 3))),
        "real,imag",
        ["axis=0, prepend=0.0, append=0.0)", ", prepend=0.0, append=0.0)"],
        ["def _"],
    ),
    (roughness, (RNG.normal(size=5),), "u", ["prepend=0.0, append=0.0)"], ["np.pad", ": u.size]"]),
    (
        momentum,
        (RNG.normal(size=(4, 3, 2)), RNG.normal(size=4), RNG.normal(size=(3, 2, 2))),
        "c,k",
        ["np.tensordot(f, ", "f.ndim - 1)", "axes=[range(np.ndim(f) - 2)] * 2)"],
        ["def _"],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_an_expert_would_sign_it(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    gradient = s2sad.grad(function, tuple(wrt.split(",")), like=args)
    source = gradient.source
    assert all(line in source for line in lines), source
    assert not any(part in source for part in nowhere), source
    places = [function.__code__.co_varnames.index(name) for name in wrt.split(",")]
    flat = flatten(tuple(standalone(source)(*args)), tuple(args[place] for place in places))
    assert compare(flat, differences(function, args, places)) is None


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (3, 1), (3, 0)])
def test_differences_of_nothing_have_an_adjoint_of_the_same_shape(shape: tuple[int, int]) -> None:
    def rough(u: Any) -> Any:
        return np.sum(np.diff(u, axis=0) ** 2) + np.sum(np.diff(u) ** 2)

    assert s2sad.grad(rough)(np.ones(shape)).shape == shape
