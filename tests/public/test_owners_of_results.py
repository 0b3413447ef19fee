"""What a derivative returns is the caller's own: no argument, seed, constant or other gradient."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles
from tests.oracles import standalone

U, V, A = np.array([0.3, -0.6, 1.1]), np.array([0.7, 0.2, -0.4]), np.arange(6.0).reshape(2, 3)
WEIGHTS = np.array([0.5, 0.1, 0.9])


def product(u, v):
    return np.sum(u * v)


def weighted(u):
    return np.sum(u * WEIGHTS)


def added(u, v):
    return u + v


def itself(u):
    return u


def swapped(u, v):
    u, v = v, u
    return u, v


def turned(A):
    return A.T


def total(u):
    return np.sum(u)


def number_kept(c, u):
    return c + u


def passes(u, n):
    for _ in range(n):
        u = u * 2.0
    return u


def branch(u, v, c):
    w = u
    if c > 0.0:
        w = u * v
    return np.sum(w * v)


def rows(A):
    s = 0.0
    for row in A:
        s = s + np.sum(row * WEIGHTS)
    return s


def helper(u, v):
    return u + v


def through_helpers(u, v):
    return np.sum(helper(helper(u, v), u) * V)


def constant_in_helper(u):
    return weighted(u)


def items(params):
    u, v = params
    return np.sum(u * WEIGHTS) + np.sum(v * v)


def layers(params, x):
    for W, b in params:
        x = x * W + b
    return x


def named(state):
    return state["u"] * state["c"]


def partly(u, v):
    return u[1:] + v[:-1]


def untouched(u, v):
    return np.sum(u)


# a function, its arguments, the positions that count, and the adjoint of its result
CASES: list[tuple[Any, tuple[Any, ...], tuple[int, ...], Any]] = [
    (product, (U, V), (0, 1), 1.0),
    (weighted, (U,), (0,), 1.0),
    (added, (U, V), (0, 1), V),
    (itself, (U,), (0,), V),
    (itself, (0.4,), (0,), 1.5),
    (swapped, (U, V), (0, 1), (V, U)),
    (turned, (A,), (0,), A.T * 2.0),
    (total, (U,), (0,), 1.0),
    (number_kept, (0.4, U), (0, 1), V),
    (passes, (U, 2), (0,), V),
    (passes, (U, 0), (0,), V),
    (branch, (U, V, 1.0), (0, 1), 1.0),
    (branch, (U, V, -1.0), (0, 1), 1.0),
    (rows, (A,), (0,), 1.0),
    (through_helpers, (U, V), (0, 1), 1.0),
    (constant_in_helper, (U,), (0,), 1.0),
    (items, ([U, V],), (0,), 1.0),
    (items, ((U, V),), (0,), 1.0),
    (layers, ([(U, V), (V, U)], U), (0, 1), V),
    (named, ({"u": U, "c": 0.5},), (0,), V),
    (partly, (U, V), (0, 1), U[1:]),
    (untouched, (U, V), (0, 1), 1.0),
]
IDS = [f"{case[0].__name__}-{n}" for n, case in enumerate(CASES)]


def arrays(value: Any) -> Iterator[np.ndarray]:
    return (leaf for leaf in oracles.leaves(value) if isinstance(leaf, np.ndarray))


def assert_own(found: Any, others: Any) -> None:
    """Fail if arrays of `found` share memory with each other or with `others`, or are read-only."""
    mine = list(arrays(found))
    for number, array in enumerate(mine):
        assert array.flags.writeable
        for other in (*mine[:number], *arrays(others)):
            assert not np.shares_memory(array, other)


def assert_not_used_up(call: Any, found: Any) -> None:
    """Fail if writing to what a derivative returned changes what it returns next."""
    expected = copy.deepcopy(found)
    for array in arrays(found):
        array *= 7.0
    for a, b in zip(oracles.leaves(call()), oracles.leaves(expected), strict=True):
        np.testing.assert_array_equal(a, b)


def ways(make: Any, function: Any, args: Any, wrt: Any) -> Iterator[Any]:
    """Yield a derivative as it is called, and its texts."""
    df = make(function, wrt)
    yield df
    if all(isinstance(arg, float | int | np.ndarray) for arg in args):
        yield standalone(df.source, df.__name__)
    yield standalone(make(function, wrt, like=args).source, df.__name__)


@pytest.mark.parametrize(("function", "args", "wrt", "seed"), CASES, ids=IDS)
def test_adjoints_are_the_callers_own(function: Any, args: Any, wrt: Any, seed: Any) -> None:
    args, seed = copy.deepcopy((args, seed))
    like = tuple(args[i] for i in wrt)
    for df in ways(s2sad.vjp, function, args, wrt):
        bars = df(*args, seed)
        assert_own(bars, [args, seed, WEIGHTS, V])
        if not isinstance(seed, tuple):
            expected = oracles.differences(function, args, wrt, seed)
            assert oracles.compare(oracles.flatten(bars, like), expected) is None
        assert_not_used_up(lambda: df(*args, seed), bars)  # noqa: B023


@pytest.mark.parametrize(("function", "args", "wrt", "seed"), CASES, ids=IDS)
def test_gradients_are_the_callers_own(function: Any, args: Any, wrt: Any, seed: Any) -> None:
    if np.ndim(seed) or isinstance(seed, tuple):
        pytest.skip("its result is no scalar")
    args = copy.deepcopy(args)
    for df in ways(s2sad.grad, function, args, wrt):
        bars = df(*args)
        assert_own(bars, [args, WEIGHTS, V])
        assert_not_used_up(lambda: df(*args), bars)  # noqa: B023
    for df in ways(s2sad.value_and_grad, function, args, wrt):
        value, bars = df(*args)
        assert_own(bars, [args, WEIGHTS, V, value])
        assert_not_used_up(lambda: df(*args)[1], bars)  # noqa: B023


@pytest.mark.parametrize(("function", "args", "wrt", "seed"), CASES, ids=IDS)
def test_tangents_are_the_callers_own(function: Any, args: Any, wrt: Any, seed: Any) -> None:
    args = copy.deepcopy(args)
    dots = copy.deepcopy(tuple(args[i] for i in wrt))
    for df in ways(s2sad.jvp, function, args, wrt):
        value, tangent = df(*args, *dots)
        assert_own(tangent, [value, args, dots, WEIGHTS, V])
        # as the function itself: what is handed through is handed through
        assert oracles.shares_memory(value, args) == oracles.shares_memory(function(*args), args)
        assert_not_used_up(lambda: df(*args, *dots)[1], tangent)  # noqa: B023


def test_what_is_fresh_is_not_copied() -> None:
    def model(W, x, b):
        y = np.tanh(W @ x + b)
        return np.sum(y * y)

    args = (A, U, np.array([0.1, 0.2]))
    for make in (s2sad.grad, s2sad.jvp):
        assert "copy" not in make(model, (0, 1, 2), like=args).source


def test_what_a_helper_makes_is_not_copied() -> None:
    def scaled(u, c):
        return np.sin(u) * c

    def model(u, c):
        return np.sum(scaled(scaled(u, c), c))

    for make in (s2sad.grad, s2sad.jvp):
        assert "copy" not in make(model, (0, 1), like=(U, 0.3)).source


def _summed_in_a_loop(xs: Any, start: Any, w: Any) -> Any:
    total = start
    for x in xs:
        total = total + x
    return np.sum(w * total)


def _summed_at_once(xs: Any, start: Any, w: Any) -> Any:
    return np.sum(w * sum(xs, start * 1.0))


@pytest.mark.parametrize("function", [_summed_in_a_loop, _summed_at_once])
def test_the_adjoints_of_a_list_are_arrays_of_their_own(function: Any) -> None:
    w = np.array([0.3, 0.5])
    xs_bar, start_bar = s2sad.grad(function, wrt=("xs", "start"))([w, 2.0 * w, 3.0 * w], 0.5, w)
    assert start_bar == pytest.approx(0.8)
    for number, part in enumerate(xs_bar):
        assert np.array_equal(part, w)
        assert not any(np.may_share_memory(part, other) for other in (*xs_bar[:number], w))


def seeded(x, y):
    a = x
    b = a
    a = a + y
    a += x
    b += 2.0 * a
    return a * b + x


@pytest.mark.parametrize("made", ["vjp", "jvp", "hvp"])
def test_a_seed_that_is_an_array_without_axes_is_a_number(made):
    derivative = getattr(s2sad, made)(seeded)
    given = np.array(1.0)
    assert np.all(np.equal(derivative(2.0, 3.0, given), derivative(2.0, 3.0, 1.0)))
    assert given == 1.0
