"""Elements in the order of rows: what is subscripted stays `A.flat`, all else is a vector.

A.flat[3] = x           stays: A_view = A.flat; A_view[3] = x
sum(A.flat)             sum(A.flatten())
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, attribute, call
from s2sad.ir.program import For, Function, Let, Statement
from s2sad.ir.types import Array
from s2sad.ir.walk import rewritten, with_expressions


def with_flat_as_vectors(function: Function) -> Function:
    """Return a function whose arrays are gone over by `flat` in loops and subscripts alone."""

    def change(statement: Statement) -> Statement:
        if isinstance(statement, Let) and _is_flat(statement.value):
            if not isinstance(statement.target, tuple):
                raise NotYet("the elements of an array (.flat) under a name", statement.span)
        if isinstance(statement, For):
            return statement
        return with_expressions(statement, _changed)

    return replace(function, body=rewritten(function.body, change))


def _is_flat(expr: Expr) -> bool:
    return expr.op == "attribute" and expr.data == "flat" and isinstance(expr.type, Array)


def _changed(expr: Expr) -> Expr:
    """Return an expression with vectors in place of what is gone over element by element."""
    if _is_flat(expr):
        return call(attribute(_changed(expr.args[0]), "flatten"), type_=expr.type)
    if expr.op == "subscript" and _is_flat(expr.args[0]):
        base = expr.args[0]
        kept = base.with_args((_changed(base.args[0]),))
        return expr.with_args((kept, _changed(expr.args[1])))
    return expr.with_args(map(_changed, expr.args))
