"""Assignments to targets of any form become assignments to one target, or to several names.

a[0] = b = e                   ->      b = e; a[0] = b
a, (b, *c) = x, (y, z, w)      ->      a, b, c = x, y, [z, w]
a, *b = u                      ->      a = u[0]; b = list(u[1:])
a[i][j] = e                    ->      row = a[i]; row[j] = e
a[i][j], b = e, f              ->      item, item_2 = e, f; row = a[i]; row[j] = item; b = item_2
a.T[j] = e                     ->      turned = a.T; turned[j] = e
a.ravel()[j] = e               ->      item = a.ravel(); item[j] = e
"""

from __future__ import annotations

import copy
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.legacy.desugar import flat
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    bound_names,
    call,
    display,
    index,
    name,
    number,
    placed,
    span_of,
    stored,
    with_,
)
from s2sad.legacy.turns import FUNCTIONS, METHODS
from s2sad.source.names import reads_of
from s2sad.source.text import MISSING

SEVERAL = (gast.Tuple, gast.List)
# each of the arrays that these give is new, and may be written to without the others
FACTORS = (np.linalg.svd, np.linalg.eigh, np.linalg.eig, np.linalg.qr)
# displays that have no subscripts, or others
UNORDERED = (gast.GeneratorExp, gast.Set, gast.SetComp, gast.Dict, gast.DictComp)
Pair = tuple[Node, Node]


def single(stmt: Node, names: Names) -> Body | None:
    """Return an assignment as simpler ones; None where it is simple already."""
    match stmt:
        case gast.AnnAssign():
            return [] if stmt.value is None else [assign(stmt.target, stmt.value, stmt)]
        case gast.Assign() if len(stmt.targets) > 1:
            return _chained(stmt, names)
        case gast.Assign() if isinstance(stmt.targets[0], SEVERAL) and _repeats(stmt.targets[0]):
            return [with_(stmt, targets=[_distinct_targets(stmt.targets[0], names)])]
        case gast.Assign() if _is_transposed(stmt, names):
            return _transposed(stmt, names)
        case gast.Assign() if isinstance(stmt.targets[0], SEVERAL):
            return _unpacked(stmt, names)
        case gast.Assign() if _is_inner(stmt.targets[0]):
            return _into_part(stmt, stmt.targets[0], names)
        case gast.AugAssign() if _is_inner(stmt.target):
            return _added_to_part(stmt, names)
    return None


# ---------------------------------------------------------------------------- a, _, _ = e


def _repeats(target: Node) -> bool:
    """Tell whether a name stands twice among targets: it keeps what went there last."""
    bound = [each.id for each in _names_bound(target)]
    return len(set(bound)) < len(bound)


def _distinct_targets(target: Node, names: Names) -> Node:
    """Return targets in which each name but the last of its kind is one that nobody reads."""
    target = copy.deepcopy(target)
    later: set[str] = set()
    for each in reversed(_names_bound(target)):
        if each.id in later:
            each.id = names.fresh(each.id)
        later.add(each.id)
    return target


def _names_bound(target: Node) -> list[Any]:
    """Return the names that a target binds, in the order in which they are bound."""
    if isinstance(target, gast.Starred):
        return _names_bound(target.value)
    if isinstance(target, SEVERAL):
        return [each for part in target.elts for each in _names_bound(part)]
    return [target] if isinstance(target, gast.Name) else []


# ---------------------------------------------------------------------------- a, b = zip(*e)


def _is_transposed(stmt: Node, names: Names) -> bool:
    """Tell whether a statement is `xs, ys = zip(*pairs)`."""
    target, value = stmt.targets[0], stmt.value
    if not isinstance(target, SEVERAL) or _starred(target) or not isinstance(value, gast.Call):
        return False
    starred = len(value.args) == 1 and isinstance(value.args[0], gast.Starred)
    return starred and not value.keywords and names.means(value.func, zip) and names.is_open(stmt)


def _transposed(stmt: Node, names: Names) -> Body:
    """Return `xs, ys = zip(*pairs)` as lists of what stands first and second."""
    pairs = names.temp("item")
    out: Body = [assign(pairs, stmt.value.args[0].value, stmt)]
    for place, target in enumerate(stmt.targets[0].elts):
        row = names.fresh("row")
        part = index(name(row, stmt), number(place, stmt), stmt)
        each = gast.comprehension(
            target=stored(row, stmt), iter=name(pairs, stmt), ifs=[], is_async=0
        )
        made = placed(gast.ListComp(elt=part, generators=[each]), stmt)
        out.append(assign(target, made, stmt))
    return out


