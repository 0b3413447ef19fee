"""Types that lowering did not know, found once own functions stand in place of their calls.

value = self_items[k]        value: Unknown       ->    Number
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from s2sad.analysis.memory import types_of
from s2sad.ir.errors import S2sadError
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Function
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Tuple, Type
from s2sad.ir.walk import nodes_in, with_nodes
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
        unknown = _count(function)
        if not unknown:
            break
        function = _retyped_once(function, infer, types_of(function, join))
        if _count(function) == unknown:
            break
    return function


def _retyped_once(
    function: Function, infer: Callable[[Expr], Expr], types: Mapping[Variable, Type]
) -> Function:
    def change(node: Expr) -> Expr | None:
        if not _is_open(node):
            return None
        if node.op == "name":
            known = types.get(node.data, UNKNOWN)
            return None if known == UNKNOWN else node.typed(known)
        if any(arg.op == "name" and arg.type == UNKNOWN for arg in node.args):
            return None
        try:
            return infer(node)
        except (Fails, S2sadError):
            return None

    return replace(function, body=with_nodes(function.body, change))


def _count(function: Function) -> int:
    """Return how many values there are of which nothing is known."""
    return sum(map(_is_open, nodes_in(function.body)))


def _is_open(expr: Expr) -> bool:
    return _is_unknown(expr.type) and expr.op not in LEFT


def _is_unknown(type_: Type) -> bool:
    """Tell whether nothing is known of a value, or of an item of a tuple."""
    if isinstance(type_, Tuple):
        return any(map(_is_unknown, type_.items))
    return type_ == UNKNOWN
