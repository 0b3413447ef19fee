"""Adjoints and tangents are computed in the precision of the values that they belong to.

np.sum(0.1 * (w * x))        w of float32, x of float64

x_bar = 0.1 * w.astype(np.float64)       the adjoint of w * x is 0.1 in double precision
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s2sad.ir.expression import Expr, attribute, call, global_
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric, Type

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


def is_of_double_alone(expr: Expr, infer: Callable[[Expr], Expr]) -> bool:
    """Tell whether a value is in double precision even where all that it is made of is in single.

    np.where(w > 0, 1.0, 0.0)        whatever w is: np.where(w > 0, np.ones_like(w), 0.0) is not
    """
    if not isinstance(expr.type, Numeric):
        return False
    try:
        made = _in_single(expr, infer).type
    except Exception:  # what has no type is left as it is
        return False
    return isinstance(made, Numeric | Array) and made.dtype == "float64"


def _in_single(expr: Expr, infer: Callable[[Expr], Expr]) -> Expr:
    if expr.op == "name" and isinstance(expr.type, Numeric) and expr.type.dtype == "float64":
        return expr.typed(replace(expr.type, dtype="float32"))
    if not expr.args or expr.op in ("comprehension", "generator"):
        return expr
    return infer(expr.with_args(_in_single(arg, infer) for arg in expr.args))


def is_cast(node: Expr) -> bool:
    """Tell whether a node is `x.astype(np.float32)`, of a derivative's."""
    if node.op != "call" or node.span is not None or node.args[0].op != "attribute":
        return False
    return node.args[0].data == "astype" and node.args[1].op == "global"
