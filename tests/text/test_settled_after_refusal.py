"""What is found of a function that was refused half-way decides nothing after that place.

Here `again` is refused until it is known that k is 0, inside a branch; what the branch sets, tests
after it ask for.
"""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences


def returns(u, n):
    t = n - 1
    y = np.sin(u[t])
    if t == 1:

        def again(t, k):
            if k <= 0:
                return np.cos(t)
            return again(t * t, k - 1) - 0.5 * again(t, k - 2)

        return again(u[0], 0) * y
    return u[1] * y


def sets_a_mode(u, n):
    mode = 1
    y = np.sin(u[0])
    if n == 2:

        def again(t, k):
            if k <= 0:
                return np.cos(t)
            return again(t * t, k - 1) - 0.5 * again(t, k - 2)

        y = again(u[0], 0)
        mode = 2
    if mode == 2:
        return y * u[1]
    return y * u[2]


def binds_what_was_none(u, n):
    scale = None
    y = np.sin(u[0])
    if n == 2:

        def again(t, k):
            if k <= 0:
                return np.cos(t)
            return again(t * t, k - 1) - 0.5 * again(t, k - 2)

        y = again(u[0], 0)
        scale = 3.0
    if scale is None:
        return y * u[1]
    return y * u[2] * scale


def lets_a_list_grow(u, n):
    seen = []
    y = np.sin(u[0])
    if n == 2:

        def again(t, k):
            if k <= 0:
                return np.cos(t)
            return again(t * t, k - 1) - 0.5 * again(t, k - 2)

        y = again(u[0], 0)
        seen.append(1.0)
    if len(seen) == 1:
        return y * u[1]
    return y * u[2]


def in_passes(u, n):
    def again(t, k):
        if k <= 0:
            return np.cos(t)
        return again(t * t, k - 1) - 0.5 * again(t, k - 2)

    mode, y = 1, 0.0
    for i in range(n):
        if i == 1:
            y += again(u[0], 0)
            mode = 2
        y += u[1] ** 2 if mode == 2 else np.sin(u[2])
    return y


@pytest.mark.parametrize("n", [2, 3, 1])
@pytest.mark.parametrize(
    "function", [returns, sets_a_mode, binds_what_was_none, lets_a_list_grow, in_passes]
)
def test_gradient(function, n):
    u = np.array([0.3, 0.5, 0.7])
    got = s2sad.grad(function)(u, n)
    assert compare(got, differences(function, (u, n), [0])) is None
