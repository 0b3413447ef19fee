"""How each value that the reverse sweep reads is had again, and what the reader is told of it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.programs import primal
from tests.programs.entry import numbers
from tests.texts import defined

U = numbers(6)


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
    assert "saved.append((x, up))" in text  # x for both sides of the branch
    assert "taken_saved.append(taken)" in text
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
