"""Which names hold one object, or a part of another's: known while a function is lowered.

    b = a            b is what a holds
    row = A[i]       row may be a part of A, at i
    C = A.T          C is all of A, the axes turned; so np.flip(A), A.swapaxes(0, 1)
    b[0] = 1         ... so that a holds something new as well: a@2 = b@2

A link is certain where it is written down, but for what only the kinds of values decide (is
`A[i]` a view, does `b += 1` write?); that is asked, and answered once the facts are known.
What no link tells is left to `together`, which refuses a write that is seen elsewhere.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.ir.errors import Span
from s2sad.legacy.program import Expr, Op, Var
from s2sad.legacy.traverse import reads
from s2sad.legacy.turns import as_turn, is_turn, turned


@dataclass(frozen=True, slots=True)
class Link:
    """What a slot holds is what `base` holds, or where there is a `key`, the part at that.

    `when` is the slot of a flag that says whether it is so; "" where it is for certain, and
    UNTOLD where answers are missing.
    """

    base: str
    key: Expr | None = None
    when: str = ""


Links = Mapping[str, Link]

UNTOLD = "?"  # the `when` of a link that is only followed to find out what is to be asked


def part(owner: Expr, key: Expr) -> Expr:
    """Return the expression of the part of an owner at a key."""
    if not is_turn(key):
        return Op("index", (owner, key))
    return turned(owner, key)


def as_part(value: Expr) -> tuple[Var, Expr] | None:
    """Return the owner and the key of an expression that is a part of a value."""
    match value:
        case Op("index", (Var() as owner, key)):
            return owner, key
    return as_turn(value)


@dataclass(frozen=True, slots=True)
class Question:
    """What only facts tell: of a `part` of an owner, or of what `x += e` does to `x`.

    With a `way`: whether, at the end of that, two slots have no memory in common.
    """

    span: Span
    slot: str
    base: str = ""
    way: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the values that it is about."""

    question: Question
    value: Var
    owner: Var | None = None
    key: Expr | None = None


IS_ARRAY = "?"  # the `base` of a question that asks whether the slot holds an array

IS_HOLDER = "#"  # ... that asks whether it holds a list or dict of what may be arrays

IS_LIST = "*"  # ... that asks whether it holds a list

IS_TRUE = "!"  # ... that asks how a test comes out, which is the key of what is asked

IN_AXES = "["  # ... that asks whether a part of a part of it is one part: A[i][j]

INTO_AXES = "[="  # ... and whether it may be written to as such

OTHERS = "others"  # the answer that two slots have no memory in common

# "array", "number", "holder", "list": it does; "view": a part shares its owner's memory; "item": it is an object that its owner, a list,
# holds; "writes": `x += e` writes to x; "axes": A[i][j] is A[i, j]; "items": L[i][j] is a number in a list in L; "apart": none of these; "": not known
Answers = Mapping[Question, str]


def linked(links: Links, slot: str, base: str, key: Expr | None = None) -> Links:
    """Return the links after `slot` was bound to what `base` holds, or to a part of it."""
    if slot == base or reaches(links, base, slot):
        return links
    return {**links, slot: Link(base, key)}


def reaches(links: Links, slot: str, goal: str) -> bool:
    """Tell whether what a slot holds is all or a part of what another one holds."""
    while slot in links and slot != goal:
        slot = links[slot].base
    return slot == goal


def forgotten(links: Links, slot: str) -> Links:
    """Return the links after `slot` was bound to something else."""
    kept = {name: link for name, link in links.items() if not _involves(name, link, slot)}
    mine = links.get(slot)
    parts = {name: link for name, link in links.items() if link.base == slot and name != slot}
    same = [name for name, link in parts.items() if link.key is None and not link.when]
    for name, link in parts.items():
        if link.when or (mine and mine.when) or (link.key is not None and _key_reads(link, slot)):
            continue
        if mine is not None and (link.key is None or mine.key is None):
            kept[name] = Link(mine.base, link.key if mine.key is None else mine.key)
        elif same and name != same[0]:
            kept[name] = Link(same[0], link.key)
    return kept


def connected(links: Links, slots: list[str]) -> frozenset[str]:
    """Return the other slots that a write to one of `slots` may be echoed to."""
    found, size = set(slots), 0
    while size < len(found):
        size = len(found)
        for name, link in links.items():
            if name in found or link.base in found:
                found |= {name, link.base}
    return frozenset(found.difference(slots))


def _involves(name: str, link: Link, slot: str) -> bool:
    return slot in (name, link.base) or _key_reads(link, slot)


def _key_reads(link: Link, slot: str) -> bool:
    return link.key is not None and any(var.slot == slot for var in reads(link.key))


def rekeyed(links: Links, slot: str) -> Links:
    """Return the links after `slot` holds something new: keys that read it say nothing now."""
    if not any(_key_reads(link, slot) for link in links.values()):
        return links
    return {name: link for name, link in links.items() if not _key_reads(link, slot)}


def without_items(links: Links, slot: str) -> Links:
    """Return the links without those of the parts of `slot`."""
    return {n: link for n, link in links.items() if link.base != slot or link.key is None}


def permuted(links: Links, to: Mapping[str, str]) -> Links:
    """Return the links after slots have exchanged what they hold: `to[old slot]` has it now.

    A flag stays with the slot that it tells of: what it said of what has gone is not known.
    """
    if any(slot in to for link in links.values() if link.key for slot in _slots(link.key)):
        return {}
    return {
        to.get(name, name): replace(link, base=to.get(link.base, link.base))
        for name, link in links.items()
        if not link.when or not {name, link.base} & to.keys()
    }


def _slots(key: Expr) -> Iterator[str]:
    return (var.slot for var in reads(key))


def among(links: Links, held: Container[str]) -> Links:
    """Return the links of slots that hold a value."""
    return {
        name: link
        for name, link in links.items()
        if name in held and link.base in held
        if link.when in ("", UNTOLD) or link.when in held
    }


def meet(a: Links, b: Links) -> Links:
    """Return what holds on both of two ways."""
    return {name: link for name, link in a.items() if b.get(name) == link or _turned(name, link, b)}


def _turned(name: str, link: Link, other: Links) -> bool:
    """Tell whether it is the base that is linked to the name on another way: one object as well."""
    return link.key is None and other.get(link.base) == replace(link, base=name)


def may_be_view(key: Expr) -> bool:
    """Tell whether a subscript, as it is written, may give a view."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    return not any(isinstance(part, Op) and part.op == "list" for part in parts)
