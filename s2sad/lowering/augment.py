"""What changes in place: `target op= value`, and what is deleted.

u[i] += e      Store(u[i], "+", e)
x += e         Let(x, x + e, spelled "+") of a number, Store(x, "+", e) of what may be an array
del xs[0]      RegionOp(xs, "del", 0)
"""

from __future__ import annotations

import inspect
from typing import Any

import gast

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr
from s2sad.ir.program import Let, RegionOp, Store
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Sequence, Tuple, Type
from s2sad.ir.walk import nodes
from s2sad.lowering import demands, evaluation_order, operations, reflection, subscripts, targets
from s2sad.lowering import evaluate as evaluating
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
from s2sad.lowering.typing import item_type, reference
from s2sad.lowering.values import Bound, Closure, Data, Ref, Value, is_atomic

# the methods by which objects change in place
IN_PLACE = {
    "+": "__iadd__",
    "-": "__isub__",
    "*": "__imul__",
    "/": "__itruediv__",
    "//": "__ifloordiv__",
    "%": "__imod__",
    "**": "__ipow__",
    "@": "__imatmul__",
    "|": "__ior__",
    "&": "__iand__",
    "^": "__ixor__",
    "<<": "__ilshift__",
    ">>": "__irshift__",
}


def augment(m: Machine, node: Any) -> None:
    """Run `target op= value`."""
    symbol = operations.BINARY[type(node.op)][0]
    match node.target:
        case gast.Name():
            _augment_name(m, node, symbol)
        case gast.Attribute():
            _augment_attribute(m, node, symbol)
        case _:
            _augment_item(m, node, symbol)


def _augment_name(m: Machine, node: Any, symbol: str) -> None:
    wanted = node.target.id
    old, value = evaluation_order.in_order(
        m,
        [lambda: evaluating.look_up(m, wanted), lambda: m.evaluate(node.value)],
    )
    place_of(m, node)
    slot = targets.slot_of(m, wanted)
    new = _of_objects(m, old, symbol, value, node)
    if new is not None:
        put(m, slot, new)
        return
    before, data = m.to_data(old), m.to_data(value)
    _augment_variable(m, slot, before, symbol, data, node)


def _augment_variable(
    m: Machine, slot: Slot, old: Data, symbol: str, data: Data, node: Any
) -> None:
    expr = old.expr
    result = m.to_data(m.binary(symbol, old, data, node))
    if isinstance(old.type, Other) and hasattr(old.type.cls, IN_PLACE.get(symbol, "")):
        raise refusal(m, f"{symbol}= of a {old.type.cls.__name__}, which changes it in place")
    if expr.op != "name" or not may_be_in_place(old.type):
        _rebind(m, slot, old, symbol, result)
        return
    if isinstance(old.type, Numeric) and is_mentioned(m, expr.data, slot, m.heap):
        # of an array all would see the change, of a number none
        raise NotYet("a change in place of what may be a number that is read elsewhere", m.span)
    _refuse_object(m, old, symbol)
    _note_growth(m, old, symbol, data)
    emit(m, Store(expr, symbol, data.expr, m.span))
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
    found = reference(old.type)
    region = m.memory.of(found) if found is not None else None
    if region is not None and region.kind == "fields" and region.cls not in (None, dict, list):
        raise refusal(m, f"{symbol}= of an object that is known as the text runs")


def _note_growth(m: Machine, old: Data, symbol: str, data: Data) -> None:
    """Note what `xs += ys` puts in a list."""
    found = reference(old.type)
    if found is not None and symbol == "+" and m.memory.of(found).kind == "list":
        m.memory.store(found, ITEM, item_type(m, data.type), None)


def _augment_attribute(m: Machine, node: Any, symbol: str) -> None:
    wanted = node.target.attr
    owner = m.evaluate(node.target.value)
    if isinstance(owner, Data):
        owner = evaluation_order.name_if_long(m, owner, "owner")
    old, value = evaluation_order.in_order(
        m,
        [
            lambda: m.attribute(owner, wanted),
            lambda: m.evaluate(node.value),
        ],
    )
    place_of(m, node)
    new = _of_objects(m, old, symbol, value, node)
    if new is None and isinstance(owner, Data) and not _has_setter(m, owner, wanted):
        _store_in_field(m, owner, wanted, old, symbol, m.to_data(value), node)
        return
    if new is None and _is_named_memory(old):
        data = m.to_data(value)
        assert isinstance(old, Data)
        _note_growth(m, old, symbol, data)
        emit(m, Store(old.expr, symbol, data.expr, m.span))
        return
    result = m.binary(symbol, old, value, node) if new is None else new
    targets.set_attribute(m, owner, wanted, settled(m, result))


def _is_named_memory(value: Value) -> bool:
    if not isinstance(value, Data) or value.expr.op != "name":
        return False
    if isinstance(value.type, Numeric):
        raise NotYet("a field or an item that may be a number, and is changed in place", None)
    return isinstance(value.type, Array | Reference)


def _store_in_field(
    m: Machine, owner: Data, wanted: str, old: Value, symbol: str, data: Data, node: Any
) -> None:
    before = m.to_data(old)
    if before.expr.op == "name":
        # the right side changed the field, after it was read
        new = m.binary(symbol, before, data, node)
        targets.set_attribute(m, owner, wanted, settled(m, new))
        return
    result = m.to_data(m.binary(symbol, before, data, node))
    place = reference(owner.type)
    if place is not None:
        kept = before.type if isinstance(before.type, Array | Reference) else result.type
        m.memory.store(place, wanted, kept, None)
    _note_growth(m, before, symbol, data)
    target = Expr("attribute", (owner.expr,), wanted, before.type, None, m.span)
    emit(m, Store(target, symbol, data.expr, m.span))


