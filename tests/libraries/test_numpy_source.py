"""Library code as its authors wrote it, differentiated from its source in the installed NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial
from scipy.optimize import rosen_der, rosen_hess_prod

import s2sad

# evaluation, the derivative of a series, and the matrix of the basis at some points
SERIES: dict[str, tuple[Any, Any, Any]] = {
    "polyval": (polynomial.polyval, polynomial.polyder, polynomial.polyvander),
    "chebval": (chebyshev.chebval, chebyshev.chebder, chebyshev.chebvander),
    "legval": (legendre.legval, legendre.legder, legendre.legvander),
    "hermval": (hermite.hermval, hermite.hermder, hermite.hermvander),
    "hermeval": (hermite_e.hermeval, hermite_e.hermeder, hermite_e.hermevander),
    "lagval": (laguerre.lagval, laguerre.lagder, laguerre.lagvander),
}
POINTS: dict[str, Any] = {
    "number": 0.37,
    "numpy number": np.float64(-0.61),
    "vector": np.linspace(-0.9, 0.8, 7),
    "matrix": np.linspace(-0.7, 0.9, 6).reshape(2, 3),
    "empty": np.zeros(0),
}
COEFFICIENTS: dict[str, Any] = {
    "one": np.array([1.3]),
    "two": np.array([0.4, -1.2]),
    "three": np.array([0.4, -1.2, 0.9]),
    "eight": np.random.default_rng(5).standard_normal(8),
    "none of the last": np.array([1.0, 2.0, 0.0]),
}


def close(got: Any, expected: Any) -> bool:
    """Tell whether two results of one shape agree to 1e-12 of the largest number in them."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape
    scale = np.max(np.abs(expected), initial=1e-300)
    return bool(np.all(np.abs(got - expected) <= 1e-12 * scale))


def seed_for(x: Any) -> Any:
    """Return an adjoint of the values at the points x."""
    drawn = np.random.default_rng(2).standard_normal(np.shape(x))
    return drawn if isinstance(x, np.ndarray) else float(drawn)


@cache
def derived(make: Any, evaluate: Any, wrt: str) -> Callable[..., Any]:
    """Return a derivative of a function of points and coefficients that calls the library's."""

    def series(x: Any, c: Any) -> Any:
        return evaluate(x, c)

    made: Callable[..., Any] = make(series, wrt=wrt)
    return made


@pytest.mark.parametrize("name", SERIES)
@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("coefficients", COEFFICIENTS)
def test_series_with_respect_to_points(name: str, points: str, coefficients: str) -> None:
    evaluate, derivative, _ = SERIES[name]
    x, c = POINTS[points], COEFFICIENTS[coefficients]
    seed = seed_for(x)
    slope = evaluate(x, derivative(c))
    assert close(derived(s2sad.vjp, evaluate, "x")(x, c, seed), seed * slope)
    value, tangent = derived(s2sad.jvp, evaluate, "x")(x, c, seed)
    assert close(value, evaluate(x, c))
    assert close(tangent, seed * slope)


@pytest.mark.parametrize("name", SERIES)
@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("coefficients", COEFFICIENTS)
def test_series_with_respect_to_coefficients(name: str, points: str, coefficients: str) -> None:
    evaluate, _, basis = SERIES[name]
    x, c = POINTS[points], COEFFICIENTS[coefficients]
    seed = seed_for(x)
    matrix = np.reshape(basis(x, len(c) - 1), (*np.shape(x), len(c)))
    axes = np.ndim(x)
    got = derived(s2sad.vjp, evaluate, "c")(x, c, seed)
    assert close(got, np.tensordot(seed, matrix, axes=axes))
    c_dot = np.linspace(1.0, -0.5, len(c))
    _, tangent = derived(s2sad.jvp, evaluate, "c")(x, c, c_dot)
    assert close(tangent, np.dot(matrix, c_dot))


@pytest.mark.parametrize("name", ["polyval", "chebval"])
@pytest.mark.parametrize("coefficients", COEFFICIENTS)
def test_library_function_itself(name: str, coefficients: str) -> None:
    evaluate, derivative, basis = SERIES[name]
    c = COEFFICIENTS[coefficients]
    x_bar, c_bar = s2sad.grad(evaluate, wrt=("x", "c"))(0.3, c)
    assert close(x_bar, evaluate(0.3, derivative(c)))
    assert close(c_bar, basis(0.3, len(c) - 1).reshape(len(c)))


@pytest.mark.parametrize("name", ["polyval", "chebval"])
def test_columns_of_coefficients(name: str) -> None:
    evaluate, derivative, basis = SERIES[name]
    x, c = np.linspace(-0.5, 0.9, 4), np.random.default_rng(8).standard_normal((3, 2))
    seed = np.random.default_rng(9).standard_normal((2, 4))
    expected = np.sum(seed * evaluate(x, derivative(c)), axis=0)
    assert close(derived(s2sad.vjp, evaluate, "x")(x, c, seed), expected)
    got = derived(s2sad.vjp, evaluate, "c")(x, c, seed)
    assert close(got, np.dot(basis(x, 2).T, seed.T))


# ---------------------------------------------------------------------------- Rosenbrock


def rosen(x):  # type: ignore[no-untyped-def]
    """Rosenbrock's valley in any number of dimensions."""
    steps = x[1:] - x[:-1] ** 2
    return np.sum(100.0 * steps**2 + (1.0 - x[:-1]) ** 2)


def rosen_by_elements(x):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(len(x) - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


@pytest.mark.parametrize("n", [2, 10, 1000])
@pytest.mark.parametrize("function", [rosen, rosen_by_elements])
@pytest.mark.parametrize("specialised", [True, False])
def test_rosenbrock(n: int, function: Any, specialised: bool) -> None:
    rng = np.random.default_rng(n)
    x, p = rng.uniform(-2.0, 2.0, n), rng.standard_normal(n)
    gradient = s2sad.grad(function, like=(x,)) if specialised else s2sad.grad(function)
    assert close(gradient(x), rosen_der(x))
    value, product = s2sad.jvp(gradient)(x, p)
    assert close(value, rosen_der(x))
    assert close(product, rosen_hess_prod(x, p))
