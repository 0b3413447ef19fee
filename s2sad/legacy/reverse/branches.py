"""A branch is reversed on both of its sides; the same side is taken again."""

from __future__ import annotations

from s2sad.legacy.program import If, Merge, Var
from s2sad.legacy.reverse.sweep import Bars, Sweep, zeros_at


def branch_back(sweep: Sweep, stmt: If) -> None:
    before, outer, told = dict(sweep.bars), sweep.out, dict(sweep.shapes)
    sides = []
    for block in (stmt.then, stmt.orelse):
        sweep.bars, sweep.out, sweep.shapes = dict(before), [], dict(told)
        sweep.walk(block)
        sides.append((sweep.bars, sweep.out, {slot: sweep.shapes[slot] for slot in sweep.bars}))
    sweep.out, sweep.bars = outer, {}
    merges = []
    for slot in dict.fromkeys([*sides[0][0], *sides[1][0]]):
        if any(None in (m.then, m.orelse) for m in stmt.merges if m.out.slot == slot):
            continue  # bound in one branch only: nothing before the branch holds it
        merge = _merged(sweep, stmt, slot, before, told, sides)
        if merge is None:
            continue
        sweep.bars[slot] = merge.out
        if merge.then != merge.orelse:
            merges.append(merge)
            sweep.given[merge.out] = stmt.span
    (_, then, _), (_, orelse, _) = sides
    if then or orelse:
        sweep.emit(If(stmt.test, tuple(then), tuple(orelse), tuple(merges), stmt.span, stmt.key))


def _merged(
    sweep: Sweep,
    stmt: If,
    slot: str,
    before: Bars,
    told: Bars,
    sides: list,  # type: ignore[type-arg]
) -> Merge | None:
    """Return the adjoint of `slot` at the start of a branch, zero where a side has none.

    None where what the slot holds there is not active: its adjoint ends here.
    """
    (a, _, _), (b, _, _) = sides
    entries = _entries(stmt, slot, before, told, sides)
    entry = sweep.shapes[slot] = entries[0]
    if a.get(slot) == b.get(slot):
        return Merge(a[slot], a[slot], a[slot])
    if entry not in sweep.active:
        if sweep.active.isdisjoint(entries):
            sweep.taken |= {bars[slot] for bars, _, _ in sides if slot in bars}
        return None
    made = []
    for bars, out, _ in sides:
        made.append(bars.get(slot) or zeros_at(sweep, slot, out, stmt.span))
    return Merge(sweep.new_bar(entry), *made)


def _entries(stmt: If, slot: str, before: Bars, told: Bars, sides: list) -> list[Var]:  # type: ignore[type-arg]
    """Return the primal value that `slot` holds when the branch is entered, as its sides tell it.

    One that a side adds to comes first.
    """
    inputs = [(m.then, m.orelse) for m in stmt.merges if m.out.slot == slot]
    changed: list[Var] = []
    idle: list[Var] = []
    for number, (bars, _, shapes) in enumerate(sides):
        if slot not in bars:
            continue
        if bars[slot] is not before.get(slot):
            changed.append(shapes[slot])
            continue
        # a side that adds nothing, and writes nothing, ends with the value that it begins with;
        # the shape is that of a value behind the branch
        var = inputs[0][number] if inputs and shapes[slot] is told.get(slot) else None
        idle.append(shapes[slot] if var is None else var)
    return changed + idle
