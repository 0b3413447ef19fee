"""Loops of the program: the body is run until what it changes is known at its head.

A slot that a pass changes is carried: it is one variable from the head of the loop to its end,
mostly the user's own, so that nothing has to be moved. Its type is that of all passes together.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

from s2sad.ir.expression import Expr, Variable, calls, name
from s2sad.ir.program import Break, If, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Array, Length, Number, Numeric, Sequence, Tuple, Type, Unknown
from s2sad.lowering import branches, demands, exits, ways
from s2sad.lowering.branches import FLAG
from s2sad.lowering.list_lengths import ends_of_range
from s2sad.lowering.machine import (
    SPENT,
    Heap,
    Machine,
    Scope,
    Slot,
    bound_at_once,
    emit,
    flip,
    forked,
    fresh,
    hint,
    is_mentioned,
    mentioned,
    put,
    refusal,
    used_up,
)
from s2sad.lowering.memory import same_known
from s2sad.lowering.typing import assume_equal
from s2sad.lowering.values import (
    INTEGER,
    SEVERAL,
    Bound,
    Cell,
    Closure,
    Code,
    Data,
    Demand,
    Fails,
    Lazy,
    Ref,
    Tup,
    Unjoinable,
    Value,
    held_in,
    holding,
    is_several,
    literal,
)
from s2sad.types import count_of, loop_number, without_passes

PASSES = 12
Carried = dict[Slot, Value]


def printed(
    m: Machine,
    site: Any,
    run: Callable[[Scope], ways.Way],
    finish: Callable[[list[Statement]], Statement],
    endless: Callable[[], bool] = lambda: False,
    broken: Slot | None = None,
    number: Number = INTEGER,
    is_short: bool = False,
) -> ways.Way:
    """Make a loop whose body `run` runs; return the way out of the statement.

    `number` is that of a pass, if types may depend on it. A loop that `is_short`, of a known number
    of passes, is written out where a tuple grows in it, or a name stands for things of two kinds.
    """
    before, outer, span = m.heap, m.block, m.span
    carried = _carried_before(m, before, site)
    used = set(m.used)
    is_first = not carried
    for _ in range(PASSES):
        m.used = used | _names_in_use(before, carried)
        state = m.frame, list(m.contexts), m.too_early
        try:
            context, head = _pass(m, before, carried, run, broken, is_first)
        except Fails:
            if not is_first or m.too_early == state[2]:
                raise
            m.frame, m.contexts, m.block = *state[:2], outer
            is_first = False
            continue
        body, m.block = m.block, outer
        for heap in context.again + context.left:
            settle(heap, number)
        try:
            changed = _changed(m, before, head, context, site)
        except Unjoinable:
            if is_short:  # each pass may have a kind of its own
                raise Demand(("unroll", site)) from None
            raise
        if is_short and any(_grows(before, *each) for each in changed.items()):
            raise Demand(("unroll", site))
        is_first = is_first and m.too_early > state[2]
        if not changed and not is_first:
            break
        is_first = is_first and bool(changed)
        carried.update(changed)
    else:
        raise refusal(m, "a loop whose carried values do not settle")
    m.carried[site] = dict(carried)
    m.context.loops[site] = m.context.loops.get(site, False) or _begins_otherwise(before, carried)
    m.heap, m.span = before, span
    m.block.extend(moves(m, carried, before))
    if context.results:
        put(m, FLAG, literal(0))
    emit(m, finish(body))
    way = _after(m, context, carried, head, endless())
    return exits.onward_all(m, way)


def _grows(before: Heap, slot: Slot, value: Value) -> bool:
    """Tell whether a tuple of a known number of items enters a loop that gives it others."""
    place, key = slot
    entry = before[place].slots.get(key) if place in before else None
    is_known = isinstance(entry, Tup) or isinstance(getattr(entry, "type", None), Tuple)
    type_ = getattr(value, "type", None)
    return is_known and isinstance(type_, Sequence) and type_.cls is tuple


def _begins_otherwise(before: Heap, carried: Carried) -> bool:
    """Tell whether something is a number before a loop, or positions, and may be an array in it, or a mask."""
    for (place, key), value in carried.items():
        entry = before[place].slots.get(key) if place in before else None
        if not isinstance(entry, Data) or not isinstance(value, Data):
            continue
        if isinstance(entry.type, Number) and isinstance(value.type, Array | Numeric):
            return True
        if isinstance(entry.type, Array) and isinstance(value.type, Unknown):
            return True
    return False


def _carried_before(m: Machine, before: Heap, site: Any) -> Carried:
    """Return what a loop carried in an earlier pass of the loop around it, if that still fits.

    Loops in each other would multiply if each began from nothing.
    """
    return {
        (place, key): value
        for (place, key), value in m.carried.get(site, {}).items()
        if place in before and _fits(before[place].slots.get(key), value)
    }


def _fits(entry: Value | None, carried: Value) -> bool:
    """Tell whether a value may enter a loop as what is carried, as it is."""
    if not isinstance(entry, Data) or not isinstance(carried, Data):
        return False
    return carried.expr.op == "name" and entry.expr.type == carried.expr.type


def _names_in_use(before: Heap, carried: Carried) -> set[str]:
    found = {str(n) for cell in before.values() for n in cell.names.values()}
    return found | {str(n) for value in carried.values() for n in mentioned(value)}


def _pass(
    m: Machine,
    before: Heap,
    carried: Carried,
    run: Callable[[Scope], ways.Way],
    broken: Any,
    is_first: bool,
) -> tuple[Scope, Heap]:
    """Run the body once, with what is carried as it is at the head."""
    m.heap = forked(before)
    for (place, key), value in carried.items():
        # what a function of an earlier pass holds is in the way of what this pass assigns to
        if key in before[place].slots or not isinstance(value, Data):
            m.heap[place].slots[key] = value
            if key not in before[place].slots:
                m.perhaps[id(value)] = value
    head = forked(m.heap)
    context = Scope("loop", True, m.frame, dict(carried), broken=broken, is_first=is_first)
    m.contexts.append(context)
    m.block = []
    try:
        way = run(context)
    finally:
        m.contexts.pop()
    if way is None or isinstance(way, ways.Mixed):
        context.again.append(m.heap)
        m.block.extend(moves(m, context.carried, m.heap))
    return context, head


def moves(m: Machine, carried: Carried, heap: Heap) -> list[Statement]:
    """Return the assignments that hand carried slots to the first pass, or to the next one."""
    pairs = []
    for (place, key), value in carried.items():
        if key in heap[place].slots:
            pairs += _pairs(m, value, heap[place].slots[key])
    return bound_at_once(m, pairs)


def _pairs(m: Machine, pattern: Value, value: Value) -> list[tuple[Variable, Expr]]:
    """Return (variable, expression) for each part of a carried value."""
    if branches.is_same_form(pattern, value):
        both = zip(held_in(pattern), held_in(value), strict=True)
        return [pair for p, v in both for pair in _pairs(m, p, v)]
    if isinstance(pattern, Tup):
        raise refusal(m, "a tuple that is carried as another value")
    if not isinstance(pattern, Data) or pattern.expr.op != "name":
        return []
    data = m.to_data(value)
    if pattern.expr == data.expr:
        return []
    return [(pattern.expr.data, data.expr)]


# ---------------------------------------------------------------------------- what is carried


def _changed(m: Machine, before: Heap, head: Heap, context: Scope, site: Any) -> Carried:
    """Return the slots that have to be carried, with their values at the head."""
    changed: Carried = {}
    for heap in context.again + context.left:
        for place, cell in head.items():
            if place not in heap:
                continue
            now = heap[place]
            if SPENT in now.slots and SPENT not in cell.slots:
                raise used_up(m, place)
            if cell.kind in ("list", "dict") and list(cell.slots) != list(now.slots):
                _refuse_form(m, site, cell.site)
            if cell.kind == "object" and _has_other_fields(place, cell, now, context):
                _refuse_form(m, site, cell.site)
            for key, value in now.slots.items():
                entry = before[place].slots.get(key) if place in before else None
                if key != SPENT:
                    _change(m, (place, key), value, entry, head, context, changed, site)
    return changed


def _change(
    m: Machine,
    slot: Slot,
    value: Value,
    entry: Value | None,
    head: Heap,
    context: Scope,
    changed: Carried,
    site: Any,
) -> None:
    """Note what stands for one slot at the head, where the pass changes it; `entry` enters the loop."""
    place, key = slot
    carried = context.carried
    old = changed.get(slot, head[place].slots.get(key, carried.get(slot)))
    if old is None:
        m.partial.add(slot)
        if slot in m.unset or _differs(slot, value, context):
            changed[slot] = value
        return
    if old is value:
        return
    is_carried = slot in carried or slot in changed
    new = _general(m, old, value, slot, head, site, entry if is_carried else old)
    if new is not old:
        changed[slot] = new


def _has_other_fields(place: int, head: Cell, now: Cell, context: Scope) -> bool:
    """Tell whether a pass asks for a field that the next one has, or deletes one."""
    news = now.slots.keys() - head.slots.keys()
    is_asked = any((place, key) in context.missing for key in (*news, "__dict__"))
    return (bool(news) and is_asked) or not head.slots.keys() <= now.slots.keys()


def _differs(slot: Slot, value: Value, context: Scope) -> bool:
    """Tell whether ways out leave a slot that is first set in the body with several values."""
    place, key = slot
    for heap in context.again + context.left:
        other = heap[place].slots.get(key) if place in heap else None
        if other is None or other is value:
            continue
        if isinstance(value, Data) and isinstance(other, Data):
            if value.expr != other.expr:
                return True
        elif not (isinstance(value, Ref) and isinstance(other, Ref)):
            return True
    return False


def _refuse_form(m: Machine, loop: Any, site: Any) -> None:
    """A structure changes its form in a loop: unroll the loop, or make it at run time."""
    wanted, refused = ("unroll", loop), ("no unroll", loop)
    if loop is not None and wanted not in m.choices and refused not in m.choices:
        raise Demand(wanted)
    flip(m, site, "runtime")


def _general(
    m: Machine, old: Value, new: Value, slot: Slot, head: Heap, site: Any, entry: Value | None
) -> Value:
    """Return what stands for a slot's value in every pass; it is `entry` as long as none changes it."""
    if branches.is_same_code(old, new) or is_several(old):
        return old
    if is_several(new):
        return new
    if id(old) in m.perhaps:
        return Lazy(SEVERAL, ())
    if isinstance(old, Data) and isinstance(new, Data):
        return _general_data(m, old, new, slot, head, site, old is not entry)
    if branches.is_same_form(old, new):
        before = held_in(old)
        fits = entry is not None and branches.is_same_form(entry, old)
        entries = held_in(entry) if fits else [None] * len(before)
        held = [
            _general(m, p, q, branches.slot_of_part(old, slot, k), head, site, e)
            for k, (p, q, e) in enumerate(zip(before, held_in(new), entries, strict=True))
        ]
        return old if all(map(is_, held, before)) else holding(old, held)
    if isinstance(old, Lazy) and isinstance(new, Lazy):
        return Lazy(SEVERAL, ())
    if isinstance(old, Data | Tup) and isinstance(new, Data | Tup):
        data = m.to_data(old)
        entry = data if old is entry else None
        return _general(m, data, m.to_data(new), slot, head, site, entry)
    for value in (old, new):
        for heap in (m.heap, head):
            if isinstance(value, Ref) and value.id in heap:
                flip(m, heap[value.id].site, "runtime")
    if site is not None and ("unroll", site) not in m.choices and _is_code(old, new):
        raise Demand(("unroll", site))
    raise refusal(m, "code that changes from pass to pass")


