"""What `*` and `**` stand for in a call is written out, where it is known how many parts that has.

f(t, *args)         f(t, args[0], args[1])          args = (k, c)
g(*row[1:3])        g(row[1], row[2])
np.hypot(*parts)    np.hypot(parts[0], parts[1])
h(x, **p)           h(x, k=p["k"], c=p["c"])        p = {"k": k, "c": c}
"""

from __future__ import annotations

import copy
from typing import Any

import gast
import numpy as np

from s2sad.held import Keys
from s2sad.program import Const, Expr, Op, Ref, Var
from s2sad.scope import Scope
from s2sad.statics.records import keys_of, slot_of


def spread(node: Any, scope: Scope) -> Any:
    """Return a call with what `*` and `**` stand for written out, where that is known."""
    if not any(isinstance(each, gast.Starred) for each in node.args) and not any(
        each.arg is None for each in node.keywords
    ):
        return node
    made = copy.copy(node)
    made.args = [part for each in node.args for part in _starred(each, scope)]
    made.keywords = [part for each in node.keywords for part in _keywords(each, scope)]
    return made


def of_ufunc(func: Expr, args: tuple[Expr, ...], node: Any, scope: Scope) -> tuple[Expr, ...]:
    """Return the operands of a function of NumPy's that takes a fixed number: np.hypot(*gradient)."""
    ufunc = func.value if isinstance(func, Ref) else None
    stars = [arg for arg in args if isinstance(arg, Op) and arg.op == "star"]
    if not isinstance(ufunc, np.ufunc) or len(stars) != 1 or not isinstance(stars[0].args[0], Var):
        return args
    at, (whole,) = args.index(stars[0]), stars[0].args
    keys = map(Const, range(ufunc.nin - len(args) + 1))
    parts = [scope.temp(Op("index", (whole, key)), node) for key in keys]
    return (*args[:at], *parts, *args[at + 1 :])


def _starred(arg: Any, scope: Scope) -> list[Any]:
    match arg:
        case gast.Starred(value=gast.Tuple(elts=parts) | gast.List(elts=parts)):
            return [part for each in parts for part in _starred(each, scope)]
        case gast.Starred(value=gast.Subscript(value=gast.Name() as owner, slice=key)):
            places = _places(key)
            return [arg] if places is None else [_item(owner, at) for at in places]
        case gast.Starred(value=gast.Name(id=name)) if scope.static(name) or (
            name in scope.locals and scope.has(name)
        ):
            shown = scope.held.displays.get(scope.value(name)) if scope.has(name) else None
            held = shown if shown is not None else _keys(arg.value, scope)
            if held is not None:
                return [_item(arg.value, at) for at in range(len(held))]
    return [arg]


def _places(key: Any) -> range | None:
    """Return the positions of a slice whose ends are written out: `1:3`."""
    if not isinstance(key, gast.Slice) or key.step is not None:
        return None
    first = 0 if key.lower is None else getattr(key.lower, "value", None)
    last = getattr(key.upper, "value", None)
    if type(first) is not int or type(last) is not int or not 0 <= first <= last:
        return None
    return range(first, last)


def _item(owner: Any, key: Any) -> Any:
    place = gast.copy_location(gast.Constant(key, None), owner)
    return gast.copy_location(gast.Subscript(value=owner, slice=place, ctx=gast.Load()), owner)


def _keywords(keyword: Any, scope: Scope) -> list[Any]:
    if keyword.arg is not None:
        return [keyword]
    shown = keyword.value
    if isinstance(shown, gast.Dict):
        if not all(isinstance(k, gast.Constant) and isinstance(k.value, str) for k in shown.keys):
            return [keyword]
        pairs = zip((key.value for key in shown.keys), shown.values, strict=True)
        return [gast.keyword(arg=key, value=value) for key, value in pairs]
    keys = _keys(shown, scope)
    if keys is None or not all(isinstance(key, str) for key in keys):
        return [keyword]
    return [gast.keyword(arg=key, value=_item(shown, key)) for key in keys]


def _keys(node: Any, scope: Scope) -> tuple[Any, ...] | None:
    """Return the keys of a dict, or the places of a tuple; None where they are not known."""
    found = _held(node, scope)
    return None if found is None else tuple(found)


def _held(node: Any, scope: Scope) -> dict[Any, Any] | None:
    """Return what is known of what a dict or tuple holds, by its keys."""
    match node:
        case gast.Name(id=name):
            return _of_slot(scope.slot(name), scope) if name in scope.locals else None
        case gast.Subscript(value=owner, slice=gast.Constant(value=key)):
            inner = (_held(owner, scope) or {}).get(key)
            return _of_slot(inner, scope) if isinstance(inner, str) else _by_key(inner)
    return None


def _of_slot(slot: str, scope: Scope) -> dict[Any, Any] | None:
    record = scope.record(Var(slot, 0))
    if record is not None and record.kind in (dict, list, tuple):
        return {key: slot_of(record, key) for key in keys_of(record, scope, None)}
    return (
        _by_key(scope.held.keyed.get(scope.held.values[slot]))
        if slot in scope.held.values
        else None
    )


def _by_key(keys: Keys | None) -> dict[Any, Any] | None:
    return None if keys is None else dict(keys.items)
