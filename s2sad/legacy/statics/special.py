"""Statements that ask an object for methods of its own: loops, elements written, `+=`.

for x in g:          ->      items = g.__iter__(); for x in items:
g[i] = x             ->      g.__setitem__(i, x)
g[i] += x            ->      item = g[i]; item += x; g.__setitem__(i, item)
g += h               ->      g = g.__iadd__(h)
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import with_
from s2sad.legacy.generators import is_generator, lasts
from s2sad.legacy.lower import operation
from s2sad.legacy.operators import BINARY
from s2sad.legacy.program import Assign, Call, Expr, Ref
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import classes, records
from s2sad.legacy.statics.kinds import Record
from s2sad.legacy.statics.resolving import dict_owner, has_dict, resolved

SIMPLE = (gast.Constant, gast.Name, gast.UnaryOp)
IN_PLACE = {
    "+": "__iadd__",
    "-": "__isub__",
    "*": "__imul__",
    "/": "__itruediv__",
    "@": "__imatmul__",
}


def asked(node: Any, scope: Scope) -> list[Any] | None:
    """Return what a statement is that asks an object for a method; None for other statements."""
    match node:
        case gast.Assign(targets=[gast.Subscript() as place]) if _has(place, "__setitem__", scope):
            return [_stored(place, node.value, node)]
        case gast.AugAssign(target=gast.Subscript() as place) if _has(place, "__setitem__", scope):
            return _added(node, scope)
        case gast.AugAssign(target=gast.Name(id=name)):
            return _in_place(node, name, scope)
        case gast.Assign(targets=[gast.Attribute() as place]) if _sets(place, scope):
            return [_set(place, node.value, node)]
        case gast.AugAssign(target=gast.Attribute() as place) if _sets(place, scope):
            read = gast.copy_location(gast.Attribute(place.value, place.attr, gast.Load()), place)
            more = gast.copy_location(gast.BinOp(read, node.op, node.value), node)
            return [_set(place, more, node)]
        case gast.AugAssign(target=gast.Attribute() | gast.Subscript() as place):
            return _field_in_place(node, place, scope)
        case gast.Expr(
            value=gast.Call(
                func=gast.Attribute(
                    value=gast.Attribute(value=gast.Name() as owner, attr="__dict__"), attr="update"
                )
            )
        ) if isinstance(scope.static(owner.id), Record):
            return _fields_set(owner, node.value, scope)
        case gast.Expr(
            value=gast.Call(func=gast.Name(id="setattr"), args=[gast.Name() as owner, key, value])
        ) if isinstance(scope.static(owner.id), Record) and "setattr" not in scope.locals:
            return _named_set(owner, records.spelled(key, scope), value, node)
    return None


def _named_set(owner: Any, name: Any, value: Any, node: Any) -> list[Any] | None:
    """Return `setattr(o, "x", v)` as an assignment."""
    if not isinstance(name, str) or not name.isidentifier():
        return None
    place = gast.copy_location(gast.Attribute(owner, name, gast.Store()), node)
    return [gast.copy_location(gast.Assign([place], value, None), node)]


def _fields_of(arg: Any, scope: Scope) -> Record | None:
    """Return the dict that a name holds, or the object whose `__dict__` is read."""
    owner = dict_owner(arg, scope)
    name = getattr(arg if owner is None else owner, "id", None)
    held = None if name is None else scope.static(name)
    if not isinstance(held, Record) or (held.kind is dict) != (owner is None):
        return None
    return held if owner is None or has_dict(held) else None


def _fields_set(owner: Any, call: Any, scope: Scope) -> list[Any] | None:
    """Return `self.__dict__.update(kw, a=x)`, or with `other.__dict__`, as assignments to the fields."""
    given = {}
    for arg in call.args:
        held = _fields_of(arg, scope)
        if held is None:
            return None
        for key in records.keys_of(held, scope, call):
            place = gast.copy_location(gast.Constant(key, None), call)
            given[key] = gast.copy_location(gast.Subscript(arg, place, gast.Load()), call)
    given |= {each.arg: each.value for each in call.keywords}
    if not all(isinstance(key, str) and key.isidentifier() for key in given):
        return None
    fields = {key: gast.Attribute(owner, key, gast.Store()) for key in given}
    return [
        gast.copy_location(gast.Assign([gast.copy_location(fields[key], call)], value, None), call)
        for key, value in given.items()
    ]


def _sets(place: Any, scope: Scope) -> bool:
    """Tell whether an attribute that is written to is a property with a setter."""
    static = scope.static(place.value.id) if isinstance(place.value, gast.Name) else None
    return isinstance(static, Record) and classes.setter(static.kind, place.attr) is not None


def _set(place: Any, value: Any, node: Any) -> Any:
    call = _call(place.value, f"{place.attr}.setter", [value], node)
    return gast.copy_location(gast.Expr(call), node)


def gone_through(node: Any, scope: Scope) -> Any:
    """Return a loop over an object as one over what its `__iter__` gives an iterator of."""
    asked_for = _method(node.iter, "__iter__", scope)
    if asked_for is None:
        return node
    if is_generator(asked_for) and not lasts(node, asked_for, Names(scope.source, scope.locals)):
        return node
    made = operation(_call(node.iter, "__iter__", [], node.iter), scope)
    items = made if is_generator(asked_for) else without_iter(made, scope)
    if items is None:
        return node
    name = _new(f"{node.iter.id}_items", scope)
    records.give(scope, name, items, scope.span(node.iter))
    through = gast.copy_location(gast.Name(name, gast.Load(), None, None), node.iter)
    made_ = gast.For(node.target, through, node.body, node.orelse, None)
    return gast.copy_location(made_, node)


def without_iter(made: Expr, scope: Scope) -> Expr | None:
    """Return what `iter(...)` is called of, the last statement being all that calls it."""
    match scope.out[-1] if scope.out else None:
        case Assign((target,), Call(Ref(_, function), (items,), ())) if target == made:
            if function is iter:
                del scope.out[-1]
                return items
    return None


def _method(owner: Any, name: str, scope: Scope) -> Any:
    """Return the method that the object which a name holds has of its own."""
    static = scope.static(owner.id) if isinstance(owner, gast.Name) else None
    if not isinstance(static, Record) or static.kind in (dict, list, tuple):
        return None
    return classes.method(static.kind, name)


def _has(place: Any, name: str, scope: Scope) -> bool:
    keys = place.slice.elts if isinstance(place.slice, gast.Tuple) else [place.slice]
    return _method(place.value, name, scope) and all(isinstance(key, SIMPLE) for key in keys)


def _stored(place: Any, value: Any, node: Any) -> Any:
    call = _call(place.value, "__setitem__", [place.slice, value], node)
    return gast.copy_location(gast.Expr(call), node)


def _added(node: Any, scope: Scope) -> list[Any]:
    place, item = node.target, _new(f"{node.target.value.id}_item", scope)
    taken = gast.copy_location(gast.Subscript(place.value, place.slice, gast.Load()), place)
    first = gast.Assign([_named(item, gast.Store(), node)], taken, None)
    more = gast.AugAssign(_named(item, gast.Store(), node), node.op, node.value)
    steps = [gast.copy_location(each, node) for each in (first, more)]
    return [*steps, _stored(place, _named(item, gast.Load(), node), node)]


def _in_place(node: Any, name: str, scope: Scope) -> list[Any] | None:
    static = scope.static(name)
    if isinstance(static, Record) and static.kind is dict and isinstance(node.op, gast.BitOr):
        more = _call(_named(name, gast.Load(), node), "update", [node.value], node)
        return [gast.copy_location(gast.Expr(more), node)]
    if not isinstance(static, Record) or static.kind in (dict, list, tuple):
        return None
    owner, called = _named(name, gast.Load(), node), IN_PLACE.get(BINARY[type(node.op)], "")
    if _method(owner, called, scope) is not None:
        value = _call(owner, called, [node.value], node)
    else:
        value = gast.copy_location(gast.BinOp(owner, node.op, node.value), node)
    return [gast.copy_location(gast.Assign([_named(name, gast.Store(), node)], value, None), node)]


def _field_in_place(node: Any, place: Any, scope: Scope) -> list[Any] | None:
    """Return `p.x += v` as an assignment, where p.x is an object."""
    read = with_(place, ctx=gast.Load())
    found = resolved(read, scope)
    static = scope.static(found.id) if isinstance(found, gast.Name) else None
    if not isinstance(static, Record) or static.kind in (dict, list, tuple):
        return None
    called = IN_PLACE.get(BINARY[type(node.op)], "")
    if classes.method(static.kind, called) is not None:
        value = _call(read, called, [node.value], node)
    else:
        value = gast.copy_location(gast.BinOp(read, node.op, node.value), node)
    return [gast.copy_location(gast.Assign([place], value, None), node)]


def _call(owner: Any, name: str, args: list[Any], at: Any) -> Any:
    called = gast.copy_location(gast.Attribute(owner, name, gast.Load()), at)
    return gast.copy_location(gast.Call(called, args, []), at)


def _named(name: str, context: Any, at: Any) -> Any:
    return gast.copy_location(gast.Name(name, context, None, None), at)


def _new(wanted: str, scope: Scope) -> str:
    """Return a name that holds nothing yet."""
    while wanted in scope.locals or scope.has(wanted):
        wanted += "_"
    scope.locals |= {wanted}
    return wanted
