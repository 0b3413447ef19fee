"""What makes emitted text short keeps every bit, or the order of sums at most."""

from __future__ import annotations

import random

import numpy as np
import pytest

import s2sad
from s2sad.legacy.accumulate import accumulated
from s2sad.ir.errors import Span
from s2sad.legacy.facts import Fact, fact_of_value
from s2sad.legacy.printing import text
from s2sad.legacy.program import (Assign, Call, Const, Expr, Op, Ref, Update, Var,)
from s2sad.legacy.simplify import simplified
from s2sad.legacy.zeros import disjoint
from tests import oracles
from tests.emitted import functions

SPAN = Span("f.py", "f", 3)
ROW, OTHER = Var("i", 1), Var("j", 1)
ARRAY, NUMBER = Var("x~bar", 1), Var("c~bar", 1)


def known(var: Var) -> Fact:
    return fact_of_value(np.ones(4) if var.slot.startswith("x") else 0.5, var.slot)


def random_product(rng: random.Random, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.2:
        constants = [Const(value) for value in (2.0, 0.5, -4.0, 1.0, 3.0, 0.1, -1.0)]
        spread = Call(Ref("np.full_like", np.full_like), (ARRAY, rng.choice(constants)))
        return rng.choice([ARRAY, NUMBER, ARRAY, spread, *constants])
    op = rng.choice(["*", "*", "*", "/", "u-"])
    parts = tuple(random_product(rng, depth - 1) for _ in range(1 if op == "u-" else 2))
    return Op(op, parts)


@pytest.mark.parametrize("seed", range(150))
def test_products_keep_every_bit(seed: int) -> None:
    rng = random.Random(seed)
    value = random_product(rng, 5)
    target = Var("y~bar", 1)
    (stmt,) = simplified((Assign((target,), value, SPAN),), known)
    assert isinstance(stmt, Assign)
    space = {"np": np, "x": np.array([0.1, -1.7, 3.3e5, 7.1e-9]), "c": 0.7312}
    before, after = (
        eval(text(e, lambda slot: slot.split("~")[0]), space) for e in (value, stmt.value)
    )
    # what was spread may be a number again, but only beside an array
    assert np.array_equal(before, np.broadcast_to(after, np.shape(before)))
    assert np.size(before) == np.size(after) or np.ndim(after) == 0


ROWS = [
    (Const(-1), Const(-2), True),
    (Const(0), Const(1), True),
    (Const(0), Const(-1), False),
    (Const(2), Const(2), False),
    (ROW, Op("+", (ROW, Const(1))), True),
    (ROW, Op("-", (ROW, Const(1))), False),
    (ROW, OTHER, False),
    (OTHER, Op("+", (OTHER, Const(1))), False),
    (Op("slice", (Const(1), Const(None), Const(None))), Const(0), False),
]


@pytest.mark.parametrize(("a", "b", "apart"), ROWS)
def test_different_elements(a: Expr, b: Expr, apart: bool) -> None:
    # i counts from 0; nothing is known of j
    assert disjoint(a, b, {ROW: 0}) is apart
    assert disjoint(b, a, {ROW: 0}) is apart


def test_contributions_of_one_line_are_one_statement() -> None:
    old, mid, new = (Var("x~bar", n) for n in (1, 2, 3))
    first = Update(mid, old, None, "-", Op("*", (Const(2.0), Var("c~bar", 1))), SPAN)
    second = Update(new, mid, None, "+", Var("c~bar", 1), SPAN)
    (merged,) = accumulated((first, second), known)
    assert merged == Update(new, old, None, "+", Op("-", (second.value, first.value)), SPAN)
    other = Update(new, mid, None, "+", Var("c~bar", 1), Span("f.py", "f", 4))
    assert accumulated((first, other), known) == (first, other)


def stepped(u):
    v = u.copy()
    for i in range(len(v)):
        v[i - 1] = v[i] * 0.5
    v[0] = v[-1] * v[0]
    return np.sum(v * v)


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("function", [stepped])
def test_zeros_move_only_past_other_elements(function: object, length: int) -> None:
    args = (np.random.default_rng(length).standard_normal(length),)
    found = s2sad.grad(function, like=args)(*args)
    expected = oracles.differences(function, args, (0,))  # type: ignore[arg-type]
    assert oracles.compare(oracles.flatten((found,), args), expected) is None


def wave(x, k):
    phase = k * x
    swell = np.sin(phase) + 0.1 * np.sin(3.0 * phase)
    depth = np.exp(-x)
    return swell * depth


def three_waves(x, y):
    return wave(x, 2.0) * wave(y, 3.0) + wave(x * y, 4.0)


def test_equal_derivatives_of_a_callee_are_written_once() -> None:
    source = s2sad.grad(three_waves, ("x", "y"), like=(0.3, 1.2)).source
    assert source.count("def wave_rev") == 1
    assert source.count("wave_rev(") == 4


def test_seed_is_given_by_name_after_a_default() -> None:
    source = s2sad.vjp(functions.cube).source
    assert "def cube_vjp(x, scale=2.0, *, seed):" in source
