"""Subscripts: an index, a slice, several of them, and the lengths that they need.

u[1:-1, k]      one value: a tuple of a slice and an index
fixed_length    how many items data has, where its type says so
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.ir.expression import Expr, Known, calls, global_, positional
from s2sad.ir.types import UNKNOWN, Array, Length, Other, Reference, Sequence, Tuple
from s2sad.lowering import evaluation_order
from s2sad.lowering.machine import Machine
from s2sad.lowering.typing import LISTS
from s2sad.lowering.values import Data, Tup, Value, literal, origins_of

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
    return m.evaluate(node)


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


def _listed(value: Data) -> Data:
    type_ = value.type
    seen = Sequence(type_.item, list) if isinstance(type_, Sequence) else UNKNOWN
    called = Expr("call", (global_("list", list), value.expr), (), seen, None, value.expr.span)
    return Data(called, value.origins)
