"""What is done with a record as a whole: made, called, handed to functions, gone through.

p = Params(a, b)            p holds a Record
p.energy(x)                 the lines of the method
sum(d.values())             sum((d_u$1, d_v$1))
isinstance(p, Params)       True
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import gast

from s2sad.calls import Normalise, gives_record, in_place
from s2sad.errors import Unsupported, WritesInside
from s2sad.lower import atom, inline, opaque
from s2sad.parse import reads_of, resolve_dotted
from s2sad.program import NONE, Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.rules import is_known
from s2sad.scope import Scope
from s2sad.statics import classes, records
from s2sad.statics.kinds import Record

Lower = Callable[[Any, Scope], Expr]
DUNDERS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "@": "__matmul__",
    "**": "__pow__", "u-": "__neg__",
}  # fmt: skip
REFLECTED = {"+": "__radd__", "-": "__rsub__", "*": "__rmul__", "/": "__rtruediv__"}


def not_made_here(node: Any, scope: Scope) -> Expr | None:
    """Return a copy of a call that makes an object, where nothing asks for more."""
    if isinstance(node.func, gast.Name | gast.Attribute) and not scope.opens_here(node):
        found = resolve_dotted(scope.source, node.func) if _is_global(node.func, scope) else None
        if found is not None and classes.makes_records(found[1]):
            if not any(scope.static(name) for name in reads_of(node)):
                return opaque(node, scope)
    return None


def _is_global(func: Any, scope: Scope) -> bool:
    while isinstance(func, gast.Attribute):
        func = func.value
    return isinstance(func, gast.Name) and func.id not in scope.locals


def of_super(node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr | None:
    """Return what `super().method(...)` gives in a method that is lowered in place."""
    match node.func:
        case gast.Attribute(value=gast.Call(func=gast.Name(id="super"), args=[]), attr=name):
            first = scope.source.tree.args.args[:1]
            owner = scope.static(first[0].id) if first else None
        case _:
            return None
    function = scope.active_calls[-1]
    if not isinstance(owner, Record):
        return None
    found = classes.after(owner.kind, function, name)
    if found is None:
        if name == "__init__":
            return NONE
        raise Unsupported(f"super() has no {name} that can be followed", scope.span(node))
    args = tuple(atom(each, scope) for each in node.args)
    keywords = tuple((each.arg, atom(each.value, scope)) for each in node.keywords)
    call = Call(Ref(name, found), (records.standing_for(owner, scope), *args), keywords)
    return _in_place(found, call, node, scope, nested, lower)


def used(
    call: Call, node: Any, scope: Scope, nested: bool, lower: Lower, normalise: Normalise
) -> Expr | None:
    """Return what a call gives that makes a record or is given one; None for any other."""
    func = call.func
    if isinstance(func, Attr) and scope.record(func.value) is not None:
        return _method(func, call, node, scope, nested, lower)
    if isinstance(func, Var) and scope.record(func) is not None:
        return _run(func, "__call__", call, node, scope, nested, lower)
    if not isinstance(func, Ref):
        return None
    if func.value is dict and not call.args and scope.opens_here(node):
        return records.made(dict, dict(call.keywords), scope, node)
    if classes.makes_records(func.value):
        return _constructed(func, call, node, scope, nested, lower)
    if inspect.ismethod(func.value) and classes.makes_records(func.value.__self__):
        if scope.opens_here(node) or any(scope.record(each) for each in _given(call)):
            kind: Any = func.value.__self__
            first = Ref(kind.__name__, kind)
            method = func.value.__func__
            whole = Call(Ref(func.text, method), (first, *call.args), call.keywords)
            return _in_place(method, whole, node, scope, nested, lower)
    if not any(scope.record(each) for each in _given(call)):
        opened = isinstance(func.value, FunctionType) and scope.opens_here(node)
        if opened and not is_known(call) and gives_record(func.value, normalise):
            return _in_place(func.value, call, node, scope, nested, lower)
        return None
    if isinstance(func.value, FunctionType) and func.value not in WHOLE:
        return _in_place(func.value, call, node, scope, nested, lower)
    return _of_whole(func, call, node, scope)


def _given(call: Call) -> list[Expr]:
    return [*call.args, *(value for _, value in call.keywords)]


# ---------------------------------------------------------------------------- making


def _constructed(
    func: Ref, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr:
    if nested:
        raise WritesInside(
            f"{func.text} is made inside a test or an expression that may not run",
            scope.span(node),
            "Make it in a statement of its own.",
        )
    kind, where = func.value, scope.span(node)
    name = scope.called_after
    given = classes.fields_given(kind, call, where)
    if given is not None:
        whole = records.made(kind, {k: _new(v, scope, node) for k, v in given.items()}, scope, node)
        if classes.method(kind, "__post_init__") is not None:
            _run(whole, "__post_init__", Call(func), node, scope, nested, lower)
        return whole
    whole = records.standing_for(records.started(kind, scope), scope)
    if kind.__init__ is not object.__init__:
        _run(whole, "__init__", call, node, scope, nested, lower)
    scope.called_after = name
    return whole


def _new(value: Expr, scope: Scope, node: Any) -> Expr:
    """Return a default that is made anew for each object."""
    return records.made(dict, {}, scope, node) if value == Op("dict", ()) else value


# ---------------------------------------------------------------------------- methods


def _method(
    func: Attr, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr | None:
    record = scope.record(func.value)
    assert record is not None
    if record.kind is dict:
        return _of_dict(record, func.name, call, node, scope)
    if record.kind is list and func.name == "append":
        count = len(records.keys_of(record, scope, node))
        records.put(record, count, call.args[0], scope, node)
        return NONE
    if func.name == "_replace":
        return _replaced(record, dict(call.keywords), node, scope)
    if func.name == "_asdict":
        return records.made(dict, _items(record, scope, node), scope, node)
    return _run(func.value, func.name, call, node, scope, nested, lower)


def _run(
    owner: Expr, name: str, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr:
    """Lower a method in place."""
    record = scope.record(owner)
    assert record is not None
    function: Any = classes.method(record.kind, name)
    first: tuple[Expr, ...] = (owner,)
    if function is None:
        found = getattr(record.kind, name, None)
        static = record.kind.__dict__.get(name)
        if isinstance(static, staticmethod) and isinstance(found, FunctionType):
            function, first = found, ()
    if function is None:
        raise Unsupported(
            f"{record.kind.__name__} has no method {name} that can be followed", scope.span(node)
        )
    return _in_place(function, Call(Ref(name, function), (*first, *call.args), call.keywords),
                     node, scope, nested, lower)  # fmt: skip


def _in_place(
    function: Any, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr:
    if nested:
        raise WritesInside(
            f"{function.__name__} is called inside a test or an expression that may not run",
            scope.span(node),
            "Call it in a statement of its own.",
        )
    if any(part is function for part in scope.active_calls):
        raise Unsupported(
            f"{function.__name__} calls itself, which is not differentiated",
            scope.span(node),
            "Write the recursion as a loop.",
        )
    return in_place(function, call, node, scope, lower)


def attribute(owner: Expr, name: str, node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr:
    """Return what an attribute of a record gives that is no field of it."""
    record = scope.record(owner)
    assert record is not None
    if record.kind in (dict, list, tuple):
        return Attr(owner, name)
    if name in records.keys_of(record, scope, node):
        return records.value_at(record, name, scope, node)
    get = classes.getter(record.kind, name)
    if get is not None:
        return _in_place(get, Call(Ref(name, get), (owner,)), node, scope, nested, lower)
    found = classes.class_value(record.kind, name, scope, node)
    return Attr(owner, name) if found is None else found


def operated(operation: Op, node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr:
    """Return what an operator gives for a record."""
    op, parts = operation.op, list(operation.args)
    owned = [each for each in parts if scope.record(each) is not None]
    if op in ("is", "is_not") and len(owned) == 1:
        return Const(op == "is_not")
    if op in ("in", "not_in") and parts[1] is owned[-1]:
        return _has_key(op, parts[0], parts[1], node, scope)
    record = scope.record(owned[0])
    assert record is not None
    at_left = parts[0] is owned[0]
    name = (DUNDERS if at_left else REFLECTED).get(op, op)
    if record.kind is dict and op == "|" and len(owned) == 2:
        merged = [_items(scope.record(each), scope, node) for each in parts]  # type: ignore[arg-type]
        return records.made(dict, {**merged[0], **merged[1]}, scope, node)
    rest = tuple(each for each in parts if each is not owned[0])
    return _run(owned[0], name, Call(NONE, rest), node, scope, nested, lower)


def item(owner: Expr, node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr:
    """Return what stands behind brackets that are no key which is known."""
    record = scope.record(owner)
    assert record is not None
    if issubclass(record.kind, tuple | list):
        parts, key = records.values_of(record, scope, node), records.literal(node.slice)
        if isinstance(key, int) and -len(parts) <= key < len(parts):
            return parts[key]
        return Op("index", (Op("tuple", parts), inline(node.slice, scope)))
    if record.kind is dict:
        key = records.constant(node.slice, scope)
        return records.value_at(record, key, scope, node)
    args = (atom(node.slice, scope),)
    return _run(owner, "__getitem__", Call(NONE, args), node, scope, nested, lower)


def _has_key(op: str, key: Expr, owner: Expr, node: Any, scope: Scope) -> Expr:
    record = scope.record(owner)
    if record is None or record.kind is not dict or not isinstance(key, Const):
        raise Unsupported("what is in this record is not known here", scope.span(node))
    return Const((key.value in records.keys_of(record, scope, node)) == (op == "in"))


# ---------------------------------------------------------------------------- wholes


def _items(record: Record, scope: Scope, node: Any) -> dict[Any, Expr]:
    keys = records.keys_of(record, scope, node)
    return dict(zip(keys, records.values_of(record, scope, node), strict=True))


def _replaced(record: Record, new: dict[str, Expr], node: Any, scope: Scope) -> Expr:
    return records.made(record.kind, {**_items(record, scope, node), **new}, scope, node)


def _of_dict(record: Record, name: str, call: Call, node: Any, scope: Scope) -> Expr | None:
    """Return what a method of a dict gives."""
    items, where = _items(record, scope, node), scope.span(node)
    args = call.args
    match name:
        case "keys":
            return Op("tuple", tuple(map(Const, items)))
        case "values":
            return Op("tuple", tuple(items.values()))
        case "items":
            return Op("tuple", tuple(Op("tuple", (Const(k), v)) for k, v in items.items()))
        case "copy":
            return records.made(dict, items, scope, node)
        case "get" if isinstance(args[0], Const):
            return items.get(args[0].value, args[1] if len(args) > 1 else NONE)
        case "setdefault" if isinstance(args[0], Const):
            if args[0].value not in items:
                records.put(record, args[0].value, args[1], scope, node)
            return records.value_at(record, args[0].value, scope, node)
        case "pop" if args and isinstance(args[0], Const) and args[0].value in items:
            value = _kept(items[args[0].value], scope, node)
            records.removed(record, args[0].value, scope, node)
            return value
        case "update":
            for each in args:
                other = scope.record(each)
                if other is None:
                    break
                for key, value in _items(other, scope, node).items():
                    records.put(record, key, value, scope, node)
            else:
                for key, value in call.keywords:
                    records.put(record, key, value, scope, node)
                return NONE
    raise Unsupported(
        f"{name}() of a dict that is made here is not differentiated",
        where,
        "Write its keys out.",
    )


def _kept(value: Expr, scope: Scope, node: Any) -> Expr:
    return value if scope.record(value) is not None else scope.temp(value, node)


def _of_whole(func: Ref, call: Call, node: Any, scope: Scope) -> Expr | None:
    """Return what a function of Python's own gives for a record."""
    first = scope.record(call.args[0]) if call.args else None
    value = func.value
    if value is isinstance and first is not None and isinstance(call.args[1], Ref):
        return Const(issubclass(first.kind, call.args[1].value))
    if value is type and first is not None:
        return Ref(first.kind.__name__, first.kind)
    if first is None:
        return _with_displays(call, scope, node)
    if value is len:
        return Const(len(records.keys_of(first, scope, node)))
    if value in (copy.copy, dataclasses.replace) or (value is dict and first.kind is dict):
        return _replaced(first, dict(call.keywords), node, scope)
    if value is copy.deepcopy:
        return _deep_copy(first, node, scope)
    if value in (getattr, hasattr, setattr) and isinstance(call.args[1], Const):
        return _by_name(value, first, call, node, scope)
    if value in (list, tuple, sorted) and first.kind is dict:
        keys = records.keys_of(first, scope, node)
        shown = sorted(keys) if value is sorted else keys
        return Op("tuple" if value is tuple else "list", tuple(map(Const, shown)))
    return _with_displays(call, scope, node)


