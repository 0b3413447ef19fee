"""What a value gives when it is gone through: the rows of an array, the items of a list."""

from __future__ import annotations

from collections.abc import Sequence as Values

from s2sad.ir.records import replace
from s2sad.ir.types import (
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
)
from s2sad.types.assumptions import Context
from s2sad.types.joins import join
from s2sad.types.reading import without_length


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
        case Array(dtype, lengths) if lengths:
            rest = lengths[1:]
            return replace(type_, lengths=rest) if rest else Number(dtype, True)
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
