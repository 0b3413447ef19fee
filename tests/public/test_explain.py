"""What is said of a gradient's memory before it runs is what it takes when it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests.loops.test_schedules import CALLED, CONTROLS, HEAT, IN_PLACE, ONLINE, function, peak
from tests.texts import defined

BURGERS = """
def burgers(u, nu, dx, dt, nt):
    u = u.copy()
    for t in range(nt):
        steps = (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] -= dt * u[1:-1] * (u[2:] - u[:-2]) / (2.0 * dx) - dt * nu * steps
    return 0.5 * np.sum(u**2)
"""
PLATE = """
def plate(u, k, hours):
    n = int(hours / 0.5)
    for i in range(1, n):
        u = u + 0.1 * (k @ np.tanh(u))
    return np.sum(u * u)
"""
# a state of another name's length, and passes over two arrays at once
CELLS = """
def cells(w, h, xs, ys):
    loss = 0.0
    for x, y in zip(xs, ys):
        h = np.tanh(w * x + 0.1 * h)
        loss += np.sum((h - y) ** 2)
    return loss
"""
U = np.linspace(0.0, 1.0, 20_000)
M = np.linspace(0.0, 1.0, 240_000).reshape(60, 4000)
LEARNT = np.linspace(0.0, 1.0, 40_000).reshape(200, 200) / 200.0
CASES = {
    "heat": (HEAT, ("u", "nu"), (U, 0.3, 0.01, 60), None),
    "heat sqrt": (HEAT, ("u", "nu"), (U, 0.3, 0.01, 90), "sqrt"),
    "heat binomial": (HEAT, ("u", "nu"), (U, 0.3, 0.01, 60), s2sad.Binomial(8)),
    "wave": (IN_PLACE, ("u", "c"), (U, 0.01, 50), None),
    "wave every": (IN_PLACE, ("u", "c"), (U, 0.01, 50), s2sad.Every(10)),
    "controls": (CONTROLS, ("m", "u"), (M, M[0], M), None),
    "controls sqrt": (CONTROLS, ("m", "u"), (M, M[0], M), s2sad.Binomial(5)),
    "burgers": (BURGERS, "u", (U, 0.01, 0.1, 1e-5, 60), None),
    "burgers binomial": (BURGERS, "u", (U, 0.01, 0.1, 1e-5, 60), s2sad.Binomial(20)),
    "cells": (CELLS, ("w", "h"), (M[1], M[0], M, M), None),
    "cells sqrt": (CELLS, ("w", "h"), (M[1], M[0], M, M), "sqrt"),
    "plate, all": (PLATE, "u", (M[0, :200] + np.zeros((200, 200)), LEARNT, 15.0), None),
    "plate": (PLATE, ("u", "k"), (M[0, :200] + np.zeros((200, 200)), LEARNT, 15.0), "sqrt"),
}


@pytest.mark.parametrize("source, wrt, args, checkpoint", CASES.values(), ids=CASES.keys())
def test_the_peak_is_predicted(source: str, wrt: Any, args: Any, checkpoint: Any) -> None:
    told = s2sad.explain(function(source), wrt, like=args, checkpoint=checkpoint)
    made = s2sad.grad(function(source), wrt, like=args, checkpoint=checkpoint)
    assert told.peak == pytest.approx(peak(made, *args), rel=0.2)


def test_every_value_is_told_with_its_reason_and_its_bytes() -> None:
    told = s2sad.explain(function(HEAT), ("u", "nu"), like=(U, 0.3, 0.01, 60))
    saved = [row for row in told.rows if row.how == "saved"]
    assert [(row.name, row.size.formula, row.size.number) for row in saved] == [
        ("u", "8 * nt * len(u)", 60 * 8 * U.size)
    ]
    assert {row.name for row in told.rows if row.how == "computed again"} == {"lap"}
    assert "saved           8 * nt * len(u) = 9.6 MB  the adjoints of lines" in str(told)
    assert str(told).endswith("of which saved: 8 * nt * len(u)")


def test_a_loop_of_a_called_function_counts() -> None:
    told = s2sad.explain(function(CALLED), "u", like=(U, 0.3))
    made = s2sad.grad(function(CALLED), "u", like=(U, 0.3))
    assert sum(row.size.number for row in told.rows if row.how == "saved") == 14 * 8 * U.size
    assert told.peak == pytest.approx(peak(made, U, 0.3), rel=0.4)


def test_states_of_a_schedule_are_told() -> None:
    told = s2sad.explain(function(HEAT), "u", like=(U, 0.3, 0.01, 100), checkpoint="sqrt")
    (states,) = (row for row in told.rows if row.how == "states")
    assert states.size.formula == "2 * sqrt(nt) * 8 * len(u)"
    assert states.size.number == 19 * 8 * U.size  # the first of ten is one of the last ten
    called = s2sad.explain(function(CALLED), "u", like=(U, 0.3), checkpoint=s2sad.Every(2))
    assert sum(row.how == "states" for row in called.rows) >= 1


def test_scheduled_loops_of_called_functions_count() -> None:
    told = s2sad.explain(function(CALLED), "u", like=(U, 0.3), checkpoint="sqrt")
    made = s2sad.grad(function(CALLED), "u", like=(U, 0.3), checkpoint="sqrt")
    assert told.peak == pytest.approx(peak(made, U, 0.3), rel=0.5)


GROWING = """
def growing(u, n):
    for _ in range(n):
        u = np.sin(np.concatenate([u, u[:1]]))
    return np.sum(u)
