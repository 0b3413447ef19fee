"""Lines that an expert would sign: of functions from many fields, beside what he would not write.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(23)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]


def lengths_of_bars(x: Any, area: Any, bars: Any) -> Any:
    """The head of the loop stays as it was written, and is so when the sweep goes back."""
    weight = 0.0
    for (i, j), A in zip(bars, area, strict=True):
        d = x[j] - x[i]
        weight += A**2 * np.sqrt(d @ d)
    return weight


def variation(real: Any, imag: Any) -> Any:
    """Differences of complex rows are pulled back by differences, too."""
    z = real + 1j * imag
    return np.sum(np.abs(np.diff(z, axis=0)) ** 2) + np.sum(np.abs(np.diff(z)) ** 2)


def roughness(u: Any) -> Any:
    return np.sum(np.diff(u) ** 3)


def momentum(f: Any, c: Any, k: Any) -> Any:
    """Products of a vector with all that a stack holds, and of stacks over their last axes."""
    return np.sum(np.tensordot(c, f, axes=1) ** 2) + np.sum(np.tensordot(f, k, axes=2) ** 3)


def paired(a: Any, b: Any) -> Any:
    """Arrays that have one shape in the examples: nothing is summed."""
    x, y = np.broadcast_arrays(a, b)
    return np.sum(x * y**2) + np.sum(np.tensordot(a, b, 1) * 2.0)


def streamed(f: Any, omega: Any) -> Any:
    """Of a lattice gas: arrays that a loop makes of themselves hide nothing, and shapes are known."""
    f = f.copy()
    for _ in range(2):
        for i in range(3):
            f[i] = np.roll(f[i], i)
        rho = np.sum(f, axis=0)
        u = np.tensordot(COURSES, f, axes=1) / rho
        feq = np.zeros((3,) + rho.shape)  # noqa: RUF005
        for i in range(3):
            feq[i] = rho * (1.0 + COURSES[i] * u)
        f += omega * (feq - f)
    return np.sum(np.tensordot(COURSES, f, axes=1) ** 2)


def waves(u: Any, v: Any, c: Any) -> Any:
    """Walls that are set at one time, and two arrays that are put back together."""
    u, v = u.copy(), v.copy()
    for _ in range(3):
        p = u * v**2
        u[1:-1] -= c * (p[2:] - p[:-2])
        v[1:-1] -= c * (u[2:] * p[2:] - u[:-2] * p[:-2])
        u[0], u[-1] = u[1], -u[-2]
        v[0], v[-1] = 2.0 * v[1] - v[2], v[-2]
    return np.sum(u**2) + np.sum(v**3)


def walls(u: Any, c: Any) -> Any:
    u = u.copy()
    for _ in range(2):
        u[1:-1, 1:-1] = c * u[:-2, 1:-1] + u[2:, 1:-1] * u[1:-1, :-2]
        u[0, :], u[-1, :] = u[1, :], u[-2, :]
        u[:, 0], u[:, -1] = 2.0 * u[:, 1], u[:, -2]
    return np.sum(u**3)


def exchanged(x: Any, v: Any, c: Any) -> Any:
    """What is exchanged is read before it is stored to."""
    x, v = x.copy(), v.copy()
    x[0], x[1] = x[1], c * x[0]
    x[2], v[0] = v[0] ** 2, x[2] * v[1]
    x[-1], x[1] = x[1], x[-1]
    return np.sum(x**3) + np.sum(v**2)


def stiffness(nodes: Any, bars: Any, a: Any) -> Any:
    """Slices of two elements, with names and without, are so long where what they get has two."""
    K = np.zeros((nodes.size, nodes.size))
    for i, j in bars:
        d = nodes[j] - nodes[i]
        k = a * np.outer(d, d)
        at = slice(2 * i, 2 * i + 2)
        K[at, at] += k
        K[2 * j : 2 * (j + 1), 2 * j : 2 * j + 2] += k
        K[at, 2 * j : 2 * j + 2] = -k
    return np.sum(K**2)


def looked_through(obj: Any, probe: Any, corners: Any, seen: Any) -> Any:
    """Windows of an image are as large as what they are seen through: that is asked in the pass."""
    m = len(probe)
    loss = 0.0
    for (row, col), each in zip(corners, seen, strict=True):
        wave = probe * obj[row : row + m, col : col + m]
        loss += np.sum((np.sin(wave) - each) ** 2)
    return loss


def stepped(u: Any, c: Any) -> Any:
    """What is copied and then stored to in all its elements has an adjoint of zeros, which is not added."""
    for _ in range(2):
        v = u.copy()
        v[1:-1] = c * u[:-2] * u[1:-1] + u[2:]
        v[0] = 2.0 * c
        v[-1] = 0.0
        u = v
    return np.sum(u**2)


def stepped_in_part(u: Any, c: Any) -> Any:
    for _ in range(2):
        v = u.copy()
        v[1:-1] = c * u[:-2] * u[1:-1] + u[2:]
        v[0] = 2.0 * c
        u = v
    return np.sum(u**2)


def stepped_plane(u: Any, c: Any) -> Any:
    for _ in range(2):
        v = u.copy()
        v[1:-1, 1:-1] = c * u[:-2, 1:-1] * u[1:-1, 2:]
        v[0], v[-1] = 1.0, 2.0
        v[:, 0] = 3.0 * c
        v[:, -1] = 0.0
        u = v
    return np.sum(u**2)


def coupled(u: Any, v: Any, c: Any) -> Any:
    """Blocks of a matrix are cut at the user's own name for their length."""
    n = len(u)
    J = np.block([[np.diag(u) * c, np.diag(v**2)], [np.diag(u * v), c * np.eye(n)]])
    F = np.concatenate([u - c * v, v + c * u * v])
    return np.sum(np.linalg.solve(J, F) ** 2)