WHOLE = (copy.copy, copy.deepcopy, dataclasses.replace, dataclasses.asdict)


def _deep_copy(record: Record, node: Any, scope: Scope) -> Expr:
    made = {}
    for key, value in _items(record, scope, node).items():
        inner = scope.record(value)
        again = Call(Ref("np.copy", __import__("numpy").copy), (value,))
        made[key] = _deep_copy(inner, node, scope) if inner else scope.temp(again, node)
    return records.made(record.kind, made, scope, node)


def _by_name(value: Any, record: Record, call: Call, node: Any, scope: Scope) -> Expr:
    name: Any = getattr(call.args[1], "value", None)
    known = name in records.keys_of(record, scope, node)
    if value is setattr:
        records.put(record, name, call.args[2], scope, node)
        return NONE
    if value is hasattr:
        return Const(known or hasattr(record.kind, name))
    if known:
        return records.value_at(record, name, scope, node)
    if len(call.args) > 2 and not hasattr(record.kind, name):
        return call.args[2]
    found = classes.class_value(record.kind, name, scope, node)
    return Attr(call.args[0], name) if found is None else found


def _with_displays(call: Call, scope: Scope, node: Any) -> Expr | None:
    """Hand named tuples to functions that know nothing of them as displays."""
    args = tuple(records.as_tuple(each, scope, node) for each in call.args)
    keywords = tuple((k, records.as_tuple(v, scope, node)) for k, v in call.keywords)
    return (
        None if (args, keywords) == (call.args, call.keywords) else Call(call.func, args, keywords)
    )


