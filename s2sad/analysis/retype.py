"""Types that lowering did not know, found once own functions stand in place of their calls.

value = self_items[k]        value: Unknown       ->    Number
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from s2sad.analysis.memory import types_of
from s2sad.ir.errors import S2sadError
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Function, Statement
from s2sad.ir.types import UNKNOWN, Type
from s2sad.ir.walk import expressions, nodes, rewritten, statements, with_expressions
from s2sad.types import Fails

MOST_ROUNDS = 4
LEFT = frozenset({"global", "constant", "function", "comprehension", "generator", "slice"})


def retyped(
    function: Function,
    infer: Callable[[Expr], Expr],
    join: Callable[[Type, Type], Type | None],
) -> Function:
    """Return a function with types where they were not known."""
    for _ in range(MOST_ROUNDS):
        if not any(_is_open(n) for s in statements(function.body) for e in _all(s) for n in e):
            return function
        types = types_of(function, join)
        new = replace(function, body=rewritten(function.body, _Retyper(types, infer).statement))
        if types_of(new, join) == types:
            return new
        function = new
    return function


def _all(statement: Statement) -> tuple[tuple[Expr, ...], ...]:
    return tuple(tuple(nodes(e)) for e in expressions(statement))


def _is_open(expr: Expr) -> bool:
    return expr.type == UNKNOWN and expr.op not in LEFT


class _Retyper:
    def __init__(self, types: Mapping[Variable, Type], infer: Callable[[Expr], Expr]):
        self.types = types
        self.infer = infer

    def statement(self, statement: Statement) -> Statement:
        if not any(_is_open(n) for e in expressions(statement) for n in nodes(e)):
            return statement
        return with_expressions(statement, self.expression)

    def expression(self, expr: Expr) -> Expr:
        if expr.op in LEFT:
            return expr
        if expr.op == "name":
            known = self.types.get(expr.data, UNKNOWN)
            return expr.typed(known) if expr.type == UNKNOWN and known != UNKNOWN else expr
        made = expr.with_args(self.expression(arg) for arg in expr.args)
        if made.type != UNKNOWN or any(a.type == UNKNOWN for a in made.args if a.op == "name"):
            return made
        try:
            return self.infer(made)
        except (Fails, S2sadError):
            return made


__all__ = ["retyped"]