"""


def test_of_states_that_grow_no_peak_is_known() -> None:
    f = function(GROWING)
    assert s2sad.explain(f, like=(U, 3), checkpoint="sqrt").peak is None
    with pytest.raises(s2sad.ArgumentError, match="no budget can be kept"):
        s2sad.grad(f, like=(U, 3), memory="1 kB")


ASKING = HEAT.replace("range(nt)", "s2sad.checkpointed(range(nt))").replace(
    "def", "import s2sad\n\ndef"
)


def test_the_states_of_a_loop_that_asks_itself_are_told() -> None:
    told = s2sad.explain(function(ASKING), "u", like=(U, 0.3, 0.01, 90))
    (states,) = (row for row in told.rows if row.how == "states")
    asked = s2sad.explain(function(HEAT), "u", like=(U, 0.3, 0.01, 90), checkpoint="sqrt")
    assert states.size.number == 8 * 18 * U.size and told.peak == asked.peak


def test_what_is_not_known_before_is_not_predicted() -> None:
    told = s2sad.explain(function(ONLINE), like=(0.5, 4))
    assert told.peak is None
    assert "peak: not known before" in str(told)


def test_without_examples_nothing_is_known_of_sizes() -> None:
    told = s2sad.explain(function(HEAT), ("u", "nu"), checkpoint="sqrt")
    assert told.peak is None
    (states,) = (row for row in told.rows if row.how == "states")
    assert states.size.formula.startswith("2 * sqrt(nt) * ") and states.size.number is None


def test_the_schedule_that_a_budget_chooses_is_told() -> None:
    told = s2sad.explain(function(HEAT), "u", like=(U, 0.3, 0.01, 120), memory="3 MiB")
    (states,) = (row for row in told.rows if row.how == "states")
    assert "Binomial(slots=" in states.why
    assert told.peak is not None and 0.9 * 3 * 2**20 < told.peak <= 3 * 2**20


@pytest.mark.parametrize(
    "length",
    [
        12_000,
        pytest.param(17_345, marks=pytest.mark.slow),
        pytest.param(30_303, marks=pytest.mark.slow),
    ],
)
def test_the_least_that_a_refused_budget_names_is_enough(length: int) -> None:
    args = (U[0] + np.linspace(0.0, 1.0, length), 0.3, 0.01, 40)
    with pytest.raises(s2sad.ArgumentError, match=r"[\d.]+ MB is the least") as caught:
        s2sad.grad(function(HEAT), like=args, memory="1 kB")
    least = caught.value.problem.split(": ")[1].removesuffix(" is the least")
    made = s2sad.grad(function(HEAT), like=args, memory=least)
    assert peak(made, *args) <= 1.2 * float(least.split()[0]) * 1e6


def test_a_function_that_keeps_nothing_says_so() -> None:
    told = s2sad.explain(defined("def f(x):\n    return 2.0 * x"), like=(0.5,))
    assert not [row for row in told.rows if row.how in ("saved", "states")]
    assert str(told).endswith("peak: 0 bytes")


# ---------------------------------------------------------------- budgets


LEAST = pytest.param("2 MB", marks=pytest.mark.slow)  # twenty seconds of passes


@pytest.mark.parametrize("budget", [LEAST, "3.2 MB", 6e6, "1 GB"])
def test_a_budget_is_kept(budget: Any) -> None:
    args = (U, 0.3, 0.01, 120)
    made = s2sad.grad(function(HEAT), ("u", "nu"), like=args, memory=budget)
    amount = (
        float(budget.split()[0]) * {"MB": 1e6, "GB": 1e9}[budget.split()[1]]
        if isinstance(budget, str)
        else budget
    )
    taken = peak(made, *args)
    assert taken <= 1.05 * amount
    assert ("HEAT_SLOTS" in made.source) == (budget != "1 GB")
    assert taken >= 0.7 * amount or budget == "1 GB"  # the fewest passes that fit
    assert "Predicted peak of memory: " in made.source
    for a, b in zip(made(*args), s2sad.grad(function(HEAT), ("u", "nu"))(*args), strict=True):
        assert np.allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"memory": "1 kB"}, r"no schedule keeps within 1 kB: [\d.]+ MB is the least"),
        ({"memory": "much"}, "takes an amount such as '2 GB'"),
        ({"memory": "2 parsecs"}, "takes an amount"),
        ({"memory": -4}, "takes an amount"),
        ({"memory": "2 GB", "checkpoint": "sqrt"}, "together with checkpoint="),
        ({"memory": "2 GB", "like": None}, "without like="),
    ],
)
def test_budgets_that_cannot_be_kept(options: Any, words: str) -> None:
    args = (U, 0.3, 0.01, 120)
    with pytest.raises(s2sad.ArgumentError, match=words):
        s2sad.grad(function(HEAT), ("u", "nu"), **{"like": args, **options})


def sines(x: Any) -> Any:
    for _ in range(6):
        x = np.sin(x)
    return x


def sum_beside(x: Any) -> Any:
    return np.sum(sines(x)), x


def first_not_bound(x: Any) -> Any:
    total, i = 0.0, 0
    while i < len(x) and (v := x[i]) < 10.0:
        total += v**2
        i += 1
    return total


def test_a_budget_of_what_gives_no_number() -> None:
    x = np.array([0.3, 0.9])
    plain = s2sad.vjp(sines)(x, x)
    assert np.allclose(s2sad.vjp(sines, like=(x,), memory="1 MB")(x, x), plain, rtol=1e-14)
    with_aux = s2sad.value_and_grad(sum_beside, like=(x,), memory="1 MB", has_aux=True)
    assert np.allclose(with_aux(x)[1], s2sad.vjp(sines)(x, np.ones(2)), rtol=1e-14)


def test_a_budget_for_a_loop_without_a_schedule_is_refused() -> None:
    x = np.linspace(0.1, 0.9, 40)
    with pytest.raises(s2sad.Unsupported, match="v has no value before this loop"):
        s2sad.grad(first_not_bound, like=(x,), memory="300 bytes")
