"""Items: what stands at a subscript, which may be a slice or several, and the parts of what has a known number.

u[i]           Data written u[i]
layers[0]      the first function of a known list

u[1:-1, k]      one value: a tuple of a slice and an index
fixed_length    how many items data has, where its type says so
"""

from __future__ import annotations

import enum
from collections.abc import Sequence as Values
from typing import Any

import gast
import numpy as np

from s2sad.ir.expression import Expr, Known, calls, global_, keywords, name, positional
from s2sad.ir.program import Let
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Length,
    Number,
    Numeric,
    Other,
    Reference,
    Sequence,
    Tuple,
    Type,
)
from s2sad.lowering import (
    attributes,
    demands,
    displays,
    evaluation_order,
    iterables,
    library,
    reflection,
)
from s2sad.lowering.list_lengths import ends_of_range
from s2sad.lowering.machine import Machine, emit, fresh, named, put, refusal, site_of
from s2sad.lowering.typing import LISTS, has_slots, item_type, reference
from s2sad.lowering.values import (
    Code,
    Data,
    Fails,
    Fields,
    Lazy,
    Ref,
    Tup,
    Value,
    literal,
    option_at,
    origins_of,
    word_of,
)
from s2sad.prelude import mappings
from s2sad.types import Mismatch

MOST_ITEMS = 64  # of an array whose items are taken one by one


# ---------------------------------------------------------------------------- one item


def item(m: Machine, owner: Value, place: Value, node: Any) -> Value:
    """Return owner[place]."""
    if isinstance(owner, Code) and isinstance(owner.obj, type):
        return owner
    if isinstance(maker := _global(owner), type(np.s_)):
        return _own_index(place, maker.maketuple)
    if isinstance(owner, Fields):
        return _entry(m, owner, place, node)
    owner = library.entries_of(m, owner)
    if reflection.is_object(m, owner):
        return m.called(m.attribute(owner, "__getitem__"), [place], {}, node)
    if isinstance(owner, Tup) or (isinstance(owner, Ref) and m.heap[owner.id].kind == "list"):
        return _item_of_parts(m, owner, place, node)
    if isinstance(owner, Ref):
        return _entry(m, owner, place, node)
    return _item_of_data(m, m.to_data(owner), m.to_data(place))


def _global(value: Value) -> Any:
    """Return the object of a module that a value is; None for another one."""
    return value.expr.data.value if isinstance(value, Data) and value.expr.op == "global" else None


def _own_index(place: Value, is_tuple: bool) -> Value:
    """Return what np.s_[...] and np.index_exp[...] give: their index, the latter always a tuple."""
    if isinstance(place, Data) and place.expr.op == "tuple":
        return Tup(tuple(Data(part, place.origins) for part in place.expr.args))
    return Tup((place,)) if is_tuple and not isinstance(place, Tup) else place


def _entry(m: Machine, owner: Ref | Fields, place: Value, node: Any) -> Value:
    """Return what a known dict holds under a key."""
    cell = m.heap[owner.id]
    key = demands.known_key(m, cell, place)
    if key not in cell.slots:
        if not isinstance(cell.cls, Value):
            raise Fails(f"there is no key {key!r}", m.span, raised=KeyError)
        put(m, (owner.id, key), m.called(cell.cls, [], {}, node), always=False)
    return cell.slots[key]