def newton_steps(u: Any, v: Any, c: Any) -> Any:
    """A matrix of blocks costs many calls: it is saved, not put together again."""
    n = len(u)
    for _ in range(3):
        F = np.concatenate([u**2 + c * v - 1.0, u - v**3])
        J = np.block([[2.0 * np.diag(u), c * np.eye(n)], [np.eye(n), -3.0 * np.diag(v**2)]])
        step = np.linalg.solve(J, F)
        u, v = u - step[:n], v - step[n:]
    return np.sum(u * v)


def scaled_rows(theta: Any, X: Any, y: Any) -> Any:
    """Parameters that are taken from both ends of a vector are joined."""
    lengths = np.exp(theta[:-2])
    s2, noise = np.exp(theta[-2]), np.exp(theta[-1])
    Z = X / lengths
    K = s2 * (1.0 + Z @ Z.T) ** 2 + noise * np.eye(len(X))
    return y @ np.linalg.solve(K, y)


def balanced(x: Any, y: Any, a: Any, b: Any, eps: Any) -> Any:
    """Exponentials are saved in place of what they are computed of, and called alike in both sweeps."""
    C = (x[:, None] - y[None, :]) ** 2
    f, g = np.zeros(len(x)), np.zeros(len(y))
    for _ in range(3):
        S = (g[None, :] - C) / eps
        top = np.max(S, axis=1)
        f = -eps * (top + np.log(np.sum(b * np.exp(S - top[:, None]), axis=1)))
        S = (f[:, None] - C) / eps
        top = np.max(S, axis=0)
        g = -eps * (top + np.log(np.sum(a[:, None] * np.exp(S - top), axis=0)))
    return f @ a + g @ b


