"""What differed in texts of fields that had not been read before, one row for each kind; rows as in test_second_reading."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

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
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_it_is_written_as_by_hand(row: Row) -> None:
    second.test_it_is_written_as_by_hand(row)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_its_second_derivative_is_right(row: Row) -> None:
    second.test_its_second_derivative_is_right(row)