def _item_of_data(m: Machine, owner: Data, place: Data) -> Value:
    place = displays.key_of(m, owner, place)
    if place.known is not None and (option := option_at(owner.type, place.known.value)) is not None:
        return option
    if (written := _item_written_out(owner, place)) is not None:
        return written
    is_number = isinstance(owner.type, Number) and owner.type.boxed
    if is_number and place.known is None and isinstance(place.type, Reference | Sequence):
        wanted = ("structure", "unroll")  # mean[tuple(key)], of np.newaxis alone
        demands.demand_open(m, place.origins, *wanted)
    if is_number and _is_open(entries := _entries(place)):
        return _reshaped(m, owner, entries.count(None)) if entries else owner
    if is_number or (isinstance(owner.type, Array) and not owner.type.rank):
        if isinstance(place.type, Number) and place.type.dtype == "bool":  # a mask of one element
            return _item_of_data(m, _reshaped(m, owner, 1), _reshaped(m, place, 1))
    if owner.expr.op == "tuple" and place.known is None and place.expr.op != "slice":
        owner = named(m, owner, "parts")  # as any may be meant, all have adjoints, under one name
    if (
        place.expr.op == "slice"
        and owner.expr.op == "call"
        and isinstance(owner.type, Reference | Sequence | Tuple)
    ):
        owner = named(m, owner, "parts")  # a part of what a call gives has adjoints in the whole
    expr = Expr("subscript", (owner.expr, place.expr))
    if place.known is not None and isinstance(place.known.value, int):
        demands.ask_by_place(m, owner)
    found = reference(owner.type)
    if found is not None and _has_slots(m, found):
        return _item_of_fields(m, owner, place, expr)
    made = evaluation_order.operation(m, expr, owner, place)
    is_key = isinstance(place.type, Reference | Sequence)
    if (
        is_key
        and isinstance(owner.type, Array)
        and (not isinstance(made.type, Array) or _are_slices(place.type))
    ):
        demands.demand_open(m, place.origins, "structure")  # slices and positions: u[tuple(key)]
    if made.known is not None and isinstance(owner.type, Tuple):
        return made  # a length of an array
    return reflection.of_type(m, made.type, made.expr, made.origins, made.known)


def _are_slices(type_: Type) -> bool:
    """Tell whether a value is a tuple of slices, however many."""
    return isinstance(type_, Sequence) and type_.item == SLICE


def _item_written_out(owner: Data, place: Data) -> Data | None:
    """Return the item of a tuple that a function was made for: of (2, 1) it is a literal, too.

    So is a number that a module keeps under a member of an Enum: no saved text has that key.
    """
    items = owner.expr.data if owner.expr.op == "constant" else ()
    key = place.known.value if place.known is not None else None
    if isinstance(key, enum.Enum) and isinstance(table := _global(owner), dict):
        found = table.get(key)
        return literal(found) if type(found) in (int, float, bool) else None
    if not isinstance(items, tuple) or not isinstance(key, int):
        return None
    return literal(items[key]) if -len(items) <= key < len(items) else None


def _reshaped(m: Machine, value: Data, axes: int) -> Data:
    """Return a number as an array of one element."""
    return m.to_data(m.call(m.lift(np.reshape, None), [value, literal((1,) * axes)], {}, None))


def _entries(place: Data) -> tuple[Any, ...]:
    found = place.known.value if place.known is not None else 0
    return found if isinstance(found, tuple) else (found,)


def _is_open(entries: tuple[Any, ...]) -> bool:
    """Tell whether a subscript adds axes, and asks for no part: a number of NumPy's has none."""
    return all(each is None or each is Ellipsis for each in entries)


def _has_slots(m: Machine, found: Reference) -> bool:
    """Tell whether memory is a list, tuple or dict whose slots differ: brackets of np.r_ compute."""
    kept = m.memory.of(found)
    return kept.kind == "fields" and issubclass(kept.cls or dict, (list, tuple, dict))


def _item_of_fields(m: Machine, owner: Data, place: Data, expr: Expr) -> Value:
    """Return what memory whose slots differ holds under a key."""
    if place.known is None:
        displays.ask_for_key(m, owner, place)
    elif m.is_tried and not m.memory.is_certain(owner.type, place.known.value):
        if _lacks_of_module(m, owner, place.known.value):
            raise Fails(f"there is no key {place.known.value!r}", m.span, raised=KeyError)
        demands.demand_structure(m, owner)
        raise refusal(m, "a key that some ways alone may give, in a `try`,")
    made = evaluation_order.operation(m, expr, owner, place)
    key = ("item", str(getattr(place.known, "value", None)))
    return attributes.part(m, made.type, made.known, made.expr, made.origins, key)


def _lacks_of_module(m: Machine, owner: Data, key: Any) -> bool:
    """Tell whether a dict that belongs to a module has no such key: nobody may change it."""
    kept, root = m.memory.of(owner.type), owner.expr
    while root.op in ("attribute", "subscript"):
        root = root.args[0]
    return root.op == "global" and kept.cls is dict and key not in kept.slots


