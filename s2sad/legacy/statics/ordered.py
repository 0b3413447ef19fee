"""The keys of a dict in the order in which `sorted` gives them, where that is known.

for k in sorted(d): ...                  "a", "b" for d = {"b": u, "a": v}
for k in sorted(d, key=len): ...         what a function of Python's own says of them is known, too
for k in sorted(d, key=rank): ...        what another one says is known when it is called
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import gast

from s2sad.legacy.scope import Scope

PLAIN_KEYS = (str, repr, len, abs, int, float, ord)
Keys = tuple[Any, ...]
InOrder = Callable[[Keys, str], list[Any] | None]


def in_order(keys: Iterable[Any], by: Any = None, backwards: bool = False) -> list[Any] | None:
    """Return sorted keys; None where that fails, as it does when it is called."""
    try:
        return sorted(keys, key=by, reverse=backwards)
    except (TypeError, ValueError):
        return None


def order_of(iterable: Any, scope: Scope) -> tuple[Any, InOrder | None]:
    """Return what a loop goes through without `sorted` around it, and what puts its keys in order."""
    match iterable:
        case gast.Call(func=gast.Name(id="list" | "tuple"), args=[inner], keywords=[]):
            through, order = order_of(inner, scope)
            return (iterable, None) if order is None else (through, order)
        case gast.Call(func=gast.Name(id="sorted"), args=[inner], keywords=options):
            return order_of(inner, scope)[0], _told(options, scope)
    return iterable, None


def _told(options: list[Any], scope: Scope) -> InOrder:
    given = {each.arg: each.value for each in options}
    by, backwards = given.pop("key", None), given.pop("reverse", gast.Constant(False, None))
    plain = by is None or _builtin(by, scope) in PLAIN_KEYS
    if given or not plain or not isinstance(backwards, gast.Constant):
        return _not_known
    return partial(_of_dict, by=by and _builtin(by, scope), backwards=bool(backwards.value))


def _of_dict(keys: Keys, what: str, by: Any, backwards: bool) -> list[Any] | None:
    """Return the keys in the order of those, or of the items; that of values is not known here."""
    if what == "values" or (what == "items" and by is not None):
        return None
    return in_order(keys, by, backwards)


def _builtin(node: Any, scope: Scope) -> Any:
    """Return the function of Python's own that a name stands for."""
    if not isinstance(node, gast.Name) or node.id in scope.locals:
        return None
    found = scope.source.resolve(node.id)
    return found if found is getattr(builtins, node.id, None) else None


def _not_known(keys: Keys, what: str) -> None:
    return None
