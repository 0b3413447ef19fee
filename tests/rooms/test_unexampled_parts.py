"""Texts made without examples for arguments that hold parts: dicts, objects, named tuples, lists."""

from __future__ import annotations

import itertools
import math
import runpy
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypedDict

import numpy as np
import pytest
from scipy import linalg

import s2sad
from tests.oracles import compare, differences, flatten
from tests.rooms.unexampled import run_alone

rng = np.random.default_rng(5)
V3, V4, M34, M33 = rng.random(3), rng.random(4), rng.random((3, 4)), rng.random((3, 3))


def layer(params, x):
    return np.tanh(params["W"] @ x + params["b"])


def network(params, x, y):
    return np.sum((layer(params, x) - y) ** 2) * params["scale"]


def autoregressive(params, y):
    ar = params["ar"]
    p = len(ar)
    mean = np.zeros(len(y) - p)
    for k in range(p):
        mean = mean + ar[k] * y[p - k - 1 : len(y) - k - 1]
    return np.sum((y[p:] - mean) ** 2) / params["sigma"]


def oscillator(p, dt=0.1):
    x, v = p["x0"], 0.0
    for _ in range(p["n"]):
        v = v - dt * p["k"] * x
        x = x + dt * v
    return x**2


def nested(p):
    return p["b"] * np.sum(p["a"]["x"] ** 2) * p["a"]["y"]


class Rates(TypedDict):
    forth: float
    back: float


def reactions(r: Rates, c):
    total = 0.0
    for rate in r.values():
        total = total * rate + rate * c[0]
    return total


def pooled(hs: list[np.ndarray], w):
    total = 0.0
    for h in hs:
        total = total + np.tanh(w @ h)
    return total


def layers_of(layers: list[tuple[np.ndarray, np.ndarray]], x):
    for W, b in layers:
        x = np.tanh(W @ x + b)
    return np.sum(x**2)


def layers_as_dicts(layers, x):
    for layer in layers:
        x = np.tanh(layer["W"] @ x + layer["b"])
    return np.sum(x**2)


def layers_by_number(layers, x):
    for k in range(len(layers)):
        x = np.tanh(layers[k]["W"] @ x + layers[k]["b"])
    return np.sum(x**2)


def layers_in_tuples(layers, x):
    for k, (W, b) in enumerate(layers):
        x = np.tanh(W @ x + k * b)
    return np.sum(x**2)


def fluxes(cells):
    q = 0.0
    for a, b in itertools.pairwise(cells):
        q += (0.5 * (a["k"] + b["k"]) * (b["T"] - a["T"])) ** 2
    return q


def fluxes_of_slices(cells):
    q = 0.0
    for k, (a, b) in enumerate(zip(cells[:-1], cells[1:])):  # noqa: B905, RUF007
        q += k * (a["k"] + b["k"]) * (b["T"] - a["T"])
    return q


def lagged(p):
    k, x = p["lag"], p["x"]
    return np.sum(x[k:] * x[:-k]) if p["use"] else np.sum(x)


def area(points: list[tuple[float, float]]):
    total = 0.0
    for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True):
        total += x * v - u * y
    return 0.5 * total


def distance(p: tuple[float, float], q: tuple[float, float]):
    return math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)


