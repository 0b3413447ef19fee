"""Casts of results to the precision of their arguments go where a result has it already.

u_bar = 2.0 * u                          return u_bar        of float32, as u
return u_bar.astype(np.float32)
"""

from __future__ import annotations

from collections import Counter

from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Function, Let, Return, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Type
from s2sad.ir.walk import name_nodes, nodes_in, rebuilt, rewritten, statements, with_expressions
from s2sad.operators.precision import is_cast


def without_idle_casts(function: Function) -> Function:
    """Return a function without casts of results that have the precision they are cast to.

    The cast of what stands in a result twice stays: it is an array of its own.
    """
    if not any(map(is_cast, nodes_in(function.body))):
        return function
    kinds: dict[Variable, set[str]] = {p.variable: {_dtype(p.type)} for p in function.parameters}
    for each in statements(function.body):
        if isinstance(each, Let) and isinstance(each.target, Variable):
            kinds.setdefault(each.target, set()).add(_dtype(each.value.type))

    def statement(each: Statement) -> Statement:
        if not isinstance(each, Return):
            return each
        times = Counter(n.data for n in name_nodes(each.value))

        def change(node: Expr) -> Expr | None:
            if not is_cast(node):
                return None
            value = node.args[0].args[0]
            is_name = value.op == "name"
            known = kinds.get(value.data) if is_name else {_dtype(value.type)}
            is_idle = known == {node.args[1].data.value.__name__}
            return value if is_idle and not (is_name and times[value.data] > 1) else None

        return with_expressions(each, lambda expr: rebuilt(expr, change))

    return replace(function, body=rewritten(function.body, statement))


def _dtype(type_: Type) -> str:
    """Return the kind of numbers of an array."""
    return type_.dtype if isinstance(type_, Array) and type_.rank else ""
