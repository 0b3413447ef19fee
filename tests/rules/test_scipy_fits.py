"""Minima of functions of one number, least squares and fitted curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import curve_fit, least_squares, minimize_scalar
from test_scipy_use import agrees_with_differences

import s2sad

K = np.array([0.7, 1.3])
K_DOT = np.array([0.4, -1.1])
T = np.linspace(0.0, 2.0, 7)
DATA = np.exp(-0.8 * T) + 0.1 * np.sin(5.0 * T)


def valley(x: Any, a: Any, b: Any) -> Any:
    return np.cosh(x - a) + 0.3 * b * x**2


def lowest(k: Any) -> Any:
    return minimize_scalar(valley, args=(k[0], k[1]), tol=1e-12).x ** 2


def value_at_the_lowest(k: Any) -> Any:
    found = minimize_scalar(valley, args=(k[0], k[1]), tol=1e-12)
    return found.fun * k[0] if found.success else found.x


def residuals_at_the_fit(k: Any) -> Any:
    found = least_squares(residuals, np.ones(2), args=(k,), xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return found.cost + found.fun[1] * found.x[0]


def lowest_of_closure(k: Any) -> Any:
    total = np.sum(k**2)
    return minimize_scalar(lambda x: np.exp(x) - x * total, bracket=(0.0, 1.0), tol=1e-12).x


def residuals(p: Any, k: Any) -> Any:
    return p[0] * np.exp(-p[1] * T * k[0]) - DATA * k[1]


def squares(k: Any) -> Any:
    found = least_squares(residuals, np.ones(2), args=(k,), xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return np.sum(found.x**2)


def squares_of_a_list(k: Any) -> Any:
    found = least_squares(
        lambda p: [p[0] - k[0], p[1] ** 2 - k[1], p[0] * p[1] - 1.0], np.ones(2), xtol=1e-15
    )
    return found.x[0] * found.x[1]


def model(t: Any, a: Any, b: Any) -> Any:
    return a * np.exp(-b * t)


def fitted(k: Any) -> Any:
    p, _ = curve_fit(model, T, DATA * k[0] + k[1] * T, p0=[1.0, 1.0], ftol=1e-15, xtol=1e-15)
    return p[0] * p[1] ** 2


def fitted_at_places(k: Any) -> Any:
    c = curve_fit(lambda t, c: c * t, T, DATA, sigma=T + k[0], xtol=1e-15, ftol=1e-15)[0][0]
    a, b = curve_fit(model, T * k[1], DATA * k[0], xtol=1e-15, ftol=1e-15)[0]
    return (a + b * b) * c


OF_VALUES = [value_at_the_lowest, residuals_at_the_fit]
FUNCTIONS = [
    lowest,
    lowest_of_closure,
    squares,
    squares_of_a_list,
    fitted,
    fitted_at_places,
    *OF_VALUES,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_program(function: Callable[..., Any]) -> None:
    # a minimum is found to half of all digits
    agrees_with_differences(function, K, bound=1e-4, modes=1e-9)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_hessian_product(function: Callable[..., Any]) -> None:
    gradient = s2sad.grad(function, like=(K,))
    expected = (gradient(K + 1e-3 * K_DOT) - gradient(K - 1e-3 * K_DOT)) / 2e-3
    _, forward_over_reverse = s2sad.jvp(gradient, like=(K,))(K, K_DOT)
    reverse_over_reverse = s2sad.vjp(gradient, like=(K,))(K, K_DOT)
    for product in (forward_over_reverse, reverse_over_reverse):
        assert np.allclose(product, expected, rtol=1e-4, atol=1e-4)


def test_closed_forms() -> None:
    def line(t: Any, a: Any, b: Any) -> Any:
        return a + b * t

    def slope(y: Any) -> Any:
        return curve_fit(line, T, y)[0][1]

    def least(k: Any) -> Any:
        return minimize_scalar(lambda x: np.exp(x) - k * x).x

    matrix = np.stack([np.ones_like(T), T], axis=1)
    assert np.allclose(s2sad.grad(slope)(DATA), np.linalg.pinv(matrix)[1], rtol=1e-7, atol=1e-9)
    assert np.isclose(s2sad.grad(least)(2.0), 0.5, rtol=1e-7)
    assert np.isclose(s2sad.grad(s2sad.grad(least))(2.0), -0.25, rtol=1e-7)


# ---------------------------------------------------------------------------- refused


def covariance(k: Any) -> Any:
    p, error = curve_fit(model, T, DATA * k[0])
    return p[0] + error[0, 0]


def bounded_fit(k: Any) -> Any:
    return curve_fit(model, T, DATA * k[0], bounds=(0.0, 1.0))[0][0]


def curve_of_closure(k: Any) -> Any:
    return curve_fit(lambda t, a, b: a * np.exp(-b * t * k[1]), T, DATA)[0][0]


def robust(k: Any) -> Any:
    return least_squares(residuals, np.ones(2), args=(k,), loss="soft_l1").x[0]


def bounded_squares(k: Any) -> Any:
    return least_squares(residuals, np.ones(2), args=(k,), bounds=([0, 0], [1, 1])).x[0]


def bounded_minimum(k: Any) -> Any:
    return minimize_scalar(valley, args=(k[0], k[1]), bounds=(0, 1), method="bounded").x


REFUSED = [covariance, bounded_fit, curve_of_closure]
REFUSED += [robust, bounded_squares, bounded_minimum]


@pytest.mark.parametrize("function", REFUSED)
def test_what_is_not_covered_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(s2sad.S2sadError):
        s2sad.grad(function)(K)
    with pytest.raises(s2sad.S2sadError):
        s2sad.jvp(function)(K, K_DOT)
