"""How each value that the reverse sweep reads is had again, and what the reader is told of it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.api.derive import request_for
from s2sad.api.fallback import with_facts
from s2sad.legacy.checkpoint import Plan, made_by, table
from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact
from s2sad.legacy.normalise import normalise
from s2sad.legacy.pipeline import derived_of
from s2sad.legacy.program import Assign, Const, Op, Update, Var
from tests.programs import primal
from tests.programs.entry import numbers
from tests.programs.targets import PARAMS
from tests.texts import defined

U = numbers(6)


def plan(function: Any, wrt: Any, *like: Any) -> Plan:
    made = derived_of(with_facts(request_for(function, wrt, like, mode="reverse")))[1].plan
    assert made is not None
    return made


def decided(made: Plan, how: str) -> list[str]:
    """Return the user's names among the values that are had in one way."""
    found = [var for var, decision in table(made) if decision.how == how]
    return sorted(f"{var.slot}@{var.version}" for var in found)


def of(source: str, how: str, *like: Any, wrt: Any = None) -> list[str]:
    return decided(plan(defined(source), wrt, *like), how)


# ---------------------------------------------------------------- the targets

SAVED = {
    "misfit": (primal.misfit, ("W", "m"), (numbers(4, 3), numbers(3), numbers(4)), []),
    "smooth": (primal.smooth, ("u", "c"), (U, 0.2), []),
    "huber": (primal.huber, ("r", "delta"), (U, 0.7), []),
    "first_crossing": (primal.first_crossing, 0, (U, 0.5, 0.1), []),
    "newton_sqrt": (primal.newton_sqrt, 0, (3.0, 1e-9), ["x"]),
    "allen_cahn": (primal.allen_cahn, ("u", "nu"), (U, 0.3, 0.05, 4), ["u"]),
    "pendulum": (primal.pendulum, 0, (0.5, 0.1, 9.8, 0.01, 5), ["theta"]),
    "mlp_loss": (primal.mlp_loss, 0, (PARAMS, numbers(6, 3), numbers(6, 2)), ["x"]),
}


@pytest.mark.parametrize("function, wrt, like, names", SAVED.values(), ids=SAVED.keys())
def test_what_the_targets_save(function: Any, wrt: Any, like: Any, names: list[str]) -> None:
    made = plan(function, wrt, *like)
    assert [name.partition("@")[0] for name in decided(made, "saved")] == names
    assert decided(made, "kept") == []


@pytest.mark.parametrize("function, wrt, like, names", SAVED.values(), ids=SAVED.keys())
def test_the_text_has_a_list_for_each_saved_value(
    function: Any, wrt: Any, like: Any, names: list[str]
) -> None:
    text = s2sad.grad(function, wrt, like=like).source
    lists = [line.strip() for line in text.splitlines() if line.strip().endswith("_saved = []")]
    assert lists == [f"{name}_saved = []" for name in names]


def test_first_crossing_counts_its_passes_and_saves_nothing() -> None:
    text = s2sad.grad(primal.first_crossing, like=(U, 0.5, 0.1)).source
    assert "_saved" not in text


# ---------------------------------------------------------------- small programs


def test_a_value_that_is_still_there_is_free() -> None:
    source = "def f(x):\n    y = np.sin(x)\n    return y * y"
    assert of(source, "kept", 0.3) == []
    assert "y@1" in of(source, "free", 0.3)


def test_an_overwritten_value_is_kept() -> None:
    source = "def f(x):\n    y = np.sin(x)\n    z = y * y\n    y = 2.0 * z\n    return y"
    assert of(source, "kept", 0.3) == ["y@1"]


def test_a_value_whose_memory_is_written_is_kept() -> None:
    source = "def f(u):\n    v = np.sin(u)\n    s = v @ v\n    v[0] = s\n    return np.sum(v)"
    assert of(source, "kept", U) == ["v@1"]


def test_a_name_written_in_the_other_branch_is_still_there() -> None:
    source = """
        def f(x, c):
            if c:
                y = np.sin(x)
                z = y * y
            else:
                y = x
                z = y
            return z
        """
    assert of(source, "kept", 0.3, True) == []


def test_only_a_shape_is_read() -> None:
    source = "def f(u):\n    v = np.sin(u)\n    s = np.sum(v)\n    v = 2.0 * s\n    return v"
    assert of(source, "kept", U) == []


def test_a_cheap_value_is_computed_again() -> None:
    source = """
        def f(x, n):
            for i in range(n):
                y = 2.0 * x
                x = np.sin(y) * y
            return x
        """
    assert of(source, "saved", 0.3, 2) == ["x@1"]
    assert "y@2" in of(source, "recomputed", 0.3, 2)


