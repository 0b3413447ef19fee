"""Lists of positions that a subscript is written with are values, not memory.

u[[0, 2]]       [0, 2] has the type of a display: two integers
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sad.analysis.fresh import Fresh
from s2sad.analysis.memory import Memory
from s2sad.analysis.points_to import NOTHING
from s2sad.ir.expression import Expr, name
from s2sad.ir.program import Function, Let, Statement, Store
from s2sad.ir.types import Array, Number, Numeric, Reference
from s2sad.ir.walk import read_variables, rewritten, with_nodes

Infer = Callable[[Expr], Expr]


def with_positions_as_values(function: Function, infer: Infer) -> Function:
    """Return a function in which no subscript of an array has a list that is memory."""

    def node(expr: Expr) -> Expr | None:
        if expr.op != "subscript" or not isinstance(expr.args[0].type, Array | Numeric):
            return None
        base, index = expr.args
        changed = _as_value(index, infer)
        return None if changed is index else infer(expr.with_args((base, changed)))

    return replace(function, body=with_nodes(function.body, node))


def with_steady_positions(function: Function, memory: Memory) -> Function:
    """Return a function in which no store changes what its own positions are read from.

    q[q < 0.0] = 0.0        chosen = q < 0.0; q[chosen] = 0.0
    """
    fresh = Fresh.of(function)

    def statement(each: Statement) -> Statement | tuple[Statement, ...]:
        if not isinstance(each, Store) or each.target.op != "subscript":
            return each
        base, index = each.target.args
        written = memory.sites(base)
        read = (memory.points_to.get(v, NOTHING) for v in read_variables(index))
        if not any(sites & written for sites in read) or index.op in ("tuple", "slice"):
            return each
        kept = fresh.variable("chosen")
        target = each.target.with_args((base, name(kept, index.type, index.span)))
        return Let(kept, index, each.span), replace(each, target=target)

    return replace(function, body=rewritten(function.body, statement))


def _as_value(index: Expr, infer: Infer) -> Expr:
    if index.op == "tuple":
        return index.with_args(_as_value(part, infer) for part in index.args)
    is_list = index.op == "list" and isinstance(index.type, Reference)
    if not is_list or not all(isinstance(arg.type, Number) for arg in index.args):
        return index
    return infer(replace(index, type=Number("int64")))
