"""Names that hold nothing where a pass of a loop begins, and an object when it ends.

for v in u:                          the loop is lowered again, `best` holding from its start
    if best_is_none or ...:          an object whose fields have no values yet
        best = Point(v)

That is done where a program was refused because of what a name holds on several ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from s2sad.legacy.desugar.names import LATE
from s2sad.legacy.program import Var
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import joining
from s2sad.legacy.statics.kinds import Record
from s2sad.legacy.statics.records import keys_of, slot_of
from s2sad.legacy.statics.unread import unread_after

Values = dict[str, Var]


@dataclass(frozen=True, slots=True)
class Start:
    """What a pass of a loop begins with."""

    statics: Any
    joints: Any
    heads: Values
    before: Values
    given_first: set[str]


def unread(node: Any, scope: Scope) -> set[str]:
    """Return the slots that each pass of a loop gives a value first, and that nothing reads after it."""
    if scope.opened is None or LATE not in scope.opened:
        return set()
    return {scope.slot(name) for name in unread_after(node, scope)}


def note(heads: Values, before: Values, given_first: set[str], scope: Scope) -> None:
    """Note which slots nothing was given before the loop, or before the one around it."""
    slots = {slot for slot in heads if before.get(slot) in {None, *scope.held.unbound}}
    scope.held.unbound |= {heads[slot] for slot in slots}
    scope.held.given_first |= {heads[slot] for slot in slots & given_first}


def asked_for(asked: joining.LateRecord, start: Start, scope: Scope) -> dict[str, Record]:
    """Return the record that a name is to hold from the start; raise again if an outer loop's."""
    first = {None, *scope.held.given_first}
    if asked.slot not in start.heads or start.before.get(asked.slot) not in first:
        raise asked
    scope.held.statics = {**scope.held.statics, asked.record.place: asked.fields}
    return {asked.slot: asked.record}


def begun(start: Start, scope: Scope) -> dict[str, Record]:
    """Return the records that a pass gives names which hold nothing before the loop."""
    if scope.opened is None or LATE not in scope.opened:
        return {}
    statics, heads = start.statics, start.heads
    gone = start.given_first - statics.keys()  # what the next pass begins with is given back to it
    scope.held.statics = {s: held for s, held in scope.held.statics.items() if s not in gone}
    bound = {slot: var for slot, var in start.before.items() if var not in scope.held.unbound}
    given = joining.late([scope.held.statics, statics], [{}, bound])
    return {slot: held for slot in given if slot in heads and (held := scope.record(heads[slot]))}


def with_records(
    found: dict[str, Record], statics: Any, slots: list[str], scope: Scope
) -> tuple[Any, list[str]]:
    """Let names hold records without values when a pass begins, and hand on their fields."""
    more: list[str] = []
    scope.held.statics = {
        **statics,
        **{each.place: scope.held.statics[each.place] for each in found.values()},
    }
    for slot, record in found.items():
        made = joining.begun_late(slot, record, scope)
        more += [slot_of(made, key) for key in keys_of(made, scope, None)]
    return scope.held.statics, [*slots, *more]
