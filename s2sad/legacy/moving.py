"""Loops over lists that get longer or shorter on the way ask for the next item as Python does.

for v in xs:             k = 0
    xs.pop()       ->    while k < len(xs):
                             v = xs[k]
                             k = k + 1
                             xs.pop()
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import (
    all_of,
    assign,
    binary,
    call,
    compare,
    index,
    name,
    number,
)
from s2sad.legacy.links import IS_LIST, Asked, Question, connected
from s2sad.legacy.scope import Scope
from s2sad.source.fresh import free
from s2sad.source.names import rebound_names
from s2sad.source.trees import nodes_of

Body = list[Any]

LENGTHS = frozenset({"append", "extend", "insert", "pop", "remove", "clear"})


def while_there_are_items(loop: Any, sources: Body, scope: Scope) -> Body | None:
    """Return the statements for a loop that moves the items of a list that it goes over."""
    moved = {scope.slot(each) for each in _moved(loop.body) if scope.has(each)}
    if not any(_is_moved(each, moved, loop, scope) for each in sources):
        return None
    kind = loop.iter.func.id if isinstance(loop.iter, gast.Call) else ""
    plain = all(isinstance(each, gast.Name) and scope.has(each.id) for each in sources)
    if not plain or {each.id for each in sources} & rebound_names(loop.body):
        return None
    if kind in ("enumerate", "zip") and not isinstance(loop.target, gast.Tuple):
        return None
    return _asking(loop, sources, kind, scope)


def _is_moved(source: Any, moved: set[str], loop: Any, scope: Scope) -> bool:
    if not moved or not isinstance(source, gast.Name) or not scope.has(source.id):
        return False
    slot = scope.slot(source.id)
    if not moved & {slot, *connected(scope.held.links, [slot])}:
        return False
    question = Question(scope.span(loop), slot, IS_LIST)
    return scope.ask(Asked(question, scope.value(source.id))) == "list"


def _moved(body: Body) -> Iterator[str]:
    """Yield the names of which a statement may change the length, if they hold lists."""
    for part in (part for stmt in body for part in nodes_of(stmt)):
        match part:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr=called)):
                if called in LENGTHS:
                    yield owner
            case gast.Subscript(value=gast.Name(id=owner)):
                of_several = isinstance(part.slice, gast.Slice)
                if isinstance(part.ctx, gast.Del) or (
                    of_several and not isinstance(part.ctx, gast.Load)
                ):
                    yield owner
            case gast.AugAssign(target=gast.Name(id=owner)):
                yield owner


def _asking(loop: Any, sources: Body, kind: str, scope: Scope) -> Body:
    taken = {part.id for part in nodes_of(scope.source.tree) if isinstance(part, gast.Name)}
    place = free("place", taken | scope.locals)
    scope.locals = scope.locals | {place}
    here = name(place, loop)
    lengths = [call("len", [each], loop) for each in sources]
    backwards = kind == "reversed"
    start = binary(gast.Sub(), lengths[0], number(1, loop), loop) if backwards else number(0, loop)
    tests = [compare(here, gast.Lt(), each, loop) for each in lengths]
    tests += [compare(here, gast.GtE(), number(0, loop), loop)] if backwards else []
    step = binary(gast.Sub() if backwards else gast.Add(), here, number(1, loop), loop)
    items = [index(each, here, loop) for each in sources]
    if kind == "enumerate":
        items = [here, *items]
    targets = loop.target.elts if kind in ("enumerate", "zip") else [loop.target]
    given = [assign(target, each, loop) for target, each in zip(targets, items, strict=True)]
    body = [*given, assign(place, step, loop), *loop.body]
    asking = _while(all_of(tests, loop), body, loop.orelse, loop)
    return [assign(place, start, loop), asking]


def _while(test: Any, body: Body, orelse: Body, at: Any) -> Any:
    return gast.copy_location(gast.While(test=test, body=body, orelse=orelse), at)
