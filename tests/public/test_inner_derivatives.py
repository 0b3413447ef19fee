"""Derivatives that are taken inside the function that is differentiated: no perturbation is confused."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles

U = np.array([0.3, -0.4, 0.9])


def cube(x):
    return x**3


def energy(x, k):
    return np.sum(np.sin(k * x) * x)


slope = s2sad.grad(cube)
force = s2sad.grad(energy)


def derivative_of_the_module(x):
    return x * slope(x)


def made_and_called(x):
    return x * s2sad.grad(cube)(x)


def made_first(x):
    g = s2sad.grad(cube)
    return g(x) * x + g(2.0 * x)


def a_lambda_reads_the_outer_variable(x):
    return x * s2sad.grad(lambda y: x * y * y)(2.0)


def an_inner_def(x):
    def inner(y):
        return x * y * y + cube(y)

    return s2sad.grad(inner)(x) * inner(x)


def the_same_name_twice(x):
    return x * s2sad.grad(lambda x: x * x)(3.0 * x)


def confusion_of_perturbations(x):
    # d/dx x (d/dy (x + y)) = 1: who confuses the two finds 2
    return x * s2sad.grad(lambda y: x + y)(1.0)


def three_levels(x):
    return s2sad.grad(lambda x: x * s2sad.grad(lambda y: x * y * y)(2.0))(x) * x


def second_derivative_inside(x):
    return s2sad.grad(s2sad.grad(lambda y: y**4 * x))(x)


def forward_inside(x):
    value, tangent = s2sad.jvp(lambda y: x * np.sin(y))(0.5 * x, x)
    return value * tangent


def seed_inside(x):
    return s2sad.vjp(lambda y: x * np.sin(y))(x, 2.0)


def value_too(x):
    value, gradient = s2sad.value_and_grad(cube)(x)
    return value * gradient


NUMBERS = [
    derivative_of_the_module,
    made_and_called,
    made_first,
    a_lambda_reads_the_outer_variable,
    an_inner_def,
    the_same_name_twice,
    confusion_of_perturbations,
    three_levels,
    second_derivative_inside,
    forward_inside,
    seed_inside,
    value_too,
]


WAYS = [(function, like) for function in NUMBERS for like in (True, False)]
# nested three deep the work is that of hundreds of statements; of the others one way always runs
SLOW = {
    way: pytest.mark.slow
    for place, way in enumerate(WAYS)
    if way[0] is three_levels or (place % 4 and place > 1)
}


@pytest.mark.parametrize(
    ("function", "like"),
    [pytest.param(*way, marks=SLOW.get(way, ())) for way in WAYS],
    ids=[f"{function.__name__}-{'like' if like else 'any'}" for function, like in WAYS],
)
def test_of_numbers(function: Callable[[float], float], like: bool) -> None:
    exact = oracles.differences(function, (1.3,), (0,), 1.0)
    given = (1.3,) if like else None
    assert s2sad.grad(function, like=given)(1.3) == pytest.approx(exact.value[0], rel=1e-7)
    _, tangent = s2sad.jvp(function, like=given)(1.3, 1.0)
    assert tangent == pytest.approx(exact.value[0], rel=1e-7)


def test_the_classic_answer() -> None:
    assert s2sad.grad(confusion_of_perturbations)(1.0) == 1.0


# ---------------------------------------------------------------------------- arrays


def descended(x, k, rate):
    """Three steps downhill: the derivative with respect to the rate is what meta-learning wants."""
    for _ in range(3):
        x = x - rate * force(x, k)
    return energy(x, k)


def newton(x, k):
    step = np.linalg.solve(s2sad.hessian(energy)(x, k), force(x, k))
    return np.sum((x - step) ** 2)


def weighted(x, k):
    return np.dot(x, s2sad.grad(lambda y: np.sum(x * np.tanh(k * y)))(x * x))


def test_a_matrix_inside_is_refused() -> None:
    with pytest.raises(s2sad.Unsupported, match=r"s2sad\.hessian inside"):
        s2sad.grad(newton)(U, 1.2)


@pytest.mark.parametrize(
    "function, args",
    [
        (descended, (U, 1.2, 0.1)),
        (weighted, (U, 1.2)),
    ],
)
@pytest.mark.parametrize("at", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_of_arrays(function: Callable[..., Any], args: tuple[Any, ...], at: int) -> None:
    exact = oracles.differences(function, args, (at,), 1.0)
    found = oracles.pack(s2sad.grad(function, at)(*args))
    np.testing.assert_allclose(found, exact.value, rtol=1e-6)
    np.testing.assert_allclose(oracles.pack(s2sad.grad(function, at, like=args)(*args)), found)


def test_the_file_stands_alone(tmp_path: Path) -> None:
    made = s2sad.grad(descended, "rate", like=(U, 1.2, 0.1))
    path = made.save(tmp_path / "descended_grad.py")
    assert "import s2sad" not in path.read_text()
    assert runpy.run_path(str(path))["descended_grad"](U, 1.2, 0.1) == made(U, 1.2, 0.1)


# ---------------------------------------------------------------------------- refused


def of_an_array(x):
    return np.sum(s2sad.grad(lambda y: y * y)(x))


def test_a_gradient_of_an_array_is_refused_inside_as_outside() -> None:
    with pytest.raises(s2sad.ArgumentError, match="grad takes a"):
        of_an_array(U)
    for derivative in (s2sad.grad(of_an_array), s2sad.jvp(of_an_array, like=None)):
        with pytest.raises(s2sad.ArgumentError, match="grad takes a"):
            derivative(*(U for _ in derivative.__signature__.parameters))
    assert s2sad.grad(of_an_array)(1.3) == 2.0


def unknown_function(x, pick):
    functions = [cube]
    functions.append(np.sin)
    return s2sad.grad(functions[pick])(x)


def unknown_options(x, n):
    return s2sad.grad(cube, n)(x)


def changed_between(x):
    k = x
    g = s2sad.grad(lambda y: k * y)
    k = 2.0 * x
    return g(x) * k


@pytest.mark.parametrize(
    "function, args",
    [(unknown_function, (1.3, 0)), (unknown_options, (1.3, 0)), (changed_between, (1.3,))],
)
def test_what_examples_tell(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    exact = oracles.differences(function, args, (0,), 1.0)
    assert s2sad.grad(function)(*args) == pytest.approx(exact.value[0], rel=1e-7)


def in_a_helper(x):
    return s2sad.grad(cube)(x) * x


def of_a_helper(x):
    return in_a_helper(x) ** 2


def test_a_helper_that_takes_a_derivative_is_in_the_file(tmp_path: Path) -> None:
    made = s2sad.grad(of_a_helper, like=(1.3,))
    assert made(1.3) == pytest.approx(54.0 * 1.3**5, rel=1e-12)
    path = made.save(tmp_path / "of_a_helper_grad.py")
    assert "import s2sad" not in path.read_text()
    assert runpy.run_path(str(path))["of_a_helper_grad"](1.3) == made(1.3)


def kinked(x, k):
    g = s2sad.grad(lambda z: np.sum(np.where(z > 0.0, np.sqrt(np.abs(z) + 1.0), z * z) * k))(x)
    return np.sum(g * g)


def both(x, k):
    value, (slope, other) = s2sad.value_and_grad(energy, ("x", "k"))(x, k)
    return value * other + np.sum(slope**3)


def relaxed(x, k):
    y = x.copy()
    for _ in range(3):
        y -= 0.1 * s2sad.grad(lambda z: np.sum(np.tanh(k * z) * x))(y)
    return np.sum(y * y)


def bent(x, k):
    return np.sin(k * x) * x


def pushed(x, k):
    for _ in range(2):
        y, along = s2sad.jvp(bent)(x, k, x * x)
        x = 0.5 * along + y
    return np.sum(x)


def pulled(x, k):
    return np.sum(s2sad.vjp(bent)(x, k, x * x) ** 2) * k


@pytest.mark.parametrize("function", [descended, weighted, kinked, both, relaxed, pushed, pulled])
def test_gradients_inside_are_functions_of_the_text(function: Callable[..., Any]) -> None:
    args = (U, 1.2, 0.1)[: function.__code__.co_argcount]
    exact = oracles.differences(function, args, (0, 1), 1.0)
    made = s2sad.grad(function, (0, 1), like=args)
    np.testing.assert_allclose(oracles.pack(made(*args)), exact.value, rtol=1e-6)
    along = s2sad.jvp(function, like=args)
    np.testing.assert_allclose(along(*args, U)[1], made(*args)[0] @ U, rtol=1e-12)


def scaled_sine(x, k):
    return np.sin(x) * k


def two_gradients_of_one_function(a, b):
    def f(x, k):
        return scaled_sine(x, k) * x

    return s2sad.grad(f, "x")(a, b) * s2sad.grad(f, "k")(a, b)


def test_two_gradients_of_one_function_that_calls_another_have_second_derivatives():
    def plain(a, b):
        return b * (np.cos(a) * a + np.sin(a)) * np.sin(a) * a

    for wrt in ("a", "b"):
        expected = s2sad.hvp(plain, wrt)(1.3, 0.7, 1.0)
        assert np.isclose(s2sad.hvp(two_gradients_of_one_function, wrt)(1.3, 0.7, 1.0), expected)


def test_slopes_by_a_list_are_written_to_in_place():
    def product(parts):
        return np.sum(parts[0] ** 2 * parts[1])

    def loss(x):
        slopes = s2sad.grad(product)([x, 2.0 * x])
        slopes[0] *= 0.5
        slopes[1][0] = 3.0 * x[1]
        return np.sum(slopes[0] ** 2) + np.sum(slopes[1] ** 2)

    def plain(x):
        first, second = 2.0 * x * x, x**2
        return np.sum(first**2) + np.sum(second[1:] ** 2) + 9.0 * x[1] ** 2

    x = np.array([0.3, 0.7, 1.1])
    expected = [plain(x + 1e-30j * step).imag / 1e-30 for step in np.eye(3)]
    np.testing.assert_allclose(s2sad.grad(loss)(x), expected, rtol=1e-12)
