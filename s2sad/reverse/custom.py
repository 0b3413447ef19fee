"""Calls of functions that were given a derivative: it is called in place of one of ours.

y = root(u, c)                  u_bar, c_bar = root_reverse(u, c, y, y_bar)
y = on_adjoint(u, clipped)      u_bar = clipped(y_bar)
"""

from __future__ import annotations

from s2sad.analysis.callees import (
    called_by_user,
    derivative_of,
    has_rule,
    refuse_other_rank,
    refuse_still,
)
from s2sad.ir.errors import Unsupported
from s2sad.ir.expression import Expr, Role, call, name
from s2sad.ir.program import Custom, Function, Let, Return
from s2sad.ir.types import NONE, UNKNOWN, Tuple, Type
from s2sad.ir.walk import statements
from s2sad.operators.effects import effect as effect_of
from s2sad.reverse.fitting import full
from s2sad.reverse.rules import primal_value
from s2sad.reverse.world import Code

Pulled = list[tuple[Expr, Expr]]


def pull_by_custom(expr: Expr, g: Expr, function: Function, code: Code) -> Pulled:
    """Return the arguments of a call that vary, each with the adjoint that it is given."""
    custom = function.custom
    assert custom is not None
    args = expr.args[1:]
    active = [k for k, arg in enumerate(args) if code.world.is_active(arg)]
    for k in active:
        refuse_still(k, function, expr, code.span)
    if not derivative_of(custom, "reverse", code.world.callees.functions, active):
        raise Unsupported(
            f"{called_by_user(function)} was given a forward derivative, but no reverse one",
            expr.span or code.span,
            "Give it custom_derivative(forward=..., reverse=...), or differentiate forward.",
        )
    for k in active:
        _refuse_other(k, expr, function, code)
    seed = g if isinstance(expr.type, Tuple) else full(g, expr, code)
    handed = args if custom.handed is None else tuple(args[k] for k in custom.handed)
    values = (
        *(primal_value(arg, code) for arg in handed),
        *([code.value(expr)] if custom.takes_result else []),
        seed,
    )
    called = call(Expr("function", (), custom.reverse), *values, type_=custom.adjoints)
    if custom.count == 1 and not isinstance(custom.adjoints, Tuple):
        return [(args[active[0]], called)]
    parts = _named_parts(called, custom, args, code)
    return [(args[k], parts[k]) for k in active]


def _named_parts(called: Expr, custom: Custom, args: tuple[Expr, ...], code: Code) -> list[Expr]:
    """Make a call that gives several adjoints; return those of the arguments that it was handed."""
    handed = {p: arg for p, arg in zip(custom.places, args, strict=True) if p >= 0}
    names = []
    for place in range(custom.count):
        arg = handed.get(place)
        word = f"{code.target}_term_bar" if arg is None else adjoint_name(arg, code)
        names.append(code.world.fresh.variable(word, Role.TERM))
    code.emit(Let(tuple(names), called, code.span))
    return [name(names[place], type_of(custom, place)) for place in custom.places]


def type_of(custom: Custom, place: int) -> Type:
    """Return the type of the adjoint that a reverse gives for one of the user's arguments."""
    if not isinstance(custom.adjoints, Tuple):
        return custom.adjoints if custom.count == 1 else UNKNOWN
    items = custom.adjoints.items
    return items[place] if len(items) == custom.count else UNKNOWN


def _refuse_other(k: int, expr: Expr, function: Function, code: Code) -> None:
    """Refuse a reverse that gives no adjoint of an argument that varies, or one of another shape."""
    assert function.custom is not None
    custom, argument = function.custom, function.parameters[k].variable.name
    given, span = code.world.callees.functions[custom.reverse], expr.span or code.span
    found = type_of(custom, custom.places[k])
    if found == NONE:
        raise Unsupported(
            f"{called_by_user(given)} gives no adjoint of {argument}, which varies here",
            span,
            f"Return one, or stop the derivative: s2sad.stop_gradient({argument}).",
        )
    if found == UNKNOWN:
        raise code.refuse(f"an adjoint of {argument} of which nothing is known", expr)
    refuse_other_rank(called_by_user(given), argument, found, expr.args[k + 1].type, span)


def hooked_adjoint(expr: Expr, g: Expr, code: Code) -> Expr:
    """Return what the hook of a value makes of its adjoint; of one that only looks, the adjoint."""
    value, hook = expr.args[1:]
    g = full(g, value, code)
    own = code.world.callees.functions.get(hook.data) if hook.op == "function" else None
    if own is None:
        made = code.world.calculus.infer(call(hook, g))
    else:
        ends = [s.value.type for s in statements(own.body) if isinstance(s, Return)]
        made = call(hook, g, type_=ends[-1] if ends else NONE)
    effect = effect_of(made) if own is None or own.summary is None else own.summary.effect
    if made.type == NONE or (own is None and effect.prints):
        g = code.temporary(g)
        code.emit(Let(None, call(hook, g, type_=NONE), code.span, effect))
        return g
    if made.type == UNKNOWN:
        raise code.refuse("a hook that gives what is not known", expr)
    word = called_by_user(own) if own is not None else str(hook.data.text)
    refuse_other_rank(word, "the adjoint", made.type, value.type, expr.span)
    if effect.is_pure:
        return made
    kept = code.world.fresh.variable(f"{code.target}_term_bar", Role.TERM)
    code.emit(Let(kept, made, code.span, effect))
    return name(kept, made.type)


def adjoint_name(arg: Expr, code: Code) -> str:
    """Return what the adjoint of an argument is called in the line of its call."""
    word = arg.data.name if arg.op == "name" else code.target
    return f"{word}_term_bar"


# ---------------------------------------------------------------------------- functions without a derivative of their own


def pull_own_call(expr: Expr, g: Expr, code: Code) -> list[tuple[Expr, Expr]]:
    """Return the arguments of a call that vary, each with its adjoint."""
    callees = code.world.callees
    function = callees.functions[expr.args[0].data]
    args = expr.args[1:]
    if has_rule(expr):
        found = code.world.rules.pull(expr, g, code)
        if found is None:
            raise code.without_rule(function.name, "these arguments", expr)
        return found
    if function.custom is not None:
        return pull_by_custom(expr, g, function, code)
    active = tuple(k for k, arg in enumerate(args) if code.world.is_active(arg))
    types = tuple(function.parameters[k].type for k in active)
    values = tuple(primal_value(arg, code) for arg in args)
    seed = g if isinstance(expr.type, Tuple) else full(g, expr, code)
    called = callees.derivative(function.name, active)
    callees.masked |= {called} if code.world.is_masked(g) else set()
    callees.tested |= {called} if code.world.is_tested(g) else set()
    head = Expr("function", (), called)
    result = types[0] if len(active) == 1 else Tuple(types)
    made = Expr("call", (head, *values, seed), (), result)
    if len(active) == 1:
        return [(args[active[0]], made)]
    fresh = code.world.fresh
    parts = tuple(fresh.variable(adjoint_name(args[k], code), Role.TERM) for k in active)
    code.emit(Let(parts, made, code.span))
    adjoints = (name(v, t) for v, t in zip(parts, types, strict=True))
    return list(zip((args[k] for k in active), adjoints, strict=True))