# ---------------------------------------------------------------------------- a[i][j] = e


def _is_inner(target: Node) -> bool:
    """Tell whether a target is an element of something that has no name."""
    return isinstance(target, gast.Subscript) and _is_nameless(target.value)


def _is_nameless(owner: Node) -> bool:
    """Tell whether what is written to is a part of what has a name, or all of it, turned."""
    match owner:
        case gast.Subscript():
            return True
        case gast.Attribute(value=whole, attr="T" | "flat"):
            return isinstance(whole, gast.Name | gast.Subscript | gast.Attribute)
        case gast.Call(func=gast.Attribute(attr=called)):
            return called in METHODS | FUNCTIONS
    return False


def part_of(target: Node, names: Names) -> tuple[Body, Node]:
    """Return names for the parts that lead to a target, and the target in terms of the last."""
    inner = target.value
    out: Body = []
    if isinstance(inner, gast.Subscript | gast.Attribute) and _is_nameless(inner.value):
        out, inner = part_of(inner, names)
    root = getattr(inner, "value", None)
    base = root.id.split("%")[0] if isinstance(root, gast.Name) else "item"
    part = names.temp(base)
    value = inner if isinstance(inner, gast.Call) else with_(inner, ctx=gast.Load())
    out.append(assign(part, flat.as_row(value) if flat.is_flat(value) else value, inner))
    return out, with_(target, value=name(part, inner))


def _into_part(stmt: Node, target: Node, names: Names) -> Body:
    parts, where = part_of(target, names)
    if isinstance(stmt.value, gast.Constant | gast.Name):
        return [*parts, assign(where, stmt.value, stmt)]
    # what is given is computed before anything is looked at that is written to
    held = names.temp("item")
    return [assign(held, stmt.value, stmt), *parts, assign(where, name(held, stmt), stmt)]


def _added_to_part(stmt: Node, names: Names) -> Body:
    parts, where = part_of(stmt.target, names)
    return [*parts, with_(stmt, target=where)]


# ---------------------------------------------------------------------------- a = b = e


def _chained(stmt: Node, names: Names) -> Body | None:
    if all(isinstance(target, gast.Name) for target in stmt.targets):
        return None
    if isinstance(stmt.value, gast.Constant):
        return [assign(target, stmt.value, stmt) for target in stmt.targets]
    holder = _holder(stmt)
    targets = [each for each in stmt.targets if each is not holder]
    if holder is None:
        holder = stored(names.temp("item"), stmt)
    held = name(holder.id, stmt)
    return [assign(holder, stmt.value, stmt), *(assign(each, held, stmt) for each in targets)]


def _holder(stmt: Node) -> Node | None:
    """Return a target that can have the value first: a name that no other target looks at."""
    for target in stmt.targets:
        others = [each for each in stmt.targets if each is not target]
        if isinstance(target, gast.Name):
            touched = {*reads_of(others), *bound_names(others)}
            if target.id not in touched:
                return target
    return None


# ---------------------------------------------------------------------------- a, b = e


def _unpacked(stmt: Node, names: Names) -> Body | None:
    target, value = stmt.targets[0], stmt.value
    if isinstance(value, SEVERAL) and not _starred(value):
        return _from_display(stmt, target, value, names)
    plain = all(isinstance(each, gast.Name) for each in target.elts)
    if isinstance(value, gast.Name):
        return None if plain else _from_name(stmt, target, value, names)
    if _gives_several(value, names) and not _starred(target):
        return None if plain else _from_name(stmt, target, value, names)
    held = names.temp("item")
    if flat.is_flat(value):
        value = flat.in_one_row(value)
    if _starred(target) and _may_be_unordered(value, names):
        value = call("list", [value], stmt)
    return [assign(held, value, stmt), assign(target, name(held, stmt), stmt)]


def _may_be_unordered(value: Node, names: Names) -> bool:
    """Tell whether a value may be gone through only, as those of generators, sets and dicts are."""
    if isinstance(value, gast.Call):
        module = getattr(names.value(value.func), "__module__", "") or ""
        return module.split(".")[0] != "numpy"
    return isinstance(value, UNORDERED)


