"""Statements, expressions and targets with other variables.

with_variables(y = x * u[0], {x: x_2})      y = x_2 * u[0]
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.expression import Expr, Pattern, Variable
from s2sad.ir.program import Copied, For, Let, RegionOp, Restore, Statement, Try
from s2sad.ir.records import replace
from s2sad.ir.walk import blocks, rebuilt, with_blocks, with_expressions


def with_variables(statement: Statement, renamed: Mapping[Variable, Variable]) -> Statement:
    """Return a statement, and what is in it, with other variables."""

    def expr(e: Expr) -> Expr:
        return renamed_in(e, renamed)

    inner = tuple(tuple(with_variables(s, renamed) for s in b) for b in blocks(statement))
    statement = with_expressions(with_blocks(statement, inner), expr)
    match statement:
        case Let() | For() | RegionOp():
            return replace(statement, target=pattern_renamed(statement.target, renamed))
        case Restore(target=Variable() as target):
            return replace(statement, target=renamed.get(target, target))
        case Copied():
            return replace(statement, writes=tuple(renamed.get(v, v) for v in statement.writes))
        case Try():
            handlers = tuple(
                replace(h, target=h.target and renamed.get(h.target, h.target))
                for h in statement.handlers
            )
            return replace(statement, handlers=handlers)
    return statement


def renamed_in(expr: Expr, renamed: Mapping[Variable, Variable]) -> Expr:
    """Return an expression with other variables."""

    def change(node: Expr) -> Expr | None:
        if node.op == "name" and node.data in renamed:
            return replace(node, data=renamed[node.data])
        if node.op == "generator":
            return replace(node, data=pattern_renamed(node.data, renamed))
        return None

    return rebuilt(expr, change)


def with_value(expr: Expr, variable: Variable, value: Expr) -> Expr:
    """Return an expression with a value, of the same type, where its name was."""

    def change(node: Expr) -> Expr | None:
        is_it = node.op == "name" and node.data == variable
        return value.typed(node.type) if is_it else None

    return rebuilt(expr, change)


def pattern_renamed(pattern: Pattern, renamed: Mapping[Variable, Variable]) -> Pattern:
    """Return a target with other variables."""
    match pattern:
        case Variable():
            return renamed.get(pattern, pattern)
        case tuple():
            return tuple(pattern_renamed(part, renamed) for part in pattern)
    return pattern
