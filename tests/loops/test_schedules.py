"""Loops whose states are kept by a schedule: the same gradients, in less memory, in few passes."""

from __future__ import annotations

import copy
import gc
import math
import tracemalloc
from functools import cache
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles
from tests.programs.applied import notebook_idioms
from tests.programs.control_flow import objects_or_none
from tests.programs.dicts import merged_and_changed_dicts
from tests.programs.entry import numbers
from tests.programs.lists import heaps, object_found_in_a_loop
from tests.texts import defined

SCHEDULES = ["sqrt", s2sad.Every(3), s2sad.Binomial(2), s2sad.Binomial(slots=4), s2sad.Recompute()]

HEAT = """
def heat(u, nu, dt, nt):
    for t in range(nt):
        lap = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
        u = u + dt * (nu * lap + u - u**3)
    return 0.5 * np.sum(u**2)
"""
BURGERS = """
def burgers(u, nu, dx, dt, nt):
    u = u.copy()
    for _ in range(nt):
        spread = nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] += dt * (spread - u[1:-1] * (u[2:] - u[:-2]) / (2.0 * dx))
    return 0.5 * np.sum(u**2)
"""
IN_PLACE = """
def wave(u, c, nt):
    u = u.copy()
    v = np.zeros_like(u)
    s = 0.0
    for t in range(nt):
        v[1:-1] += c * (u[2:] - 2.0 * u[1:-1] + u[:-2]) * np.cos(u[1:-1])
        u += 0.1 * v
        s += u[3] ** 2
    u[0] = 5.0 * u[1]
    return s + np.sum(u * v)
"""
SWAPPED = """
def leap(a, k, forces):
    b = a * k
    for i, force in enumerate(forces):
        c = 2.0 * b - a + 0.01 * np.sin(b) * force * i
        a, b = b, c
    return np.sum(a * b)
"""
BRANCHES = """
def branches(x, y, n):
    z = 0.5 * x
    for t in range(n):
        if np.sum(x) > 1.0:
            z = z * np.cos(x)
            x = 0.5 * x * y
        else:
            x = x + np.sin(y) * z
        y = y * np.cos(x)
    z[0] = 3.0 * y[1]  # what the last passes may have handed on as it was
    return np.sum(x * z) + np.sum(y)
"""
CONTROLS = """
def controlled(m, u, obs):
    cost = 0.0
    for t in range(len(m)):
        u = np.tanh(u + m[t])
        cost = cost + np.sum((u - obs[t]) ** 2)
    return cost
"""
CALLED = """
def march(u, a, n):
    for k in range(n):
        u = u + 0.1 * np.sin(a * u)
    return u

def main(u, a):
    u = march(u, a, 7)
    v = march(u * a, a, 4)
    return np.sum(u * v)
"""
NESTED = """
def nested(u, a, n):
    for i in range(n):
        w = u * a
        for j in range(i + 2):
            w = np.sin(w) * a + u
        u = u + 0.1 * w
    return np.sum(u)
"""
LISTS = """
def listed(u, a, n):
    seen = [u]
    for i in range(n):
        u = np.exp(-u * a)
        seen.append(u * seen[i])
    return np.sum(seen[n] * seen[1])
"""
MIXED = """
def mixed(x, n):
    y = 1.0
    for i in [3, 1, 2, 5][:n]:
        z = np.sqrt(x * i + y)
        if z > 2.0:
            y = y + np.log(z)
        x = x * z
    return x * y
"""
NEWTON = """
def newton(a, tol):
    x = a
    while True:
        y = 0.5 * (x + a / x)
        if np.max(np.abs(y - x)) < tol:
            break
        x = y
    return np.sum(x * a)
"""
DECAY = """
def decay(x, k, low):
    n = 0
    while np.sum(x * x) > low:
        x = k * np.sin(x)
        n += 1
    return n * np.sum(x)
"""
LEFT = """
def left(x, k, n):
    for i in range(n):
        if np.sum(x) < 0.3:
            continue
        y = np.sin(x) * k
        if np.sum(y) < 0.5 and i > 4:
            break
        x = y + 0.01 * i
    return np.sum(x)
"""
BEHIND = """
def behind(x, n):
    for k in range(n):
        last = k + 1
        x = np.sin(x) * last + 0.1
    return np.sum(x) * last
"""
TWO = """
def two(x, y, n):
    q, y = 1.0 * x, 1.0 * y
    for k in range(n):
        if k % 3 == 1:
            q = np.sin(q)
        x = x * np.cos(q)
    for k in range(n):
        if k < 2:
            y = np.exp(-y) * q
    q *= 2.0
    y *= x  # what both loops may have handed on as it was
    return np.sum(q * y)
"""
COARSER = """
def cycle(u, f, c):
    if len(u) <= 3:
        return u * c
    e = cycle(np.zeros((len(u) + 1) // 2), (f - c * u)[::2], 2 * c)
    u = u.copy()
    u[::2] += e
    return u

def cycles(f, c, n):
    u = np.zeros_like(f)
    for k in range(n):
        u = cycle(u, f, c) + f
    return f @ u
"""
THEN_AS_LONG = """
def f(W, d):
    W, d = W.copy(), d.copy()
    for k in range(4):
        d[1:] = 2.0 * d[:-1]
        W = W * d
    for k in range(len(d)):
        d[k] = W[0, k] * d[k - 1]
    return np.sum(d)
"""
WITHIN_AS_LONG = """
def f(W, d):
    W, d = W.copy(), d.copy()
    for k in range(4):
        d[::-1] = d[:] * d[::-1]
        for x in d:
            W[k - 2] /= 1.5 + np.cos(d)
    for k in range(len(d)):
        d[-k - 1] = np.tanh(W[0, k] + d[k - 1])
    return np.sum(d)
"""
VIEWS = """
def rod(u, c, n):
    u = u.copy()
    inner, ends = u[1:-1], u[::8]
    for _ in range(n):
        inner += c * (u[2:] - 2.0 * inner + u[:-2]) * inner
        ends *= 0.9
    u *= 2.0
    return np.sum(inner * u[0]) + np.sum(ends)
"""
BUFFERS = """
def buffers(u, c, n):
    u, v = u.copy(), np.zeros_like(u)
    for _ in range(n):
        v[1:-1] = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2]) * u[1:-1]
        u, v = v, u
    return np.sum(u * u) + np.sum(v)
"""
KEPT_AND_WRITTEN = """
def kept_and_written(u, a, n):
    x, total = u, 0.0
    for _ in range(n):
        x = np.sin(x) * a
        if x[0] < 0.2:
            x = u
    for k in range(2):
        y = x.copy()
        for _ in range(n):
            y[k] *= np.cos(y[0])
            y[1:] += a * y[:-1] ** 2
        y[2] = a * y[k]
        total = total + np.sum(y * u)
    return total
"""

