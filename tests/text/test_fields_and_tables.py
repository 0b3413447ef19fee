"""What a scientist would write of fields on grids, of rates and of tables: the text, and its numbers.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere. The numbers are compared with differences, and both modes
with each other.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(23)


def on_staggered_grids(u: Any, dt: Any) -> Any:
    for _ in range(3):
        east = np.zeros((2, len(u) + 1))
        west = np.zeros((2, len(u) + 1))
        east[:, 1:-1] = np.sin(u[1:] - u[:-1])
        west[:, 1:-1] = np.cos(u[1:] + u[:-1])
        u = u - dt / 0.5 * (east[0, 1:] - east[1, :-1] + west[0, 1:] - west[1, :-1])
    return np.sum(u**2)


def limited(u: Any, dt: Any, dx: Any) -> Any:
    left = u - np.roll(u, 1)
    right = np.roll(u, -1) - u
    slope = np.where(left * right > 0.0, np.where(np.abs(left) < np.abs(right), left, right), 0.0)
    flux = u + 0.5 * slope
    return np.sum((u - dt / dx * (flux - np.roll(flux, 1))) ** 2)


def two_at_once(u: Any, a: Any) -> Any:
    wet = dry = 0.0
    damp = np.zeros(4)
    for k in range(2):
        damp[k] = damp[3 - k] = a * (k + 1)
    for x in u:
        wet = a * wet + x
        dry = wet - a * dry
    return np.sum(damp * u) * wet * dry


class Basin:
    """A class with whole numbers and steps, as many solvers have one."""

    def __init__(self, nx: int = 7, ny: int = 5, rate: Any = 0.1) -> None:
        self.nx, self.ny = nx, ny
        self.dx, self.dy = 2 / (nx - 1), 2 / (ny - 1)
        self.rate = rate

    def smooth(self, p: Any) -> Any:
        for _ in range(2):
            pn = p.copy()
            p[1:-1, 1:-1] = self.rate * (pn[1:-1, 2:] / self.dx + pn[2:, 1:-1] / self.dy)
            p[:, -1] = p[:, -2]
        return p


def in_a_basin(lid: Any, rate: Any) -> Any:
    basin = Basin(rate=rate)
    p = np.zeros((basin.ny, basin.nx))
    for _ in range(2):
        p[-1, :] = lid
        p = basin.smooth(p)
    return np.sum(p**2)


def advected(u: Any, v: Any, nu: Any) -> Any:
    u, v = u.copy(), v.copy()
    for _ in range(3):
        un, vn = u.copy(), v.copy()
        strain = np.zeros_like(u)
        strain[1:-1] = (u[2:] - u[:-2]) ** 2 + v[2:] * v[:-2]
        u[1:-1] = un[1:-1] - nu * un[1:-1] * (un[1:-1] - un[:-2]) + strain[1:-1]
        v[1:-1] = vn[1:-1] - nu * un[1:-1] * (vn[1:-1] - vn[:-2])
        u[0] = u[-2]
        v[-1] = nu
    return np.sum(u**2 + v)


def copied_and_written_in_between(u: Any, a: Any) -> Any:
    u = u.copy()
    total = 0.0
    for k in range(3):
        u[0] = np.sin(u[0] * u[1])
        un = u.copy()
        total += np.sum(u**3)
        if k != 1:
            total += np.sum(u * un)
            u[1] = a * un[1] ** 2
            total += u[1] ** 2 * un[1]
        u[2:] = un[2:] * u[1]
        total += np.sum(u**2) * un[0]
    return total


def one_element_of_a_copy(u: Any, a: Any) -> Any:
    u = u.copy()
    for k in range(1, 3):
        un = u.copy()
        u[k] = a * un[k] * un[k - 1]
    return np.sum(u**2)


def pairs(x: Any, box: Any, cutoff: Any) -> Any:
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = x[i] - x[j]
            d -= box * np.round(d / box)
            if d @ d < cutoff**2:
                yield d


def of_pairs(x: Any, eps: Any) -> Any:
    total = 0.0
    for d in pairs(x, 3.0, 2.5):
        s6 = (0.1 / (d @ d)) ** 3
        total += 4 * eps * (s6**2 - s6)
    return total


def with_a_controlled_step(k: Any, y: Any) -> Any:
    h, t = 0.1, 0.0
    while t < 0.5:
        yn = y - h * k * y**3
        err = np.max(np.abs(yn - y))
        if err < 0.1:
            t, y = t + h, yn
        h = h * min(2.0, max(0.3, 0.9 * (0.05 / max(err, 1e-14)) ** (1 / 3)))
    return np.sum(y)


def summed_in_place(u: Any, a: Any) -> Any:
    u = u.copy()
    for _ in range(3):
        u[1:] = a * u[1:] + u[:-1] ** 2
    return a * np.sum(u)


def of_tanks(u: Any, areas: Any) -> Any:
    tanks = [State(1.0, 15.0), State(0.6, 12.0)]
    for k in range(3):
        inflow = u[k]
        for tank, area in zip(tanks, areas, strict=True):
            tank.v += inflow / (tank.x * area) * (20.0 - tank.v)
            tank.x += (inflow - 0.4 * np.sqrt(tank.x)) / area
            inflow = 0.4 * np.sqrt(tank.x)
    return tanks[-1].v * tanks[-1].x


def by_gauss(u: Any, a: Any) -> Any:
    for k in range(3):
        points = [(-1 / np.sqrt(3), 1.0), (1 / np.sqrt(3), 1.0)]
        grown = [0.5, 0.25]
        if k == 1:
            grown.append(0.1)
        total = 0.0
        for x, weight in points:
            total += weight * np.sum(np.sin(a * u * x))
        for weight in grown:
            total += weight * np.sum(np.cos(a * u))
        u = u + 0.1 * total * u**2
    return np.sum(u**2)


def in_elements(k: Any, nodes: Any, elements: Any) -> Any:
    n = len(nodes)
    K = np.zeros((n, n))
    R = np.zeros(n)
    for e, (a, b) in enumerate(elements):
        h = nodes[b] - nodes[a]
        idx = [a, b]
        slope = np.array([-1 / h, 1 / h])
        R[idx] += k[e] * slope
        K[np.ix_(idx, idx)] += k[e] * np.outer(slope, slope)
    return np.sum(K**2) + np.sum(R**3)


@dataclass
class State:
    x: Any
    v: Any


def of_states(u: Any, a: Any) -> Any:
    s = State(1, u)
    best = s
    for _ in range(3):
        s = State(s.x + a * np.sum(s.v), 0.9 * s.v - a * s.x)
        if s.x > 2.0:
            best = s
    return s.x**2 + np.sum(best.v)


def of_dicts(u: Any, a: Any) -> Any:
    c = {"A": u[0], "B": 0.8, "C": 0.1}
    for _ in range(3):
        slope = dict.fromkeys(c, 0.0)
        flux = a * math.prod(c[s] ** n for s, n in {"A": 1, "B": 2}.items())
        for s, n in {"A": -1, "C": 1}.items():
            slope[s] += n * flux
        c = {s: c[s] + 0.1 * slope[s] for s in c}
    return c["C"] ** 2 * c["A"]


class Plate:
    def __init__(self, shape: Any, h: Any) -> None:
        self.shape, self.h = shape, h
        self.T = np.zeros(shape)

    def warmed(self, u: Any, rows: Any) -> Any:
        T = self.T.copy()
        T[1:, :] += self.h * np.reshape(u, rows)
        return np.reshape(T, (-1,))


def of_a_plate(u: Any, a: Any) -> Any:
    plate = Plate((3, 2), a)
    return np.sum(plate.warmed(u, (-1, 2)) ** 2) + np.sum(plate.warmed(u, (2, -1)))


def with_a_delay(u: Any, a: Any) -> Any:
    delay = deque([0.0, u[0]])
    x = 1.0
    for k in range(3):
        delay.append(a * x)
        x += np.sin(delay.popleft()) * u[k]
    return x**2


def with_decimals(u: Any, a: Any) -> Any:
    return np.sum(-0.1 * u**3 + 0.7 * u * a**3)


def shifted(u: Any, k: Any) -> Any:
    return np.concatenate([np.zeros(k), u[: len(u) - k]])


def by_one_and_two(u: Any, a: Any) -> Any:
    return np.sum(shifted(u, 1) * u + a * shifted(u, 2) * u)


NODES = [0.0, 0.5, 0.75]
WEIGHTS = (0.2, 0.3, 0.5)


def by_a_table(u: Any, h: Any) -> Any:
    for _ in range(2):
        slopes: list[Any] = []
        for node in NODES:
            slopes.append(np.sin(u + node * h * u))
        for weight, slope in zip(WEIGHTS, slopes, strict=False):
            u = u + h * weight * slope
    return np.sum(u**2)


def two_tables(u: Any, h: Any) -> Any:
    for node, weight in zip(NODES, WEIGHTS, strict=False):
        u = u + weight * np.sin(h * node * u)
    return np.sum(u**2)


def from_the_last_layer(index: Any, depth: Any, wave: Any) -> Any:
    left, right = np.ones_like(wave), 1.5 * wave
    for n, d in zip(index[::-1], depth[::-1], strict=False):
        c, s = np.cos(n * d / wave), np.sin(n * d / wave)
        left, right = c * left - s / n * right, s * n * left + c * right
    return np.sum(left**2 + right)


def last_one_first(index: Any, depth: Any, wave: Any) -> Any:
    for n, d in zip(reversed(index), reversed(depth), strict=False):
        wave = wave * np.cos(n * d * wave)
    return np.sum(wave)


def rows_from_the_end(index: Any, depth: Any) -> Any:
    found = depth
    for row in index[::-1]:
        found = np.sin(row * found)
    return np.sum(found)


def of_the_angle_before(x: Any, a: Any) -> Any:
    y, total, angle = a, 0.0, a
    for k in range(4):
        if k > 0:
            total += y * np.cos(angle) * np.sin(angle * y)
        angle = x[k]
        c = np.cos(angle)
        y = np.sin(y * c) * c
    return total + y


def of_some_angles(x: Any, a: Any) -> Any:
    y, total = a, 0.0
    angle = c = a
    for k in range(4):
        if k % 2:
            angle = x[k] * y
            total += np.cos(angle) * y
            c = np.cos(angle)
        total += np.sin(c * y) * np.cos(angle)
        y = np.sin(y * c) * np.cos(angle)
    return total


def with_the_last_angle(x: Any, a: Any) -> Any:
    y = a
    for k in range(4):
        angle = x[k] * y
        y = np.sin(angle) * y + np.cos(angle)
        c = np.cos(angle)
        y = np.sin(y * c) * c
    return y * c


def limited_control(u: Any, bound: Any, x: Any) -> Any:
    return np.sum(x @ (bound * np.tanh(-(u @ x) / bound)))


def forced(c: Any, dt: Any, u: Any) -> Any:
    for _ in range(3):
        u = u + dt**2 * c**2 * np.sin(u)
    return np.sum(u**2)


U = RNG.standard_normal(4)
N, D, N_4 = 1.0 + RNG.random(3), RNG.random(3), 1.0 + RNG.random(4)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]
ROWS: list[Row] = [
    (
        on_staggered_grids,
        (U, 0.1),
        "u",
        ["east_bar[0, 1:] = -east_term_bar", "west_bar[1, :-1] = east_term_bar"],
        ["= dt / 0.5 * u_bar\n        east_bar[1"],
    ),
    (limited, (U, 0.1, 0.5), "u", ["flux_bar = dt / dx * (np.roll("], []),
    (
        by_a_table,
        (U, 0.3),
        "u,h",
        ["for node in NODES:", "for weight, slope in zip(WEIGHTS, slopes", "in reversed(NODES):"],
        [],
    ),
    (
        two_tables,
        (U, 0.3),
        "u,h",
        ["for node, weight in zip(NODES, WEIGHTS", "in zip(reversed(NODES), reversed(WEIGHTS)):"],
        ["min(", "[k]"],
    ),
    (
        from_the_last_layer,
        (N, D, U),
        "index,depth",
        ["for k, (n, d) in enumerate(zip(index, depth)):"],
        ["gone_", "np.cos(s_term)"],
    ),
    (of_the_angle_before, (N_4, 0.3), "x,a", [], []),
    (of_some_angles, (N_4, 0.3), "x,a", [], []),
    (with_the_last_angle, (N_4, 0.3), "x,a", [], []),
    (last_one_first, (N, D, U), "index,depth", ["in zip(reversed(index), rev"], ["min(", " - 1 -"]),
    (rows_from_the_end, (RNG.random((3, 4)), U), "index,depth", [], ["gone_"]),
    (limited_control, (RNG.random((4, 4)), 1.5, U), "u", ["-np.outer(x * (1.0 - "], []),
    (forced, (U, 0.3, N[0] * U), "c", ["2.0 * dt**2 * "], []),
    (
        in_a_basin,
        (1.5, 0.3),
        "lid,rate",
        ["    basin_dx = 2 / 6", "p_bar = 2.0 * p"],
        ["_sum_to", "part_", ".shape"],
    ),
    (advected, (U, 0.1 * U, 0.3), "u,v,nu", [], []),
    (copied_and_written_in_between, (U, 0.3), "u,a", [], []),
    (one_element_of_a_copy, (U, 0.3), "u,a", ["u[k] = u_saved.pop()"], ["un_saved"]),
    (
        of_pairs,
        (np.array([[0.0, 0.1], [1.1, 0.2], [0.3, 1.2], [1.3, 1.4]]), 0.3),
        "x,eps",
        ["        s6 = (0.1 / (d @ d)) ** 3", "        d_bar = "],
        ["zeros_like(d)", "d_saved"],
    ),
    (
        with_a_controlled_step,
        (0.3, U),
        "k,y",
        ["h_term ** (1 / 3 - 1) / 3 * h_term_bar"],
        ["& err_hit"],
    ),
    (summed_in_place, (U, 0.3), "u,a", ["u_bar = np.full_like(u, a)"], ["zeros_like"]),
    (of_tanks, (U, np.array([2.0, 3.0])), "u,areas", [], ["shares_memory"]),
    (by_gauss, (U, 0.3), "u,a", ["for x, weight in reversed(points):"], ["points_saved"]),
    (
        in_elements,
        (U[:3], np.linspace(0, 1, 4) ** 1.2, np.array([[0, 1], [1, 2], [2, 3]])),
        "k,nodes",
        ["R_bar[idx]", "K_bar[np.ix_(idx, idx)]"],
        ["_sum_to"],
    ),
    (of_states, (U, 0.3), "u,a", ["s_v_bar = "], ["SimpleNamespace", "= s.x"]),
    (of_dicts, (U, 0.3), "u,a", ["c_A = item_1"], ["items =", "keys", "_others"]),
    (of_a_plate, (U, 0.3), "u,a", ["np.ones(6)"], []),
    (with_a_delay, (U, 0.3), "u,a", ["= [0.0, u[0]]"], ["for item"]),
    (with_decimals, (U, 0.3), "u,a", ["0.3 * u**2"], ["0000"]),
    (by_one_and_two, (U, 0.3), "u,a", [], []),
    (two_at_once, (U, 0.3), "u,a", ["wet = dry = 0.0", "damp[k] = damp[3 - k] = "], []),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_the_text_is_as_by_hand_and_right(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    names = tuple(wrt.split(","))
    gradient = s2sad.grad(function, names, like=args)
    for line in lines:
        assert line in gradient.source, gradient.source
    for part in nowhere:
        assert part not in gradient.source, gradient.source
    places = [function.__code__.co_varnames.index(name) for name in names]
    given = tuple(args[place] for place in places)
    for made in (standalone(gradient.source), s2sad.grad(function, names)):
        found = flatten(tuple(made(*args)), given)
        assert compare(found, differences(function, args, places)) is None
    assert s2sad.check_grad(function, args, names)
