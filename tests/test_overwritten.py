"""What varies before a checkpointed loop, and has another value behind it once there was a pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad

STEP = 1e-6


def constant_in_each_pass(x: Any, n: int) -> Any:
    z = x * 2.0
    for k in range(n):
        z = 3.0 * k
        x = x * 1.1
    return z + x**2


def while_there_is_one(x: Any, n: int) -> Any:
    z, k = x * 2.0, 0
    while k < n:
        z = 3.0 * k
        x = np.sin(x)
        k += 1
    return z + x**2


def only_at_times(x: Any, n: int) -> Any:
    z, w = x * 2.0, x
    for k in range(n):
        if k % 2 == 0:
            z = 3.0 * k
        w = w * 1.01
    return z + w**2


def read_a_pass_later(x: Any, n: int) -> Any:
    z, q = x * 2.0, x
    for _ in range(n):
        q = z
        z = 3.0
        x = x * 1.1 + q
    return z * q + x**2


def left_early(x: Any, n: int) -> Any:
    z = x * 2.0
    for k in range(n):
        z = 3.0 * k
        if k == 1:
            break
        x = x * 1.1
    return z + x**2


def an_array(x: Any, n: int) -> Any:
    z = x * np.ones(3)
    for k in range(n):
        z = np.zeros(3)
        z[k % 3] = k
        x = x * 1.1
    return np.sum(z) * x


def loop_after_loop(x: Any, n: int) -> Any:
    z, y = 2.0 * x, x
    for _ in range(n):
        y = y + 0.1
        z = y
    for _ in range(n):
        z = 1.0
    return z + y


PROGRAMS = [
    constant_in_each_pass,
    while_there_is_one,
    only_at_times,
    read_a_pass_later,
    left_early,
    an_array,
    loop_after_loop,
]


@pytest.mark.parametrize("schedule", [None, "sqrt", s2sad.Every(2), s2sad.Recompute()], ids=str)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_a_pass_overwrites_has_no_adjoint_before(
    function: Callable[..., Any], schedule: Any
) -> None:
    made = s2sad.grad(function, wrt="x", checkpoint=schedule)
    space: dict[str, Any] = {}
    exec(made.source, space)
    for n in (0, 1, 2, 5):
        ahead, behind = function(0.7 + STEP, n), function(0.7 - STEP, n)
        expected = (ahead - behind) / (2.0 * STEP)
        assert made(0.7, n) == pytest.approx(expected, rel=1e-6), made.source
        assert space[made.__name__](0.7, n) == pytest.approx(expected, rel=1e-6), made.source
