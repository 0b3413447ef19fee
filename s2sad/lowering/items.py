"""Items: subscripts, slices, the parts of what has a known number of them, and what must be known.

u[i]           Data written u[i]
layers[0]      the first function of a known list
need(n)        what n is; where that is not known, lowering begins again so that it is
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import Refused, UnknownFunction
from s2sad.ir.expression import Expr, Known, global_
from s2sad.ir.types import UNKNOWN, Array, Length, Other, Reference, Sequence, Tuple
from s2sad.lowering import attributes, calls, iterate, lifting
from s2sad.lowering import evaluate as evaluating
from s2sad.lowering.machine import Machine, flip, put, refusal, site_of
from s2sad.lowering.typing import LISTS, reference
from s2sad.lowering.values import (
    Choice,
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
    origins_of,
    word_of,
)
from s2sad.types import Mismatch

SLICE = Other(slice)
MOST_ITEMS = 64  # of an array whose items are taken one by one
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
    return evaluating.evaluate(m, node)


def _slice(m: Machine, node: Any) -> Data:
    ends = [node.lower, node.upper, node.step]
    found = evaluating.in_order(
        m, [lambda n=n: evaluating.data(m, n) for n in ends if n is not None]
    )
    rest = iter(found)
    parts = [literal(None) if n is None else lifting.to_data(m, next(rest)) for n in ends]
    known = None
    if all(p.known is not None for p in parts):
        known = Known(slice(*(p.known.value for p in parts if p.known)))
    expr = Expr("slice", tuple(p.expr for p in parts), None, SLICE, known, m.span)
    return Data(expr, origins_of(found))


def _several(m: Machine, node: Any) -> Data:
    values = evaluating.in_order(
        m,
        [lambda n=n: index(m, n.value if isinstance(n, gast.Starred) else n) for n in node.elts],
    )
    parts: list[Data] = []
    for n, v in zip(node.elts, values, strict=True):
        each = parts_of(m, v) if isinstance(n, gast.Starred) else [v]
        parts += [lifting.to_data(m, part) for part in each]
    type_ = Tuple(tuple(p.type for p in parts))
    known = None
    if all(p.known is not None for p in parts):
        known = Known(tuple(p.known.value for p in parts if p.known))
    expr = Expr("tuple", tuple(p.expr for p in parts), None, type_, known, m.span)
    return Data(expr, origins_of(parts))


def need(m: Machine, value: Value) -> Any:
    """Return what a value is, or ask for a lowering in which that is known."""
    if isinstance(value, Tup):
        return tuple(need(m, part) for part in value.parts)
    if isinstance(value, Code):
        return value.obj
    data = lifting.to_data(m, value)
    if data.known is not None:
        return data.known.value
    ask(m, data)
    problem = "what this line needs is not known when the derivative is made"
    hint = (
        "A name, key, option or number of items decides here what is computed: write it out, choose\n"
        "with an `if`, or give an example of the arguments: like=(...)."
    )
    raise Refused(UnknownFunction(problem, m.span, hint))


def ask(m: Machine, value: Data) -> None:
    """Begin again with a choice that makes a value known, if there is one."""
    for origin in _open_choices(m, value):
        raise Demand(origin)


def can_be_known(m: Machine, value: Data) -> bool:
    """Tell whether a choice that was not made yet would make a value known."""
    return bool(_open_choices(m, value))


def _open_choices(m: Machine, value: Data) -> list[Choice]:
    """Return the choices that would make a value known, and were neither made nor refused."""
    found = [o for o in sorted(value.origins, key=str) if o[0] in ("unroll", "known")]
    return [o for o in found if not {o, ("no " + o[0], *o[1:])} & m.choices]


def comes_from_a_choice(value: Data) -> bool:
    """Tell whether a choice would make a value known, or was made for that."""
    return any(origin[0] in ("unroll", "known") for origin in value.origins)


# ---------------------------------------------------------------------------- one item


def item(m: Machine, owner: Value, place: Value, node: Any) -> Value:
    """Return owner[place]."""
    if isinstance(owner, Code) and isinstance(owner.obj, type):
        return owner
    if isinstance(owner, Fields):
        return m.heap[owner.id].slots[need(m, place)]
    if lifting.is_object(m, owner):
        return calls.called(m, attributes.attribute(m, owner, "__getitem__"), [place], {}, node)
    if isinstance(owner, Tup) or (isinstance(owner, Ref) and m.heap[owner.id].kind == "list"):
        return _item_of_parts(m, owner, place, node)
    if isinstance(owner, Ref):
        return _entry(m, owner, place, node)
    return _item_of_data(m, lifting.to_data(m, owner), lifting.to_data(m, place))


def _entry(m: Machine, owner: Ref, place: Value, node: Any) -> Value:
    """Return what a known dict holds under a key."""
    cell = m.heap[owner.id]
    key = need(m, place)
    if key not in cell.slots:
        if not isinstance(cell.cls, Value):
            raise Fails(f"there is no key {key!r}", m.span)
        put(m, (owner.id, key), calls.called(m, cell.cls, [], {}, node), always=False)
    return cell.slots[key]


def _item_of_data(m: Machine, owner: Data, place: Data) -> Value:
    expr = Expr("subscript", (owner.expr, place.expr))
    if owner.expr.op == "tuple" and place.known is not None and isinstance(place.known.value, int):
        parts = owner.expr.args
        if all(is_atomic(p) for p in parts) and -len(parts) <= place.known.value < len(parts):
            return Data(parts[place.known.value], owner.origins)
    found = reference(owner.type)
    if found is not None and m.memory.of(found).kind == "fields":
        return _item_of_fields(m, owner, found, place, expr)
    made = evaluating.operation(m, expr, owner, place)
    return lifting.of_type(m, made.type, made.expr, made.origins, made.known)


def _item_of_fields(m: Machine, owner: Data, found: Reference, place: Data, expr: Expr) -> Value:
    """Return what memory whose slots differ holds under a key."""
    kept = m.memory.of(found)
    if place.known is None:
        origins = set(owner.origins) - m.choices
        if kept.cls is dict:
            for origin in origins:
                if origin[0] == "keys":
                    raise Demand(origin)
        if comes_from_a_choice(place):
            need(m, place)
    made = evaluating.operation(m, expr, owner, place)
    key = ("item", str(getattr(place.known, "value", None)))
    return attributes.part(m, made.type, made.known, made.expr, made.origins, key)


def _item_of_parts(m: Machine, owner: Value, place: Value, node: Any) -> Value:
    parts = parts_of(m, owner)
    if isinstance(place, Data) and place.known is None:
        plain = all(evaluating.is_plain(m, p) for p in parts)
        if plain and isinstance(owner, Tup):
            return item(m, lifting.to_data(m, owner), place, node)
        if isinstance(owner, Ref) and not comes_from_a_choice(place):
            flip(m, m.heap[owner.id].site, "runtime")
    key = need(m, place)
    if isinstance(key, slice):
        if isinstance(owner, Tup):
            return Tup(tuple(parts[key]))
        return evaluating.list_of(m, parts[key], site_of(m, node))
    if not isinstance(key, int | np.integer) or not -len(parts) <= key < len(parts):
        raise Fails("an index is out of range", m.span)
    return parts[key]


# ---------------------------------------------------------------------------- all items


def is_tuple(value: Value) -> bool:
    """Tell whether a value is a tuple, be it taken apart or not."""
    return isinstance(value, Tup) or (isinstance(value, Data) and isinstance(value.type, Tuple))


def parts_of(m: Machine, value: Value) -> list[Value]:
    """Return the items of what has a known number of them."""
    match value:
        case Tup():
            return list(value.parts)
        case Ref():
            return _parts_of_cell(m, value)
        case Lazy():
            return iterate.collected(m, value)
        case Fields():
            return [literal(key) for key in m.heap[value.id].slots]
        case Data():
            if lifting.is_object(m, value):
                return iterate.collected(m, value)
            return _parts_of_data(m, value)
    raise refusal(m, f"the items of {word_of(value)}")


def _parts_of_cell(m: Machine, value: Ref) -> list[Value]:
    cell = m.heap[value.id]
    if cell.kind == "list":
        return list(cell.slots.values())
    if cell.kind == "dict":
        return [literal(key) for key in cell.slots]
    if attributes.find(m, value, "__iter__") is None:
        raise refusal(m, "the items of an object")
    return iterate.collected(m, value)


def _parts_of_data(m: Machine, value: Data) -> list[Value]:
    expr = value.expr
    if expr.op in ("tuple", "list") and not any(e.op == "starred" for e in expr.args):
        return [Data(arg, value.origins) for arg in expr.args]
    if value.known is not None and isinstance(value.known.value, range | str | tuple):
        return [literal(each) for each in value.known.value]
    count = fixed_length(m, value)
    if count is None:
        _assume_length(m, value)
        raise _unknown_length(m, value)
    kept = m.memory.of(found) if (found := reference(value.type)) is not None else None
    if kept is not None and kept.kind == "fields" and kept.cls is dict:
        return [literal(key) for key in certain_keys(m, value)]
    value = evaluating.name_if_long(m, indexable(value), "parts")
    return [item(m, value, literal(k), None) for k in range(count)]


def _assume_length(m: Machine, value: Data) -> None:
    """Ask that an array whose items are taken one by one be as long as in the example."""
    if not isinstance(value.type, Array) or not value.type.lengths:
        return
    length = value.type.lengths[0]
    size = None if length is None else m.context.assumptions.value(length)
    if length is not None and size is not None and size <= MOST_ITEMS:
        raise Mismatch(length, Length((), size))


def _unknown_length(m: Machine, value: Data) -> Exception:
    for origin in sorted(value.origins, key=str):
        if origin[0] == "structure" and origin not in m.choices:
            return Demand(origin)
    return refusal(m, "the items of what has a length that is not known")


def fixed_length(m: Machine, value: Data) -> int | None:
    """Return how many items data has in every run; None where that is not known."""
    if value.known is not None and isinstance(value.known.value, range | str | tuple):
        return len(value.known.value)
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
    if value.expr.op == "list" and not any(e.op == "starred" for e in value.expr.args):
        return len(value.expr.args)
    return None


def _length_of_domain(m: Machine, value: Data) -> int | None:
    """Return how many items zip, enumerate or reversed of some data give."""
    if value.expr.op != "call":
        return None
    args = value.expr.args[1 : len(value.expr.args) - len(value.expr.data)]
    counts = [fixed_length(m, Data(arg)) for arg in args]
    if not counts or None in counts:
        return None
    return min(count for count in counts if count is not None)


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


def _listed(value: Data) -> Data:
    type_ = value.type
    seen = Sequence(type_.item, list) if isinstance(type_, Sequence) else UNKNOWN
    called = Expr("call", (global_("list", list), value.expr), (), seen, None, value.expr.span)
    return Data(called, value.origins)


def certain_keys(m: Machine, value: Data) -> list[Any]:
    """Return the keys of a dict under constant keys, if each is there in every run."""
    found = reference(value.type)
    assert found is not None
    keys = list(m.memory.of(found).slots)
    if all(m.memory.is_certain(found, key) for key in keys):
        return keys
    for origin in sorted(value.origins, key=str):
        if origin[0] in ("structure", "keys") and origin not in m.choices:
            raise Demand(origin)
    raise refusal(m, "the keys of a dict that some ways alone store")


def dict_items(m: Machine, value: Value) -> list[tuple[Value, Value]]:
    """Return the items of a dict whose keys are known."""
    if isinstance(value, Fields) or (isinstance(value, Ref) and m.heap[value.id].kind == "dict"):
        return [(literal(k), v) for k, v in m.heap[value.id].slots.items()]
    if isinstance(value, Data):
        if value.expr.op == "dict" and all(e.op == "item" for e in value.expr.args):
            pairs = [each.args for each in value.expr.args]
            return [(Data(k, value.origins), Data(v, value.origins)) for k, v in pairs]
        found = reference(value.type)
        if found is not None and m.memory.of(found).kind == "fields":
            keys = certain_keys(m, value)
            value = evaluating.name_if_long(m, value, "entries")
            return [(literal(k), item(m, value, literal(k), None)) for k in keys]
        for origin in value.origins:
            if origin[0] == "structure" and origin not in m.choices:
                raise Demand(origin)
    raise refusal(m, "the items of a dict that is not known")