def _item_of_parts(m: Machine, owner: Value, place: Value, node: Any) -> Value:
    parts = parts_of(m, owner)
    if isinstance(place, Data) and place.known is None:
        plain = all(displays.is_plain(m, p) for p in parts)
        if plain and isinstance(owner, Tup):
            return item(m, m.to_data(owner), place, node)
    known = isinstance(owner, Tup)
    key = demands.need(m, place) if known else demands.known_key(m, m.heap[owner.id], place)
    if isinstance(key, slice):
        if isinstance(owner, Tup):
            return Tup(tuple(parts[key]))
        return displays.list_of(m, parts[key], site_of(m, node))
    if not isinstance(key, int | np.integer) or not -len(parts) <= key < len(parts):
        raise Fails("an index is out of range", m.span, raised=IndexError)
    return parts[key]


# ---------------------------------------------------------------------------- all items


def parts_of(m: Machine, value: Value) -> list[Value]:
    """Return the items of what has a known number of them."""
    match value:
        case Tup():
            return list(value.parts)
        case Ref():
            return _parts_of_cell(m, value)
        case Lazy():
            return iterables.collected(m, value)
        case Fields():
            return [literal(key) for key in m.heap[value.id].slots]
        case Data():
            if reflection.is_object(m, value):
                return m.parts_of(iterables.opened(m, value))
            return _parts_of_data(m, value)
    raise refusal(m, f"the items of {word_of(value)}")


def _parts_of_cell(m: Machine, value: Ref) -> list[Value]:
    cell = m.heap[value.id]
    if cell.kind == "list":
        return list(cell.slots.values())
    if cell.kind == "dict":
        return [literal(key) for key in cell.slots]
    if m.find(value, "__iter__") is None and m.find(value, "__getitem__") is None:
        raise refusal(m, "the items of an object")
    return m.parts_of(iterables.opened(m, value))


def _parts_of_data(m: Machine, value: Data) -> list[Value]:
    expr = value.expr
    if expr.op in ("tuple", "list") and not any(e.op == "starred" for e in expr.args):
        return [Data(arg, value.origins) for arg in expr.args]
    if value.known is not None and isinstance(value.known.value, range | str | tuple):
        return [literal(each) for each in value.known.value]
    if (found := displays.viewed(m, value)) is not None:
        pairs, word = dict_items(m, found[0]), found[1]
        return [Tup(pair) if word == "items" else pair[word == "values"] for pair in pairs]
    count = fixed_length(m, value)
    if count is not None and (calls(expr, zip) or calls(expr, enumerate)):
        return _parts_of_domain(m, value, count)
    if count is None:
        _assume_length(m, value)
        demands.demand_open(m, value.origins, "structure")
        raise refusal(m, "the items of what has a length that is not known")
    if isinstance(value.type, Tuple) and value.expr.op == "call" and value.pending is None:
        return named_parts(m, value, value.type.items)
    value = evaluation_order.name_if_long(m, indexable(value), "parts")
    return [item(m, value, literal(k), None) for k in range(count)]


def named_parts(m: Machine, value: Data, types: Values[Type]) -> list[Value]:
    """Return the results of a call, each under a name: x, y = np.broadcast_arrays(x, y)."""
    names = tuple(fresh(m, f"part_{k}") for k in range(len(types)))
    emit(m, Let(names, value.expr, m.span))
    return [Data(name(each, t), value.origins) for each, t in zip(names, types, strict=True)]


def _parts_of_domain(m: Machine, value: Data, count: int) -> list[Value]:
    """Return the items of zip or enumerate of so many: tuples of the parts of what they go over."""
    args = [Data(arg, value.origins) for arg in positional(value.expr)]
    if calls(value.expr, zip):
        columns = [first_items(m, arg, count) for arg in args]
    else:
        given = [*args[1:], *map(Data, keywords(value.expr).values()), literal(0)]
        first = demands.need(m, given[0])
        columns = [[literal(first + k) for k in range(count)], m.parts_of(args[0])]
    return [Tup(parts) for parts in zip(*columns, strict=True)]