def _is_code(*values: Value) -> bool:
    return any(isinstance(value, Code | Closure | Bound | Ref | Lazy) for value in values)


def _general_data(
    m: Machine, old: Data, new: Data, slot: Slot, head: Heap, site: Any, is_carried: bool
) -> Data:
    demands.ask_for_state(m, old, new)
    known = old.known if same_known(old.known, new.known) else None
    type_ = _general_type(m, old, new)
    unchanged = type_ == old.type and known is old.known
    origins = old.origins | new.origins | {("unroll", site)}
    if old.expr == new.expr and (unchanged or old.expr.op != "name"):
        return old
    if is_carried:
        return old if unchanged else Data(old.expr.typed(type_, known), origins)
    own = old.expr.op == "name" and not is_mentioned(m, old.expr.data, slot, head)
    variable = old.expr.data if own else fresh(m, hint(head[slot[0]], slot))
    return Data(name(variable).typed(type_, known), origins)


def _general_type(m: Machine, old: Data, new: Data) -> Any:
    """Return the type of both; what is read before it is set has that of what is set."""
    if old.type == UNKNOWN and old.expr.op == "name" and not old.origins:
        return UNKNOWN
    # a pass leaves an array of the lengths that it finds
    assume_equal(m, *(t.lengths if isinstance(t, Array) else () for t in (old.type, new.type)))
    return branches.joined_type(m, old.type, new.type)


