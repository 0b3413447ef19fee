"""What may be None is there where something is computed with it: it has its plain type there.

best = None                      best: Optional(Number)
for d in ds:
    if best is None or d < best:
        best = d
return best * w                  best: Number
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.expression import Expr
from s2sad.ir.program import Function, Statement, Store
from s2sad.ir.types import Array, Number, Optional, Type
from s2sad.ir.walk import rebuilt, rewritten, with_expressions

COMPUTES = frozenset({"binary", "unary", "call", "subscript", "attribute"})


def with_present_types(function: Function) -> Function:
    """Return a function whose operands are typed as what they are if they are not None."""

    def change(statement: Statement) -> Statement:
        made = with_expressions(statement, lambda e: rebuilt(e, _with_operands))
        if isinstance(made, Store) and may_be_missing(made.target.type):
            return replace(made, target=made.target.typed(present(made.target.type)))
        return made

    return replace(function, body=rewritten(function.body, change))


def present(type_: Type) -> Type:
    """Return the type of a number or an array that is there."""
    return type_.type if may_be_missing(type_) and isinstance(type_, Optional) else type_


def may_be_missing(type_: Type) -> bool:
    """Tell whether a value is a number or an array, or None."""
    return isinstance(type_, Optional) and isinstance(type_.type, Number | Array)


def reads_what_may_be_missing(expr: Expr) -> bool:
    """Tell whether an expression computes with what may be None."""
    if expr.op in COMPUTES and any(may_be_missing(arg.type) for arg in expr.args):
        return True
    return any(map(reads_what_may_be_missing, expr.args))


def _with_operands(expr: Expr) -> Expr:
    """Return an operation whose operands are there: on None it would raise."""
    orders = expr.op == "compare" and all(symbol[0] in "<>" for symbol in expr.data)
    if expr.op not in COMPUTES and not orders:
        return expr
    return expr.with_args(
        arg.typed(present(arg.type)) if may_be_missing(arg.type) else arg for arg in expr.args
    )
