"""Assignment: to names, tuples of targets, items, fields; and in place.

x = e          Let(x, e)
a, b = b, a    Let((a, b), (b, a)), at once
u[i] = e       Store(u[i], "=", e)
u[i] += e      Store(u[i], "+", e)
x += e         Let(x, x + e, spelled "+") of a number, Store(x, "+", e) of what may be an array
"""

from __future__ import annotations

import inspect
from typing import Any

import gast

from s2sad.ir.expression import Expr, Pattern, Star, Variable, name
from s2sad.ir.program import Let, RegionOp, Store
from s2sad.ir.types import UNKNOWN, Array, Number, Numeric, Other, Reference, Sequence, Tuple, Type
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import attributes, calls, items, iterate, lifting, operations
from s2sad.lowering import evaluate as evaluating
from s2sad.lowering.machine import (
    Machine,
    Slot,
    as_name,
    bind,
    closure_at,
    emit,
    flip,
    named,
    place_of,
    put,
    refusal,
    settled,
    site_of,
    slot_variable,
    stable,
)
from s2sad.lowering.memory import ITEM, KEY
from s2sad.lowering.typing import item_type, reference, typed
from s2sad.lowering.values import (
    Bound,
    Closure,
    Code,
    Data,
    Demand,
    Fails,
    Fields,
    Lazy,
    Ref,
    Tup,
    Value,
    is_atomic,
    literal,
)
from s2sad.source.owners import is_own_object
from s2sad.source.scopes import declared


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
        raise refusal(m, f"{wanted}, which belongs to the module, is given a value")
    if word == "nonlocal":
        return _outer_slot(m, place, wanted)
    return place, wanted


def _outer_slot(m: Machine, place: int, wanted: str) -> Slot:
    found = m.heap[place].parent
    while found is not None:
        if wanted in m.heap[found].slots:
            return found, wanted
        found = m.heap[found].parent
    raise refusal(m, f"{wanted}, which belongs to the function around it, is not set")


# ---------------------------------------------------------------------------- one target


def assign(m: Machine, target: Any, value: Value) -> None:
    """Assign one value to one target."""
    match target:
        case gast.Name():
            put(m, slot_of(m, target.id), value)
        case gast.Tuple() | gast.List():
            unpack(m, target.elts, settled(m, value, "parts"))
        case gast.Starred():
            assign(m, target.value, value)
        case gast.Attribute():
            value = settled(m, value)
            value, owner = evaluating.in_order(
                m, [lambda: value, lambda: evaluating.evaluate(m, target.value)]
            )
            place_of(m, target)
            set_attribute(m, owner, target.attr, value)
        case gast.Subscript():
            value = settled(m, value)
            value, owner, index = evaluating.in_order(
                m,
                [
                    lambda: value,
                    lambda: evaluating.evaluate(m, target.value),
                    lambda: items.index(m, target.slice),
                ],
            )
            set_item(m, owner, index, value, target)
        case _:
            raise refusal(m, f"a target of kind {type(target).__name__}")


def set_attribute(m: Machine, owner: Value, wanted: str, value: Value) -> None:
    """Store a field, as the class of its object says."""
    if isinstance(owner, Closure):
        put(m, (attributes.attributes_of(m, owner), wanted), value, always=False)
        return
    cls = lifting.object_class(m, owner)
    found = None if cls is None else inspect.getattr_static(cls, wanted, None)
    if isinstance(found, property):
        if found.fset is None:
            raise Fails(f"attribute {wanted} that cannot be set", m.span)
        calls.run(m, lifting.lift(m, found.fset, None), [owner, value])
        return
    if is_own_object(found) and hasattr(type(found), "__set__"):
        setter = attributes.attribute(m, lifting.lift(m, found, None, wanted), "__set__")
        calls.run(m, setter, [owner, value])
        return
    own = None if cls is None else attributes.find(m, owner, "__setattr__")
    if isinstance(own, Bound) and isinstance(own.func, Closure):
        calls.run(m, own, [literal(wanted), value])
        return
    set_field(m, owner, wanted, value)


def set_field(m: Machine, owner: Value, wanted: str, value: Value) -> None:
    """Store a field past the class's own ways of setting."""
    if isinstance(owner, Ref):
        put(m, (owner.id, wanted), value, always=False)
        return
    if not isinstance(owner, Data):
        raise refusal(m, f"an attribute of {type(owner).__name__} that is set")
    place = reference(owner.type)
    if place is not None and _is_frameless_code(value):
        m.memory.store(place, wanted, CodeType(value), None)
        return
    data = _storable(m, owner, value)
    if place is not None:
        m.memory.store(place, wanted, data.type, data.known)
    target = Expr("attribute", (owner.expr,), wanted, data.type, None, m.span)
    emit(m, Store(target, "=", data.expr, m.span))


