"""The tangent of an expression from the tangents of what it reads.

u * np.sin(c)      u_dot * np.sin(c) + u * np.cos(c) * c_dot
xs[k]              xs_dot[k]
[u, 1.0]           [u_dot, 0.0]

A tangent may be smaller than its value where it is the same along an axis: what only adds and
multiplies takes it as it is, all else makes it full.
"""

from __future__ import annotations

from typing import Any

from s2sad.forward.domains import comprehension
from s2sad.forward.own import has_custom, is_tabulated, pushed_by_custom, pushed_call
from s2sad.forward.rules import by_rule
from s2sad.forward.structures import (
    conditional,
    display,
    is_named_tuple,
    is_remade,
    is_structural,
    is_sum,
    joined,
    joins,
    logical,
    remade,
    structural,
    total,
)
from s2sad.forward.whole import moving_arguments, own, whole
from s2sad.forward.world import Code, Dot
from s2sad.forward.zeros import ZERO, is_full
from s2sad.ir.expression import Expr, constant, name
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric, Tuple
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators.marks import is_hooked
from s2sad.operators.precision import is_coarser, refined

NUMERIC = Number | Array | Numeric


def push(expr: Expr, code: Code) -> Dot | None:
    """Return the tangent of an expression, None where it is zero."""
    if not code.world.is_moving(expr):
        return None
    found = _push(expr, code)
    if found is not None and is_coarser(found.expr, expr):
        return replace(found, expr=refined(found.expr, expr))
    return found


def _push(expr: Expr, code: Code) -> Dot | None:
    if is_masked(expr):
        return masked(expr, code)
    match expr.op:
        case "name":
            variable = expr.data
            return Dot(name(code.world.dot(variable), expr.type))
        case "tuple" | "list" | "set" | "dict" | "record":
            return Dot(display(expr, code))
        case "conditional":
            return conditional(expr, code)
        case "and" | "or":
            return logical(expr, code)
        case "subscript" | "attribute":
            return _part(expr, code)
        case "comprehension":
            return Dot(comprehension(expr, code))
        case "starred":
            return Dot(expr.with_args((whole(expr.args[0], code),)))
        case "call" if is_hooked(expr):
            return _push(expr.args[1], code)
        case "call" if is_tabulated(expr, code):
            return by_rule(expr, code)
        case "call" if has_custom(expr, code):
            return Dot(pushed_by_custom(expr, code))
        case "call" if expr.args[0].op == "function":
            return Dot(pushed_call(expr, code, moving_arguments(expr, code)))
        case "call" if is_sum(expr):
            return Dot(total(expr, code))
        case "call" if is_named_tuple(expr):
            operands = tuple(own(arg, code) for arg in expr.args[1:])
            return Dot(expr.with_args((expr.args[0], *operands)))
        case "call" if is_remade(expr):
            return Dot(remade(expr, code))
        case "call" if is_structural(expr, code):
            return Dot(structural(expr, code))
        case "binary" if joins(expr):
            return Dot(joined(expr, code))
    return by_rule(expr, code)


def _part(expr: Expr, code: Code) -> Dot | None:
    base = expr.args[0]
    if isinstance(base.type, NUMERIC) and expr.op == "attribute" and expr.data != "flat":
        return by_rule(expr, code)
    if expr.op == "subscript" and base.op == "global":
        return by_rule(expr, code)
    dot = whole(base, code)
    place = _place_of(expr.data, base) if expr.op == "attribute" else None
    if expr.op == "attribute" and place is None:
        return Dot(Expr("attribute", (dot,), expr.data, expr.type))
    index = code.value(expr.args[1]) if place is None else constant(place)
    if isinstance(base.type, Array):
        return Dot(code.world.algebra.part(dot, index))
    return Dot(Expr("subscript", (dot, index), None, expr.type))


def _place_of(field: str, base: Expr) -> int | None:
    """Return the place of a named part of what a library gives: its tangent is a plain tuple."""
    cls: Any = base.type.cls if isinstance(base.type, Tuple) else None
    if cls is None or not cls.__module__.startswith(("numpy", "scipy")):
        return None
    return int(cls._fields.index(field))


# ---------------------------------------------------------------------------- contributions that may be left out


def is_masked(expr: Expr) -> bool:
    """Tell whether an expression is one that the reverse sweep masks by its adjoint."""
    is_where = expr.op == "call" and expr.args[0].op == "global"
    if expr.op != "conditional" and not (is_where and expr.args[0].data.text == "np.where"):
        return False
    if len(expr.args) < 3:
        return False
    test, _, otherwise = expr.args[-3:]
    return _is_of_sweep(test) and test.args[1].data == 0.0 and otherwise.data == 0.0


def _is_of_sweep(test: Expr) -> bool:
    is_test = test.op == "compare" and test.span is None and test.data == ("!=",)
    return is_test and test.args[1].op == "constant"


def masked(expr: Expr, code: Code) -> Dot | None:
    """Return the tangent of a masked contribution, which is linear in its adjoint."""
    test, value, _ = expr.args[-3:]
    adjoint = test.args[0]
    code.lazy += 1
    found, moved = code.push(value), code.push(adjoint)
    code.lazy -= 1
    if found is None:
        return None
    otherwise = ZERO
    if moved is not None:
        if adjoint not in nodes(value):
            raise code.refuse("a mask of another adjoint", expr)
        along = _with(value, adjoint, moved.expr, code)
        otherwise = _chosen(_is_not_zero(moved.expr, code), along, ZERO, code)
    made = _chosen(code.with_values(test), found.expr, otherwise, code)
    return Dot(made, is_full(made, expr))


def _is_not_zero(dot: Expr, code: Code) -> Expr:
    return code.world.tools.infer(Expr("compare", (dot, ZERO), ("!=",)))


def _chosen(test: Expr, value: Expr, otherwise: Expr, code: Code) -> Expr:
    if all(isinstance(each.type, Number) for each in (test, value, otherwise)):
        return Expr("conditional", (test, value, otherwise), None, value.type)
    return code.world.algebra.numpy("where", test, value, otherwise)


def _with(expr: Expr, old: Expr, new: Expr, code: Code) -> Expr:
    """Return an expression with an operand in place of another."""

    def change(node: Expr) -> Expr | None:
        return new if node == old else None

    return code.world.tools.infer(rebuilt(expr, change))
