"""A loop over a generator whose list would be another thing becomes the lines of the generator.

for t in steps(t0, h):         t_ = t0
    y -= 0.1 * y * t    ->     for _ in range(3):
                                   t = t_
                                   y -= 0.1 * y * t
                                   t_ += h

So both run by turns as they do in Python, whatever either of them changes.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.legacy.desugar import endless
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.renaming import renamed
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    jumps,
    name,
    own_nodes,
    placed,
    stored,
    with_,
)
from s2sad.legacy.desugar.taken import (
    can_be_moved,
    generator_called,
    given_to,
    is_yield,
    moved_from,
)
from s2sad.source.trees import nodes_of

Way = list[tuple[Node, bool]]
# the body of a loop is written out for each `yield` up to so many statements
WRITTEN = 24


def written(stmt: Node, names: Names) -> Body | None:
    """Return a loop over a generator as the lines of that; None for other loops."""
    if _is_numbered(stmt.iter, names):
        return endless.numbered(stmt, names)
    asked = in_lines(stmt.iter) or names.is_open(stmt)
    tree = _lines_of(stmt.iter, names) if asked and not is_listed(stmt.iter) else None
    if tree is None or stmt.orelse:
        return None
    ways = _ways_to_yields(tree.body)
    if len(ways) * _size(stmt.body) > WRITTEN and len(ways) > 1:
        return None
    if not all(_may_leave(stmt.body, way) for way in ways):
        return None
    begin, body = moved_from(tree, stmt.iter, names)
    return [*begin, *_with_body(body, stmt)]


def _is_numbered(node: Node, names: Names) -> bool:
    """Tell whether syntax is `enumerate` of such a generator."""
    is_call = isinstance(node, gast.Call) and bool(node.args)
    return is_call and in_lines(node.args[0]) and names.means(node.func, builtins.enumerate)


def is_listed(node: Node) -> bool:
    """Tell whether a call is of a generator whose list stands for it."""
    return bool(getattr(node, "s2sad_items", False))


def in_lines(node: Node) -> bool:
    """Tell whether a call is of a generator whose list would be another thing."""
    return bool(getattr(node, "s2sad_lines", False))


def is_at_once(node: Node) -> bool:
    """Tell whether a call is of such a generator, and all that it yields is asked for at once."""
    return bool(getattr(node, "s2sad_at_once", False))


class AtOnce(gast.NodeTransformer):  # type: ignore[misc]
    """Puts comprehensions that list them in the place of such calls: their loops take the lines."""

    def __init__(self, names: Names):
        self.names = names

    def visit_Call(self, node: Any) -> Any:
        made = self.generic_visit(node)
        if not is_at_once(node):
            return made
        item = self.names.fresh("item")
        each = gast.comprehension(target=stored(item, node), iter=made, ifs=[], is_async=0)
        return placed(gast.ListComp(elt=name(item, node), generators=[each]), node)


def stands(node: Node, names: Names) -> bool:
    """Tell whether the lines of the generator that is called can stand where it is gone through."""
    return _lines_of(node, names) is not None


def _lines_of(node: Node, names: Names) -> Node | None:
    tree = generator_called(node, names)
    if tree is None or not can_be_moved(tree) or given_to(tree, node, names) is None:
        return None
    return tree if _ways_to_yields(tree.body) else None


def _ways_to_yields(body: Body) -> list[Way]:
    """Return the ways to all yields; nothing, if one of them is in an expression."""
    found = list(_ways(body))
    yields = sum(isinstance(part, gast.Yield) for stmt in body for part in nodes_of(stmt))
    return found if len(found) == yields else []


def _ways(body: Body) -> Iterator[Way]:
    """Yield the statements around each `yield`, and it: each, and whether it is its block's last."""
    for at, stmt in enumerate(body):
        last = at == len(body) - 1
        if is_yield(stmt):
            yield [(stmt, last)]
        elif isinstance(stmt, gast.For | gast.While | gast.If):
            for inner in (stmt.body, stmt.orelse):
                yield from ([(stmt, last), *way] for way in _ways(inner))


def _size(body: Body) -> int:
    return sum(isinstance(part, gast.stmt) for part in own_nodes(body))


def _may_leave(body: Body, way: Way) -> bool:
    """Tell whether what leaves the passes of a loop leaves the generator's in the same way."""
    loops = [each for each in way if isinstance(each[0], gast.For | gast.While)]
    if jumps(body, gast.Break):
        # that of the generator is the only one, and nothing is done after it
        if len(loops) != 1 or not way[0][1] or way[0] != loops[0] or loops[0][0].orelse:
            return False
    if jumps(body, gast.Continue):
        # nothing is left to do in the pass of the generator
        return bool(loops) and all(last for _, last in way[way.index(loops[-1]) + 1 :])
    return True


def _with_body(body: Body, loop: Node) -> Body:
    """Return the lines of a generator with those of a loop in the place of its `yield`."""
    out: Body = []
    for stmt in body:
        if is_yield(stmt):
            out += [assign(loop.target, stmt.value.value, loop), *renamed(loop.body, {})]
        elif any(isinstance(part, gast.Yield) for part in nodes_of(stmt)):
            blocks = {key: _with_body(getattr(stmt, key), loop) for key in ("body", "orelse")}
            out.append(with_(stmt, **blocks))
        else:
            out.append(stmt)
    return out
