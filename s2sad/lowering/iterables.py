"""What can be gone through: whether its items are known one by one, and what they are.

(f, g), zip(fs, us)     known parts: the loop's body is run for each
u, range(n)             data of the run: a loop of the program
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import is_
from typing import Any

from s2sad.ir.expression import Pattern, name
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import UNKNOWN, Array, Numeric, Tuple, Type
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import demands, items, reflection, sets
from s2sad.lowering.machine import (
    AT_END,
    INSIDE,
    LEFT,
    SPENT,
    Machine,
    fresh,
    is_counted,
    iterator,
    new_cell,
    refusal,
    site_of,
    stable,
    used_up,
)
from s2sad.lowering.typing import has_slots, held_in, item_type, memory_of, reference
from s2sad.lowering.values import Cell, Data, Demand, Lazy, Ref, Tup, Value
from s2sad.prelude import mixins

Steps = list[tuple[Lazy, int]]  # iterators, and how many items each gives at a time
DEPTH = 4  # of dicts in dicts whose keys are looked at
FEW = 4  # objects that a loop over a display is written out for


@dataclass(frozen=True, slots=True)
class Callback:
    """Hands the items of a loop to a function."""

    function: Callable[[Value], None]
    hint: str = "item"

    def assign(self, m: Machine, value: Value) -> None:
        """Hand one item over."""
        self.function(value)

    def write_out(self, m: Machine) -> None:
        """Leave what is handed over as it is: no names are bound to it."""

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
        return bool(over.type.items) and _loses_kinds(over.type.items, item_type(m, over.type))
    return has_slots(m, over.type, list, tuple)


def _are_objects(m: Machine, over: Data) -> bool:
    """Tell whether data is a short display of objects whose arrays have lengths of their own."""
    found = [m.memory.of(r) for r in map(reference, over.type.items) if r is not None]
    is_short = over.expr.op == "tuple" and 1 < len(found) == len(over.type.items) <= FEW
    arrays = [[isinstance(held.type, Array) for held in each.slots.values()] for each in found]
    return is_short and all(e.kind == "fields" for e in found) and all(map(any, arrays))


def is_of_several_types(m: Machine, over: Data) -> bool:
    """Tell whether a dict under constant keys holds code, or things of several types."""
    found = reference(over.type)
    if found is None or not has_slots(m, found):
        return False
    held = [m.memory.item(found, key) for key in list(m.memory.of(found).slots)]
    if any(isinstance(t, CodeType) for t in held) or len({_keys(m, t) for t in held}) > 1:
        return True
    return len(held) > 1 and _loses_kinds(held, held_in(m, found))


def _keys(m: Machine, type_: Type, depth: int = DEPTH) -> Any:
    """Return under which keys the dicts hold something that a value is, or is made of."""
    if isinstance(type_, Tuple):
        return tuple(_keys(m, item, depth) for item in type_.items)
    kept = memory_of(m, type_)
    if kept is None or depth == 0 or not has_slots(m, type_, dict):
        return None
    return frozenset((key, _keys(m, held.type, depth - 1)) for key, held in kept.slots.items())


def _loses_kinds(held: Sequence[Type], item: Type) -> bool:
    """Tell whether what stands for any of some items is of another kind than one of them."""
    kinds = {(type(t), getattr(t, "dtype", "")) for t in held}
    is_other = isinstance(item, Array | Numeric) and len(kinds | {(type(item), item.dtype)}) > 1
    return item == UNKNOWN or is_other


def is_listed(m: Machine, value: Value) -> bool:
    """Tell whether the items of something are known one by one."""
    match value:
        case Lazy(kind="zip"):
            return _some_listed(m, value.parts)
        case Lazy(kind="map"):
            return _some_listed(m, value.parts[1:])
        case Lazy(kind="view", parts=(owner,)):
            return not isinstance(owner, Data) or is_of_several_types(m, owner)
        case Lazy(kind="enumerate" | "reversed" | "iter"):
            return is_listed(m, value.parts[0])
        case Lazy(kind="comprehension", parts=(first,), extra=(node, _)):
            is_plain = len(node.generators) == 1 and not node.generators[0].ifs
            return is_plain and (is_listed(m, first) or _is_written_out(m, node, first))
        case Ref():
            return m.heap[value.id].kind != "object"
        case Data():
            return is_uneven(m, value)
    return isinstance(value, Tup)


def _is_written_out(m: Machine, node: Any, first: Value) -> bool:
    """Tell whether the items of a comprehension were asked for one by one, and so many are known."""
    loop = site_of(m, node.generators[0].target)
    return demands.is_unrolled(m, loop) and items.fixed_length(m, first) is not None


def _some_listed(m: Machine, parts: tuple[Any, ...]) -> bool:
    listed = [is_listed(m, part) for part in parts]
    rest = all(a or isinstance(p, Data) for a, p in zip(listed, parts, strict=True))
    return any(listed) and rest


def is_plain_iterable(m: Machine, value: Value) -> bool:
    """Tell whether a value is data that builtins may go through."""
    if not isinstance(value, Data):
        return False
    return value.expr.op == "starred" or not (is_uneven(m, value) or reflection.is_object(m, value))


def of_object(m: Machine, value: Value) -> Value:
    """Return the iterator that an object gives; other values as they are."""
    if not reflection.is_object(m, value):
        return value
    if m.find(value, "__iter__") is None and m.find(value, "__getitem__") is not None:
        return m.call(m.lift(mixins.by_place, None), [value], {}, None)
    return m.called(m.attribute(value, "__iter__"), [], {}, None)


def opened(m: Machine, value: Value) -> Value:
    """Return what is gone through here, as one expression if it can be one."""
    return m.at_once(of_object(m, sets.as_items(m, value)), AT_END)


def collected(
    m: Machine, value: Value, site: Any = None, words: tuple[str, ...] = ()
) -> list[Value]:
    """Return the items of an iterator whose number is known, by these words as far as they go."""
    value = opened(m, value)
    if isinstance(value, Data) and items.fixed_length(m, value) is not None:
        return m.parts_of(value)
    cell, block = new_cell(m, Cell("frame", {}, "held")), m.block

    def take(item: Value) -> None:
        if m.block is not block and demands.is_unrolled(m, site):
            raise Demand(("no unroll", site))
        if m.block is not block:
            raise refusal(m, "as many items as a loop has passes, or some ways alone")
        slots = m.heap[cell.id].slots
        word = words[len(slots)] if len(slots) < len(words) else "item"
        slots[len(slots)] = stable(m, item, word)

    way = m.loop(value, Callback(take), lambda: None, site)
    if way is not None:
        raise refusal(m, "a generator that ends on some way")
    return list(m.heap.pop(cell.id).slots.values())


# ---------------------------------------------------------------------------- what is left of them


def current(m: Machine, value: Value) -> Value:
    """Return what is gone through as it is now: nothing is left of an iterator at its end."""
    if not isinstance(value, Lazy):
        return value
    if is_at_end(m, value):
        return Tup(())
    parts = tuple(current(m, part) for part in value.parts)
    return value if all(map(is_, parts, value.parts)) else replace(value, parts=parts)


def over_the_rest(m: Machine, made: Lazy) -> Lazy:
    """Return an iterator over one thing as it is where it is gone on with.

    What it is over is then an iterator, as in Python, and has the only place that has to be known.
    """
    assert made.cell is not None
    if not is_counted(m, made.cell):
        return made
    *function, over = made.parts
    over = iterator(m, "iter", (over,)) if own_cell(over) is None else over
    return replace(made, parts=(*function, over), cell=None)


def is_at_end(m: Machine, over: Lazy) -> bool:
    """Tell whether nothing is left of an iterator."""
    return over.cell is not None and m.heap[over.cell].slots.get(SPENT) is AT_END


def spend(m: Machine, over: Value, state: Data) -> None:
    """Note how far an iterator is gone through, and all that it goes through in turn.

    Where several are gone through side by side, it is not known what is left of each. Those whose
    items had to be listed are at their end already, which is where this goes, or it is refused.
    """
    if isinstance(over, Lazy):
        ended = [lazy.cell for lazy in chain(over)]
        for lazy, _ in nested(over):
            found = state if lazy.cell in ended else LEFT
            if not (found is AT_END and is_at_end(m, lazy)):
                mark_spent(m, lazy, found)


def nested(over: Value, step: int = 1) -> Iterator[tuple[Lazy, int]]:
    """Yield the iterators that are gone through with one, and how many items of each one item takes."""
    if not isinstance(over, Lazy):
        return
    yield over, step
    if is_of_one(over):
        yield from nested(over.parts[0], step * len(over.parts))
    else:
        for part in sources(over):
            yield from nested(part, step)


def chain(over: Value) -> Iterator[Lazy]:
    """Yield the iterators that are at their end where one is: it goes through one alone, and so on."""
    if isinstance(over, Lazy):
        yield over
        for part in () if are_side_by_side(over) else sources(over)[:1]:
            yield from chain(part)


def several(over: Lazy) -> tuple[Any, ...]:
    """Return what is gone through side by side in the end, in the order in which each is asked."""
    inner = list(chain(over))[-1]
    return sources(inner) if are_side_by_side(inner) else ()


def check_not_shared(m: Machine, over: Lazy) -> None:
    """Refuse what takes the items of one iterator in several ways at a time."""
    cells = [lazy.cell for lazy, _ in nested(over) if lazy.cell is not None]
    for cell in cells:
        if cells.count(cell) > 1:
            raise used_up(m, cell)


def mark_spent(m: Machine, over: Lazy, state: Data = LEFT) -> None:
    """Note how far an iterator itself is gone through, and not what it goes through in turn."""
    if over.cell is None:
        return
    slots = m.heap[over.cell].slots
    if SPENT in slots:
        raise used_up(m, over.cell)
    slots[SPENT] = state


def is_of_one(over: Lazy) -> bool:
    """Tell whether a zip takes the items of one iterator in turn."""
    cells = {own_cell(part) for part in over.parts}
    return over.kind == "zip" and len(over.parts) > 1 and len(cells) == 1 and None not in cells


def own_cell(over: Value) -> int | None:
    """Return the cell that says where an iterator is: that of what it goes through, or its own."""
    return next((lazy.cell for lazy in chain(over) if lazy.cell is not None), None)


def are_side_by_side(over: Lazy) -> bool:
    """Tell whether several iterators are gone through at once, each by itself."""
    return over.kind in ("zip", "map") and len(sources(over)) > 1 and not is_of_one(over)


def sources(over: Lazy) -> tuple[Any, ...]:
    """Return what an iterator goes through: not the function of map(), nor where numbers begin."""
    match over.kind:
        case "map":
            return over.parts[1:]
        case "enumerate":
            return over.parts[:1]
        case "generator":
            return ()
    return over.parts


def mark(m: Machine, cells: Iterable[int | None], state: Data, always: bool = False) -> None:
    """Note how far iterators have been gone through that are being gone through, or were left."""
    for cell in cells:
        slots = {} if cell is None else m.heap[cell].slots
        if always or slots.get(SPENT) is INSIDE:
            slots[SPENT] = state


def leave_parts(m: Machine, over: Lazy, counted: Collection[int]) -> None:
    """Note that it is not known what is left of the iterators that an iterator goes through.

    What is counted is gone on with where its count says.
    """
    inside = {lazy.cell for part in sources(over) for lazy, _ in nested(part)}
    mark(m, inside.difference(counted), LEFT, always=True)
    for cell in counted:
        m.heap[cell].slots.pop(SPENT, None)


def note_end(m: Machine, over: Lazy, inside: Steps, counted: Steps, always: bool = False) -> None:
    """Note how far iterators have been gone through by a loop that is at its end, or was left.

    What is counted is gone on with where its count says. Of several side by side it is not known
    which ended, but the first was asked once more than there were passes, the last was not.
    """
    ended = {lazy.cell for lazy in chain(over)}
    besides = several(over)
    ends = {lazy.cell for part in (*besides[:1], *besides[-1:]) for lazy in chain(part)}
    gone_on_with = (ended | ends) & {lazy.cell for lazy, _ in counted}
    for lazy, _ in inside:
        state = AT_END if lazy.cell in ended else LEFT
        mark(m, [lazy.cell], state, always or lazy.cell not in ended | gone_on_with)
        slots = {} if lazy.cell is None else m.heap[lazy.cell].slots
        if lazy.cell in gone_on_with and slots.get(SPENT) is LEFT:
            del slots[SPENT]
