"""What the user wrote stands in the forward sweep as it was written, and nothing is kept for nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2sad.api.pipeline import gradient_of
from s2sad.api.request import Request
from s2sad.ir.text import runnable, text
from s2sad.optimize import simplify
from tests.oracles import compare, differences, flatten

U = np.array([0.7, -0.4, 0.9, 0.5, -1.1, 0.3])


def simplified(function: Callable[..., Any], *args: Any, wrt: str = "u") -> Any:
    """Return the text of a gradient, which is held against differences."""
    made = gradient_of(Request(function, (wrt,)), args)
    program = simplify(made.program, made.context)
    place = function.__code__.co_varnames.index(wrt)
    found = flatten(runnable(program)(*args), args[place])
    assert compare(found, differences(function, args, (place,))) is None, text(program)
    return text(program)


def recurrence(u: Any) -> Any:
    y = 0.0 * u
    for i in range(len(u) - 1):
        y[i + 1] = np.sin(y[i]) + u[i]
    return np.sum(y**3)


def backwards(u: Any) -> Any:
    y = u.copy()
    for i in range(len(u) - 2, -1, -1):
        y[i] = u[i] * y[i + 1] ** 2
    return np.sum(y)


def by_rows(u: Any) -> Any:
    F = np.zeros((3, len(u)))
    F[0] = u
    for t in range(1, 3):
        for s in range(1, len(u)):
            F[t, s] = F[t - 1, s] * F[t, s - 1] + u[s] * F[t - 1, s - 1]
    return np.sum(F**2)


@pytest.mark.parametrize("function", [recurrence, backwards, by_rows])
def test_elements_that_no_later_pass_overwrites_are_not_saved(function: Any) -> None:
    assert "_saved" not in simplified(function, U)


def around_the_end(u: Any) -> Any:
    y = u.copy()
    for i in range(len(u)):
        y[i] = y[i - 1] * y[i - 2] * u[i]
    return np.sum(y)


def in_sweeps(u: Any) -> Any:
    y = u.copy()
    for _ in range(2):
        for i in range(1, len(u)):
            y[i] = y[i] * y[i - 1]
    return np.sum(y)


def ahead(u: Any) -> Any:
    y = u.copy()
    for i in range(len(u) - 1):
        y[i] = y[i] * y[i + 1]
    return np.sum(y)


def after_the_loop(u: Any) -> Any:
    y = u.copy()
    for i in range(len(u) - 1):
        y[i + 1] = y[i] ** 2 * u[i]
    y[i] = 2.0 * u[0]
    return np.sum(y)


@pytest.mark.parametrize("function", [around_the_end, in_sweeps, ahead, after_the_loop])
def test_elements_that_may_be_overwritten_are_saved(function: Any) -> None:
    shown = simplified(function, U)
    assert "_saved" in shown or "y_old" in shown


def test_terms_go_back_to_where_they_were_written() -> None:
    def stepped(u: Any) -> Any:
        for _ in range(2):
            u = u - 0.1 * u * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
        return np.sum(u**2)

    assert "u = u - 0.1 * u * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))" in simplified(stepped, U)


def test_what_only_the_reverse_sweep_reads_is_computed_there() -> None:
    def distances(u: Any) -> Any:
        total = 0.0
        for k in range(3):
            total = total + np.dot(u, np.sin(k * u)) ** 2
        return total

    assert simplified(distances, U).count("np.dot") == 1


def test_rows_are_written_to_where_they_stand() -> None:
    def grid(u: Any) -> Any:
        A = np.outer(u, u)
        for i in range(2):
            A[i][0] = A[i][1] * A[i + 1][0]
        return np.sum(A)

    shown = simplified(grid, U)
    assert "A[i][0] = A[i][1] * A[i + 1][0]" in shown


def test_what_is_added_at_positions_was_read_before() -> None:
    def taken_from_itself(u: Any) -> Any:
        v = 1.0 * u
        np.subtract.at(v, np.array([-1, -6, 0]), v[3:] * np.tanh(u[:3]))
        return np.sum(v**2)

    simplified(taken_from_itself, U)