def test_an_expensive_array_is_saved() -> None:
    source = """
        def f(u, n):
            for i in range(n):
                v = np.sin(u)
                u = v * v
            return np.sum(u)
        """
    assert "v@2" in of(source, "saved", U, 2)


def test_loop_targets_are_given() -> None:
    source = """
        def f(u):
            s = 0.0
            for i in range(len(u)):
                s += u[i] * u[i]
            return s
        """
    assert of(source, "given", U) == ["i@2"]
    assert of(source, "saved", U) == []


def test_the_end_of_a_pass_is_the_head_of_the_next() -> None:
    made = plan(primal.mlp_loss, 0, PARAMS, numbers(6, 3), numbers(6, 2))
    assert len(decided(made, "handed on")) == 1


def test_what_the_sweep_does_not_read_has_no_decision() -> None:
    source = "def f(x, y):\n    a = x + y\n    b = a * 3.0\n    return b"
    assert of(source, "free", 0.3, 0.4) == []


FLAGS = """
def f(x, y, n):
    up = True
    big = False
    for i in range(n):
        if up:
            x = np.sin(x)
        else:
            x = x * x
        if big and not up:
            y = np.sin(y) * {}
        up = not up
        big = np.sum(y) > 0.5
    return x * np.sum(y)
"""


POSITIONS = """
def walked(x, n):
    s = 0.0
    for k in range(n):
        first = np.searchsorted(np.sort(x), 0.5)
        x = np.sin(x) * 1.2 - 0.1 * x[first - 1]
        for q in range(first, 3):
            s = s + {} * x[q] * x[first - 1]
    return s
"""


def test_positions_are_saved() -> None:
    f, x = defined(POSITIONS.format("1.0")), np.array([0.3, 0.4, 0.9])
    made = s2sad.grad(f, like=(x, 5))
    assert "first_saved.append(first)" in made.source
    assert s2sad.check_grad(f, (x, 5))
    # more than a position is read of it
    other = defined(POSITIONS.format("first"))
    along = np.cos(x)
    up, down = (s2sad.grad(other)(x + h * along, 5) for h in (1e-6, -1e-6))
    assert np.allclose((up - down) / 2e-6, s2sad.vjp(s2sad.grad(other))(x, 5, along), atol=1e-6)
    up, down = (made(x + h * along, 5) for h in (1e-6, -1e-6))
    assert np.allclose((up - down) / 2e-6, s2sad.vjp(made)(x, 5, along), atol=1e-6)


def test_tests_are_saved_and_not_what_they_ask() -> None:
    f = defined(FLAGS.format("x"))
    text = s2sad.grad(f, like=(0.3, U, 5)).source
    assert "saved.append((taken, up))" in text
    for x in (0.3, np.float64(0.3)):
        assert s2sad.check_grad(f, (x, U, 5))
    # more than a test is read of it
    assert s2sad.check_grad(defined(FLAGS.format("up")), (0.3, U, 5), wrt="y")


def test_saved_tests_are_differentiated_again() -> None:
    made = s2sad.grad(defined(FLAGS.format("x")), "y", like=(0.3, U, 5))
    along = np.cos(U)
    _, slope = s2sad.jvp(made, "y")(0.3, U, 5, along)
    up, down = (made(0.3, U + h * along, 5) for h in (1e-6, -1e-6))
    assert np.allclose(slope, (up - down) / 2e-6, rtol=1e-6, atol=1e-9)
    assert np.allclose(s2sad.vjp(made, "y")(0.3, U, 5, along), slope, rtol=1e-9)  # it is symmetric


# ---------------------------------------------------------------- running the decisions


@pytest.mark.parametrize("passes", [0, 1, 2, 5])
def test_saved_values_come_back_in_order(passes: int) -> None:
    source = """
        def f(x, n):
            for i in range(n):
                if x > 0.6:
                    x = np.cos(x)
                else:
                    x = np.exp(x) * x
                x = x * x + 0.1
            return x
        """
    function = defined(source)
    step = 1e-6
    slope = (function(0.7 + step, passes) - function(0.7 - step, passes)) / (2.0 * step)
    assert s2sad.grad(function)(0.7, passes) == pytest.approx(slope, rel=1e-7)


def test_a_gradient_frees_nothing_of_the_caller() -> None:
    u = U.copy()
    s2sad.grad(primal.smooth)(u, 0.2)
    assert np.array_equal(u, U)


# ---------------------------------------------------------------- for the reader


