"""What differed in texts of fields that had not been read before, one row for each kind; rows as in test_second_reading."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.text import test_second_reading as second
from tests.text.test_second_reading import Row

RNG = np.random.default_rng(59)


def products(V: Any, g: Any, b: Any, lines: Any) -> Any:
    """A product of elements of several lines has one adjoint; contributions to elements wait."""
    p, q = np.zeros_like(V), np.zeros_like(V)
    for k, (i, j) in enumerate(lines):
        p[i] += V[i] ** 2 * g[k] - V[i] * V[j] * g[k]
        p[j] += V[j] ** 2 * g[k] - V[i] * V[j] * b[k]
        q[i] += V[i] * V[j] * b[k] - V[i] ** 2 * b[k]
    return np.sum(p**2) + np.sum(q**3)


def waves_in_layers(n: Any, d: Any) -> Any:
    """Parts of a complex number are its attributes."""
    M = np.eye(2, dtype=complex)
    for k in range(len(n)):
        c, s = np.cos(n[k] * d[k]), np.sin(n[k] * d[k])
        M = M @ np.array([[c, 1j * s / n[k]], [1j * n[k] * s, c]])
    return np.abs(M[0, 0] + 1.5 * M[0, 1]) ** 2


def springs(x: Any, rest: Any) -> Any:
    """Choices of positions stand as they are written: they do not vary."""
    energy = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        d = x[i] - x[j]
        energy += (np.sqrt(d @ d) - rest) ** 2
    return energy


def images(x: Any, cell: Any) -> Any:
    energy = 0.0
    for image in itertools.product(range(-1, 2), repeat=2):
        shift = np.array(image) @ cell
        for i in range(len(x)):
            if image != (0, 0):
                energy += np.exp(-np.sum((x[i] + shift) ** 2))
    return energy


def listed_pairs(x: Any, rest: Any) -> Any:
    ij = np.array(list(itertools.combinations(range(len(x)), 2)))
    d = x[ij[:, 0]] - x[ij[:, 1]]
    return np.sum((np.sqrt(np.sum(d**2, axis=1)) - rest) ** 2)


def along_a_path(slow: Any, path: Any, seen: Any) -> Any:
    """What a pass saves are all the numbers that it computes of arrays: positions, weights, lengths."""
    t = 0.0
    for k in range(len(path) - 1):
        mid = 0.5 * (path[k] + path[k + 1])
        i = int(mid[0])
        u = mid[0] - i
        s = (1.0 - u) * slow[i] + u * slow[i + 1] ** 2
        t += s**2 * np.sqrt(np.sum((path[k + 1] - path[k]) ** 2))
    return (t - seen) ** 2


def contracted(tensors: Any, obs: Any) -> Any:
    """What np.einsum takes for one letter is taken for equally long, pass by pass."""
    left = np.ones((1, 1))
    for T in tensors:
        left = np.einsum("ab,aic,ij,bjd->cd", left, T, obs, T)
    return left[0, 0]


def along_lines(lines: Any, tension: Any) -> Any:
    """Slices that leave out as many elements are equally long, whatever their ends."""
    energy = 0.0
    for v in lines:
        e = v[2:] - 2.0 * v[1:-1] + v[:-2]
        energy += tension * np.sum((v[1:] - v[:-1]) ** 2) + np.sum(e**2)
    return energy


def strained(F: Any, mu: Any) -> Any:
    return mu * (np.trace(F.T @ F) - 2.0) + np.trace(F @ F.T) ** 2


PAIRS = [(0, 1), (1, 2), (0, 2)]
ROWS: list[Row] = [
    (
        products,
        (RNG.uniform(1.0, 2.0, 3), RNG.normal(size=3), RNG.normal(size=3), PAIRS),
        "V,g,b",
        ["V_bar[j] += 2.0 * V[j] * (p_bar[j] * g[k]) + V[i] * V_product_bar\n"],
        ["p_product"],
    ),
    (
        waves_in_layers,
        (RNG.uniform(1.0, 2.0, 3), RNG.normal(size=3)),
        "n,d",
        [").imag"],
        ["np.imag(", "np.real("],
    ),
    (
        along_a_path,
        (RNG.uniform(1.0, 2.0, 5), np.cumsum(RNG.uniform(0.4, 0.9, (5, 2)), axis=0), 0.3),
        "slow,seen",
        ["saved.append((i, u, s, t_sqrt))", "for i, u, s, t_sqrt in reversed(saved):"],
        [],
    ),
    (
        contracted,
        ([RNG.normal(size=n) for n in ((1, 2, 3), (3, 2, 2), (2, 2, 1))], np.eye(2) + 0.1),
        "obs",
        ["left_bar = np.einsum(", "left.shape[0] != T.shape[0]"],
        ["_sum_to"],
    ),
    (
        along_lines,
        ([RNG.normal(size=4), RNG.normal(size=6)], 0.3),
        "tension",
        [],
        ['raise ValueError("made for v'],
    ),
    (
        strained,
        (RNG.normal(size=(2, 3)), 0.4),
        "F,mu",
        ["return (2.0 * mu + 4.0 * np.trace(F @ F.T)) * F, "],
        ["np.eye("],
    ),
    (
        springs,
        (RNG.normal(size=(4, 3)), 1.1),
        "x,rest",
        ["for i, j in reversed(list(itertools.combinations(range(len(x)), 2))):\n"],
        ["pool", "rest_0", " = list("],
    ),
    (
        images,
        (RNG.normal(size=(2, 2)), np.eye(2) + 0.1 * RNG.normal(size=(2, 2))),
        "x,cell",
        ["for image in reversed(list(itertools.product(range(-1, 2), repeat=2))):\n"],
        ["pool", "rest_0"],
    ),
    (
        listed_pairs,
        (RNG.normal(size=(4, 3)), 1.1),
        "x,rest",
        ["np.array(list(itertools.combinations(range(len(x)), 2)))"],
        ["list(list("],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_it_is_written_as_by_hand(row: Row) -> None:
    second.test_it_is_written_as_by_hand(row)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_its_second_derivative_is_right(row: Row) -> None:
    second.test_its_second_derivative_is_right(row)


def volume(x: Any) -> Any:
    F = np.array([[x[0], x[1], 0.3], [0.2, x[2], x[0]], [x[1], 0.1, 1.0]])
    return np.linalg.det(F) ** 2


def test_cofactors_are_written_out_before_they_are_differentiated_again() -> None:
    source = s2sad.hvp(volume, "x", like=(np.ones(3),)).source
    assert "np.cross(" in source and "_cofactors" not in source