TUPLES = """
def of_tuples(a, b, c):
    both = a, b
    for k in range(5):
        c = np.sin(c * both[k % 2])
        for p in both:
            c = np.cos(c * p)
    for p, q in ((a, b), (b, a)):
        c = np.sin(c * p + q)
    return np.sum(c * a)
"""

QUIET = """
def slope(a, b):
    with np.errstate(divide="ignore"):
        s = 2.0 * a * b / (a + b)
    return np.where(a * b > 0.0, s, 0.0)

def limited(u, c, n):
    u = u.copy()
    for k in range(n):
        with np.errstate(all="ignore"):
            u[1:] -= c * np.sqrt(u[:-1] ** 2 + 0.1) / (u[1:] ** 2 + 1.0)
            if k > 3:
                u[0] = c * u[-1]
        u = u - c * slope(u, np.roll(u, 1))
    return np.sum(u**2)
"""

CASES: dict[str, tuple[str, tuple[Any, ...], tuple[Any, ...]]] = {
    "heat": (HEAT, ("u", "nu"), (numbers(9), 0.3, 0.05, 11)),
    "no pass": (HEAT, ("u", "nu"), (numbers(9), 0.3, 0.05, 0)),
    "one pass": (HEAT, ("u", "nu"), (numbers(9), 0.3, 0.05, 1)),
    "in place": (IN_PLACE, ("u", "c"), (numbers(7), 0.4, 10)),
    "swapped": (SWAPPED, ("a", "k", "forces"), (numbers(4), 1.1, numbers(9))),
    "branches": (BRANCHES, ("x", "y"), (numbers(3), 0.5 * numbers(3), 10)),
    "controls": (CONTROLS, ("m", "u"), (numbers(8, 3), numbers(3), numbers(8, 3))),
    "called": (CALLED, ("u", "a"), (numbers(3), 0.7)),
    "nested": (NESTED, ("u", "a"), (numbers(3), 0.7, 6)),
    "lists": (LISTS, ("u", "a"), (numbers(3), 0.7, 6)),
    "left behind": (BEHIND, "x", (numbers(3), 7)),
    "two loops": (TWO, ("x", "y"), (numbers(3) ** 2, numbers(3), 6)),
    "then as long": (THEN_AS_LONG, ("W", "d"), (numbers(3, 5), numbers(5))),
    "within, as long": (WITHIN_AS_LONG, ("W", "d"), (numbers(3, 5), numbers(5))),
    "while": (NEWTON, ("a",), (np.array([3.0, 5.0]), 1e-9)),
    "while test": (DECAY, ("x", "k"), (np.array([0.5, 0.8]), 0.9, 0.1)),
    "no pass of a while": (DECAY, ("x", "k"), (np.array([0.5, 0.8]), 0.9, 9.0)),
    "break": (LEFT, ("x", "k"), (np.array([0.5, 0.8]), 0.9, 40)),
    "mixed": (MIXED, "x", (0.8, 4)),
    "views": (VIEWS, ("u", "c"), (numbers(9), 0.1, 7)),
    "buffers": (BUFFERS, ("u", "c"), (numbers(9), 0.1, 7)),
    "kept and written": (KEPT_AND_WRITTEN, ("u", "a"), (numbers(4) ** 2, 0.8, 5)),
    "tuples": (TUPLES, ("a", "b", "c"), (numbers(3) + 1.5, numbers(3) - 2.0, numbers(3))),
    "quiet": (QUIET, ("u", "c"), (numbers(5) + 1.5, 0.2, 6)),
    "recursion": (COARSER, ("f", "c"), (numbers(9), 1.5, 3)),
}


@cache
def function(source: str) -> Any:
    return defined(source)


def leaves(value: Any) -> list[Any]:
    return [x for part in value for x in leaves(part)] if isinstance(value, tuple) else [value]


# `u_bar = u_bar + a - b` in one loop is `u_bar += a - b` in a step that may write to its u_bar
PAIRED = [
    pytest.param(*case, schedule, id=f"{name}-{schedule!r}")
    for number, (name, case) in enumerate(CASES.items())
    for place, schedule in enumerate(SCHEDULES)
    if (place - number) % 5 in (0, 2)  # each case with two schedules
]


@pytest.mark.parametrize("source, wrt, args, schedule", PAIRED)
def test_gradients_are_those_without_a_schedule(
    source: str, wrt: Any, args: tuple[Any, ...], schedule: Any
) -> None:
    f = function(source)
    for like in (None, args):
        plain = s2sad.value_and_grad(f, wrt, like=like)
        kept = s2sad.value_and_grad(f, wrt, like=like, checkpoint=schedule)
        given = copy.deepcopy(args)
        assert "_loop_rev(" in (kept.source if like else kept.derivative(None).source)
        for a, b in zip(leaves(plain(*args)), leaves(kept(*given)), strict=True):
            assert type(a) is type(b) and np.allclose(a, b, rtol=1e-12, atol=1e-15)
        assert all(np.array_equal(a, b) for a, b in zip(args, given, strict=True))


