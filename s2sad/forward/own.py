"""Calls of functions whose tangent is a function: the user's own, and those given a derivative.

y = step(u, c)      y, y_dot = step_jvp(u, c, u_dot, c_dot)
"""

from __future__ import annotations

from s2sad.analysis.callees import (
    called_by_user,
    derivative_of,
    has_rule,
    refuse_other_rank,
    refuse_still,
)
from s2sad.analysis.terms import word_of
from s2sad.forward.whole import whole
from s2sad.forward.world import Callee, Code
from s2sad.forward.zeros import as_float, zero
from s2sad.ir.errors import Unsupported
from s2sad.ir.expression import Expr, Role, call, name, subscript
from s2sad.ir.program import Effect, Function, Let
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Tuple, is_float
from s2sad.operators.trees import literal


def pushed_call(expr: Expr, code: Code, dots: dict[int, Expr]) -> Expr:
    """Return the tangent of what a call within an expression gives.

    The call is made before the statement, once for value and tangent, if that may be.
    """
    callee, call = turned(expr, code, dots)
    if not callee.both:
        return zero(expr, code)
    if code.lazy:
        return subscript(call, literal(1), as_float(expr.type))
    value = code.world.fresh.variable(word_of(expr))
    dot = code.world.fresh.variable(f"{value.name}_dot", Role.TANGENT, value)
    code.world.refer(value, expr)
    code.world.refer(dot, expr)
    code.before.append(Let((value, dot), call, code.span))
    code.values[expr] = name(value, expr.type)
    return name(dot, as_float(expr.type))


def turned(expr: Expr, code: Code, dots: dict[int, Expr]) -> tuple[Callee, Expr]:
    """Return the tangent of the function that a call calls, and the call of that."""
    called = expr.args[0].data
    function = code.world.callees.functions[called]
    moving = {function.parameters[place].variable: dot for place, dot in dots.items()}
    callee = code.world.callees.ask(called, frozenset(moving), code.world.in_try)
    args = [code.value(arg) for arg in expr.args[1:]]
    made = replace(expr.args[0], data=callee.name)
    type_ = Tuple((expr.type, as_float(expr.type))) if callee.both else expr.type
    operands = (made, *args, *(moving[variable] for variable in callee.dots))
    return callee, Expr("call", operands, (), type_, None, expr.span)


def effect_with_tangents(let: Let, call: Expr) -> Effect:
    """Return the effect of a call that is handed tangents: it may write to those as well."""
    if not let.effect.writes:
        return let.effect
    more = frozenset(range(len(let.value.args) - 1, len(call.args) - 1))
    return replace(let.effect, writes=let.effect.writes | more)


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
