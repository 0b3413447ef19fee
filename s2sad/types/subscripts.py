"""The type of a part of a value: u[i], u[1:, None], u[rows, k], p["a"], and of what is gone through."""

from __future__ import annotations

from collections.abc import Sequence as Values
from typing import Any

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Known
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import (
    ONE,
    UNKNOWN,
    Array,
    Length,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Sequence,
    Tuple,
    Type,
    is_integer,
    may_be_whole,
)
from s2sad.operators.guards import is_none
from s2sad.types.assumptions import Assumptions, Context, Fails
from s2sad.types.elementwise import broadcast
from s2sad.types.joins import join
from s2sad.types.reading import without_length

Axes = list[Length | None]


def subscript_type(base: Type, index: Expr, context: Context) -> Type:
    """Return the type of base[index]."""
    match base:
        case Array():
            return array_part(base, index, context)
        case Tuple(items, cls):
            return _tuple_part(items, cls, index)
        case Sequence(item, cls):
            return Sequence(item, cls) if _is_slice(index) else item
        case Reference():
            return _region_part(base, index, context)
        case Optional(inner):
            return subscript_type(inner, index, context)
        case Numeric(dtype, _, tuple(lengths)) if lengths and _takes_axes(
            index
        ):  # a number has none
            return array_part(Array(dtype, lengths), index, context)
        case Numeric(dtype):
            return _open_part(dtype, index)
        case Other(cls) if cls is str:
            return base
        case Number(boxed=boxed) if boxed is not False:
            raise NotYet("a subscript of a number of NumPy's")
        case Number():
            raise Fails(TypeError("a number has no parts"))
    return UNKNOWN


def _takes_axes(index: Expr) -> bool:
    """Tell whether a subscript is one of an array: a number may have [()], [...] and [None]."""
    entries = index.args if index.op == "tuple" else _entries(index)
    return entries is not None and any(map(_consumed, entries))


def _open_part(dtype: str, index: Expr) -> Type:
    """Return the type of a part of an array of any rank."""
    if index.known is not None and isinstance(index.known.value, str):
        key = index.known.value
        raise NotYet(f'["{key}"] of what is taken for a number or an array without like=')
    if index.known is not None and isinstance(index.known.value, float | bool):
        raise Fails(IndexError("only integers, slices and masks are positions"))
    return Numeric(dtype)


def _is_slice(index: Expr) -> bool:
    return index.op == "slice" or _are_slices(index.type)


def _tuple_part(items: tuple[Type, ...], cls: type | None, index: Expr) -> Type:
    is_named = cls is not None and cls is not list
    if index.op == "slice":
        bounds = [None if arg.known is None else arg.known for arg in index.args]
        if None in bounds:
            return Sequence(joined(items), list if cls is list else tuple)
        chosen = items[slice(*(bound.value for bound in bounds if bound is not None))]
        return Tuple(chosen, None if is_named else cls)
    position = whole(index)
    if position is not None and position.is_literal:
        try:
            return items[position.constant]
        except IndexError as error:
            raise Fails(error) from None
    return joined(items)


def _region_part(base: Reference, index: Expr, context: Context) -> Type:
    region = context.regions.get(base.site)
    if region is None or not issubclass(region.cls or dict, (list, tuple, dict)):
        return UNKNOWN  # an object, whose brackets compute
    if region.kind == "list" and _is_slice(index):
        return Sequence(region.item, list)
    if region.kind == "fields" and index.known is not None:
        return region.fields.get(index.known.value, UNKNOWN)
    return joined(tuple(region.fields.values())) if region.kind == "fields" else region.item


# ---------------------------------------------------------------------------- arrays


@dataclass(slots=True)
class _Part:
    """One entry of the subscript: what axes it leaves, or the shape of positions it is."""

    axes: Axes
    positions: tuple[Length | None, ...] | None = None


def array_part(base: Array, index: Expr, context: Context) -> Type:
    """Return the type of a part of an array, as NumPy arranges its axes."""
    entries = index.args if index.op == "tuple" else _entries(index)
    if (
        isinstance(index.type, Sequence)
        and index.type.cls is tuple
        and _are_slices(index.type.item)
    ):
        return replace(base, lengths=(None,) * base.rank)
    if entries is None or any(entry.op == "starred" for entry in entries):
        return Numeric(base.dtype)
    entries = tuple(entry.typed(_visible_entry(entry, context), entry.known) for entry in entries)
    consumed = [_consumed(entry) for entry in entries]
    if None in consumed:
        return Numeric(base.dtype)
    used = sum(count for count in consumed if count is not None)
    if used > base.rank:
        raise Fails(IndexError(f"too many indices: {base.rank} axes, {used} indices"))
    parts: list[_Part] = []
    place, has_ellipsis = 0, False
    for entry, count in zip(entries, consumed, strict=True):
        if entry.known is not None and entry.known.value is Ellipsis:
            rest = base.rank - used
            parts += [_Part([length]) for length in base.lengths[place : place + rest]]
            place, has_ellipsis = place + rest, True
        else:
            assert count is not None
            parts.append(_part(entry, base.lengths[place : place + count], context))
            place += count
    parts += [_Part([length]) for length in base.lengths[place:]]
    axes = _arranged(parts, context)
    if axes or has_ellipsis or any(part.positions is not None and part.axes for part in parts):
        return Array(base.dtype, tuple(axes))
    return Number(base.dtype, True)


