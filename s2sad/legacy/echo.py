"""A write in place is said again under every other name of the memory.

    row = A[i]                   row@1 = A@0[i]
    row[:] = 0.0                 row@2 = row@1[:] := 0.0
                                 A@1 = A@0[i] := row@2        (an echo)

So each name has a value of its own, and a derivative needs to know nothing of shared memory.
Where the memory is shared, an echo has nothing to do; `silence` leaves it out of the text.
"""

from __future__ import annotations

from typing import Any

from s2sad.legacy.links import (
    Asked,
    Link,
    Question,
    as_part,
    linked,
    may_be_view,
    part,
    permuted,
    without_items,
)
from s2sad.legacy.program import Assign, Expr, If, Merge, Update, Var
from s2sad.legacy.scope import Scope
from s2sad.legacy.traverse import defines, reads
from s2sad.legacy.turns import is_turn, turned_back

MAYBE = "maybe"


def bound(scope: Scope, name: str, value: Expr) -> None:
    """Note what the local `name`, just bound to `value`, is or is a part of."""
    held, slot = scope.held, scope.slot(name)
    if isinstance(value, Var) and held.values.get(value.slot) == value:
        held.links = linked(held.links, slot, value.slot)
        return
    found = _part_of(scope, value)
    if found is not None:
        held.links = linked(held.links, slot, *found)


def _part_of(scope: Scope, value: Expr) -> tuple[str, Expr] | None:
    """Return the slot and the key of which a value, as it was computed just now, is a part."""
    held = scope.held
    found = as_part(held.parts.get(value, value) if isinstance(value, Var) else value)
    if found is None or not may_be_view(found[1]):
        return None
    owner, key = found
    if owner in held.parts and owner.slot not in held.values:
        # a part of a part that has no name: what is written to it goes through both
        above = _part_of(scope, owner)
        if above is not None:
            held.values[owner.slot] = owner
            held.links = linked(held.links, owner.slot, *above)
    current = all(held.values.get(var.slot, var) == var for var in (owner, *reads(key)))
    return (owner.slot, key) if current and owner.slot in held.values else None


def bound_together(scope: Scope, names: list[str], values: list[Expr]) -> list[Var]:
    """Bind names to values that were all computed before; return the new values."""
    slots = [scope.slot(name) for name in names]
    current = [
        isinstance(value, Var) and scope.held.values.get(value.slot) == value for value in values
    ]
    old = [value.slot if isinstance(value, Var) else "" for value in values]
    if all(current) and sorted(old) == sorted(slots) and len(set(slots)) == len(slots):
        scope.held.links = permuted(scope.held.links, dict(zip(old, slots, strict=True)))
        return [scope.renew(slot) for slot in slots]
    made = [scope.define(name) for name in names]
    for name, value in zip(names, values, strict=True):
        if isinstance(value, Var) and value.slot not in slots:
            bound(scope, name, value)  # what it is a part of may have gone: then nothing is known
    return made


def written(scope: Scope, slot: str, node: Any, parts: bool = True, inside: bool = False) -> None:
    """Say the write that a slot's new value stands for under the other names of the memory.

    `parts` tells that it left the items that a list holds where they are; `inside`, that it was
    to one of these.
    """
    if not parts or (not inside and _is_list(scope, slot, node)):
        scope.held.links = without_items(scope.held.links, slot)
    _spread(scope, slot, node, "")


def _is_list(scope: Scope, slot: str, node: Any) -> bool:
    """Tell whether a slot is known to hold a list of which some name holds an item."""
    parts = [n for n, link in scope.held.links.items() if link.base == slot and link.key]
    return any(_answer(scope, each, node) == "item" for each in parts)


def _spread(scope: Scope, slot: str, node: Any, source: str) -> None:
    link = scope.held.links.get(slot)
    if link is not None and link.base != source and _say_above(scope, slot, link, node):
        _spread(scope, link.base, node, slot)
    for other, its in list(scope.held.links.items()):
        if its.base == slot and other != source and scope.held.links.get(other) == its:
            if _say_below(scope, other, its, node):
                _spread(scope, other, node, slot)


def _say_above(scope: Scope, slot: str, link: Link, node: Any) -> bool:
    """Give the owner of a part, or the object's other name, what was written."""
    if link.key is not None and _answer(scope, slot, node) not in ("view", "item"):
        return False
    value, old, span = scope.held.values[slot], scope.held.values[link.base], scope.span(node)
    new = scope.numbers.next(link.base)
    if link.key is None or is_turn(link.key):
        whole = value if link.key is None else turned_back(value, old, link.key)
        return _say(scope, Assign((new,), whole, span, echo=True), old, link.when)
    return _say(scope, Update(new, old, link.key, "=", value, span, echo=True), old, link.when)


def _say_below(scope: Scope, slot: str, link: Link, node: Any) -> bool:
    """Give a part of what was written, or another name of it, its new value."""
    if link.key is not None and _answer(scope, slot, node) not in ("view", "item"):
        return False
    base = scope.held.values[link.base]
    value: Expr = base if link.key is None else part(base, link.key)
    new, old = scope.numbers.next(slot), scope.held.values[slot]
    return _say(scope, Assign((new,), value, scope.span(node), echo=True), old, link.when)


def _say(scope: Scope, echo: Assign | Update, old: Var, when: str) -> bool:
    """Add an echo, in a branch where only a flag tells whether there is one; tell whether it was."""
    (new,) = defines(echo)
    if not when:
        scope.emit(echo)
        scope.hold_again(new)
        return True
    if when not in scope.held.values:
        return False
    key = scope.numbers.key()
    after = scope.numbers.next(new.slot)
    merge = Merge(after, new, old)
    scope.emit(If(scope.held.values[when], (echo,), (), (merge,), echo.span, key))
    scope.hold_again(after)
    return True


def _answer(scope: Scope, slot: str, node: Any) -> str:
    link = scope.held.links[slot]
    values = scope.held.values
    question = Question(scope.span(node), slot, link.base)
    return scope.ask(Asked(question, values[slot], values[link.base], link.key))


def writes_whole(scope: Scope, slot: str, old: Var, node: Any) -> str:
    """Tell what `x op= e` does to a name that others share: "writes", "apart", or MAYBE either.

    "" is said of what nobody shares, and of what has not been asked yet.
    """
    links = scope.held.links
    if slot not in links and all(link.base != slot for link in links.values()):
        return ""
    asked = Asked(Question(scope.span(node), slot), old)
    known = asked.question in scope.held.answers
    return scope.ask(asked) or (MAYBE if known else "")
