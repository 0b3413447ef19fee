"""Lists of objects that are gone through beside other things are written out pass by pass.

for b, f in zip(bodies, forces):        b = bodies_0; f = forces[0]; b.kick(f)
    b.kick(f)                           b = bodies_1; f = forces[1]; b.kick(f)

What is not known to be as long is asked: zip ends with the shortest.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import all_of, assign, branch, call, compare, index, name, number
from s2sad.legacy.program import Expr
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Record, is_sequence
from s2sad.source.names import assigned_names


@dataclass(frozen=True)
class Part:
    """One of the things that a loop goes through: its items by their places.

    `count` is None where a test is to tell whether there is an item.
    """

    item: Callable[[int], Any]
    count: int | None
    held: str = ""


def abreast(node: Any, scope: Scope) -> tuple[list[Any], list[list[Any]]] | None:
    """Return the passes of a loop over zip() of lists of objects and other things.

    Before them stands what gives names to what is gone through.
    """
    match node:
        case gast.For(
            target=gast.Tuple() | gast.List() as target,
            iter=gast.Call(func=gast.Name(id="zip"), args=args, keywords=options),
        ) if len(args) == len(target.elts):
            strict = any(records.literal(option.value) is not False for option in options)
        case _:
            return None
    if any(isinstance(each, gast.Starred) for each in (*args, *target.elts)):
        return None
    names = {arg.id for arg in args if isinstance(arg, gast.Name)}
    if "zip" in scope.locals or not any(_row(arg, scope) for arg in args):
        return None
    if not names.isdisjoint(assigned_names(node.body)):
        return None  # what is gone through changes meanwhile
    first: list[Any] = []
    parts = [_part(arg, first, scope) for arg in args]
    count = min(part.count for part in parts if part.count is not None)
    if strict and any(part.count != count for part in parts):
        return None  # it may have to raise
    return first, [_pass(node, parts, place) for place in range(count)]


def row_length(part: Any, scope: Scope) -> int | None:
    """Return how many objects the list has that a name stands for."""
    row = _row(part, scope)
    return None if row is None else len(records.keys_of(row, scope, part))


def _row(part: Any, scope: Scope) -> Record | None:
    if isinstance(part, gast.Attribute):
        from s2sad.legacy.statics.resolving import resolved  # which stands after this

        part = resolved(part, scope)
    static = scope.static(part.id) if isinstance(part, gast.Name) else None
    is_row = isinstance(static, Record) and is_sequence(static.kind)
    return static if is_row else None  # type: ignore[return-value]


def _part(node: Any, first: list[Any], scope: Scope) -> Part:
    row = _row(node, scope)
    if row is not None:
        keys = records.keys_of(row, scope, node)
        slots = [records.known_as_name(records.slot_of(row, key), scope) for key in keys]
        return Part(lambda place: name(slots[place], node), len(slots))
    shown = _shown(node, scope)
    if shown is not None:
        return Part(lambda place: index(node, number(place, node), node), len(shown))
    held = f"items%k{scope.numbers.key()}"
    scope.locals |= {held}
    first.append(assign(held, call("list", [node], node), node))
    return Part(lambda place: index(name(held, node), number(place, node), node), None, held)


def _shown(node: Any, scope: Scope) -> tuple[Expr, ...] | None:
    """Return the items of a list that are known one by one."""
    if not isinstance(node, gast.Name) or node.id not in scope.locals or not scope.has(node.id):
        return None
    return scope.held.displays.get(scope.value(node.id))


def _pass(node: Any, parts: list[Part], place: int) -> list[Any]:
    targets = node.target.elts
    body = [
        assign(copy.deepcopy(target), part.item(place), node)
        for target, part in zip(targets, parts, strict=True)
    ]
    body += copy.deepcopy(node.body)
    asked = [
        compare(number(place, node), gast.Lt(), call("len", [name(part.held, node)], node), node)
        for part in parts
        if part.count is None
    ]
    return [branch(all_of(asked, node), body, [], node)] if asked else body
