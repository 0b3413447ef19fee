"""What belongs to the module is not silently changed: under its own name, another, or in a loop."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import AliasError, Unsupported

ARRAY = np.ones(3)
COUNTS = [1.0, 2.0, 3.0, 4.0]
TABLE = {"a": 1.0, "w": np.ones(3)}
MATRIX = np.ones((3, 3))
ROWS = [[1.0, 2.0], [3.0, 4.0]]
NUMBERS = itertools.count(3)
SCALE = 2.0
U = np.array([0.7, 0.31, 0.42])


def raises_by_one(v):
    v += 1.0


def array_sum(u):
    return np.sum(ARRAY * u)


# ---------------------------------------------------------------- in a loop


def count_in_loop(u):
    for v in u:
        COUNTS[0] += v
    return COUNTS[0] * u[0]


def element_in_loop(u):
    total = 0.0
    for v in u:
        ARRAY[0] = v
        total += v * ARRAY[0]
    return total


def appended_in_loop(u):
    total = 0.0
    for v in u:
        COUNTS.append(2.0)
        total += v * len(COUNTS)
    return total


def popped_in_loop(u):
    total = 0.0
    for v in u:
        total += v * COUNTS.pop() if COUNTS else 1.0
    return total


def counted_in_loop(u):
    total = 0.0
    for v in u:
        total += v * next(NUMBERS)
    return total


def updated_in_loop(u):
    total = 0.0
    for v in u:
        TABLE.update(a=4.0)
        total += v * TABLE["a"]
    return total


def out_in_loop(u):
    total = 0.0
    for v in u:
        np.add(ARRAY, 1.0, out=ARRAY)
        total += v * ARRAY[0]
    return total


def in_while(u):
    i = 0
    while i < 2:
        u = u * COUNTS[0]
        COUNTS[0] = COUNTS[0] + 1.0
        i += 1
    return np.sum(u)


def target_of_loop(u):
    for ARRAY[0] in (1.0, 2.0):
        u = u * ARRAY[0]
    return np.sum(u)


# ---------------------------------------------------------------- under another name


def second_name(u):
    b = ARRAY
    b += 1.0
    return np.sum(u * ARRAY)


def not_read_again(u):
    b = ARRAY
    b += u
    return np.sum(b * u)


def second_name_in_loop(u):
    for _ in range(2):
        b = ARRAY[:2]
        b += 3.0
        u = u * ARRAY
    return np.sum(u)


def reshaped(u):
    b = ARRAY.reshape(-1)
    b[0] = 4.0
    return np.sum(u * ARRAY)


def entry(u):
    b = TABLE["w"]
    b *= 2.0
    return np.sum(u * TABLE["w"])


def entry_of_a_copy(u):
    d = TABLE.copy()
    d["w"][0] = 7.0
    return np.sum(u * TABLE["w"])


def entry_of_a_dict(u):
    d = dict(TABLE)
    d["w"] += 1.0
    return np.sum(u * TABLE["w"])


def entry_of_copy_copy(u):
    d = copy.copy(TABLE)
    d["w"] += 1.0
    return np.sum(u * TABLE["w"])


def longer_list(u):
    b = COUNTS
    b.append(1.0)
    return np.sum(u) * len(COUNTS)


def sorted_list(u):
    b = COUNTS
    b.sort(reverse=True)
    return np.sum(u) * COUNTS[0]


def in_a_display(u):
    pair = [ARRAY, u]
    pair[0] += 1.0
    return np.sum(u * ARRAY)


def gone_through(u):
    for b in (ARRAY, ARRAY):
        b += 1.0
    return np.sum(u * ARRAY)


def given_to_a_helper(u):
    raises_by_one(ARRAY)
    return np.sum(u * ARRAY)


def read_by_a_helper(u):
    b = ARRAY
    b += 1.0
    return array_sum(u)


def one_of_two(u):
    b = ARRAY if u[0] > 0.0 else u
    b[0] = 4.0
    return np.sum(u * ARRAY)


def array_of_the_module():
    return ARRAY


def given_by_a_helper(u):
    b = array_of_the_module()
    b += 1.0
    return np.sum(u * ARRAY)


def row_in_a_display(u):
    rows = [row for row in MATRIX]  # noqa: C416
    rows[0][:] = 3.0
    return np.sum(MATRIX @ u)


def list_that_is_starred(u):
    rows = [*ROWS]
    rows[0][0] = 9.0
    return np.sum(u) * ROWS[0][0]


def list_that_is_joined(u):
    rows = ROWS + ROWS
    rows[0][0] = 9.0
    return np.sum(u) * ROWS[0][0]


def dict_that_is_starred(u):
    d = {**TABLE}
    w = d["w"]
    w[1] = u[0]
    return np.sum(u * TABLE["w"])


IN_LOOPS = (
    count_in_loop,
    element_in_loop,
    appended_in_loop,
    popped_in_loop,
    counted_in_loop,
    updated_in_loop,
    out_in_loop,
    in_while,
    target_of_loop,
)
UNDER_ANOTHER_NAME = (
    second_name,
    not_read_again,
    second_name_in_loop,
    reshaped,
    entry,
    entry_of_a_copy,
    entry_of_a_dict,
    entry_of_copy_copy,
    longer_list,
    sorted_list,
    in_a_display,
    gone_through,
    given_to_a_helper,
    read_by_a_helper,
    one_of_two,
    given_by_a_helper,
    row_in_a_display,
    list_that_is_starred,
    list_that_is_joined,
    dict_that_is_starred,
)


@pytest.mark.parametrize("function", [*IN_LOOPS, *UNDER_ANOTHER_NAME])
def test_what_belongs_to_the_module_is_not_changed(function: Callable[..., Any]) -> None:
    held = copy.deepcopy((ARRAY, COUNTS, TABLE))
    with pytest.raises((Unsupported, AliasError), match=r"belongs to the module|one array"):
        s2sad.grad(function)(U)
    np.testing.assert_equal((ARRAY, COUNTS, TABLE), held)


# ---------------------------------------------------------------- what goes through


def copied(u):
    b = ARRAY.copy()
    b += u
    return np.sum(b * ARRAY * u)


def number(u):
    b, c = SCALE, ARRAY[0]
    b += u[0]
    c *= u[1]
    return b * c * SCALE * ARRAY[0]


def other_list(u):
    b, c, d = list(COUNTS), COUNTS[:], np.asarray(COUNTS)
    b.append(u[0])
    c[0] = u[1]
    d[1] = u[2]
    return sum(b) * sum(c) * np.sum(d) * COUNTS[0]


def other_entry(u):
    d = dict(TABLE)
    d["a"] = u[0]
    return d["a"] * TABLE["a"] * u[1]


@pytest.mark.parametrize("function", [copied, number, other_list, other_entry])
def test_what_is_the_functions_own_may_be_changed(function: Callable[..., Any]) -> None:
    held = copy.deepcopy((ARRAY, COUNTS, TABLE))
    expected = _differences(function)
    np.testing.assert_allclose(s2sad.grad(function)(U), expected, rtol=1e-6)
    np.testing.assert_allclose(s2sad.grad(function, like=(U,))(U), expected, rtol=1e-6)
    np.testing.assert_equal((ARRAY, COUNTS, TABLE), held)


def _differences(function: Callable[..., Any]) -> list[float]:
    steps = np.eye(3) * 1e-6
    return [(function(U + h) - function(U - h)) / 2e-6 for h in steps]
