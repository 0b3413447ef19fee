"""What is computed as it is gone through: generators, zip, views of dicts, iterators.

g = (k * x for x in u)      nothing is computed here, and nothing stands in the program
k = 2.0
sum(g)                      sum(k * x for x in u)

Where it is kept it is a Lazy, which is evaluated where it is gone through, as Python does. There it
is one expression, where it can be.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import gast

from s2sad.ir.expression import Expr
from s2sad.ir.types import UNKNOWN
from s2sad.lowering import asked, classes, comprehend, items, iterables, iterate
from s2sad.lowering.machine import Machine
from s2sad.lowering.typing import reference, typed
from s2sad.lowering.values import Code, Data, Lazy, Tup, Value, literal
from s2sad.source.owners import is_own

# what keeps an iterator that it is handed, or only asks what it is
KEEPERS = (zip, enumerate, reversed, map, filter, iter, next, functools.partial)
ASKERS = (isinstance, issubclass, type, callable, id, hasattr, getattr)


def at_once(m: Machine, value: Value) -> Value:
    """Return what is gone through here as one expression, if it can be one."""
    if not isinstance(value, Lazy):
        return value
    found = _as_one(m, value)
    if found is None:
        return value
    iterables.spend(m, value)
    return found


def handed_to(m: Machine, function: Value, args: list[Value]) -> list[Value]:
    """Return the arguments of a function that is none of the user's: it goes through them."""
    obj = function.obj if isinstance(function, Code) else None
    if any(obj is each for each in (*KEEPERS, *ASKERS)):
        return args
    if isinstance(obj, type) and (is_own(obj) or classes.is_named_tuple(obj)):
        return args
    return [at_once(m, arg) for arg in args]


# ---------------------------------------------------------------------------- as one expression


def _as_one(m: Machine, lazy: Lazy) -> Value | None:
    """Return what an iterator goes through as one expression; None where it takes statements."""
    if asked.is_begun(m, lazy):
        left = asked.rest(m, lazy)
        return _as_one(m, left) if isinstance(left, Lazy) else left
    make = MAKERS.get(lazy.kind)
    if make is None:
        return None
    parts = [_as_one(m, p) if isinstance(p, Lazy) else p for p in lazy.parts]
    if lazy.kind not in ("view", "entries"):
        if not all(p is not None and iterables.is_plain_iterable(m, p) for p in parts):
            return None
    return make(m, lazy, parts)


def _generator(m: Machine, lazy: Lazy, parts: list[Any]) -> Value | None:
    node, frame = lazy.extra
    if not isinstance(node, gast.GeneratorExp):
        return None
    around, m.frame = m.frame, frame
    try:
        return comprehend.plain(m, node, parts[0])
    finally:
        m.frame = around


def _zip(m: Machine, lazy: Lazy, parts: list[Any]) -> Value:
    return iterate.zipped(m, parts, lazy.extra or {})


def _enumerate(m: Machine, lazy: Lazy, parts: list[Any]) -> Value:
    over, start = parts
    if isinstance(start, Data) and start.expr.op == "constant" and start.expr.data == 0:
        return m.call_global("enumerate", enumerate, [over])
    if lazy.extra:
        return m.call_global("enumerate", enumerate, [over], {"start": start})
    return m.call_global("enumerate", enumerate, parts)


def _reversed(m: Machine, lazy: Lazy, parts: list[Any]) -> Value:
    return m.call_global("reversed", reversed, parts)


def _view(m: Machine, lazy: Lazy, parts: list[Any]) -> Value:
    owner, word = parts[0], lazy.extra
    if not iterables.is_of_several_types(m, owner):
        return view(m, owner, word)
    pairs = items.dict_items(m, owner)
    match word:
        case "items":
            return Tup(tuple(Tup(pair) for pair in pairs))
        case "values":
            return Tup(tuple(value for _, value in pairs))
    return Tup(tuple(key for key, _ in pairs))


def _entries(m: Machine, lazy: Lazy, parts: list[Any]) -> Value | None:
    slots = m.heap[parts[0].id].slots
    return Tup(tuple(literal(key) for key in slots)) if lazy.extra == "keys" else None


def _itself(m: Machine, lazy: Lazy, parts: list[Any]) -> Value:
    return parts[0]  # type: ignore[no-any-return]


MAKERS: dict[str, Callable[[Machine, Lazy, list[Any]], Value | None]] = {
    "comprehension": _generator,
    "zip": _zip,
    "enumerate": _enumerate,
    "reversed": _reversed,
    "view": _view,
    "entries": _entries,
    "iter": _itself,
}


def view(m: Machine, owner: Data, word: str) -> Value:
    """Return a view of a dict, which is read where it is gone through."""
    kept = Lazy("view", (owner,), word)
    if iterables.is_of_several_types(m, owner):
        return kept  # its items are known one by one
    if m.memory.of(reference(owner.type)).kind == "fields":  # type: ignore[arg-type]
        items.dict_items(m, owner)  # all of them are there
    function = Expr("attribute", (owner.expr,), word, UNKNOWN, None, m.span)
    made = typed(m, Expr("call", (function,), (), span=m.span))
    return Data(made, owner.origins, None, lambda: kept)
