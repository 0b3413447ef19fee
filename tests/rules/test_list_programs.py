"""Programs that add up, compare and join what is in lists, against differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad

X = np.array([1.2, 0.7, -0.4])


def sum_of_appended(x):  # type: ignore[no-untyped-def]
    parts = []
    for i in range(len(x)):
        parts.append(x[i] ** 2)
    return sum(parts)


def sum_of_display(x):  # type: ignore[no-untyped-def]
    return sum([x[0] * x[0], x[1], x[0] * x[2]]) + sum((x[1], 2.0))


def sum_of_arrays(x):  # type: ignore[no-untyped-def]
    rows = [x * x, 2.0 * x]
    rows.append(x[0] * x)
    return np.sum(sum(rows) ** 2)


def exact_sum(x):  # type: ignore[no-untyped-def]
    return math.fsum([x[0], x[1] * x[0]])


def array_of_appended(x):  # type: ignore[no-untyped-def]
    parts = []
    for i in range(len(x)):
        parts.append(np.sin(x[i]))
    return np.sum(np.array(parts) ** 2)


def stacked(x):  # type: ignore[no-untyped-def]
    rows = []
    for i in range(3):
        rows.append(x * i)
    return np.sum(np.stack(rows) ** 2)


def concatenated(x):  # type: ignore[no-untyped-def]
    rows = [x, 2.0 * x[:2]]
    return np.sum(np.concatenate(rows) ** 3)


def extremes_of_tuple(x):  # type: ignore[no-untyped-def]
    pair = (x[0], x[1] * 2.0)
    return max(pair) * min(pair)


def extremes_of_array(x):  # type: ignore[no-untyped-def]
    return max(x) * min(x)


def extremes_of_three(x):  # type: ignore[no-untyped-def]
    return max(x[0], x[1], x[2]) - 3.0 * min([x[0], x[1], x[2]])


def list_of_array(x):  # type: ignore[no-untyped-def]
    parts = list(x)
    again = tuple(parts)
    return parts[0] * again[1] + parts[2]


def sum_of_array(x):  # type: ignore[no-untyped-def]
    assert isinstance(x, np.ndarray)
    return sum(x) * sum(x)


def rows_with_names(x):  # type: ignore[no-untyped-def]
    a, b = (x[0], x[1]), [x[1] * 2.0, 3.0]
    return np.sum(np.array([a, b]) ** 2) + np.sum(np.vstack((a, b))[0])


def rows_of_arrays(x):  # type: ignore[no-untyped-def]
    low = 2.0 * x, x - 1.0
    high = x**2, x + 1.0
    totals = (np.array([low, high]) * np.array([[[1.0], [2.0]]])).sum(axis=1)
    return np.sum(totals**2)


PROGRAMS = [
    *(rows_of_arrays, sum_of_display, sum_of_arrays, exact_sum, array_of_appended, stacked),
    *(concatenated, extremes_of_tuple, extremes_of_array, extremes_of_three, list_of_array),
    *(sum_of_array, sum_of_appended, rows_with_names),
]


def differences(f: Callable[[Any], Any], x: Any, dot: Any) -> Any:
    near = f(x + 1e-3 * dot) - f(x - 1e-3 * dot)
    far = f(x + 2e-3 * dot) - f(x - 2e-3 * dot)
    return (8.0 * near - far) / 12e-3


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradient_and_tangent(f: Callable[[Any], Any]) -> None:
    dot = np.array([0.3, -1.1, 0.6])
    expected = differences(f, X, dot)
    gradient = s2sad.grad(f)(X)
    assert gradient.shape == X.shape
    assert np.dot(gradient, dot) == pytest.approx(expected, rel=1e-8)
    value, tangent = s2sad.jvp(f)(X, dot)
    assert value == f(X)
    assert tangent == pytest.approx(expected, rel=1e-8)


def test_rows_that_do_not_vary_stay_lists() -> None:
    def counted(x):  # type: ignore[no-untyped-def]
        a, b = ["p", "q"], ["r"]
        rows = np.array([a, b], dtype=object)
        return x * len(rows[0]) if isinstance(rows[1], list) else x

    assert s2sad.grad(counted)(1.3) == 2.0


def weighted(parts):  # type: ignore[no-untyped-def]
    return parts[0] * parts[1] + sum(parts)


def test_adjoint_of_a_list_is_a_list() -> None:
    assert s2sad.grad(weighted)([1.2, 0.3]) == pytest.approx([1.3, 2.2])
    assert isinstance(s2sad.grad(weighted)([1.2, 0.3]), list)


def test_adjoint_of_a_tuple_is_a_tuple() -> None:
    found = s2sad.grad(weighted)((1.2, 0.3))
    assert isinstance(found, tuple)
    assert found == pytest.approx((1.3, 2.2))