# ---------------------------------------------------------------------------- loops


def unrolled(node: Any, scope: Scope) -> list[Any] | None:
    """Return a loop over the parts of a record, or over its keys, written out."""
    passes = _passes(node, scope)
    if passes is None:
        return None
    leaves = (gast.Break, gast.Continue, gast.Return)
    if node.orelse or any(isinstance(p, leaves) for stmt in node.body for p in gast.walk(stmt)):
        raise Unsupported(
            "a loop over the parts of what is made here cannot be left",
            scope.span(node),
            "Write it as branches, or without break, continue and return.",
        )
    out: list[Any] = []
    for key, value in passes:
        out += _bound(node.target, key, value, node)
        out += _with_key(node, key, value is None)
    return out


Pass = tuple[Any, str | None]  # a key, and the slot of the value where that is gone through


def _passes(node: Any, scope: Scope) -> list[Pass] | None:
    """Return what a loop goes through, pass by pass, where that is known."""
    record, what = _gone_through(node.iter, scope)
    if record is not None:
        keys = records.keys_of(record, scope, node)
        slots = [
            None if what == "keys" else records.known_as_name(records.slot_of(record, key), scope)
            for key in keys
        ]
        return [(key if what != "values" else None, s) for key, s in zip(keys, slots, strict=True)]
    known = _known_items(node.iter)
    if known and len(known) <= UNROLLED and _is_key(node, scope):
        return [(key, None) for key in known]
    return None


