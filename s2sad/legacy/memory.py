"""Memory: by which definition each was made, and who writes to it.

A root is the value whose definition made the memory: a parameter, or a result of an operation
that allocates. `Old(root)` is the memory which the same definition made in an earlier pass.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.legacy.facts import UNKNOWN, Fact
from s2sad.legacy.program import (
    NONE,
    Effect,
    Opaque,
    Pop,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import is_path
from s2sad.source.names import changed_names, rebound_names


@dataclass(frozen=True, slots=True)
class Old:
    """Memory that a definition inside a loop made in an earlier pass."""

    root: Var | Ref | Part


@dataclass(frozen=True, slots=True)
class Part:
    """Memory of the items that a list, tuple or dict held from the start."""

    root: Var | Ref


@dataclass(frozen=True, slots=True)
class Inside:
    """Memory of an item that a list holds: writing to the list does not write to it."""

    root: Var | Ref | Old | Part


Root = Var | Ref | Old | Part | Inside
Known = Callable[[Var], Fact]


class Roots(dict["Var", "frozenset[Root]"]):
    """The memory each value may live in; `fact` tells lists from arrays."""

    fact: Known = staticmethod(lambda var: UNKNOWN)


NOTHING: frozenset[Root] = frozenset()
LISTS = ("list", "tuple")
HOLDERS = ("list", "tuple", "dict")
# what a copied statement does to an object, be it the object itself or what it holds
UNSEEN = "unseen"
# what these methods of a list, deque or set do to it, which leaves alone what it holds: row.reverse()
REARRANGED = "rearranged"
REARRANGING = frozenset({"clear", "pop", "reverse", "sort"})
ADDING = frozenset(
    "append appendleft extend extendleft insert popleft add discard remove update".split()
)
READ_ONLY = Ref("read-only", None)


def unknown(var: Var) -> Fact:
    """Say nothing about a value."""
    return UNKNOWN


def items_of(owner: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory that an item of a value may live in: of a list not the list's own."""
    mine, fact = roots.get(owner, NOTHING), roots.fact(owner)
    inside = frozenset(root.root for root in mine if isinstance(root, Inside))
    if fact.kind not in HOLDERS or (not inside and not _holds_numbers(fact)):
        return spread(mine)  # of a list in a list it is not told which memory its own items are
    return inside


def _holds_numbers(fact: Fact) -> bool:
    return bool(fact.items) and all(item.is_scalar for item in fact.items)


def held_inside(roots: frozenset[Root]) -> frozenset[Root]:
    return frozenset(root if isinstance(root, Inside) else Inside(root) for root in roots)


def spread(roots: frozenset[Root]) -> frozenset[Root]:
    """Return roots with the memory of held items as memory of its own."""
    return frozenset(root.root if isinstance(root, Inside) else root for root in roots)


def own_memory(roots: frozenset[Root]) -> frozenset[Root]:
    """Return the memory that a write to a value changes: a list's items are not."""
    return frozenset(root for root in roots if not isinstance(root, Inside))


def written_memory(stmt: Update | Pop, roots: Roots) -> frozenset[Root]:
    """Return the memory that a statement writes to: `ts[i] += e` writes to an item of a list."""
    mine = own_memory(roots.get(stmt.old, NOTHING))
    if writes_to_items(stmt, roots.fact):
        return spread(roots.get(stmt.old, NOTHING))
    if isinstance(stmt, Update) and is_path(stmt.index):
        mine = frozenset(
            each for each in spread(roots.get(stmt.old, NOTHING)) if not _is_number(each, roots)
        )
    return mine | items_of(stmt.old, roots) if adds_to_item(stmt, roots.fact) else mine


def _is_number(root: Root, roots: Roots) -> bool:
    return isinstance(root, Var) and roots.fact(root).is_scalar


def writes_to_items(stmt: Update | Pop, fact: Known) -> bool:
    """Tell whether a write that was copied as it stands may be one to what a list holds, too."""
    if not isinstance(stmt, Update) or stmt.op not in (UNSEEN, REARRANGED):
        return False
    old = fact(stmt.old)
    return stmt.op == UNSEEN or not is_filled(old)


def is_filled(fact: Fact) -> bool:
    """Tell whether a value is a list, a deque or a set: its methods do nothing to what it holds."""
    return fact.kind == "list" or fact.made_of in (set, deque)


# kinds of what nothing can write to
UNCHANGING = frozenset({"none", "str", "bool", "int", "float", "complex"})


def changed_by(stmt: Stmt) -> Iterator[Update]:
    """Yield the writes that syntax copied as it stands may do: `np.put(v, [0], 9.0)` changes v."""
    match stmt:
        case Effect(Opaque(node, before, after)) if after:
            # a copied `try` may give a name another value, which writes to nothing
            held, other = dict(before), rebound_names([node]) - changed_names([node])
            for name, new in after:
                if name in held and name not in other:
                    op = REARRANGED if _rearranges(node, name) else UNSEEN
                    yield Update(new, held[name], None, op, NONE, stmt.span)


def _rearranges(node: Any, name: str) -> bool:
    """Tell whether a statement does no more than to call such a method of what a name holds."""
    match node:
        case gast.Expr(
            value=gast.Call(
                func=gast.Attribute(value=gast.Name(id=owner), attr=method),
                args=args,
                keywords=[],
            )
        ):
            plain = method in ADDING or (method in REARRANGING and not args)
            return owner == name and plain
    return False


def writes_of(stmt: Stmt) -> Iterable[Update | Pop]:
    """Return the writes of one statement, its blocks excepted, be it copied or not."""
    return (stmt,) if isinstance(stmt, Update | Pop) else changed_by(stmt)


def adds_to_item(stmt: Update | Pop, fact: Known) -> bool:
    """Tell whether an update may write to an array that a list or dict holds.

    A tangent or an adjoint of a number may be an array without axes, which the caller gave.
    """
    if not isinstance(stmt, Update) or stmt.index is None or stmt.op in ("=", "insert"):
        return False
    owner = fact(stmt.old)
    numbers = is_path(stmt.index) or (owner.items and all(item.is_scalar for item in owner.items))
    return owner.kind in HOLDERS and ("~" in stmt.old.slot or not numbers)


def keeps(op: str, owner: Fact) -> bool:
    """Tell whether a write stores the object itself, as a list does, not its contents."""
    return op in ("append", "insert") or (op == "=" and not owner.is_array)
