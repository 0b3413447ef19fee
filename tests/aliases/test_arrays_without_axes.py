"""Tangents and seeds of numbers that are arrays without axes: nobody writes to what the caller gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import s2sad


@dataclass
class Pair:
    a: float
    b: float


def in_a_list(t):
    g = [t, 0.5, t]
    g[-1] += g[0]
    return g[0] * g[2]


def in_a_list_in_passes(t):
    g = [t, 0.5, t]
    for k in range(2):
        g[k + 1] += g[k] * t
    return g[0] * g[2]


def in_lists_of_lists(t):
    g = [[t, t], [0.5, t]]
    g[1][1] += g[0][0] * g[1][0]
    g[0][1] -= g[1][1]
    for row in g:
        row[0] += row[1]
    return g[0][0] * g[1][0] + g[0][1]


def made_by_rows(t):
    g = [[t] * 2 for _ in range(2)]
    g[0][1] += g[0][0]
    g[1][0] += g[0][1] * t
    return g[1][0] * g[1][1] * g[0][0]


def in_a_dict(t):
    d = {"a": t, "b": t}
    d["a"] += d["b"] * t
    d["b"] += d["a"]
    return d["a"] * d["b"]


def in_keys_that_are_computed(t):
    d = {0: t, 1: t, 2: t}
    for k in range(2):
        d[k + 1] += d[k]
    return d[2] * d[0]


def in_an_object(t):
    p = Pair(t, t)
    p.a += p.b
    p.b += p.a * t
    return p.a * p.b


def in_a_list_of_objects(t):
    ps = [Pair(t, t) for _ in range(2)]
    for p in ps:
        p.a += p.b
    ps[0].b += ps[1].a
    return ps[0].b * ps[1].b * ps[0].a


def of_names(t):
    a = b = t
    a += b
    b -= a * t
    c = a
    c += b
    return a * b * c


def in_a_branch(t):
    a = t
    if t > 0.0:
        a += t
    g = [a, t]
    g[0] += a
    return g[0] * g[1] * a


def handed_on(t):
    g = [t, t]
    added(g)
    return g[0] * g[1]


def added(g):
    g[0] += g[1]
    g[1] += g[0]


def swapped(t):
    g = [t, 2.0 * t]
    g[0], g[1] = g[1], g[0]
    g[1] += g[0]
    a, b = g
    a += b
    return a * b


def into_an_array(t):
    u = np.zeros(3)
    u[0] = t
    u[1:] += t
    u[0] += u[1]
    return np.sum(u * u) * t


EVERY = (
    in_a_list,
    in_a_list_in_passes,
    in_lists_of_lists,
    made_by_rows,
    in_a_dict,
    in_keys_that_are_computed,
    in_an_object,
    in_a_list_of_objects,
    of_names,
    in_a_branch,
    handed_on,
    swapped,
    into_an_array,
)


def slope(f: Any, t: float) -> float:
    h = 1e-6
    return float(f(t + h) - f(t - h)) / (2.0 * h)


@pytest.mark.parametrize("f", EVERY)
def test_tangent(f: Any) -> None:
    given = np.array(1.0)
    value, tangent = s2sad.jvp(f)(0.4, given)
    assert value == pytest.approx(f(0.4))
    assert tangent == pytest.approx(slope(f, 0.4), rel=1e-6)
    assert given == 1.0


@pytest.mark.parametrize("f", EVERY)
def test_tangent_of_the_text_alone(f: Any) -> None:
    made = s2sad.jvp(f, like=(0.4,))
    space: dict[str, Any] = {}
    exec(made.source, space)
    given = np.array(1.0)
    _, tangent = space[made.__name__](0.4, given)
    assert tangent == pytest.approx(slope(f, 0.4), rel=1e-6)
    assert given == 1.0


@pytest.mark.parametrize("f", EVERY)
def test_seed(f: Any) -> None:
    seed = np.array(2.0)
    adjoint = s2sad.vjp(f)(0.4, seed)
    assert adjoint == pytest.approx(2.0 * slope(f, 0.4), rel=1e-6)
    assert seed == 2.0


@pytest.mark.parametrize("f", EVERY)
def test_product_with_the_hessian(f: Any) -> None:
    given = np.array(1.0)
    found = s2sad.hvp(f)(0.4, given)
    h = 1e-6
    df = s2sad.grad(f)
    assert found == pytest.approx((df(0.4 + h) - df(0.4 - h)) / (2.0 * h), rel=1e-5, abs=1e-6)
    assert given == 1.0


def test_a_number_is_a_seed_of_an_array_without_axes() -> None:
    def chosen(x):
        rate = np.asarray(x)
        return np.where(rate == 0.0, 1.0, rate**2)

    assert np.isclose(s2sad.vjp(chosen, like=(0.7,))(0.7, seed=1.5), 2.1)
    assert np.isclose(s2sad.vjp(chosen, like=(0.7,))(0.7, seed=np.array(1.5)), 2.1)


def grown_or_mixed(x, y, mixes):
    if mixes:
        return (x + 0.1 * y) * y
    for _ in range(3):
        x = x * y
    return x * y


def test_an_argument_without_axes_is_no_adjoint_that_is_written_to() -> None:
    y = np.array(1.3)
    x_bar, y_bar = s2sad.grad(grown_or_mixed, wrt=("x", "y"))(0.7, y, 0)
    assert x_bar == pytest.approx(1.3**4)
    assert y_bar == pytest.approx(0.7 * 4 * 1.3**3)
    assert y == 1.3