def _are_slices(item: Type) -> bool:
    """Tell whether a value, or all that a tuple holds, is a slice: however many, they keep all axes."""
    return isinstance(item, Other) and item.cls is slice


def _entries(index: Expr) -> tuple[Expr, ...] | None:
    """Return the entries of a subscript that is one expression; a tuple by name has items."""
    if isinstance(index.type, Tuple) and index.type.cls is None:
        if index.known is not None:
            values: Values[Any] = index.known.value
            return tuple(map(_known_entry, values))
        return tuple(Expr("name", (), None, item) for item in index.type.items)
    is_open = isinstance(index.type, Sequence) and index.type.cls is tuple
    return None if is_open else (index,)


def visible(type_: Type, context: Context) -> Type:
    """Return a type of which values can be made: lists as sequences, what is not None."""
    match type_:
        case Optional(inner):
            return visible(inner, context)
        case Reference(site):
            region = context.regions.get(site)
            if region is not None and region.kind == "list":
                return Sequence(visible(region.item, context), list)
    return type_


def _visible_entry(entry: Expr, context: Context) -> Type:
    """Return the type of an entry; of a list that is written out here its items are known."""
    if entry.op == "list" and isinstance(entry.type, Reference):
        return Tuple(tuple(item.type for item in entry.args), list)
    return visible(entry.type, context)


def _known_entry(value: Any) -> Expr:
    type_: Type = Number("int64") if isinstance(value, int) else Other(type(value))
    return Expr("constant", (), value, type_, Known(value))


def _consumed(entry: Expr) -> int | None:
    """Return how many axes an entry takes; None where that is not known."""
    if entry.known is not None and (entry.known.value is None or entry.known.value is Ellipsis):
        return 0
    if entry.op == "slice" or _is_slice(entry):
        return 1
    match entry.type:
        case Number(dtype):
            return None if dtype == "bool" else 1
        case Array(dtype, lengths):
            return len(lengths) if dtype == "bool" else 1
        case Tuple(items, cls) if cls is list and items:
            return 1 if all(map(is_integer, items)) or all(map(_is_flag, items)) else None
        case Sequence(item, cls) if cls in (list, range):
            return 1 if is_integer(item) or _is_flag(item) else None
    return None


def _is_flag(type_: Type) -> bool:
    """Tell whether an item of a list chooses, or leaves, the element at its place."""
    return isinstance(type_, Number) and type_.dtype == "bool"


def _part(entry: Expr, lengths: tuple[Length | None, ...], context: Context) -> _Part:
    if not lengths and not isinstance(entry.type, Array):
        return _Part([ONE])  # np.newaxis
    if entry.op == "slice":
        return _Part([slice_length(lengths[0], entry, context.assumptions)])
    match entry.type:
        case Number():
            if not may_be_whole(entry.type) and context.has_examples:  # else it may be a whole one
                raise Fails(IndexError("only integers, slices and masks are positions"))
            return _Part([], ())
        case Array(dtype, shape):
            if dtype[0] not in "biu":
                raise Fails(IndexError("arrays used as indices must be of integer type"))
            return _Part([], (None,) if dtype == "bool" else shape)
        case Tuple(items):
            return _Part([], (None if _is_flag(items[0]) else Length((), len(items)),))
        case Sequence(item, _, length):
            return _Part([], (None if _is_flag(item) else length,))
    return _Part([None])  # a slice that is a value


def _arranged(parts: Values[_Part], context: Context) -> Axes:
    """Return the axes of the result: those of positions stand where they are, or first."""
    places = [k for k, part in enumerate(parts) if part.positions is not None]
    shapes = [part.positions for part in parts if part.positions is not None]
    if not any(shapes):
        return [length for part in parts for length in part.axes]
    common = list(broadcast([shape for shape in shapes if shape is not None], context.assumptions))
    if places[-1] - places[0] + 1 != len(places):
        return common + [length for part in parts for length in part.axes]
    before = [length for part in parts[: places[0]] for length in part.axes]
    after = [length for part in parts[places[0] :] for length in part.axes]
    return before + common + after


