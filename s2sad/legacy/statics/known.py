"""What a loop goes through, item by item, where that is known: keys, numbers, parts of a record."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.legacy.program import Const, Expr, Var
from s2sad.legacy.scope import Scope, is_words
from s2sad.legacy.statics import records
from s2sad.legacy.statics.abreast import row_length
from s2sad.legacy.statics.kinds import Function, Record, is_sequence
from s2sad.legacy.statics.ordered import order_of
from s2sad.legacy.statics.sequences import are_plain
from s2sad.source.outside import LONGEST
from s2sad.source.trees import nodes_of

MOST = 1000  # numbers of a range that are looked at
UNROLLED = 24  # passes that are written out where each uses a key of its own


def known_items(iterable: Any, scope: Scope) -> list[Any] | None:
    """Return the texts and numbers that are gone through."""
    if isinstance(iterable, gast.Constant) and isinstance(iterable.value, str):
        return list(iterable.value)
    if isinstance(iterable, gast.Name):
        return _held_by(iterable.id, scope)
    if isinstance(iterable, gast.Tuple | gast.List):
        found = [records.literal(each) for each in iterable.elts]
        return None if None in found else found
    match iterable:
        case gast.Call(func=gast.Name(id="range"), args=args) if args:
            ends = [whole_number(each, scope) for each in args]
            if not all(isinstance(each, int) for each in ends) or ends[2:] == [0]:
                return None
            numbers = range(*ends)
            return list(numbers) if len(numbers) <= MOST else None
    return _keys(iterable, scope)


def _held_by(name: str, scope: Scope) -> list[Any] | None:
    """Return what the text, tuple or dict that a name holds is known to give."""
    if name not in scope.locals:
        words = scope.source.resolve(name)
        if type(words) is list and len(words) <= LONGEST:  # it is seen whether it changes
            words = tuple(words)
        return list(words) if is_words(words) else None
    static = scope.static(name)
    if isinstance(static, Record) and static.kind is dict:
        keys = list(records.keys_of(static, scope, None))
        return keys if are_plain(keys) else None
    if not scope.has(name):
        return None
    text = scope.held.constants.get(scope.value(name))
    if text is not None and isinstance(text.value, str):
        return list(text.value)
    shown = scope.held.displays.get(scope.value(name), ())
    return [each.value for each in shown if isinstance(each, Const)] if _all_known(shown) else None


def _keys(iterable: Any, scope: Scope) -> list[Any] | None:
    """Return the keys of a dict in the order in which a call gives them: `sorted(d)`, `d.keys()`."""
    through, order = order_of(iterable, scope)
    record, what = gone_through(through, scope)
    if record is None or record.kind is not dict or what != "keys":
        return None
    keys = records.keys_of(record, scope, iterable)
    found = list(keys) if order is None else order(keys, what)
    return found if found is not None and are_plain(found) else None


def whole_number(node: Any, scope: Scope) -> Any:
    """Return a number that is written out, or is the length of a list of objects."""
    match node:
        case gast.Call(func=gast.Name(id="len"), args=[part]) if "len" not in scope.locals:
            return row_length(part, scope)
    return records.spelled(node, scope)


def _all_known(shown: tuple[Expr, ...]) -> bool:
    return bool(shown) and all(isinstance(each, Const) for each in shown)


def is_key(node: Any, scope: Scope) -> bool:
    """Tell whether the target of a loop is a key with which its body looks into a record."""
    named = {p.id for p in nodes_of(node.target) if isinstance(p, gast.Name)}
    for part in (part for stmt in node.body for part in nodes_of(stmt)):
        match part:
            case gast.Subscript(
                value=gast.Name() | gast.Attribute() as owner,
                slice=gast.Name() | gast.JoinedStr() as key,
            ):
                pass
            case gast.Call(
                func=gast.Name(id="getattr" | "setattr" | "hasattr"),
                args=[gast.Name() as owner, gast.Name() | gast.JoinedStr() as key, *_],
            ):
                pass
            case _:
                continue
        keys = {p.id for p in nodes_of(key) if isinstance(p, gast.Name)}
        if keys and keys <= named and isinstance(_record(owner, scope), Record):
            return True
    return False


def _record(owner: Any, scope: Scope) -> Any:
    """Return what a name, or the field of an object, is known to hold."""
    from s2sad.legacy.statics.resolving import resolved  # which stands after this

    found = resolved(owner, scope)
    return scope.static(found.id) if isinstance(found, gast.Name) else None


def gone_through(iterable: Any, scope: Scope) -> tuple[Record | None, str]:
    """Return the record that a loop goes through, and what of it: keys, values, or both."""
    fields = getattr(iterable, "s2sad_fields", None)
    if fields is not None:  # of `vars(o).items()`
        return fields  # type: ignore[no-any-return]
    match iterable:
        case gast.Name():
            static, what = scope.static(iterable.id), ""
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=what), args=[]):
            static = scope.static(name) if what in ("keys", "values", "items") else None
            static = None if is_row(static) else static  # whose class may have such a method
        case gast.Call(func=gast.Name(id="enumerate"), args=[gast.Name(id=name)], keywords=[]):
            static, what = scope.static(name), "counted"
            return (static, what) if is_row(static) else (None, "")  # type: ignore[return-value]
        case gast.Call(func=gast.Name(id="reversed"), args=[gast.Name(id=name)]):
            static, what = scope.static(name), "reversed"
            return (static, what) if is_row(static) else (None, "")  # type: ignore[return-value]
        case gast.Call(func=gast.Name(id="list" | "tuple"), args=[inner], keywords=[]):
            return gone_through(inner, scope)
        case _:
            return None, ""
    if is_row(static):
        return static, "values"  # type: ignore[return-value]
    if isinstance(static, Record) and static.kind is dict:
        return static, what or "keys"
    return None, ""


def is_row(static: Any) -> bool:
    return isinstance(static, Record) and is_sequence(static.kind)


def functions_at(iterable: Any, scope: Scope) -> int | None:
    """Return how many stand in a list of functions that is the function's own; None for others."""
    if not isinstance(iterable, gast.Name) or iterable.id not in scope.locals:
        return None
    static = scope.static(iterable.id)
    if is_row(static):
        slots = [records.slot_of(static, key) for key in records.keys_of(static, scope, iterable)]  # type: ignore[arg-type]
        held = [scope.apart(Var(slot, 0)) for slot in slots]
        return len(held) if any(isinstance(each, Function) for each in held) else None
    if static is not None or not scope.has(iterable.id):
        return None
    shown = scope.held.displays.get(scope.value(iterable.id))
    if shown is None or len(shown) > UNROLLED:
        return None
    return len(shown) if all(scope.on_value(each, scope) for each in shown) else None