def first_items(m: Machine, value: Value, count: int) -> list[Value]:
    """Return so many items from the first on."""
    data = m.to_data(value)
    if isinstance(item_type(m, data.type), Numeric):
        demands.ask_for_slots(m, data)  # a list beside another one whose items differ in rank
    demands.ask_for_items_of_list(m, data)
    if fixed_length(m, data) is not None:
        return m.parts_of(data)[:count]
    whole = evaluation_order.name_if_long(m, indexable(data), "column")
    return [item(m, whole, literal(k), None) for k in range(count)]


def _assume_length(m: Machine, value: Data) -> None:
    """Ask that an array whose items are taken one by one be as long as in the example."""
    if not isinstance(value.type, Array) or not value.type.lengths:
        return
    length = value.type.lengths[0]
    size = None if length is None else m.context.assumptions.value(length)
    if length is not None and size is not None and size <= MOST_ITEMS:
        raise Mismatch(length, Length((), size))


def as_mapping(m: Machine, value: Value) -> Value:
    """Return an object that has keys as the dict of what it holds; other values as they are."""
    if not reflection.is_object(m, value) or m.find(value, "keys") is None:
        return value
    return m.call(m.lift(mappings.entries, None), [value], {}, None)


def dict_items(m: Machine, value: Value) -> list[tuple[Value, Value]]:
    """Return the items of a dict whose keys are known."""
    if isinstance(value, Fields) or (isinstance(value, Ref) and m.heap[value.id].kind == "dict"):
        return [(literal(k), v) for k, v in m.heap[value.id].slots.items()]
    if isinstance(value, Data):
        if value.expr.op == "dict":
            pairs = [each.args for each in value.expr.args]
            return [(Data(k, value.origins), Data(v, value.origins)) for k, v in pairs]
        if has_slots(m, value.type):
            found_keys = displays.certain_keys(m, value)
            value = evaluation_order.name_if_long(m, value, "entries")
            return [(literal(k), item(m, value, literal(k), None)) for k in found_keys]
        demands.demand_open(m, value.origins, "structure")
    raise refusal(m, "the items of a dict that is not known")


SLICE = Other(slice)

VIEWS = ("items", "values", "keys")

ITERATORS = ("zip", "enumerate", "reversed", "map", "filter")


def index(m: Machine, node: Any) -> Value:
    """Return an index; slices are data."""
    if isinstance(node, gast.Slice):
        return _slice(m, node)
    if isinstance(node, gast.Tuple) and any(
        isinstance(n, gast.Slice | gast.Starred) for n in node.elts
    ):
        return _several(m, node)
    return _with_known_slices(m, m.evaluate(node))


def _with_known_slices(m: Machine, place: Value) -> Value:
    """Return an index with the slices in it written out, where they are known: INNER = slice(1, -1)."""
    known = place.known.value if isinstance(place, Data) and place.known else _global(place)
    if isinstance(known, slice):
        return slice_of(m, [literal(end) for end in (known.start, known.stop, known.step)])
    if isinstance(known, tuple) and any(isinstance(part, slice) for part in known):
        return m.to_data(Tup(tuple(_with_known_slices(m, literal(part)) for part in known)))
    return place


def _slice(m: Machine, node: Any) -> Data:
    ends = [node.lower, node.upper, node.step]
    found = evaluation_order.in_order(
        m, *(lambda n=n: evaluation_order.data(m, n) for n in ends if n is not None)
    )
    rest = iter(found)
    return slice_of(m, [literal(None) if n is None else m.to_data(next(rest)) for n in ends])


def slice_of(m: Machine, parts: list[Data]) -> Data:
    """Return the slice of a start, an end and a step."""
    known = None
    if all(p.known is not None for p in parts):
        known = Known(slice(*(p.known.value for p in parts if p.known)))
    expr = Expr("slice", tuple(p.expr for p in parts), None, SLICE, known, m.span)
    return Data(expr, origins_of(parts))


def _several(m: Machine, node: Any) -> Data:
    values = evaluation_order.in_order(
        m, *(lambda n=n: index(m, n.value if isinstance(n, gast.Starred) else n) for n in node.elts)
    )
    parts: list[Data] = []
    for n, v in zip(node.elts, values, strict=True):
        each = m.parts_of(v) if isinstance(n, gast.Starred) else [v]
        parts += [m.to_data(part) for part in each]
    type_ = Tuple(tuple(p.type for p in parts))
    known = None
    if all(p.known is not None for p in parts):
        known = Known(tuple(p.known.value for p in parts if p.known))
    expr = Expr("tuple", tuple(p.expr for p in parts), None, type_, known, m.span)
    return Data(expr, origins_of(parts))


