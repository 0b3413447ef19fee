"""Loops over the columns of rows go over their places: `zip(*rows)`, also numbered or beside other things.

for c in zip(*rows):       ->      for k in range(min(map(len, rows), default=0)):
    s += max(c)                        c = [row[k] for row in rows]
                                       s += max(c)

Each column is read when its pass begins, as zip reads it. What zip unpacked it holds, so that the rows
get a name of their own where the loop may put others in their place. Only where no row may become
longer or shorter meanwhile.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    bound_names,
    call,
    constant,
    index,
    name,
    parents_of,
    placed,
    stored,
    with_,
)
from s2sad.source.names import reads_of
from s2sad.source.trees import nodes_of

SEVERAL = (gast.Tuple, gast.List)
RESIZING = frozenset("append extend insert pop remove clear appendleft popleft extendleft".split())
READERS = (sum, len, max, min, list, sorted, tuple, any, all, zip, enumerate, range, map)
FRESH = (gast.List, gast.ListComp)


def over_places(stmt: Node, names: Names) -> Body | None:
    """Return a loop over columns as one over their places; None for other loops."""
    if not any(is_of_columns(part, names) for part in _gone_through(stmt.iter, names)):
        return None
    if _may_resize(stmt, names):
        return None
    out: Body = []
    first: Body = []
    target, iterable = _placed(stmt.target, stmt.iter, stmt, (out, first), names)
    if not first:
        return None
    return [*out, with_(stmt, target=target, iter=iterable, body=[*first, *stmt.body])]


def is_of_columns(iterable: Node, names: Names) -> bool:
    """Tell whether an expression is `zip(*rows)`."""
    match iterable:
        case gast.Call(func=func, args=[gast.Starred(value=rows)], keywords=options):
            if names.means(func, zip) and not any(map(_may_raise, options)):
                return any(map(names.is_local, reads_of(rows)))
    return False


def _may_raise(option: Node) -> bool:
    """Tell whether `strict=` asks for an error where rows are not equally long."""
    return not (isinstance(option.value, gast.Constant) and option.value.value is False)


def _gone_through(iterable: Node, names: Names) -> Body:
    """Return what a loop goes through, and what zip and enumerate in it go through."""
    if isinstance(iterable, gast.Call) and names.means(iterable.func, zip, enumerate):
        inner = [part for each in iterable.args for part in _gone_through(each, names)]
        return [iterable, *inner]
    return [iterable]


def _placed(
    target: Node, iterable: Node, at: Node, into: tuple[Body, Body], names: Names
) -> tuple[Node, Node]:
    """Return a target for places and the places; put what the loop needs before it, and each pass."""
    if is_of_columns(iterable, names):
        return _places(target, iterable, at, into, names)
    if not isinstance(iterable, gast.Call) or not isinstance(target, SEVERAL):
        return target, iterable
    args, parts = list(iterable.args), list(target.elts)
    numbered = names.means(iterable.func, enumerate) and len(parts) == 2
    if numbered:
        parts[1], args[0] = _placed(parts[1], args[0], at, into, names)
    elif names.means(iterable.func, zip) and len(args) == len(parts):
        both = [_placed(*pair, at, into, names) for pair in zip(parts, args, strict=True)]
        parts, args = [part for part, _ in both], [arg for _, arg in both]
    return with_(target, elts=parts), with_(iterable, args=args)


def _places(
    target: Node, iterable: Node, at: Node, into: tuple[Body, Body], names: Names
) -> tuple[Node, Node]:
    out, first = into
    rows = _held(iterable.args[0].value, at, out, names)
    k, row = names.fresh("k"), names.fresh("row")
    length = call("min", [call("map", [name("len", at), name(rows, at)], at)], at)
    length.keywords = [gast.keyword(arg="default", value=constant(0, at))]
    each = gast.comprehension(stored(row, at), name(rows, at), [], 0)
    column = placed(gast.ListComp(index(name(row, at), name(k, at), at), [each]), at)
    column.s2sad_written = True
    if not _is_only_read(target, at.body, names):
        column = call("tuple", [column], at)
    first.append(assign(target, column, at))
    return stored(k, at), call("range", [length], at)


def _held(rows: Node, at: Node, out: Body, names: Names) -> str:
    """Return the name of the rows that zip holds."""
    stores = any(isinstance(part, gast.Subscript) and _is_stored(part) for part in _parts(at.body))
    if isinstance(rows, gast.Name) and not stores and rows.id not in bound_names(at.body):
        return str(rows.id)
    held = names.fresh("rows")
    listed = isinstance(rows, gast.ListComp | gast.List)
    out.append(assign(held, rows if listed else call("list", [rows], rows), rows))
    return held


def _is_stored(part: Node) -> bool:
    return not isinstance(part.ctx, gast.Load)


def _parts(body: Body) -> list[Any]:
    return [part for each in body for part in nodes_of(each)]


def _is_only_read(target: Node, body: Body, names: Names) -> bool:
    """Tell whether each column is unpacked, or handed to what takes a list as it takes a tuple."""
    if not isinstance(target, gast.Name):
        return True
    parts = _parts(body)
    above = parents_of(parts)
    named = [part for part in parts if getattr(part, "id", "") == target.id]
    return all(not _is_stored(part) and _is_read(part, above, names) for part in named)


def _is_read(part: Node, above: dict[int, Node], names: Names) -> bool:
    """Tell whether what a name holds is only looked into where the name stands."""
    around = above.get(id(part))
    match around:
        case gast.For() | gast.comprehension():
            return around.iter is part
        case gast.Subscript(slice=gast.Slice()):
            return False
        case gast.Subscript(value=owner, ctx=gast.Load()):
            return owner is part
        case gast.Call(func=func):
            numpy = str(getattr(names.value(func), "__module__", "")).split(".")[0] == "numpy"
            return numpy or names.means(func, *READERS)
    return False


# ---------------------------------------------------------------------------- rows keep their length


def _may_resize(stmt: Node, names: Names) -> bool:
    """Tell whether a pass may make a row longer or shorter, as far as its text tells."""
    parts = _parts(stmt.body)
    above = parents_of(parts)
    rows = {
        read
        for each in _gone_through(stmt.iter, names)
        if is_of_columns(each, names)
        for read in reads_of(each.args[0].value)
        if names.is_local(read)
    }
    handed = [part for part in parts if isinstance(part, gast.Name) and part.id in rows]
    if any(isinstance(above.get(id(part)), gast.Call | gast.Attribute) for part in handed):
        return True
    return any(_resizes(part, names) for part in parts)


def _resizes(part: Node, names: Names) -> bool:
    match part:
        case gast.Call(func=gast.Attribute(value=owner, attr=attr)) if attr in RESIZING:
            return not (isinstance(owner, gast.Name) and _is_own(owner.id, names))
        case gast.Delete():
            return not all(isinstance(each, gast.Name) for each in part.targets)
        case gast.Subscript(slice=gast.Slice()):
            return _is_stored(part)
        case gast.AugAssign(target=target, value=value):
            return isinstance(value, (*FRESH, gast.Tuple)) and not (
                isinstance(target, gast.Name) and _is_own(target.id, names)
            )
    return False


def _is_own(owner: str, names: Names) -> bool:
    """Tell whether a name is given nothing but new lists, and these are put into nothing else."""
    if "%" in owner:
        return True  # a comprehension fills it
    tree = names.source.tree
    parts = list(nodes_of(tree))
    above = parents_of(parts)
    named = [part for part in parts if getattr(part, "id", "") == owner]
    return all(_is_harmless(part, above, names) for part in named)


def _is_harmless(part: Node, above: dict[int, Node], names: Names) -> bool:
    around = above.get(id(part))
    match around:
        case gast.Assign(targets=[target]) if target is part:
            return _is_new(around.value, names)
        case gast.AugAssign(target=target):
            return target is part
        case gast.Attribute() | gast.Return() | gast.Starred():
            return True
    return not _is_stored(part) and _is_read(part, above, names)


def _is_new(value: Node, names: Names) -> bool:
    """Tell whether an expression makes a list that nothing else holds."""
    match value:
        case gast.Call(func=func):
            return names.means(func, list, sorted)
        case gast.BinOp(left=gast.List(), op=gast.Mult()):
            return True
    return isinstance(value, FRESH)