@pytest.mark.parametrize("source, wrt, args", CASES.values(), ids=CASES.keys())
def test_gradients_agree_with_differences(source: str, wrt: Any, args: tuple[Any, ...]) -> None:
    f = function(source)
    names = (wrt,) if isinstance(wrt, str) else wrt
    gradients = leaves(s2sad.grad(f, names, checkpoint=s2sad.Binomial(3))(*args))
    order = list(s2sad.grad(f, names).__signature__.parameters)
    for name, gradient in zip(names, gradients, strict=True):
        place = order.index(name)
        assert np.all(np.isfinite(gradient))
        step = 1e-6
        moved = np.ones_like(args[place]) if np.ndim(args[place]) else 1.0
        up = [*args[:place], args[place] + step * moved, *args[place + 1 :]]
        down = [*args[:place], args[place] - step * moved, *args[place + 1 :]]
        slope = (f(*copy.deepcopy(up)) - f(*copy.deepcopy(down))) / (2.0 * step)
        assert np.sum(gradient) == pytest.approx(slope, rel=1e-5, abs=1e-7)


def test_a_seed_is_pulled_back_and_the_text_is_differentiated_again() -> None:
    f = function(HEAT)
    args = CASES["heat"][2]
    seed = np.array(0.7)
    kept = s2sad.vjp(f, checkpoint=s2sad.Binomial(2))(*args, seed)
    assert np.allclose(kept, s2sad.vjp(f)(*args, seed), rtol=1e-12)
    along = numbers(9)
    for make in (s2sad.jvp, s2sad.vjp):
        plain = make(s2sad.grad(f))(*args, along)
        again = make(s2sad.grad(f, checkpoint="sqrt"))(*args, along)
        assert all(map(np.allclose, leaves(again), leaves(plain)))


AGAIN = {
    "in place": "sqrt",
    "swapped": s2sad.Every(3),
    "called": s2sad.Binomial(4),
    "nested": s2sad.Binomial(2),
    "while": "sqrt",
    "while test": s2sad.Recompute(),
    "break": s2sad.Binomial(2),
}


@pytest.mark.parametrize("name, schedule", AGAIN.items(), ids=AGAIN.keys())
def test_checkpointed_texts_are_differentiated_again(name: str, schedule: Any) -> None:
    source, wrt, args = CASES[name]
    f, first = function(source), wrt[0] if isinstance(wrt, tuple) else wrt
    at = list(s2sad.grad(f).__signature__.parameters).index(first)
    along = np.cos(args[at])
    made = s2sad.grad(f, first, checkpoint=schedule)
    _, found = s2sad.jvp(made, first)(*copy.deepcopy(args), along)
    _, plain = s2sad.jvp(s2sad.grad(f, first), first)(*copy.deepcopy(args), along)
    assert np.allclose(found, plain, rtol=1e-11, atol=1e-13)
    back = s2sad.vjp(made, first)(*copy.deepcopy(args), along)
    assert np.allclose(back, plain, rtol=1e-9, atol=1e-12)  # second derivatives are symmetric


def told_backwards(u, c, n):
    x, told = u.copy(), []
    for _ in range(n):
        x = x + c * np.sin(x)
        told.append(x)
    y = x
    for s in reversed(told):
        y = y * np.cos(s)
    return np.sum(y)


def test_a_list_that_passes_of_a_loop_read_has_second_derivatives() -> None:
    u, along = numbers(4), np.cos(numbers(4))
    made = s2sad.grad(told_backwards, checkpoint=s2sad.Binomial(2))
    plain = s2sad.grad(told_backwards)
    up, down = (plain(u + h * along, 0.3, 5) for h in (1e-5, -1e-5))
    for second in (s2sad.jvp(made)(u, 0.3, 5, along)[1], s2sad.vjp(made)(u, 0.3, 5, along)):
        assert np.allclose(second, (up - down) / 2e-5, rtol=1e-7, atol=1e-8)


def bound_in_sides(x, q, n):
    u, v = x * q, np.zeros_like(x)
    v, x = x, v
    if q > 7.0:
        pass  # h has no value on this side: what reads it is not reached
    elif q > 5.0:
        h = u[1:]
    else:
        k = 0
        while k < n:
            h = v.copy()
            k += 1
    k = 0
    while k < n:
        k += 1
        return np.sum(h) * q


def bound_again_in_a_side(x, q, n):
    v = np.zeros_like(x)
    v, x = x, v
    for k in range(n):
        h = v * (k + q)
    y = np.sum(h**2)
    if q > 5.0:
        k = 0
        while k < n:
            h = np.sin(v) + k * q
            k += 1
    return np.sum(h) * y


@pytest.mark.parametrize("q", [6.0, 0.5])
@pytest.mark.parametrize("f", [bound_in_sides, bound_again_in_a_side])
@pytest.mark.parametrize("schedule", SCHEDULES, ids=repr)
def test_what_a_kept_loop_binds_has_no_adjoint_before_it(f: Any, q: float, schedule: Any) -> None:
    args = (numbers(5), q, 3)
    for like in (None, args):
        kept = s2sad.grad(f, ("x", "q"), like=like, checkpoint=schedule)(*args)
        plain = s2sad.grad(f, ("x", "q"), like=like)(*args)
        assert all(
            np.allclose(a, b, rtol=1e-13, atol=1e-15) for a, b in zip(kept, plain, strict=True)
        )


def left_at_times(u, x, n):
    for k in range(n):
        s = np.exp(x * u[k]) * x
        x = np.sin(s) + u[1]
        if s > 70.0:
            return s - 2.0 * s * x
    return x * u[0]


def bound_in_passes(u, x, n):
    for k in range(n):
        s = x * u[k]
        x = np.sin(s) + u[1] * x
    if n > 0:
        x = x * s
    return x * u[0]


def rows_bound_in_passes(u, x, n):
    for k in range(n):
        s = x * u * (k + 1)
        x = np.sin(s[0]) + u[1] * x
    if n > 0:
        x = x * s[2]
    return x * u[0]


@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize("schedule", [s2sad.Recompute(), "sqrt", s2sad.Every(2)], ids=str)
@pytest.mark.parametrize("f", [left_at_times, bound_in_passes, rows_bound_in_passes])
def test_what_no_pass_has_bound_is_not_asked_for(f: Any, schedule: Any, n: int) -> None:
    args = np.array([0.3, 0.7, 0.9]), 0.4, n
    kept = s2sad.grad(f, ("u", "x"), checkpoint=schedule)(*args)
    assert all(map(np.allclose, kept, s2sad.grad(f, ("u", "x"))(*args)))


