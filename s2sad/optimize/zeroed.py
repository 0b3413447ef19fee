"""An adjoint all of whose elements have been set to zero adds nothing.

v_bar[0] = 0.0                       of v = u.copy(); v[1:-1] = ...; v[0] = a; v[-1] = b
v_bar[-1] = 0.0
u_bar[2:] += v_bar[1:-1] * c    ->   u_bar[2:] += v_bar[1:-1] * c
v_bar[1:-1] = 0.0
u_bar += v_bar
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import Expr, copied, index_parts
from s2sad.ir.types import Array, Number
from s2sad.operators.guards import is_none
from s2sad.optimize.added import ADDED, contribution, is_zeroing
from s2sad.optimize.memory import changes_of, touched_by
from s2sad.optimize.order import Context, Slots

# of one axis: a position, or how many elements a slice leaves out at its start and its end
Part = int | tuple[int, int]
WHOLE = (0, 0)


def nothing_added(slots: Slots, place: int, context: Context) -> bool:
    """`v_bar[0] = 0.0; v_bar[1:] = 0.0; u_bar += v_bar` adds nothing."""
    added = contribution(slots[place])
    if added is None or added.op not in ADDED:
        return False
    value = copied(added.value) or added.value
    if value.op != "name" or not isinstance(value.type, Array):
        return False
    if not _is_zero_there(slots, place, value, context):
        return False
    slots.remove(place)
    return True


def _is_zero_there(slots: Slots, place: int, value: Expr, context: Context) -> bool:
    """Tell whether statements before a place have set all elements of an array to zero."""
    memory = context.memory
    own = frozenset({value.data, *memory.contents(value)})
    zeros: list[tuple[Part | None, ...]] = []
    for at in reversed(range(place)):
        each = slots.statements[at]
        if each is None or own.isdisjoint(touched_by(each, memory)):
            continue
        if is_zeroing(each) and each.target.op == "subscript" and each.target.args[0].op == "name":
            if each.target.args[0].data == value.data:
                zeros.append(tuple(map(_part, index_parts(each.target.args[1]))))
                if _cover(zeros, value.type.rank):  # type: ignore[union-attr]
                    return True
                continue
        if not own.isdisjoint(changes_of(each, memory)):
            return False
    return False


def _part(index: Expr) -> Part | None:
    if isinstance(index.type, Number):
        return literal_position(index)
    if index.op != "slice" or not is_none(index.args[2]):
        return None
    first, last = (0 if is_none(each) else literal_position(each) for each in index.args[:2])
    if first is None or last is None or first < 0 or (last >= 0 and not is_none(index.args[1])):
        return None
    return first, -last


def _cover(parts: Sequence[tuple[Part | None, ...]], rank: int) -> bool:
    """Tell whether parts are all of an array: a block, and what it leaves out at the ends of each axis."""
    every = [part + (WHOLE,) * (rank - len(part)) for part in parts if None not in part]
    blocks = [part for part in every if all(isinstance(each, tuple) for each in part)]
    return any(_is_completed(block, every) for block in blocks)


def _is_completed(block: Sequence[Part | None], every: Sequence[tuple[Part | None, ...]]) -> bool:
    for axis, left_out in enumerate(block):
        first, last = left_out if isinstance(left_out, tuple) else WHOLE
        for position in (*range(first), *range(-last, 0)):
            slab = tuple(position if k == axis else WHOLE for k in range(len(block)))
            if slab not in every:
                return False
    return True
