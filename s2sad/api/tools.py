"""What the sweeps need of the rooms before them: types, memory, rules and costs.

tools_for(primal, context)          of the reverse sweep
tangent_tools(primal, context)      of the forward sweep
"""

from __future__ import annotations

from collections.abc import Callable

from s2sad import forward, types
from s2sad.analysis.pointers import Shares
from s2sad.checkpoint.gradient import Tools
from s2sad.ir.expression import Expr
from s2sad.ir.program import Program
from s2sad.ir.records import replace
from s2sad.operators import effects
from s2sad.operators.find import Known
from s2sad.reverse.rules import TableRules
from s2sad.types import Context, join


def tools_for(primal: Program, context: Context) -> Tools:
    """Return what the reverse sweep of a program needs of the rooms before."""
    context = _with_regions(primal, context)
    infer, shares = _asked(context)
    table = TableRules(
        infer,
        Known(context.regions),
        lambda expr: types.is_shown(expr, context),
        context.assumptions.presumes,
    )
    made = Tools(infer, shares, join, table, effects.cost, context.regions)
    return replace(made, different=context.different)


def tangent_tools(primal: Program, context: Context) -> forward.Tools:
    """Return what the forward sweep of a program needs of the rooms before."""
    context = _with_regions(primal, context)
    return forward.Tools(*_asked(context), Known(context.regions))


def _with_regions(primal: Program, context: Context) -> Context:
    return replace(context, regions={**context.regions, **primal.regions})


def _asked(context: Context) -> tuple[Callable[[Expr], Expr], Shares]:
    """Return what gives an expression its type, and tells what it shares memory with."""

    def infer(expr: Expr) -> Expr:
        return types.infer(expr, context)

    def shares(expr: Expr) -> tuple[int, ...]:
        return types.shares(expr, context)

    return infer, shares
