"""Derivatives of derivatives, in every order of the two modes."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2sad
from tests import oracles
from tests.kernels import geometry, learning, linear_algebra, physics, signals, stencils
from tests.programs.dicts import arguments_that_hold_arrays

# ---------------------------------------------------------------------------- one number


def wave(x):
    return math.sin(x)


def power(x):
    return x**5


def bell(x):
    return np.exp(-x * x)


def looped(x):
    y = x
    for _ in range(3):
        y = y * x + 0.5 * y
    return y


def branched(x):
    if x > 0.0:
        return x * x * x
    return -x


def with_default(x, a=2.0):
    return a * x * x * x


EXACT: dict[Callable[..., Any], Callable[[float, int], float]] = {
    wave: lambda x, n: math.sin(x + n * math.pi / 2),
    power: lambda x, n: math.perm(5, n) * x ** (5 - n),
    bell: lambda x, n: (
        (-1) ** n * np.polynomial.hermite.hermval(x, [0] * n + [1]) * math.exp(-x * x)
    ),
    looped: lambda x, n: sum(
        math.comb(3, k) * 0.5 ** (3 - k) * math.perm(k + 1, n) * x ** (k + 1 - n)
        for k in range(4)
        if k + 1 >= n
    ),
    branched: lambda x, n: math.perm(3, n) * x ** (3 - n),
    with_default: lambda x, n: 2.0 * math.perm(3, n) * x ** (3 - n),
}


@pytest.mark.parametrize("function", EXACT, ids=lambda f: f.__name__)
def test_gradients_of_gradients(function: Callable[..., Any]) -> None:
    derivative: Any = function
    for order in (1, 2, 3):
        derivative = s2sad.grad(derivative)
        assert derivative(0.7) == pytest.approx(EXACT[function](0.7, order), rel=1e-12)


@pytest.mark.parametrize("modes", list(itertools.product(("jvp", "vjp"), repeat=3)), ids="-".join)
@pytest.mark.parametrize("function", [bell, looped, with_default], ids=lambda f: f.__name__)
def test_every_order_of_modes(function: Callable[..., Any], modes: tuple[str, ...]) -> None:
    derivative: Any = function
    given: dict[str, Any] = {}
    seed: Any = 1.0
    for mode in modes:
        derivative = getattr(s2sad, mode)(derivative, "x")
        (name,) = derivative.extra
        given[name] = 1.0 if mode == "jvp" else seed
        # of (value, tangent) the tangent is what is looked at
        seed = (_zeros(seed), seed) if mode == "jvp" else 1.0
    found = derivative(0.7, **given)
    while isinstance(found, tuple):
        found = found[1]
    assert found == pytest.approx(EXACT[function](0.7, 3), rel=1e-12)


def _zeros(seed: Any) -> Any:
    return tuple(map(_zeros, seed)) if isinstance(seed, tuple) else 0.0


def test_the_names_of_tangents_give_way_before_anything_is_known() -> None:
    def unknown(x, a=2.0):
        y = x[1:] * a
        y[0] += x[0]
        return np.sum(y**3)

    second = s2sad.jvp(s2sad.jvp(unknown))
    first, last = list(second.__signature__.parameters)[-2:]
    x = np.array([0.3, 0.5, 0.9])
    _, (_, curvature) = second(x, **{first: np.ones(3), last: np.ones(3)})
    exact = 6.0 * (x[1] * 2.0 + x[0]) * 9.0 + 6.0 * 8.0 * x[2]
    assert curvature == pytest.approx(exact, rel=1e-12)


def test_a_square_takes_one_line() -> None:
    def square(x):
        return x * x

    body = s2sad.grad(s2sad.grad(square), like=(1.0,)).source.split('"""')[-1]
    lines = [line for line in body.splitlines() if line.split("#")[0].strip()]
    assert lines == ["    return 2.0"]


def bent(x: Any, c: Any) -> Any:
    y = np.tanh(x) * c
    return np.sum(y**2 * x) / (1.0 + c * c)


