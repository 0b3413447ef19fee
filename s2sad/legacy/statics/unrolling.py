"""Loops over the parts of a record, or over its keys, are written out pass by pass.

for k, v in d.items():          k = "u"; v = d_u$1; total = total + v
    total = total + v           k = "v"; v = d_v$1; total = total + v
"""

from __future__ import annotations

import copy
import functools
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar.factories import gives_function, is_factory
from s2sad.legacy.desugar.syntax import jumps
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import leaving, records
from s2sad.legacy.statics.abreast import abreast
from s2sad.legacy.statics.beside import side_by_side
from s2sad.legacy.statics.kinds import Function
from s2sad.legacy.statics.known import UNROLLED, functions_at, gone_through, is_key, known_items
from s2sad.legacy.statics.ordered import order_of
from s2sad.legacy.statics.passes import Spelled, assigned, changing, functions_in
from s2sad.source.plain import makes_records
from s2sad.source.text import resolve_dotted
from s2sad.source.trees import nodes_of

# a key, and the slot or the syntax of the value where that is gone through
Pass = tuple[Any, Any]


def unrolled(node: Any, scope: Scope) -> list[Any] | None:
    """Return a loop over the parts of a record, or over its keys, written out."""
    left = leaving.is_left(node) or jumps(node.body, gast.Break)
    first, passes = [], _passes(node, scope)
    if passes is None:
        first, passes = abreast(node, scope) or side_by_side(node, scope) or ([], None)
    if passes is None and not left:
        passes = _of_functions(node, scope)
        passes = _of_options(node, scope) if passes is None else passes
    if passes is None:
        return None
    if leaving.is_left(node) or (left and len(passes) > UNROLLED):
        raise Unsupported(
            "a loop over the parts of what is made here cannot be left",
            scope.span(node),
            "Write it as branches, or without break, continue and return.",
        )
    return [*first, *leaving.one_after_the_other(passes, node, scope)]


def _written(passes: list[Pass], node: Any) -> list[list[Any]]:
    return [
        [*_bound(node.target, key, value, node), *_with_key(node, key, value is None)]
        for key, value in passes
    ]


def _passes(node: Any, scope: Scope) -> list[list[Any]] | None:
    """Return what a loop goes through, pass by pass, where that is known."""
    through, order = order_of(node.iter, scope)
    record, what = gone_through(through, scope)
    if record is not None:
        keys = records.keys_of(record, scope, node)
        if order is not None:
            known = order(keys, what) if record.kind is dict else None
            if known is None:
                return None
            keys = tuple(known)
        if what == "reversed":
            keys, what = keys[::-1], "values"
        slots = [
            None if what == "keys" else records.known_as_name(records.slot_of(record, key), scope)
            for key in keys
        ]
        keys = tuple(range(len(keys))) if what == "counted" else keys
        pairs = zip(keys, slots, strict=True)
        return _written([(key if what != "values" else None, slot) for key, slot in pairs], node)
    known = known_items(node.iter, scope)
    few = known is not None and len(known) <= UNROLLED
    if few and (is_key(node, scope) or _collects(node, scope)):
        return _written([(key, None) for key in known or ()], node)
    return None


def _of_functions(node: Any, scope: Scope) -> list[list[Any]] | None:
    """Return the passes of a loop that calls each item of a list: which function that is is known."""
    at, back = node.iter, False
    match at:
        case gast.Call(func=gast.Name(id="reversed"), args=[inner]):
            at, back = inner, True
    count = functions_at(at, scope)
    names = {part.id for part in nodes_of(node.target) if isinstance(part, gast.Name)}
    if count is None or not any(names & _called_in(stmt) for stmt in node.body):
        return None
    places = range(count)[::-1] if back else range(count)
    keys = (gast.copy_location(gast.Constant(place, None), at) for place in places)
    items = [gast.copy_location(gast.Subscript(at, key, gast.Load()), at) for key in keys]
    return _written([(None, item) for item in items], node)


