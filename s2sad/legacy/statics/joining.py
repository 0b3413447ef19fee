"""A name that holds one record on one way and another on the other holds a third after them.

    if c: p = {"a": x}              p_a$1 = x; p_a$3 = p_a$1
    else: p = {"a": 2.0 * x}        p_a$2 = 2.0 * x; p_a$3 = p_a$2

A loop that gives a name another record does the same at its start and at the end of each pass.
Where records can be changed, only what no other name holds is joined: the rest is Lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from s2sad.ir.errors import Span
from s2sad.legacy.desugar.names import LATE
from s2sad.legacy.program import Assign, Stmt, Var
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Copy, Cut, Fields, Method, Record, Row, Static, leads_to
from s2sad.legacy.traverse import reads

Statics = Mapping[str, Static]
Pair = tuple[Record, Record]


class LateRecord(Exception):
    """A name that holds nothing where a pass begins is given a record in some passes."""

    def __init__(self, slot: str, record: Record, fields: Static):
        self.slot, self.record, self.fields = slot, record, fields


def unlike(a: Statics, b: Statics) -> dict[str, Pair]:
    """Return the slots that hold unlike records on two ways."""
    return {slot: pair for slot, pair in _pairs(a, b) if pair[0] != pair[1]}


def joinable(a: Statics, b: Statics) -> dict[str, Pair]:
    """Return the slots that hold unlike records of like structure on two ways."""
    found, pairs = unlike(a, b), {pair for _, pair in _pairs(a, b)}
    first = Counter(pair[0] for pair in pairs) + Counter(_owners(a))
    second = Counter(pair[1] for pair in pairs) + Counter(_owners(b))
    return {
        slot: pair
        for slot, pair in found.items()
        if _alike(pair[0], pair[1], a, b)
        and (pair[0].is_fixed or (first[pair[0]] == 1 and second[pair[1]] == 1))
    }


def late(ways: list[Statics], values: list[dict[str, Var]]) -> dict[str, int]:
    """Return the slots that hold a record on one way, the number of which it is, and nothing on the other."""
    found = {}
    for number, (way, other) in enumerate((ways, ways[::-1])):
        for slot, held in way.items():
            if not _is_whole(held) or "$" in slot or "%" in slot or slot in other:
                continue
            if slot not in values[1 - number]:
                found[slot] = number
    return found


def _is_whole(held: Static) -> bool:
    return isinstance(held, Record) and not isinstance(held, Row | Cut | Copy)


def ask_for_start(name: str, record: Static, scope: Scope) -> None:
    """Raise LateRecord where a name is given a record that held nothing where the pass began."""
    head = scope.held.values.get(scope.slot(name))
    if head in scope.held.unbound - scope.held.given_first and _is_whole(record):
        if scope.opened is not None and LATE in scope.opened:
            assert isinstance(record, Record)
            raise LateRecord(scope.slot(name), record, scope.held.statics[record.place])


def begun_late(slot: str, record: Record, scope: Scope) -> Record:
    """Return a record like another whose fields have no values yet, for a slot to hold."""
    made = joint(slot, record, scope)
    fields = scope.held.statics[record.place]
    scope.held.statics = {**scope.held.statics, slot: made, made.place: fields}
    scope.held.joints = {**scope.held.joints, slot: made}
    scope.held.unbound |= {made}
    for key in _keys(made, scope.held.statics):
        records.known_as_name(records.slot_of(made, key), scope)
    return made


def home(slot: str, pair: Pair, ways: list[Statics], scope: Scope) -> Record | None:
    """Return that record of a pair which has no values yet, and takes those of the other."""
    into = scope.held.joints.get(slot)
    if into not in pair or into not in scope.held.unbound:
        return None
    other = ways[1 - pair.index(into)]
    return None if _holders(into, other) else into


def _owners(statics: Statics) -> Iterator[Record]:
    """Yield the records of which names hold a method."""
    for slot, held in statics.items():
        if isinstance(held, Method) and held.owner is not None and "%r" not in slot:
            yield held.owner


def _pairs(a: Statics, b: Statics) -> Iterator[tuple[str, Pair]]:
    for slot, left in a.items():
        right = b.get(slot)
        if isinstance(left, Row | Cut) or isinstance(right, Row | Cut):
            continue  # the place of an item is not handed on
        if isinstance(left, Record) and isinstance(right, Record) and "%r" not in slot:
            yield slot, (left, right)


def _alike(left: Record, right: Record, a: Statics, b: Statics) -> bool:
    """Tell whether two records have the same fields, each a value on both ways, or alike."""
    keys, others = a.get(left.place), b.get(right.place)
    if left.kind is not right.kind or not isinstance(keys, Fields) or keys != others:
        return False
    for key in keys.keys:
        mine, other = a.get(records.slot_of(left, key)), b.get(records.slot_of(right, key))
        if isinstance(mine, Record) and isinstance(other, Record):
            if mine != other and not (
                _alike(mine, other, a, b) and _is_apart(mine, a) and _is_apart(other, b)
            ):
                return False
        elif mine is not None or other is not None:
            return False
    return True


def _is_apart(record: Record, statics: Statics) -> bool:
    """Tell whether no more than one name or field holds a record, or that makes no difference."""
    return record.is_fixed or len(_holders(record, statics)) <= 1


def _holders(record: Record, statics: Statics) -> list[str]:
    return [slot for slot in _reached(statics) if leads_to(statics.get(slot)) == record]


def _reached(statics: Statics) -> set[str]:
    """Return the names, and the fields of the records that names lead to."""
    waiting = [slot for slot in statics if "$" not in slot and "%r" not in slot]
    found: set[str] = set()
    while waiting:
        slot = waiting.pop()
        held = leads_to(statics.get(slot))
        if slot in found or held is None:
            continue
        found.add(slot)
        waiting += [records.slot_of(held, key) for key in _keys(held, statics)]
    return found


def bound(name: str, record: Record, scope: Scope, where: Span) -> Record:
    """Return what a name that is bound to a record made just now is to hold.

    In a loop that gives it a new record in each pass that is the one it holds where a pass begins.
    """
    ask_for_start(name, record, scope)
    slot, statics = scope.slot(name), scope.held.statics
    into = scope.held.joints.get(slot)
    if into is None or into == record or _holders(record, statics):
        return record
    inner = {**statics, slot: into}
    others = [each for each in _holders(into, statics) if each != slot]
    if others or not _alike(into, record, inner, statics):
        return record
    if not retargeted(record, into, scope, scope.out):
        copied([(record, into)], scope, where)
    return into


def joint(slot: str, left: Record, scope: Scope) -> Record:
    """Return a new record for a slot, without fields yet."""
    scope.numbers.records += 1
    name = slot.split("%")[0].split("&")[0].split("$")[0]
    made = Copy if isinstance(left, Copy) else Record
    return made(name, scope.numbers.records, left.kind)


def copied(pairs: list[tuple[Record, Record]], scope: Scope, where: Span) -> None:
    """Give the fields of records those of others, all as they were before: (from, into)."""
    moves = [move for source, into in pairs for move in _moves(source, into, scope)]
    targets = {slot for _, slot in moves}
    held = []
    for value, slot in moves:
        if value.slot in targets and value.slot != slot:
            scope.called_after = slot
            value = _temp(value, scope, where)
        held.append((value, slot))
    for value, slot in held:
        if value.slot != slot:
            records.give(scope, records.known_as_name(slot, scope), value, where)


def _is_shared(source: Record, inner: Record, statics: Statics) -> bool:
    """Tell whether a record that another holds is held by others too."""
    own = {records.slot_of(source, key) for key in _keys(source, statics)}
    return not inner.is_fixed and any(slot not in own for slot in _holders(inner, statics))


def _keys(record: Record, statics: Statics) -> tuple[object, ...]:
    fields = statics.get(record.place)
    return fields.keys if isinstance(fields, Fields) else ()


def _temp(value: Var, scope: Scope, where: Span) -> Var:
    made = scope.numbers.temp(scope.called_after)
    scope.emit(Assign((made,), value, where))
    return made


def _moves(source: Record, into: Record, scope: Scope) -> Iterator[tuple[Var, str]]:
    fields = scope.held.statics[source.place]
    assert isinstance(fields, Fields)
    scope.held.statics = {**scope.held.statics, into.place: fields}
    for key in fields.keys:
        from_slot, slot = records.slot_of(source, key), records.slot_of(into, key)
        inner = scope.held.statics.get(from_slot)
        if not isinstance(inner, Record):
            yield scope.held.values[from_slot], slot
            continue
        held = scope.held.statics.get(slot)
        if held == inner or _is_shared(source, inner, scope.held.statics):
            scope.held.statics = {**scope.held.statics, slot: inner}
            continue
        other = held if isinstance(held, Record) else joint(slot, inner, scope)
        scope.held.statics = {**scope.held.statics, slot: other}
        yield from _moves(inner, other, scope)


def retargeted(source: Record, into: Record, scope: Scope, out: list[Stmt]) -> bool:
    """Let the statements that have just filled a record fill another instead."""
    fields = scope.held.statics.get(source.place)
    assert isinstance(fields, Fields)
    slots = {records.slot_of(source, key): records.slot_of(into, key) for key in fields.keys}
    last = out[len(out) - len(slots) :]
    filling = [s for s in last if isinstance(s, Assign) and not s.unpack]
    if len(filling) != len(slots) or {s.target.slot for s in filling} != set(slots):
        return False
    if any(var.slot in slots.values() for s in filling for var in reads(s.value)):
        return False
    del out[len(out) - len(slots) :]
    for stmt in filling:
        scope.drop(stmt.target.slot)
        slot = records.known_as_name(slots[stmt.target.slot], scope)
        records.give(scope, slot, stmt.value, stmt.span)
    scope.held.statics = {**scope.held.statics, into.place: fields}
    return True