def _is_frameless_code(value: Value) -> bool:
    """Tell whether a value is code that reads no variable: its type says which it is."""
    if isinstance(value, Closure):
        return value.frame is None
    return isinstance(value, Code)


def _storable(m: Machine, owner: Data, value: Value) -> Data:
    """Return a value as data that memory holds; what is none makes the memory a structure."""
    if not evaluating.is_plain(m, value):
        evaluating.demand_structure(m, owner)
    found = settled(m, lifting.to_data(m, value))
    assert isinstance(found, Data)
    return found


def set_item(m: Machine, owner: Value, index: Value, value: Value, node: Any) -> None:
    """Store an item."""
    if lifting.is_object(m, owner):
        setter = attributes.attribute(m, owner, "__setitem__")
        calls.run(m, setter, [index, value])
        return
    if isinstance(owner, Fields):
        put(m, (owner.id, items.need(m, index)), value, always=False)
        return
    if isinstance(owner, Ref):
        _set_in_cell(m, owner, index, value)
        return
    base = lifting.to_data(m, owner)
    data, place = _storable(m, base, value), lifting.to_data(m, index)
    note_item(m, base, place, data.type)
    target = Expr("subscript", (base.expr, place.expr), None, data.type, None, m.span)
    if reference(base.type) is None:
        target = typed(m, target)
    emit(m, Store(target, "=", data.expr, m.span))


def note_item(m: Machine, base: Data, place: Data, type_: Type) -> None:
    """Note that an item of memory is stored."""
    found = reference(base.type)
    if found is None:
        return
    kept = m.memory.of(found)
    if place.expr.op == "slice":
        m.memory.store(found, ITEM, item_type(m, type_), None)
    elif kept.kind == "fields":
        if place.known is None or (kept.cls is not dict and place.known.value not in kept.slots):
            _demand_keys(m, base)
        elif place.known is not None:
            m.memory.store(found, place.known.value, type_, None)
    else:
        m.memory.store(found, ITEM, type_, None)
        if kept.kind == "mapping":
            m.memory.store(found, KEY, place.type, None)


def _demand_keys(m: Machine, base: Data) -> None:
    """A key that is not constant is stored in a dict: its items are of one type."""
    for origin in base.origins:
        if origin[0] == "keys" and origin not in m.choices:
            raise Demand(origin)
    raise refusal(m, "a store under a key that is not known")


def _set_in_cell(m: Machine, owner: Ref, index: Value, value: Value) -> None:
    cell = m.heap[owner.id]
    if isinstance(index, Data) and index.known is None and not items.can_be_known(index):
        flip(m, cell.site, "runtime")
    key = items.need(m, index)
    if cell.kind == "list" and isinstance(key, int):
        key = key + len(cell.slots) if key < 0 else key
        if key not in cell.slots:
            raise Fails("an index out of a known list", m.span)
    if isinstance(key, slice):
        parts = list(cell.slots.values())
        parts[key] = items.parts_of(m, value)
        set_parts(m, owner, parts)
        return
    put(m, (owner.id, key), value, always=False)


def set_parts(m: Machine, owner: Ref, parts: list[Value]) -> None:
    """Make a known list one of these parts."""
    m.heap[owner.id].slots = {}
    for key, part in enumerate(parts):
        put(m, (owner.id, key), part, always=False)


# ---------------------------------------------------------------------------- several targets


def assign_at_once(m: Machine, target: Any, node: Any) -> bool:
    """Assign `a, b = b, a + b` as it stands; tell whether it was one of these."""
    if not isinstance(node, gast.Tuple) or len(node.elts) != len(target.elts):
        return False
    if any(isinstance(e, gast.Starred) for e in (*node.elts, *target.elts)):
        return False
    thunks = [lambda n=n: evaluating.evaluate(m, n) for n in node.elts]
    assign_parts(m, target.elts, evaluating.in_order(m, thunks))
    return True


def assign_parts(m: Machine, targets: list[Any], values: list[Value]) -> None:
    """Assign values to targets at once."""
    names = [t.id for t in targets if isinstance(t, gast.Name)]
    if len(names) == len(targets) == len(set(names)):
        if all(isinstance(v, Data) for v in values):
            _assign_names(m, names, [v for v in values if isinstance(v, Data)])
            return
    if len(targets) > 1:
        written = set(names)
        values = [_out_of_the_way(m, value, written) for value in values]
    for target, value in zip(targets, values, strict=True):
        assign(m, target, value)


