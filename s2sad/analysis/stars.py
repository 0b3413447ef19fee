"""Starred targets: items are taken one by one, and what is left is a list.

a, *rest = xs       a = xs[0]
                    rest = xs[1:]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from s2sad.analysis.containers import whole
from s2sad.analysis.fresh import Fresh
from s2sad.analysis.loops import WHOLE, domain_item, item_type
from s2sad.ir.expression import (
    Expr,
    Pattern,
    Star,
    Variable,
    call,
    constant,
    global_,
    name,
    subscript,
)
from s2sad.ir.program import Block, For, Function, Let, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Other, Reference, Region, Sequence, Site, Tuple, Type, Unknown
from s2sad.ir.walk import bound, expressions, nodes, rewritten, statements


def without_stars(
    function: Function, regions: Mapping[Site, Region], infer: Callable[[Expr], Expr]
) -> Function:
    """Return a function without starred targets."""
    if not any(isinstance(s, Let | For) and has_star(s.target) for s in statements(function.body)):
        return function
    kinds = {
        node.data: node.type
        for s in statements(function.body)
        for e in expressions(s)
        for node in nodes(e)
        if node.op == "name"
    }
    stars = _Stars(Fresh.of(function), regions, infer, kinds)
    return replace(function, body=rewritten(function.body, stars.statement))


@dataclass(slots=True)
class _Stars:
    fresh: Fresh
    regions: Mapping[Site, Region]
    infer: Callable[[Expr], Expr]
    kinds: Mapping[Variable, Type]

    def statement(self, statement: Statement) -> Statement | Block:
        if not isinstance(statement, Let | For) or not has_star(statement.target):
            return statement
        return self.unpacked(statement) if isinstance(statement, Let) else self.loop(statement)

    def loop(self, loop: For) -> For:
        """Return a loop whose items are taken apart in its body."""
        item = self.fresh.variable("item")
        type_ = domain_item(loop.domain, self.regions) or Unknown()
        first = Let(loop.target, name(item, type_), loop.span)
        return replace(loop, target=item, body=(*self.unpacked(first), *loop.body))

    def unpacked(self, let: Let) -> Block:
        """Return the statements that take items one by one, and what is left as a list."""
        assert isinstance(let.target, tuple)
        before: list[Statement] = []
        value = let.value
        if value.op != "name" or value.data in bound(let):
            made = self.fresh.variable("parts")
            before.append(replace(let, target=made))
            value = name(made, value.type, value.span)
        count = len(let.target)
        star = next(k for k, t in enumerate(let.target) if isinstance(t, Star))
        for position, target in enumerate(let.target):
            at = position if position < star else position - count
            if isinstance(target, Star):
                rest = self.rest(value, star, count - star - 1, self.kinds.get(target.variable))
                before.append(Let(target.variable, rest, let.span))
            elif target is not None:
                part = self.infer(subscript(value, position_at(at)))
                before.append(Let(target, part, let.span))
        return tuple(before)

    def rest(self, value: Expr, start: int, left: int, type_: Type | None) -> Expr:
        """Return the list of what the other targets leave."""
        nothing = constant(None)
        end = position_at(-left) if left else nothing
        item = item_type(value.type, self.regions) or Unknown()
        kind = type_ if isinstance(type_, Reference) else Sequence(item, list)
        if isinstance(value.type, Tuple):
            places = range(start, len(value.type.items) - left)
            parts = tuple(self.infer(subscript(value, position_at(k))) for k in places)
            return Expr("list", parts, None, kind)
        cut = Expr("slice", (position_at(start), end, nothing), None, Other(slice))
        part = self.infer(subscript(value, cut))
        if isinstance(value.type, Reference):
            return part.typed(kind)
        return call(global_("list", list), part, type_=kind)


def has_star(target: Pattern) -> bool:
    """Tell whether one of several targets takes what the others leave."""
    return isinstance(target, tuple) and any(isinstance(t, Star) for t in target)


def position_at(position: int) -> Expr:
    """Return a position, which counts from the end if it is negative."""
    if position >= 0:
        return whole(position)
    return Expr("unary", (whole(-position),), "-", WHOLE)
