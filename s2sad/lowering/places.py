"""Places: what a target stands for, a name, a field or an item; what it holds is stored and deleted.

x            no part: the slot that the name is written to
body.x       one part, the object that the field belongs to
u[i, 1:]     two parts, what the item belongs to and its index
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.ir.expression import Expr
from s2sad.ir.program import RegionOp, Store
from s2sad.ir.remedies import counted
from s2sad.ir.types import Array, Length, Number, Numeric, Reference, Type
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import attributes, demands, displays, evaluation_order, items, reflection
from s2sad.lowering.evaluation_order import Thunk
from s2sad.lowering.machine import (
    Machine,
    Slot,
    closure_at,
    emit,
    failing_as_python,
    place_of,
    put,
    refusal,
    settled,
)
from s2sad.lowering.memory import ITEM, KEY
from s2sad.lowering.module_names import is_given, slot_of_class, slot_of_module
from s2sad.lowering.stored_lengths import with_lengths_as_written
from s2sad.lowering.typing import assume_last_equal, has_slots, item_type, reference, typed
from s2sad.lowering.values import (
    Bound,
    Closure,
    Code,
    Data,
    Fails,
    Fields,
    Ref,
    Value,
    literal,
    word_of,
)
from s2sad.source.owners import is_own, is_own_object
from s2sad.source.trees import declared
from s2sad.types.attributes import product

# attributes of an array that are no memory of their own
OF_ARRAYS = frozenset({"flat", "shape", "strides", "dtype"})


def parts(m: Machine, target: Any) -> list[Thunk]:
    """Return what evaluates the parts of a place, in Python's order."""
    match target:
        case gast.Attribute():
            return [lambda: m.evaluate(target.value)]
        case gast.Subscript():
            return [lambda: m.evaluate(target.value), lambda: items.index(m, target.slice)]
    return []


def store(m: Machine, target: Any, held: list[Value], value: Value) -> None:
    """Store a value in a place; `held` are its parts."""
    match target:
        case gast.Attribute():
            place_of(m, target)
            set_attribute(m, held[0], target.attr, value)
        case gast.Subscript():
            set_item(m, held[0], held[1], value)
        case _:
            put(m, slot_of(m, target.id), value)


def delete(m: Machine, target: Any) -> None:
    """Delete what a place holds, or several places."""
    if isinstance(target, gast.Tuple | gast.List):
        for each in target.elts:
            delete(m, each)
        return
    held = evaluation_order.in_order(m, *parts(m, target))
    match target:
        case gast.Name():
            m.partial.add((m.frame, target.id))
            m.heap[m.frame].slots.pop(target.id, None)
        case gast.Attribute():
            if isinstance(held[0], Data):
                demands.demand_structure(m, held[0])
            if not isinstance(held[0], Ref):
                raise refusal(m, "a field of the run that is deleted")
            with failing_as_python(m):
                m.heap[held[0].id].slots.pop(target.attr)
        case _:
            _delete_item(m, held[0], held[1])


# ---------------------------------------------------------------------------- names


def slot_of(m: Machine, wanted: str) -> Slot:
    """Return the slot that a name is written to."""
    place = m.frame
    while m.heap[place].cls == "comprehension" and wanted not in m.heap[place].slots:
        parent = m.heap[place].parent
        if parent is None or wanted in m.heap[place].names:
            break
        place = parent
    plain = m.heap[place].cls is None
    word = declared(closure_at(m, place).node).get(wanted) if plain else None
    if word == "global":
        return slot_of_module(m, wanted)
    if word == "nonlocal":
        return _outer_slot(m, place, wanted)
    return place, wanted


def _outer_slot(m: Machine, place: int, wanted: str) -> Slot:
    found = m.heap[place].parent
    while found is not None:
        if wanted in m.heap[found].slots:
            return found, wanted
        found = m.heap[found].parent
    raise Unsupported.refused(
        f"{closure_at(m, place).name} changes {wanted}, which belongs to the function around it",
        m.span,
        f"Give it {wanted} as an argument, and return the new value.",
    )


# ---------------------------------------------------------------------------- fields


def setter(m: Machine, owner: Value, wanted: str) -> tuple[Value, list[Value]] | None:
    """Return the function of the user's that sets a field, and what it is handed before the value."""
    cls = reflection.object_class(m, owner)
    if cls is None:
        return None
    found = inspect.getattr_static(cls, wanted, None)
    if isinstance(found, property):
        if found.fset is None:
            raise Fails(f"the attribute {wanted} cannot be set", m.span)
        return m.lift(found.fset, None), [owner]
    if is_own_object(found) and hasattr(type(found), "__set__"):
        return m.attribute(m.lift(found, None, wanted), "__set__"), [owner]
    own = m.find(owner, "__setattr__")
    is_users = isinstance(own, Bound) and isinstance(own.func, Closure)
    return (own, [literal(wanted)]) if own is not None and is_users else None


