"""Products of a derivative are written from left to right.

2.0 * (x * r_bar)     2.0 * x * r_bar

The rewrites bring literals to the front; here the brackets go that they leave behind.
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.expression import Expr
from s2sad.ir.program import Function
from s2sad.ir.types import is_float
from s2sad.ir.walk import with_nodes


def factors_in_order(function: Function) -> Function:
    """Return a function whose derived products have no brackets behind a literal."""
    return replace(function, body=with_nodes(function.body, _in_order))


def _in_order(expr: Expr) -> Expr | None:
    if not _is_product(expr) or not _is_product(expr.args[1]):
        return None
    literal, product = expr.args
    first, second = product.args
    if literal.op != "constant" or literal.span is not None or first.op == "constant":
        return None
    if not is_float(first.type) or not is_float(second.type):
        return None
    left = Expr("binary", (literal, first), "*", first.type)
    again = _in_order(left)
    return Expr("binary", (left if again is None else again, second), "*", expr.type)


def _is_product(expr: Expr) -> bool:
    return expr.op == "binary" and expr.data == "*"
