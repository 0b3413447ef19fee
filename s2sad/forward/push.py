"""The tangent of an expression from the tangents of what it reads; of a call, from a function for it.

u * np.sin(c)      u_dot * np.sin(c) + u * np.cos(c) * c_dot
xs[k]              xs_dot[k]
[u, 1.0]           [u_dot, 0.0]

A tangent may be smaller than its value where it is the same along an axis: what only adds and
multiplies takes it as it is, all else makes it full.

y = step(u, c)      y, y_dot = step_jvp(u, c, u_dot, c_dot)
"""

from __future__ import annotations

from typing import Any

from s2sad.analysis.callees import (
    called_by_user,
    derivative_of,
    has_rule,
    refuse_other_rank,
    refuse_still,
)
from s2sad.analysis.terms import word_of
from s2sad.forward.domains import comprehension
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
from s2sad.forward.world import Callee, Code, Dot
from s2sad.forward.zeros import ZERO, as_float, as_real, is_full, zero
from s2sad.ir.errors import Refused, Unsupported
from s2sad.ir.expression import Expr, Role, call, constant, name, root_of, subscript, text_of_call
from s2sad.ir.program import Effect, Function, Let
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Array, Number, Numeric, Tuple, is_float
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators.marks import is_hooked
from s2sad.operators.missing import is_set, of_set
from s2sad.operators.precision import is_coarser, refined
from s2sad.operators.trees import literal

NUMERIC = Number | Array | Numeric


def push(expr: Expr, code: Code) -> Dot | None:
    """Return the tangent of an expression, None where it is zero."""
    if not code.world.is_moving(expr) or id(expr) in code.world.shifts:
        return None
    found = _push(expr, code)
    if found is not None and is_coarser(found.expr, expr):
        return replace(found, expr=refined(found.expr, expr))
    if found is not None and _is_made_complex(expr):  # it may be added to in place
        return replace(found, expr=code.world.algebra.add(found.expr, expr.args[1]))
    return found


def _is_made_complex(expr: Expr) -> bool:
    """Tell whether a real value becomes a complex one: x + 0j."""
    if expr.op != "binary" or expr.data != "+" or expr.args[1].op != "constant":
        return False
    return expr.args[1].data == 0 and isinstance(expr.args[1].data, complex)


def _push(expr: Expr, code: Code) -> Dot | None:
    if is_set(expr):
        raise Refused(of_set(expr, code.span))
    if is_masked(expr):
        return masked(expr, code)
    match expr.op:
        case "name":
            world, variable = code.world, expr.data
            type_ = as_real(expr.type) if variable in world.real else expr.type
            return Dot(name(world.dot(variable), type_))
        case "tuple" | "list" | "dict" | "record":
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
        case "call" if has_custom(expr, code) and has_rule(expr):
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
    if dot.op == "tuple" and type(index.data) is int and index.op == "constant":
        if index.data < len(dot.args):  # a way that is not taken may ask for one that is not there
            return Dot(dot.args[index.data])  # nobody asks for the others
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
    is_choice = expr.op == "conditional" or text_of_call(expr) == "np.where"
    if not is_choice or len(expr.args) < 3:
        return False
    test, _, otherwise = expr.args[-3:]
    return _is_of_sweep(test) and test.args[1].data == 0.0 and otherwise.data == 0.0


def _is_of_sweep(test: Expr) -> bool:
    if test.op != "compare" or test.span is not None or test.data != ("!=",):
        return False
    # a name of the primal is one that a branch clamps: it hides nothing
    is_of_primal = getattr(root_of(test.args[0]), "role", None) is Role.PRIMAL
    return test.args[1].op == "constant" and not is_of_primal


def masked(expr: Expr, code: Code) -> Dot | None:
    """Return the tangent of a masked contribution, which is linear in its adjoint."""
    test, value, _ = expr.args[-3:]
    adjoint = test.args[0]
    code.lazy += 1
    found, moved = code.push(value), code.push(adjoint)
    code.lazy -= 1
    if found is None:
        return None
    varies, otherwise = code.with_values(test), ZERO
    if moved is not None:
        infer = code.world.tools.infer
        is_not_zero = infer(Expr("compare", (moved.expr, ZERO), ("!=",)))
        if adjoint in nodes(value):
            otherwise = _chosen(is_not_zero, _with(value, adjoint, moved.expr, code), ZERO, code)
        else:  # the value says its adjoint in other words
            varies = infer(Expr("binary", (varies, is_not_zero), "|"))
    made = _chosen(varies, found.expr, otherwise, code)
    return Dot(made, is_full(made, expr))


def _chosen(test: Expr, value: Expr, otherwise: Expr, code: Code) -> Expr:
    if all(isinstance(each.type, Number) for each in (test, value, otherwise)):
        return Expr("conditional", (test, value, otherwise), None, value.type)
    return code.world.chosen(test, value, otherwise)


def _with(expr: Expr, old: Expr, new: Expr, code: Code) -> Expr:
    """Return an expression with an operand in place of another."""

    def change(node: Expr) -> Expr | None:
        return new if node == old else None

    return code.world.tools.infer(rebuilt(expr, change))


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


def _called(expr: Expr, code: Code) -> Function:
    return code.world.callees.functions[expr.args[0].data]


def pushed_by_custom(expr: Expr, code: Code) -> Expr:
    """Return the tangent that a function was given, called for a call of it."""
    function, span = _called(expr, code), expr.span or code.span
    custom, args = function.custom, expr.args[1:]
    assert custom is not None
    moving = [k for k, arg in enumerate(args) if code.world.is_moving(arg)]
    for k in moving:
        refuse_still(k, function, expr, code.span)
    if not derivative_of(custom, "forward", code.world.callees.functions, moving):
        raise Unsupported(
            f"{called_by_user(function)} was given a reverse derivative, but no forward one",
            span,
            "Give it custom_derivative(reverse=..., forward=...), or differentiate in reverse.",
        )
    if custom.tangent == UNKNOWN:
        raise code.refuse("a tangent of which nothing is known", expr)
    given = code.world.callees.functions[custom.forward]
    refuse_other_rank(called_by_user(given), "y", custom.tangent, expr.type, span)
    taken = [k for k, p in enumerate(function.parameters) if is_float(p.type)]
    if custom.varying is not None:
        taken = list(custom.varying)
    dots = [whole(args[k], code) if k in moving else zero(args[k], code) for k in taken]
    handed = args if custom.handed is None else tuple(args[k] for k in custom.handed)
    result = [code.value(expr)] if custom.takes_result else []
    values = (*map(code.value, handed), *result, *dots)
    return call(Expr("function", (), custom.forward), *values, type_=custom.tangent)
