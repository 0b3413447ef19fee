"""Which names statements bind, whatever way they go.

try:                        n: bound by what is tried, or by the handler
    n = int(text)
except ValueError:
    n, failed = 0, True     failed: on one way only
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from s2sad.source.names import assigned_names

# context managers that end what is done under them, and go on after it
_SWALLOWING = frozenset({"suppress"})
_LEAVING = (gast.Raise, gast.Return, gast.Break, gast.Continue)


def surely_bound(nodes: Iterable[Any]) -> frozenset[str]:
    """Return the names that have a value of these statements once they are done."""
    found: frozenset[str] = frozenset()
    for node in nodes:
        found |= _by_one(node)
    return found


def _by_one(node: Any) -> frozenset[str]:
    match node:
        case gast.If(body=body, orelse=orelse):
            return _on_all_ways([body, orelse])
        case gast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
            ways = [[*body, *orelse], *(handler.body for handler in handlers)]
            return _on_all_ways(ways) | surely_bound(finalbody)
        case gast.With(items=items, body=body):
            own = frozenset(assigned_names(items))
            return own if any(map(_swallows, items)) else own | surely_bound(body)
        case gast.For() | gast.While() | gast.Match():
            return frozenset()
    return frozenset(assigned_names([node]))


def _on_all_ways(ways: list[list[Any]]) -> frozenset[str]:
    going_on = [surely_bound(way) for way in ways if not (way and isinstance(way[-1], _LEAVING))]
    return frozenset.intersection(*going_on) if going_on else frozenset()


def _swallows(item: Any) -> bool:
    func = getattr(item.context_expr, "func", None)
    return getattr(func, "attr", getattr(func, "id", "")) in _SWALLOWING
