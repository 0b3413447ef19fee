"""What has no name in the user's function has none in the text, or the one that it gets there; sums of lists have its shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone
from tests.text.test_nothing_superfluous import has

RNG = np.random.default_rng(31)
LINE = RNG.normal(size=6) + 2.0


def shifted(v: Any) -> Any:
    a, b, c = (np.roll(v, k) for k in (2, 1, 0))
    return a * b**2 * c**3


def of_shifted(v: Any) -> Any:
    a, b, c = (np.roll(v, k) for k in (2, 1, 0))
    return np.sum(a * b**2 * c**3)


def of_mapped(v: Any) -> Any:
    a, b = map(np.sin, (v, v**2))
    return np.sum(a * b**2)


def of_listed(v: Any) -> Any:
    a, b = [np.sin(k * v) for k in (2, 1)]
    return np.sum(a * b**2)


def of_two_calls(v: Any) -> Any:
    return np.sum(shifted(v) * shifted(2.0 * v))


def of_neighbours(H: Any, near: Any) -> Any:
    out = []
    for i in range(H.shape[0]):
        out.append(H[i] * sum((H[j] for j in near[i]), start=np.zeros(H.shape[1])))
    return np.sum(np.sin(np.array(out)))


def means(v: Any, n: Any) -> Any:
    return sum([v * v[k] for k in range(n)])


def of_sums(v: Any, n: Any) -> Any:
    return np.sum(sum([v * v[k] for k in range(n)]) / v)


def of_sums_of_calls(v: Any, n: Any) -> Any:
    for _ in range(2):
        v = v + 0.1 * means(v, n)
        v = v - 0.05 * means(v, n)
    return np.sum(v**2)


def of_turned_sums(v: Any, n: Any) -> Any:
    return np.sum(np.roll((0.0 + means(v[::-1], n) + means(v, n))[::-1], -1) / v)


def with_a_number(v: Any, c: Any) -> Any:
    shift = c + sum([v * v[k] for k in range(int(v[0] > 9.0))])
    return np.sum(shift * v)


ROWS = [
    (of_shifted, (LINE,), ["a, b, c = np.roll(v, 2), np.roll(v, 1), np.roll(v, 0)\n"], ["item"]),
    (of_mapped, (LINE,), ["a, b = np.sin(v), np.sin(v_squared)\n"], ["item"]),
    (of_listed, (LINE,), ["a, b = np.sin(2 * v), np.sin(1 * v)\n"], ["item"]),
    (of_two_calls, (LINE,), [], ["item", "a, b, c = a, b, c"]),
    (
        of_neighbours,
        (RNG.normal(size=(3, 2)), [[1, 2], [0], [0, 1]]),
        ["total = total + H[j]\n", "total = np.zeros(H.shape[1])\n"],
        ["start = ", "item = "],
    ),
    (of_sums, (LINE, 2), [], ["_sum_to"]),
    (of_sums_of_calls, (LINE, 2), [], ["_sum_to"]),
    (of_turned_sums, (LINE, 2), [], ["_sum_to"]),
    (with_a_number, (LINE, 0.3), [], []),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_text_and_numbers(row: Any) -> None:
    function, args, lines, nowhere = row
    derivative = s2sad.grad(function, like=args)
    has(derivative.source, lines, nowhere)
    flat = flatten((standalone(derivative.source)(*args),), (args[0],))
    assert compare(flat, differences(function, args, [0])) is None


@pytest.mark.parametrize("function", [of_sums, of_sums_of_calls])
def test_a_list_without_items(function: Any) -> None:
    made = standalone(s2sad.grad(function, like=(LINE, 2)).source)
    flat = flatten((made(LINE, 0),), (LINE,))
    assert compare(flat, differences(function, (LINE, 0), [0])) is None


def test_a_number_that_a_sum_without_items_is_added_to() -> None:
    made = standalone(s2sad.grad(with_a_number, "c", like=(LINE, 0.3)).source)
    assert made(LINE, 0.3) == pytest.approx(np.sum(LINE), rel=1e-12)
