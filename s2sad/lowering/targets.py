"""Assignment: to names, tuples of targets, items, fields; see `augment` for what is in place.

x = e          Let(x, e)
a, b = b, a    Let((a, b), (b, a)), at once
u[i] = e       Store(u[i], "=", e)
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import NotYet, Refused, Unsupported
from s2sad.ir.expression import Expr, Pattern, Star, Variable, name
from s2sad.ir.program import Let, Store
from s2sad.ir.records import dataclass
from s2sad.ir.types import UNKNOWN, Array, Length, Number, Numeric, Reference, Tuple, Type
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import (
    attributes,
    demands,
    displays,
    evaluation_order,
    iterables,
    keys,
    reflection,
    subscripts,
)
from s2sad.lowering.iterables import Callback
from s2sad.lowering.machine import (
    Machine,
    Slot,
    as_name,
    bind,
    closure_at,
    emit,
    forked,
    fresh,
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
from s2sad.lowering.module_names import counted, slot_of_module
from s2sad.lowering.typing import item_type, reference, typed
from s2sad.lowering.values import (
    Bound,
    Closure,
    Code,
    Data,
    Fails,
    Fields,
    Lazy,
    Ref,
    Tup,
    Value,
    literal,
    word_of,
)
from s2sad.source.owners import is_own_object
from s2sad.source.scopes import declared
from s2sad.types import Mismatch


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
    raise Refused(
        Unsupported(
            f"{closure_at(m, place).name} changes {wanted}, which belongs to the function around it",
            m.span,
            f"Give it {wanted} as an argument, and return the new value.",
        )
    )


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
            value, owner = evaluation_order.in_order(
                m, [lambda: value, lambda: m.evaluate(target.value)]
            )
            place_of(m, target)
            set_attribute(m, owner, target.attr, value)
        case gast.Subscript():
            value = settled(m, value)
            value, owner, index = evaluation_order.in_order(
                m,
                [
                    lambda: value,
                    lambda: m.evaluate(target.value),
                    lambda: subscripts.index(m, target.slice),
                ],
            )
            set_item(m, owner, index, value, target)
        case _:
            raise refusal(m, "this target")


def set_attribute(m: Machine, owner: Value, wanted: str, value: Value) -> None:
    """Store a field, as the class of its object says."""
    if isinstance(owner, Closure):
        if owner.frame is None:  # it is there still when the next call is made
            raise counted(f"{owner.name}.{wanted}", m.span)
        put(m, (attributes.attributes_of(m, owner), wanted), value, always=False)
        return
    cls = reflection.object_class(m, owner)
    found = None if cls is None else inspect.getattr_static(cls, wanted, None)
    if isinstance(found, property):
        if found.fset is None:
            raise Fails(f"the attribute {wanted} cannot be set", m.span)
        evaluation_order.run(m, m.lift(found.fset, None), [owner, value])
        return
    if is_own_object(found) and hasattr(type(found), "__set__"):
        setter = m.attribute(m.lift(found, None, wanted), "__set__")
        evaluation_order.run(m, setter, [owner, value])
        return
    own = None if cls is None else m.find(owner, "__setattr__")
    if isinstance(own, Bound) and isinstance(own.func, Closure):
        evaluation_order.run(m, own, [literal(wanted), value])
        return
    if not _has_room(owner, cls, found, wanted):
        reason = f"there is no room for an attribute {wanted}"
        raise Fails(reason, m.span, raised=AttributeError)
    set_field(m, owner, wanted, value)


def _has_room(owner: Value, cls: Any, found: Any, wanted: str) -> bool:
    """Tell whether a value takes an attribute: objects do, if their class does not keep them from it."""
    if cls is None:
        is_plain = isinstance(owner, Data) and isinstance(owner.type, Number | Array | Numeric)
        return not is_plain or hasattr(np.ndarray, wanted)
    is_frozen = dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen
    return not is_frozen and (bool(cls.__dictoffset__) or hasattr(type(found), "__set__"))


def set_field(m: Machine, owner: Value, wanted: str, value: Value) -> None:
    """Store a field past the class's own ways of setting."""
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


