"""Displays: what a tuple, list or dict of values is, and the keys that have a slot each.

(f, g)       a tuple of functions: its parts are known while lowering
[u, v]       data of one kind: a list of the run, written as the user wrote it
{"k": 2.0}   a dict whose keys are known; its values are entries of memory

for name in sorted(params):     the call as it is written, or ["b", "w"] where its items differ
    ... params[name] ...
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from s2sad.ir.expression import Expr, global_
from s2sad.ir.types import UNKNOWN, Array, Number, Numeric, Reference, Sequence, Tuple, Type
from s2sad.lowering import demands, items, iterables, reflection
from s2sad.lowering.items import VIEWS
from s2sad.lowering.machine import Machine, new_cell, refusal, stable
from s2sad.lowering.memory import ITEM, KEY, Kept
from s2sad.lowering.typing import has_slots, memory_of, reference, typed
from s2sad.lowering.values import (
    BY_PLACE,
    TEXT,
    Cell,
    Data,
    Tup,
    Value,
    all_data,
    is_late,
    literal,
    written_out,
)


def tuple_of(m: Machine, values: list[Value]) -> Value:
    """Return a tuple: data if all of it is computed."""
    if values and all_data(values) and not any(is_late(v) or _is_choice(v) for v in values):
        return m.to_data(Tup(tuple(values)))
    return Tup(tuple(values))


def _is_choice(value: Value) -> bool:
    """Tell whether a part of a tuple is a slice, or known and no number."""
    if isinstance(value, Data) and value.expr.op == "slice":
        return True
    if not isinstance(value, Data) or value.known is None:
        return False
    known = value.known.value
    return isinstance(known, bool) or not isinstance(known, int | float)


def list_of(m: Machine, values: list[Value], site: Any) -> Value:
    """Return a list of values: memory of the run if all of it is data of one kind."""
    is_known = ("structure", site) in m.choices
    is_of_run = ("runtime", site) in m.choices or _is_by_place(m, site)
    if is_of_run or (not is_known and is_uniform(m, values)):
        return list_as_data(m, [m.to_data(v) for v in values], site)
    kept = [stable(m, value, "item") for value in values]
    return new_cell(m, Cell("list", dict(enumerate(kept)), list, site))


def list_as_data(m: Machine, values: list[Data], site: Any) -> Data:
    """Return a list of the run as it is written out."""
    types = [value.type for value in values]
    if _is_by_place(m, site):
        made = m.memory.list_of_slots(site, types)
    else:
        made = m.memory.list_of(site, types, demands.are_few_floats(types))
        m.memory.of(made).displays.add(site)
    exprs = tuple(value.expr for value in values)
    origins = frozenset({("structure", site)})
    return Data(Expr("list", exprs, None, made, None, m.span), origins)


def _is_by_place(m: Machine, site: Any) -> bool:
    """Tell whether a list has a slot for each item: it stays as long as it is."""
    return (BY_PLACE, site) in m.choices and ("structure", site) not in m.choices


def is_uniform(m: Machine, values: list[Value]) -> bool:
    """Tell whether values are data that a list of the run may hold: one kind of objects."""
    if not all(is_plain(m, value) for value in values):
        return False
    classes = {reflection.object_class(m, value) for value in values}
    return len(classes) < 2 and (m.is_handed or not is_mixed(values))


def is_mixed(values: Iterable[Value]) -> bool:
    """Tell whether there are numbers, lists of the run and arrays of one rank or another among values."""
    types = [value.type for value in values if isinstance(value, Data)]
    known = [t for t in types if isinstance(t, Number | Array | Reference)]
    return len({t.rank if isinstance(t, Array) else type(t) for t in known}) > 1


def is_plain(m: Machine, value: Value) -> bool:
    """Tell whether a value is data through and through."""
    if isinstance(value, Tup):
        return all(is_plain(m, part) for part in value.parts)
    return isinstance(value, Data) and value.later is None


def dict_of(m: Machine, pairs: list[tuple[Value, Value]], site: Any) -> Value:
    """Return a dict of values: memory of the run if all of it is data."""
    plain = all(is_plain(m, k) and is_plain(m, v) for k, v in pairs)
    is_known = ("structure", site) in m.choices or any(map(_is_object, pairs))
    if ("runtime", site) in m.choices or (not is_known and plain):
        keys = [written_out(m.to_data(k)) for k, _ in pairs]
        return dict_as_data(m, keys, [m.to_data(v) for _, v in pairs], site)
    slots = {demands.need(m, k): stable(m, v, "item") for k, v in pairs}
    return new_cell(m, Cell("dict", slots, dict, site))


def dict_as_data(m: Machine, keys: list[Data], values: list[Data], site: Any) -> Data:
    """Return a dict of the run as it is written out."""
    constant_keys = bool(keys) and all(_is_key(k) for k in keys)
    if ("keys", site) in m.choices:
        constant_keys = False
    made = m.memory.make(site, "fields" if constant_keys else "mapping", dict)
    if constant_keys:
        m.memory.note_born(made, [key.known.value for key in keys if key.known is not None])
    for key, value in zip(keys, values, strict=True):
        if constant_keys and key.known is not None:
            m.memory.store(made, key.known.value, value.type, value.known)
        else:
            m.memory.store(made, KEY, key.type, None)
            m.memory.store(made, ITEM, value.type, None)
    pairs = zip(keys, values, strict=True)
    exprs = tuple(Expr("item", (key.expr, value.expr)) for key, value in pairs)
    origins = frozenset({("structure", site), ("keys", site)})
    return Data(Expr("dict", exprs, None, made, None, m.span), origins)


def _is_object(pair: tuple[Value, Value]) -> bool:
    """Tell whether a key is a known object, such as a member of an enumeration."""
    key = pair[0]
    return isinstance(key, Data) and key.known is not None and isinstance(key.known.value, Enum)


def _is_key(key: Data) -> bool:
    return key.known is not None and isinstance(key.known.value, str | int | tuple)


def constant_keys(m: Machine, value: Value) -> list[Any] | None:
    """Return the keys of a dict, or of its view of them, that are constant and there in every run."""
    if isinstance(value, Data) and value.expr.op == "dict" and not value.expr.args:
        return []
    found = viewed(m, value)
    return certain_keys(m, found[0]) if found is not None and found[1] == "keys" else None


def viewed(m: Machine, value: Value) -> tuple[Data, str] | None:
    """Return the dict with constant keys that a value is, or is a view of, and what that gives."""
    if not isinstance(value, Data):
        return None
    expr, word = value.expr, "keys"
    if expr.op == "call" and expr.args[0].op == "attribute" and expr.args[0].data in VIEWS:
        value, word = Data(expr.args[0].args[0], value.origins), expr.args[0].data
    is_fixed = has_slots(m, value.type, dict) and items.fixed_length(m, value) is not None
    return (value, word) if is_fixed else None


def certain_keys(m: Machine, value: Data) -> list[Any]:
    """Return the keys of a dict under constant keys, if each is there in every run."""
    found = reference(value.type)
    assert found is not None
    keys = list(m.memory.of(found).slots)
    if all(m.memory.is_certain(found, key) for key in keys):
        return keys
    demands.demand_open(m, value.origins, "structure", "keys")
    demands.ask_by_places_around(m, found)
    demands.ask(m, value)
    raise refusal(m, "the keys of a dict that some ways alone store")


def key_of(m: Machine, owner: Data, place: Data) -> Data:
    """Return a key as it is written out where each key of a dict, or item of a list, has a slot."""
    if has_slots(m, owner.type, dict):
        return written_out(place)
    kept = list_with_slots(m, owner)
    if kept is None:
        is_array = isinstance(owner.type, Array | Numeric) and place.expr.op == "tuple"
        return _with_lists(m, place) if is_array else place
    position = None if place.known is None else place.known.value
    if isinstance(position, int) and position < 0:
        return literal(position + len(kept.slots))
    return written_out(place)


def _with_lists(m: Machine, place: Data) -> Data:
    """Return the subscript of an array with a list for a tuple within it: A[:, [0, 2]] of A[:, (0, 2)]."""
    parts = place.expr.args
    lists = tuple(_as_list(m, part) if _is_tuple(part.type) else part for part in parts)
    return place if lists == parts else Data(typed(m, Expr("tuple", lists)), place.origins)


def _is_tuple(type_: Type) -> bool:
    return isinstance(type_, Tuple | Sequence) and type_.cls in (None, tuple)


def _as_list(m: Machine, part: Expr) -> Expr:
    if part.op == "tuple":
        return typed(m, Expr("list", part.args, None, UNKNOWN, None, part.span))
    return typed(m, Expr("call", (global_("list", list), part), (), UNKNOWN, None, part.span))


def list_with_slots(m: Machine, value: Value) -> Kept | None:
    """Return the memory of a list that has a slot for each item; None of other values."""
    is_one = isinstance(value, Data) and has_slots(m, value.type, list)
    return memory_of(m, value.type) if is_one else None  # type: ignore[union-attr]


def ask_for_key(m: Machine, owner: Data, place: Data) -> None:
    """Ask for the key of a dict with constant keys, or for a dict under keys that are not."""
    if place.type == TEXT or iterables.is_of_several_types(m, owner):
        demands.ask(m, place)
    demands.demand_open(m, owner.origins, "keys")
    demands.ask(m, place)
