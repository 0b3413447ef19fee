"""A branch that was not taken receives 0, also where its slope is infinite or nan."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([-1.0, 0.0, 2.0])
pytestmark = pytest.mark.filterwarnings("ignore")


def logarithm(x: Any) -> Any:
    return np.sum(np.where(x > 0, np.log(x), 0.0))


def power(x: Any) -> Any:
    return np.sum(np.where(x > 0, 3.0 * x**0.5, x))


def quotient(x: Any) -> Any:
    safe = x != 0
    return np.sum(np.where(safe, np.sin(x) / x, 1.0) * np.array([1.0, 2.0, 3.0]))


def normed(x: Any) -> Any:
    q = np.sin(x) / x
    n = q / np.sqrt(x**2 + 0.5)  # what it is divided by is never zero, but q may be nan
    return np.sum(np.where(x != 0, n, 1.0) * np.array([1.0, 2.0, 3.0]))


def normed_slope(x: float) -> float:
    root, q, slope = np.sqrt(x**2 + 0.5), np.sin(x) / x, np.cos(x) / x - np.sin(x) / x**2
    return float(slope / root - q * x / root**3)


def composed(x: Any) -> Any:
    y = np.sqrt(x)
    z = np.log(y) * y
    return np.sum(np.where(x <= 0, 0.0, z) ** 2)


def chosen(x: Any) -> Any:
    return np.sum(np.select([x > 1, x < 0], [np.log(x), x**2], 0.0) * np.array([1.0, 2.0, 3.0]))


def of_number(x: Any) -> Any:
    return np.where(x > 0, np.log(x) * x, 0.0)


TRUE: list[tuple[Callable[..., Any], list[float]]] = [
    (logarithm, [0.0, 0.0, 0.5]),
    (power, [1.0, 1.0, 1.5 / 2.0**0.5]),
    (normed, [normed_slope(-1.0), 0.0, 3.0 * normed_slope(2.0)]),
    (quotient, [np.cos(1.0) * -1.0 + np.sin(1.0), 0.0, 1.5 * (np.cos(2.0) - 0.5 * np.sin(2.0))]),
    (chosen, [-2.0, 0.0, 1.5]),
]


@pytest.mark.parametrize(("function", "expected"), TRUE)
def test_gradient(function: Callable[..., Any], expected: list[float]) -> None:
    assert np.allclose(s2sad.grad(function)(X), expected, atol=1e-15)
    assert np.allclose(s2sad.grad(function).emitted(None).function(X), expected, atol=1e-15)
    value, tangent = s2sad.jvp(function)(X, np.ones(3))
    assert np.isclose(tangent, np.sum(expected)) and value == function(X)


@pytest.mark.parametrize("function", [logarithm, power, quotient, normed, composed, chosen])
def test_second_order(function: Callable[..., Any]) -> None:
    gradient, alive = s2sad.grad(function), X[2]
    assert np.all(np.isfinite(gradient(X)))
    product = s2sad.hvp(function)(X, np.ones(3))
    steps = [gradient(X + k * 1e-5 * np.array([0.0, 0.0, 1.0]))[2] for k in (1.0, -1.0)]
    assert np.all(np.isfinite(product))
    assert np.isclose(product[2], (steps[0] - steps[1]) / 2e-5, rtol=1e-6), alive


def floored(x: Any) -> Any:
    return np.sum(np.maximum(np.log(x), -5.0) ** 2)


def clipped(x: Any) -> Any:
    return np.sum(np.clip(1.0 / x, -0.8, 0.8) * x)


def capped(x: Any) -> Any:
    return np.sum(np.minimum(x**-0.5, 2.0))


@pytest.mark.parametrize(
    ("function", "expected"),
    [(floored, [0.0, np.log(2.0)]), (clipped, [0.8, 0.0]), (capped, [0.0, -0.5 * 2.0**-1.5])],
)
def test_what_is_cut_off_receives_nothing(function: Any, expected: list[float]) -> None:
    assert np.allclose(s2sad.grad(function)(X[1:]), expected, atol=1e-15)


GUARDED: list[Callable[..., Any]] = [
    lambda x, s: np.sum(np.sqrt(np.maximum(x, 0.0) * s) * np.array([1.0, 2.0, 3.0])),
    lambda x, s: np.sum(np.clip(x, 0, None) ** 0.5 / s),
    lambda x, s: sum(math.sqrt(s * max(v, 0.0)) for v in x) if x.size else 0.0,
    lambda x, s: np.sum(np.where(x < 0, 0.0, x) ** 0.5 * s),
    lambda x, s: np.sum(np.sqrt(x * (x > 0) / s)),
    lambda x, s: np.sum(np.power(-np.minimum(-x, 0.0) * s, 0.3)),
    lambda x, s: np.sum(np.sqrt(np.heaviside(x, 0.0) * x * s)),
    lambda x, s: np.sum(np.sqrt((np.abs(x) + x) / 2 * s)),
    lambda x, s: np.sum(np.sqrt(abs(-x) - (-x)) ** 0.7 / s),
]


@pytest.mark.parametrize("function", GUARDED)
def test_what_a_guard_made_zero_has_no_infinite_slope(function: Callable[..., Any]) -> None:
    x, s, along = np.array([-1.0, 0.5, 2.0]), 0.7, (np.array([0.3, -0.2, 0.4]), 0.6)

    def moved(h: float) -> tuple[Any, float]:
        return x + h * along[0], s + h * along[1]

    slope = (function(*moved(1e-5)) - function(*moved(-1e-5))) / 2e-5
    gradient = s2sad.grad(function, wrt=(0, 1))
    x_bar, s_bar = gradient(x, s)
    assert x_bar[0] == 0.0
    assert np.dot(x_bar, along[0]) + s_bar * along[1] == pytest.approx(slope, rel=1e-8)
    assert s2sad.jvp(function, wrt=(0, 1))(x, s, *along)[1] == pytest.approx(slope, rel=1e-8)
    ahead, behind = gradient(*moved(1e-5)), gradient(*moved(-1e-5))
    product = s2sad.hvp(function, wrt=(0, 1))(x, s, *along)
    for found, one, other in zip(product, ahead, behind, strict=True):
        assert np.allclose(found, (np.asarray(one) - other) / 2e-5, rtol=1e-6, atol=1e-9)


def test_a_root_is_infinite_where_its_other_factor_is_zero() -> None:
    """The guard lets x through there: that s is 0 is nothing that it decided."""
    found = s2sad.grad(lambda x, s: np.sum(np.sqrt(np.maximum(x, 0.0) * s)), wrt=1)
    assert found(np.array([-1.0, 2.0]), 0.0) == np.inf


KINKS: list[Callable[..., Any]] = [
    lambda x: np.sum(np.sqrt(x) * x),
    lambda x: np.sqrt(x @ x),
    lambda x: np.sum(np.arctan2(x, 0.0 * x)),
    lambda x: np.sum(np.angle(x + 1j * x)),
    lambda x: np.sum(np.exp(-1.0 / x**2)),
]


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize("function", KINKS)
@pytest.mark.parametrize("way", [s2sad.grad, s2sad.hvp])
def test_no_nan_is_silent(function: Callable[..., Any], way: Any) -> None:
    with pytest.warns(RuntimeWarning):
        found = way(function)(np.zeros(2), *([np.ones(2)] if way is s2sad.hvp else []))
    assert np.all(np.isnan(found))


@pytest.mark.parametrize("x", [0.0, -2.0, 3.0])
def test_a_number(x: float) -> None:
    expected = np.log(x) + 1.0 if x > 0 else 0.0
    assert s2sad.grad(of_number)(x) == pytest.approx(expected)


POINTS = np.array([[0.3, -0.2], [1.1, 0.4], [0.2, 0.9]])


def squared_distances(points: Any) -> Any:
    return np.sum((points[:, None] - points[None]) ** 2, axis=2)


def inverse_above_the_diagonal(points: Any) -> Any:
    r = np.sqrt(squared_distances(points))
    apart = r > 0
    r[apart] = 1.0 / r[apart]
    return np.sum(np.triu(r, 1))


def diagonal_filled(points: Any) -> Any:
    r = np.sqrt(squared_distances(points))
    np.fill_diagonal(r, 1.0)
    return np.sum(1.0 / r)


def put_to_one(points: Any) -> Any:
    r = np.sqrt(squared_distances(points))
    r[r == 0] = 1.0
    return np.sum(1.0 / r)


def pairs_read(points: Any) -> Any:
    r = np.sqrt(squared_distances(points))
    return np.sum(r[np.triu_indices(3, 1)]) + np.sum(r[~np.eye(3, dtype=bool)] ** 3)


def quotients_that_are_finite(points: Any) -> Any:
    q = points / np.array([2.0, 0.0])
    q[~np.isfinite(q)] = 0.0
    return np.sum(q**2)


@pytest.mark.parametrize(
    "function",
    [
        *(inverse_above_the_diagonal, diagonal_filled, put_to_one, pairs_read),
        quotients_that_are_finite,
    ],
)
def test_what_is_not_read_or_written_over_receives_nothing(function: Callable[..., Any]) -> None:
    """The root has an infinite slope on the diagonal, which does not reach the result."""
    with np.errstate(all="ignore"):
        known = oracles.differences(function, (POINTS,), (0,), 1.0)
        got = s2sad.grad(function)(POINTS)
        _, tangent = s2sad.jvp(function)(POINTS, POINTS**2)
    assert oracles.compare(got.ravel(), known) is None
    assert tangent == pytest.approx(np.sum(got * POINTS**2))
