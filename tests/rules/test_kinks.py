"""Where a derivative jumps or does not exist, the convention that the docstring states."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.rules.spelled import adjoints


def name_of(function: Any) -> str:
    """Return how a function of NumPy, math or Python is spelled."""
    if getattr(builtins, function.__name__, None) is function:
        return str(function.__name__)
    return ("math." if function in vars(math).values() else "np.") + str(function.__name__)


def call(function: Any, *args: str) -> str:
    return f"{name_of(function)}({', '.join(args)})"


@pytest.mark.parametrize("function", [np.abs, np.fabs, math.fabs, abs])
def test_absolute_value_at_zero(function: Any) -> None:
    assert adjoints(call(function, "x"), x=0.0)["x"] == 0.0
    assert adjoints(call(function, "x"), x=-2.0)["x"] == -1.0


@pytest.mark.parametrize("function", [np.maximum, np.minimum, np.fmax, np.fmin])
def test_tie_of_two_arrays_is_shared(function: Any) -> None:
    values = {"x": np.array([1.0, 2.0, np.inf]), "z": np.array([1.0, 3.0, np.inf])}
    found = adjoints(call(function, "x", "z"), **values)
    assert found["x"][0] == found["z"][0] == found["x"][2] == found["z"][2] == 0.5
    assert {found["x"][1], found["z"][1]} == {0.0, 1.0}
    assert adjoints(call(function, "x", "x"), x=values["x"])["x"].tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("function", [np.fmax, np.fmin])
def test_number_has_all_beside_nan(function: Any) -> None:
    found = adjoints(call(function, "x", "z"), x=np.array([1.0]), z=np.array([np.nan]))
    assert found["x"] == 1.0
    assert found["z"] == 0.0


@pytest.mark.parametrize("function", [max, min])
def test_tie_of_two_numbers_goes_as_the_builtin(function: Any) -> None:
    assert adjoints(call(function, "x", "z"), x=1.0, z=1.0) == {"x": 1.0, "z": 0.0}
    assert adjoints(call(function, "x", "z", "1.0"), x=1.0, z=1.0) == {"x": 1.0, "z": 0.0}


@pytest.mark.parametrize("function", [np.max, np.min])
def test_equal_extremes_share(function: Any) -> None:
    assert adjoints(call(function, "x"), x=np.full(4, 2.0))["x"].tolist() == [0.25] * 4
    rows = call(function, "x", "axis=1")
    assert adjoints(rows, x=np.ones((2, 2)))["x"].tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_edges_of_clip_are_inside() -> None:
    x = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    assert adjoints("np.clip(x, 0.0, 1.0)", x=x)["x"].tolist() == [0, 1, 1, 1, 0]


def test_bounds_of_clip_that_are_crossed() -> None:
    clip = "np.clip(0.5, x, z)"
    assert adjoints(clip, x=np.array([2.0]), z=np.array([1.0])) == {"x": 0.0, "z": 1.0}


@pytest.mark.parametrize("hold", [float, np.float64, lambda v: np.array([v])])
def test_power_where_a_plain_formula_fails(hold: Any) -> None:
    power = "x**z"
    assert adjoints(power, x=hold(0.0), z=hold(0.0))["x"] == 0.0
    assert adjoints(power, x=hold(0.0), z=hold(1.0))["x"] == 1.0
    assert adjoints(power, x=hold(0.0), z=hold(2.0)) == {"x": 0.0, "z": 0.0}
    assert np.isclose(adjoints(power, x=hold(2.0), z=hold(3.0))["z"], 8.0 * math.log(2.0))


def test_product_with_zeros() -> None:
    assert adjoints("np.prod(x)", x=np.array([2.0, 0.0, 3.0]))["x"].tolist() == [0, 6, 0]
    assert adjoints("np.prod(x)", x=np.array([0.0, 0.0, 3.0]))["x"].tolist() == [0, 0, 0]


def test_cumulative_product_with_zeros() -> None:
    x = np.array([2.0, 0.0, 3.0])
    assert adjoints("np.cumprod(x)", x=x)["x"].tolist() == [1.0, 8.0, 0.0]


def test_slope_of_sinc_is_exact_near_zero() -> None:
    x = np.array([0.0, 1e-12, 1e-5, 0.15, 0.16, 0.7])
    with np.errstate(all="raise", under="ignore"):
        slope = adjoints("np.sinc(x)", x=x)["x"]
    assert np.allclose(slope[:3], -(np.pi**2) / 3.0 * x[:3], rtol=1e-9, atol=0.0)
    # the alternating series, to a term below rounding
    k = np.arange(1, 30)
    odd = np.array([math.factorial(2 * n + 1) for n in k], dtype=float)
    terms = (-1.0) ** k * 2 * k * np.pi * (np.pi * x[3:, None]) ** (2 * k - 1) / odd
    assert np.allclose(slope[3:], terms.sum(axis=1), rtol=1e-13, atol=0.0)


def test_branch_not_taken_passes_no_nan() -> None:
    where = "np.where(c > 0.0, x, z)"
    found = adjoints(
        where, c=np.array([1.0, -1.0]), x=np.array([1.0, np.nan]), z=np.array([np.inf, 2.0])
    )
    assert found["x"].tolist() == [1.0, 0.0]
    assert found["z"].tolist() == [0.0, 1.0]


def test_step_at_zero_is_its_second_operand() -> None:
    found = adjoints("np.heaviside(x, z)", x=np.array([-1.0, 0.0, 2.0]), z=np.full(3, 0.7))
    assert found["z"].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("function", "x", "expected"),
    [
        (lambda x: np.max(x), [1.0, 2.0, 2.0], [0.0, 0.5, 0.5]),
        (lambda x: max(x), [1.0, 2.0, 2.0], [0.0, 1.0, 0.0]),
        (lambda x: np.sum(np.sort(x) * np.arange(1.0, 4.0)), [2.0, 1.0, 1.0], [3.0, 1.0, 2.0]),
        (lambda x: np.sum(x**0 + x**0.0), [0.0, 2.0], [0.0, 0.0]),
    ],
)
def test_ties_of_elements_and_powers_of_zero(function: Any, x: Any, expected: Any) -> None:
    given = np.array(x)
    found = s2sad.grad(function)(given)
    assert found.tolist() == expected
    assert s2sad.jvp(function)(given, np.ones_like(given))[1] == np.sum(expected)


@pytest.mark.parametrize(
    "norm",
    [
        lambda x: np.linalg.norm(x, 2),
        lambda x: np.linalg.norm(x, 2, None),
        lambda x: np.linalg.norm(x, np.inf),
        lambda x: np.linalg.vector_norm(x, axis=(0,), ord=np.inf),
        lambda x: np.linalg.norm(x, 3),
        lambda x: np.linalg.norm(x, 0.5, 0),
        lambda x: np.linalg.vector_norm(x, ord=3, axis=(0,)),
    ],
)
@pytest.mark.parametrize("count", [0, 2])
def test_norm_of_nothing_or_of_zeros_has_slope_zero(norm: Any, count: int) -> None:
    x = np.zeros(count)
    for like in (None, (x,)):
        assert s2sad.jvp(norm, like=like)(x, np.ones(count))[1] == 0.0
        assert s2sad.grad(norm, like=like)(x).tolist() == [0.0] * count


def test_interpolation_through_one_point() -> None:
    x, at, value = np.array([0.0, 1.0, 2.0]), np.array([1.0]), np.array([3.0])
    assert adjoints("np.interp(x, at, value)", x=x, at=at, value=value)["value"] == 3.0
    through = s2sad.jvp(lambda x, at, value: np.interp(x, at, value), ("x", "at", "value"))
    assert through(x, at, value, np.ones(3), np.ones(1), np.ones(1))[1].tolist() == [1.0] * 3


@pytest.mark.parametrize("order", [-1, -2.5])
def test_norm_of_negative_order_has_slope_zero_beside_a_zero(order: float) -> None:
    def norms(A: Any) -> Any:
        return np.linalg.norm(A, order, axis=1)

    A = np.array([[1.0, 0.0, 3.0], [1.0, -2.0, 0.5]])
    step = np.array([[0.0, 0.0, 0.0], [0.3, -0.2, 0.7]])
    change = (norms(A + 1e-6 * step)[1] - norms(A - 1e-6 * step)[1]) / 2e-6
    found = s2sad.grad(lambda A: np.sum(norms(A)))(A)
    assert found[0].tolist() == [0.0] * 3
    assert s2sad.jvp(norms)(A, step)[1] == pytest.approx([0.0, change])
    assert np.vdot(found, step) == pytest.approx(change)
