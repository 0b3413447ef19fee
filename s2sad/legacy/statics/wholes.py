"""What functions and methods give that are handed a record as a whole.

d.items()               (("u", d_u$1), ("v", d_v$1))
len(d)                  2
p._replace(k=x)         another record
"""

from __future__ import annotations

import copy
import dataclasses
from types import SimpleNamespace
from typing import Any

from s2sad.ir.errors import Unsupported
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Ref
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import classes, records
from s2sad.legacy.statics.kinds import Record
from s2sad.legacy.statics.ordered import PLAIN_KEYS, in_order
from s2sad.legacy.statics.rows import is_table, of_table
from s2sad.legacy.templating import printed_name


def replaced(record: Record, new: dict[str, Expr], node: Any, scope: Scope) -> Expr:
    return records.made(record.kind, {**records.items(record, scope, node), **new}, scope, node)


def of_dict(record: Record, name: str, call: Call, node: Any, scope: Scope) -> Expr | None:
    """Return what a method of a dict gives."""
    held, args = records.items(record, scope, node), call.args
    match name:
        case "keys":
            return Op("tuple", tuple(map(Const, held)))
        case "values":
            return Op("tuple", tuple(held.values()))
        case "items":
            return Op("tuple", tuple(Op("tuple", (Const(k), v)) for k, v in held.items()))
        case "copy":
            return records.made(dict, held, scope, node)
        case "get" if isinstance(args[0], Const):
            return held.get(args[0].value, args[1] if len(args) > 1 else NONE)
        case "setdefault" if isinstance(args[0], Const):
            if args[0].value not in held:
                records.put(record, args[0].value, args[1], scope, node)
            return records.value_at(record, args[0].value, scope, node)
        case "pop" if args and isinstance(args[0], Const) and args[0].value in held:
            value = _kept(held[args[0].value], scope, node)
            records.removed(record, args[0].value, scope, node)
            return value
        case "pop" if len(args) == 2 and isinstance(args[0], Const):
            return args[1]
        case "update":
            for each in args:
                other = records.items_of_dict(each, scope, node)
                if other is None:
                    break
                for key, value in other.items():
                    records.put(record, key, value, scope, node)
            else:
                for key, value in call.keywords:
                    records.put(record, key, value, scope, node)
                return NONE
    refusal = Unsupported(
        f"{name}() of a dict that is made here is not differentiated",
        scope.span(node),
        "Write its keys out.",
    )
    refusal.certain = False  # the keys may be those of a dict that a call gives
    raise refusal


def _kept(value: Expr, scope: Scope, node: Any) -> Expr:
    return value if scope.record(value) is not None else scope.temp(value, node)


def of_whole(func: Ref, call: Call, node: Any, scope: Scope) -> Expr | None:
    """Return what a function of Python's own gives for a record."""
    first = scope.record(call.args[0]) if call.args else None
    value = func.value
    if value is isinstance and len(call.args) == 2 and not (first and is_table(first)):
        told = _is_instance(call.args[0], first, call.args[1])
        if told is not None:
            return told
    if value is type and first is not None and not is_table(first):
        return Ref(first.kind.__name__, first.kind)
    if first is None:
        return _with_displays(call, scope, node)
    if is_table(first):
        return of_table(value, first, call, node, scope)
    if value is len and issubclass(first.kind, dict | list | tuple):
        return Const(len(records.keys_of(first, scope, node)))
    again = value is copy.copy or printed_name(value) == WITH_FIELDS
    if again or (value is dict and first.kind is dict):
        return replaced(first, dict(call.keywords), node, scope)
    if value is copy.deepcopy:
        return _deep_copy(first, node, scope, {})
    if value in AS_PLAIN and dataclasses.is_dataclass(first.kind) and not call.keywords:
        return _as_plain(first, AS_PLAIN[value], node, scope)
    if value in (getattr, hasattr, setattr) and isinstance(call.args[1], Const):
        return _by_name(value, first, call, node, scope)
    if value in (list, tuple, sorted) and first.kind is dict:
        keys = tuple(map(Const, records.keys_of(first, scope, node)))
        return _sorted(call, keys) if value is sorted else Op(value.__name__, keys)
    return _with_displays(call, scope, node)


def _sorted(call: Call, keys: tuple[Const, ...]) -> Expr:
    """Return the sorted keys of a dict; where another function tells their order, its call."""
    options = dict(call.keywords)
    key, backwards = options.get("key", NONE), options.get("reverse", Const(False))
    told = key == NONE or (isinstance(key, Ref) and key.value in PLAIN_KEYS)
    by = key.value if isinstance(key, Ref) else None
    if told and isinstance(backwards, Const):
        held = in_order((each.value for each in keys), by, bool(backwards.value))
        if held is not None:
            return Op("list", tuple(map(Const, held)))
    return Call(call.func, (Op("list", keys),), call.keywords)


