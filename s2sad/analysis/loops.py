"""Loops over ranges only: what a pass takes is a part of what the loop goes over.

for k, (x, w) in enumerate(zip(u, v)):      for k in range(len(u)):
    total += w * x                              x = u[k]
                                                w = v[k]
                                                total += w * x
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.analysis.activity import may_vary
from s2sad.analysis.fresh import Fresh
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Pattern, Variable, call, constant, global_, name, subscript
from s2sad.ir.program import Block, For, Function, Let, Statement
from s2sad.ir.types import Array, Number, Reference, Region, Sequence, Site, Tuple, Type
from s2sad.ir.walk import blocks, nodes, with_blocks

WHOLE = Number("int64")
Item = Callable[[Expr], Expr]
Parts = tuple[Expr, Item] | None  # how long a domain is, and its item at a position


def over_ranges(function: Function, regions: Mapping[Site, Region]) -> Function:
    """Return a function whose loops go over ranges, where what they go over can be indexed."""
    loops = _Loops(Fresh.of(function), regions)
    return replace(function, body=loops.block(function.body))


def is_call_of(expr: Expr, named: str) -> bool:
    """Tell whether an expression is a call of a builtin or function of a module."""
    return expr.op == "call" and expr.args[0].op == "global" and expr.args[0].data.text == named


def whole(value: int) -> Expr:
    """Return a literal of an integer."""
    return constant(value, WHOLE)


def length_of(expr: Expr) -> Expr:
    """Return len(expr)."""
    return call(global_("len", len), expr, type_=WHOLE)


def range_of(*bounds: Expr) -> Expr:
    """Return range(bounds)."""
    return call(global_("range", range), *bounds, type_=Sequence(WHOLE, range))


@dataclass(slots=True)
class _Loops:
    fresh: Fresh
    regions: Mapping[Site, Region]

    def block(self, block: Block) -> Block:
        return tuple(new for statement in block for new in self.statement(statement))

    def statement(self, statement: Statement) -> Iterator[Statement]:
        statement = with_blocks(statement, tuple(self.block(b) for b in blocks(statement)))
        if not isinstance(statement, For) or is_plain(statement):
            yield statement
            return
        before: list[Statement] = []
        parts = self.parts(statement.domain, before)
        if parts is None:
            self.refuse_what_varies(statement)
            yield statement
            return
        length, item = parts
        yield from before
        yield self.over(statement, length, item)

    def refuse_what_varies(self, loop: For) -> None:
        """Refuse a loop that hands on what may vary in a way that nothing here follows."""
        if any(may_vary(node.type, self.regions) for node in nodes(loop.domain)):
            raise NotYet("a loop over what has no positions", loop.span)

    def over(self, loop: For, length: Expr, item: Item) -> For:
        """Return a loop over the positions of what the loop went over."""
        counter = self.fresh.variable("k")
        lets = tuple(bound_to_parts(loop.target, item(name(counter, WHOLE)), loop))
        first = lets[0] if lets else None
        if isinstance(first, Let) and first.value == name(counter, WHOLE):
            if isinstance(first.target, Variable) and not _binds(loop.body, first.target):
                return replace(self.over_named(loop, length, item, first.target), span=loop.span)
        return For(counter, range_of(length), (*lets, *loop.body), loop.span)

    def over_named(self, loop: For, length: Expr, item: Item, counter: Variable) -> For:
        """Return the loop with the user's own counter: `for k, x in enumerate(u)`."""
        lets = tuple(bound_to_parts(loop.target, item(name(counter, WHOLE)), loop))
        return For(counter, range_of(length), (*lets[1:], *loop.body), loop.span)

    def parts(self, domain: Expr, before: list[Statement]) -> Parts:
        """Return the length of a domain, and its item at a position; None where it has none."""
        if is_call_of(domain, "enumerate") and len(domain.args) in (2, 3):
            return self._enumerated(domain, before)
        if is_call_of(domain, "zip") and all(a.op != "starred" for a in domain.args):
            return self._zipped(domain, before)
        if is_call_of(domain, "reversed") and len(domain.args) == 2:
            return self._reversed(domain, before)
        item = item_type(domain.type, self.regions)
        if item is None:
            return None
        base = self.named(domain, before)
        return length_of(base), lambda k: subscript(base, k, item)

    def _enumerated(self, domain: Expr, before: list[Statement]) -> Parts:
        inner = self.parts(domain.args[1], before)
        if inner is None:
            return None
        length, item = inner
        start = domain.args[2] if len(domain.args) == 3 else whole(0)

        def pair(k: Expr) -> Expr:
            at = k if start.data == 0 else Expr("binary", (k, start), "+", WHOLE)
            found = item(k)
            return Expr("tuple", (at, found), None, Tuple((WHOLE, found.type)))

        return length, pair

    def _zipped(self, domain: Expr, before: list[Statement]) -> Parts:
        plain = domain.args[1 : len(domain.args) - len(domain.data)]
        every = [self.parts(arg, before) for arg in plain]
        found = [each for each in every if each is not None]
        if not found or len(found) < len(every):
            return None
        lengths = [length for length, _ in found]
        shortest = lengths[0]
        if not _surely_equal(plain):
            shortest = call(global_("min", min), *lengths, type_=WHOLE)

        def together(k: Expr) -> Expr:
            items = tuple(item(k) for _, item in found)
            return Expr("tuple", items, None, Tuple(tuple(i.type for i in items)))

        return shortest, together

    def _reversed(self, domain: Expr, before: list[Statement]) -> Parts:
        inner = self.parts(domain.args[1], before)
        if inner is None:
            return None
        length, item = inner
        last = Expr("binary", (length, whole(1)), "-", WHOLE)
        return length, lambda k: item(Expr("binary", (last, k), "-", WHOLE))

    def named(self, domain: Expr, before: list[Statement]) -> Expr:
        """Return a name for what a loop goes over: the loop may rebind the user's."""
        kept = self.fresh.variable("gone_through" if domain.op != "name" else domain.data.name)
        before.append(Let(kept, domain, domain.span))
        return name(kept, domain.type)


