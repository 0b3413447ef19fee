"""Types that lowering did not know, found once own functions stand in place of their calls.

value = self_items[k]        value: Unknown       ->    Number
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from s2sad.analysis.loops import domain_item
from s2sad.analysis.memory import types_of
from s2sad.ir.errors import S2sadError
from s2sad.ir.expression import Expr, Pattern, Variable
from s2sad.ir.program import For, Function, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Number, Reference, Region, Site, Tuple, Type
from s2sad.ir.walk import (
    expressions,
    nodes,
    nodes_in,
    rewritten,
    statements,
    with_expressions,
    with_nodes,
)
from s2sad.types import Fails

COPIED = frozenset({"copy.copy", "copy.deepcopy", "deepcopy"})
LEFT = frozenset({"global", "constant", "function", "comprehension", "generator", "slice"})


def retyped(
    function: Function,
    infer: Callable[[Expr], Expr],
    join: Callable[[Type, Type], Type | None],
    regions: Mapping[Site, Region],
) -> Function:
    """Return a function with types where they were not known."""
    before = -1
    while (unknown := _count(function)) not in (0, before):
        before = unknown
        function = _retyped_by(function, types_of(function, join), infer, regions)
    return function


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


def _retyped_by(
    function: Function,
    types: Mapping[Variable, Type],
    infer: Callable[[Expr], Expr],
    regions: Mapping[Site, Region],
) -> Function:
    """Return a function with types of what is made of variables and regions of these types."""
    retyper = _Retyper(types, infer, regions)
    for statement in statements(function.body):
        if isinstance(statement, For):
            retyper.bind(statement.target, domain_item(statement.domain, regions))
    return replace(function, body=rewritten(function.body, retyper.statement))


def _count(function: Function) -> int:
    """Return how many values there are of which nothing is known."""
    return sum(map(_is_open, nodes_in(function.body)))


def _is_open(expr: Expr) -> bool:
    return expr.type == UNKNOWN and expr.op not in LEFT


class _Retyper:
    def __init__(
        self,
        types: Mapping[Variable, Type],
        infer: Callable[[Expr], Expr],
        regions: Mapping[Site, Region],
    ):
        self.types = dict(types)
        self.infer = infer
        self.regions = regions

    def statement(self, statement: Statement) -> Statement:
        if not any(_is_open(n) for e in expressions(statement) for n in nodes(e)):
            return statement
        return with_expressions(statement, self.expression)

    def expression(self, expr: Expr) -> Expr:
        if expr.op == "comprehension":
            return self.comprehension(expr)
        if expr.op in LEFT:
            return expr
        if expr.op == "name":
            known = self.types.get(expr.data, UNKNOWN)
            return expr.typed(known) if expr.type == UNKNOWN and known != UNKNOWN else expr
        made = expr.with_args(self.expression(arg) for arg in expr.args)
        if made.type != UNKNOWN or any(a.type == UNKNOWN for a in made.args if a.op == "name"):
            return made
        kept = self.of_container(made)
        if kept != UNKNOWN:
            return made.typed(kept)
        try:
            return self.infer(made)
        except (Fails, S2sadError):
            return made

    def comprehension(self, expr: Expr) -> Expr:
        """Return a comprehension with types for what it binds."""
        element, *generators = expr.args
        made = []
        for generator in generators:
            domain = self.expression(generator.args[0])
            self.bind(generator.data, domain_item(domain, self.regions))
            tests = (self.expression(test) for test in generator.args[1:])
            made.append(generator.with_args((domain, *tests)))
        return expr.with_args((self.expression(element), *made))

    def bind(self, pattern: Pattern, type_: Type | None) -> None:
        match pattern:
            case Variable() if type_ is not None:
                if self.types.get(pattern, UNKNOWN) == UNKNOWN:
                    self.types[pattern] = type_
            case tuple() if isinstance(type_, Tuple) and len(type_.items) == len(pattern):
                for part, item in zip(pattern, type_.items, strict=True):
                    self.bind(part, item)

    def of_container(self, expr: Expr) -> Type:
        """Return the type of a copy of a container."""
        if expr.op != "call" or expr.data:
            return UNKNOWN
        function, *args = expr.args
        if function.op == "global" and function.data.text in COPIED and len(args) == 1:
            return args[0].type
        return UNKNOWN
