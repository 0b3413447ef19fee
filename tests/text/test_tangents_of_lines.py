"""Tangents of what the user binds on one line stand on one line, behind its values.

Each row: a function, its arguments, a mode, lines that the text has, and what it has nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad

RNG = np.random.default_rng(31)
Row = tuple[Callable[..., Any], tuple[Any, ...], list[str], list[str]]


def turned(x: Any) -> Any:
    """The values are there for the tangents: no sine is computed twice."""
    c, s = np.cos(x), np.sin(x)
    return np.sum(c * s**3)


def exchanged(x: Any, n: int) -> Any:
    """A tangent that reads what a name had before stays before it."""
    a, b = x, x * x
    for _ in range(n):
        a, b = b, np.sin(a) * b
    return np.sum(a * b)


def peaks(p: Any, x: Any) -> Any:
    """Rows of parameters are taken apart with their tangents, on two lines in each sweep."""
    total = np.zeros(len(x))
    for centre, width, height in p:
        total = total + height * np.exp(-(((x - centre) / width) ** 2))
    return np.sum(total**2)


def quotient(x: Any, z: Any) -> Any:
    """The tangent of a quotient has one divisor."""
    return np.sum(x / z)


def softened(x: Any, heat: float) -> Any:
    """The gradient does not vary by what cancels either: no tangent of the extreme, nor a test."""
    path = np.zeros((4, 4))
    for i in range(1, 4):
        for j in range(1, 4):
            a, b = path[i - 1, j], path[i, j - 1]
            low = min(a, b)
            total = np.exp((low - a) / heat) + np.exp((low - b) / heat)
            path[i, j] = x[i - 1] ** 2 * j + low - heat * np.log(total)
    return path[3, 3] ** 2


def steep_in_a_guarded(x: Any, heat: float) -> Any:
    """What an extreme leaves out is still asked where the slope is of what varies."""
    y = np.maximum(x, 0.0)
    return np.sum(np.exp(-1.0 / (y / heat)))


JVP: list[Row] = [
    (turned, (RNG.standard_normal(4),), ["c_dot, s_dot = -x_dot * s, x_dot * c"], []),
    (exchanged, (RNG.standard_normal(4), 3), [], []),
    (
        quotient,
        (RNG.standard_normal(4), RNG.standard_normal(4) + 3.0),
        ["(x_dot - result_term * z_dot) / z"],
        [],
    ),
]
HVP: list[Row] = [
    (turned, (RNG.standard_normal(4),), ["c, s = np.cos(x), np.sin(x)"], ["-x_dot * np.sin(x)"]),
    (exchanged, (RNG.standard_normal(4), 3), [], []),
    (softened, (RNG.standard_normal(3), 0.7), ["low = min(a, b)"], ["low_dot"]),
    (steep_in_a_guarded, (np.array([0.7, -0.4, 1.2]), 0.7), [], []),
    (
        peaks,
        (RNG.standard_normal((2, 3)) + 2.0, RNG.standard_normal(5)),
        ["_, width, height = p[k]", "_, width_dot, height_dot = p_dot[k]"],
        ["centre_dot = "],
    ),
]


def _name(row: Row) -> str:
    return row[0].__name__


def _has(text: str, lines: list[str], nowhere: list[str]) -> None:
    for line in lines:
        assert line in text, text
    for line in nowhere:
        assert line not in text, text


@pytest.mark.parametrize("row", JVP, ids=_name)
def test_of_the_value(row: Row) -> None:
    function, args, lines, nowhere = row
    moving = [k for k, arg in enumerate(args) if isinstance(arg, np.ndarray)]
    names = tuple(function.__code__.co_varnames[k] for k in moving)
    derivative = s2sad.jvp(function, names, like=args)
    directions = [RNG.standard_normal(args[k].shape) for k in moving]
    ahead, behind = (
        function(*(a + h * d for a, d in zip(args, directions, strict=False)), *args[len(moving) :])
        for h in (1e-5, -1e-5)
    )
    _, tangent = derivative(*args, *directions)
    np.testing.assert_allclose(tangent, (ahead - behind) / 2e-5, rtol=1e-6)
    _has(derivative.source, lines, nowhere)


@pytest.mark.parametrize("row", HVP, ids=_name)
def test_of_the_gradient(row: Row) -> None:
    function, args, lines, nowhere = row
    x = args[0]
    direction = RNG.standard_normal(x.shape)
    derivative = s2sad.hvp(function, function.__code__.co_varnames[0], like=args)
    gradient = s2sad.grad(function, function.__code__.co_varnames[0], like=args)
    step = 1e-5 * direction
    ahead, behind = gradient(x + step, *args[1:]), gradient(x - step, *args[1:])
    np.testing.assert_allclose(
        derivative(*args, direction), (ahead - behind) / 2e-5, rtol=1e-5, atol=1e-7
    )
    _has(derivative.source, lines, nowhere)
