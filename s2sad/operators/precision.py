"""Adjoints and tangents are computed in the precision of the values that they belong to.

np.sum(0.1 * (w * x))        w of float32, x of float64

x_bar = 0.1 * w.astype(np.float64)       the adjoint of w * x is 0.1 in double precision
"""

from __future__ import annotations

import numpy as np

from s2sad.ir.expression import Expr, attribute, call, global_
from s2sad.ir.types import Array, Number, Type

DIGITS = {"float16": 1, "float32": 2, "float64": 3, "longdouble": 4, "float128": 4}


def _digits(type_: Type) -> int:
    """Return the rank of a precision; 0 of what has none, or takes over that of others."""
    is_own = isinstance(type_, Number) and not type_.boxed
    return 0 if is_own else DIGITS.get(getattr(type_, "dtype", ""), 0)


def is_coarser(g: Expr, expr: Expr) -> bool:
    """Tell whether an adjoint or tangent is computed with fewer digits than its value has."""
    return 0 < _digits(g.type) < _digits(expr.type)


def refined(g: Expr, expr: Expr) -> Expr:
    """Return an adjoint or tangent computed in the precision of its value."""
    if not _digits(g.type):
        return g
    dtype = getattr(expr.type, "dtype", "float64")
    if g.op in ("binary", "unary"):
        args = tuple(refined(arg, expr) for arg in g.args)
        return g.with_args(args).typed(_with_dtype(g.type, dtype))
    kind = global_(f"np.{dtype}", getattr(np, dtype))
    if isinstance(g.type, Array):
        return call(attribute(g, "astype"), kind, type_=_with_dtype(g.type, dtype))
    return call(kind, g, type_=_with_dtype(g.type, dtype))


def _with_dtype(type_: Type, dtype: str) -> Type:
    match type_:
        case Array(_, lengths):
            return Array(dtype, lengths)
        case Number():
            return Number(dtype, type_.boxed)
    return type_


def is_cast(node: Expr) -> bool:
    """Tell whether a node is `x.astype(np.float32)`, of a derivative's."""
    if node.op != "call" or node.span is not None or node.args[0].op != "attribute":
        return False
    return node.args[0].data == "astype" and node.args[1].op == "global"
