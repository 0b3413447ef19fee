"""Tests that are saved take a byte each: nothing is read of them but whether they hold.

warm_saved = bytearray()                  if warm_saved.pop():
warm_saved.append(bool(warm))             x_bar = ...
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from s2sad.program import Block, Call, Const, Expr, If, Op, Ref, Var
from s2sad.traverse import expressions, reads, statements

if TYPE_CHECKING:
    from s2sad.checkpoint import Plan

LOGICAL = ("not", "and", "or")


def flags_of(plan: Plan, sweep: Block, result: Expr) -> frozenset[Var]:
    """Return the saved truth values of which the reverse sweep reads no more than that."""
    from s2sad.checkpoint import recompute_as

    saved = (var for var, decision in plan.decisions.items() if decision.how == "saved")
    found = {var for var in saved if plan.fact(var).kind == "bool"}
    if not found:
        return frozenset()
    found -= {*reads(result), *(var for stmt in statements(sweep) for var in _read_in(stmt))}
    for var, decision in plan.decisions.items():
        if decision.how == "recomputed":
            found -= {*reads(recompute_as(plan.homes[var].stmt) or var)}
    return frozenset(found)


def _read_in(stmt: object) -> Iterator[Var]:
    """Yield what a statement reads otherwise than as a test."""
    if isinstance(stmt, If):
        yield from _besides_tests(stmt.test)
        return
    for expr in expressions(stmt):  # type: ignore[arg-type]
        yield from reads(expr)


def _besides_tests(test: Expr) -> Iterator[Var]:
    if isinstance(test, Op) and test.op in LOGICAL:
        for part in test.args:
            yield from _besides_tests(part)
    elif not isinstance(test, Var):
        yield from reads(test)


def as_flag(held: Var | None) -> Expr:
    """Return what is put in a byte: of NumPy's True and False the plain ones."""
    if held is None:
        return Const(False)  # of a path on which nobody reads it
    return Call(Ref("bool", bool), (held,))