def _is_instance(value: Expr, record: Record | None, asked: Expr) -> Expr | None:
    """Return whether what is known of a value makes it one of a class, or of several."""
    parts = asked.args if isinstance(asked, Op) and asked.op == "tuple" else (asked,)
    kinds = tuple(part.value for part in parts if isinstance(part, Ref))
    if len(kinds) < len(parts) or not all(isinstance(kind, type) for kind in kinds):
        return None
    if record is not None:
        return Const(issubclass(record.kind, kinds))
    return Const(isinstance(value.value, kinds)) if isinstance(value, Const) else None


OF_SEVERAL = (Ref("max", max), Ref("min", min))
# what dataclasses become, with all that they hold copied
AS_PLAIN = {dataclasses.asdict: dict, dataclasses.astuple: tuple}
WHOLE = (copy.copy, copy.deepcopy, dataclasses.replace, *AS_PLAIN)
WITH_FIELDS = "_with_fields"  # by which a gradient makes an object of adjoints


def takes_whole(function: Any) -> bool:
    """Tell whether a function of Python's own, or of an emitted text, takes a record as a whole."""
    return function in WHOLE or printed_name(function) == WITH_FIELDS


def named_fields(asked: Expr, node: Any, scope: Scope) -> Expr | None:
    """Return what `dataclasses.fields` gives of a dataclass: what each of its fields is called."""
    record = scope.record(asked)
    kind = record.kind if record is not None else getattr(asked, "value", None)
    if not dataclasses.is_dataclass(kind):
        return None
    named = [{"name": Const(each.name)} for each in dataclasses.fields(kind)]
    parts = [records.made(SimpleNamespace, each, scope, node) for each in named]
    return records.made(tuple, dict(enumerate(parts)), scope, node)


def _deep_copy(record: Record, node: Any, scope: Scope, copied: dict[Record, Expr]) -> Expr:
    """Return a copy of an object; what it holds twice is one object in the copy, too."""
    made: dict[Any, Expr] = {}
    for key, value in records.items(record, scope, node).items():
        inner = scope.record(value)
        again = _copied(value)
        if inner is None:
            made[key] = scope.temp(again, node)
        else:
            made[key] = copied.get(inner) or _deep_copy(inner, node, scope, copied)
    copied[record] = records.made(record.kind, made, scope, node)
    return copied[record]


def _copied(value: Expr) -> Expr:
    return Call(Ref("copy.deepcopy", copy.deepcopy), (value,))  # a list stays one


def _as_plain(record: Record, kind: type, node: Any, scope: Scope) -> Expr:
    """Return a dataclass as a dict or tuple of its fields, those that it holds as well."""
    whole = dataclasses.is_dataclass(record.kind)
    into = kind if whole else record.kind
    names = {each.name for each in dataclasses.fields(record.kind)} if whole else None
    made: dict[Any, Expr] = {}
    for key, value in records.items(record, scope, node).items():
        inner = scope.record(value)
        if names is not None and key not in names:
            continue
        if inner is None:
            made[key] = scope.temp(_copied(value), node)
        elif dataclasses.is_dataclass(inner.kind) or inner.kind in (dict, list, tuple):
            made[key] = _as_plain(inner, kind, node, scope)
        else:
            made[key] = _deep_copy(inner, node, scope, {})
    if into is tuple and not any(map(scope.record, made.values())):
        return Op("tuple", tuple(made.values()))
    keys = range(len(made)) if into in (tuple, list) else made
    return records.made(into, dict(zip(keys, made.values(), strict=True)), scope, node)


def _by_name(value: Any, record: Record, call: Call, node: Any, scope: Scope) -> Expr:
    name: Any = getattr(call.args[1], "value", None)
    classes.refuse_descriptor(record.kind, name, scope.span(node), properties=value is not hasattr)
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
    """Hand named tuples to functions that know nothing of them as displays.

    Of several max and min give one as a whole, which has names for its parts.
    """
    if call.func in OF_SEVERAL and len(call.args) > 1:
        return None
    args = tuple(records.as_tuple(each, scope, node) for each in call.args)
    keywords = tuple((k, records.as_tuple(v, scope, node)) for k, v in call.keywords)
    return (
        None if (args, keywords) == (call.args, call.keywords) else Call(call.func, args, keywords)
    )
