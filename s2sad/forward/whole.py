"""Tangents made whole: in the shape of their values, in memory of their own.

own([u, v + 1.0])      [u_dot, v_dot.copy()]
"""

from __future__ import annotations

import numpy as np

from s2sad.forward.world import Code
from s2sad.forward.zeros import full, zero
from s2sad.ir.expression import Expr, call, calls, keywords, positional
from s2sad.ir.types import Array, Number, Numeric, Optional, Tuple, Unknown
from s2sad.operators.algebra import numpy_function
from s2sad.operators.trees import literal


def whole(expr: Expr, code: Code) -> Expr:
    """Return the tangent of an expression in its shape, zeros if it is zero."""
    found = code.push(expr)
    if found is None:
        return zero(expr, code)
    return found.expr if found.full else full(found.expr, expr, code)


def _may_be_array(expr: Expr) -> bool:
    """Tell whether a value is computed, and a number or an array."""
    return isinstance(expr.type, Numeric) or (
        isinstance(expr.type, Unknown | Optional) and expr.op in ("binary", "unary")
    )


def _separated_number(dot: Expr, expr: Expr, code: Code) -> Expr:
    """Return a tangent, of a number or array, that is nobody else's where its value is new."""
    if dot.op not in ("name", "subscript", "attribute") or expr.op not in ("binary", "unary"):
        return dot
    return Expr("binary", (literal(1.0), dot), "*", dot.type)


def moving_arguments(expr: Expr, code: Code) -> dict[int, Expr]:
    """Return the tangents of the arguments of a call that have one."""
    operands = (*positional(expr), *keywords(expr).values())
    found = {}
    for place, arg in enumerate(operands):
        if code.world.is_moving(arg) or _has_shadow(arg, code):
            found[place] = own(arg, code)
    return found


def _has_shadow(arg: Expr, code: Code) -> bool:
    """Tell whether a call is handed memory that has a shadow, though it is zero so far."""
    while arg.op in ("subscript", "attribute"):
        arg = arg.args[0]
    is_name = arg.op == "name" and code.world.has_tangent(arg.data)
    return is_name and not isinstance(arg.type, Number) and code.world.may_vary(arg.type)


def own(expr: Expr, code: Code) -> Expr:
    """Return a tangent that lasts: it shares memory with others only where its value does."""
    return separated(whole(expr, code), expr, code)


def in_rows(dot: Expr) -> Expr:
    """Return a tangent that lies in memory row by row."""
    if calls(dot, np.ascontiguousarray):
        return dot
    return call(numpy_function("ascontiguousarray"), dot, type_=dot.type)


def separated(dot: Expr, expr: Expr, code: Code) -> Expr:
    """Return a tangent copied where its value is new memory, and others are written."""
    if isinstance(expr.type, Number) and isinstance(dot.type, Array) and not dot.type.lengths:
        return code.world.algebra.part(dot, Expr("tuple", (), None, Tuple(())))
    if _may_be_array(expr) and not isinstance(expr.type, Array):
        return _separated_number(dot, expr, code)
    if not isinstance(expr.type, Array) or not isinstance(dot.type, Array):
        return dot
    memory = code.world.memory
    mine, its = memory.sites(code.with_values(expr)), memory.sites(dot)
    if not code.ends and (mine - its) & memory.written:
        raise code.refuse("a view whose tangent is none", expr)
    if its <= mine:
        return dot
    return code.world.algebra.call(Expr("attribute", (dot,), "copy"))