def last_of_passes(u, x, n):
    for k in range(n):
        s = x * u[k]
        x = np.sin(s) + u[1] * x
    return x * s


def test_what_passes_leave_unbound_is_as_unbound_as_in_the_primal() -> None:
    made = s2sad.grad(last_of_passes, "u", checkpoint="sqrt")
    assert np.allclose(made(np.ones(3), 0.4, 3), s2sad.grad(last_of_passes)(np.ones(3), 0.4, 3))
    for f in (last_of_passes, made):
        with pytest.raises(UnboundLocalError):
            f(np.ones(3), 0.4, 0)


def test_single_precision_stays() -> None:
    f = function(HEAT)
    u = numbers(5).astype(np.float32)
    made = s2sad.grad(f, ("u", "nu"), checkpoint="sqrt")
    for a, b in zip(
        made(u, 0.3, 0.05, 6), s2sad.grad(f, ("u", "nu"))(u, 0.3, 0.05, 6), strict=True
    ):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        assert np.allclose(a, b, rtol=1e-6)


# ---------------------------------------------------------------- passes


def counted(source: str, name: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the names of an emitted text whose steps are counted as they are called."""
    space: dict[str, Any] = {}
    exec(source, space)
    calls = {"step": 0, "step_rev": 0}
    for kind in calls:
        space[f"{name}_{kind}"] = counting(space[f"{name}_{kind}"], kind, calls)
    return space, calls


def counting(function: Any, kind: str, calls: dict[str, int]) -> Any:
    def called(*args: Any) -> Any:
        calls[kind] += 1
        return function(*args)

    return called


SCALAR = "def scalar(x, n):\n    for k in range(n):\n        x = np.sin(x)\n    return x\n"


def fewest(passes: int, slots: int) -> list[list[int]]:
    """Return the fewest passes run before their reversal, by dynamic programming."""
    best = [[n * (n - 1) // 2 for n in range(passes + 1)] for _ in range(slots + 1)]
    for s in range(2, slots + 1):
        for n in range(2, passes + 1):
            best[s][n] = min(m + best[s][m] + best[s - 1][n - m] for m in range(1, n))
    return best


def test_binomial_runs_as_few_passes_as_can_be() -> None:
    made = s2sad.grad(function(SCALAR), checkpoint=s2sad.Binomial(8), like=(0.5, 4))
    space, calls = counted(made.source, "scalar")
    # passes that only count
    for kind in calls:
        space[f"scalar_{kind}"] = counting(lambda x, *rest: x, kind, calls)
    best = fewest(120, 8)
    for slots in range(1, 9):
        space["SCALAR_SLOTS"] = slots  # what a reader may change
        for passes in range(1, 121):
            calls.update(step=0, step_rev=0)
            space["scalar_grad"](0.5, passes)
            # the last pass is run once more for the value
            assert calls == {"step": best[slots][passes] + 1, "step_rev": passes}


def test_binomial_meets_the_known_count_of_a_thousand_passes() -> None:
    made = s2sad.grad(function(SCALAR), checkpoint=s2sad.Binomial(20), like=(0.5, 4))
    space, calls = counted(made.source, "scalar")
    space["scalar_grad"](0.5, 1000)
    assert calls["step"] - 1 + calls["step_rev"] == 3747


@pytest.mark.slow
def test_a_million_passes_in_fifty_slots_take_less_than_six_sweeps() -> None:
    made = s2sad.grad(function(SCALAR), checkpoint=s2sad.Binomial(50), like=(0.5, 4))
    space, calls = counted(made.source, "scalar")
    found = space["scalar_grad"](0.5, 1_000_000)
    assert calls["step"] + calls["step_rev"] < 5.7e6
    assert found == pytest.approx(s2sad.grad(function(SCALAR))(0.5, 1_000_000), rel=1e-12)


@pytest.mark.parametrize("schedule", ["sqrt", s2sad.Every(7)], ids=repr)
def test_two_levels_run_each_pass_at_most_twice(schedule: Any) -> None:
    made = s2sad.grad(function(SCALAR), checkpoint=schedule, like=(0.5, 4))
    space, calls = counted(made.source, "scalar")
    space["scalar_grad"](0.5, 500)
    assert calls["step"] < 2 * 500 and calls["step_rev"] == 500


# ---------------------------------------------------------------- memory


def peak(derivative: Any, *args: Any) -> int:
    """The lesser of two runs: what the process does beside one can only add to it."""
    derivative(*args)  # the text is made before, and not slowed down by the trace
    return min(_traced(derivative, *args) for _ in range(2))


def _traced(derivative: Any, *args: Any) -> int:
    gc.collect()
    gc.freeze()  # what other tests left is never gone through again
    tracemalloc.start()
    derivative(*args)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


# what np.roll leaves to the garbage collector is small beside one state
STATE = 40_000
PEAKS = {
    "all": ("all", lambda n: 1.2 * n, (100, 1000)),
    "sqrt": ("sqrt", lambda n: 3.0 * np.sqrt(n), (100, 1000)),
    "binomial": (s2sad.Binomial(5), lambda n: 5 + 4, (100, 400)),
    "recompute": (s2sad.Recompute(), lambda n: 1 + 4, (40,)),
}


def assert_peaks(
    schedule: Any, states: Any, passes: tuple[int, ...], length: int, source: str = HEAT
) -> None:
    u = np.linspace(0.0, 1.0, length)
    made = s2sad.grad(function(source), checkpoint=schedule, like=(u, 0.3, 0.01, 2))
    own = peak(made, u, 0.3, 0.01, 1)  # what one pass and its reverse need themselves
    for n in passes:
        assert peak(made, u, 0.3, 0.01, n) - own <= states(n) * u.nbytes


@pytest.mark.parametrize("schedule, states, passes", PEAKS.values(), ids=PEAKS.keys())
def test_the_peak_is_what_the_schedule_promises(schedule: Any, states: Any, passes: Any) -> None:
    assert_peaks(schedule, states, passes, STATE // 8)


GROWTH = """
def growth(u, nu, dt, nt):
    for t in range(nt):
        u = u + dt * nu * u * (1.0 - u)
    return 0.5 * np.sum(u**2)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "schedule, states, length",
    [
        ("all", lambda n: 1.2 * n, 500),
        ("sqrt", lambda n: 3.0 * np.sqrt(n), 500),
        # long enough for what a tuple and an array take besides to be small
        (s2sad.Binomial(100), lambda n: 100 + 4, 3000),
    ],
    ids=["all", "sqrt", "binomial"],
)
def test_the_peak_of_a_hundred_thousand_passes(schedule: Any, states: Any, length: int) -> None:
    assert_peaks(schedule, states, (100_000,), length, GROWTH)


