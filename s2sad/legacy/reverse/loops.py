"""A loop runs backwards: its passes last to first, its adjoints handed from pass to pass."""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.errors import InternalError, Span
from s2sad.legacy.activity import flow
from s2sad.legacy.contribute import ZEROS_OF, zero_like
from s2sad.legacy.facts import UNKNOWN, Fact
from s2sad.legacy.prepare import backwards
from s2sad.legacy.program import (
    NONE,
    Assign,
    Block,
    Call,
    Carried,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Stmt,
    Update,
    Var,
    bar,
    base,
)
from s2sad.legacy.reverse.sweep import Bars, Sweep, contribute, whole, zeros_at
from s2sad.legacy.traverse import defines, expressions, flat_targets, is_nested, statements


def loop_back(sweep: Sweep, loop: Loop) -> None:
    assumed, sweep.assumed = sweep.assumed, None  # a check in every pass would cost too much
    _loop_reversed(sweep, loop)
    sweep.assumed = assumed


def _loop_reversed(sweep: Sweep, loop: Loop) -> None:
    for each in loop.carried:
        if each.exit not in sweep.active:
            sweep.bars.pop(each.exit.slot, None)
    slots = _carried_slots(sweep, loop)
    inits = {slot: whole(sweep, var, loop.span) for slot, var in slots.items()}
    before, outer = dict(sweep.bars), sweep.out
    heads = {slot: sweep.new_bar(var) for slot, var in slots.items()}
    sweep.bars, sweep.out = {**before, **heads}, []
    sweep.walk(loop.body)
    items = _item_list(sweep, loop)
    carried_heads = {each.head.slot: each for each in loop.carried}
    ends = {}
    for slot, var in slots.items():
        start = var
        if slot in carried_heads:
            each = carried_heads[slot]
            # unbound before the first pass: what a pass leaves has the shape of what it finds
            start = each.head if each.init is not None else each.end
        if slot not in sweep.bars:
            sweep.shapes[slot] = start
            sweep.bars[slot] = zeros_at(sweep, slot, sweep.out, loop.span)
        ends[slot] = sweep.bars[slot]
    _nothing_missed(before, slots, sweep.bars, loop)
    body, sweep.out, sweep.bars = tuple(sweep.out), outer, before
    carried: list[Carried] = []
    if items is not None:
        carried.append(items)
        sweep.emit(Assign((items.init,), Op("list", ()), loop.span))  # type: ignore[arg-type]
    starts = {slot: _before(carried_heads.get(slot), var) for slot, var in slots.items()}
    if not body:
        sweep.bars.update(inits)
        sweep.shapes.update(starts)
        return
    for slot, start in starts.items():
        exit_ = sweep.new_bar(start)
        carried.append(Carried(heads[slot], inits[slot], ends[slot], exit_))
        if slot in carried_heads and carried_heads[slot].init not in sweep.active:
            sweep.bars.pop(slot, None)
        else:
            sweep.bars[slot] = exit_
            sweep.given[exit_] = loop.span
    sweep.emit(_mirror(loop, tuple(carried), body))
    if items is not None:
        _contribute_items(sweep, loop, items)


def _before(carried: Carried | None, var: Var) -> Var:
    """Return the value whose adjoint a loop leaves: what is carried, as it is before the loop."""
    return carried.init if carried is not None and carried.init is not None else var


def _item_list(sweep: Sweep, loop: Loop) -> Carried | None:
    """Collect the adjoints of the items of a list in a list of their own, last item first."""
    owner = loop.iterable
    if not isinstance(owner, Var) or owner not in sweep.active:
        return None
    value = _item_bar(sweep, loop.targets, _item_of(sweep.facts.of(owner)), loop.span)
    slot = bar(owner.slot)
    if owner.slot in sweep.bars:
        slot = bar(sweep.numbers.temp(base(owner.slot)).slot)
    start, head, end, exit_ = (sweep.numbers.next(slot) for _ in range(4))
    for each in (start, head, end, exit_):
        sweep.known[each] = Fact("list")
    sweep.emit(Update(end, head, None, "append", value, loop.span))
    return Carried(head, start, end, exit_)


def _item_of(owner: Fact) -> Fact:
    return owner.items[0] if owner.kind == "list" and owner.items else UNKNOWN


def _item_bar(sweep: Sweep, targets: object, item: Fact, span: Span) -> Expr:
    """Return the adjoint of an item, with its structure: one of a list may be written to."""
    if is_nested(targets):
        parts = tuple(_item_bar(sweep, part, _item_of(item), span) for part in targets)
        return Op("list" if item.kind == "list" else "tuple", parts)
    assert isinstance(targets, Var)
    fact = sweep.facts.of(targets)
    if targets not in sweep.active and fact.kind == "unknown":
        return Call(ZEROS_OF, (targets,))  # it may be a text or a list
    return sweep.take(targets) or zero_like(targets, fact)


def _contribute_items(sweep: Sweep, loop: Loop, items: Carried) -> None:
    owner = loop.iterable
    assert isinstance(owner, Var)
    forward = Op("index", (items.exit, Op("slice", (NONE, NONE, Const(-1)))))
    # that of a tuple is a list, too, of which elements may be added to
    contribute(sweep, owner, forward, loop.span)


def _nothing_missed(before: Bars, slots: Mapping[str, Var], after: Bars, loop: Loop) -> None:
    """Check that the body contributed to no value from outside that is not handed on."""
    for slot, adjoint in before.items():
        if slot not in slots and after.get(slot) != adjoint:
            raise InternalError(f"the adjoint of {base(slot)} is lost in a loop", loop.span)


def _mirror(loop: Loop, carried: tuple[Carried, ...], body: Block) -> Loop:
    """Return the loop that runs `body` for the passes of `loop`, last pass first."""
    targets = loop.targets if loop.iterable is not None else ()
    return Loop(targets, backwards(loop), None, carried, body, False, loop.span, loop.key)


def _carried_slots(sweep: Sweep, loop: Loop) -> dict[str, Var]:
    """Return the slots that the reversed loop hands from pass to pass, with a value of each.

    These are the values from outside that the body reads, and what the loop carries itself.
    """
    carried = {each.head.slot: each for each in loop.carried}
    slots: dict[str, Var] = {}
    for slot, each in carried.items():
        if each.head in sweep.active or (slot in sweep.bars and each.exit in sweep.active):
            slots[slot] = each.exit
    made = {var for stmt in statements(loop.body) for var in _made(stmt)}
    made.update(flat_targets(loop.targets) if loop.iterable is not None else ())
    for var in _active_reads(sweep, loop.body):
        if var not in made and var.slot not in carried:
            slots.setdefault(var.slot, var)
    return slots


def _made(stmt: Stmt) -> tuple[Var, ...]:
    if not isinstance(stmt, Loop):
        return defines(stmt)
    heads = (each.head for each in stmt.carried)
    return (*defines(stmt), *heads, *flat_targets(stmt.targets or ()))


def _active_reads(sweep: Sweep, block: Block) -> list[Var]:
    found = []
    for stmt in statements(block):
        if isinstance(stmt, If | Loop | Effect):
            continue
        for expr in expressions(stmt):
            found += [var for var in flow(expr, sweep.fact) if var in sweep.active]
        if isinstance(stmt, Update):
            found += [stmt.old] if stmt.old in sweep.active else []
    for stmt in statements(block):
        if isinstance(stmt, If):
            found += [v for m in stmt.merges for v in (m.then, m.orelse) if v in sweep.active]
        if isinstance(stmt, Loop):
            found += [v for c in stmt.carried for v in (c.init, c.end) if v in sweep.active]
    return found
