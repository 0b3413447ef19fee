"""Writes are said again under every name of the memory, and left out where that is idle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles
from tests.texts import defined, run


def one_object(u):
    b = u
    b[1:] = u[:-1] ** 2
    return np.sum(u * b)


def rows(A):
    A = A.copy()
    for i in range(len(A)):
        row = A[i]
        row[:] = np.sin(row) * row[0]
        row += 1.0
        row *= row
    return np.sum(A**2)


def view_of_a_view(u):
    u = u.copy()
    inner = u[1:-1]
    last = inner[2:]
    last *= u[0]
    inner[0] = last[0] ** 2
    return np.sum(u * u) + np.sum(inner)


def base_written(u):
    u = u.copy()
    r = u[1:-1]
    u[2] = u[1] * u[0]
    r[0] = u[3] ** 2
    return np.sum(r * r) + np.sum(u)


def whole_in_place(u, c):
    b = u
    b *= c
    b += u
    return np.sum(u * u) + b[0]


def numbers_are_apart(u):
    x = u[0]
    y = x
    y += 2.0
    x *= u[1]
    return x * y


def scale(y, c):
    y *= c


def helper_on_the_whole(u, c):
    v = u * 1.0
    scale(v, c)
    scale(v, v[0])
    return np.sum(v**2)


def add_to(y, x):
    y += x * x
    x[0] = y[1]


def one_array_twice(u):
    v = u * 1.0
    add_to(v, v)
    return np.sum(v**2)


def first_of(x):
    x[0] = x[1] ** 2
    return x


def part_given_back(u):
    u = u.copy()
    q = first_of(u[1:-1])
    q[2] = np.sin(u[0])
    return np.sum(u**2)


def same(a, u):
    return u


def given_back(u):
    r = same(1.0, u)
    r[:] -= 0.5 * r[::-1] ** 2
    return np.sum(u * r)


def list_items(u):
    xs = [u * 1.0, u * 2.0]
    x = xs[0]
    x[1] = xs[1][0] ** 2
    ys = xs
    ys.append(x * x)
    return np.sum(xs[0]) + np.sum(xs[2])


def in_turn(u, n):
    a, b = u.copy(), u * 2.0
    for _ in range(n):
        a, b = b, a
        c = a
        c[0] += b[1] ** 2
    return np.sum(a * b)


def linked_in_a_loop(u, n):
    v = u.copy()
    w = v
    s = 0.0
    for _ in range(n):
        s += w[0] ** 2
        v[0] = np.sin(s + w[1])
    return s + np.sum(w)


def on_one_side(u, c):
    v = u.copy()
    w = v[1:]
    if c > 0.0:
        v[1] = u[0] ** 2
    else:
        w[0] *= c
    return np.sum(w * w) + v[1]


def loop_over_two_names(u, v):
    u = u.copy()
    for r in (u, v):
        u[1] = np.sin(u[0]) * r[2]
        u *= r
    return np.sum(u**2)


def loops_over_what_they_write(u, v):
    u = u.copy()
    for x, y in zip(u, v[1:]):  # noqa: B905
        u[0] += x * y
    for i, x in enumerate(u[1:]):
        u[i] *= x
    for x in reversed(u):
        u[2] = np.sin(x) + u[2]
    return np.sum(u**2)


def loops_over_rows(A):
    A = A.copy()
    for row in A:
        row *= row[0]
        row[1] = np.sin(row[2])
    for row in A[1:]:
        A[0] += row
    return np.sum(A**2)


U = np.linspace(0.2, 1.1, 6)
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (one_object, (U,)),
    (rows, (np.outer(U, U) + 0.1,)),
    (view_of_a_view, (U,)),
    (base_written, (U,)),
    (whole_in_place, (U, 1.5)),
    (numbers_are_apart, (U,)),
    (helper_on_the_whole, (U, 1.3)),
    (one_array_twice, (U,)),
    (part_given_back, (U,)),
    (given_back, (U,)),
    (list_items, (U,)),
    (in_turn, (U, 3)),
    (linked_in_a_loop, (U, 3)),
    (loop_over_two_names, (U, U + 1.0)),
    (loops_over_what_they_write, (U, U + 1.0)),
    (loops_over_rows, (np.outer(U, U) + 0.1,)),
    (on_one_side, (U, 0.7)),
    (on_one_side, (U, -0.7)),
]


@pytest.mark.parametrize("f, args", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_writes_under_several_names(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    before = [np.copy(arg) for arg in args]
    report = s2sad.check_grad(f, args)
    assert report, str(report)
    assert all(np.array_equal(a, b) for a, b in zip(args, before, strict=True))


def test_an_echo_of_shared_memory_is_not_printed() -> None:
    text = s2sad.grad(rows, like=(np.outer(U, U),)).source
    forward = text.partition("# -- reverse sweep")[0]
    assert "row *= row" in forward
    assert "A[i] = row" not in forward


def test_generic_text_says_what_it_takes_an_argument_for() -> None:
    text = s2sad.grad(base_written).source
    assert "isinstance(u, (list, tuple))" in text
    gradient = oracles.standalone(text, "base_written_grad")
    assert np.allclose(gradient(U), s2sad.grad(base_written)(U))
    with pytest.raises(ValueError, match="an array or number u"):
        gradient([0.1, 0.2, 0.3, 0.4])


@pytest.mark.parametrize("line", ["M = L * 2", "M = 2 * L", "N = L\n    M = N + N"])
def test_a_text_says_that_it_is_not_made_for_lists(line: str) -> None:
    """Of lists `*` and `+` are something else, and what has no examples cannot tell."""
    function = defined(f"def f(L):\n    {line}\n    return M[0] * M[2]")
    gradient = run(s2sad.grad(function).source, "f_grad")
    assert np.allclose(gradient(np.array([0.5, 0.2, 0.3])), [1.2, 0.0, 2.0])
    with pytest.raises(ValueError, match="an array or number L"):
        gradient([0.5, 0.2, 0.3])
    # called, it knows what it is given
    assert np.allclose(s2sad.grad(function)([0.5, 0.2, 0.3]), [0.3, 0.0, 0.5])


def test_copies_of_an_argument_are_asked_nothing() -> None:
    function = defined("def f(L):\n    M = L\n    return M[0] * 2")
    assert "isinstance" not in s2sad.grad(function).source