def _has_setter(m: Machine, owner: Data, wanted: str) -> bool:
    cls = reflection.object_class(m, owner)
    found = None if cls is None else inspect.getattr_static(cls, wanted, None)
    own = None if cls is None else m.find(owner, "__setattr__")
    is_set = isinstance(own, Bound) and isinstance(own.func, Closure)
    return is_set or isinstance(found, property) or hasattr(type(found), "__set__")


def _augment_item(m: Machine, node: Any, symbol: str) -> None:
    target = node.target
    owner, index = evaluation_order.in_order(
        m,
        [lambda: m.evaluate(target.value), lambda: subscripts.index(m, target.slice)],
    )
    if isinstance(owner, Data) and not reflection.is_object(m, owner):
        _augment_item_of_data(m, owner, index, symbol, node)
        return
    old, value = evaluation_order.in_order(
        m,
        [lambda: m.item(owner, index, target), lambda: m.evaluate(node.value)],
    )
    place_of(m, node)
    new = _of_objects(m, old, symbol, value, node)
    if new is None and _is_named_memory(old):
        assert isinstance(old, Data)
        emit(m, Store(old.expr, symbol, m.to_data(value).expr, m.span))
        return
    result = m.binary(symbol, old, value, node) if new is None else new
    targets.set_item(m, owner, index, settled(m, result), target)


def _augment_item_of_data(m: Machine, owner: Data, index: Value, symbol: str, node: Any) -> None:
    if not is_atomic(owner.expr) and any(e.op == "call" for e in nodes(owner.expr)):
        owner = named(m, owner, "owner")
    found = evaluation_order.in_order(
        m,
        [
            lambda: owner,
            lambda: m.to_data(index),
            lambda: m.item(owner, index, node.target),
            lambda: m.evaluate(node.value),
        ],
    )
    place_of(m, node)
    base, place, old = (m.to_data(v) for v in found[:3])
    new = _of_objects(m, old, symbol, found[3], node)
    if new is not None:
        targets.set_item(m, base, place, settled(m, new), node.target)
        return
    data = m.to_data(found[3])
    if old.expr.op == "name":
        # the right side changed the item, after it was read
        _augment_read(m, base, place, old, symbol, data, node)
        return
    result = m.to_data(m.binary(symbol, old, data, node))
    kept = old.type if isinstance(old.type, Array | Reference) else result.type
    targets.note_item(m, base, place, kept)
    _note_growth(m, old, symbol, data)
    emit(m, Store(old.expr, symbol, data.expr, m.span))


def _augment_read(
    m: Machine, base: Data, place: Data, old: Data, symbol: str, data: Data, node: Any
) -> None:
    if may_be_in_place(old.type):
        emit(m, Store(old.expr, symbol, data.expr, m.span))
        result = old
    else:
        result = m.to_data(m.binary(symbol, old, data, node))
    targets.set_item(m, base, place, result, node.target)


def _of_objects(m: Machine, old: Value, symbol: str, value: Value, node: Any) -> Value | None:
    """Return the result of an in-place operator of objects, known lists and dicts; None for data."""
    if reflection.is_object(m, old):
        method = m.find(old, f"__i{operations.WORDS[symbol]}__")
        if method is not None:
            return m.called(method, [value], {}, node)
        return m.binary(symbol, old, value, node)
    if isinstance(old, Ref) and m.heap[old.id].kind == "list" and symbol == "+":
        targets.set_parts(m, old, m.parts_of(old) + m.parts_of(value))
        return old
    if symbol == "|" and operations.is_dict(m, old):
        m.called(m.attribute(old, "update"), [value], {}, node)
        return old
    if isinstance(old, Data) and reflection.is_object(m, value):
        return m.binary(symbol, old, value, node)
    return None if isinstance(old, Data) else m.binary(symbol, old, value, node)


# ---------------------------------------------------------------------------- deletion


def delete(m: Machine, target: Any) -> None:
    """Delete a name, an item or a field."""
    if isinstance(target, gast.Name):
        m.heap[m.frame].slots.pop(target.id, None)
        return
    if isinstance(target, gast.Attribute):
        owner = m.evaluate(target.value)
        if not isinstance(owner, Ref):
            raise refusal(m, "a field of the run that is deleted")
        m.heap[owner.id].slots.pop(target.attr)
        return
    if isinstance(target, gast.Tuple | gast.List):
        for each in target.elts:
            delete(m, each)
        return
    owner, index = evaluation_order.in_order(
        m,
        [lambda: m.evaluate(target.value), lambda: subscripts.index(m, target.slice)],
    )
    if isinstance(owner, Ref):
        _delete_from_cell(m, owner, index)
        return
    if reflection.is_object(m, owner):
        evaluation_order.run(m, m.attribute(owner, "__delitem__"), [index])
        return
    base, place = m.to_data(owner), m.to_data(index)
    found = reference(base.type)
    if found is not None and m.memory.of(found).kind == "fields":
        targets.demand_keys(m, base)
    emit(m, RegionOp(None, base.expr, "del", (place.expr,), m.span))


def _delete_from_cell(m: Machine, owner: Ref, index: Value) -> None:
    cell = m.heap[owner.id]
    if cell.kind == "list":
        parts = list(cell.slots.values())
        del parts[demands.need(m, index)]
        targets.set_parts(m, owner, parts)
        return
    slots = dict(cell.slots)
    del slots[demands.need(m, index)]
    cell.slots = slots