def set_attribute(m: Machine, owner: Value, wanted: str, value: Value) -> None:
    """Store a field, as the class of its object says."""
    if isinstance(owner, Closure):
        if owner.frame is None:  # it is there still when the next call is made
            raise counted(f"{owner.name}.{wanted}", m.span)
        put(m, (attributes.attributes_of(m, owner), wanted), value, always=False)
        return
    given = setter(m, owner, wanted)
    if given is not None:
        evaluation_order.run(m, given[0], [*given[1], value])
        return
    if wanted in OF_ARRAYS and isinstance(owner, Data) and isinstance(owner.type, Array | Numeric):
        _set_of_array(m, owner, wanted, value)
        return
    if not _has_room(m, owner, wanted):
        reason = f"there is no room for an attribute {wanted}"
        raise Fails(reason, m.span, raised=AttributeError)
    set_field(m, owner, wanted, value)


def _set_of_array(m: Machine, owner: Data, wanted: str, value: Value) -> None:
    """Store `u.flat = v` as u.flat[:] = v; refuse what makes another array of the same memory."""
    if wanted != "flat":
        hint = f"Bind another name: v = u.{'view(...)' if wanted == 'dtype' else 'reshape(...)'}."
        raise Unsupported.refused(f"the {wanted} of an array is set", m.span, hint)
    whole = items.slice_of(m, [literal(None)] * 3)
    set_item(m, m.attribute(owner, wanted), whole, _elements_for(m, owner, value))


def _elements_for(m: Machine, owner: Data, value: Value) -> Value:
    """Return what `u.flat` is set to as a vector: elements are taken as often as u has room for them."""
    if not isinstance(value, Data) or not isinstance(value.type, Array | Numeric):
        return value
    taken, room = (_size(each.type) for each in (value, owner))
    if taken is None or taken != room:
        return m.call_global("np.resize", np.resize, [value, m.attribute(owner, "size")])
    is_vector = isinstance(value.type, Array) and value.type.rank == 1
    return value if is_vector else m.call_global("np.ravel", np.ravel, [value])


def _size(type_: Type) -> Length | None:
    return product(type_.lengths) if isinstance(type_, Array) else None


def _has_room(m: Machine, owner: Value, wanted: str) -> bool:
    """Tell whether a value takes an attribute: objects do, if their class does not keep them from it."""
    cls: Any = reflection.object_class(m, owner)
    if cls is None:
        is_plain = isinstance(owner, Data) and isinstance(owner.type, Number | Array | Numeric)
        return not is_plain or hasattr(np.ndarray, wanted)
    found = inspect.getattr_static(cls, wanted, None)
    is_frozen = dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen
    return not is_frozen and (bool(cls.__dictoffset__) or hasattr(type(found), "__set__"))


def set_field(m: Machine, owner: Value, wanted: str, value: Value) -> None:
    """Store a field past the class's own ways of setting."""
    if isinstance(owner, Code) and isinstance(owner.obj, type) and is_own(owner.obj):
        put(m, slot_of_class(m, owner.obj, wanted), value)
        return
    cls = reflection.object_class(m, owner)
    if cls is not None and is_given(m, cls, wanted):  # it is the object's from here on
        raise counted(f"{cls.__name__}.{wanted}", m.span)
    if isinstance(owner, Ref):
        put(m, (owner.id, wanted), value, always=False)
        return
    if isinstance(owner, Code):
        raise counted(f"{getattr(owner.obj, '__name__', 'an object')}.{wanted}", m.span)
    if not isinstance(owner, Data):
        raise refusal(m, f"an attribute of {word_of(owner)} that is set")
    place = reference(owner.type)
    if place is not None and _is_frameless_code(value):
        m.memory.store(place, wanted, CodeType(_as_before(m, place, wanted, value)), None)
        return
    data = _storable(m, owner, value)
    if place is not None:
        m.memory.store(place, wanted, data.type, data.known)
    target = Expr("attribute", (owner.expr,), wanted, data.type, None, m.span)
    emit(m, Store(target, "=", data.expr, m.span))


def _as_before(m: Machine, place: Reference, wanted: str, value: Value) -> Value:
    """Return the code that a field holds already, if it is the same object again."""
    held = m.memory.item(place, wanted) if wanted in m.memory.of(place).slots else None
    old = held.value if isinstance(held, CodeType) else None
    if isinstance(old, Code) and isinstance(value, Code) and old.obj is value.obj:
        return old
    return value


