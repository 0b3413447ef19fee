"""An iterator that is asked for one item after the other, and then gone through, becomes a list.

it = iter(u)                  it = list(u)
first = next(it)       ->     first = it[0]
for x in it:                  for x in it[1:]:
    s += first * x                s += first * x

Only where it is known at each place how many items are gone, and nothing is written meanwhile.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass, field

import gast

from s2sad.legacy.desugar.endless import has_end, kept_endless
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    COMPREHENSIONS,
    Body,
    Node,
    assign,
    branch,
    call,
    compare,
    constant,
    index,
    number,
    placed,
    span_of,
    with_,
)
from s2sad.legacy.desugar.syntax import name as named
from s2sad.legacy.desugar.untouched import is_untouched
from s2sad.source.trees import nodes_of

BLOCKS = ("body", "orelse", "finalbody")
# what goes through all that it is given, now or later, and gives nothing back to ask more of
WHOLE = (
    *(sum, list, tuple, max, min, sorted, enumerate, zip, map, filter, any, all),
    *(math.fsum, math.prod, functools.reduce),
    *(itertools.accumulate, itertools.chain, itertools.islice, itertools.pairwise),
)
SIMPLE = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Expr, gast.Return)
# of what stands in these it is not known whether, or in which order, it is asked
OPEN = (*COMPREHENSIONS, gast.Lambda, gast.IfExp, gast.BoolOp, gast.NamedExpr)


class _Unknown(Exception):
    """How many items are gone is not known."""


def without_iterators(body: Body, names: Names) -> Body:
    """Return the statements of a function in which lists stand for iterators that are asked."""
    nodes = [part for stmt in body for part in nodes_of(stmt)]
    made = [each for each in nodes if _items(each, names) is not None]
    opened = any(names.is_open(part) for each in made for part in (each, each.value))
    if not opened and not any(_is_unpacked(each.targets[0].id, nodes) for each in made):
        return body
    return _block(body, nodes, names)


def _is_unpacked(held: str, nodes: list[Node]) -> bool:
    """Tell whether `first, *rest = it` is written, which becomes subscripts."""
    return any(
        isinstance(each, gast.Assign)
        and isinstance(each.targets[0], gast.Tuple | gast.List)
        and isinstance(each.value, gast.Name)
        and each.value.id == held
        for each in nodes
    )


def _items(stmt: Node, names: Names) -> Node | None:
    """Return what `it = iter(u)` is given, where it may have an end."""
    match stmt:
        case gast.Assign(
            targets=[gast.Name(id=held)], value=gast.Call(func=func, args=[items], keywords=[])
        ) if names.is_local(held) and names.means(func, iter):
            endless = isinstance(items, gast.Name) and items.id in kept_endless(names)
            starred = isinstance(items, gast.Starred)
            return items if has_end(items, names) and not (endless or starred) else None
    return None


def _block(body: Body, nodes: list[Node], names: Names) -> Body:
    out: Body = []
    rest = list(body)
    while rest:
        stmt = rest.pop(0)
        items = _items(stmt, names)
        asked = None if items is None else _asked(stmt, items, rest, nodes, names)
        if asked is not None:
            rest = asked
            stmt = assign(stmt.targets[0], call("list", [items], stmt), stmt)
        if not isinstance(stmt, gast.FunctionDef | gast.ClassDef):
            inner = {key: getattr(stmt, key) for key in BLOCKS if getattr(stmt, key, None)}
            stmt = with_(stmt, **{key: _block(part, nodes, names) for key, part in inner.items()})
        out.append(stmt)
    return out


def _asked(made: Node, items: Node, rest: Body, nodes: list[Node], names: Names) -> Body | None:
    """Return what follows `it = iter(u)` with a list in its place; None where it may not stand."""
    held = made.targets[0].id
    everywhere = [part for part in nodes if isinstance(part, gast.Name) and part.id == held]
    after = [part for stmt in rest for part in nodes_of(stmt)]
    here = [part for part in after if isinstance(part, gast.Name) and part.id == held]
    if len(everywhere) != len(here) + 1 or not is_untouched(items, rest, nodes, names):
        return None
    asking = _Asking(held, names)
    try:
        return [each for stmt in rest for each in asking.statement(stmt)]
    except _Unknown:
        return None


@dataclass
class _Asking(gast.NodeTransformer):  # type: ignore[misc]
    """Puts items of a list where an iterator is asked; `gone` is None once nobody knows how many."""

    held: str
    names: Names
    gone: int | None = 0
    checks: Body = field(default_factory=list)

    def statement(self, stmt: Node) -> Body:
        """Return a statement, with what raises StopIteration before it."""
        if not self._mentions(stmt):
            return [stmt]
        key = _FIRST.get(type(stmt), "value" if isinstance(stmt, SIMPLE) else "")
        others = [getattr(stmt, each) for each in stmt._fields if each != key]
        if not key or any(map(self._mentions, others)):
            raise _Unknown
        self.checks = []
        unpacks = isinstance(stmt, gast.Assign) and isinstance(
            stmt.targets[0], gast.Tuple | gast.List
        )
        through = self._whole(getattr(stmt, key)) if key == "iter" or unpacks else None
        value = through or self.visit(getattr(stmt, key))
        return [*self.checks, with_(stmt, **{key: value})]

    def _mentions(self, part: object) -> bool:
        if isinstance(part, list):
            return any(map(self._mentions, part))
        inside = nodes_of(part) if isinstance(part, gast.AST) else ()
        return any(isinstance(each, gast.Name) and each.id == self.held for each in inside)

    def _is_it(self, node: Node) -> bool:
        return isinstance(node, gast.Name) and node.id == self.held

    def _whole(self, node: Node) -> Node | None:
        """Return all that is left; nobody may ask for more after that."""
        if not self._is_it(node):
            return None
        gone, self.gone = self._known(), None
        whole = named(self.held, node)
        return index(whole, span_of(number(gone, node), None, node), node) if gone else whole

    def _known(self) -> int:
        if self.gone is None:
            raise _Unknown
        return self.gone

    def visit_Name(self, node: Node) -> Node:
        """Refuse an iterator that is handed on."""
        if self._is_it(node):
            raise _Unknown
        return node

    def visit(self, node: Node) -> Node:
        """Refuse what is not surely asked, and once."""
        chained = isinstance(node, gast.Compare) and len(node.ops) > 1
        chained |= isinstance(node, gast.Dict) and self._mentions(node.keys)
        if not self._mentions(node) or not (chained or isinstance(node, OPEN)):
            return super().visit(node)
        if isinstance(node, gast.ListComp | gast.GeneratorExp):
            first, *more = node.generators
            if not self._mentions([node.elt, *more, *first.ifs]):
                through = self._whole(first.iter) or self.visit(first.iter)
                return with_(node, generators=[with_(first, iter=through), *more])
        raise _Unknown

    def visit_Call(self, node: Node) -> Node:
        """Take the next item, or all that are left."""
        if self.names.means(node.func, next) and node.args and self._is_it(node.args[0]):
            return self._next(node)
        if self.names.means(node.func, zip) and node.args and all(map(self._is_it, node.args)):
            return self._in_turn(node)
        if self.names.means(node.func, *WHOLE):
            args = [self._whole(each) or self.visit(each) for each in node.args]
            keywords = [self.visit(each) for each in node.keywords]
            return with_(node, args=args, keywords=keywords)
        return self.generic_visit(with_(node))

    def _in_turn(self, node: Node) -> Node:
        """Return `zip(it, it)` as every other item, and those between."""
        gone, self.gone = self._known(), None
        step = number(len(node.args), node)
        starts = [number(gone + k, node) for k in range(len(node.args))]
        parts = [placed(gast.Slice(lower=each, upper=None, step=step), node) for each in starts]
        return with_(node, args=[index(named(self.held, node), part, node) for part in parts])

    def _next(self, node: Node) -> Node:
        gone = self._known()
        self.gone = gone + 1
        item = index(named(self.held, node), number(gone, node), node)
        count = call("len", [named(self.held, node)], node)
        if len(node.args) == 1:
            none = compare(count, gast.LtE(), constant(gone, node), node)
            stop = gast.Raise(exc=call("StopIteration", [], node), cause=None)
            self.checks.append(branch(none, [placed(stop, node)], [], node))
            return item
        default = node.args[1]
        if len(node.args) > 2 or self._mentions(default):
            raise _Unknown
        if not isinstance(default, gast.Constant | gast.Name):
            text = self.names.temp("item")
            self.checks.append(assign(text, default, node))
            default = named(text, node)
        some = compare(count, gast.Gt(), constant(gone, node), node)
        return placed(gast.IfExp(some, item, default), node)


_FIRST = {gast.For: "iter", gast.If: "test"}