CORNERS = np.array([[0, 0], [1, 2], [2, 1]])
COURSES = np.array([0, 1, -1])
BARS = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
ROWS: list[Row] = [
    (
        lengths_of_bars,
        (RNG.random((4, 2)), RNG.random(4) + 0.5, BARS),
        "x",
        ["for (i, j), A in zip(reversed(bars), reversed(area)):"],
        ["parts"],
    ),
    (
        variation,
        (RNG.normal(size=(4, 3)), RNG.normal(size=(4, 3))),
        "real,imag",
        ["axis=0, prepend=0.0, append=0.0)", ", prepend=0.0, append=0.0)"],
        ["def _"],
    ),
    (roughness, (RNG.normal(size=5),), "u", ["prepend=0.0, append=0.0)"], ["np.pad", ": u.size]"]),
    (
        momentum,
        (RNG.normal(size=(4, 3, 2)), RNG.normal(size=4), RNG.normal(size=(3, 2, 2))),
        "c,k",
        ["f, axes=([0, 1], [1, 2]))", "** 2, axes=(0, 0))"],
        ["def _", "np.ndim"],
    ),
    (paired, (RNG.random(3), RNG.random(3)), "a,b", [], ["_sum_to"]),
    (
        streamed,
        (RNG.random((3, 4)) + 0.5, 0.7),
        "f,omega",
        ["feq_bar = omega * f_bar"],
        ["!= 0.0", "def _", "f_saved", 'ValueError("made for feq'],
    ),
    (
        waves,
        (RNG.random(5), RNG.random(5), 0.1),
        "u,v,c",
        [
            "u[0], u[-1] = u[1], -u[-2]\n",
            "v[0], v[-1] = 2.0 * v[1] - v[2], v[-2]\n",
            "n >= 3",
        ],
        ["part = ", "value = ", "v[:] ="],
    ),
    (
        walls,
        (RNG.random((5, 4)), 0.3),
        "u,c",
        [
            "u[0, :], u[-1, :] = u[1, :], u[-2, :]\n",
            "u[:, 0], u[:, -1] = 2.0 * u[:, 1], u[:, -2]\n",
        ],
        ["part = ", "value = ", "u[:] ="],
    ),
    (
        stiffness,
        (RNG.random((4, 2)), BARS, 0.3),
        "nodes,a",
        ["k_bar += K_bar[2 * j : 2 * (j + 1), 2 * j : 2 * j + 2]"],
        ["_sum_to"],
    ),
    (
        looked_through,
        (RNG.random((5, 6)), RNG.random((3, 3)), CORNERS, RNG.random((3, 3, 3))),
        "obj,probe",
        [
            "for (row, col), each in zip(",
            "if probe.shape != obj[row : row + m, col : col + m].shape:",
            "seen.shape[1] != probe.shape[0]",
        ],
        ["_sum_to", "_saved"],
    ),
    (
        balanced,
        (RNG.random(3), RNG.random(4), np.full(3, 1.0 / 3.0), np.full(4, 0.25), 0.5),
        "x,y",
        ["saved.append((f_exp, f_sum, g_exp, g_sum))", "for f_exp, f_sum, g_exp, g_sum in rev"],
        ["S_new", "S = S"],
    ),
    (stepped, (RNG.random(5), 0.3), "u,c", [], ["u_bar += v_bar", "1:-1] = 0.0"]),
    (stepped_in_part, (RNG.random(5), 0.3), "u,c", ["u_bar += "], []),
    (stepped_plane, (RNG.random((5, 4)), 0.3), "u,c", [], ["u_bar += v_bar", "1:-1] = 0.0"]),
    (
        coupled,
        (RNG.random(3) + 1.0, RNG.random(3), 1.3),
        "u,v,c",
        ["J_bar[:n, n:]", "result_back[n:]"],
        ["len(u)]", ".shape(", "len(J"],
    ),
    (
        newton_steps,
        (RNG.random(3) + 1.0, RNG.random(3) + 1.0, 0.3),
        "u,v,c",
        ["saved.append((J, step, u, v))"],
        [],
    ),
    (
        scaled_rows,
        (RNG.random(5), RNG.random((4, 3)), RNG.random(4)),
        "theta,X",
        ["np.hstack("],
        ["theta_bar["],
    ),
    (exchanged, (RNG.random(4), RNG.random(3), 0.3), "x,v,c", [], []),
    (exchanged, (RNG.random(3), RNG.random(3), 0.3), "x,v,c", [], []),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_an_expert_would_sign_it(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    gradient = s2sad.grad(function, tuple(wrt.split(",")), like=args)
    source = gradient.source
    assert all(line in source for line in lines), source
    assert not any(part in source for part in nowhere), source
    places = [function.__code__.co_varnames.index(name) for name in wrt.split(",")]
    flat = flatten(tuple(standalone(source)(*args)), tuple(args[place] for place in places))
    assert compare(flat, differences(function, args, places)) is None


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (3, 1), (3, 0)])
def test_differences_of_nothing_have_an_adjoint_of_the_same_shape(shape: tuple[int, int]) -> None:
    def rough(u: Any) -> Any:
        return np.sum(np.diff(u, axis=0) ** 2) + np.sum(np.diff(u) ** 2)

    assert s2sad.grad(rough)(np.ones(shape)).shape == shape
