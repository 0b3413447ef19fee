"""What is known once a statement was copied that changes lists, sets and other objects.

v.partition(3)               v is an array of the same shape and dtype
i = heapq.heappop(heap)      i is an item of the heap, which is still a list
seen.add(k)                  seen is still a set
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast

from s2sad.legacy.facts.fact import UNKNOWN, Fact, fact_of_constant
from s2sad.legacy.facts.joins import join_elements
from s2sad.legacy.program import Expr, Opaque, Var
from s2sad.source.names import rebound_names

TAKING = frozenset({"pop", "popleft", "heappop", "next"})
ADDING = frozenset({"append", "appendleft", "add", "heappush", "insort"})
KEEPING = frozenset({"heapify", "sort", "reverse", "rotate", "discard", "remove"}) | TAKING
# methods and functions that change elements and nothing else of an array
REORDERING = frozenset("partition sort shuffle put putmask place fill itemset __setitem__".split())
Known = Callable[[Var], Fact]


def after_copied(copied: Expr, of: Known) -> Iterator[tuple[Var, Fact]]:
    """Yield what a copied statement leaves each of the values that it makes or changes as."""
    if not isinstance(copied, Opaque):
        return
    for var, old in changed_values(copied):
        yield var, _given(copied, of) if old is None else _changed(of(old), copied, of)


def changed_values(copied: Opaque) -> Iterator[tuple[Var, Var | None]]:
    """Yield what a copied statement gives names, and what they held where it only changes that."""
    plain = isinstance(copied.node, gast.Expr | gast.Assign | gast.Delete)
    rebound = rebound_names([copied.node])
    before = {name: var for name, var in copied.reads if plain and name not in rebound}
    yield from ((var, before.get(name)) for name, var in copied.writes)


def _changed(fact: Fact, copied: Opaque, of: Known) -> Fact:
    """Return what is still known of a value once something has changed it in place."""
    name, args, _ = _called(copied)
    if fact.is_array and name in REORDERING and isinstance(copied.node, gast.Expr):
        return fact
    if not (fact.is_object or fact.kind in ("list", "dict")):
        return UNKNOWN
    if name in KEEPING or (fact.kind == "list" and isinstance(copied.node, gast.Delete)):
        return fact
    if name in ADDING and fact.items and fact.kind != "dict":
        return with_items(fact, [_fact_of(arg, copied, of) for arg in args[-1:]])
    return replace(fact, items=(UNKNOWN,) if fact.kind == "list" else (), keys=(), shape=None)


def appended(old: Fact, item: Fact) -> Fact:
    """Return what is known of a list, or what has lists' methods, once it holds one more item."""
    if old.is_object:
        return with_items(old, [item])
    kept = old.items if old.kind == "list" else (UNKNOWN,)
    return Fact("list", items=join_elements((*kept, item)))


def with_items(fact: Fact, more: Sequence[Fact]) -> Fact:
    """Return what is known of a list or object once it may hold more."""
    items = join_elements((*fact.items, *more)) if fact.items else ()
    known = fact.kind == "list" or all(item.is_scalar for item in items)
    return replace(fact, items=items if known else ())


def _given(copied: Opaque, of: Known) -> Fact:
    """Return what a name is given: an item, where that is taken from what holds items."""
    name, args, owner = _called(copied)
    held = _fact_of(owner if owner is not None else args[0], copied, of) if name in TAKING else None
    single = isinstance(getattr(copied.node, "targets", [None])[0], gast.Name)
    if held is None or not single or held.kind == "dict" or not held.items:
        return UNKNOWN
    (item,) = join_elements(held.items)
    return item if item.is_scalar else UNKNOWN


def _called(copied: Opaque) -> tuple[str, list[Any], Any]:
    """Return the name, the arguments and the owner of what a statement calls."""
    match getattr(copied.node, "value", None):
        case gast.Call(func=gast.Name(id=name), args=args) if args:
            return name, args, None
        case gast.Call(func=gast.Attribute(value=owner, attr=name), args=args):
            is_method = isinstance(owner, gast.Name) and owner.id in dict(copied.reads)
            return name, args, owner if is_method or not args else None
    return "", [], None


def _fact_of(node: Any, copied: Opaque, of: Known) -> Fact:
    if isinstance(node, gast.Constant):
        return replace(fact_of_constant(node.value), extent=None, value=None)
    held = dict(copied.reads).get(node.id) if isinstance(node, gast.Name) else None
    return UNKNOWN if held is None else of(held)
