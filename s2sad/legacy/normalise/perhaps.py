"""Names that are one array on some ways only: a flag says on which.

    w = v                        w_is_v = True
    if c:                        if c:
        w = u * 2.0                  w = u * 2.0
                                     w_is_v = False
    w[0] = 1.0                   w[0] = 1.0
                                 if w_is_v:
                                     v = w           (an echo)

That is done where a write was refused. A flag is false only where the two are known to have no
memory in common, which an earlier Program of the function tells.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from s2sad.legacy.links import UNTOLD, Asked, Link, Links, Question, meet, reaches
from s2sad.legacy.program import Assign, Const, Var, base
from s2sad.legacy.scope import Scope
from s2sad.legacy.traverse import may_leave
from s2sad.source.fresh import free

Values = dict[str, Var]
Side = tuple[list[Any], Values, Links]  # the statements of a way, and what holds at its end


def joined(node: Any, sides: tuple[Side, Side], scope: Scope) -> Links:
    """Return the links after a branch, flags being set at the ends of its sides."""
    known = dict(meet(sides[0][2], sides[1][2]))
    if not scope.doubts or any(may_leave(out) for out, _, _ in sides):
        return known  # some ways end before the end of the side
    for slot in sorted({*sides[0][2], *sides[1][2]} - known.keys()):
        link = _either(sides[0][2].get(slot), sides[1][2].get(slot), slot, scope)
        if link is None or not all({slot, link.base} <= values.keys() for _, values, _ in sides):
            continue
        if reaches(known, link.base, slot):
            continue  # on the other side it is the other way round
        states = [
            _state(side, slot, link, way, node, scope)
            for side, way in zip(sides, ("then", "else"), strict=True)
        ]
        if None in states:
            scope.held.wished[slot] = replace(link, when="")
        else:
            known[slot] = link = replace(link, when=UNTOLD) if UNTOLD in states else link
            for (out, values, _), state in zip(sides, states, strict=True):
                _tell(out, values, link.when, state, node, scope)
    return known


def _either(a: Link | None, b: Link | None, slot: str, scope: Scope) -> Link | None:
    """Return the link that may hold after two ways, under a flag; None where there is none."""
    one = a or b
    assert one is not None
    if a is not None and b is not None and (a.base, a.key) != (b.base, b.key):
        return None
    return flagged(replace(one, when=(a and a.when) or (b and b.when) or ""), slot, scope)


def flagged(link: Link, slot: str, scope: Scope) -> Link:
    """Return a link that a flag tells of."""
    if link.when:
        return link
    flags, own = scope.held.flags, (slot, link.base, link.key)
    if own not in flags:
        wanted = f"{base(slot)}_{'is' if link.key is None else 'in'}_{base(link.base)}"
        flags[own] = free(wanted, {*scope.locals, *flags.values()})
    return replace(link, when=scope.slot(flags[own]))


def _state(
    side: Side, slot: str, link: Link, way: str, node: Any, scope: Scope
) -> bool | str | None:
    """Tell whether a link holds at the end of a way: the flag's slot where that says it.

    UNTOLD where that is still to be asked, None where nobody can tell.
    """
    _, values, links = side
    mine = links.get(slot)
    if mine is not None:
        same = (mine.base, mine.key) == (link.base, link.key)
        return (mine.when or True) if same else None
    question = Question(scope.span(node), slot, link.base, way)
    told = scope.ask_of_way(Asked(question, values[slot], values[link.base]))
    return UNTOLD if told is None else (False if told else None)


def _tell(
    out: list[Any], values: Values, flag: str, state: bool | str | None, node: Any, scope: Scope
) -> None:
    """Set a flag at the end of some statements, unless it says what holds already."""
    if flag not in (state, UNTOLD):
        values[flag] = scope.numbers.next(flag)
        out.append(Assign((values[flag],), Const(state), scope.span(node)))


# ---------------------------------------------------------------------------- loops


@dataclass
class Perhaps:
    """The links that may hold when a pass of a loop begins, each under a flag."""

    links: dict[str, Link] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)

    def over(self, known: Links) -> Links:
        """Return the links with which a pass begins."""
        found = dict(known)
        for slot, link in self.links.items():
            # of two names that change places one is linked to the other
            if slot not in found and not reaches(found, link.base, slot):
                found[slot] = link
        return found

    def without(self, links: Links) -> Links:
        """Return those links that hold for certain."""
        return {slot: link for slot, link in links.items() if slot not in self.links}

    def add(
        self, slot: str, link: Link, state: Any, before: Values, node: Any, scope: Scope
    ) -> None:
        """Take a link to hold perhaps; `state` says whether it does before the loop."""
        told = replace(link, when="") if link.when == UNTOLD else link
        link = replace(link, when=UNTOLD) if state == UNTOLD else flagged(told, slot, scope)
        _tell(scope.out, before, link.when, state, node, scope)
        self.links[slot] = link


def begun(entry: Links, kept: Links, before: Values, node: Any, scope: Scope) -> Perhaps:
    """Return what may hold of the links before a loop that binds their names anew."""
    found = Perhaps()
    if scope.doubts:
        for slot, link in entry.items():
            if slot not in kept and {slot, link.base} <= before.keys():
                found.add(slot, link, link.when or True, before, node, scope)
    return found


def changed(
    perhaps: Perhaps, links: Links, before: Values, out: list[Any], node: Any, scope: Scope
) -> bool:
    """Set flags at the end of a pass; tell whether the loop is to be lowered with other links."""
    if not scope.doubts:
        return False
    end = out, scope.held.values, scope.held.links
    first = dict(perhaps.links)
    for slot, link in first.items():
        there = {slot, link.base} <= scope.held.values.keys() and not may_leave(out)
        state = _state(end, slot, link, "end", node, scope) if there else None
        if state is None:
            perhaps.refused.add(slot)
            del perhaps.links[slot]
        elif state == UNTOLD:
            perhaps.links[slot] = replace(link, when=UNTOLD)
        else:
            _tell(out, scope.held.values, link.when, state, node, scope)
    for slot, link in {**scope.held.wished, **scope.held.links}.items():
        unseen = slot not in links and slot not in perhaps.links and slot not in perhaps.refused
        if unseen and {slot, link.base} <= before.keys() and not may_leave(out):
            start: Side = scope.out, before, {}
            state = _state(start, slot, link, "start", node, scope)
            if state is not None and reaches(perhaps.over(links), link.base, slot):
                perhaps.refused.add(slot)
            elif state is not None:
                perhaps.add(slot, link, state, before, node, scope)
    return first != perhaps.links