def _out_of_the_way(m: Machine, value: Value, written: set[str]) -> Value:
    """Return a value that assigning to the names of a tuple, one after the other, does not change."""
    if isinstance(value, Data) and value.expr.op == "name" and value.expr.data.name in written:
        return named(m, value, "part")
    return stable(m, value, "part")


def _assign_names(m: Machine, names: list[str], values: list[Data]) -> None:
    slots = [slot_of(m, wanted) for wanted in names]
    variables = [slot_variable(m, slot) for slot in slots]
    moves = [
        (variable, value)
        for variable, value in zip(variables, values, strict=True)
        if not (value.expr.op == "name" and value.expr.data == variable)
    ]
    if len(moves) == 1:
        bind(m, *moves[0])
    elif moves:
        exprs = tuple(value.expr for _, value in moves)
        type_ = Tuple(tuple(e.type for e in exprs))
        together = Expr("tuple", exprs, None, type_, None, m.span)
        emit(m, Let(tuple(variable for variable, _ in moves), together, m.span))
    for (place, key), variable, value in zip(slots, variables, values, strict=True):
        m.heap[place].slots[key] = as_name(variable, value)


def unpack(m: Machine, targets: list[Any], value: Value) -> None:
    """Assign the items of a value to targets."""
    star = next((k for k, t in enumerate(targets) if isinstance(t, gast.Starred)), None)
    if isinstance(value, Lazy) and not iterate.is_listed(m, value):
        value = Tup(tuple(iterate.collected(m, value)))
    if isinstance(value, Data) and value.expr.op not in ("tuple", "list"):
        if is_pattern(m, targets, value.type):
            pattern = make_pattern(m, targets, value)
            emit(m, Let(pattern, value.expr, m.span))
            return
    parts = items.parts_of(m, value)
    if star is None:
        if len(parts) != len(targets):
            raise Fails("unpacking of another length", m.span)
        assign_parts(m, targets, parts)
        return
    behind = len(targets) - star - 1
    if len(parts) < len(targets) - 1:
        raise Fails("unpacking of another length", m.span)
    site = site_of(m, targets[star])
    middle = evaluating.list_of(m, parts[star : len(parts) - behind], site)
    assign_parts(m, targets, [*parts[:star], middle, *parts[len(parts) - behind :]])


def is_pattern(m: Machine, targets: list[Any], type_: Type) -> bool:
    """Tell whether targets are names that the items of data can be bound to in one statement."""
    starred = any(isinstance(t, gast.Starred) for t in targets)
    if isinstance(type_, Tuple) and not starred and len(type_.items) != len(targets):
        return False
    parts = part_types(m, type_, targets)
    return all(_is_target(m, t, p) for t, p in zip(targets, parts, strict=True))


def _is_target(m: Machine, target: Any, type_: Type) -> bool:
    match target:
        case gast.Name():
            return not isinstance(type_, CodeType)
        case gast.Tuple() | gast.List():
            return is_pattern(m, target.elts, type_)
        case gast.Starred():
            return isinstance(target.value, gast.Name)
    return False


def part_types(m: Machine, type_: Type, targets: list[Any]) -> list[Type]:
    """Return the types of what targets are bound to."""
    star = next((k for k, t in enumerate(targets) if isinstance(t, gast.Starred)), None)
    known = isinstance(type_, Tuple)
    found = list(type_.items) if known else [item_type(m, type_)] * len(targets)
    place = reference(type_)
    if place is not None and m.memory.of(place).kind == "fields":
        found = [m.memory.item(place, key) for key in range(len(targets))]
    if star is None:
        return found
    behind = len(targets) - star - 1
    if not known:
        return [*found[:star], UNKNOWN, *found[star + 1 :]]
    return [*found[:star], UNKNOWN, *found[len(found) - behind :]]


def make_pattern(m: Machine, targets: list[Any], value: Data) -> tuple[Pattern, ...]:
    """Set the slots of targets; return the pattern that binds them."""
    found: list[Pattern] = []
    for target, type_ in zip(targets, part_types(m, value.type, targets), strict=True):
        part = Data(Expr("name", (), None, type_), value.origins)
        match target:
            case gast.Name():
                found.append(_bound_name(m, target.id, part))
            case gast.Starred():
                part = Data(Expr("name", (), None, _starred_list(m, target, value)), value.origins)
                found.append(Star(_bound_name(m, target.value.id, part)))
            case _:
                found.append(make_pattern(m, target.elts, part))
    return tuple(found)


