"""Splines by knots and coefficients, polynomials in pieces and radial functions, as users call them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, interpolate, stats

import s2sad
from tests.programs.entry import numbers

X = np.array([0.0, 0.4, 1.1, 1.5, 2.2, 2.6, 3.3, 4.0])
Q = np.array([0.31, 1.27, 2.83, 3.61])
Y = numbers(8)
T = interpolate.splrep(X, Y)[0]
BREAKS = np.array([0.0, 1.0, 2.5, 4.0])
PLACES = numbers(8, 2)


def through_points(y: Any) -> Any:
    tck = interpolate.splrep(X, y)
    slope = interpolate.splev(Q, tck, der=1)
    return np.sum(interpolate.splev(Q, tck) * slope) * interpolate.splint(0.5, 3.0, tck)


def by_coefficients(c: Any) -> Any:
    steep = interpolate.BSpline(T, c, 3).derivative()(Q) * interpolate.BSpline(T, c, 3)(Q, nu=2)
    return np.sum(steep * interpolate.splev(Q, (T, c, 3)))


def of_rows(c: Any) -> Any:
    return np.sum(interpolate.BSpline(T, np.stack((c, c**2), axis=1), 3)(Q) ** 3)


def of_other_degrees(y: Any) -> Any:
    straight = interpolate.make_interp_spline(X, y, k=1)(Q)
    return np.sum(straight * interpolate.make_interp_spline(X, y, k=2)(Q) ** 2)


def of_pieces(y: Any) -> Any:
    c = np.reshape(y[:6], (2, 3))
    return np.sum(interpolate.PPoly(c, BREAKS)(Q) ** 2 * interpolate.PPoly(c**2, BREAKS)(Q, 1))


def by_radial_functions(y: Any) -> Any:
    at = np.stack((y[:4], y[4:]), axis=1)
    smooth = interpolate.RBFInterpolator(PLACES, y)(at)
    return np.sum(
        smooth * interpolate.RBFInterpolator(PLACES, Y, kernel="gaussian", epsilon=1.3)(at)
    )


def of_unequal_spread(y: Any) -> Any:
    t, p = stats.ttest_ind(y[:5], y[5:], equal_var=False)
    return t * p


def of_places_for_each_value(y: Any) -> Any:
    u, x = np.reshape(y, (2, 4)), np.reshape(np.cumsum(y**2), (2, 4))
    return np.sum(np.trapezoid(u, x, axis=1) * integrate.trapezoid(u**2, x))


@pytest.mark.parametrize(
    "f",
    [
        *(through_points, by_coefficients, of_rows, of_other_degrees, of_pieces),
        *(by_radial_functions, of_unequal_spread, of_places_for_each_value),
    ],
    ids=lambda f: f.__name__,
)
def test_modes_and_differences_agree(f: Any) -> None:
    assert s2sad.check_grad(f, (Y,))
    step, at = 1e-5, np.sin(np.arange(8.0))
    gradient = s2sad.grad(f)
    bend = (gradient(Y + step * at) - gradient(Y - step * at)) / (2 * step)
    assert np.allclose(s2sad.hvp(f)(Y, at), bend, rtol=1e-5, atol=1e-6 * np.max(np.abs(bend)))