def _starred(node: Node) -> bool:
    return any(isinstance(each, gast.Starred) for each in node.elts)


def _gives_several(value: Node, names: Names) -> bool:
    """Tell whether a call may be of a Python function, or of one that gives several new arrays."""
    if not isinstance(value, gast.Call):
        return False
    function = names.value(value.func)
    if function is MISSING or isinstance(function, FunctionType):
        return True
    return any(function is each for each in FACTORS)


def _from_display(stmt: Node, target: Node, value: Node, names: Names) -> Body | None:
    pairs = list(_pairs(target, value))
    bound = [each.id for each, _ in pairs if isinstance(each, gast.Name)]
    if len(bound) == len(pairs) == len(set(bound)):
        if [id(each) for each, _ in pairs] == [id(each) for each in target.elts]:
            return None
        return [_several(pairs, stmt)]
    taken_apart = any(isinstance(each, SEVERAL) or _is_inner(each) for each, _ in pairs)
    if not taken_apart and not _starred(target):
        return None
    # what is given is computed before anything is stored
    held = [names.temp("item") for _ in pairs]
    first = [(stored(text, stmt), each) for text, (_, each) in zip(held, pairs, strict=True)]
    rest = [
        assign(each, name(text, stmt), stmt) for text, (each, _) in zip(held, pairs, strict=True)
    ]
    return [_several(first, stmt), *rest]


def _several(pairs: list[Pair], at: Node) -> Node:
    targets = display(gast.Tuple, [each for each, _ in pairs], at, store=True)
    return assign(targets, display(gast.Tuple, [value for _, value in pairs], at), at)


def _pairs(target: Node, value: Node) -> Any:
    """Yield what is stored where, for displays on both sides."""
    if not isinstance(target, SEVERAL) or not isinstance(value, SEVERAL) or _starred(value):
        yield target, value
        return
    starred = [i for i, each in enumerate(target.elts) if isinstance(each, gast.Starred)]
    if not starred:
        if len(target.elts) != len(value.elts):
            yield target, value
            return
        for each, part in zip(target.elts, value.elts, strict=True):
            yield from _pairs(each, part)
        return
    (front,), back = starred, len(target.elts) - starred[0] - 1
    middle = display(gast.List, value.elts[front : len(value.elts) - back], value)
    parts = [*value.elts[:front], middle, *value.elts[len(value.elts) - back :]]
    targets = [*target.elts[:front], target.elts[front].value, *target.elts[front + 1 :]]
    for each, part in zip(targets, parts, strict=True):
        yield from _pairs(each, part)


def _from_name(stmt: Node, target: Node, value: Node, names: Names) -> Body:
    """Return the parts of a named value stored one by one."""
    if _starred(target):
        if value.id in bound_names(target):
            held = names.temp("item")
            return [assign(held, value, stmt), assign(target, name(held, stmt), stmt)]
        return _with_rest(stmt, target, value)
    parts = [each if isinstance(each, gast.Name) else None for each in target.elts]
    held_names = [part.id if part is not None else names.temp("item") for part in parts]
    if len(set(held_names)) < len(held_names):
        held_names = [names.temp("item") for _ in target.elts]
    first = with_(target, elts=[stored(text, stmt) for text in held_names])
    rest = [
        assign(each, name(text, stmt), stmt)
        for each, text in zip(target.elts, held_names, strict=True)
        if not (isinstance(each, gast.Name) and each.id == text)
    ]
    return [assign(first, value, stmt), *rest]


def _with_rest(stmt: Node, target: Node, value: Node) -> Body:
    front = next(i for i, each in enumerate(target.elts) if isinstance(each, gast.Starred))
    behind = len(target.elts) - front - 1
    out: Body = []
    for i, each in enumerate(target.elts):
        if i < front:
            part = index(value, number(i, stmt), stmt)
        elif i > front:
            part = index(value, number(i - len(target.elts), stmt), stmt)
        else:
            lower = number(front, stmt) if front else None
            upper = number(-behind, stmt) if behind else None
            part = call("list", [index(value, span_of(lower, upper, stmt), stmt)], stmt)
        out.append(assign(each.value if i == front else each, part, stmt))
    return out