HELD = (
    (network, ({"W": M34, "b": V3, "scale": 0.3}, V4, V3)),
    (network, ({"scale": 0.3, "b": V3, "W": M34}, V4, V3)),
    (autoregressive, ({"ar": V3[:2], "sigma": 0.4}, V4)),
    (oscillator, ({"x0": 0.3, "k": 2.0, "n": 4},)),
    (nested, ({"a": {"x": V3, "y": 0.3}, "b": 2.0},)),
    (reactions, ({"forth": 0.3, "back": 0.8}, V3)),
    (pooled, ([V3, 2.0 * V3], V3)),
    (pooled, ([], V3)),
    (layers_of, ([(M34, V3), (M33, V3)], V4)),
    (layers_as_dicts, ([{"W": M34, "b": V3}, {"b": V3, "W": M33}], V4)),
    (layers_as_dicts, ([{"W": M33, "b": 0.3}], V3)),
    (layers_by_number, ([{"W": M34, "b": V3}, {"W": M33, "b": V3}], V4)),
    (layers_in_tuples, ([(M34, V3), (M33, V3)], V4)),
    (fluxes, ([{"T": 0.3, "k": 1.0}, {"T": 0.8, "k": 2.0}, {"T": 0.1, "k": 0.5}],)),
    (fluxes_of_slices, ([{"T": 0.3, "k": 1.0}, {"T": 0.8, "k": 2.0}, {"T": 0.1, "k": 0.5}],)),
    (lagged, ({"x": V4, "lag": 2, "use": True},)),
    (lagged, ({"x": V4, "lag": 2, "use": False},)),
    (area, ([(0.1, 0.2), (0.5, 0.1), (0.4, 0.9)],)),
    (distance, ((0.3, 0.4), (1.0, 2.0))),
)


@pytest.mark.parametrize(("function", "args"), HELD)
def test_parts_that_keys_and_annotations_tell(function, args):
    run = run_alone(s2sad.grad(function).derivative(None))
    found = flatten((run(*args),), args[:1])
    assert compare(found, differences(function, args, (0,))) is None


class Pair(NamedTuple):
    k1: float
    k2: float = 0.3


@dataclass
class Well:
    depth: float
    width: float
    centers: np.ndarray
    name: str = "well"


def kinetics(r: Pair, c):
    return np.sum(r.k1 * c**2 - r[1] * c)


def energy(p: Well, x):
    return -p.depth * np.sum(np.exp(-0.5 * ((x - p.centers) / p.width) ** 2))


def test_fields_that_a_class_tells():
    run = run_alone(s2sad.grad(kinetics).derivative(None))
    expected = differences(lambda a, b: kinetics(Pair(a, b), V3), (0.3, 0.8), (0, 1))
    assert compare(np.array(run(Pair(0.3, 0.8), V3)), expected) is None
    run = run_alone(s2sad.grad(energy).derivative(None))
    for x in (0.4, V3):
        found = run(Well(1.2, 0.3, V3), x)
        bars = (found.depth, found.width, found.centers)
        of_parts = differences(lambda *p, x=x: energy(Well(*p), x), (1.2, 0.3, V3), (0, 1, 2))
        assert compare(flatten(bars, (1.2, 0.3, V3)), of_parts) is None


@pytest.mark.parametrize(
    ("function", "args"),
    (
        (autoregressive, ({"ar": V3}, V4)),
        (autoregressive, ({"ar": V3, "sigma": 0.3, "more": 0.2}, V4)),
        (autoregressive, ({"ar": np.array([1, 2]), "sigma": 0.3}, V4)),
        (autoregressive, ({"ar": [0.1, 0.2], "sigma": 0.3}, V4)),
        (autoregressive, (np.array([(1.0, 2.0)], dtype=[("ar", float), ("sigma", float)]), V4)),
        (pooled, (np.array([V3, V3]), V3)),
        (layers_as_dicts, ([{"W": M33}], V3)),
        (layers_as_dicts, ([{"W": np.eye(3, dtype=int), "b": V3}], V3)),
        (area, (rng.random((3, 2)),)),
    ),
)
def test_other_keys_and_kinds_are_asked_for(function, args):
    run = run_alone(s2sad.grad(function).derivative(None))
    with pytest.raises(ValueError, match="made for"):
        run(*args)


def whitened(r, b):
    return 0.5 * b @ np.linalg.solve(linalg.toeplitz(r), b)


def test_what_is_solved_for_beside_itself_is_a_vector():
    run = run_alone(s2sad.jvp(whitened, ("r", "b")).derivative(None))
    args, dots = (np.array([2.0, 0.4, 0.1]), V3), (V3, 2.0 * V3)
    exact = s2sad.jvp(whitened, ("r", "b"), like=args)(*args, *dots)
    np.testing.assert_allclose(run(*args, *dots), exact, rtol=1e-12)


