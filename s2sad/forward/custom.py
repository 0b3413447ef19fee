"""Calls of functions that were given a derivative: it is called for the tangent.

y = root(u, c)      y_dot = root_forward(u, c, y, u_dot, c_dot)
"""

from __future__ import annotations

from s2sad.analysis.callees import (
    called_by_user,
    derivative_of,
    has_rule,
    refuse_other_rank,
    refuse_still,
)
from s2sad.forward.whole import whole
from s2sad.forward.world import Code
from s2sad.forward.zeros import zero
from s2sad.ir.errors import Unsupported
from s2sad.ir.expression import Expr, call
from s2sad.ir.program import Function
from s2sad.ir.types import UNKNOWN, is_float


def has_custom(expr: Expr, code: Code) -> bool:
    """Tell whether a call is of a function that was given a derivative."""
    return expr.args[0].op == "function" and _called(expr, code).custom is not None


def is_tabulated(expr: Expr, code: Code) -> bool:
    """Tell whether a call of an own function has a rule of the user's."""
    return has_custom(expr, code) and has_rule(expr)


def _called(expr: Expr, code: Code) -> Function:
    return code.world.callees.functions[expr.args[0].data]


def pushed_by_custom(expr: Expr, code: Code) -> Expr:
    """Return the tangent that a function was given, called for a call of it."""
    function, span = _called(expr, code), expr.span or code.span
    custom, args = function.custom, expr.args[1:]
    assert custom is not None
    if not derivative_of(custom, "forward", code.world.callees.functions):
        raise Unsupported(
            f"{called_by_user(function)} was given a reverse derivative, but no forward one",
            span,
            "Give it custom_derivative(reverse=..., forward=...), or differentiate in reverse.",
        )
    if expr.data or any(arg.op == "starred" for arg in args):
        raise code.refuse("a call whose arguments are not all handed by position", expr)
    if custom.tangent == UNKNOWN:
        raise code.refuse("a tangent of which nothing is known", expr)
    given = code.world.callees.functions[custom.forward]
    refuse_other_rank(called_by_user(given), "y", custom.tangent, expr.type, span)
    for k, arg in enumerate(args):
        if code.world.is_moving(arg):
            refuse_still(k, function, expr, code.span)
    taken = [k for k, p in enumerate(function.parameters) if is_float(p.type)]
    if custom.varying is not None:
        taken = list(custom.varying)
    dots = [
        whole(args[k], code) if code.world.is_moving(args[k]) else zero(args[k], code)
        for k in taken
    ]
    handed = args if custom.handed is None else tuple(args[k] for k in custom.handed)
    result = [code.value(expr)] if custom.takes_result else []
    values = (*map(code.value, handed), *result, *dots)
    return call(Expr("function", (), custom.forward), *values, type_=custom.tangent)
