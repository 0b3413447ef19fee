"""What changes in place: `target op= value`.

u[i] += e      Store(u[i], "+", e)
x += e         Let(x, x + e, spelled "+") of a number, Store(x, "+", e) of what may be an array
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.ir.errors import NotYet
from s2sad.ir.program import Let, Store
from s2sad.ir.types import UNKNOWN, Array, Number, Numeric, Other, Reference, Sequence, Tuple, Type
from s2sad.ir.walk import nodes
from s2sad.lowering import evaluate as evaluating
from s2sad.lowering import evaluation_order, operations, places, reflection
from s2sad.lowering.machine import (
    Machine,
    Slot,
    as_name,
    emit,
    is_mentioned,
    named,
    place_of,
    put,
    refusal,
    settled,
    slot_variable,
)
from s2sad.lowering.memory import ITEM
from s2sad.lowering.stored_lengths import with_lengths_as_written
from s2sad.lowering.typing import assume_last_equal, item_type, memory_of, reference
from s2sad.lowering.values import Data, Demand, Ref, Value, is_atomic

SAME_KIND = frozenset({"+", "-", "*"})  # of two numbers, or arrays, of one kind


def augment(m: Machine, node: Any) -> None:
    """Run `target op= value`."""
    target, symbol = node.target, operations.SYMBOLS[type(node.op)]
    held = evaluation_order.in_order(m, *places.parts(m, target))
    if held and isinstance(held[0], Data) and any(e.op == "call" for e in nodes(held[0].expr)):
        held[0] = held[0] if is_atomic(held[0].expr) else named(m, held[0], "owner")
    before = (*held, _load(m, target, held))
    *held, old, value = evaluation_order.in_order(
        m, *(lambda each=each: each for each in before), lambda: m.evaluate(node.value)
    )
    place_of(m, node)
    new = _of_objects(m, old, symbol, value, node)
    if new is not None:
        places.store(m, target, held, settled(m, new))
    elif not held:
        slot = places.slot_of(m, target.id)
        _augment_variable(m, slot, m.to_data(old), symbol, m.to_data(value), node)
    elif isinstance(held[0], Data) and not _is_of_user(m, target, held[0]):
        _augment_memory(m, node, held, m.to_data(old), symbol, m.to_data(value))
    elif _is_named_memory(m, held[0], old):
        _write(m, m.to_data(old), symbol, m.to_data(value))
    else:
        places.store(m, target, held, settled(m, m.binary(symbol, old, value, node)))


def _load(m: Machine, target: Any, held: list[Value]) -> Value:
    """Return what a place holds; `held` are its parts."""
    match target:
        case gast.Attribute():
            return m.attribute(held[0], target.attr)
        case gast.Subscript():
            return m.item(held[0], held[1], target)
    return evaluating.look_up(m, target.id)


def _is_of_user(m: Machine, target: Any, owner: Value) -> bool:
    """Tell whether a method of the user's stores what belongs to an object."""
    if isinstance(target, gast.Attribute):
        return places.setter(m, owner, target.attr) is not None
    return reflection.is_object(m, owner)


def _augment_variable(
    m: Machine, slot: Slot, old: Data, symbol: str, data: Data, node: Any
) -> None:
    expr = old.expr
    result = m.to_data(m.binary(symbol, old, data, node))
    in_place = f"__i{operations.WORDS[symbol]}__"
    if isinstance(old.type, Other) and hasattr(old.type.cls, in_place):
        raise refusal(m, f"{symbol}= of a {old.type.cls.__name__}, which changes it in place")
    if expr.op != "name" or not may_be_in_place(old.type):
        _rebind(m, slot, old, symbol, result)
        return
    if isinstance(old.type, Numeric) and is_mentioned(m, expr.data, slot, m.heap):
        # of an array all would see the change, of a number none
        raise NotYet("a change in place of what may be a number that is read elsewhere", m.span)
    _refuse_object(m, old, symbol)
    _write(m, old, symbol, data)
    type_ = old.type if isinstance(old.type, Reference | Array) else result.type
    m.heap[slot[0]].slots[slot[1]] = Data(expr.typed(type_), old.origins | data.origins)
    if isinstance(old.type, Array | Reference):
        return
    target = slot_variable(m, slot)
    if target != expr.data:
        put(m, slot, Data(expr.typed(type_), old.origins))


def _rebind(m: Machine, slot: Slot, old: Data, symbol: str, result: Data) -> None:
    """Assign the result of an operator to the name of a number."""
    target = slot_variable(m, slot)
    spelled = old.expr.op == "name" and old.expr.data == target
    emit(m, Let(target, result.expr, m.span, spelled=symbol if spelled else "="))
    m.heap[slot[0]].slots[slot[1]] = as_name(target, result)


