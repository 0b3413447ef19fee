"""Whether a number is of one kind in every run: np.vectorize takes that of the first for all.

lambda a: 0 if a < 0.0 else a     a whole number, or a float: refused
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from s2sad.ir.expression import Expr, is_own_call
from s2sad.ir.program import Block, Let, Return
from s2sad.ir.types import Number
from s2sad.ir.walk import statements
from s2sad.lowering.machine import Machine, refusal
from s2sad.lowering.values import Value


def of_one_kind(m: Machine, args: list[Value], kwargs: Mapping[str, Value], node: Any) -> Value:
    """Return a number that is a float on every way, or on none."""
    expr = m.to_data(args[0]).expr
    if is_own_call(expr) and expr.args[0].data in m.functions:
        body = m.functions[expr.args[0].data].body
        ends = [s.value for s in statements(body) if isinstance(s, Return)]
    else:
        body, ends = tuple(m.block), [expr]
    found = {kind for end in ends for kind in _kinds(end, body)}
    if len(found) > 1:
        raise refusal(m, "np.vectorize of a function that gives whole numbers on some ways")
    return args[0]


def _kinds(expr: Expr, block: Block) -> Iterator[bool]:
    """Yield whether a value is a whole number, on each way."""
    if expr.op == "conditional":
        for arm in expr.args[1:]:
            yield from _kinds(arm, block)
        return
    if expr.op == "name":
        for statement in statements(block):
            if isinstance(statement, Let) and statement.target == expr.data:
                if statement.value != expr:
                    yield _is_whole(statement.value)
    yield _is_whole(expr)


def _is_whole(expr: Expr) -> bool:
    return isinstance(expr.type, Number) and expr.type.dtype[0] in "iub"