def _of_options(node: Any, scope: Scope) -> list[list[Any]] | None:
    """Return the passes of a loop over options, texts among them, that calls are given: 1, "fro"."""
    shown = gast.Tuple | gast.List | gast.Name
    if not isinstance(node.target, gast.Name) or not isinstance(node.iter, shown):
        return None
    known = known_items(node.iter, scope) or []
    texts = any(isinstance(each, str) for each in known)
    given = any(node.target.id in _called_in(stmt) for stmt in node.body)
    given = given or any(node.target.id in _named_in(stmt) for stmt in node.body)
    fits = texts and given and len(known) <= UNROLLED
    return _written([(key, None) for key in known], node) if fits else None


def _named_in(stmt: Any) -> set[str]:
    """Return the names that are handed to a call under another name: ord=o."""
    calls = [part for part in nodes_of(stmt) if isinstance(part, gast.Call)]
    values = [each.value for call in calls for each in call.keywords]
    return {each.id for each in values if isinstance(each, gast.Name)}


def _called_in(stmt: Any) -> set[str]:
    """Return the names that are called somewhere, or handed to a call."""
    calls = [part for part in nodes_of(stmt) if isinstance(part, gast.Call)]
    parts = [each for call in calls for each in (call.func, *call.args)]
    return {each.id for each in parts if isinstance(each, gast.Name)}


def _collects(node: Any, scope: Scope) -> bool:
    """Tell whether the body of a loop puts dicts, objects or functions that it makes on a list."""
    made = {part.name for part in functions_in(node.body) if hasattr(part, "name")}
    for part in (part for stmt in node.body for part in nodes_of(stmt)):
        match part:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append"), args=[arg])):
                if scope.opens(part) and _is_function(arg, made, scope):
                    return True
        match part:
            case gast.Call(func=gast.Attribute(attr="append"), args=[gast.Dict()]):
                return True
            case gast.Call(
                func=gast.Attribute(attr="append"), args=[gast.Call(func=gast.Name() as called)]
            ):
                found = (
                    resolve_dotted(scope.source, called) if called.id not in scope.locals else None
                )
                if found is not None and makes_records(found[1]):
                    return True
    return False


def _is_function(arg: Any, made: set[str], scope: Scope) -> bool:
    """Tell whether syntax gives a function: a lambda, one made under a name, a partial object."""
    match arg:
        case gast.Name(id=name):
            return name in made
        case gast.Call(func=func):
            found = resolve_dotted(scope.source, func)
            value = None if found is None else found[1]
            return value is functools.partial or is_factory(value) or _makes_one(func, scope)
    return isinstance(arg, gast.Lambda)


def _makes_one(func: Any, scope: Scope) -> bool:
    """Tell whether a function that is made inside, and called here, makes another one."""
    static = scope.static(func.id) if isinstance(func, gast.Name) else None
    return isinstance(static, Function) and static.node and gives_function(static.node)


def _bound(target: Any, key: Any, slot: Any, node: Any) -> list[Any]:
    """Return the statements that give the targets of a pass their values."""
    spelled = gast.copy_location(gast.Constant(key, None), node.iter)
    if slot is None:
        return [assigned(target, spelled)]
    value = slot
    if isinstance(slot, str):
        value = gast.copy_location(gast.Name(slot, gast.Load(), None, None), node.iter)
    if key is None:
        return [assigned(target, value)]
    if isinstance(target, gast.Tuple | gast.List):
        return [assigned(target.elts[0], spelled), assigned(target.elts[1], value)]
    pair = gast.copy_location(gast.Tuple([spelled, value], gast.Load()), node.iter)
    return [assigned(target, pair)]


def _with_key(node: Any, key: Any, alone: bool) -> list[Any]:
    """Return the body with the name of the key replaced by the key itself."""
    target = node.target
    named = target.elts[0] if isinstance(target, gast.Tuple | gast.List) else target
    body: list[Any] = copy.deepcopy(node.body)
    if key is None or not isinstance(named, gast.Name) or not (alone or named is not target):
        return body
    return body if named.id in changing(body) else list(map(Spelled(named.id, key).visit, body))
