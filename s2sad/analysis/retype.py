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
from s2sad.ir.types import UNKNOWN, Number, Reference, Region, Site, Tuple, Type
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


def agreed(
    function: Function,
    infer: Callable[[Expr], Expr],
    join: Callable[[Type, Type], Type | None],
    regions: Mapping[Site, Region],
) -> Function:
    """Return a function whose names and items are floats wherever one of their values is.

    What was taken for a whole number, where its default is one, would not vary.
    """
    while True:
        made = _agreed_once(function, infer, types_of(function, join), regions)
        if made is function:
            return made
        function = made


def _agreed_once(
    function: Function,
    infer: Callable[[Expr], Expr],
    types: Mapping[Variable, Type],
    regions: Mapping[Site, Region],
) -> Function:
    def held(node: Expr) -> Type:
        return types.get(node.data, UNKNOWN) if node.op == "name" else _slot(node, regions)

    def is_other(node: Expr) -> bool:
        is_whole = isinstance(node.type, Number) and node.type.dtype[0] in "iu"
        return is_whole and getattr(held(node), "dtype", " ")[0] in "fc"

    if not any(map(is_other, nodes_in(function.body))):
        return function

    def change(node: Expr) -> Expr | None:
        if is_other(node):
            return node.typed(held(node))
        is_whole = getattr(node.type, "dtype", "f")[0] in "iu" and node.op in ("binary", "unary")
        return infer(node) if is_whole else None

    return replace(function, body=with_nodes(function.body, change))


def _slot(node: Expr, regions: Mapping[Site, Region]) -> Type:
    """Return the type of what a container holds at a place."""
    if node.op not in ("subscript", "attribute") or not isinstance(node.args[0].type, Reference):
        return UNKNOWN
    region = regions.get(node.args[0].type.site)
    if region is None or region.kind != "fields":
        return UNKNOWN if region is None or node.op == "attribute" else region.item
    key = node.data if node.op == "attribute" else node.args[1].data
    return region.fields.get(key, UNKNOWN) if isinstance(key, str | int) else UNKNOWN
