"""What is saved of control is packed: tests take a byte each, positions eight bytes.

warm_saved = bytearray()                  if warm_saved.pop():
warm_saved.append(bool(warm))             x_bar = ...

i_saved = _integers()                     i = i_saved.pop()
i_saved.append(i)                         x_bar[i] += ...

Nothing else is read of them: of a number there could be told which type it had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from s2sad.legacy.facts import Fact
from s2sad.legacy.facts.device import is_held_number
from s2sad.legacy.program import Block, Call, Const, Expr, If, NewStore, Op, Ref, Stmt, Update, Var
from s2sad.legacy.templating import INTEGERS, PRINTED_FUNCTION
from s2sad.legacy.traverse import children, expressions, reads, statements

if TYPE_CHECKING:
    from s2sad.legacy.checkpoint import Plan

LOGICAL = ("not", "and", "or")


def flags_of(plan: Plan, sweep: Block, result: Expr) -> frozenset[Var]:
    """Return the saved truth values of which the reverse sweep reads no more than that."""
    found = _saved(plan, lambda fact: fact.kind == "bool")
    return _read_alone(found, plan, sweep, result, _read_in, reads)


def _saved(plan: Plan, fits: Callable[[Fact], bool]) -> frozenset[Var]:
    saved = (var for var, decision in plan.decisions.items() if decision.how == "saved")
    return frozenset(var for var in saved if fits(plan.fact(var)))


def _read_alone(
    found: frozenset[Var],
    plan: Plan,
    sweep: Block,
    result: Expr,
    in_stmt: Callable[[Stmt], Iterable[Var]],
    in_expr: Callable[[Expr], Iterable[Var]],
) -> frozenset[Var]:
    """Return the values of which nothing reads more than is meant: `in_...` tell what does."""
    from s2sad.legacy.checkpoint import recompute_as

    if not found:
        return found
    found = found.difference(in_expr(result), *map(in_stmt, statements(sweep)))
    again = (var for var, decision in plan.decisions.items() if decision.how == "recomputed")
    return found.difference(*(in_expr(recompute_as(plan, var) or var) for var in again))


def _read_in(stmt: Stmt) -> Iterator[Var]:
    """Yield what a statement reads otherwise than as a test."""
    if isinstance(stmt, If):
        yield from _besides_tests(stmt.test)
        return
    for expr in expressions(stmt):
        yield from reads(expr)


def _besides_tests(test: Expr) -> Iterator[Var]:
    if isinstance(test, Op) and test.op in LOGICAL:
        for part in test.args:
            yield from _besides_tests(part)
    elif not isinstance(test, Var):
        yield from reads(test)


# what starts the store of tests
BYTES = "bytearray"


def packed_of(plan: Plan, sweep: Block, result: Expr) -> dict[Var, str]:
    """Return the saved values that take less than an item of a list, and what they are saved in."""
    integers = dict.fromkeys(_positions(plan, sweep, result), INTEGERS)
    return integers | dict.fromkeys(flags_of(plan, sweep, result), BYTES)


def _positions(plan: Plan, sweep: Block, result: Expr) -> frozenset[Var]:
    """Return the saved integers that the reverse sweep reads as positions and counts alone."""
    found = _saved(plan, _is_position)
    return _read_alone(found, plan, sweep, result, _read_as_more, _besides_positions)


def _read_as_more(stmt: Stmt) -> Iterator[Var]:
    """Yield what a statement reads otherwise than as a position or a count."""
    index = stmt.index if isinstance(stmt, Update) else None
    for expr in expressions(stmt):
        yield from _besides_keys(expr) if expr is index else _besides_positions(expr)


def _is_position(fact: Fact) -> bool:
    return fact.kind == "int" and fact.dtype == "int64" and not is_held_number(fact)


def _besides_positions(expr: Expr) -> Iterator[Var]:
    """Yield what an expression reads otherwise than as a position, or as how often a loop runs."""
    match expr:
        case Op("index", (owner, key)):
            yield from _besides_positions(owner)
            yield from _besides_keys(key)
        case Call(Ref("range"), args):
            for arg in args:
                yield from _besides_keys(arg)
        case _ if children(expr):
            for part in children(expr):
                yield from _besides_positions(part)
        case _:
            yield from reads(expr)


def _besides_keys(key: Expr) -> Iterator[Var]:
    match key:
        case Op("tuple" | "slice" | "+" | "-" | "u-", parts):
            for part in parts:
                yield from _besides_keys(part)
        case Var():
            pass
        case _:
            yield from _besides_positions(key)


def started_by(stmt: Stmt) -> tuple[Ref, ...]:
    """Return the printed function that starts a store, where one does."""
    packed = isinstance(stmt, NewStore) and stmt.packed == INTEGERS
    return (Ref(INTEGERS, PRINTED_FUNCTION),) if packed else ()


def as_packed(held: Var | None, packed: str) -> Expr:
    """Return what is put in a store that is packed."""
    if packed == BYTES:
        return as_flag(held)
    return Const(0) if held is None else held  # 0 is read by nobody


def as_flag(held: Var | None) -> Expr:
    """Return what is put in a byte: of NumPy's True and False the plain ones."""
    if held is None:
        return Const(False)  # of a path on which nobody reads it
    return Call(Ref("bool", bool), (held,))