def test_table_in_the_order_of_the_text() -> None:
    made = plan(primal.newton_sqrt, 0, 3.0, 1e-9)
    orders = [made.homes[var].order for var, _ in table(made)]
    assert orders == sorted(orders)
    assert all(decision.why for _, decision in table(made))


def test_what_computes_a_value_again() -> None:
    text = "def f(x):\n    y = x * x\n    y += x\n    x[0] = y\n    a, b = x\n    return y"
    program = normalise(defined(text))
    first, second, third, fourth = program.body

    def known(var: Var) -> Fact:
        return Fact("array", "float64", (Dim("n"),))

    assert isinstance(first, Assign) and made_by(first, first.target, known) == first.value
    assert isinstance(second, Update) and isinstance(third, Update) and isinstance(fourth, Assign)
    assert made_by(second, second.new, known) == Op("+", (second.old, second.value))
    assert made_by(third, third.new, known) is None
    assert made_by(None, third.new, known) is None
    # each of several names is a part of what is taken apart, where that has parts in order
    part = Op("index", (fourth.value, Const(1)))
    assert made_by(fourth, fourth.targets[1], known) == part
    assert made_by(fourth, fourth.targets[1], lambda var: UNKNOWN) is None


# ---------------------------------------------------------------- elements, and what needs no copy

RELAXED = """
    def f(u, h, n):
        u = u.copy()
        for s in range(n):
            for i in range(1, len(u) - 1):
                u[i] = 0.5 * (u[i - 1] + u[i + 1]) + h * u[i] * u[i]
        return np.sum(u * u)
    """

ELIMINATED = """
    def f(A):
        A = A.copy()
        for k in range(len(A)):
            for i in range(k + 1, len(A)):
                A[i] -= A[i, k] / A[k, k] * A[k]
        return np.prod(np.diag(A))
    """

SQUARED_IN_PLACES = """
    def f(u, n):
        u = u.copy()
        for s in range(n):
            a = np.sum(u * u)
            u[0] = a * u[1] * u[1]
        return np.sum(u)
    """


def text_of(source: str, *like: Any) -> str:
    return s2sad.grad(defined(source), like=like).source


def test_a_store_to_an_element_saves_an_element() -> None:
    text = text_of(RELAXED, U, 0.1, 3)
    assert "u_saved.append(u[i])" in text
    assert text.count(".append(") == 1
    s2sad.check_grad(defined(RELAXED), (U, 0.1, 3), wrt=("u", "h"))


def test_a_store_to_a_row_saves_rows() -> None:
    A = numbers(4, 4) + 4.0 * np.eye(4)
    text = text_of(ELIMINATED, A)
    assert "A_saved.append(A[i].copy())" in text
    assert "append(A.copy())" not in text
    s2sad.check_grad(defined(ELIMINATED), (A,))


def test_of_an_array_that_is_read_whole_the_elements_are_saved_that_change() -> None:
    text = text_of(SQUARED_IN_PLACES, U, 2)
    assert text.count("u_saved.append(u[0])") == text.count(".append(") == 1


TWICE = """
    def f(a, n):
        s = [a, 2.0 * a]
        for i in range(n):
            s[0] = np.sin(s[1]) * s[1]
            s[1] = s[0] * s[0]
        return s[1]
    """


def test_what_is_read_twice_is_saved_once() -> None:
    text = text_of(TWICE, 0.6, 3)
    assert text.count("append(s[0])") == text.count("append(s[1])") == 1
    s2sad.check_grad(defined(TWICE), (0.6, 3))


FRESH = """
    def f(u, k, n):
        for s in range(n):
            lap = np.zeros_like(u)
            lap[1:-1] = u[2:] - u[:-2]
            u = u + k * lap
        return np.sum(u * u)
    """

# a later pass writes to what an earlier one has made
WRITTEN_LATER = """
    def f(u, k, n):
        held = np.zeros_like(u)
        for s in range(n):
            held[0] = 1.0
            lap = np.zeros_like(u)
            lap[1:-1] = u[2:] - u[:-2]
            u = u + k * lap + held[-1] * held[0]
            held = lap
        return np.sum(u * u)
    """


@pytest.mark.parametrize("source", [FRESH, WRITTEN_LATER])
def test_what_is_not_written_any_more_is_saved_without_a_copy(source: str) -> None:
    f = defined(source)
    text = s2sad.grad(f, ("u", "k"), like=(U, 0.3, 2)).source
    assert re.search(r"append\(.*\blap\b", text) and "lap.copy()" not in text
    s2sad.check_grad(f, (U, 0.3, 3), wrt=("u", "k"))
