"""What can be gone through: whether its items are known one by one, and what they are.

(f, g), zip(fs, us)     known parts: the loop's body is run for each
u, range(n)             data of the run: a loop of the program
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sad.ir.expression import Pattern, name
from s2sad.ir.records import dataclass
from s2sad.ir.types import UNKNOWN, Array, Numeric, Tuple
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import items, reflection
from s2sad.lowering.machine import SPENT, Machine, fresh, new_cell, refusal, stable, used_up
from s2sad.lowering.typing import held_in, item_type, reference
from s2sad.lowering.values import Cell, Data, Lazy, Ref, Tup, Value, literal

FEW = 4  # objects that a loop over a display is written out for


@dataclass(frozen=True, slots=True)
class Callback:
    """Hands the items of a loop to a function."""

    function: Callable[[Value], None]
    hint: str = "item"

    def assign(self, m: Machine, value: Value) -> None:
        """Hand one item over."""
        self.function(value)

    def pattern(self, m: Machine, item: Data) -> Pattern:
        """Hand the item of a loop of the program over under a name."""
        found = fresh(m, self.hint)
        self.function(Data(name(found, item.type), item.origins))
        return found


def is_uneven(m: Machine, over: Data) -> bool:
    """Tell whether the items of data differ in kind, and are told apart by their place."""
    if isinstance(over.type, Tuple):
        if any(isinstance(t, CodeType) for t in over.type.items) or _are_objects(m, over):
            return True
        return bool(over.type.items) and item_type(m, over.type) == UNKNOWN
    found = reference(over.type)
    if found is None or m.memory.of(found).kind != "fields":
        return False
    return m.memory.of(found).cls in (list, tuple)


def _are_objects(m: Machine, over: Data) -> bool:
    """Tell whether data is a short display of objects whose arrays have lengths of their own."""
    found = [m.memory.of(r) for r in map(reference, over.type.items) if r is not None]
    is_short = over.expr.op == "tuple" and 1 < len(found) == len(over.type.items) <= FEW
    arrays = [[isinstance(held.type, Array) for held in each.slots.values()] for each in found]
    return is_short and all(e.kind == "fields" for e in found) and all(map(any, arrays))


def is_of_several_types(m: Machine, over: Data) -> bool:
    """Tell whether a dict under constant keys holds code, or things of several types."""
    found = reference(over.type)
    if found is None or m.memory.of(found).kind != "fields":
        return False
    held = [m.memory.item(found, key) for key in list(m.memory.of(found).slots)]
    if any(isinstance(t, CodeType) for t in held):
        return True
    item = held_in(m, found)
    kinds = {(type(t), getattr(t, "dtype", "")) for t in held}
    loses_kinds = isinstance(item, Array | Numeric) and len(kinds | {(type(item), item.dtype)}) > 1
    return len(held) > 1 and (item == UNKNOWN or loses_kinds)


def is_listed(m: Machine, value: Value) -> bool:
    """Tell whether the items of something are known one by one."""
    match value:
        case Lazy(kind="zip"):
            return _some_listed(m, value.parts)
        case Lazy(kind="map"):
            return _some_listed(m, value.parts[1:])
        case Lazy(kind="entries"):
            return True
        case Lazy(kind="view", parts=(owner,)):
            return is_of_several_types(m, owner)
        case Lazy(kind="enumerate" | "reversed" | "iter"):
            return is_listed(m, value.parts[0])
        case Ref():
            return m.heap[value.id].kind != "object"
        case Data():
            return is_uneven(m, value)
    return isinstance(value, Tup)


def _some_listed(m: Machine, parts: tuple[Any, ...]) -> bool:
    listed = [is_listed(m, part) for part in parts]
    rest = all(a or isinstance(p, Data) for a, p in zip(listed, parts, strict=True))
    return any(listed) and rest


def is_plain_iterable(m: Machine, value: Value) -> bool:
    """Tell whether a value is data that builtins may go through."""
    if not isinstance(value, Data):
        return False
    return value.expr.op == "starred" or not (is_uneven(m, value) or reflection.is_object(m, value))


def collected(m: Machine, value: Value) -> list[Value]:
    """Return the items of an iterator whose number is known."""
    value = m.at_once(value)
    if isinstance(value, Data) and items.fixed_length(m, value) is not None:
        return m.parts_of(value)
    cell, block = new_cell(m, Cell("frame", {}, "held")), m.block

    def take(item: Value) -> None:
        if m.block is not block:
            raise refusal(m, "as many items as a loop has passes, or some ways alone")
        slots = m.heap[cell.id].slots
        slots[len(slots)] = stable(m, item, "item")

    way = m.loop(value, Callback(take), lambda: None, None)
    if way is not None:
        raise refusal(m, "a generator that ends on some way")
    return list(m.heap.pop(cell.id).slots.values())


def spend(m: Machine, over: Value) -> None:
    """Note that an iterator has been gone through: what would be left of it is not known."""
    if not isinstance(over, Lazy):
        return
    for part in over.parts:
        spend(m, part)
    mark_spent(m, over)


def mark_spent(m: Machine, over: Lazy) -> None:
    """Note that an iterator itself has been gone through; not what it goes through in turn."""
    if over.cell is None:
        return
    slots = m.heap[over.cell].slots
    if SPENT in slots:
        raise used_up(m)
    slots[SPENT] = literal(True)
