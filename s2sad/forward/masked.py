"""Contributions to adjoints that are left out where the adjoint is zero, differentiated again.

np.where(g != 0.0, g / r, 0.0)     where g is zero, g_dot may not be: np.where(g != 0.0,
                                   g_dot / r - r_dot * g / r**2,
                                   np.where(g_dot != 0.0, g_dot / r, 0.0))
"""

from __future__ import annotations

from s2sad.forward.world import Code, Dot
from s2sad.forward.zeros import ZERO, is_full
from s2sad.ir.expression import Expr
from s2sad.ir.types import Number
from s2sad.ir.walk import nodes, rebuilt


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
