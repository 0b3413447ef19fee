"""Objects of SciPy's: distributions with parameters, interpolators made of points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate, stats
from scipy.interpolate import CubicSpline, interp1d
from scipy.spatial.transform import Rotation
from scipy.stats import norm
from test_scipy_use import agrees_with_differences

import s2sad

X = np.array([0.31, 0.84, 1.57, 2.2, 3.05])
T = np.array([0.4, 1.1, 2.9, 1.3])


def frozen(x: Any) -> Any:
    noise = norm(x[0], scale=x[1])
    return np.sum(noise.logpdf(T)) + noise.cdf(x[2]) + stats.gamma(x[3]).logpdf(2.0)


def frozen_at_once(x: Any) -> Any:
    return np.sum(stats.t(3.0, loc=x[0]).logpdf(T)) + np.sum(stats.poisson(x).logpmf(2))


def frozen_vectors(x: Any) -> Any:
    return stats.multivariate_normal(x[:2], np.eye(2) + np.outer(x[1:3], x[1:3])).logpdf(T[:2])


def spline_of_values(x: Any) -> Any:
    spline = CubicSpline(np.arange(5.0), x)
    return np.sum(spline(T) ** 2) + spline(0.5) * spline(T[0], 1)


def spline_of_places(x: Any) -> Any:
    spline = CubicSpline(np.arange(5.0), np.sin(np.arange(5.0)), bc_type="natural")
    return np.sum(spline(x))


def spline_of_points(x: Any) -> Any:
    return np.sum(CubicSpline(x, np.cos(x))(T)) + interp1d(x, x**2)(1.2)


class Curve:
    def __init__(self, places: Any, values: Any) -> None:
        self.spline = CubicSpline(places, values)


def spline_in_a_field(x: Any) -> Any:
    curve = Curve(np.arange(5.0), x**2)
    return curve.spline(1.3) * curve.spline(T[0], 1) + np.sum(curve.spline(T))


def spline_in_a_loop(x: Any) -> Any:
    spline = CubicSpline(np.arange(5.0), x)
    total = 0.0
    for i in range(3):
        total = total * x[i] + spline(i + 0.5)
    return total


def monotone(x: Any) -> Any:
    places = np.arange(5.0)
    total = np.sum(interpolate.PchipInterpolator(places, x)(T))
    total = total + np.sum(interpolate.Akima1DInterpolator(places, x)(T))
    return total + np.sum(interpolate.make_interp_spline(places, x)(T) ** 2)


def lines(x: Any) -> Any:
    places = np.arange(5.0)
    filled = interp1d(places, x, bounds_error=False, fill_value=(x[0], 2.0))
    beyond = interp1d(places, x, fill_value="extrapolate")
    return np.sum(filled(T * 3.0 - 2.0)) + np.sum(beyond(T * 3.0 - 2.0) ** 2)


def handed_on(x: Any) -> Any:
    spline = CubicSpline(np.arange(5.0), x)
    return applied(spline, T)


def turned(x: Any) -> Any:
    turn = Rotation.from_rotvec(x[:3]) * Rotation.from_euler("zyx", x[1:4], degrees=True)
    moved = turn.apply(np.outer(x, [0.3, -0.7, 1.1])) + turn.inv().as_matrix()[0]
    angles = Rotation.from_quat(x[:4]).as_euler("XYZ") * turn.as_rotvec()
    return np.sum(moved**3) + np.sum(angles) + turn.magnitude()


def of_matrices(x: Any) -> Any:
    """Matrices of four kinds, by their largest diagonal or trace, and one that is written out."""
    c, s = np.cos(x[0]), np.sin(x[0])
    turn = Rotation.from_matrix(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))
    vectors = np.eye(3) * np.array([2.6, 2.4, 2.2]) + 0.2 * np.outer(x[:3], x[1:4])
    several = Rotation.from_matrix(Rotation.from_rotvec(vectors).as_matrix())
    quats, small = several.as_quat(), Rotation.from_mrp(0.3 * x[:3])
    both = (turn * small).as_mrp()
    return np.sum(quats**2 * np.arange(4.0)) + np.sum(both * quats[1, :3]) + quats[2, 0] ** 3


def applied(f: Any, t: Any) -> Any:
    return np.sum(f(t))


def points_overwritten(x: Any) -> Any:
    values = x * 2.0
    spline = CubicSpline(np.arange(5.0), values)
    values[0] = 0.0
    return np.sum(spline(T)) + values[1]


PROGRAMS = [
    *(frozen, frozen_at_once, frozen_vectors, spline_of_values, spline_of_places),
    *(spline_of_points, spline_in_a_field, spline_in_a_loop, monotone, handed_on, turned),
    of_matrices,
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_program(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, X)


def test_a_matrix_that_is_no_rotation_is_refused() -> None:
    def f(x: Any) -> Any:
        return np.sum(Rotation.from_matrix(np.eye(3) + x[0] * np.ones((3, 3))).as_quat())

    with pytest.raises(ValueError, match="made for matrices of rotations"):
        s2sad.grad(f)(X)


def test_values_for_what_lies_outside_may_vary() -> None:
    agrees_with_differences(lines, X)


# of these a text for any arguments asks for a number, or is refused
ASKED = (turned, monotone, spline_of_places, spline_in_a_loop)


@pytest.mark.parametrize("function", [each for each in PROGRAMS if each not in ASKED])
def test_gradient_without_examples_is_the_same(function: Callable[..., Any]) -> None:
    space: dict[str, Any] = {}
    exec(s2sad.grad(function).source, space)
    found = space[f"{function.__name__}_grad"](X)
    assert np.allclose(found, s2sad.grad(function)(X), rtol=1e-11)


@pytest.mark.parametrize("function", [spline_of_values, spline_of_points, frozen, monotone])
def test_hessian_product(function: Callable[..., Any]) -> None:
    gradient = s2sad.grad(function, like=(X,))
    x_dot = np.array([0.3, -0.8, 0.5, 1.1, -0.2])
    step = 1e-4
    nearby = [gradient(X + k * step * x_dot) for k in (1, -1, 2, -2)]
    expected = (8.0 * (nearby[0] - nearby[1]) - (nearby[2] - nearby[3])) / (12.0 * step)
    _, product = s2sad.jvp(gradient, like=(X,))(X, x_dot)
    assert np.allclose(product, expected, rtol=1e-6, atol=1e-6)


# ---------------------------------------------------------------------------- refused


def moments(x: Any) -> Any:
    return norm(x[0], x[1]).mean()


REFUSED = [points_overwritten, moments]


@pytest.mark.parametrize("function", REFUSED)
def test_other_uses_are_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(s2sad.S2sadError):
        s2sad.grad(function)(X)


def test_object_that_does_not_vary_is_left_alone() -> None:
    def f(x: Any) -> Any:
        weights = CubicSpline([0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 0.5, 1.0])
        return np.sum(weights(T) * x[:4])

    source = s2sad.grad(f, like=(X,)).source
    assert source.count("CubicSpline(") == 1
    assert "weights(T)" in source


# ---------------------------------------------------------------------------- splines of values that vary

KNOTS = np.linspace(0.0, 1.0, 6)
VALUES = np.array([1.1, 0.7, 1.6, 0.9, 1.3, 0.8])


def of_a_module(z: Any) -> Any:
    spline = CubicSpline(KNOTS, z, bc_type="natural")
    slope = spline.derivative()
    return (
        spline(0.33) ** 2 + np.sum(slope(KNOTS) ** 2) + spline.integrate(0.1, 0.8) + spline(0.5, 1)
    )


def periodic(z: Any) -> Any:
    closed = np.append(z, z[0])
    spline = CubicSpline(np.linspace(0.0, 1.0, 7), closed, bc_type="periodic")
    return np.sum(spline(np.array([0.2, 1.35, -2.1])) ** 2) + spline(3.3, 1)


def unsorted(z: Any) -> Any:
    places = np.array([0.4, 0.1, 1.0, 0.8, 0.0, 0.6])
    return np.sum(interp1d(places, z, kind="cubic")(np.array([0.2, 0.7])) ** 2)


def falling_grid(z: Any) -> Any:
    values, places = np.outer(z, z), np.array([[0.33, 0.71], [0.92, 0.04]])
    return np.sum(interpolate.interpn((KNOTS[::-1], KNOTS), values, places) ** 2)


def held_values(z: Any) -> Any:
    at = np.array([0.15, 0.77, 1.4])
    steps = interp1d(KNOTS, z, kind="previous", bounds_error=False, fill_value="extrapolate")
    near = interp1d(KNOTS, z, kind="nearest", bounds_error=False, fill_value=(z[0], z[1]))
    return np.sum(steps(at) ** 2) + np.sum(near(at) ** 3) + interp1d(KNOTS, z, kind="next")(0.5)


def given_ends(z: Any) -> Any:
    spline = CubicSpline(np.cumsum(z), z**2, bc_type=((1, 0.5), (2, z[0])))
    return spline(2.0) + CubicSpline(KNOTS, z, bc_type=("natural", "clamped"))(0.2)


def rows_of_values(z: Any) -> Any:
    return np.sum(CubicSpline(KNOTS, np.outer(z, z[:2]))(np.array([0.1, 0.5])) ** 2)


OF_VALUES = [of_a_module, periodic, given_ends, rows_of_values, unsorted, falling_grid, held_values]


@pytest.mark.parametrize("function", OF_VALUES)
def test_splines_of_values_that_vary(function: Any) -> None:
    step = 1e-5
    expected = [
        (function(VALUES + step * e) - function(VALUES - step * e)) / (2.0 * step)
        for e in np.eye(6)
    ]
    np.testing.assert_allclose(s2sad.grad(function)(VALUES), expected, rtol=1e-6, atol=1e-7)
    tangents = [s2sad.jvp(function)(VALUES, e)[1] for e in np.eye(6)]
    np.testing.assert_allclose(tangents, expected, rtol=1e-6, atol=1e-7)


GRID = interpolate.RegularGridInterpolator((KNOTS, KNOTS), np.outer(KNOTS, KNOTS))
LINE = interp1d(KNOTS, KNOTS**2)


@pytest.mark.parametrize(
    "function",
    [
        lambda z: interp1d(KNOTS, z)(z[0] + 9.0),
        lambda z: interp1d(KNOTS, z, kind="cubic")(9.0),
        lambda z: interp1d(KNOTS, z, kind="nearest")(-1.0),
        lambda z: LINE(z[0] + 9.0),
        lambda z: GRID((z[0] + 9.0, 0.5)),
        lambda z: CubicSpline(KNOTS[::-1], z)(0.5),
        lambda z: interpolate.PchipInterpolator(KNOTS[::-1], z)(0.5),
    ],
)
def test_what_scipy_refuses_has_no_derivative(function: Any) -> None:
    for derive in (lambda z: function(z), s2sad.grad(function), s2sad.value_and_grad(function)):
        with pytest.raises(ValueError, match=r"beyond|bounds|range|increasing"):
            derive(VALUES)