@pytest.mark.parametrize("wrt, direction", [("x", np.array([1.0, 0.5, -2.0])), ("c", 1.0)])
@pytest.mark.parametrize("first", [s2sad.grad, s2sad.value_and_grad])
def test_tangents_of_gradients_are_those_of_differences(
    first: Any, wrt: str, direction: Any
) -> None:
    at = {"x": np.array([0.3, -0.5, 0.9]), "c": 0.7}
    gradient = first(bent, ("x", "c"))

    def flat(value: Any) -> np.ndarray:
        parts = value[1] if first is s2sad.value_and_grad else value
        return np.concatenate([np.ravel(part) for part in parts])

    up, down = (gradient(**{**at, wrt: at[wrt] + h * direction}) for h in (1e-6, -1e-6))
    made = s2sad.jvp(gradient, wrt, like=tuple(at.values()))
    found = flat(made(*at.values(), direction)[1])
    np.testing.assert_allclose(found, (flat(up) - flat(down)) / 2e-6, rtol=1e-7, atol=1e-9)


# ---------------------------------------------------------------------------- many

KERNELS = {
    kernel: table.CASES[kernel]
    for table, kernels in {
        stencils: (stencils.gauss_seidel, stencils.limited_diffusion),
        linear_algebra: (linear_algebra.power_iteration, linear_algebra.lu_in_place),
        learning: (learning.perceptron, learning.convolution, learning.logistic_regression),
        physics: (physics.neural_flow, physics.double_pendulum),
        signals: (signals.kalman,),
        geometry: (geometry.bundle_adjustment,),
    }.items()
    for kernel in kernels
}
SLOW = {
    geometry.bundle_adjustment,
    linear_algebra.lu_in_place,
    physics.double_pendulum,
    signals.kalman,
}


@pytest.mark.parametrize("mode", ["jvp", "vjp"])
@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(k, id=k.__name__, marks=[pytest.mark.slow] if k in SLOW else [])
        for k in KERNELS
    ],
)
def test_second_derivatives_of_kernels(kernel: Callable[..., Any], mode: str) -> None:
    args = KERNELS[kernel](np.random.default_rng(3))
    names = kernel.__code__.co_varnames
    at = next(i for i, arg in enumerate(args) if oracles.pack(arg).size)
    gradient = s2sad.grad(kernel, names[at])
    flat = oracles.pack(args[at])
    v = np.random.default_rng(4).standard_normal(flat.size)
    direction = oracles.unpack(v, args[at])

    def gradient_at(step: float) -> np.ndarray:
        moved = list(copy.deepcopy(args))
        moved[at] = oracles.unpack(flat + step * v, args[at])
        return oracles.pack(gradient(*moved))

    expected = (gradient_at(1e-5) - gradient_at(-1e-5)) / 2e-5
    second = getattr(s2sad, mode)(gradient, names[at])
    (extra,) = second.extra
    found = second(*copy.deepcopy(args), **{extra: direction})
    found = oracles.pack(found[1] if mode == "jvp" else found)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize(
    "function", [arguments_that_hold_arrays.keyed, arguments_that_hold_arrays.items_gone_through]
)
def test_arguments_that_are_dicts(function: Callable[..., Any]) -> None:
    entry = next(
        entry for entry in arguments_that_hold_arrays.PROGRAMS if entry.function is function
    )
    flat = oracles.pack(entry.args[0])
    v = np.linspace(-1.0, 1.0, flat.size)

    def gradient_at(step: float) -> np.ndarray:
        moved = oracles.unpack(flat + step * v, entry.args[0])
        return oracles.pack(s2sad.grad(function)(moved, *entry.args[1:]))

    direction = oracles.unpack(v, entry.args[0])
    found = s2sad.jvp(s2sad.grad(function))(*entry.args, direction)[1]
    expected = (gradient_at(1e-5) - gradient_at(-1e-5)) / 2e-5
    np.testing.assert_allclose(oracles.pack(found), expected, rtol=1e-6, atol=1e-8)


# ---------------------------------------------------------------------------- arguments with parts


@dataclasses.dataclass
class Weights:
    w: Any
    b: Any
    name: str = "weights"