def test_burgers_takes_a_twelfth_of_the_memory() -> None:
    x = np.linspace(0.0, 2.0 * np.pi, 2000, endpoint=False)
    args = (np.sin(x), 0.01, x[1], 1e-5, 1000)
    most = 0.08 * peak(s2sad.grad(function(BURGERS), like=args), *args)
    for schedule in ("sqrt", s2sad.Binomial(40)):
        made = s2sad.grad(function(BURGERS), like=args, checkpoint=schedule)
        assert peak(made, *args) <= most


def test_a_linear_stencil_keeps_nothing_and_needs_no_schedule() -> None:
    source = HEAT.replace(" + u - u**3", "")
    u = np.linspace(0.0, 1.0, 5000)
    made = s2sad.grad(defined(source), checkpoint="sqrt", like=(u, 0.3, 0.01, 2))
    assert "_loop(" not in made.source
    assert peak(made, u, 0.3, 0.01, 1000) <= 1.1 * peak(made, u, 0.3, 0.01, 500)


ONLINE = """
def online(x, n):
    k = 0
    while k < n:
        x = np.sin(x)
        k += 1
    return x
"""


@pytest.mark.parametrize("passes", [1, 2, 65, 1000])
def test_of_a_loop_whose_end_is_not_known_few_states_are_kept(passes: int) -> None:
    for schedule, most in (("sqrt", 2 * np.sqrt(passes) + 2), (s2sad.Binomial(6), 6)):
        made = s2sad.grad(function(ONLINE), checkpoint=schedule, like=(0.5, 4))
        space, calls = counted(made.source, "online")
        kept = space["online_loop"](0.5, 0, passes)[-1]
        assert 0 < len(kept) <= most and kept[0][0] == 0
        calls.update(step=0)
        space["online_grad"](0.5, passes)
        best = passes if schedule == "sqrt" else known_fewest(passes, 6)
        assert calls["step"] <= 1.2 * best + passes


def known_fewest(passes: int, slots: int) -> int:
    """Return the fewest passes run before their reversal, by Griewank's and Walther's formula."""
    again = 0
    while math.comb(slots + again, slots) < passes:
        again += 1
    return again * passes - math.comb(slots + again, again - 1) if again else 0


def test_no_recursion_grows_with_the_passes() -> None:
    made = s2sad.grad(function(SCALAR), checkpoint="sqrt", like=(0.5, 4))
    assert made(0.5, 100_000) == s2sad.grad(function(SCALAR))(0.5, 100_000)


SUMS = """
def sums(m, x, n):
    for t in range(n):
        x = x + np.sin(x) * m[t]
    return x
"""


def test_an_adjoint_from_outside_is_added_to_in_place() -> None:
    made = s2sad.grad(function(SUMS), checkpoint="sqrt", like=(np.ones(4), 0.5, 4))
    space: dict[str, Any] = {}
    exec(made.source, space)
    m_bar = np.zeros(5)
    found = space["sums_step_rev"](0.5, 2, np.ones(5), 1.0, m_bar)
    # a copy in each pass would take n * n numbers for n passes
    assert any(each is m_bar for each in found) and m_bar[2] != 0.0
    given = np.linspace(0.0, 0.1, 9)
    assert np.allclose(made(given, 0.5, 9), s2sad.grad(function(SUMS))(given, 0.5, 9), rtol=1e-12)


# ---------------------------------------------------------------- places, and what is refused


def test_a_schedule_may_be_for_one_loop_or_for_one_function() -> None:
    f = function(CALLED)
    args = CASES["called"][2]
    plain = s2sad.grad(f)(*args)
    first = f.__code__.co_firstlineno
    for places in ({f"line {first - 4}": s2sad.Every(2)}, {"march": "sqrt"}):
        made = s2sad.grad(f, checkpoint=places)
        assert "march_loop_rev(" in made.source
        assert np.allclose(made(*args), plain, rtol=1e-12)
    line = function(NESTED).__code__.co_firstlineno + 3
    inner = s2sad.grad(function(NESTED), checkpoint={f"line {line}": "sqrt"})
    assert "nested_loop(w," in inner.source and "for i in" in inner.source
    args = CASES["nested"][2]
    assert np.allclose(inner(*args), s2sad.grad(function(NESTED))(*args), rtol=1e-12)


def test_one_loop_may_keep_all_while_the_others_do_not() -> None:
    f = function(TWO)
    args = CASES["two loops"][2]
    line = f.__code__.co_firstlineno + 2
    made = s2sad.grad(f, like=args, checkpoint={f"line {line}": "all", "two": "sqrt"})
    assert made.source.count("def two_loop(") == 1 and "x_saved.append(x)" in made.source
    assert np.allclose(made(*args), s2sad.grad(f, like=args)(*args), rtol=1e-14)


def test_calls_may_be_named_to_be_computed_again() -> None:
    f = defined(
        "def push(u):\n    return np.sin(u) * u\n\n"
        "def f(u):\n    v = push(u)\n    return np.sum(push(v) * v)"
    )
    made = s2sad.grad(f, checkpoint={"push": s2sad.Recompute()})
    assert np.array_equal(made(numbers(3)), s2sad.grad(f)(numbers(3)))
    with pytest.raises(s2sad.ArgumentError, match="'push', where no loop"):
        s2sad.grad(f, checkpoint={"push": "sqrt"}).source  # noqa: B018


