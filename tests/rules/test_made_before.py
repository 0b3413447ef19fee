"""Objects that were made before: interpolants and polynomials, called in the functions of users."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

import s2sad
from s2sad.ir.errors import S2sadError

X = np.linspace(0.0, 3.0, 12)
Z = np.sin(X)
GRID = np.sin(X)[:, None] * np.cos(X)
TABLE = interpolate.CubicSpline(X, Z)
MONOTONE = interpolate.PchipInterpolator(X, Z)
FITTED = interpolate.UnivariateSpline(X, Z, s=0.0)
BASIS = interpolate.make_interp_spline(X, Z)
LINEAR = interpolate.interp1d(X, Z)
ENDED = interpolate.interp1d(X, Z, bounds_error=False, fill_value=(0.5, -1.0))
CUBIC = interpolate.interp1d(X, Z, kind="cubic")
CURVE = interpolate.CubicSpline(X, np.stack([Z, Z**2], axis=-1))
LINES = interpolate.interp1d(X, np.stack([Z, Z**2]))
SURFACE = interpolate.RectBivariateSpline(X, X, GRID)
PLANES = interpolate.RectBivariateSpline(X, X, GRID, kx=1, ky=1)
FLAT = (*PLANES.tck, 1, 1)
ROUND = (*SURFACE.tck, 3, 3)
ON_GRID = interpolate.RegularGridInterpolator((X, X), GRID)
SPLINED = interpolate.RegularGridInterpolator((X, X), GRID, method="cubic")
POINTS = interpolate.splrep(X, Z)
OLD = np.poly1d([1.0, -2.0, 3.0])
SERIES = np.polynomial.Chebyshev([1.0, -2.0, 0.5], domain=[0.0, 3.0])
ALL = [TABLE, MONOTONE]
BY_NAME = {"table": TABLE}


@dataclass
class Medium:
    """What a user has a table in."""

    speed: Any
    scale: float = 2.0

    def at(self, t: Any) -> Any:
        return self.scale * self.speed(t)


MEDIUM = Medium(TABLE)


def helper(table: Any, t: Any) -> Any:
    return table(t) ** 2


def inside(t: Any) -> Any:
    half = 0.5

    def place(u: Any) -> Any:
        return TABLE(half * u)

    return place(t) * TABLE(t)


def derived(t: Any) -> Any:
    slope = TABLE.derivative()
    bend = FITTED.derivative(2)
    return slope(t) * bend(t)


def in_a_loop(t: Any) -> Any:
    total = 0.0
    for k in range(3):
        total = total + TABLE(t * k) ** 2
    return total


def along_a_curve(t: Any) -> Any:
    x, y = CURVE(t)
    u, v = LINES(t)
    return x * y + u * v


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "cubic spline": lambda t: TABLE(t) ** 2,
    "slope": lambda t: TABLE(t, 1) * t,
    "pchip": lambda t: MONOTONE(t) ** 2,
    "fitted": lambda t: FITTED(t) ** 2,
    "B-splines": lambda t: BASIS(t) ** 2,
    "interp1d": lambda t: LINEAR(t) ** 2,
    "filled": lambda t: ENDED(t) ** 2 + ENDED(t - 5.0),
    "cubic interp1d": lambda t: CUBIC(t) ** 2,
    "surface": lambda t: SURFACE(t, 0.4)[0, 0] ** 2,
    "surface at places": lambda t: SURFACE.ev(t, 0.4) * SURFACE.ev(0.4, t),
    "outside of a surface": lambda t: SURFACE.ev(t + 3.0, 0.4 * t),
    "planes": lambda t: PLANES.ev(t, 0.4) * PLANES(0.3, t)[0, 0] * PLANES(t, t, grid=False),
    "bisplev": lambda t: interpolate.bisplev(t, 0.4, FLAT) * interpolate.bisplev(0.3, t, ROUND),
    "grid at a place": lambda t: ON_GRID([t, 0.45])[0] ** 2,
    "grid at a row": lambda t: ON_GRID(np.array([[t, 0.45]]))[0] ** 2,
    "grid at coordinates": lambda t: ON_GRID((t, 2.0 * t)) ** 2,
    "grid by splines": lambda t: SPLINED((t, 2.0 * t)) ** 2,
    "splev": lambda t: interpolate.splev(t, POINTS) ** 2,
    "splint": lambda t: interpolate.splint(0.1, t, POINTS) * t,
    "integrate": lambda t: TABLE.integrate(0.1, t) * t,
    "integral": lambda t: FITTED.integral(0.1, t) * t,
    "antiderivative": lambda t: TABLE.antiderivative()(t) * t,
    "poly1d": lambda t: OLD(t) ** 2,
    "Chebyshev": lambda t: SERIES(t) ** 2,
    "deriv": lambda t: SERIES.deriv()(t) * t,
    "poly1d made inside": lambda t: np.poly1d([t, 2.0, 1.0])(0.7) ** 2,
    "Polynomial made inside": lambda t: np.polynomial.Polynomial([t, 2.0, 1.0])(0.7 * t),
    "of an object": lambda t: MEDIUM.at(t) * MEDIUM.speed(t),
    "in a list": lambda t: sum(table(t) for table in ALL) * ALL[1](t),
    "in a dict": lambda t: BY_NAME["table"](t) * t,
    "handed to a helper": lambda t: helper(TABLE, t) * helper(FITTED, t),
    "mapped": lambda t: sum(map(TABLE, [t, 2.0 * t])),
    "on an array": lambda t: np.sum(TABLE(np.array([t, 2.0 * t])) ** 2),
    "as a number": lambda t: float(TABLE(t)) * TABLE(t).item(),
    "in a function inside": inside,
    "derivatives with names": derived,
    "in a loop": in_a_loop,
    "along a curve": along_a_curve,
}


def differences(f: Callable[[Any], Any], t: float, step: float = 1e-5) -> Any:
    return (f(t + step) - f(t - step)) / (2.0 * step)


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name: str) -> None:
    f, t = PROGRAMS[name], 0.7712
    expected = differences(f, t)
    made = s2sad.grad(f)
    assert made(t) == pytest.approx(expected, rel=1e-6), made.source
    assert s2sad.jvp(f)(t, 1.0)[1] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "name", ["cubic spline", "surface", "planes", "bisplev", "poly1d", "deriv"]
)
def test_second_order(name: str) -> None:
    f, t = PROGRAMS[name], 0.7712
    expected = differences(s2sad.grad(f), t)
    assert s2sad.hvp(f)(t, 1.0) == pytest.approx(expected, rel=1e-5)


def test_the_text_calls_the_derivative_of_the_object() -> None:
    assert "TABLE(t, 1)" in s2sad.grad(PROGRAMS["cubic spline"]).source


def of_given(t: Any, table: Any) -> Any:
    return table(t) ** 2


@pytest.mark.parametrize(
    "table", [TABLE, LINEAR, OLD, SERIES, np.sin], ids=lambda x: type(x).__name__
)
def test_an_argument(table: Any) -> None:
    expected = differences(lambda t: of_given(t, table), 0.7712)
    assert s2sad.grad(of_given)(0.7712, table) == pytest.approx(expected, rel=1e-6)


def test_another_object_has_another_derivative(monkeypatch: pytest.MonkeyPatch) -> None:
    other = interpolate.CubicSpline(X, Z**3)
    names = ["of an object", "in a list", "in a dict", "cubic spline"]
    made = {name: s2sad.grad(PROGRAMS[name]) for name in names}
    for each in made.values():
        each(0.7712)
    monkeypatch.setattr(MEDIUM, "speed", other)
    monkeypatch.setitem(globals(), "ALL", [TABLE, other])
    monkeypatch.setitem(BY_NAME, "table", other)
    monkeypatch.setitem(globals(), "TABLE", other)
    for name, each in made.items():
        expected = differences(PROGRAMS[name], 0.7712)
        assert each(0.7712) == pytest.approx(expected, rel=1e-6), name


class Measured:
    """An object of the user's, whose text is not to be followed."""

    def __call__(self, t: Any) -> Any:
        return np.interp(t, X, Z)

    def slope(self, t: Any) -> Any:
        return np.cos(t)


