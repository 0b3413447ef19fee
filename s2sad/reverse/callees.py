"""Calls of the user's own functions: each is pulled back by a derivative of its function.

y = step(u, c)          u_bar, c_bar = step_rev(u, c, y_bar)

The derivative runs the function once more and then its reverse: nothing of the inside of a call is
kept. It is written when the first call asks for it, and once for each set of arguments that vary.
"""

from __future__ import annotations

from s2sad.analysis.callees import has_rule
from s2sad.ir.expression import Expr, Role, name
from s2sad.ir.program import Let
from s2sad.ir.types import Tuple
from s2sad.reverse.custom import adjoint_name, pull_by_custom
from s2sad.reverse.fitting import full
from s2sad.reverse.rules import primal_value
from s2sad.reverse.world import Code


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
    head = Expr("function", (), callees.derivative(function.name, active))
    result = types[0] if len(active) == 1 else Tuple(types)
    called = Expr("call", (head, *values, seed), (), result)
    if len(active) == 1:
        return [(args[active[0]], called)]
    fresh = code.world.fresh
    parts = tuple(fresh.variable(adjoint_name(args[k], code), Role.TERM) for k in active)
    code.emit(Let(parts, called, code.span))
    adjoints = (name(v, t) for v, t in zip(parts, types, strict=True))
    return list(zip((args[k] for k in active), adjoints, strict=True))
