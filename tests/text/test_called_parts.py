"""Functions that are called often, and read parts of a dict, a tuple or an object: they are called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone


class Named(NamedTuple):
    mu: float
    k: float
    c: float


@dataclass
class Spring:
    mu: float
    k: float
    c: float

    def pull(self, a: Any) -> Any:
        return self.k * a + self.c * a**3


def of_attributes(y: Any, p: Any) -> Any:
    a, b = y
    force = p.mu * (1.0 - a**2) * b - p.k * a
    return np.array([b, force - p.c * a**3 + p.mu * b**2])


def of_keys(y: Any, p: Any) -> Any:
    a, b = y
    force = p["mu"] * (1.0 - a**2) * b - p["k"] * a
    return np.array([b, force - p["c"] * a**3 + p["mu"] * b**2])


def of_items(y: Any, p: Any) -> Any:
    a, b = y
    force = p[0] * (1.0 - a**2) * b - p[1] * a
    return np.array([b, force - p[2] * a**3 + p[0] * b**2])


def taken_apart(y: Any, p: Any) -> Any:
    mu, k, c = p
    a, b = y
    force = mu * (1.0 - a**2) * b - k * a
    return np.array([b, force - c * a**3 + mu * b**2])


def of_words(y: Any, p: Any) -> Any:
    a, b = y
    np_ = p["lambda"] * (1.0 - a**2) * b - p["a"] * a
    return np.array([b, np_ - p["np"] * a**3 + p["lambda"] * b**2])


def by_another(y: Any, p: Any) -> Any:
    once = of_keys(y, p)
    return once + 0.1 * np.sin(of_keys(once, p)) * p["k"]


def steps(rates: Callable[..., Any], y: Any, p: Any, h: Any) -> Any:
    for _ in range(2):
        k1 = rates(y, p)
        k2 = rates(y + 0.5 * h * k1, p)
        k3 = rates(y + 0.5 * h * k2, p)
        k4 = rates(y + h * k3, p)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(y**2)


def attributes(y: Any, p: Any, h: Any) -> Any:
    return steps(of_attributes, y, p, h)


def keys(y: Any, p: Any, h: Any) -> Any:
    return steps(of_keys, y, p, h)


def words(y: Any, p: Any, h: Any) -> Any:
    return steps(of_words, y, p, h)


def items(y: Any, p: Any, h: Any) -> Any:
    return steps(of_items, y, p, h)


def apart(y: Any, p: Any, h: Any) -> Any:
    return steps(taken_apart, y, p, h)


def nested(y: Any, p: Any, h: Any) -> Any:
    return steps(by_another, y, p, h)


def made_here(y: Any, p: Any, h: Any) -> Any:
    mu, k, c = p
    return steps(of_keys, y, {"mu": mu * k, "k": k, "c": c + mu}, h) + steps(taken_apart, y, p, h)


def changed_between(y: Any, p: Any, h: Any) -> Any:
    held = dict(p)
    one = of_keys(y, held)
    held["mu"] = held["mu"] * one[0]
    two = of_keys(y + h * one, held)
    held["k"] = held["k"] + two[1]
    return np.sum(two * of_keys(y + h * two, held)) * held["mu"] + of_keys(two, held)[1]


def layer(x: Any, p: Any) -> Any:
    z = np.tanh(p["W"] @ x + p["b"])
    gate = 1.0 / (1.0 + np.exp(-(p["U"] @ x)))
    return gate * z + (1.0 - gate) * x * p["scale"]


def layers(y: Any, p: Any, h: Any) -> Any:
    return h * np.sum(layer(layer(layer(layer(layer(y, p), p), p), p), p) ** 2)


Y, H = np.array([0.7, 0.4]), 0.1
NUMBERS = {"mu": 1.2, "k": 0.8, "c": 0.3}
RNG = np.random.default_rng(5)
ARRAYS = {
    "W": RNG.normal(size=(3, 3)),
    "b": RNG.normal(size=3),
    "U": RNG.normal(size=(3, 3)),
    "scale": 0.7,
}
X = RNG.normal(size=3)
CASES = [
    (attributes, Y, Named(1.2, 0.8, 0.3), True),
    (attributes, Y, Spring(1.2, 0.8, 0.3), True),
    (keys, Y, NUMBERS, True),
    (words, Y, {"lambda": 1.2, "a": 0.8, "np": 0.3}, True),
    (items, Y, (1.2, 0.8, 0.3), True),
    (items, Y, [1.2, 0.8, 0.3], False),
    (apart, Y, (1.2, 0.8, 0.3), True),
    (apart, Y, [1.2, 0.8, 0.3], True),
    (nested, Y, NUMBERS, True),
    (made_here, Y, (1.2, 0.8, 0.3), False),
    (changed_between, Y, NUMBERS, False),
    (layers, X, ARRAYS, True),
]


def parts_of(p: Any) -> Any:
    values = list(p.values()) if isinstance(p, dict) else p
    return [values.mu, values.k, values.c] if isinstance(p, Spring) else list(values)


def of_numbers(p: Any, parts: Any) -> Any:
    if isinstance(p, dict):
        return dict(zip(p, parts, strict=True))
    return type(p)(*parts) if isinstance(p, Named | Spring) else type(p)(parts)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0].__name__}-{type(c[2]).__name__}")
def test_parts_of_a_structure_are_handed_over(case: tuple[Any, ...]) -> None:
    function, y, p, is_called = case
    like = (y, p, H)
    made = s2sad.grad(function, ("y", "p"), like=like)
    assert ("_rev(" in made.source) is is_called or not is_called, made.source

    def plain(y: Any, *parts: Any) -> Any:
        return function(y, of_numbers(p, parts), H)

    args = (y, *parts_of(p))
    expected = differences(plain, args, tuple(range(len(args))))
    every = [made, s2sad.grad(function, ("y", "p")), s2sad.value_and_grad(function, ("y", "p"))]
    if not isinstance(p, Named | Spring):
        every.append(standalone(made.source))
    for each in every:
        found = each(y, p, H)
        y_bar, p_bar = found[1] if isinstance(found[1], tuple) and len(found[1]) == 2 else found
        assert compare(flatten((y_bar, *parts_of(p_bar)), args), expected) is None
    _, tangent = s2sad.jvp(function, ("y", "p"), like=like)(*like, 0.3 * y, p)
    slope = expected.value @ flatten((0.3 * y, *parts_of(p)), args)
    assert np.isclose(tangent, slope, rtol=1e-7)
    product = s2sad.hvp(function, ("y", "p"), like=like)(*like, 0.3 * y, p)
    step = 1e-5
    ahead, behind = (
        made(y + 0.3 * t * y, of_numbers(p, [(1.0 + t) * q for q in parts_of(p)]), H)
        for t in (step, -step)
    )
    flat = [flatten((each[0], *parts_of(each[1])), args) for each in (ahead, behind, product)]
    assert np.allclose((flat[0] - flat[1]) / (2.0 * step), flat[2], rtol=1e-5, atol=1e-7)
