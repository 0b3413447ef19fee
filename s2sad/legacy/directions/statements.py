"""Statements of a forward sweep along one direction become those of a sweep along many.

x_dot[i] = v_dot                    x_dot[:, i] = v_dot
x_dot += c_dot                      x_dot += c_dot[:, None]
y_dot = np.zeros_like(x)            y_dot = np.zeros((directions, *x.shape))
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.callee import Written
from s2sad.legacy.directions.expressions import Lift
from s2sad.legacy.directions.functions import SPLITS
from s2sad.legacy.directions.keys import CONTAINERS, key_of
from s2sad.legacy.products import Known
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Pop,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import expressions, is_nested, reads, statements

NO_ITEMS = Op("list", ())
SWAPPED = Ref("np.swapaxes", np.swapaxes)


@dataclass(frozen=True)
class _Sweep:
    known: Known
    many: frozenset[Var]
    count: Var
    empty: frozenset[Var]

    def block(self, block: Block) -> Block:
        return tuple(map(self.statement, block))

    def statement(self, stmt: Stmt) -> Stmt:
        lift = Lift(self.known, self.many, self.count, stmt.span, self.empty)
        stmt = map_blocks(stmt, self.block)
        match stmt:
            case Assign(unpack=True):
                return _unpacked(lift, stmt)
            case Assign() if stmt.target in self.many:
                return replace(stmt, value=_value(lift, stmt.target, stmt.value))
            case Update() if stmt.new in self.many:
                return _updated(lift, stmt)
            case Loop(iterable=Call(Ref("zip") as zip_, parts)) if is_nested(stmt.targets):
                whole = Call(zip_, tuple(_gone_through(lift, part) for part in parts))
                return replace(stmt, iterable=whole)
        return _unchanged(lift, stmt)


def lifted_block(block: Block, known: Known, many: frozenset[Var], count: Var) -> Block:
    """Return the statements of a sweep along many directions; `count` is how many."""
    empty = {s.target for s in statements(block) if isinstance(s, Assign) and s.value == NO_ITEMS}
    return _Sweep(known, many, count, frozenset(empty)).block(block)


def _unchanged(lift: Lift, stmt: Stmt) -> Stmt:
    """Return a statement about values; refuse one that would mix directions."""
    if isinstance(stmt, Pop | If):
        return stmt if not any(map(lift.is_many, expressions(stmt)[1:])) else _mixed(lift)
    if any(var in lift.many for expr in expressions(stmt) for var in reads(expr)):
        if isinstance(stmt, Assign) and not lift.is_many(stmt.value):
            return replace(stmt, value=lift.lifted(stmt.value))
        return _mixed(lift)
    return stmt


def _mixed(lift: Lift) -> Stmt:
    raise lift.no_form("what is done with a tangent here")


def _value(lift: Lift, target: Var, value: Expr) -> Expr:
    """Return what a tangent is given, with the axis of directions."""
    fact = lift.known(target)
    if isinstance(value, Call) and isinstance(value.func, Ref):
        if isinstance(value.func.value, Written):
            return value
    if fact.kind in CONTAINERS or fact.kind == "record":
        found = lift.lifted(value) if lift.is_many(value) else lift.zeros(value)
        if found is None:
            raise lift.no_form("what holds no tangent")
        return found
    rank = fact.rank
    return lift.spread(value, lift.rank(value) if rank is None else rank)


def _unpacked(lift: Lift, stmt: Assign) -> Stmt:
    """Return `a_dot, b_dot = ...` along many directions."""
    match stmt.value:
        case Call(Ref(value=Written())):
            return stmt
        case Op("tuple" | "list" as display, parts) if len(parts) == len(stmt.targets):
            pairs = zip(stmt.targets, parts, strict=True)
            values = tuple(
                _value(lift, t, p) if t in lift.many else lift.lifted(p) for t, p in pairs
            )
            return replace(stmt, value=Op(display, values))
        case value if not lift.is_many(value):
            return _unchanged(lift, stmt)
        case Call(Ref(value=function)) if function in SPLITS:
            return replace(stmt, value=lift.lifted(stmt.value))
        case Var() as value:
            return replace(stmt, value=_gone_through(lift, value))
    raise lift.refused("several tangents at once have no form for many directions at once")


def _gone_through(lift: Lift, value: Expr) -> Expr:
    """Return what is gone through element by element: an array along its own first axis."""
    if not lift.is_many(value) or lift.fact(value).kind in CONTAINERS:
        return value
    if not lift.rank(value):
        return _mixed(lift)  # type: ignore[return-value]
    return Call(SWAPPED, (lift.lifted(value), Const(0), Const(1)))


def _updated(lift: Lift, stmt: Update) -> Stmt:
    """Return a write to a tangent along many directions."""
    held = lift.known(stmt.old)
    if held.kind in CONTAINERS or stmt.op in ("append", "insert"):
        return replace(stmt, value=lift.lifted(stmt.value))
    if stmt.index is None:
        value = lift.aligned(stmt.value, lift.rank(stmt.old))
        if held.is_scalar:  # a number is bound anew, and what other names hold stays
            return Assign((stmt.new,), Op(stmt.op, (stmt.old, value)), stmt.span)
        return replace(stmt, value=value)
    if lift.is_many(stmt.index):
        return _mixed(lift)
    part = lift.rank(Op("index", (stmt.old, stmt.index)))
    key = key_of(lift, lift.lifted(stmt.index))
    return replace(stmt, index=key, value=lift.aligned(stmt.value, part))
