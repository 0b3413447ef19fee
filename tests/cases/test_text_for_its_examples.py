"""A text that is made with examples takes those very examples, out of its file."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import S2sadError
from tests import oracles
from tests.compare import Row, rows

A = np.linspace(0.2, 1.3, 12).reshape(4, 3)
K = np.linspace(-0.7, 0.9, 12).reshape(4, 3)


def columns_of_two_widths(A, k):
    p = A[:, 0:2]
    q = k[:, 1:2]
    return np.sum(p * q)


def row_against_rows(A, k):
    p = A[:, 0:2]
    q = k[0:1]
    r = p * q[:, :2]
    return np.sum(r * r)


def column_that_is_computed(A, k):
    p = A @ k.T
    q = k[:, :1] * 2.0
    return np.sum(p / (3.0 + q))


def in_a_function(A, k):
    return columns_of_two_widths(np.sin(A), k * A)


FUNCTIONS = (columns_of_two_widths, row_against_rows, column_that_is_computed, in_a_function)


@pytest.mark.parametrize("mode", ("grad", "value_and_grad", "vjp", "jvp"))
@pytest.mark.parametrize("function", FUNCTIONS)
def test_slices_of_unlike_lengths(function, mode):
    made = getattr(s2sad, mode)(function, wrt=(0, 1), like=(A, K))
    more = {"vjp": (1.0,), "jvp": (K, A)}.get(mode, ())
    alone = oracles.standalone(made.source, made.__name__)(A.copy(), K.copy(), *more)
    if mode == "jvp":
        tangent = alone[1]
    else:
        A_bar, K_bar = alone[1] if mode == "value_and_grad" else alone
        tangent = np.sum(A_bar * K) + np.sum(K_bar * A)
    step = 1e-6
    up, down = (function(A + s * K, K + s * A) for s in (step, -step))
    assert np.isclose(tangent, (up - down) / (2 * step), rtol=1e-7)


def takes_its_examples(row: Row) -> Any:
    """Return what the saved text gives for the examples; None where the function is refused."""
    wrt = row.wrt[0] if len(row.wrt) == 1 else row.wrt
    mode = row.mode if row.mode in ("grad", "vjp", "value_and_grad") else "vjp"
    try:
        made = getattr(s2sad, mode)(row.function, wrt=wrt, like=row.args)
        source = made.source
        made.refuse_unreachable()
    except S2sadError:
        return None
    seeds = (row.seed,) if mode == "vjp" else ()
    return oracles.standalone(source, made.__name__)(*copy.deepcopy(row.args), *seeds)


PARTS = [pytest.param(k, marks=[pytest.mark.slow] if k % 6 else []) for k in range(24)]


@pytest.mark.parametrize("part", PARTS)
def test_every_program_and_kernel(part):
    """Each text runs for what it was made for: it raises nothing."""
    taken = [
        takes_its_examples(row) for row in list(rows())[part::24] if "adaptive" not in row.label
    ]
    assert sum(each is not None for each in taken) > 0.8 * len(taken)


def parts_of_what_a_loop_adds_up(p, w):
    total = 0.0
    for _ in range(3):
        total += w
        last = total
    return np.concatenate([last[1:], total[:1]])


def test_a_seed_is_not_asked_for_a_length_of_nothing_the_caller_gives():
    w, seed = np.linspace(0.1, 0.7, 7), np.linspace(1.0, 2.0, 7)
    df = s2sad.vjp(parts_of_what_a_loop_adds_up, wrt="w", like=(0.4, w))
    want = 3.0 * np.concatenate([[seed[-1]], seed[:-1]])
    alone = oracles.standalone(df.source, df.__name__)
    np.testing.assert_allclose(alone(0.4, w, seed), want)


def smoothed(x: Any) -> Any:
    return np.sum(np.convolve(x, [1.0, 2.0, 3.0], "same")) + np.sum(
        np.correlate(x, [1.0, 2.0], "same")
    )


@pytest.mark.parametrize("like", [(np.ones(5),), None])
def test_what_is_shorter_than_its_kernel_is_right_or_refused(like: Any) -> None:
    x = np.array([0.7])
    try:
        found = s2sad.grad(smoothed, like=like)(x)
    except ValueError as error:
        assert like is not None
        assert "n >= 3" in str(error)
        return
    assert found == pytest.approx(oracles.differences(smoothed, (x,), (0,)).value)


def last_or_all(x):
    if len(x) == 1:
        x = x[0]
    return np.sum(np.vstack((x, x)).T[0] ** 2)


@pytest.mark.parametrize("made_for, other", ((1, 3), (3, 1)))
def test_the_text_asks_for_the_lengths_that_decide_a_branch(made_for, other):
    x = np.linspace(0.3, 0.9, made_for)
    made = s2sad.grad(last_or_all, like=(x,))
    alone = oracles.standalone(made.source, made.__name__)
    assert np.allclose(alone(x.copy()), np.where(np.arange(made_for) < 1, 4.0 * x, 0.0))
    with pytest.raises(ValueError, match="made for"):
        alone(np.linspace(0.3, 0.9, other))