UNROLLED = 24  # passes that are written out where each uses a key of its own


def _known_items(iterable: Any) -> list[Any] | None:
    if isinstance(iterable, gast.Tuple | gast.List):
        found = [records.literal(each) for each in iterable.elts]
        return None if None in found else found
    match iterable:
        case gast.Call(func=gast.Name(id="range"), args=args) if args:
            ends = [records.literal(each) for each in args]
            return list(range(*ends)) if all(isinstance(each, int) for each in ends) else None
    return None


def _is_key(node: Any, scope: Scope) -> bool:
    """Tell whether the target of a loop is a key with which its body looks into a record."""
    for part in (part for stmt in node.body for part in gast.walk(stmt)):
        match part:
            case gast.Subscript(value=gast.Name(id=owner), slice=gast.Name(id=key)):
                if getattr(node.target, "id", "") == key and isinstance(
                    scope.static(owner), Record
                ):
                    return True
    return False


def _gone_through(iterable: Any, scope: Scope) -> tuple[Record | None, str]:
    """Return the record that a loop goes through, and what of it: keys, values, or both."""
    match iterable:
        case gast.Name():
            static, what = scope.static(iterable.id), ""
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=what), args=[]):
            static = scope.static(name) if what in ("keys", "values", "items") else None
        case gast.Call(func=gast.Name(id="enumerate"), args=[gast.Name(id=name)]):
            static, what = scope.static(name), "items"
            return (static, what) if _is_row(static) else (None, "")  # type: ignore[return-value]
        case gast.Call(func=gast.Name(id="list" | "sorted" | "tuple"), args=[inner]):
            return _gone_through(inner, scope)
        case _:
            return None, ""
    if _is_row(static):
        return static, "values"  # type: ignore[return-value]
    if isinstance(static, Record) and static.kind is dict:
        return static, what or "keys"
    return None, ""


