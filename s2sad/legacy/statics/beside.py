"""Loops over keys beside other things, zipped or numbered, are written out pass by pass.

for k, v in zip("ab", u):          d_a$1 = u[0]
    d[k] = v                       d_b$1 = u[1]

for i, k in enumerate(d, 1): ...   i is 1, and 2
"""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import branch, call, compare, constant, number
from s2sad.legacy.program import base
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics.abreast import row_length
from s2sad.legacy.statics.known import UNROLLED, functions_at, is_key, known_items
from s2sad.legacy.statics.passes import Spelled, assigned, changing
from s2sad.legacy.statics.records import literal
from s2sad.source.names import assigned_names


def side_by_side(node: Any, scope: Scope) -> tuple[list[Any], list[list[Any]]] | None:
    """Return the passes of `for k, v in zip("ab", u)`, and with enumerate, where k is a key.

    Before them stands what gives names to what is gone through.
    """
    target, iterable = node.target, node.iter
    if not isinstance(target, gast.Tuple | gast.List):
        return None
    listed = [functions_at(part, scope) for part in getattr(iterable, "args", ())]
    if not any(listed) and not is_key(node, scope):
        return None
    parts = _parts(iterable, scope)
    known = [known_items(part, scope) for part in parts]
    counts = [each for each in map(partial(_count, scope=scope), parts) if each is not None]
    if len(parts) != len(target.elts) or not counts or not 0 < min(counts) <= UNROLLED:
        return None
    if strict(iterable) and len({*counts}) > 1:
        return None  # it fails where it is called
    if any(not each and _changes(part, node) for each, part in zip(known, parts, strict=True)):
        return None
    first: list[Any] = []
    given = changing([node.target, *node.body])
    for at, part in enumerate(parts):
        shown = isinstance(part, gast.Tuple | gast.List)
        if not known[at] and (shown or getattr(part, "id", "") in given):
            parts[at] = _with_name(part, first, scope)
    if not all(each or isinstance(p, gast.Name) for each, p in zip(known, parts, strict=True)):
        return None
    unknown = [part for part in parts if _count(part, scope) is None]
    first += [_refused(part, min(counts), node) for part in unknown]
    pairs = list(zip(parts, known, strict=True))
    return first, [_side_by_side_pass(node, pairs, place) for place in range(min(counts))]


def strict(node: Any) -> bool | None:
    """Return what `strict` is in zip(..., strict=True); None for anything else."""
    match node:
        case gast.Call(
            func=gast.Name(id="zip"),
            keywords=[gast.keyword(arg="strict", value=gast.Constant(value=bool() as told))],
        ):
            return bool(told)
    return None


def _parts(iterable: Any, scope: Scope) -> list[Any]:
    """Return what a loop goes through side by side; the numbers of `enumerate` are written out."""
    match iterable:
        case gast.Call(func=gast.Name(id="zip"), args=parts, keywords=options):
            return list(parts) if not options or strict(iterable) is not None else []
        case gast.Call(func=gast.Name(id="enumerate"), args=[part, *starts], keywords=keywords):
            starts = [*starts, *(each.value for each in keywords if each.arg == "start")]
            start = literal(starts[0]) if starts else 0
            count = _count(part, scope)
            if type(start) is not int or count is None or len(starts) > 1:
                return []
            places = range(start, start + count)
            numbers = [gast.copy_location(gast.Constant(n, None), part) for n in places]
            return [gast.copy_location(gast.Tuple(numbers, gast.Load()), part), part]
    return []


def _refused(part: Any, count: int, node: Any) -> Any:
    """Return the test of whether there is an item for each key: keys that have none are not known."""
    exactly = strict(node.iter)
    op = gast.NotEq() if exactly else gast.Lt()
    few = compare(call("len", [part], node), op, number(count, node), node)
    more = "" if exactly else ", or more"
    what = constant(f"made for {base(part.id)} of {count} items{more}", node)
    error = gast.Raise(exc=call("ValueError", [what], node), cause=None)
    return branch(few, [gast.copy_location(error, node)], [], node)


def _changes(part: Any, node: Any) -> bool:
    """Tell whether the passes of a loop change what it goes through."""
    name = getattr(part, "id", "")
    return name in assigned_names(node.body) and name not in changing(node.body)


def _count(part: Any, scope: Scope) -> int | None:
    """Return how many items there are, where that is known."""
    known = known_items(part, scope)
    if known is not None:
        return len(known)
    if isinstance(part, gast.Tuple | gast.List):
        return None if any(isinstance(e, gast.Starred) for e in part.elts) else len(part.elts)
    held = None
    if isinstance(part, gast.Name) and part.id in scope.locals and scope.has(part.id):
        held = scope.held.displays.get(scope.value(part.id))
    return row_length(part, scope) if held is None else len(held)


def _with_name(shown: Any, first: list[Any], scope: Scope) -> Any:
    """Give a display a name of its own, in a statement before the loop."""
    name = f"items%k{scope.numbers.key()}"
    scope.locals |= {name}
    first.append(
        assigned(gast.copy_location(gast.Name(name, gast.Store(), None, None), shown), shown)
    )
    return gast.copy_location(gast.Name(name, gast.Load(), None, None), shown)


def _side_by_side_pass(node: Any, parts: list[Any], place: int) -> list[Any]:
    """Return one pass: what is known is put in for its name, the rest read at its place."""
    out, body = [], copy.deepcopy(node.body)
    for target, (part, known) in zip(node.target.elts, parts, strict=True):
        at = gast.copy_location(gast.Constant(place, None), part)
        value = gast.copy_location(gast.Subscript(part, at, gast.Load()), part)
        if known is not None:
            value = gast.copy_location(gast.Constant(known[place], None), part)
            if isinstance(target, gast.Name) and target.id not in changing(body):
                body = list(map(Spelled(target.id, known[place]).visit, body))
        out.append(assigned(copy.deepcopy(target), value))
    return [*out, *body]