# ---------------------------------------------------------------------------- lengths of slices

ZERO = Length()


def whole(expr: Expr) -> Length | None:
    """Return what an integer is in lengths; None where that is not known."""
    if expr.known is not None:
        value = expr.known.value
        try:
            return Length((), value.__index__())
        except (AttributeError, TypeError):
            return None
    return expr.type.length if isinstance(expr.type, Number) else None


def slice_length(length: Length | None, node: Expr, assumed: Assumptions) -> Length | None:
    """Return the length of a slice of an axis; what has to hold for it is assumed."""
    lower, upper, step = node.args
    if is_none(lower) and is_none(upper) and is_none(step):
        return length
    stride = 1 if is_none(step) else _literal(step)
    if length is None or stride is None or stride == 0:
        return None
    if length.is_literal and all(is_none(x) or _literal(x) is not None for x in (lower, upper)):
        first, last = (None if is_none(x) else _literal(x) for x in (lower, upper))
        return Length((), len(range(*slice(first, last, stride).indices(length.constant))))
    if stride > 0:
        begin = ZERO if is_none(lower) else whole(lower)
        if is_none(upper) and begin is not None and begin.is_literal and begin.constant >= 0:
            found = assumed.exact_quotient(length - begin + (stride - 1), stride)
            if found is not None and found.is_sum:
                return found  # however short the axis is
        start = ZERO if is_none(lower) else _position(lower, length, assumed)
        stop = length if is_none(upper) else _position(upper, length, assumed)
    else:
        start = length - 1 if is_none(lower) else _position(lower, length - 1, assumed, 1)
        stop = ZERO - 1 if is_none(upper) else _position(upper, length - 1, assumed, 1)
    if start is None or stop is None:
        return None
    return _count(stop - start if stride > 0 else start - stop, abs(stride), assumed)


def count_of_range(bounds: Values[Expr], assumed: Assumptions) -> Length | None:
    """Return how many whole numbers a range has; what has to hold for it is assumed."""
    given = [whole(each) for each in bounds]
    start, stop = (ZERO, given[0]) if len(given) == 1 else given[:2]
    stride = _literal(bounds[2]) if len(given) > 2 else 1
    if start is None or stop is None or not stride:
        return None
    return _count(stop - start if stride > 0 else start - stop, abs(stride), assumed)


def _count(span: Length, stride: int, assumed: Assumptions) -> Length | None:
    """Return how many steps of a stride begin in a span, none in one that is negative."""
    if not assumed.assume_natural(span):
        return ZERO if assumed.assume_natural(span * -1) else None
    return assumed.quotient(span + (stride - 1), stride)


def _literal(expr: Expr) -> int | None:
    found = whole(expr)
    return found.constant if found is not None and found.is_literal else None


def _position(expr: Expr, most: Length, assumed: Assumptions, from_end: int = 0) -> Length | None:
    """Return where a bound of a slice lies on an axis; one beyond the end lies at the end."""
    found = whole(expr)
    if found is None:
        return None
    if not assumed.assume_natural(found):
        if not assumed.assume_natural(ZERO - found - ONE):
            return None
        found = most + found + from_end
        if not assumed.assume_natural(found):
            return None
    if assumed.assume_natural(most - found):
        return found
    return most if assumed.assume_natural(found - most) else None


def joined(items: Values[Type]) -> Type:
    """Return one type for all of several; UNKNOWN if there is none."""
    if not items:
        return UNKNOWN
    found: Type = items[0]
    for item in items[1:]:
        found = join(found, item) or UNKNOWN
    return found


def item_of(type_: Type, context: Context) -> Type:
    """Return the type of each item of a value."""
    match type_:
        case Array(_, lengths) if lengths:
            return type_.row
        case Numeric():
            return replace(type_, token=None, lengths=None)
        case Tuple(items):
            return joined(tuple(map(without_length, items))) if len(items) > 1 else joined(items)
        case Sequence(item):
            return item
        case Reference(site):
            region = context.regions.get(site)
            if region is None:
                return UNKNOWN
            if region.kind == "list":
                return region.item
            if region.kind == "mapping":
                return region.key
            return Other(str) if all(isinstance(k, str) for k in region.fields) else UNKNOWN
        case Optional(inner):
            return item_of(inner, context)
        case Other(cls) if cls is str:
            return type_
    return UNKNOWN


def count_of(type_: Type) -> Length | None:
    """Return how many items a value has."""
    match type_:
        case Array(_, lengths) if lengths:
            return lengths[0]
        case Tuple(items):
            return Length((), len(items))
        case Sequence(_, _, length):
            return length
        case Optional(inner):
            return count_of(inner)
    return None
