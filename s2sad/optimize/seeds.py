"""A seed or tangent that is an array without axes is not written to: numbers that may be it are
bound anew.

x_bar = seed           x_bar = seed
x_bar += b_bar   ->    x_bar = x_bar + b_bar
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import Function, Let, Parameter, Statement
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import rewritten, statements


def without_written_seeds(function: Function) -> Function:
    """Return a function in which nothing that may be a seed is changed where it stands."""
    seeds = {p.variable for p in function.parameters if _may_have_no_axes(p)}
    held = _held(function, seeds) if seeds else seeds

    def change(statement: Statement) -> Statement:
        if not isinstance(statement, Let) or isinstance(statement.value.type, Array):
            return statement
        return replace(statement, spelled="=") if statement.target in held else statement

    return replace(function, body=rewritten(function.body, change)) if held else function


def _may_have_no_axes(parameter: Parameter) -> bool:
    """Tell whether a parameter is a seed, or the tangent or adjoint of a number."""
    is_number = isinstance(parameter.type, Number)
    role = parameter.variable.role
    return role is Role.SAVED or (role in (Role.TANGENT, Role.ADJOINT) and is_number)


def _held(function: Function, held: set[Variable]) -> set[Variable]:
    """Return the variables that may be bound to what some are bound to."""
    every = [s for s in statements(function.body) if isinstance(s, Let)]
    while True:
        more = {
            s.target
            for s in every
            if isinstance(s.target, Variable) and not held.isdisjoint(_may_be(s.value))
        }
        if more <= held:
            return held
        held = held | more


def _may_be(expr: Expr) -> set[Variable]:
    """Return the variables that an expression may be one of."""
    match expr.op:
        case "name":
            return {expr.data}
        case "conditional":
            return _may_be(expr.args[1]) | _may_be(expr.args[2])
        case "subscript" | "tuple":
            return set().union(*map(_may_be, expr.args))
    return set()