# ---------------------------------------------------------------------------- after the loop


def _after(m: Machine, context: Scope, carried: Carried, head: Heap, endless: bool) -> ways.Way:
    """Set the heap after a loop; return the way out."""
    states = ([] if endless else [*context.again, head]) + context.left
    if not states:
        return ways.DEAD
    m.heap = forked(states[-1] if endless else head)
    for state in states:
        _add_slots(m, m.heap, state)
    for (place, key), value in carried.items():
        m.heap[place].slots[key] = value
    left = set(context.results)
    if not left:
        return None
    if endless and len(left) == 1 and len(context.left) == len(context.results):
        found: ways.Way = next(iter(left))
        return found
    return ways.Mixed(frozenset(left | {None}))


def _add_slots(m: Machine, heap: Heap, state: Heap) -> None:
    """Add what another way out of a loop has set first."""
    for place, cell in state.items():
        if place not in heap:
            heap[place] = cell.copy()
        for key, value in cell.slots.items():
            if key == SPENT:
                heap[place].slots[key] = branches.met_state(heap[place].slots.get(key), value)
            if key not in heap[place].slots and not isinstance(value, Data):
                m.perhaps[id(value)] = value
            heap[place].slots.setdefault(key, value)


# ---------------------------------------------------------------------------- else


