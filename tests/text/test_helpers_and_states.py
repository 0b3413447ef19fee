"""Texts of functions with helpers of one long line, states of dataclasses, and named ranges.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(29)
Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]


def laplacian(f: Any, h: Any) -> Any:
    return (
        np.roll(f, 1, 0) + np.roll(f, -1, 0) + np.roll(f, 1, 1) + np.roll(f, -1, 1) - 4.0 * f
    ) / h**2


def phase_field(c: Any, mobility: Any, h: Any) -> Any:
    """A helper whose one line is long stays, and is reversed once."""
    for _ in range(3):
        mu = c**3 - c - 0.5 * laplacian(c, h)
        c = c + mobility * laplacian(mu, h)
    return np.sum(c**2)


def rough(c: Any, h: Any) -> Any:
    """Called once it goes to where it is called."""
    return np.sum(laplacian(c, h) ** 3)


@dataclass
class State:
    warm: Any
    deep: Any


def stepped(s: State, k: Any, force: Any) -> State:
    mixing = k * (s.warm - s.deep)
    return State(s.warm + force - mixing, s.deep + 0.1 * mixing)


def exchanged(s: State, k: Any, force: Any) -> State:
    return State(s.deep * k + force, s.warm * s.deep)


def climate(k: Any, forces: Any) -> Any:
    """What a helper gives goes to the names of the state at once."""
    s = State(0.0, 0.1)
    loss = 0.0
    for force in forces:
        s = stepped(s, k, force)
        loss += (s.warm - 1.0) ** 2
    return loss + s.deep**2


def turned(k: Any, forces: Any) -> Any:
    """Fields that read one another are made before they are handed on."""
    s = State(1.0, 0.5)
    for force in forces:
        s = exchanged(s, k, force)
    return s.warm**2 + s.deep


def both_read(k: Any, forces: Any) -> Any:
    """A state that is read beside the next one keeps its names."""
    s = State(1.0, 0.5)
    loss = 0.0
    for force in forces:
        new = stepped(s, k, force)
        loss += (new.warm - s.warm) ** 2 * new.deep
        s = new
    return loss


def towers(params: Any, users: Any, items: Any) -> Any:
    """Results that have lines of their own need no names."""
    u = np.tanh(users @ params["users_weight"] + params["users_bias"])
    v = np.tanh(items @ params["items_weight"] + params["items_bias"])
    return np.sum(u * v)


def forced(x: Any, p: Any) -> Any:
    """Functions of literals are written again; a divisor that was divided by goes."""
    for _ in range(2):
        x = p * np.log(x / 5.9) / np.log(2.0) + 2.0 * x * np.exp(-0.5)
    return x


def merged(a: Any, b: Any) -> Any:
    """Both shares of a logarithm of a sum are taken of one finite value."""
    y = np.logaddexp(np.sin(a), np.cos(b))
    return np.sum(y**2)


def swept(T: Any, s: Any) -> Any:
    """Loops over ranges with names are loops over ranges."""
    T = T.copy()
    sweep(T, s, range(1, len(T)))
    sweep(T, s, range(len(T) - 2, -1, -1))
    return np.sum(T**2)


def sweep(T: Any, s: Any, rows: Any) -> None:
    for i in rows:
        T[i] = np.sin(T[i - 1]) * T[i] + s[i]


def ranges_of_passes(T: Any, s: Any) -> Any:
    """A range of what each pass makes anew is not that of another pass."""
    total = 0.0
    for k in range(3):
        n = k + 1
        if k < 2:
            rows = range(n)
        for i in rows:
            total = total * s[k] + T[i] ** 2 * s[i]
    return total


def ranges_of_lists(T: Any, s: Any) -> Any:
    """A range of a length that changes is the one that it was."""
    held = [T[0]]
    rows = range(len(held))
    held.append(T[1])
    total = 1.0
    for i in rows:
        total = total * s[i] + held[i] ** 2
    return total + np.sum(T**2) * held[1]


def picked(x: Any, ends: Any, picks: Any) -> Any:
    """Rows that are taken apart beside others are taken apart on one line."""
    loss = 0.0
    for (i, j), pick in zip(ends, picks):  # noqa: B905
        loss += (x[i, j] - pick) ** 3
    return loss


def radiance(T: Any, wave: Any, seen: Any) -> Any:
    """A line that would take many is two, and so is one of a helper that is put in its place."""

    def planck(T: Any) -> Any:
        return 1.19e-5 * wave**3 / (np.exp(1.4388 * wave / T) - 1.0)

    glow = np.zeros_like(wave)
    for k in range(len(T)):
        passed = np.exp(-0.1 * k * wave / 600.0)
        glow = glow * passed + (1.0 - passed) * planck(T[k]) * (1.0 + 0.1 * np.sin(wave / 600.0))
    return np.sum((glow - seen) ** 2)


def overpotential(x: Any, k: Any, c: Any) -> Any:
    """A literal with a minus has none before it."""
    total = 0.0
    for n in range(3):
        s = np.sin(x[n])
        eta = 0.05 * np.arcsinh(c[n] / (2.0 * k * np.sqrt(s * (1.0 - s))))
        total += (4.2 - 1.1 * s - eta) ** 2
    return total


def clipped(H: Any, q: Any) -> Any:
    """What is written to in place, and made anew at the end of a pass, is another array."""
    H = H.copy()
    for _ in range(3):
        H[1:-1] += q * (H[2:] - H[:-2]) * H[1:-1]
        H[0] = H[1]
        H = np.maximum(H, 0.1)
    return np.sum(H**2)


def normed(u: Any, c: Any) -> Any:
    u = u * c
    for k in range(3):
        flux = c * u[1:] * u[:-1]
        for i in range(2):
            u[i] = u[i] + flux[i] * u[i + 1]
        u = u / np.sum(u**2) if k < 2 else u / np.sum(u)
    return np.sum(u[1:] ** 2)


def seen_beside(u: Any, c: Any) -> Any:
    """Who looks at the array by another name sees what is written."""
    u = u * c
    total = 0.0
    for _ in range(3):
        first = u[:2]
        u[0] = u[1] * c
        total = total + first[0] * u[2] ** 2
        u = np.sin(u) * c
    return total + u[0]


def kept_in_a_list(u: Any, c: Any) -> Any:
    u = u * c
    held = [u]
    for _ in range(3):
        held.append(u)
        u[0] = u[1] * c
        u = np.sin(u) * c
    return np.sum(held[0] ** 2) + np.sum(held[2] ** 3)


def integrated(u: Any, h: Any) -> Any:
    """Steps of one length need no places: their weights are ones, and halves at the ends."""
    return np.trapezoid(np.sin(u), dx=h) ** 2


WEIGHTS = {
    "users_weight": RNG.normal(size=(3, 2)),
    "users_bias": RNG.normal(size=2),
    "items_weight": RNG.normal(size=(4, 2)),
    "items_bias": RNG.normal(size=2),
}
ROWS: list[Row] = [
    (
        phase_field,
        (RNG.normal(size=(4, 3)), 0.02, 0.9),
        "c,mobility,h",
        ["laplacian_rev(mu, h, mobility * c_bar)", "def laplacian_rev("],
        [],
    ),
    (rough, (RNG.normal(size=(4, 3)), 0.9), "c,h", [], ["laplacian_rev"]),
    (
        climate,
        (0.3, RNG.random(4)),
        "k,forces",
        ["s_warm = s_warm + force - mixing", "s_deep = s_deep + 0.1 * mixing"],
        ["state_"],
    ),
    (turned, (0.3, RNG.random(4)), "k,forces", [], ["state_"]),
    (both_read, (0.3, RNG.random(4)), "k,forces", [], []),
    (
        towers,
        (WEIGHTS, RNG.normal(size=(5, 3)), RNG.normal(size=(5, 4))),
        "params",
        ['        "users_weight": users.T @ ', '        "users_bias": np.sum('],
        ["users_bias_bar ="],
    ),
    (forced, (3.0, 2.0), "x,p", ["x_term_bar = x_bar / np.log(2.0)", "/ x +"], ["5.9 /"]),
    (
        merged,
        (RNG.normal(size=3), RNG.normal(size=3)),
        "a,b",
        ["y_finite = np.maximum(y, -1e+308)\n", "- y_finite)"],
        [],
    ),
    (
        swept,
        (RNG.random(4), RNG.random(4)),
        "T,s",
        ["for i in range(len(T) - 2, -1, -1):", "for i in reversed(range(1, len(T))):"],
        ["rows"],
    ),
    (ranges_of_passes, (RNG.random(4), RNG.random(4)), "T,s", [], []),
    (ranges_of_lists, (RNG.random(4), RNG.random(4)), "T,s", [], []),
    (
        radiance,
        (np.array([250.0, 260.0, 270.0]), np.linspace(600.0, 800.0, 4), RNG.random(4)),
        "T",
        ["_ratio = 1.19e-05 * wave**3 / (glow_exp - 1.0)", "T_term_bar = "],
        ["bar = (", "glow = (", "        glow = glow * passed + (1.0 - passed) * (\n"],
    ),
    (overpotential, (RNG.random(3) + 0.1, 0.4, RNG.random(3)), "x,k", [], ["--0.05"]),
    (
        clipped,
        (RNG.normal(size=5), 0.3),
        "H,q",
        ["H_bar = 2.0 * H  #", "for H, H_new in reversed(saved):"],
        ["[:] =", "zeros"],
    ),
    (normed, (RNG.random(4) + 0.5, 0.7), "u,c", [], []),
    (seen_beside, (RNG.random(4) + 0.5, 0.7), "u,c", [], []),
    (kept_in_a_list, (RNG.random(4) + 0.5, 0.7), "u,c", [], []),
    (integrated, (RNG.random(4), 0.3), "u,h", ["_even_weights("], ["cumsum", "diff"]),
    (integrated, (RNG.random(1), 0.3), "u,h", [], []),
    (
        picked,
        (RNG.random((3, 3)), [(0, 1), (2, 2)], RNG.random(2)),
        "x",
        ["i, j = ends[k]\n"],
        ["[0]\n"],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_an_expert_would_sign_it(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    asked = tuple(wrt.split(","))
    source = s2sad.grad(function, asked if len(asked) > 1 else wrt, like=args).source
    assert all(line in source for line in lines), source
    assert not any(part in source for part in nowhere), source
    places = [function.__code__.co_varnames.index(name) for name in asked]
    found = standalone(source)(*args)
    found = tuple(found) if len(asked) > 1 else (found,)
    flat = flatten(found, tuple(args[place] for place in places))
    assert compare(flat, differences(function, args, places)) is None


def stretched(u: Any, x: Any, bonds: Any) -> Any:
    energy = 0.0
    for k, (i, j) in enumerate(bonds):
        d = x[j] + u[j] - u[i]
        energy += d @ d * np.sin(u[i]) @ u[j] * k
    return energy


def test_rows_are_taken_apart_as_written_without_examples() -> None:
    source = s2sad.grad(stretched, "u").source
    assert "for k, (i, j) in enumerate(bonds):\n" in source and "i, j = bonds[k]\n" in source
    assert "parts" not in source
    args = (RNG.normal(size=(3, 2)), RNG.normal(size=(3, 2)), [(0, 1), (1, 2)])
    found = flatten(standalone(source)(*args), args[0])
    assert compare(found, differences(stretched, args, (0,))) is None
    with pytest.raises(ValueError, match=r"made for .* bonds \(k, 2\)"):
        standalone(source)(*args[:2], [(0, 1, 2)])


def test_whole_numbers_are_weighted_by_steps_of_one_length() -> None:
    def area(u: Any, h: Any) -> Any:
        return np.trapezoid(u, dx=h) ** 2

    assert s2sad.grad(area, "h")(np.arange(4), 0.3) == pytest.approx(2.0 * 0.3 * 4.5**2)
