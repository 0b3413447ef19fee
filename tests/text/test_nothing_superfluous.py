"""What a careful scientist would write once, or not at all: what was turned back, sums, zeros, copies.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
text has, and what it has nowhere. In both modes, the numbers are checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(12)


def covariance(L: Any, x: Any) -> Any:
    S = L @ L.T + np.eye(len(x))
    return x @ S @ x


def scores(Q: Any, K: Any) -> Any:
    return np.sum(np.tanh(Q @ K.T / 2.0))


def layers(x: Any, W: Any) -> Any:
    for _ in range(3):
        x = np.tanh(x @ W.T)
        W = 0.9 * W
    return np.sum(x * x)


def turned_and_written(A: Any, B: Any) -> Any:
    A = A.copy()
    C = B @ A.T
    A[0] = 2.0 * C[0]
    return np.sum(C * (B @ A.T))


def spread(x: Any, c: Any) -> Any:
    return np.sum((x[:, None] - c) ** 2 * np.exp(-c))


def shares(z: Any) -> Any:
    e = np.exp(z - np.max(z, axis=-1, keepdims=True))
    return np.sum((e / np.sum(e, axis=-1, keepdims=True)) ** 2)


def upwind(u: Any, c: Any) -> Any:
    for _ in range(2):
        slope = np.where(u > 0.0, u - np.roll(u, 1), np.roll(u, -1) - u)
        u = u - c * u * slope + c * (np.roll(u, 1) + np.roll(u, -1) - 2.0 * u)
    return np.sum(u**2)


def twice_the_sum(w: Any, y: Any) -> Any:
    lp = w - y[:, None] - w**2
    return np.sum(np.exp(lp - w))


def filtered(x: Any, b: Any, a: Any) -> Any:
    y = np.zeros(len(x))
    x1 = y1 = y2 = 0.0
    for n in range(len(x)):
        y[n] = b * x[n] + 0.3 * x1 - a * y1 - 0.2 * y2
        x1, y2, y1 = x[n], y1, y[n]
    return np.mean(y**2)


def wave(u: Any, c: Any) -> Any:
    before, now = u, 0.5 * u
    for _ in range(3):
        before, now = now, 2.0 * now - before + c * (np.roll(now, 1) - now)
    return np.sum(now**2)


def turned_round(x: Any, y: Any, z: Any) -> Any:
    for _ in range(2):
        x, y, z = y, z, x
        x, y = y, x * z
        x, y, z = y, x, np.sin(z)
    return x * y * z + x


def fibonacci(a: Any, b: Any) -> Any:
    for _ in range(4):
        a, b = b, a + b * b
    return a * b


def copied_twice(a: Any, b: Any) -> Any:
    for _ in range(2):
        a, b = b, b
        a = a * a
    return a * b


def perceptron(params: Any, x: Any) -> Any:
    W, b, V = params
    return np.sum((V @ np.tanh(W @ x + b)) ** 2)


def of_a_dict(p: Any, x: Any) -> Any:
    W = p["weights"]
    return np.sum(np.tanh(W @ x + p["bias"]) ** 2)


def by_position(params: Any, x: Any) -> Any:
    return np.sum(np.tanh(params[0] @ x + params[1]) ** 2)


WEIGHTS = [RNG.normal(size=(4, 3)), RNG.normal(size=4), RNG.normal(size=(2, 4))]
VECTOR = RNG.normal(size=3)

Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]


def kept_ends(u: Any, c: Any) -> Any:
    for _ in range(3):
        u = np.concatenate([u[:1], c * u[1:-1] ** 2, u[-1:]])
    return np.sum(u**3)


def stored_part(k: Any, u: Any) -> Any:
    m = np.zeros(len(u))
    m[1:] = -k
    m[:-1] += 2.0 * k
    return np.sum(m**2 * u)


def smoothed(u: Any, c: Any) -> Any:
    return np.sum(np.fft.irfft(np.fft.rfft(u) * c, len(u)) ** 3)


def relu_of_normalised(x: Any, w: Any) -> Any:
    z = x - np.mean(x)
    y = z / np.sqrt(np.mean(z**2) + 0.1)
    return np.sum(np.maximum(0.0, y * w) ** 2)


def likelihood(K: Any, y: Any) -> Any:
    L = np.linalg.cholesky(K + K.T + 9.0 * np.eye(len(y)))
    return np.sum(np.log(np.diag(L))) + np.sum(np.linalg.solve(L, y) ** 2)


GRADIENTS: list[Row] = [
    (
        covariance,
        (RNG.normal(size=(3, 2)), RNG.normal(size=3)),
        "L",
        ["L @ L.T", "S_bar @ L + "],
        ["L_T", ".T.T"],
    ),
    (scores, (RNG.normal(size=(3, 2)), RNG.normal(size=(4, 2))), "Q,K", ["_bar @ K, "], ["K_T"]),
    (layers, (RNG.normal(size=(4, 3)), RNG.normal(size=(3, 3))), "x,W", [], ["W_T", ".T.T"]),
    (
        turned_and_written,
        (RNG.normal(size=(2, 2)), RNG.normal(size=(2, 2))),
        "A,B",
        [],
        [".T.T"],
    ),
]
GRADIENTS += [
    (shares, (RNG.normal(size=(3, 4)),), "z", ["(result_term - z_einsum[:, None])"], ["z == "]),
    (upwind, (RNG.normal(size=6), 0.1), "u,c", ["u = u - c * u * slope + c * (np.roll"], []),
    (twice_the_sum, (RNG.normal(size=4), RNG.normal(size=3)), "w,y", [], []),
]
GRADIENTS += [
    (
        filtered,
        (RNG.normal(size=5), 0.4, 0.3),
        "x,b,a",
        [
            "    x1 = y1 = y2 = 0.0\n",
            "y_bar[n] += y1_bar",
            "        y1_bar = y2_bar - a * y_bar[n]\n",
        ],
        ["x1 = y2", "_term = "],
    ),
    (wave, (RNG.normal(size=5), 0.4), "u,c", [], ["_term = now_bar"]),
    (turned_round, (0.3, 0.5, 0.7), "x,y,z", [], []),
    (fibonacci, (0.3, 0.4), "a,b", [], []),
    (copied_twice, (0.3, 0.4), "a,b", [], []),
]
# parts have the user's names; lists that are used item by item need no shadow, as tuples and dicts do
GRADIENTS += [
    (
        perceptron,
        (WEIGHTS, VECTOR),
        "params",
        ["W, b, V = params\n", "return ([np.outer("],
        ["_sum_to", "_of("],
    ),
    (perceptron, (tuple(WEIGHTS), VECTOR), "params", ["W, b, V = params\n"], ["params_0"]),
    (by_position, (WEIGHTS[:2], VECTOR), "params", ["params_0, params_1 = params\n"], ["_sum_to"]),
    (
        of_a_dict,
        ({"weights": WEIGHTS[0], "bias": WEIGHTS[1]}, VECTOR),
        "p",
        ['W, p_bias = p["weights"], p["bias"]\n', '{"weights": np.outer('],
        ["p_weights"],
    ),
]
TANGENTS: list[Row] = [
    (shares, (RNG.normal(size=(3, 4)),), "z", ["e_dot = z_dot * e\n"], ["z == "]),
    (
        upwind,
        (RNG.normal(size=6), 0.1),
        "u,c",
        ["slope_dot = np.where(slope_term, u_dot - np.roll(u_dot, 1), slope_term_dot)\n"],
        [", 0.0)"],
    ),
]


def diffused(u: Any, c: Any) -> Any:
    u = u.copy()
    for _ in range(3):
        u[1:-1, 1:-1] += c * (u[2:, 1:-1] + u[:-2, 1:-1] - 2.0 * u[1:-1, 1:-1])
    return np.sum(u * u)


def array_at_last(w: Any, x: Any) -> Any:
    s = 0.0
    for i in range(3):
        if i > 0:
            s = s + np.sum(w[:, None] * x)
        w = x * w[0]
    return s


def of_a_list(rows: Any, x: Any) -> Any:
    s = 0.0
    for row in rows:
        row = np.array(row)
        s = s + np.sum(row[:, None] * x)
    return s + rows[0][1] ** 2


def heated(u: Any, alpha: Any) -> Any:
    u = u.copy()
    for _ in range(2):
        lap = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += alpha * lap
    return np.mean(u**2)


def variance(omega: Any, beta: Any, r: Any) -> Any:
    h, ll = 1.0, 0.0
    for t in range(len(r)):
        h = omega + beta * h
        ll += np.log(h) + r[t] / h
    return ll


def varied(img: Any, c: Any) -> Any:
    dx = img[1:, :-1] - img[:-1, :-1]
    dy = img[:-1, 1:] - img[:-1, :-1]
    return np.sum(np.sqrt(dx**2 + dy**2 + c))


def robust(x: Any, s: Any, c: Any) -> Any:
    u = x / s
    rho = np.where(np.abs(u) < c, 1.0 - (1.0 - (u / c) ** 2) ** 3, 1.0)
    return np.sum(rho) + len(x) * np.log(s)


def recurrent(W: Any, xs: Any, ys: Any) -> Any:
    h = np.zeros(len(W))
    hs = []
    for x in xs:
        h = np.tanh(W @ h + x)
        hs.append(h)
    return np.sum((np.array(hs) - ys) ** 2)


def growth(y: Any, p: Any) -> Any:
    a, b = p
    return a * y - b * y**2


def stepped(y: Any, p: Any, n: Any) -> Any:
    for _ in range(n):
        y = y + 0.1 * growth(y, p)
    return np.sum(y**2)


def normalised(x: Any, g: Any) -> Any:
    mean = np.mean(x, axis=-1, keepdims=True)
    spread = np.var(x, axis=-1, keepdims=True)
    return np.sum(np.tanh(g * (x - mean) / np.sqrt(spread + 0.1)))


def in_deviations(x: Any, g: Any) -> Any:
    return np.sum((x * g / x.std(axis=0, ddof=1, keepdims=True)) ** 3)


GRADIENTS += [
    (
        normalised,
        (RNG.normal(size=(3, 4)), RNG.normal(size=4)),
        "x,g",
        ["spread_bar / x.shape[-1]"],
        ["_expand", "_count", "dims(2"],
    ),
    (
        in_deviations,
        (RNG.normal(size=(3, 4)), RNG.normal(size=4)),
        "x,g",
        ["(x.shape[0] - 1)"],
        ["_expand", "_count"],
    ),
    (
        robust,
        (RNG.normal(size=4), 1.3, 2.1),
        "x,s",
        ["u_bar = np.where("],
        ["!= 0.0", "_like"],
    ),
    (stepped, (RNG.normal(size=3), RNG.normal(size=2), 4), "y,p", [], ["= p["]),
    (
        recurrent,
        (0.4 * RNG.normal(size=(2, 2)), RNG.normal(size=(3, 2)), RNG.normal(size=(3, 2))),
        "W",
        ["hs_bar = list(2.0 * (np.array(hs) - ys))"],
        ["_sum_to", "_sum("],
    ),
    (heated, (RNG.normal(size=(4, 4)), 0.1), "u,alpha", ["        lap = (\n"], ["lap_term"]),
    (variance, (0.5, 0.4, RNG.normal(size=3)), "omega,beta", ["1.0 / h - r[t] / h / h"], ["h_old"]),
]
TANGENTS += [
    (heated, (RNG.normal(size=(4, 4)), 0.1), "u,alpha", ["        lap = (\n"], []),
    (
        varied,
        (RNG.normal(size=(3, 3)), 0.1),
        "img,c",
        [
            "dx_dot = img_dot[1:, :-1] - img_dot[:-1, :-1]\n",
            "dy_dot = img_dot[:-1, 1:] - img_dot[:-1, :-1]\n",
        ],
        [],
    ),
]


def cell(x: Any, p: Any) -> Any:
    return np.tanh(p["W"] @ x + p["b"])


def deeper(x: Any, q: Any) -> Any:
    return 2.0 * cell(x, q)


def network(p: Any, xs: Any) -> Any:
    s = 0.0
    for x in xs:
        s = s + np.sum(deeper(x, p)) + np.sum(cell(x, p) ** 2)
    return s


def divergence(mu: Any, logvar: Any) -> Any:
    return -0.5 * np.sum(1.0 + logvar - mu**2 - np.exp(logvar))


def half_squares(a: Any, b: Any) -> Any:
    return np.mean(0.5 * (a**2 + b**2))


def student(x: Any, sigma: Any, nu: Any) -> Any:
    z = x / sigma
    return np.sum(0.5 * (nu + 1.0) * np.log1p(z**2 / nu) + np.log(sigma))


def normal(x: Any, S: Any) -> Any:
    return -0.5 * x @ np.linalg.solve(S, x)


def rates(A: Any, E: Any, T: Any) -> Any:
    k = np.exp(A - E / (8.314 * T))
    test = 1.0 / (k + T) + 1.0 / (2.0 * k + 1.0)
    return np.sum(k * test)


def counted(x: Any, k: Any) -> Any:
    s = 0.0
    for v in x:
        s = s + np.sin(k * v) / (k + v * v)
    return s


WEIGHTS = [0.2, 0.5, 0.3]


def weighted_again(u: Any, n: Any) -> Any:
    for _ in range(n):
        for k, w in enumerate(WEIGHTS):
            u = np.sin(u) * w / (k + 1.0)
    return np.sum(u)


GRADIENTS += [
    (weighted_again, (RNG.normal(size=3), 3), "u", ["w = WEIGHTS[k]"], ["items"]),
    (
        rates,
        (0.3, 2.0, RNG.uniform(1.0, 2.0, 4)),
        "A,E",
        ["k_term_bar / (8.314 * T)"],
        ["k_2", "test_2"],
    ),
    (counted, (RNG.uniform(1.0, 2.0, 4), 0.7), "x,k", ["for i in reversed("], []),
    (
        divergence,
        (RNG.normal(size=4), RNG.normal(size=4)),
        "mu,logvar",
        ["return mu.copy(), ", "0.5 * np.exp(logvar) - 0.5\n"],
        ["full_like"],
    ),
    (
        half_squares,
        (RNG.normal(size=4), RNG.normal(size=4)),
        "a,b",
        ["= 0.5 / a.size"],
        ["full_like", "ones_like"],
    ),
    (student, (RNG.normal(size=4), 1.3, 4.0), "sigma,nu", [], ["term_bar = np.ones"]),
    (kept_ends, (RNG.uniform(0.5, 1.0, 5), 0.8), "u,c", ["[1:-1]", "[-1:]"], ["len(u"]),
    (
        stored_part,
        (RNG.normal(size=3), RNG.normal(size=4)),
        "k,u",
        ["u.shape[0] != k.shape[0] + 1"],
        ["_sum_to"],
    ),
    (
        smoothed,
        (RNG.normal(size=6), RNG.normal(size=4)),
        "u,c",
        ["np.real(np.fft.fft("],
        ["_rfft_bar", "_fitted", "_inside_twice"],
    ),
    (relu_of_normalised, (RNG.normal(size=5), RNG.normal(size=5)), "x,w", [], ["np.where("]),
    (
        likelihood,
        (RNG.normal(size=(3, 3)), RNG.normal(size=3)),
        "K,y",
        ["_cholesky_back("],
        ["_on_triangle", "_lower_half"],
    ),
    (normal, (RNG.normal(size=3), 3.0 * np.eye(3)), "x,S", ["-0.5 * solve_S + "], ["+= -"]),
]
PARAMETERS = {"W": RNG.normal(size=(2, 3)), "b": RNG.normal(size=2)}
UNKNOWN: list[Row] = [
    (
        diffused,
        (RNG.normal(size=(4, 4)), 0.3),
        "u,c",
        ["append(u[1:-1, 1:-1].copy())"],
        ["_copied"],
    ),
    (of_a_list, ([[0.3, 0.4], [0.5, 0.6]], RNG.normal(size=2)), "x", [], []),
]


def has(source: str, lines: list[str], nowhere: list[str]) -> None:
    assert all(line in source for line in lines), source
    assert not any(part in source for part in nowhere), source


@pytest.mark.parametrize("row", GRADIENTS, ids=lambda row: row[0].__name__)
def test_gradients(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    gradient = s2sad.grad(function, tuple(wrt.split(",")), like=args)
    has(gradient.source, lines, nowhere)
    places = [function.__code__.co_varnames.index(name) for name in wrt.split(",")]
    found = standalone(gradient.source)(*args)
    flat = flatten(tuple(found), tuple(args[place] for place in places))
    assert compare(flat, differences(function, args, places)) is None


@pytest.mark.parametrize("row", UNKNOWN, ids=lambda row: row[0].__name__)
def test_gradients_for_any_arguments(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    gradient = s2sad.grad(function, tuple(wrt.split(",")))
    has(gradient.source, lines, nowhere)
    places = [function.__code__.co_varnames.index(name) for name in wrt.split(",")]
    for made in (gradient, standalone(gradient.source)):
        flat = flatten(tuple(made(*args)), tuple(args[place] for place in places))
        assert compare(flat, differences(function, args, places)) is None


def test_a_dict_is_told_by_its_keys() -> None:
    gradient = s2sad.grad(network, "p")
    args = PARAMETERS, RNG.normal(size=(4, 3))
    for made in (gradient, standalone(gradient.source)):
        flat = flatten((made(*args),), (args[0],))
        assert compare(flat, differences(network, args, [0])) is None


def test_a_list_that_becomes_an_array_is_refused() -> None:
    gradient = s2sad.grad(array_at_last, "x")
    x = RNG.normal(size=3)
    with pytest.raises(s2sad.NoRule, match="w, whose number of axes is not known"):
        gradient([0.3, 0.4], x)
    args = np.array([0.3, 0.4, 0.1]), x
    assert compare(flatten((gradient(*args),), (x,)), differences(array_at_last, args, [1])) is None


@pytest.mark.parametrize("row", [*GRADIENTS, *TANGENTS], ids=lambda row: row[0].__name__)
def test_both_modes_agree(row: Row) -> None:
    function, args, wrt, *_ = row
    assert s2sad.check_grad(function, args, tuple(wrt.split(",")))


@pytest.mark.parametrize("row", TANGENTS, ids=lambda row: row[0].__name__)
def test_tangents(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    has(s2sad.jvp(function, tuple(wrt.split(",")), like=args).source, lines, nowhere)


@dataclass
class Layer:
    """Arrays of lengths of their own."""

    W: Any
    b: Any


def two_layers(one: Any, two: Any, x: Any) -> Any:
    for layer in (one, two):
        x = np.tanh(layer.W @ x + layer.b)
    return x @ x


def test_objects_of_a_display_have_lengths_of_their_own() -> None:
    one = Layer(RNG.normal(size=(3, 4)), RNG.normal(size=3))
    two = Layer(RNG.normal(size=(2, 3)), RNG.normal(size=2))
    args = one, two, RNG.normal(size=4)
    gradient = s2sad.grad(two_layers, ("one", "two"), like=args)
    lines = ["one_W, one_b = one.W, one.b", "two.W.shape[1] != one.W.shape[0]"]
    has(gradient.source, lines, ["_sum_to", "_shadow_of"])
    for found, place in zip(standalone(gradient.source)(*args), (0, 1), strict=True):
        for name in ("W", "b"):
            dot = RNG.normal(size=getattr(args[place], name).shape)
            moved = [replace(one), replace(two), args[2]]
            setattr(moved[place], name, getattr(args[place], name) + 1e-30j * dot)
            along = np.imag(two_layers(*moved)) / 1e-30
            np.testing.assert_allclose(np.sum(getattr(found, name) * dot), along, rtol=1e-12)