def shifted(p, y):
    u = p["b"] * 2.0
    v = u
    v += 1.0
    return np.linalg.solve(p["A"], y + u * v)


def shifts(p, y):
    return np.sum(shifted(p, y) ** 2)


def turned(m: tuple[np.ndarray, np.ndarray], y):
    v = m[1] * y
    z = v
    z += 1.0
    return np.sum(m[0] @ z * v)


@pytest.mark.parametrize(
    ("function", "args"),
    (
        (shifts, ({"A": np.eye(3) + 0.1, "b": V3}, V3)),
        (turned, ((np.eye(3) + 0.1, V3), 0.7)),
    ),
)
def test_ranks_of_parts_are_guessed_by_how_these_are_used(function, args):
    run = run_alone(s2sad.grad(function, "y").derivative(None))
    found = flatten((run(*args),), args[1:])
    assert compare(found, differences(function, args, (1,))) is None


def test_a_text_for_lists_that_are_joined_takes_no_array():
    derivative = s2sad.grad(area, like=([(0.1, 0.2), (0.5, 0.1)],))
    run = run_alone(derivative.derivative(derivative.request.given))
    with pytest.raises(ValueError, match="made for"):
        run(rng.random((3, 2)))


def changed(p):
    return p.get("n", 3) * np.sum(p["x"] ** 2)


def gone_through(p):
    return p["x"] * sum(p.values())


def by_words(p, x):
    total = 1.0
    for key in ("a", "b"):
        total = total * np.sum(p[key] * x)
    return total


def by_made_words(p, x):
    return sum(p[f"k{i}"] * x[i] for i in range(3))


@pytest.mark.parametrize("function", (by_words, by_made_words))
@pytest.mark.parametrize("form", (s2sad.grad, s2sad.jvp))
def test_words_that_are_read_of_what_is_taken_for_an_array_are_refused_at_their_line(
    function, form
):
    with pytest.raises(s2sad.Unsupported, match=r"(?s)like=.*p\[(key|f\"k)"):
        print(form(function).source)


@pytest.mark.parametrize("function", (changed, gone_through))
def test_keys_that_are_not_all_written_out_need_an_example(function):
    with pytest.raises(s2sad.Unsupported, match="whose keys are not all written out"):
        print(s2sad.grad(function).source)


class Law(Enum):
    LINEAR = 1
    SQUARE = 2


def drag(v, law=Law.SQUARE, c=0.3):
    f = c * v * np.abs(v) if law is Law.SQUARE else c * v
    return np.sum(f * v)


def test_a_member_of_an_enum_is_an_option():
    derivative = s2sad.grad(drag)
    for law in Law:
        for args in ((0.4, law), (V3, law)):
            assert compare(np.ravel(derivative(*args)), differences(drag, args, (0,))) is None
    run = run_alone(derivative.derivative(None))
    for args in ((0.4,), (V3, Law.SQUARE)):
        assert compare(np.ravel(run(*args)), differences(drag, args, (0,))) is None
    with pytest.raises(ValueError, match=r"law=Law\.SQUARE"):
        run(0.4, Law.LINEAR)


Antoine = namedtuple("Antoine", "a b c")
WATER = Antoine(1.2, 0.4, 0.1)


def pressure(x, p=WATER):
    return np.sum(p.a * np.exp(-p.b * x) + p.c * x**2)


@pytest.mark.parametrize("function", (drag, pressure))
def test_a_default_stands_in_the_file(function, tmp_path):
    path = s2sad.grad(function).save(tmp_path / "made.py")
    space = runpy.run_path(str(path))
    run = space[f"{function.__name__}_grad"]
    others = (Law.SQUARE,) if function is drag else (WATER, Antoine(0.1, 2.0, np.float64(0.2)))
    for args in ((V3,), *((V3, other) for other in others)):
        assert compare(np.ravel(run(*args)), differences(function, args, (0,))) is None
