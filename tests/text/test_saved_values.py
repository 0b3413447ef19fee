"""What passes save, and take apart again, in loops over rows: as an expert would.

Each row: a function, its arguments, lines that the gradient has, and what it has nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten

RNG = np.random.default_rng(37)
Row = tuple[Callable[..., Any], tuple[Any, ...], list[str], list[str]]


def peaks(p: Any, x: Any) -> Any:
    """The exponential is saved, though no pass saves anything else."""
    total = np.zeros(len(x))
    for centre, width, height, tilt in p:
        z = (x - centre) / width
        total = total + height * np.exp(-(z**2)) + tilt
    return np.sum(total**2)


def doses(rates: Any, t: Any, when: Any, seen: Any) -> Any:
    """What an inner loop computes for a value that is saved is computed anyway."""
    loss = 0.0
    for k in range(len(rates)):
        level = np.zeros(len(t))
        for start in when:
            level += np.exp(-rates[k] * np.abs(t - start))
        loss += np.sum((level - seen) ** 2)
    return loss


def linear(p: Any, x: Any) -> Any:
    """What is cheap is computed again, and the row is taken apart in both sweeps."""
    total = np.zeros(len(x))
    for slope, offset, weight in p:
        total = total + weight * (slope * x + offset) ** 2
    return np.sum(total**2)


def pooled(W: Any, h: Any, source: Any, target: Any) -> Any:
    """What np.add.at adds is as long as the part that it goes to."""
    for _ in range(2):
        message = np.tanh(h[source] @ W)
        sums = np.zeros_like(h)
        np.add.at(sums, target, message)
        h = h + sums
    return np.sum(h**2)


def anomalies(p: Any, t: Any) -> Any:
    """What a statement computes of a name that it binds anew is computed once."""
    total = 0.0
    for shift, e, scale in p:
        E = t - shift
        for _ in range(3):
            E = E - (E - e * np.sin(E) - t) / (1.0 - e * np.cos(E))
        total = total + scale * np.sum(E**2)
    return total


@dataclass
class Patient:
    when: Any
    amount: Any


def dosed(rate: Any, patients: list[Patient], t: Any) -> Any:
    """Fields that a loop goes through have no names beside."""
    loss = 0.0
    for patient in patients:
        level = np.zeros(len(t))
        for start, amount in zip(patient.when, patient.amount):  # noqa: B905
            level += amount * np.exp(-rate * np.abs(t - start))
        loss += np.sum(level**2)
    return loss


def plume(q: Any, winds: Any, seen: Any) -> Any:
    """What a loop goes through is there, beside an exponential that is saved."""
    total = np.zeros(len(seen))
    for speed, spread in winds:
        total += np.exp(-q / (speed * spread)) ** 2 / speed
    return np.sum((total - seen) ** 2)


def turned(bias: Any, rates: Any) -> Any:
    """What is taken apart whole is saved whole."""
    q = np.array([1.0, 0.0])
    for rate in rates:
        dq = np.array([np.cos(rate - bias), np.sin(rate - bias)])
        dq = dq / np.linalg.norm(dq + 0.1)
        a, b = q
        c, d = dq
        q = np.array([a * c - b * d, a * d + b * c])
    return q[0] ** 2 + 2.0 * q[1]


def begun(x: Any, n: Any) -> Any:
    """What only the line before a loop needs is saved once."""
    y = np.sin(x)
    size = np.sum(y**3)
    for k in range(n):
        y = y + np.cos(0.1 * k) * x
    return size * np.sum(y)


def begun_in_passes(x: Any, counts: Any) -> Any:
    total = 0.0
    for count in counts:
        p = np.exp(-x * count)
        w = p * p
        for k in range(1, 4):
            w = w * x / k
            p += w * np.exp(-k * x)
        total += np.log(p)
    return total


def stepped(h: Any, steps: Any) -> Any:
    """An array that a pass makes, and writes to at once, is no array of the pass before."""
    level = h.copy()
    for _ in range(steps):
        flow = level**2
        new = []
        for q in (level, flow):
            moved = 0.5 * (np.roll(q, 1) + np.roll(q, -1))
            moved -= 0.1 * np.roll(flow, 1)
            new.append(moved)
        level = new[0] + 0.1 * new[1]
    return np.sum(level**2)


def heated(alpha: Any, T: Any) -> Any:
    """What a pass computes from, it does not write to: the new array is another one."""
    for _ in range(3):
        new = T.copy()
        for i in range(1, len(T) - 1):
            new[i] = T[i] + alpha[i] * (T[i + 1] - 2.0 * T[i] + T[i - 1]) ** 2
        new[0] = new[1]
        T = new
    return np.sum(T**2)


def ice(H: Any, bed: Any, seen: Any) -> Any:
    """What a pass begins with is saved, not each of two arrays that are computed of it."""
    for _ in range(3):
        slope = np.diff(bed + H)
        middle = 0.5 * (H[1:] + H[:-1])
        change = np.zeros_like(H)
        change[1:-1] = -np.diff(-(middle**5) * slope**3)
        H = np.maximum(H + 0.1 * change, 0.0)
    return np.sum((bed + H - seen) ** 2)


def fitted(theta: Any, groups: Any) -> Any:
    """A pass forward that computes but what its reverse reads is no loop of its own."""
    top, rate, noise = theta
    total = 0.0
    for group in groups:
        mu = top / (1.0 + np.exp(rate) / group["x"])
        total += np.sum((group["y"] - mu) ** 2) / (np.exp(2 * noise) * group["weight"])
    return total


def recorded(c: Any, source: Any, at: Any, seen: Any) -> Any:
    """What is added at positions is multiplied by no one."""
    loss = 0.0
    u = np.zeros_like(c)
    for t in range(len(source)):
        after = np.zeros_like(c)
        after[1:] = c[1:] * u[:-1] + source[t]
        loss += 0.5 * np.sum((after[at, 2] - seen[t]) ** 2)
        u = after
    return loss


GROUPS = [{"x": RNG.random(4) + 0.1, "y": RNG.random(4), "weight": 1.0 + k} for k in range(3)]
PATIENTS = [Patient(RNG.standard_normal(3), RNG.standard_normal(3)) for _ in range(2)]
ROWS: list[Row] = [
    (heated, (RNG.random(5), RNG.random(5)), ["T_saved"], ["new_saved", "new[0] = new_"]),
    (
        ice,
        (1.0 + RNG.random(6), np.zeros(6), np.ones(6)),
        [
            "saved.append((H_term, H))",
            "change_term_bar = np.diff(",
            "middle = 0.5 * (H[1:] + H[:-1])",
        ],
        ["middle))"],
    ),
    (
        recorded,
        (RNG.random((5, 4)), RNG.random(3), np.array([1, 3]), RNG.random((3, 2))),
        ["np.add.at(after_bar, (at, 2), loss_term)"],
        ["loss_bar"],
    ),
    (fitted, (np.array([1.0, 0.3, -0.2]), GROUPS), ["for group in reversed(groups):"], ["range("]),
    (
        plume,
        (RNG.random(4), [(1.0, 2.0), (2.0, 0.5)], RNG.random(4)),
        ["for speed, spread in reversed(winds):", "total_exp = total_exp_saved.pop()"],
        ["saved.append(("],
    ),
    (turned, (0.3, RNG.random(4)), ["        c, d = dq_new\n        # "], ["c_saved", ", c, d, "]),
    (begun, (RNG.random(3), 4), ["    y_old = y\n    for k", "    y = y_old\n"], [".append("]),
    (begun_in_passes, (0.4, RNG.random(3)), ["        p_old = p\n", "p = p_old\n"], ["p_saved"]),
    (stepped, (RNG.random(4), 3), ["in reversed(range(2)):"], ["moved.copy()", "moved[...]"]),
    (
        dosed,
        (0.4, PATIENTS, RNG.standard_normal(4)),
        [
            "for start, amount in zip(patient.when, patient.amount):",
            "for start, amount in zip(reversed(patient.when), reversed(patient.amount)):",
        ],
        ["gone_through"],
    ),
    (
        anomalies,
        (np.array([[0.1, 0.2, 1.0], [0.3, 0.1, 0.5]]), RNG.standard_normal(4)),
        ["shift, e, scale = p[k]"],
        ["np.sin(E), np.cos(E)\n            # "],
    ),
    (
        peaks,
        (RNG.standard_normal((3, 4)) + 2.0, RNG.standard_normal(5)),
        ["for centre, width, height, tilt in p:", "total_exp = total_exp_saved.pop()"],
        ["parts_bar ="],
    ),
    (
        doses,
        (np.array([0.3, 0.5]), RNG.standard_normal(5), np.array([0.2, 1.4]), np.ones(5)),
        ["_saved.pop()"],
        [],
    ),
    (
        linear,
        (RNG.standard_normal((3, 3)), RNG.standard_normal(4)),
        ["for slope, offset, weight in p:", "slope, offset, weight = p[k]", "p_bar[k] = "],
        [".append("],
    ),
    (
        pooled,
        (
            0.5 * RNG.standard_normal((2, 2)),
            RNG.standard_normal((3, 2)),
            np.array([0, 1, 2, 2]),
            np.array([1, 1, 0, 2]),
        ),
        ["np.add.at(sums, target, message)"],
        ["_sum_to"],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_is_what_an_expert_would_save(row: Row) -> None:
    function, args, lines, nowhere = row
    derivative = s2sad.grad(function, function.__code__.co_varnames[0], like=args)
    text = derivative.source
    for line in lines:
        assert line in text, text
    for line in nowhere:
        assert line not in text, text
    got = flatten(derivative(*args), args[0])
    assert compare(got, differences(function, args, (0,))) is None


@pytest.mark.parametrize(
    ("function", "args"),
    [row[:2] for row in ROWS if row[0] in (anomalies, peaks, doses)],
    ids=lambda each: "",
)
def test_second_derivatives_compute_nothing_at_length_again(function: Any, args: Any) -> None:
    """What would be computed again with its tangent is saved with it."""
    p = args[0]
    derivative = s2sad.hvp(function, function.__code__.co_varnames[0], like=args)
    gradient = s2sad.grad(function, function.__code__.co_varnames[0], like=args)
    direction = RNG.standard_normal(p.shape)
    ahead, behind = (gradient(p + h * direction, *args[1:]) for h in (1e-5, -1e-5))
    got = derivative(*args, direction)
    np.testing.assert_allclose(got, (ahead - behind) / 2e-5, rtol=1e-6, atol=1e-7)
    lines = derivative.source.splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    assert all(text.count(word) <= 1 for word in ("np.exp(", "np.sin(E)", "np.cos(E)")), text
    assert ".append(level - seen)" not in text


def layered(p: Any, x: Any, y: Any, z: Any) -> Any:
    for w in p["layers"]:
        x = np.tanh(w @ x)
    return np.sum(x * p["scale_of_all_that_comes_out"] * y * z)


def test_a_dict_with_a_list_in_it_is_not_asked_to_hold_arrays_alone() -> None:
    p = {
        "layers": [RNG.standard_normal((3, 3)) for _ in range(2)],
        "scale_of_all_that_comes_out": RNG.standard_normal(3),
    }
    args = (p, *RNG.standard_normal((3, 3)))
    derivative = s2sad.grad(layered, like=args)
    assert "p.values()" not in derivative.source
    assert derivative(*args)["layers"][0].shape == (3, 3)