HISTORY = """
def recorded(x, n):
    u = np.zeros((n + 1, 3))
    u[0] = x
    for t in range(n):
        x = x * np.cos(u[t])
        u[t + 1] = u[t] * x
    return np.sum(u[n] * u[1])
"""


def test_a_loop_that_writes_a_whole_history_keeps_its_states_itself() -> None:
    f = function(HISTORY)
    x = numbers(3)
    plain = s2sad.grad(f, like=(x, 6))
    assert "_loop(" not in s2sad.grad(f, like=(x, 6), checkpoint="sqrt").source
    line = f.__code__.co_firstlineno + 3
    asked = s2sad.grad(f, like=(x, 6), checkpoint={f"line {line}": s2sad.Every(2)})
    assert "recorded_loop_rev(" in asked.source
    assert np.allclose(asked(x, 6), plain(x, 6), rtol=1e-12)


FOUND = """
def found(x):
    pairs = []
    for i in range(len(x)):
        if x[i] > 0.3:
            pairs.append(i)
    s = 0.0
    for i in pairs:
        s = s * x[i] + np.sin(x[i])
    return s
"""


def test_a_loop_that_finds_positions_beside_one_with_a_schedule() -> None:
    f = function(FOUND)
    x = numbers(6)
    asked = s2sad.grad(f, like=(x,), checkpoint="sqrt")
    assert "found_loop_rev(" in asked.source
    assert np.allclose(asked(x), s2sad.grad(f, like=(x,))(x), rtol=1e-12)


@pytest.mark.parametrize(
    "checkpoint, words",
    [
        ({"line 2": "sqrt"}, r"'line 2', where no loop is run backwards(.|\n)*line 7 \(for t in"),
        ({"elsewhere": "sqrt"}, "'elsewhere', where no loop"),
        ({"line x": "sqrt"}, "no place for 'line x'"),
        ({}, "names no loop"),
        ("cube", "'cube' is no schedule"),
        (7, "7 is no schedule"),
    ],
)
def test_what_cannot_be_asked_for(checkpoint: Any, words: str) -> None:
    with pytest.raises(s2sad.ArgumentError, match=words):
        s2sad.grad(function(HEAT), checkpoint=checkpoint).source  # noqa: B018


@pytest.mark.parametrize("number", [0, -3, 2.0, True, "4"])
def test_slots_and_strides_are_whole_numbers_from_one_on(number: Any) -> None:
    with pytest.raises(s2sad.ArgumentError, match="from 1 on, not"):
        s2sad.Binomial(slots=number)
    with pytest.raises(s2sad.ArgumentError, match="from 1 on, not"):
        s2sad.Every(number)


REFUSED = {
    "drawn by an object": ("x = x * np.exp(rng.normal())", "more than compute"),
    "written to a file": ("x = x * np.exp(x)\n        out.write(str(x))", "belongs to the module"),
    "unbound": (
        "if k > 2:\n            y = np.exp(x)\n        x = 0.1 * x if k < 4 else x * y",
        "y has no value before this loop",
    ),
    "unbound, of any shape": (
        "x = np.concatenate([[x[0]], x])\n        y = np.exp(x)",
        "y has no value before this loop",
    ),
    "counted before and behind": (
        "x = x * np.exp(0.1 * k)",
        "number has a value before and behind",
    ),
}