def with_else(
    m: Machine, loop: Callable[[Slot | None], ways.Way], orelse: Callable[[], ways.Way] | None
) -> ways.Way:
    """Make a loop and its `else`, which runs where a flag says that it was not broken off."""
    if orelse is None:
        return loop(None)
    return exits.with_flag(m, "broken", loop, orelse, False)


def leave_unless(m: Machine, context: Scope, test: Expr) -> None:
    """Leave a loop of the program where a test that took statements fails."""
    kept, m.block = m.block, []
    context.left.append(forked(m.heap))
    m.block = [*moves(m, context.carried, m.heap), Break(m.span)]
    kept.append(If(branches.negated(test), tuple(m.block), (), m.span))
    m.block = kept


# ---------------------------------------------------------------------------- numbers of passes


def number_of_pass(m: Machine, over: Data) -> Number:
    """Return the type of the number of a pass over a range, or of an enumeration."""
    ends = ends_of_range(over.expr)
    if ends is None and calls(over.expr, enumerate) and len(over.expr.args) == 2:
        count = count_of(over.expr.args[1].type)
        ends = None if count is None else (Length(), count - 1)
    return Number("int64") if ends is None else loop_number(*ends, m.context)


def with_number(item: Type, number: Number) -> Type:
    """Return the type of what a pass is given, whose number is known in lengths."""
    if number.length is None:
        return item
    return replace(item, items=(number, *item.items[1:])) if isinstance(item, Tuple) else number


def settle(heap: Heap, number: Number) -> None:
    """Let what is held be of the types that it has in the next pass, and after the loop."""
    if number.length is not None:
        for cell in heap.values():
            for key, value in cell.slots.items():
                cell.slots[key] = _settled(value, str(number.length))


def _settled(value: Value, symbol: str) -> Value:
    """Return a value as it is seen by the next pass, or after the loop."""
    if isinstance(value, Data):
        type_ = without_passes(value.type, symbol)
        return (
            value if type_ == value.type else replace(value, expr=replace(value.expr, type=type_))
        )
    held = [] if isinstance(value, Lazy) else held_in(value)
    inner = [_settled(each, symbol) for each in held]
    return value if all(map(is_, inner, held)) else holding(value, inner)