def _starred_list(m: Machine, target: Any, value: Data) -> Reference:
    """Return the list that a starred target is bound to."""
    made = m.memory.make(site_of(m, target), "list", list)
    m.memory.store(made, ITEM, item_type(m, value.type), None)
    return made


def _bound_name(m: Machine, wanted: str, part: Data) -> Variable:
    place, key = slot_of(m, wanted)
    variable = slot_variable(m, (place, key))
    m.heap[place].slots[key] = Data(name(variable, part.type), part.origins)
    return variable


# ---------------------------------------------------------------------------- in place


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
    old, value = evaluating.in_order(
        m,
        [lambda: evaluating.look_up(m, wanted), lambda: evaluating.evaluate(m, node.value)],
    )
    place_of(m, node)
    slot = slot_of(m, wanted)
    new = _of_objects(m, old, symbol, value, node)
    if new is not None:
        put(m, slot, new)
        return
    before, data = lifting.to_data(m, old), lifting.to_data(m, value)
    _augment_variable(m, slot, before, symbol, data, node)


def _augment_variable(
    m: Machine, slot: Slot, old: Data, symbol: str, data: Data, node: Any
) -> None:
    expr = old.expr
    result = lifting.to_data(m, operations.binary(m, symbol, old, data, node))
    if expr.op != "name" or not may_be_in_place(old.type):
        _rebind(m, slot, old, symbol, result)
        return
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


def _note_growth(m: Machine, old: Data, symbol: str, data: Data) -> None:
    """Note what `xs += ys` puts in a list."""
    found = reference(old.type)
    if found is not None and symbol == "+" and m.memory.of(found).kind == "list":
        m.memory.store(found, ITEM, item_type(m, data.type), None)


def _augment_attribute(m: Machine, node: Any, symbol: str) -> None:
    wanted = node.target.attr
    owner = evaluating.evaluate(m, node.target.value)
    if isinstance(owner, Data):
        owner = evaluating.name_if_long(m, owner, "owner")
    old, value = evaluating.in_order(
        m,
        [
            lambda: attributes.attribute(m, owner, wanted),
            lambda: evaluating.evaluate(m, node.value),
        ],
    )
    place_of(m, node)
    new = _of_objects(m, old, symbol, value, node)
    if new is None and isinstance(owner, Data) and not _has_setter(m, owner, wanted):
        _store_in_field(m, owner, wanted, old, symbol, lifting.to_data(m, value), node)
        return
    if new is None and _is_named_memory(old):
        data = lifting.to_data(m, value)
        assert isinstance(old, Data)
        _note_growth(m, old, symbol, data)
        emit(m, Store(old.expr, symbol, data.expr, m.span))
        return
    result = operations.binary(m, symbol, old, value, node) if new is None else new
    set_attribute(m, owner, wanted, settled(m, result))


def _is_named_memory(value: Value) -> bool:
    if not isinstance(value, Data) or value.expr.op != "name":
        return False
    return isinstance(value.type, Array | Reference | Numeric)


def _store_in_field(
    m: Machine, owner: Data, wanted: str, old: Value, symbol: str, data: Data, node: Any
) -> None:
    before = lifting.to_data(m, old)
    if before.expr.op == "name":
        # the right side changed the field, after it was read
        new = operations.binary(m, symbol, before, data, node)
        set_attribute(m, owner, wanted, settled(m, new))
        return
    result = lifting.to_data(m, operations.binary(m, symbol, before, data, node))
    place = reference(owner.type)
    if place is not None:
        kept = before.type if isinstance(before.type, Array | Reference) else result.type
        m.memory.store(place, wanted, kept, None)
    _note_growth(m, before, symbol, data)
    target = Expr("attribute", (owner.expr,), wanted, before.type, None, m.span)
    emit(m, Store(target, symbol, data.expr, m.span))


def _has_setter(m: Machine, owner: Data, wanted: str) -> bool:
    cls = lifting.object_class(m, owner)
    found = None if cls is None else inspect.getattr_static(cls, wanted, None)
    own = None if cls is None else attributes.find(m, owner, "__setattr__")
    is_set = isinstance(own, Bound) and isinstance(own.func, Closure)
    return is_set or isinstance(found, property) or hasattr(type(found), "__set__")