@pytest.mark.parametrize("body, words", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_refused_in_a_loop(body: str, words: str) -> None:
    source = f"""
import sys

out, rng = sys.stdout, np.random.default_rng(0)

def f(x, n):
    k = 1
    for k in range(n):
        {body}
    return np.sum(x){" + np.sum(y)" if "y has" in words else " * k" if "number" in words else ""}
"""
    with pytest.raises(s2sad.Unsupported, match=words):
        s2sad.grad(defined(source), checkpoint="sqrt")(numbers(3), 4)


SINKHORN = """
def sinkhorn(a, K, n):
    u = np.ones_like(a)
    for _ in range(n):
        s = np.sum(u)
        v = s / (K.T @ u)
        u = a / (K @ v)
    return s * np.sum(u[:, None] * K * v * K) + v[1]
"""
CROSSING = """
def crossing(u, a, n):
    for t in range(n):
        u = u + 0.1 * np.sum(a) * u
        if u[0] > 1.0:
            when = t + (u[0] - 1.0)
            k = t
            break
    return when * np.sum(u) + k
"""
LEAVING = {
    "sinkhorn": (SINKHORN, ("a", "K"), (numbers(3) ** 2 + 0.1, numbers(3, 4) ** 2 + 0.1, 7)),
    "crossing": (CROSSING, ("u", "a"), (np.array([0.4, 0.3]), np.array([0.7, 0.5]), 40)),
}


@pytest.mark.parametrize("schedule", SCHEDULES, ids=repr)
@pytest.mark.parametrize("source, wrt, args", LEAVING.values(), ids=LEAVING.keys())
def test_what_passes_bind_may_be_read_behind_the_loop(
    source: str, wrt: Any, args: Any, schedule: Any
) -> None:
    f, first = function(source), wrt[0]
    made = s2sad.grad(f, wrt, like=args, checkpoint=schedule)
    assert "_loop_rev(" in made.source
    for a, b in zip(made(*args), s2sad.grad(f, wrt, like=args)(*args), strict=True):
        assert np.allclose(a, b, rtol=1e-12)
    along = np.cos(args[0])
    again = s2sad.grad(f, first, like=args, checkpoint=schedule)
    _, found = s2sad.jvp(again, first)(*args, along)
    up, down = (s2sad.grad(f, first)(args[0] + h * along, *args[1:]) for h in (1e-6, -1e-6))
    assert np.allclose(found, (up - down) / 2e-6, rtol=1e-5, atol=1e-6)


def test_what_no_pass_bound_cannot_be_computed_with() -> None:
    f, like = function(CROSSING), LEAVING["crossing"][2]
    args = (np.array([0.1, 0.2]), np.array([0.1, 0.1]), 3)
    with pytest.raises(TypeError):
        s2sad.value_and_grad(f, like=like, checkpoint="sqrt")(*args)
    assert np.all(np.isnan(s2sad.grad(f, like=like, checkpoint="sqrt")(*args)))


TOLD = """
import logging
import warnings

log = logging.getLogger("s2sad.tests.told")

def told(x, n):
    for k in range(n):
        x = np.sin(x) * 1.1
        if k % 3 == 0:
            print("pass", k, float(x[0]))
        log.warning("pass %d of %d", k, n)
        if x[0] > 5.0:
            warnings.warn("large")
    return np.sum(x)
"""


@pytest.mark.parametrize("schedule", ["sqrt", s2sad.Binomial(2)], ids=repr)
def test_what_passes_tell_is_told_once(schedule: Any, capsys: Any, caplog: Any) -> None:
    f, x = function(TOLD), numbers(3)
    f(x, 7)
    told, logged = capsys.readouterr().out, list(caplog.messages)
    assert told.count("pass") == 3 and len(logged) == 7
    caplog.clear()
    made = s2sad.grad(f, like=(x, 7), checkpoint=schedule)
    assert np.allclose(made(x, 7), s2sad.grad(defined(HUSHED))(x, 7), rtol=1e-13)
    assert capsys.readouterr().out == told and caplog.messages == logged
    assert s2sad.explain(f, like=(x, 7), checkpoint=schedule).peak is not None


HUSHED = (
    "def told(x, n):\n    for k in range(n):\n        x = np.sin(x) * 1.1\n    return np.sum(x)"
)


def test_names_of_the_users_own_are_left_to_the_user() -> None:
    source = """
def f(start, checkpoints, steps, stop):
    for number in range(stop):
        start = np.sin(start) * checkpoints[number]
        steps = steps + start * number
    return start * steps
"""
    args = (0.5, numbers(6), 0.25, 6)
    for schedule in ("sqrt", s2sad.Binomial(2)):
        made = s2sad.grad(defined(source), (0, 1, 2), checkpoint=schedule)
        for a, b in zip(made(*args), s2sad.grad(defined(source), (0, 1, 2))(*args), strict=True):
            assert np.allclose(a, b, rtol=1e-12)


# ---------------------------------------------------------------- loops that ask themselves

MARKED = """
import s2sad

SLOTS = 3

def cubed(x, n):
    for k in s2sad.checkpointed(range(n), slots=SLOTS):
        x = 0.9 * x - 0.1 * x**3
    for k in s2sad.checkpointed(range(n), every=4):
        x = np.sin(x)
    for k in s2sad.checkpointed(range(n)):
        x = np.sin(x)
    return np.sum(x)
"""


def test_a_loop_may_ask_for_its_schedule_itself() -> None:
    f = function(MARKED)
    bare = defined(MARKED.replace("s2sad.checkpointed(range(n), slots=SLOTS)", "range(n)"))
    x = numbers(4)
    assert f(x, 9) == bare(x, 9)
    made = s2sad.grad(f, like=(x, 9))
    assert "CUBED_SLOTS = 3" in made.source and "stride = 4" in made.source
    assert (
        "math.isqrt" in made.source
        and "s2sad" not in made.source.split("import", 1)[1].split("Differentiated")[0]
    )
    assert np.allclose(made(x, 9), s2sad.grad(bare)(x, 9), rtol=1e-12)
    named = s2sad.grad(f, like=(x, 9), checkpoint={"cubed": s2sad.Every(5)})
    assert named.source.count("stride = 5") == 3
    assert np.array_equal(s2sad.jvp(f)(x, 9, x)[1], s2sad.jvp(bare)(x, 9, x)[1])


@pytest.mark.parametrize(
    "call, error, words",
    [
        ("range(n), slots=0", s2sad.ArgumentError, "from 1 on, not 0"),
        ("range(n), slots=2, every=2", s2sad.ArgumentError, "not both"),
        ("range(n), slots=int(10 * x)", s2sad.Unsupported, "known when the derivative is made"),
    ],
)
def test_what_a_loop_may_not_ask_for(call: str, error: type[Exception], words: str) -> None:
    source = MARKED.replace("range(n), slots=SLOTS", call)
    with pytest.raises(error, match=words):
        s2sad.grad(defined(source))(0.3, 4)


OPTIONS = """
def damped(u, options, n):
    for k in range(n):
        u = u - options.get("rate", 0.1) * u**3
    return np.sum(u)
"""


def test_a_dict_may_be_asked_in_a_loop() -> None:
    f = function(OPTIONS)
    args = (numbers(3), {"rate": 0.2}, 6)
    assert np.array_equal(s2sad.grad(f, checkpoint="sqrt")(*args), s2sad.grad(f)(*args))


def bound_on_one_way(u, x):
    for k in range(3):
        s = x * u[k]
        x = np.sin(s) + u[1] * x
    if x > 5.0:
        for i in range(2):
            x = np.cos(x * i)
    for i in range(2):
        x = np.sin(x) * u[i]
        if x > 9.0:
            return x * i
    return x * u[0]


def found_on_one_way(u, x):
    if x > 5.0:
        scale = x * u[1]
    for k in range(3):
        x = np.sin(x * u[k])
        if x > 5.0:
            x = x * scale
    return x * u[0]


def bound_in_a_loop_within(u: Any, x: Any) -> Any:
    parts = []
    for _ in range(3):
        a = 0.0
        for k in range(3):
            a += np.cos(u[k] * x)
            kept = a.copy()
        parts.append(np.sin(-kept))
    return parts[-1] * parts[0]


@pytest.mark.parametrize("f", [bound_on_one_way, found_on_one_way, bound_in_a_loop_within])
@pytest.mark.parametrize("schedule", [s2sad.Recompute(), "sqrt"], ids=str)
def test_what_only_one_way_binds_may_be_handed_to_a_loop(f: Any, schedule: Any) -> None:
    args = np.array([0.3, 0.7, 0.9]), 0.4
    kept = s2sad.grad(f, ("u", "x"), checkpoint=schedule)(*args)
    assert all(map(np.allclose, kept, s2sad.grad(f, ("u", "x"))(*args)))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_an_object_that_an_earlier_loop_may_have_made(schedule: Any) -> None:
    args = (numbers(6), 0.7)
    expected = s2sad.grad(objects_or_none.looked_for_twice)(*args)
    found = s2sad.grad(objects_or_none.looked_for_twice, checkpoint=schedule)(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def exchanged_with_itself(u: Any, n: Any) -> Any:
    u = u * 1.0
    v = u
    for _ in range(n):
        u, v = v, u
        u *= 0.4 * v
    return np.sum(v * u)


def test_two_names_of_one_array_are_no_states() -> None:
    assert np.allclose(s2sad.grad(exchanged_with_itself)(np.ones(2), 1), 0.64)
    with pytest.raises(s2sad.Unsupported, match="two names"):
        s2sad.grad(exchanged_with_itself, checkpoint="sqrt")(np.ones(2), 2)


def left_as_it_was_found(u: Any, n: Any) -> Any:
    r = u * 1.0
    v = r[1:]
    for _ in range(n):
        r = np.sin(r) * u
    v[0] = 2.0 * v[1]  # of r, too, if there was no pass
    return np.sum(r * r)


def test_what_a_loop_may_leave_as_it_was_keeps_its_names() -> None:
    kept = s2sad.grad(left_as_it_was_found, checkpoint="sqrt")
    assert np.allclose(kept(np.ones(3), 0), [2.0, 0.0, 10.0])


def of_two_names_that_are_read(u: Any) -> Any:
    r = u * 1.0
    v = r[1:]
    s = u[0]
    for _ in range(3):
        s = np.sin(s + r[0]) * v[1] + r[1]
    r[0] = s * r[2]
    return np.sum(v * r[1:]) + r[0]


def of_one_array_several_times(u: Any) -> Any:
    r = u * 1.0
    r[1] = np.sin(u[0])
    xs = []
    for _ in range(5):
        xs.append(r)
    d = np.zeros(len(u))
    while len(xs) > 2:
        d = 0.5 * np.sin(d) + np.cos(xs.pop()) * xs[0]
    return np.sum(d * d * xs[1])


@pytest.mark.parametrize("f", [of_two_names_that_are_read, of_one_array_several_times])
def test_what_is_written_before_a_loop_may_have_several_names(f: Any) -> None:
    u = numbers(4)
    kept = s2sad.grad(f, like=(u,), checkpoint=s2sad.Every(2))
    assert "_loop_rev(" in kept.source
    expected = oracles.differences(f, (u,), (0,), 1.0)
    assert not oracles.compare(oracles.flatten((kept(u),), (u,)), expected)


def with_a_list_of_a_pass(u: Any, n: Any) -> Any:
    for k in range(n):
        ys = []
        for i in range(3):
            ys.append(np.sin(u) * u + i * k)
        u = u + 0.1 * ys[0] * ys[2]
    return np.sum(u)


def test_lists_that_a_pass_makes_are_its_own() -> None:
    args = numbers(3), 5
    kept = s2sad.grad(with_a_list_of_a_pass, like=args, checkpoint="sqrt")
    assert "_loop_rev(" in kept.source
    assert np.allclose(kept(*args), s2sad.grad(with_a_list_of_a_pass, like=args)(*args))


def exchanged(w: Any) -> Any:
    u, u_bar = w.copy(), np.zeros_like(w)
    for _ in range(2):
        u_bar[1:] = 0.5 * u[:-1] + np.sin(u[1:])
        u_bar[0] = w[2]
        u, u_bar = u_bar, u
    return np.sum(u**2)


@pytest.mark.parametrize("schedule", ["sqrt", s2sad.Binomial(2), s2sad.Every(2)])
def test_a_name_of_the_users_that_adjoints_would_have(schedule: Any) -> None:
    w = np.array([-0.7, 0.3, 0.4])
    made = s2sad.grad(exchanged, checkpoint=schedule)(w)
    sides = ((exchanged(w + e) - exchanged(w - e)) / 2e-6 for e in 1e-6 * np.eye(3))
    np.testing.assert_allclose(made, list(sides), rtol=1e-7)


LEAVING_MORE = (
    (object_found_in_a_loop.in_a_while_that_never_ends, (numbers(6), 0.7)),
    (object_found_in_a_loop.beside_the_one_before, (numbers(6), 0.7)),
    (object_found_in_a_loop.a_dict_that_will_do, (numbers(6), 0.7)),
    (merged_and_changed_dicts.entries_that_a_later_pass_finds, (np.array([0.7, 0.4, 0.9]),)),
    (notebook_idioms.watched_and_left_early, (numbers(5),)),
)


@pytest.mark.parametrize("f, args", LEAVING_MORE, ids=lambda each: getattr(each, "__name__", ""))
def test_loops_in_a_try_and_containers_that_passes_leave(f: Any, args: Any) -> None:
    wrt = tuple(range(len(args)))
    kept = s2sad.grad(f, wrt, like=args, checkpoint=s2sad.Every(2))
    assert "_loop_rev(" in kept.source
    expected = oracles.differences(f, args, wrt, 1.0)
    assert not oracles.compare(oracles.flatten(kept(*args), args), expected)


def test_pairs_of_a_tuple_have_no_adjoint_as_a_whole() -> None:
    with pytest.raises(s2sad.Unsupported, match="container as a whole"):
        s2sad.grad(heaps.heap_through_a_grid, checkpoint="sqrt")(numbers(6))


def parts_exchanged(p: Any, u: Any) -> Any:
    whole, rest = np.modf(p)
    for _ in range(3):
        u = u * np.tanh(whole - u)
        whole, rest = rest, whole
    return np.sum(u) + rest


@pytest.mark.parametrize("schedule", ["sqrt", s2sad.Binomial(2), s2sad.Every(2)])
def test_numbers_of_one_call_may_be_exchanged(schedule: Any) -> None:
    args = 1.3, np.array([-0.7, 0.3, 0.4])
    plain = s2sad.grad(parts_exchanged, ("p", "u"))(*args)
    made = s2sad.grad(parts_exchanged, ("p", "u"), checkpoint=schedule)(*args)
    assert all(np.allclose(one, other) for one, other in zip(made, plain, strict=True))