def may_be_in_place(type_: Type) -> bool:
    """Tell whether `x op= e` may write to what x refers to."""
    if isinstance(type_, Number | Tuple | Other):
        return False
    return not (isinstance(type_, Sequence) and type_.cls in (tuple, range))


def _refuse_object(m: Machine, old: Data, symbol: str) -> None:
    """Refuse `x op= e` of an object: what its class does with it is not known here."""
    kept = memory_of(m, old.type)
    if kept is not None and kept.kind == "fields" and kept.cls not in (None, dict, list):
        raise refusal(m, f"{symbol}= of an object that is known as the text runs")


def _write(m: Machine, old: Data, symbol: str, data: Data) -> None:
    """Change what memory refers to in place, and note what `xs += ys` puts in a list."""
    found = reference(old.type)
    if found is not None and symbol == "+" and m.memory.of(found).kind == "list":
        m.memory.store(found, ITEM, item_type(m, data.type), None)
    target = with_lengths_as_written(m, old.expr, data.type)
    assume_last_equal(m, target.type, data.type)
    emit(m, Store(target, symbol, data.expr, m.span))


def _is_named_memory(m: Machine, owner: Value, value: Value) -> bool:
    if not isinstance(value, Data) or value.expr.op != "name":
        return False
    if isinstance(value.type, Numeric):
        site = m.heap[owner.id].site if isinstance(owner, Ref) else None
        if site is not None and ("runtime", site) not in m.choices:
            raise Demand(("runtime", site))
        raise refusal(m, "a field or an item that may be a number, and is changed in place")
    return isinstance(value.type, Array | Reference)


def _augment_memory(
    m: Machine, node: Any, held: list[Value], old: Data, symbol: str, data: Data
) -> None:
    """Change a field or an item of memory of the run."""
    if old.expr.op == "name":  # the right side changed it, after it was read
        result = old
        if may_be_in_place(old.type):
            _write(m, old, symbol, data)
        else:
            result = m.to_data(m.binary(symbol, old, data, node))
        places.store(m, node.target, held, settled(m, result))
        return
    result = m.to_data(m.binary(symbol, old, data, node))
    if isinstance(old.type, Tuple | Sequence) and not may_be_in_place(old.type):
        places.store(m, node.target, held, settled(m, result))  # the tuple stays, a new one is held
        return
    kept = old.type if isinstance(old.type, Array | Reference) else result.type
    if old.type == UNKNOWN and symbol in SAME_KIND:  # nothing is known to be stored there yet
        kept = data.type
    places.note(m, node.target, held, kept)
    _write(m, old, symbol, data)


def _of_objects(m: Machine, old: Value, symbol: str, value: Value, node: Any) -> Value | None:
    """Return the result of an in-place operator of objects, known lists and dicts; None for data."""
    word = operations.WORDS[symbol]
    if reflection.means(m, old, f"__{word}__"):
        method = m.find(old, f"__i{word}__")
        if method is not None:
            return m.called(method, [value], {}, node)
        return m.binary(symbol, old, value, node)
    is_known = isinstance(old, Ref) and m.heap[old.id].kind == "list"
    is_list = is_known or (isinstance(old, Data) and reflection.class_of_data(m, old.type) is list)
    if is_list and _is_array(value, symbol):  # NumPy is asked first
        return m.binary(symbol, m.to_data(old), value, node)
    if isinstance(old, Ref) and is_known and symbol == "+":
        places.set_parts(m, old, m.parts_of(old) + m.parts_of(value))
        return old
    if symbol == "|" and operations.is_dict(m, old):
        m.called(m.attribute(old, "update"), [value], {}, node)
        return old
    if isinstance(old, Data) and reflection.means(m, value, f"__r{word}__"):
        return m.binary(symbol, old, value, node)
    is_named = isinstance(old, Data) and old.expr.op == "name"  # a slice is a list of its own
    if is_list and is_named and symbol == "+":
        m.called(m.attribute(old, "extend"), [value], {}, node)
        return old
    is_new = is_list and symbol not in "+*"  # a list has no such operator: NumPy makes an array
    return None if isinstance(old, Data) and not is_new else m.binary(symbol, old, value, node)


def _is_array(value: Value, symbol: str) -> bool:
    """Tell whether a list becomes an array by an operator: a number repeats it, or is refused."""
    kinds = Array if symbol == "*" else Array | Numeric
    return isinstance(value, Data) and isinstance(value.type, kinds)