def set_item(m: Machine, owner: Value, index: Value, value: Value, node: Any) -> None:
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
    data, place = _storable(m, base, value), keys.key_of(m, base, m.to_data(index))
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
            keys.ask_for_slot(m, base, place)
            demand_keys(m, base)
        elif place.known is not None:
            m.memory.store(found, place.known.value, type_, None)
    else:
        m.memory.store(found, ITEM, type_, None)
        if kept.kind == "mapping":
            m.memory.store(found, KEY, place.type, None)


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
            raise Fails("an index is out of range", m.span)
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


# ---------------------------------------------------------------------------- several targets


def assign_at_once(m: Machine, target: Any, node: Any) -> bool:
    """Assign `a, b = b, a + b` as it stands; tell whether it was one of these."""
    if not isinstance(node, gast.Tuple) or len(node.elts) != len(target.elts):
        return False
    if any(isinstance(e, gast.Starred) for e in (*node.elts, *target.elts)):
        return False
    thunks = [lambda n=n: m.evaluate(n) for n in node.elts]
    assign_parts(m, target.elts, evaluation_order.in_order(m, thunks))
    return True


def assign_parts(m: Machine, targets: list[Any], values: list[Value]) -> None:
    """Assign values to targets at once."""
    names = [t.id for t in targets if isinstance(t, gast.Name)]
    if len(names) == len(targets) == len(set(names)):
        if all(isinstance(v, Data) and v.later is None for v in values):
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
    value = m.at_once(value)
    if isinstance(value, Lazy) and not iterables.is_listed(m, value):
        value = _collected(m, value)
    if isinstance(value, Data) and value.expr.op not in ("tuple", "list"):
        if is_pattern(m, targets, value.type):
            if star is None:
                _assume_as_long(m, value.type, len(targets))
            pattern = make_pattern(m, targets, value)
            emit(m, Let(pattern, value.expr, m.span))
            return
    parts = m.parts_of(value)
    if star is None:
        if len(parts) != len(targets):
            raise Fails("there are more or fewer values than targets", m.span)
        assign_parts(m, targets, parts)
        return
    behind = len(targets) - star - 1
    if len(parts) < len(targets) - 1:
        raise Fails("there are more or fewer values than targets", m.span)
    site = site_of(m, targets[star])
    middle = displays.list_of(m, parts[star : len(parts) - behind], site)
    assign_parts(m, targets, [*parts[:star], middle, *parts[len(parts) - behind :]])


def _collected(m: Machine, lazy: Lazy) -> Value:
    """Return the items of an iterator: known ones, or else a list of the run."""
    heap, block, used = m.heap, m.block, set(m.used)
    m.heap, m.block = forked(m), []
    try:
        found: Value = Tup(tuple(iterables.collected(m, lazy)))
        block.extend(m.block)
        return found
    except NotYet:
        m.heap, m.used = heap, used
    finally:
        m.block = block
    return m.listed(lazy)


def _assume_as_long(m: Machine, type_: Type, count: int) -> None:
    """Ask that an array be as long as the targets that its items are assigned to."""
    if isinstance(type_, Array) and type_.lengths and type_.lengths[0] is not None:
        length, wanted = type_.lengths[0], Length((), count)
        if length != wanted and m.context.assumptions.agree(length, wanted):
            raise Mismatch(length, wanted)


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


def unpacked(m: Machine, value: Data, count: int) -> list[Value]:
    """Return the items of data of which there have to be so many, each under a name."""
    item = item_type(m, value.type)
    names = tuple(fresh(m, f"part_{k}") for k in range(count))
    emit(m, Let(names, value.expr, m.span))
    return [Data(name(each, item), value.origins) for each in names]


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


@dataclass(frozen=True, slots=True)
class Target:
    """What a loop assigns its items to: targets of the user's."""

    node: Any

    def assign(self, m: Machine, value: Value) -> None:
        """Set the targets to a value."""
        assign(m, self.node, value)

    def pattern(self, m: Machine, item: Data) -> Pattern:
        """Set the targets to the items of a loop of the program; return the pattern of them."""
        if is_pattern(m, [self.node], _alone(item.type)):
            whole = Data(item.expr.typed(_alone(item.type)), item.origins)
            return make_pattern(m, [self.node], whole)[0]  # type: ignore[no-any-return]
        found = fresh(m, "item")
        self.assign(m, Data(name(found, item.type), item.origins))
        return found


def _alone(type_: Type) -> Type:
    return Tuple((type_,))


Targets = Target | Callback