class Named(NamedTuple):
    w: Any
    b: Any


def of_dict(p):
    return np.sum(p["w"] ** 3) * p["b"]


def of_list(p):
    return np.sum(p[0] ** 3) * p[1]


def of_object(p):
    return np.sum(p.w**3) * p.b


V, V_DOT = np.array([0.7, -1.3]), np.array([0.4, 0.9])
HELD = [
    (of_dict, lambda w, b: {"w": w, "b": b}, lambda g: (g["w"], g["b"])),
    (of_list, lambda w, b: [w, b], tuple),
    (of_list, lambda w, b: (w, b), tuple),
    (of_object, Weights, lambda g: (g.w, g.b)),
    (of_object, Named, lambda g: (g.w, g.b)),
]


@pytest.mark.parametrize("like", [False, True], ids=["any", "like"])
@pytest.mark.parametrize(("function", "held", "parts"), HELD)
def test_second_order_of_what_holds_numbers(
    function: Any, held: Any, parts: Any, like: bool
) -> None:
    p, p_dot = held(V, 0.5), held(V_DOT, 0.3)
    made = s2sad.hvp(function, like=(p,) if like else None)
    expected = (6.0 * V * V_DOT * 0.5 + 3.0 * V**2 * 0.3, np.sum(3.0 * V**2 * V_DOT))
    for found in (made(p, p_dot), s2sad.vjp(s2sad.grad(function))(p, p_dot)):
        assert type(found) is type(p)
        for part, wanted in zip(parts(found), expected, strict=True):
            np.testing.assert_allclose(part, wanted, rtol=1e-12)


def turned_and_replaced(u, v):
    xs = (u[0] * v[0],)
    for i in range(len(u)):
        xs = tuple(reversed(xs))
        xs = xs[1:] + (np.sin(v[i]) * u[i],)  # noqa: RUF005
        if u[i] > 0.4:
            xs = tuple(reversed(xs))
    return xs[-1] * xs[0] + u[0] ** 3


@pytest.mark.parametrize("has_examples", (True, False))
def test_shadows_of_tuples_that_are_cut_are_lists_in_second_derivatives_too(has_examples):
    u, v, along = np.array([0.3, 0.7, 0.5]), np.array([0.2, 0.9, 0.4]), np.array([1.0, -0.5, 2.0])
    options = {"like": (u, v)} if has_examples else {}
    gradient = s2sad.grad(turned_and_replaced)
    wanted = (gradient(u + 1e-5 * along, v) - gradient(u - 1e-5 * along, v)) / 2e-5
    found = s2sad.hvp(turned_and_replaced, **options)(u, v, along)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


class Part:
    def __init__(self, x: Any, other: Any = None) -> None:
        self.x, self.other = x, other if other is not None else self
        self.rate = x[0] * 0.5

    def step(self, d: Any) -> None:
        self.x = d * self.rate
        self.x = self.x + self.rate


class Slower(Part):
    def step(self, d: Any) -> None:
        super().step(d)
        self.rate = self.rate * 0.9 + d[0] * 0.1


def stepped(u: Any, v: Any) -> Any:
    first = Part(u * v)
    second = Slower(np.sin(v), first)
    third = Slower(u * 1.0, second)
    for _ in range(2):
        second.rate = u[0] * 1.5
        third.step(first.x)
        third.other.x[0] = u[0]
    return sum(np.sum(part.x) * part.rate for part in (second, third, first))


def test_fields_that_the_reverse_sweep_puts_back_have_tangents() -> None:
    """It keeps getattr(part, "rate", None)."""
    u, v, dot = np.array([0.7, 0.3, 0.9]), np.array([0.4, 1.2, 0.6]), np.array([0.5, -0.2, 0.3])
    step = 1e-6
    gradient = s2sad.grad(stepped, wrt="u")
    expected = (gradient(u + step * dot, v) - gradient(u - step * dot, v)) / (2.0 * step)
    assert np.allclose(s2sad.hvp(stepped, wrt="u")(u, v, dot), expected, rtol=1e-7)