def _is_row(static: Any) -> bool:
    return isinstance(static, Record) and issubclass(static.kind, tuple | list)


def _bound(target: Any, key: Any, slot: str | None, node: Any) -> list[Any]:
    """Return the statements that give the targets of a pass their values."""
    spelled = gast.copy_location(gast.Constant(key, None), node.iter)
    if slot is None:
        return [_assign(target, spelled)]
    value = gast.copy_location(gast.Name(slot, gast.Load(), None, None), node.iter)
    if key is None:
        return [_assign(target, value)]
    if isinstance(target, gast.Tuple | gast.List):
        return [_assign(target.elts[0], spelled), _assign(target.elts[1], value)]
    pair = gast.copy_location(gast.Tuple([spelled, value], gast.Load()), node.iter)
    return [_assign(target, pair)]


def _assign(target: Any, value: Any) -> Any:
    return gast.copy_location(gast.Assign([target], value, None), target)


def _with_key(node: Any, key: Any, alone: bool) -> list[Any]:
    """Return the body with the name of the key replaced by the key itself."""
    target = node.target
    named = target.elts[0] if isinstance(target, gast.Tuple | gast.List) else target
    body: list[Any] = copy.deepcopy(node.body)
    if key is None or not isinstance(named, gast.Name) or not (alone or named is not target):
        return body
    stores = {
        part.id
        for stmt in body
        for part in gast.walk(stmt)
        if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load)
    }
    return body if named.id in stores else list(map(_Spelled(named.id, key).visit, body))


class _Spelled(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, name: str, key: Any):
        self.name, self.key = name, key

    def visit_Name(self, node: Any) -> Any:
        if node.id != self.name:
            return node
        return gast.copy_location(gast.Constant(self.key, None), node)
