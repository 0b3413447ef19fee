"""Two ways meet: both sides of a test are run on heaps of their own, which are joined slot by slot.

if x > 0:            if x > 0:
    y = x                y = x
else:            ->  else:               after it, y is one name for both
    y = -x               y = -x
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2sad.ir.expression import Expr, Known, global_, name
from s2sad.ir.expression import call as call_of
from s2sad.ir.program import If, Let, Raise, Statement
from s2sad.ir.types import UNKNOWN, Reference, Type
from s2sad.ir.walk import nodes
from s2sad.lowering import demands, reflection, ways
from s2sad.lowering.machine import (
    EXIT,
    LEFT,
    SPENT,
    Cell,
    Heap,
    Machine,
    Slot,
    emit,
    flip,
    forked,
    put,
    slot_variable,
)
from s2sad.lowering.memory import same_known
from s2sad.lowering.values import (
    BOOL,
    SEVERAL,
    Bound,
    Closure,
    Code,
    Data,
    Fails,
    Lazy,
    Method,
    Partial,
    Ref,
    Tup,
    Unjoinable,
    Value,
    held_in,
    holding,
    is_several,
    literal,
    word_of,
)
from s2sad.lowering.ways import Exit, Mixed, Way

FLAG = (EXIT, "way")

Side = Callable[[], tuple[Any, Value | None]]
Sides = tuple[list[Statement], list[Statement]]
Heaps = tuple[Heap, Heap]
# (way out, value, heap, statements) of one of several ways
Out = tuple[Way, Value | None, Heap, list[Statement]]


def branch(
    m: Machine, test: Expr, sides: list[Side], is_last: bool = False
) -> tuple[Any, Value | None]:
    """Run two sides on forked heaps, make the `if`, and return (way out, value) after it.

    After the last of a function, or of a pass of a loop, nothing is to read what does not join.
    """
    base, outer, span = m.heap, m.block, m.span
    outs: list[Out] = []
    for side in sides:
        m.heap, m.block = forked(base), []
        way, value = _or_raises(m, side)
        outs.append((way, value, m.heap, m.block))
    m.block = outer
    found = meet(m, outs, is_last)
    m.span = span
    _make_if(m, test, outs[0][3], outs[1][3])
    return found


def meet(m: Machine, outs: Sequence[Out], is_last: bool = False) -> tuple[Way, Value | None]:
    """Set the heap after several ways; return (way out, value) of all together."""
    live = [out for out in outs if out[0] is not ways.DEAD]
    if not live:
        m.heap = outs[0][2]
        return ways.DEAD, None
    _set_flags(m, live)
    way, value, m.heap, _ = live[0]
    if value is None or any(out[1] is None for out in live):
        value = None
    elif len(live) > 1:
        for out in live:
            out[2][m.frame].slots["<value>"] = out[1]  # type: ignore[assignment]
    for count, out in enumerate(live[1:], 1):
        sides: Sides = ([], out[3])
        m.heap = join_heaps(m, (m.heap, out[2]), sides, is_last)
        for before in live[:count]:
            before[3].extend(sides[0])
        way = ways.met(way, out[0])
    return way, m.heap[m.frame].slots.pop("<value>", value)


def decided(
    m: Machine, test: Data, yes: Callable[[], Way], no: Callable[[], Way], is_last: bool = False
) -> Way:
    """Run one of two things, as a test decides: the one alone where that is known."""
    if test.known is not None:
        return yes() if test.known.value else no()
    return branch(m, test.expr, [lambda: (yes(), None), lambda: (no(), None)], is_last)[0]


def chosen(m: Machine, test: Expr, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
    """Return what one of two things gives, as a test decides while the program runs."""
    value = branch(m, test, [lambda: (None, yes()), lambda: (None, no())])[1]
    return literal(None) if value is None else value


def where(m: Machine, test: Expr, run: Callable[[], ways.Way]) -> ways.Way:
    """Run something where a test holds; return the way out."""
    sides: list[Side] = [lambda: (run(), None), lambda: (None, None)]
    found: ways.Way = branch(m, test, sides)[0]
    return found


def _or_raises(m: Machine, side: Side) -> tuple[Any, Value | None]:
    """Run one side of a test; where Python would raise on it, so does the program."""
    contexts, frame, block = list(m.contexts), m.frame, m.block
    try:
        return side()
    except Fails as fault:
        m.contexts, m.frame, m.block = contexts, frame, block
        m.context.fails = True
        kind = fault.raised or ValueError  # a try around it may wait for one of its kind
        error = call_of(global_(kind.__name__, kind), literal(fault.reason).expr)
        emit(m, Raise(error, m.span))
        return ways.DEAD, None


def _set_flags(m: Machine, live: Sequence[Out]) -> None:
    """Where ways out differ, the flag says which."""
    if len({out[0] for out in live}) > 1:
        block = m.block
        for way, _value, m.heap, m.block in live:
            set_flag(m, way)
        m.block = block


def _make_if(m: Machine, test: Expr, body: list[Statement], orelse: list[Statement]) -> None:
    if body:
        emit(m, If(test, tuple(body), tuple(orelse), m.span))
    elif orelse:
        emit(m, If(negated(test), tuple(orelse), (), m.span))
    elif any(node.op == "call" for node in nodes(test)):
        emit(m, Let(None, test, m.span))


def negated(test: Expr) -> Expr:
    """Return the opposite of a test."""
    if test.op == "unary" and test.data == "not":
        return test.args[0]
    known = None if test.known is None else Known(not test.known.value)
    return Expr("unary", (test,), "not", BOOL, known, test.span)


# ---------------------------------------------------------------------------- joins


def join_heaps(m: Machine, heaps: Heaps, sides: Sides, is_last: bool = False) -> Heap:
    """Return the heap after two ways."""
    found: Heap = {}
    for place in {**heaps[0], **heaps[1]}:
        if place not in heaps[0] or place not in heaps[1]:
            found[place] = (heaps[0].get(place) or heaps[1][place]).copy()
            continue
        found[place] = _joined_cell(m, place, heaps, sides, is_last)
    return found


def _joined_cell(m: Machine, place: int, heaps: Heaps, sides: Sides, is_last: bool) -> Cell:
    first, second = heaps[0][place], heaps[1][place]
    cell = first.copy()
    if first.kind in ("list", "dict") and list(first.slots) != list(second.slots):
        flip(m, first.site, "runtime")
    if first.kind == "object" and first.slots.keys() != second.slots.keys():
        flip(m, first.site, "runtime")  # some ways alone have set a field
    for key in {**first.slots, **second.slots}:
        slot = (place, key)
        if key == SPENT:
            cell.slots[key] = met_state(first.slots.get(key), second.slots.get(key))
        elif key in first.slots and key in second.slots:
            pair = first.slots[key], second.slots[key]
            try:
                cell.slots[key] = joined(m, pair, slot, sides, heaps)
            except Unjoinable as fault:
                if not is_last or place != m.frame or key == "<result>":
                    raise
                cell.slots[key] = Lazy(SEVERAL, (), fault)
        else:
            way = 0 if key in first.slots else 1
            value = heaps[way][place].slots[key]
            cell.slots[key] = _one_sided(m, value, slot, sides[way], heaps[way])
            if not isinstance(value, Data):
                m.perhaps[id(value)] = value
    return cell


def met_state(a: Value | None, b: Value | None) -> Value:
    """Return how far an iterator has been gone through after two ways."""
    return a if a is b and a is not None else LEFT


def joined(m: Machine, pair: tuple[Value, Value], slot: Slot, sides: Sides, heaps: Heaps) -> Value:
    """Return the value of a slot after two ways; `sides` are the blocks that assign it."""
    a, b = pair
    if a is b or is_same_code(a, b):
        return a
    if is_several(a) or is_several(b):
        return a if is_several(a) else b
    if id(a) in m.perhaps or id(b) in m.perhaps:
        return Lazy(SEVERAL, ())
    if isinstance(a, Data) and isinstance(b, Data):
        return _joined_data(m, (a, b), slot, sides, heaps)
    if is_same_form(a, b):
        pairs = enumerate(zip(held_in(a), held_in(b), strict=True))
        return holding(
            a, [joined(m, each, slot_of_part(a, slot, k), sides, heaps) for k, each in pairs]
        )
    for value, heap in zip((a, b), heaps, strict=True):
        if isinstance(value, Ref):
            flip(m, heap[value.id].site, "runtime")
    if isinstance(a, Data | Tup) and isinstance(b, Data | Tup):
        return joined(m, (m.to_data(a), m.to_data(b)), slot, sides, heaps)
    code = (Code, Closure, Bound, Method, Partial)
    are_code = isinstance(a, code) or isinstance(b, code)
    raise Unjoinable(f"{word_of(a)} or {word_of(b)}", are_code=are_code)


def slot_of_part(value: Value, slot: Slot, place: int) -> Slot:
    """Return the slot that a part of a value is named by."""
    return slot if isinstance(value, Bound | Method) else (slot[0], f"{slot[1]}_{place}")


def is_same_code(a: Value, b: Value) -> bool:
    """Tell whether two values are one function, class, module or structure."""
    return not isinstance(a, Data | Tup) and _is_same(a, b)


def _is_same(a: Value, b: Value) -> bool:
    match a, b:
        case Code(), Code():
            return a.obj is b.obj
        case Ref(), Ref():
            return a.id == b.id
        case Data(), Data():
            return a.expr == b.expr and (a.known is b.known or same_known(a.known, b.known))
    return a is b or (is_same_form(a, b) and all(map(_is_same, held_in(a), held_in(b))))


def is_same_form(a: Value, b: Value) -> bool:
    """Tell whether two tuples or functions differ in the values that they hold at most."""
    match a, b:
        case Tup(), Tup():
            return len(a.parts) == len(b.parts) and a.cls is b.cls
        case Closure(), Closure():
            # of one definition, made in one call of what is around it
            return a.node is b.node and a.frame == b.frame and a.original is b.original
        case Partial(), Partial():
            form = len(a.args) == len(b.args) and tuple(a.kwargs) == tuple(b.kwargs)
            return form and is_same_code(a.func, b.func)
        case Method(), Method():
            return a.name == b.name
    return isinstance(a, Bound) and isinstance(b, Bound)


def _joined_data(
    m: Machine, pair: tuple[Data, Data], slot: Slot, sides: Sides, heaps: Heaps
) -> Data:
    a, b = pair
    type_ = joined_type(m, a.type, b.type)
    known = a.known if same_known(a.known, b.known) else None
    origins = a.origins | b.origins
    if a.expr == b.expr:
        return Data(a.expr.typed(type_, known), origins)
    demands.demand_one_kind(m, type_, (a.type, b.type), origins)
    target = slot_variable(m, slot, heaps)
    for side, value in zip(sides, pair, strict=True):
        if not (value.expr.op == "name" and value.expr.data == target):
            side.append(Let(target, value.expr, m.span))
    return Data(name(target).typed(type_, known), origins)


def joined_type(m: Machine, a: Type, b: Type) -> Type:
    """Return the type of what is one or the other: an object has a class, whose methods it has."""
    found = m.memory.joined(a, b)
    references = isinstance(a, Reference) and isinstance(b, Reference)
    if found == UNKNOWN and references:
        if any(reflection.class_of_type(m, each) is not None for each in (a, b)):
            raise Unjoinable("an object or something else")
    return found


def _one_sided(m: Machine, value: Value, slot: Slot, side: list[Statement], heap: Heap) -> Value:
    """Return the value of a slot that one way alone sets: in a loop, a later pass may read it."""
    m.partial.add(slot)
    if not any(c.printed and c.kind == "loop" for c in m.contexts):
        return value
    if isinstance(value, Ref):
        flip(m, heap[value.id].site, "runtime")
    if isinstance(value, Tup) and slot[1] != "<result>":
        data = m.to_data(value)
        target = slot_variable(m, slot, (heap,))
        side.append(Let(target, data.expr, m.span))
        return Data(name(target).typed(data.type, data.known), data.origins)
    if isinstance(value, Lazy) or (held_in(value) and not isinstance(value, Tup)):
        m.unset.add(slot)  # a later pass may find what this one has made, and what that holds
    return value


def flag(m: Machine, way: Exit | None) -> int:
    """Return the number that stands for a way to leave a block."""
    if way is None:
        return 0
    place = m.contexts.index(way.context) if way.context in m.contexts else 0
    return m.flags.setdefault((place, way.kind), len(m.flags) + 1)


def set_flag(m: Machine, way: Way) -> None:
    """Set the flag to the number of a way out."""
    if not isinstance(way, Mixed):
        put(m, FLAG, literal(flag(m, way)))