def _augment_item(m: Machine, node: Any, symbol: str) -> None:
    target = node.target
    owner, index = evaluating.in_order(
        m,
        [lambda: evaluating.evaluate(m, target.value), lambda: items.index(m, target.slice)],
    )
    if isinstance(owner, Data) and not lifting.is_object(m, owner):
        _augment_item_of_data(m, owner, index, symbol, node)
        return
    old, value = evaluating.in_order(
        m,
        [lambda: items.item(m, owner, index, target), lambda: evaluating.evaluate(m, node.value)],
    )
    place_of(m, node)
    new = _of_objects(m, old, symbol, value, node)
    if new is None and _is_named_memory(old):
        assert isinstance(old, Data)
        emit(m, Store(old.expr, symbol, lifting.to_data(m, value).expr, m.span))
        return
    result = operations.binary(m, symbol, old, value, node) if new is None else new
    set_item(m, owner, index, settled(m, result), target)


def _augment_item_of_data(m: Machine, owner: Data, index: Value, symbol: str, node: Any) -> None:
    if not is_atomic(owner.expr) and any(e.op == "call" for e in evaluating.nodes(owner.expr)):
        owner = named(m, owner, "owner")
    found = evaluating.in_order(
        m,
        [
            lambda: owner,
            lambda: lifting.to_data(m, index),
            lambda: items.item(m, owner, index, node.target),
            lambda: evaluating.evaluate(m, node.value),
        ],
    )
    place_of(m, node)
    base, place, old = (lifting.to_data(m, v) for v in found[:3])
    new = _of_objects(m, old, symbol, found[3], node)
    if new is not None:
        set_item(m, base, place, settled(m, new), node.target)
        return
    data = lifting.to_data(m, found[3])
    if old.expr.op == "name":
        # the right side changed the item, after it was read
        _augment_read(m, base, place, old, symbol, data, node)
        return
    result = lifting.to_data(m, operations.binary(m, symbol, old, data, node))
    kept = old.type if isinstance(old.type, Array | Reference) else result.type
    note_item(m, base, place, kept)
    _note_growth(m, old, symbol, data)
    emit(m, Store(old.expr, symbol, data.expr, m.span))


def _augment_read(
    m: Machine, base: Data, place: Data, old: Data, symbol: str, data: Data, node: Any
) -> None:
    if may_be_in_place(old.type):
        emit(m, Store(old.expr, symbol, data.expr, m.span))
        result = old
    else:
        result = lifting.to_data(m, operations.binary(m, symbol, old, data, node))
    set_item(m, base, place, result, node.target)


def _of_objects(m: Machine, old: Value, symbol: str, value: Value, node: Any) -> Value | None:
    """Return the result of an in-place operator of objects and known lists; None for data."""
    if lifting.is_object(m, old):
        method = attributes.find(m, old, f"__i{operations.WORDS[symbol]}__")
        if method is not None:
            return calls.called(m, method, [value], {}, node)
        return operations.binary(m, symbol, old, value, node)
    if isinstance(old, Ref) and m.heap[old.id].kind == "list" and symbol == "+":
        set_parts(m, old, items.parts_of(m, old) + items.parts_of(m, value))
        return old
    if isinstance(old, Data) and lifting.is_object(m, value):
        return operations.binary(m, symbol, old, value, node)
    return None if isinstance(old, Data) else operations.binary(m, symbol, old, value, node)


# ---------------------------------------------------------------------------- deletion


def delete(m: Machine, target: Any) -> None:
    """Delete a name, an item or a field."""
    if isinstance(target, gast.Name):
        m.heap[m.frame].slots.pop(target.id, None)
        return
    if isinstance(target, gast.Attribute):
        owner = evaluating.evaluate(m, target.value)
        if not isinstance(owner, Ref):
            raise refusal(m, "a field of the run that is deleted")
        m.heap[owner.id].slots.pop(target.attr)
        return
    if isinstance(target, gast.Tuple | gast.List):
        for each in target.elts:
            delete(m, each)
        return
    owner, index = evaluating.in_order(
        m,
        [lambda: evaluating.evaluate(m, target.value), lambda: items.index(m, target.slice)],
    )
    if isinstance(owner, Ref):
        _delete_from_cell(m, owner, index)
        return
    if lifting.is_object(m, owner):
        calls.run(m, attributes.attribute(m, owner, "__delitem__"), [index])
        return
    base, place = lifting.to_data(m, owner), lifting.to_data(m, index)
    found = reference(base.type)
    if found is not None and m.memory.of(found).kind == "fields":
        _demand_keys(m, base)
    emit(m, RegionOp(None, base.expr, "del", (place.expr,), m.span))


def _delete_from_cell(m: Machine, owner: Ref, index: Value) -> None:
    cell = m.heap[owner.id]
    if cell.kind == "list":
        parts = list(cell.slots.values())
        del parts[items.need(m, index)]
        set_parts(m, owner, parts)
        return
    slots = dict(cell.slots)
    del slots[items.need(m, index)]
    cell.slots = slots
