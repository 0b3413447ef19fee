"""What varies is not handed to what keeps it out of sight: objects of the module."""

from __future__ import annotations

import collections
import functools
import heapq
import logging
import operator
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles

U = np.array([0.31, 0.42, 0.83])
LOG = logging.getLogger(__name__)
KEPT: list[float] = []
BUFFER = np.zeros(2)


def _kept(value):
    KEPT.append(value)


def _stored(value):
    BUFFER[0] = value


def _both(value):
    _kept(value)


def in_a_list_of_the_module(u):
    _kept(u[0] ** 2)
    return KEPT[-1] * u[1]


def two_calls_away(u):
    _both(u[0] ** 2)
    return KEPT[-1] * u[1]


def in_an_array_of_the_module(u):
    _stored(u[0] ** 2)
    return BUFFER[0] * u[1]


def in_every_pass_of_a_display(u):
    _ = [KEPT.append(v * v) for v in u]
    return sum(KEPT[-3:])


def in_a_deque_by_position(u):
    held = collections.deque([0.0, 0.0])
    held[0] = u[0] ** 2
    return held[0] * u[1]


def in_an_ordered_dict(u):
    held = collections.OrderedDict()
    for i, x in enumerate(u):
        held[i % 2] = x * x
    return held[0] * held[1]


def in_a_dict_with_zeros(u):
    held = collections.defaultdict(float)
    for i, x in enumerate(u):
        held[i % 2] += x * x
    return held[0] * held[1]


def under_another_name(u):
    held = collections.OrderedDict()
    other = held
    other[0] = u[0] ** 2
    return held[0] * u[1]


def reported(u):
    s = np.sum(u * u)
    LOG.debug("value %s", s)
    _told(s)
    return s


def _told(value):
    if value < 0.0:
        print(value)


def _squared(u, each):
    for k in range(3):
        u[k] = u[k] * u[k]
        each("step %s", u)
    return np.sum(u)


def reported_in_passes(u):
    return _squared(u.copy(), LOG.debug)


def stopped(u):
    s = np.sum(u * u)
    _kept(s2sad.stop_gradient(s))
    return s


@pytest.mark.parametrize(
    "function",
    [
        in_a_list_of_the_module,
        two_calls_away,
        in_an_array_of_the_module,
        in_every_pass_of_a_display,
    ],
)
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
def test_what_the_module_keeps_is_refused(function: Any, make: Any) -> None:
    args = (U,) if make is s2sad.grad else (U, U)
    told = r"what this line does with a value that varies|belongs to the module"
    with pytest.raises(s2sad.Unsupported, match=told):
        make(function)(*args)


@pytest.mark.parametrize(
    "function",
    [in_a_deque_by_position, under_another_name, in_an_ordered_dict, in_a_dict_with_zeros],
)
def test_what_is_put_in_queues_and_dicts_is_followed(function: Any) -> None:
    assert s2sad.check_grad(function, (U,))


@pytest.mark.parametrize("function", [reported, reported_in_passes, stopped])
def test_what_is_only_told_goes_through(function: Any) -> None:
    assert np.allclose(s2sad.grad(function)(U), 2.0 * U)


def folded_in_place(u):
    w = np.ones(3)
    total = functools.reduce(operator.iadd, [np.ones(3), np.ones(3)], w)
    return np.sum(w * u) * total[0]


def sorted_by_a_map(u):
    rows = [[3.0, 1.0], [2.0, 1.0]]
    list(map(list.sort, rows))
    return rows[0][0] * np.sum(u)


def pushed_under_another_name(u):
    push, heap = heapq.heappush, [3.0]
    push(heap, 1.0)
    return heap[0] * np.sum(u)


def added_by_a_map(u):
    w = np.ones(4)
    list(map(functools.partial(np.add.at, w, [0]), [1.0, 2.0]))
    return np.sum(w * u)


@pytest.mark.parametrize(
    "function", [folded_in_place, sorted_by_a_map, pushed_under_another_name, added_by_a_map]
)
def test_functions_that_write_and_are_handed_on_are_right_or_refused(function: Any) -> None:
    x = np.array([0.3, -0.4, 0.8]) if function is not added_by_a_map else np.full(4, 0.3)
    try:
        found = s2sad.grad(function)(x)
    except s2sad.Unsupported as error:
        assert "changes what it is given, is handed on" in error.problem
        return
    assert oracles.compare(found, oracles.differences(function, (x,), (0,), 1.0)) is None
