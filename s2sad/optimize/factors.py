"""Products of a derivative are written from left to right, their sign in front.

2.0 * (x * r_bar)     2.0 * x * r_bar
-(z * a_bar)          -z * a_bar

The rewrites bring literals to the front and signs outside; here the brackets go that they leave behind.
"""

from __future__ import annotations

from s2sad.ir.expression import Expr
from s2sad.ir.program import Function
from s2sad.ir.records import replace
from s2sad.ir.types import Type, is_float
from s2sad.ir.walk import with_nodes


def factors_in_order(function: Function) -> Function:
    """Return a function whose derived products have no brackets behind a literal or a sign."""
    return replace(function, body=with_nodes(function.body, _in_order))


def _in_order(expr: Expr) -> Expr | None:
    if expr.span is not None:  # the user's own
        return None
    if expr.op == "unary" and expr.data == "-":
        return _signed(expr.args[0], expr.type)
    if not _is_product(expr) or not _is_product(expr.args[1]):
        return None
    literal, (first, second) = expr.args[0], expr.args[1].args
    if literal.op != "constant" or first.op == "constant":
        return None
    if not is_float(first.type) or not is_float(second.type):
        return None
    left = Expr("binary", (literal, first), "*", first.type)
    return Expr("binary", (_in_order(left) or left, second), "*", expr.type)


def _signed(expr: Expr, whole: Type) -> Expr | None:
    """Return a product or a quotient with a minus at its first factor, if that is as large."""
    if expr.op != "binary" or expr.data not in ("*", "/"):
        return Expr("unary", (expr,), "-", expr.type) if expr.op in PLAIN else None
    first, second = expr.args
    if first.type != whole or not is_float(whole):
        return None
    signed = _signed(first, whole)
    return None if signed is None else expr.with_args((signed, second))


def _is_product(expr: Expr) -> bool:
    return expr.op == "binary" and expr.data == "*"


PLAIN = frozenset({"name", "subscript", "attribute", "call"})
