"""What differed in texts that were read beside adjoints written by hand, one row for each kind.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere. The numbers are compared with differences, for any arguments,
in forward mode and at second order, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(41)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]


def flows_of_lines(theta: Any, g: Any, b: Any, lines: Any) -> Any:
    """A product of an element and a function of a name is said twice."""
    p = np.zeros(len(theta))
    for k, (i, j) in enumerate(lines):
        d = theta[i] - theta[j]
        p[i] += g[k] - g[k] * np.cos(d) - b[k] * np.sin(d)
        p[j] += g[k] - g[k] * np.cos(d) + b[k] * np.sin(d)
    return np.sum(p**2)


def networks(T: Any, q: Any, units: Any) -> Any:
    """Parts of an item are taken at once, though the reverse sweep reads the last one first."""
    T = T.copy()
    for k, (hot, cold) in enumerate(units):
        heat = q[k] * (T[hot] - T[cold])
        T[hot] -= heat
        T[cold] += 0.5 * heat
    return np.sum(T**2)


def kinetics(k: Any, c: Any, reactions: Any) -> Any:
    """Nor where a loop stands between the reads."""
    rate = np.zeros_like(c)
    for r, (reactants, products) in enumerate(reactions):
        q = k[r]
        for s in reactants:
            q = q * c[s]
        for s in products:
            rate[s] += q
    return np.sum(rate**2)


def merged(parts: Any, x: Any) -> Any:
    """Halves of what is twice as long as the pass found it are as long as that."""
    for d in parts:
        out = np.empty(2 * len(d))
        out[::2] = (x + d) * 0.7
        out[1::2] = x - d
        x = out
    return np.sum(x**2)


def lengths_of_a_path(p: Any, w: Any) -> Any:
    """Slices of one array that a loop goes through together are read at their positions."""
    s = 0.0
    for a, b, weight in zip(p[:-1], p[1:], w, strict=False):
        s = s * 0.9 + weight * np.sqrt(np.sum((b - a) ** 2))
    return s


class Lens:
    def __init__(self, at: float, power: float):
        self.at, self.power = at, power


def lenses(powers: Any, ats: Any, y: float) -> Any:
    """Objects that nobody writes to are lists of their fields; what does not vary has no adjoint."""
    row = [Lens(at, power) for at, power in zip(ats, powers, strict=True)]
    slope = before = 0.0
    for lens in row:
        y = y + (lens.at - before) * slope
        slope = slope - y * lens.power
        before = lens.at
    return y * slope


def numbered(u: Any) -> Any:
    """So are tuples in a list."""
    pairs = []
    for k, v in enumerate(u):
        pairs.append((k + 1, v * v))
    total = 0.0
    for k, v in pairs:
        total += v**k
    return total


def subjects(p: Any, doses: Any, t: Any, seen: Any) -> Any:
    """An item that a loop goes through stands in its head; what a pass has is not had again."""
    loss = 0.0
    for k in range(len(seen)):
        fast, slow, share = np.exp(p[k])
        c = np.zeros_like(t)
        for start, amount in doses[k]:
            on = t > start
            c[on] += share * amount * (np.exp(-slow * (t[on] - start)) - np.exp(-fast * t[on]))
        loss += np.sum((c - seen[k]) ** 2)
    return loss


def responses(A: Any, s: Any, n: int, eta: Any) -> Any:
    """Shares that are damped are shares; what is scaled waits for what is added."""
    x = np.full(len(A), 1.0 / len(A))
    for _ in range(n):
        e = np.exp(A @ x)
        x = (1.0 - eta) * x + eta * e / np.sum(e)
    return s @ np.log(x)


def stretched(u: Any, mu: Any) -> Any:
    """Cofactors of three by three are cross products of rows, of singular matrices, too."""
    F = np.eye(3) + u.reshape(3, 3)
    return mu * np.sum(F**2) + mu * np.linalg.det(F) ** 2


def triangles(x: Any, conn: Any) -> Any:
    """Those of two by two are written out."""
    area = 0.0
    for nodes in conn:
        X = x[nodes]
        J = np.array([X[1] - X[0], X[2] - X[0]])
        area += np.abs(np.linalg.det(J)) ** 1.5
    return area


def likely(x: Any, y: Any) -> Any:
    """The logarithm of a determinant needs none."""
    S = np.cov(x.reshape(3, 5)) + np.eye(3)
    return np.log(np.linalg.det(S)) + y @ np.linalg.solve(S, y)


def layers(R: Any, T: Any, below: Any, seen: Any) -> Any:
    """Lists are as long as what fills them, from either end, and of pairs."""
    up, loss = [], []
    for i in reversed(range(len(R))):
        below = R[i] + T[i] * below
        up.append(below)
    for i, (r, t) in enumerate(zip(R, T, strict=True)):
        loss.append(i * r * t)
    return np.sum((np.array(up) - seen) ** 2) + np.sum((np.stack(loss) - seen) ** 2)


def membrane(V: Any, given: Any) -> Any:
    """What a pass makes anew, and writes to, is the state as soon as nothing more is written."""
    loss = 0.0
    for k in range(len(given)):
        V = V - 0.1 * V**3
        V[0] += given[k]
        loss += V[-1] ** 2
    return loss


def filtered(P: Any, m: Any, H: Any, ys: Any) -> Any:
    """What is named for the reverse sweep is computed before what it is saved with changes."""
    loss = 0.0
    for y in ys:
        S = H @ P @ H.T + np.eye(2)
        K = P @ H.T @ np.linalg.inv(S)
        m = 0.9 * m + K @ (y - H @ m)
        P = P - K @ S @ K.T
        loss += m @ m
    return loss


def waves(h: Any, q: Any, c: Any, n: int) -> Any:
    """Parts that are nearly all of an array are saved as a whole beside others."""
    h, q = h.copy(), q.copy()
    for _ in range(n):
        u = q / h
        f = q * u + h
        h[1:-1] -= c * (q[2:] - q[:-2])
        q[1:-1] -= c * (f[2:] - f[:-2])
    return np.sum(h**2) + q @ q


def intensities(a: Any, b: Any, seen: Any) -> Any:
    """The sum of squares of both parts is that of the size: its slope is the conjugate."""
    F = np.fft.fft(a + 1j * b)
    r = np.sqrt(F.real**2 + F.imag**2 + 0.1) - seen
    return r @ r


def clusters(x: Any, sigma: Any) -> Any:
    """The slope of a power of a ratio is had of the power itself."""
    energy = 0.0
    for i in range(len(x)):
        for j in range(i):
            r = np.sqrt(np.sum((x[i] - x[j]) ** 2))
            p = (sigma / r) ** 6
            energy += p**2 - p
    return energy


def cut_off(x: Any, sigma: Any) -> Any:
    """It is not multiplied where a choice leaves it out."""
    d = np.abs(x[:, None] - x)
    with np.errstate(divide="ignore"):
        return np.sum(np.where(d > 0.0, (sigma / d) ** 3.5, 0.0))


LINES = [(0, 1), (1, 2), (3, 0)]
REACTIONS = [([0, 1], [2]), ([2, 2], [3]), ([3], [0, 1])]
DOSES = [[(0.0, 2.0)], [(0.5, 1.0), (1.5, 3.0)]]

ROWS: list[Row] = [
    (
        flows_of_lines,
        (RNG.normal(size=4), RNG.normal(size=3), RNG.normal(size=3), LINES),
        "theta,g,b",
        ["cos_d, sin_d = np.cos(d), np.sin(d)", "p[j] += g[k] - g[k] * cos_d + b[k] * sin_d"],
        ["p_product"],
    ),
    (
        networks,
        (RNG.normal(size=4), RNG.normal(size=3), LINES),
        "T,q",
        ["    for k in reversed(range(len(units))):\n        hot, cold = units[k]\n"],
        ["units[k]["],
    ),
    (
        kinetics,
        (RNG.normal(size=3), RNG.normal(size=4), REACTIONS),
        "k,c",
        ["        reactants, products = reactions[r]\n"],
        ["reactions[r]["],
    ),
    (
        merged,
        ([RNG.normal(size=2), RNG.normal(size=4)], RNG.normal(size=2)),
        "x",
        ["x_bar = out_bar[1::2].copy()"],
        ["_sum_to"],
    ),
    (
        lengths_of_a_path,
        (RNG.normal(size=(5, 2)), [1.0, 2.0, 0.5, 1.5]),
        "p",
        ["p_bar[k + 1] += b_bar", "p_bar[k] -= b_bar"],
        ["gone_through", "b_bar[1:]"],
    ),
    (
        lenses,
        (np.array([0.3, 0.5, 0.2]), [1.0, 1.5, 2.5], 0.7),
        "powers",
        ["row_power_bar[i] += ", "powers_bar[k] = row_power_bar.pop()"],
        ["SimpleNamespace", "row_at_bar"],
    ),
    (
        numbered,
        (RNG.normal(size=3) + 2.0,),
        "u",
        ["k, v = pairs_k[j], pairs_v[j]", "u_bar[k] = 2.0 * v * pairs_v_bar.pop()"],
        ["pairs_k_bar", "[0.0, 0.0]"],
    ),
    (
        subjects,
        (RNG.normal(size=(2, 3)), DOSES, np.array([0.3, 1.0, 2.0]), RNG.normal(size=(2, 3))),
        "p",
        ["for start, amount in doses[k]:", "for start, amount in reversed(doses[k]):"],
        ["gone_through", "slow = parts"],
    ),
    (
        responses,
        (RNG.normal(size=(3, 3)), RNG.normal(size=3), 4, 0.3),
        "A,s",
        ["x_bar = (1.0 - eta) * x_bar + "],
        ["e_bar"],
    ),
    (
        stretched,
        (0.1 * RNG.normal(size=9), 1.1),
        "u,mu",
        ["np.cross(F[[1, 2, 0]], F[[2, 0, 1]])"],
        ["_cofactors"],
    ),
    (
        triangles,
        (RNG.normal(size=(4, 2)), np.array([[0, 1, 2], [1, 3, 2]])),
        "x",
        ["np.array([[J[1, 1], -J[1, 0]], [-J[0, 1], J[0, 0]]])"],
        ["_cofactors"],
    ),
    (
        layers,
        (*RNG.normal(size=(2, 4, 3)), RNG.normal(size=3), RNG.normal(size=(4, 3))),
        "R,T,below",
        ["up_bar = list(2.0 * (np.array(up) - seen))"],
        ["_sum_to"],
    ),
    (
        membrane,
        (RNG.normal(size=4), RNG.normal(size=3)),
        "V",
        ["        V_saved.append(V)\n", "V_bar[-1] += 2.0 * V[-1]"],
        ["V_new", "shares_memory"],
    ),
    (
        filtered,
        (np.eye(3), RNG.normal(size=3), RNG.normal(size=(2, 3)), RNG.normal(size=(3, 2))),
        "P,m",
        ["    saved = []\n"],
        ["P_term_saved"],
    ),
    (
        waves,
        (1.0 + RNG.random(6), RNG.random(6), 0.1, 3),
        "h,q",
        ["h.copy(), ", "q.copy()", "in reversed(saved):"],
        ["1:-1] = "],
    ),
    (
        intensities,
        tuple(RNG.normal(size=(3, 5))),
        "a,b",
        ["np.conj(F)"],
        ["0j", "F_bar * F.real"],
    ),
    (
        clusters,
        (2.0 * RNG.permutation(12).reshape(4, 3) / 3.0, 1.1),
        "x",
        [" * p) / r) / r"],
        ["** 5"],
    ),
    (cut_off, (np.array([0.3, 1.4, 2.0, 4.1]), 1.1), "x", ["np.where("], ["** 2.5", "!= 0.0"]),
    (likely, (RNG.normal(size=15), RNG.normal(size=3)), "x,y", [], ["_cofactors", "np.cross"]),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_it_is_written_as_by_hand(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    names = tuple(wrt.split(","))
    gradient = s2sad.grad(function, names, like=args)
    source = gradient.source
    assert all(line in source for line in lines), source
    assert not any(part in source for part in nowhere), source
    places = [function.__code__.co_varnames.index(name) for name in names]
    given = tuple(args[place] for place in places)
    for made in (standalone(source), s2sad.grad(function, names)):
        found = flatten(tuple(made(*args)), given)
        assert compare(found, differences(function, args, places)) is None
    assert s2sad.check_grad(function, args, names)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_its_second_derivative_is_right(row: Row) -> None:
    function, args, wrt, *_ = row
    names = tuple(wrt.split(","))
    places = [function.__code__.co_varnames.index(name) for name in names]
    dots = [RNG.normal(size=np.shape(args[place])) for place in places]
    moved = [list(args), list(args)]
    for sign, each in zip((1e-5, -1e-5), moved, strict=True):
        for place, dot in zip(places, dots, strict=True):
            each[place] = args[place] + sign * (dot if np.ndim(dot) else float(dot))
    gradient = s2sad.grad(function, names, like=args)
    above, below = (gradient(*each) for each in moved)
    found = s2sad.hvp(function, names, like=args)(
        *args, *(d if np.ndim(d) else float(d) for d in dots)
    )
    for one, high, low in zip(found, above, below, strict=True):
        np.testing.assert_allclose(one, (np.asarray(high) - low) / 2e-5, rtol=1e-5, atol=1e-7)
