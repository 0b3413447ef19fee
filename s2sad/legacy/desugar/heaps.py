"""A heap of what varies becomes a list of which the smallest item is taken out.

heapq.heappush(heap, (d, v))              heap.append((d, v))
d, u = heapq.heappop(heap)        ->      at = 0
                                          for k in range(1, len(heap)):
                                              if heap[k] < heap[at]:
                                                  at = k
                                          item = heap[at]
                                          heap[:] = heap[:at] + heap[at:][1:]
                                          d, u = item

Only where nothing else looks into the list: its order is not that of a heap.
"""

from __future__ import annotations

import copy
import heapq

import gast

from s2sad.legacy.desugar.lists import without_item
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    branch,
    call,
    compare,
    index,
    loop,
    method,
    name,
    number,
    parents_of,
    statement,
    stored,
    with_,
)
from s2sad.source.trees import nodes_of

BLOCKS = ("body", "orelse")
TESTS = (gast.While, gast.If, gast.BoolOp, gast.UnaryOp)


def without_heaps(body: Body, names: Names) -> Body:
    """Return the statements of a function in which lists stand for its heaps."""
    nodes = [part for stmt in body for part in nodes_of(stmt)]
    calls = [part for part in nodes if _heap_of(part, names)]
    if not any(names.is_open(each) for each in calls):
        return body
    parents = parents_of(nodes)
    heaps = {_heap_of(each, names) for each in calls}
    found = {heap for heap in heaps if _is_alone(heap, nodes, parents, names)}
    return _Written(found, names).body(copy.deepcopy(body)) if found else body


def _heap_of(part: Node, names: Names) -> str:
    """Return the name of the heap of a call that pushes to one, or pops from it; else ""."""
    match part:
        case gast.Call(func=func, args=[gast.Name(id=heap), *rest], keywords=[]):
            pushes = names.means(func, heapq.heappush) and len(rest) == 1
            if names.is_local(heap) and (pushes or (names.means(func, heapq.heappop) and not rest)):
                return str(heap)
    return ""


def _is_alone(heap: str, nodes: list[Node], parents: dict[int, Node], names: Names) -> bool:
    """Tell whether a name holds heaps of the function's own, and nothing else is done with them."""
    named = [part for part in nodes if isinstance(part, gast.Name) and part.id == heap]
    args = nodes_of(names.source.tree.args)
    if any(getattr(part, "id", "") == heap for part in args):
        return False
    return all(_fits(part, parents, names) for part in named)


def _fits(part: Node, parents: dict[int, Node], names: Names) -> bool:
    around = parents.get(id(part))
    match around:
        case gast.Assign(targets=[target], value=gast.List(elts=items)) if target is part:
            return len(items) < 2 and not any(isinstance(i, gast.Starred) for i in items)
        case gast.Call(func=func, args=[first, *_]) if first is part:
            if names.means(func, len):
                return True
            above = parents.get(id(around))
            whole = isinstance(above, gast.Assign | gast.Expr) and above.value is around
            return whole and bool(_heap_of(around, names))
    return isinstance(around, TESTS) and not isinstance(part.ctx, gast.Store)


class _Written:
    """Puts appends in the place of pushes, and a search in the place of a pop."""

    def __init__(self, heaps: set[str], names: Names):
        self.heaps, self.names = heaps, names

    def body(self, body: Body) -> Body:
        """Return statements in which lists stand for heaps."""
        return [each for stmt in body for each in self._statement(stmt)]

    def _statement(self, stmt: Node) -> Body:
        made = getattr(stmt, "value", None)
        heap = "" if made is None else _heap_of(made, self.names)
        if made is not None and heap in self.heaps:
            return (
                self._pushed(heap, made, stmt) if len(made.args) > 1 else self._popped(heap, stmt)
            )
        inner = {
            part: self.body(getattr(stmt, part))
            for part in BLOCKS
            if isinstance(getattr(stmt, part, None), list)
        }
        return [with_(stmt, **inner)]

    def _pushed(self, heap: str, made: Node, stmt: Node) -> Body:
        return [statement(method(name(heap, stmt), "append", made.args[1:], stmt), stmt)]

    def _popped(self, heap: str, stmt: Node) -> Body:
        at, k, item = (self.names.fresh(each) for each in ("at", "k", "item"))
        first, other = (index(name(heap, stmt), name(each, stmt), stmt) for each in (at, k))
        rest = call("range", [number(1, stmt), call("len", [name(heap, stmt)], stmt)], stmt)
        smaller = branch(
            compare(other, gast.Lt(), first, stmt), [assign(at, name(k, stmt), stmt)], [], stmt
        )
        given = [with_(stmt, value=name(item, stmt))] if isinstance(stmt, gast.Assign) else []
        return [
            assign(at, number(0, stmt), stmt),
            loop(stored(k, stmt), rest, [smaller], stmt),
            assign(item, copy.deepcopy(first), stmt),
            without_item(heap, name(at, stmt), stmt),
            *given,
        ]