def is_plain(loop: For) -> bool:
    """Tell whether a loop goes over a range, forwards, with one name."""
    domain = loop.domain
    return isinstance(loop.target, Variable) and is_call_of(domain, "range")


def item_type(type_: Type, regions: Mapping[Site, Region]) -> Type | None:
    """Return the type of what stands at a position; None if positions are not what is asked for."""
    match type_:
        case Array(dtype, lengths) if lengths:
            return Array(dtype, lengths[1:]) if len(lengths) > 1 else Number(dtype, True)
        case Sequence(item, cls) if cls in (tuple, range, list):
            return item
        case Tuple(items) if items and all(i == items[0] for i in items):
            return items[0]
        case Reference(site) if site in regions and regions[site].kind == "list":
            return regions[site].item
    return None


def bound_to_parts(target: Pattern, value: Expr, loop: For) -> Iterator[Statement]:
    """Yield the statements that bind a target to an item, part by part where it is a tuple."""
    if target is None:
        return
    if isinstance(target, tuple) and value.op == "tuple" and len(target) == len(value.args):
        for part, each in zip(target, value.args, strict=True):
            yield from bound_to_parts(part, each, loop)
        return
    yield Let(target, value, loop.span)


def _binds(body: Block, variable: Variable) -> bool:
    from_patterns = (s for s in body if isinstance(s, Let))
    return any(s.target == variable for s in from_patterns)


def _surely_equal(args: tuple[Expr, ...]) -> bool:
    lengths = [
        a.type.lengths[0] if isinstance(a.type, Array) and a.type.lengths else None for a in args
    ]
    return lengths[0] is not None and all(length == lengths[0] for length in lengths)