def _is_frameless_code(value: Value) -> bool:
    """Tell whether a value is code that reads no variable: its type says which it is."""
    if isinstance(value, Closure):
        return value.frame is None
    return isinstance(value, Code)


def _storable(m: Machine, owner: Data, value: Value) -> Data:
    """Return a value as data that memory holds; what is none makes the memory a structure."""
    if not displays.is_plain(m, value):
        demands.demand_structure(m, owner)
    found = settled(m, m.to_data(value))
    assert isinstance(found, Data)
    return found


# ---------------------------------------------------------------------------- items


def set_item(m: Machine, owner: Value, index: Value, value: Value) -> None:
    """Store an item."""
    if reflection.is_object(m, owner):
        setter = m.attribute(owner, "__setitem__")
        evaluation_order.run(m, setter, [index, value])
        return
    if isinstance(owner, Fields):
        put(m, (owner.id, demands.need(m, index)), value, always=False)
        return
    if isinstance(owner, Ref):
        _set_in_cell(m, owner, index, value)
        return
    base = m.to_data(owner)
    if isinstance(base.type, Number) and base.type.boxed is not None:
        raise Fails("an item of a number is set", m.span, raised=TypeError)
    data, place = _storable(m, base, value), displays.key_of(m, base, m.to_data(index))
    note_item(m, base, place, data.type)
    target = Expr("subscript", (base.expr, place.expr), None, data.type, None, m.span)
    if reference(base.type) is None:
        target = with_lengths_as_written(m, typed(m, target), data.type)
    assume_last_equal(m, target.type, data.type)
    emit(m, Store(target, "=", data.expr, m.span))


def note_item(m: Machine, base: Data, place: Data, type_: Type) -> None:
    """Note that an item of memory is stored."""
    found = reference(base.type)
    if found is None:
        return
    kept = m.memory.of(found)
    if place.expr.op == "slice":
        if kept.kind == "fields" and not kept.is_parameter:
            demand_keys(m, base)
        kept.may_be_split = False
        m.memory.store(found, ITEM, item_type(m, type_), None)
    elif kept.kind == "fields":
        if place.known is None or (kept.cls is not dict and place.known.value not in kept.slots):
            displays.ask_for_key(m, base, place)
            demand_keys(m, base)
        elif place.known is not None:
            m.memory.store(found, place.known.value, type_, None)
    else:
        m.memory.store(found, ITEM, type_, None)
        if kept.kind == "mapping":
            m.memory.store(found, KEY, place.type, None)


def note(m: Machine, target: Any, held: list[Value], type_: Type) -> None:
    """Note what a field or an item of memory of the run is changed to."""
    base = m.to_data(held[0])
    found = reference(base.type)
    if not isinstance(target, gast.Attribute):
        note_item(m, base, m.to_data(held[1]), type_)
    elif found is not None:
        m.memory.store(found, target.attr, type_, None)


def demand_keys(m: Machine, base: Data) -> None:
    """A key that is not constant is stored in a dict: its items are of one type."""
    demands.demand_open(m, base.origins, "keys")
    raise refusal(m, "a store under a key that is not known")


def _set_in_cell(m: Machine, owner: Ref, index: Value, value: Value) -> None:
    cell = m.heap[owner.id]
    key = demands.known_key(m, cell, index)
    if cell.kind == "list" and isinstance(key, int):
        key = key + len(cell.slots) if key < 0 else key
        if key not in cell.slots:
            raise Fails("an index is out of range", m.span, raised=IndexError)
    if isinstance(key, slice):
        parts = list(cell.slots.values())
        parts[key] = m.parts_of(value)
        set_parts(m, owner, parts)
        return
    put(m, (owner.id, key), value, always=False)


def set_parts(m: Machine, owner: Ref, parts: list[Value]) -> None:
    """Make a known list one of these parts."""
    m.heap[owner.id].slots = {}
    for key, part in enumerate(parts):
        put(m, (owner.id, key), part, always=False)


def _delete_item(m: Machine, owner: Value, index: Value) -> None:
    if reflection.is_object(m, owner):
        evaluation_order.run(m, m.attribute(owner, "__delitem__"), [index])
        return
    if isinstance(owner, Ref):
        cell = m.heap[owner.id]
        kept, key = list(cell.slots.values()), demands.need(m, index)
        with failing_as_python(m):
            del (kept if cell.kind == "list" else cell.slots)[key]
        if cell.kind == "list":
            set_parts(m, owner, kept)
        return
    base, place = m.to_data(owner), m.to_data(index)
    if has_slots(m, base.type):
        demand_keys(m, base)
    emit(m, RegionOp(None, base.expr, "del", (place.expr,), m.span))