def is_tuple(value: Value) -> bool:
    """Tell whether a value is a tuple, be it taken apart or not."""
    return isinstance(value, Tup) or (isinstance(value, Data) and isinstance(value.type, Tuple))


def fixed_length(m: Machine, value: Data) -> int | None:
    """Return how many items data has in every run; None where that is not known."""
    if value.known is not None and isinstance(value.known.value, range | str | tuple):
        return len(value.known.value)
    if value.expr.op == "list" and not any(e.op == "starred" for e in value.expr.args):
        return len(value.expr.args)
    if (
        value.expr.op == "call"
        and value.expr.args[0].op == "attribute"
        and value.expr.args[0].data in VIEWS
    ):
        return fixed_length(m, Data(value.expr.args[0].args[0], value.origins))
    match value.type:
        case Tuple(items):
            return len(items)
        case Array(_, lengths) if lengths and isinstance(lengths[0], Length):
            return lengths[0].constant if lengths[0].is_literal else None
        case Reference():
            kept = m.memory.of(value.type)
            fixed = kept.kind == "fields" and kept.cls in (*LISTS, dict)
            fixed = fixed and all(m.memory.is_certain(value.type, k) for k in kept.slots)
            return len(kept.slots) if fixed else None
        case Sequence(_, cls) if cls in (zip, enumerate, reversed):
            return _length_of_domain(m, value)
        case Sequence(_, cls) if cls is range:
            least, most = ends_of_range(value.expr) or (None, None)
            passes = None if least is None or most is None else most - least + 1
            return None if passes is None or not passes.is_literal else max(0, passes.constant)
    return None


def _length_of_domain(m: Machine, value: Data) -> int | None:
    """Return how many items zip, enumerate or reversed of some data give."""
    if value.expr.op != "call":
        return None
    args = positional(value.expr)
    args = args if calls(value.expr, zip) else args[:1]
    counts = {arg: fixed_length(m, Data(arg)) for arg in args}
    count = min((c for c in counts.values() if c is not None), default=None)
    is_certain = all(c is not None or _is_as_long(m, arg, count) for arg, c in counts.items())
    return count if is_certain else None


def _is_as_long(m: Machine, over: Expr, count: int | None) -> bool:
    """Tell whether an array has so many items in the examples: each of them is asked for."""
    length = over.type.lengths[0] if isinstance(over.type, Array) and over.type.lengths else None
    size = None if length is None else m.context.assumptions.value(length)
    return count is not None and size is not None and size >= count


def indexable(value: Data) -> Data:
    """Return a list of what an iterator of the run gives."""
    expr = value.expr
    if expr.op == "comprehension" and expr.data == "generator":
        return _listed(value)
    if expr.op != "call":
        return value
    function = expr.args[0]
    gone = function.op == "global" and function.data.text in ITERATORS
    gone |= function.op == "attribute" and function.data in VIEWS
    return _listed(value) if gone else value


def is_reversed(value: Value) -> bool:
    """Tell whether a value is what reversed() gives of data."""
    return isinstance(value, Data) and calls(value.expr, reversed)


def reversed_at_once(m: Machine, value: Value) -> Value:
    """Return a sequence that is gone through from its end at once, xs[::-1] of reversed(xs); others as they are."""
    if not isinstance(value, Data) or not is_reversed(value):
        return value
    over = indexable(Data(value.expr.args[1], value.origins))
    if over.expr.op in ("list", "tuple"):
        return displays.tuple_of(m, parts_of(m, over)[::-1])
    return m.item(over, slice_of(m, [literal(None), literal(None), literal(-1)]), None)


def _listed(value: Data) -> Data:
    type_ = value.type
    seen = Sequence(type_.item, list) if isinstance(type_, Sequence) else UNKNOWN
    called = Expr("call", (global_("list", list), value.expr), (), seen, None, value.expr.span)
    return Data(called, value.origins)
