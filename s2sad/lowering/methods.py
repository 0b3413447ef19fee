"""Methods of data, and of structures that are known while lowering.

u.sum()          a call, as it was written
xs.append(v)     RegionOp(xs, append, v)
fs.append(g)     the known list fs grows
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from configparser import RawConfigParser
from typing import Any

from s2sad.ir.expression import EVERYTHING, Expr, Pattern, object_of
from s2sad.ir.program import RegionOp, Statement
from s2sad.ir.types import UNKNOWN, Array, Other, Reference, Tuple, Type, is_float
from s2sad.lowering import (
    demands,
    displays,
    evaluation_order,
    items,
    lazies,
    library,
    models,
    operations,
    places,
    reflection,
    sets,
)
from s2sad.lowering.items import VIEWS
from s2sad.lowering.machine import (
    Machine,
    emit,
    failing_as_python,
    flip,
    put,
    refusal,
    settled,
    site_of,
)
from s2sad.lowering.memory import ITEM, KEY
from s2sad.lowering.typing import item_type, reference, typed
from s2sad.lowering.values import (
    NONE,
    Data,
    Keywords,
    Lazy,
    Ref,
    Tup,
    Value,
    is_late,
    is_option,
    literal,
    origins_of,
)
from s2sad.prelude import ordering

CHANGES: Mapping[str, frozenset[str]] = {
    "list": frozenset({"append", "extend", "insert", "pop", "remove", "sort", "reverse", "clear"}),
    "mapping": frozenset({"pop", "popitem", "update", "setdefault", "clear"}),
    "set": frozenset({"add", "discard", "remove", "update", "clear", "pop"}),
}
GIVE_VALUES = frozenset({"pop", "popitem", "setdefault"})


def of_data(
    m: Machine, owner: Data, word: str, args: list[Value], kwargs: Keywords, node: Any
) -> Value:
    """Call a method of data."""
    known = _of_known(m, owner, word, args, node) if not kwargs else None
    if known is not None:
        return known
    if word == "__setitem__" and len(args) == 2:
        places.set_item(m, owner, args[0], args[1])
        return literal(None)
    if word == "__getitem__" and len(args) == 1:
        return m.item(owner, args[0], node)
    found = reference(owner.type)
    kind = "set" if owner.type == Other(set) else None
    if found is not None:
        kept = m.memory.of(found)
        kind = "list" if kept.kind == "list" or kept.cls is list else "mapping"
        if kind == "list" and kept.kind == "fields" and word in CHANGES[kind]:
            demands.demand_open(m, owner.origins, "structure")
            raise refusal(m, "a list that changes, and whose items are told apart")
    if isinstance(owner.type, Tuple) and hasattr(owner.type.cls, "_fields"):
        return _of_named_tuple(m, owner, word, args, kwargs, node)
    if kind == "list" and word == "sort" and _has_order(m, owner, kwargs):
        return _sort_by(m, owner, args, kwargs, node)
    made = sets.of_method(m, word, owner, args) if kind == "set" and not kwargs else None
    if made is not None:
        return made
    if kind is not None and word in CHANGES[kind]:
        return _change(m, owner, word, args, kwargs)
    if found is not None and m.memory.of(found).kind == "fields" and word in VIEWS:
        return lazies.view(m, owner, word)
    if found is not None and kind == "mapping" and word in VIEWS and not args:
        return lazies.view(m, owner, word)
    if found is not None and m.memory.of(found).cls is dict and word == "get" and not kwargs:
        given = _got(m, owner, found, args, node)
        if given is not None:
            return given
    if word == "copy" and operations.is_dict(m, owner):
        return models.as_dict(m, [owner], {}, node)
    is_vector = isinstance(owner.type, Array) and owner.type.rank == 1 and is_float(owner.type)
    if word == "tolist" and is_vector:
        return models.call(m, "list", list, [owner])
    args = [m.listed(a) if isinstance(a, Lazy) else a for a in args]
    function = Expr("attribute", (owner.expr,), word, UNKNOWN, None, m.span)
    data = [library.handed_over(m, a) for a in args]
    if word in ("index", "count") and any(reflection.holds_objects(m, d.type) for d in data):
        raise refusal(m, "an object of the user's that is searched")
    keywords = {k: library.handed_over(m, v) for k, v in kwargs.items()}
    exprs = (function, *(d.expr for d in data), *(d.expr for d in keywords.values()))
    made = typed(m, Expr("call", exprs, tuple(keywords), span=m.span))
    library.keep_written(m, made, [*args, *kwargs.values()])
    library.ask_for_options(m, made, [owner, *data, *keywords.values()])
    origins = origins_of(data) | (owner.origins if found is not None else frozenset())
    twin = library.called(m, made, origins)
    return library.with_effect(m, made, origins) if twin is None else twin


def _of_named_tuple(
    m: Machine, owner: Data, word: str, args: list[Value], kwargs: Keywords, node: Any
) -> Value:
    cls: Any = owner.type.cls if isinstance(owner.type, Tuple) else tuple
    parts = [m.attribute(owner, field) for field in cls._fields]
    return of_structure(m, f"tuple.{word}", Tup(tuple(parts), cls), args, kwargs, node)


# ---------------------------------------------------------------------------- changes in place


def _change(m: Machine, owner: Data, word: str, args: list[Value], kwargs: Keywords) -> Value:
    """Call a method that changes a list, dict or set."""
    is_update = word == "update" and operations.is_dict(m, owner)
    if is_update:
        args = [_as_dict(m, arg) for arg in args]
    plain = all(displays.is_plain(m, a) or isinstance(a, Data | Lazy) for a in args)
    if not plain and word in ("append", "insert", "extend", "setdefault", "update"):
        demands.demand_structure(m, owner)
    if word not in ("extend", "update") and any(map(is_late, args)):
        raise refusal(m, "what is gone through later than it is put into a list or dict")
    listed = [m.listed(a) if isinstance(a, Lazy) else a for a in args]
    data = [m.to_data(settled(m, a)) for a in listed]
    if word == "remove" and any(reflection.holds_objects(m, d.type) for d in data):
        raise refusal(m, "an object of the user's that is searched")
    if is_update and (not data or displays.constant_keys(m, data[0]) is not None):
        found = items.dict_items(m, data[0]) if data else []
        found += [(literal(key), value) for key, value in kwargs.items()]
        _set_all(m, found, lambda key, value: places.set_item(m, owner, key, value))
        return literal(None)
    if kwargs:
        return _by_call(m, owner, word, data, kwargs)
    _note(m, owner, word, data)
    if (found := reference(owner.type)) is not None:
        m.memory.of(found).may_be_split = False
    result = _result(m, owner, word, data)
    base, exprs, span = owner.expr, tuple(d.expr for d in data), m.span

    def statement(target: Pattern) -> Statement:
        return RegionOp(target, base, word, exprs, span)

    if word not in GIVE_VALUES:
        emit(m, statement(None))
        return literal(None)
    expr = Expr("call", (Expr("attribute", (base,), word), *exprs), (), result, None, span)
    return Data(expr, owner.origins, statement)


def _as_dict(m: Machine, value: Value) -> Value:
    """Return what a dict is updated by as a dict: of pairs, the dict that is made of them."""
    if operations.is_dict(m, value):
        return value
    return m.call(m.lift(dict, None), [value], {}, None)


def _by_call(m: Machine, owner: Data, word: str, data: list[Data], kwargs: Keywords) -> Value:
    """Call a method with keywords: xs.sort(reverse=True), d.update(other, a=1.0)."""
    keywords = {k: m.to_data(v) for k, v in kwargs.items()}
    found = reference(owner.type)
    if word == "update" and found is not None:
        for key, value in keywords.items():
            places.note_item(m, owner, literal(key), value.type)
    function = Expr("attribute", (owner.expr,), word, UNKNOWN, None, m.span)
    exprs = (function, *(d.expr for d in data), *(d.expr for d in keywords.values()))
    made = Expr("call", exprs, tuple(keywords), NONE, None, m.span)
    evaluation_order.as_statement(m, library.with_effect(m, made, frozenset()))
    return literal(None)


def _note(m: Machine, owner: Data, word: str, data: list[Data]) -> None:
    """Note what a method puts into memory."""
    found = reference(owner.type)
    if found is None:
        return
    kept = m.memory.of(found)
    match word:
        case "append" | "insert" if kept.kind == "list" and data:
            m.memory.store(found, ITEM, data[-1].type, None)
        case "extend" if data:
            m.memory.store(found, ITEM, item_type(m, data[0].type), None)
        case "setdefault" if len(data) > 1:
            places.note_item(m, owner, data[0], data[1].type)
        case "update" if data:
            _note_update(m, owner, data[0])
        case "pop" | "popitem" | "clear" if kept.kind == "fields":
            # a dict that loses keys is a mapping
            demands.demand_open(m, owner.origins, "keys")


def _note_update(m: Machine, owner: Data, other: Data) -> None:
    source = reference(other.type)
    if source is None:
        return
    kept = m.memory.of(source)
    if kept.kind == "fields":
        for key in list(kept.slots):
            places.note_item(m, owner, literal(key), m.memory.item(source, key))
    else:
        key = Data(Expr("name", (), None, m.memory.item(source, KEY)), owner.origins)
        places.note_item(m, owner, key, m.memory.item(source))


def _result(m: Machine, owner: Data, word: str, data: list[Data]) -> Type:
    found = reference(owner.type)
    if found is None or word not in GIVE_VALUES:
        return UNKNOWN if found is None else NONE
    kept = m.memory.of(found)
    if kept.kind == "fields":
        key = data[0].known if data else None
        return UNKNOWN if key is None else m.memory.item(found, key.value)
    item = m.memory.item(found)
    if word == "popitem":
        return Tuple((m.memory.item(found, KEY), item))
    has_default = word == "pop" and len(data) > 1
    return m.memory.joined(item, data[1].type) if has_default else item


def _has_order(m: Machine, owner: Data, kwargs: Keywords) -> bool:
    """Tell whether what is less is computed: from a key, or by the class of the items."""
    return "key" in kwargs or models.is_of_objects(m, owner)


def _sort_by(m: Machine, owner: Data, args: list[Value], kwargs: Keywords, node: Any) -> Value:
    """Sort a list by a key: the sorted list is stored in it."""
    function = m.lift(ordering.sorted_by, None)
    ordered = m.to_data(m.called(function, [owner, *args], kwargs, node))
    places.set_item(m, owner, Data(EVERYTHING), ordered)
    return literal(None)


# ---------------------------------------------------------------------------- known structures


def of_structure(
    m: Machine, word: str, owner: Value, args: list[Value], kwargs: Keywords, node: Any
) -> Value:
    """Call a method of a known list, dict, tuple or iterator."""
    kind, method = word.split(".")
    match kind, owner:
        case "list", Ref():
            return _of_list(m, method, owner, args, node)
        case "dict", _:
            return _of_dict(m, method, owner, args, kwargs, node)
        case "tuple", Tup():
            return _of_tuple(m, method, owner, args, kwargs, node)
        case "lazy", Lazy():
            return _of_super(m, method, owner)
    raise refusal(m, f"{word}()")


def _of_list(m: Machine, method: str, owner: Ref, args: list[Value], node: Any) -> Value:
    parts = list(m.heap[owner.id].slots.values())
    match method:
        case "append":
            put(m, (owner.id, len(parts)), args[0], always=False)
        case "extend":
            places.set_parts(m, owner, parts + m.parts_of(args[0]))
        case "insert":
            parts.insert(demands.need(m, args[0]), args[1])
            places.set_parts(m, owner, parts)
        case "pop":
            with failing_as_python(m):
                found = parts.pop(demands.need(m, args[0]) if args else -1)
            places.set_parts(m, owner, parts)
            return found
        case "reverse":
            places.set_parts(m, owner, parts[::-1])
        case "clear":
            places.set_parts(m, owner, [])
        case "copy":
            return displays.list_of(m, parts, site_of(m, node))
        case _:
            flip(m, m.heap[owner.id].site, "runtime")
    return literal(None)


def _of_known(m: Machine, owner: Data, word: str, args: list[Value], node: Any) -> Value | None:
    """Return what a method of a known text, or of settings, gives: options, or a list of them."""
    value = object_of(owner.expr) if owner.known is None else owner.known.value
    is_setting = isinstance(value, RawConfigParser) and word.startswith(("get", "has_"))
    if type(value) is not str and not is_setting:
        return None
    given = [each.known if isinstance(each, Data) else None for each in args]
    if None in given:
        return None
    try:
        found = getattr(value, word)(*(each.value for each in given if each))
    except Exception:
        return None  # Python says why, where it is run
    if is_option(found) or isinstance(found, int | float):
        return literal(found)
    if not isinstance(found, list | tuple) or not all(map(is_option, found)):
        return None
    parts = [literal(each) for each in found]
    is_list = isinstance(found, list)
    return displays.list_of(m, parts, site_of(m, node)) if is_list else Tup(tuple(parts))


def _got(m: Machine, owner: Data, found: Reference, args: list[Value], node: Any) -> Value | None:
    """Return what a dict whose keys are known gives for one; None where that is not known."""
    place = args[0]
    if m.memory.of(found).kind != "fields" or not isinstance(place, Data):
        return None
    if place.known is None:
        displays.ask_for_key(m, owner, place)
        return None
    if m.memory.read(found, place.known.value) is None:
        return args[1] if len(args) > 1 else literal(None)
    is_certain = m.memory.is_certain(found, place.known.value)
    return m.item(owner, place, node) if is_certain else None


def _of_dict(
    m: Machine, method: str, owner: Any, args: list[Value], kwargs: Keywords, node: Any
) -> Value:
    cell = m.heap[owner.id]
    match method:
        case "items" | "values" | "keys":
            return Lazy("view", (owner,), method)
        case "get":
            default = args[1] if len(args) > 1 else literal(None)
            return cell.slots.get(demands.known_key(m, cell, args[0]), default)
        case "pop":
            with failing_as_python(m):
                return cell.slots.pop(demands.need(m, args[0]), *args[1:])
        case "setdefault":
            key = demands.need(m, args[0])
            if key not in cell.slots:
                default = args[1] if len(args) > 1 else literal(None)
                put(m, (owner.id, key), default, always=False)
            return cell.slots[key]
        case "update":
            _update(m, owner, args, kwargs)
            return literal(None)
        case "copy":
            return displays.dict_of(m, items.dict_items(m, owner), site_of(m, node))
    flip(m, cell.site, "runtime")


def _update(m: Machine, owner: Any, args: list[Value], kwargs: Keywords) -> None:
    found = [pair for arg in args for pair in items.dict_items(m, items.as_mapping(m, arg))]
    found += [(literal(word), value) for word, value in kwargs.items()]
    _set_all(m, found, lambda k, v: put(m, (owner.id, demands.need(m, k)), v, always=False))


def _set_all(
    m: Machine, pairs: list[tuple[Value, Value]], store: Callable[[Any, Value], None]
) -> None:
    """Set keys one after the other to values that were there before the first was set."""
    values: list[Any] = [value for _, value in pairs]
    evaluation_order.one_by_one(m, values, lambda at, value: store(pairs[at][0], value))


def _of_tuple(
    m: Machine, method: str, owner: Tup, args: list[Value], kwargs: Keywords, node: Any
) -> Value:
    fields: Any = getattr(owner.cls, "_fields", ())
    match method:
        case "_replace":
            values = dict(zip(fields, owner.parts, strict=True)) | dict(kwargs)
            return Tup(tuple(values.values()), owner.cls)
        case "_asdict":
            pairs = [(literal(k), v) for k, v in zip(fields, owner.parts, strict=True)]
            return displays.dict_of(m, list(pairs), site_of(m, node))
        case "index" | "count":
            found = [demands.need(m, part) for part in owner.parts]
            return literal(getattr(found, method)(demands.need(m, args[0])))
    raise refusal(m, f"tuple.{method}")


def _of_super(m: Machine, method: str, owner: Lazy) -> Value:
    """Call a method of super() that no class above has."""
    if owner.kind != "super":
        raise refusal(m, f"{method} of an iterator")
    if method in ("__init__", "__init_subclass__", "__post_init__"):
        return literal(None)
    raise refusal(m, f"super().{method}")