MEASURED = Measured()
RULE = """
FAMILY = "elementwise"
def measured(s: of(Measured), t):
    y = s(t)
    t_bar = y_bar * s.slope(t)
"""


def test_a_rule_of_users_for_a_class_of_theirs() -> None:
    rules = s2sad.rules_from(RULE, names={"Measured": Measured})
    made = s2sad.grad(lambda t: MEASURED(t) ** 2, rules=rules)
    assert made(0.7712) == 2.0 * MEASURED(0.7712) * np.cos(0.7712), made.source


class Doubled(interpolate.CubicSpline):  # type: ignore[misc]
    """A spline that does something else where it is called."""

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        return 2.0 * super().__call__(x, nu, extrapolate) ** 2


REFUSED: dict[str, Callable[[Any], Any]] = {
    "does something else": (lambda own: lambda t: own(t) * t)(Doubled(X, Z)),
    "no derivative": (lambda own: lambda t: own(t) * t)(interpolate.BarycentricInterpolator(X, Z)),
    "the last value beyond": (lambda own: lambda t: own(t) * t)(
        interpolate.UnivariateSpline(X, Z, ext=3)
    ),
    "complex": (lambda own: lambda t: own(t) * t)(interpolate.CubicSpline(X, Z + 1j)),
    "other ends": lambda t: TABLE(t, extrapolate=False) * t,
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_objects_are_refused(name: str) -> None:
    with pytest.raises(S2sadError):
        s2sad.grad(REFUSED[name])(0.7712)
