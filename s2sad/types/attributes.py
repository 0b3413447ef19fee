"""The type of an attribute: u.shape, u.T, p.mass; a method is what can be called."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from s2sad.ir.expression import Known
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
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
from s2sad.types.assumptions import Context, Fails
from s2sad.types.calling import Operand
from s2sad.types.elementwise import Shape, elementwise, shape_of
from s2sad.types.probing import probe
from s2sad.types.reading import type_of_value, without_length

Typed = tuple[Type, Known | None]
METHOD = Other(type(np.zeros(1).sum))
# what says how exact and how large the numbers of a dtype can be
LIMITS = (np.finfo, np.iinfo)
# the formats of sparse matrices that hold a row of entries, and what says where they are
BY_ENTRY = ("coo", "csc", "csr")
OF_ENTRIES = frozenset({"data", "row", "col", "indices", "indptr"})
SHAPES = frozenset({"shape", "ndim", "size", "dtype"})


def attribute_type(base: Type, name: str, context: Context) -> Typed:
    """Return the type of base.name, and its value where the type of base decides it."""
    match base:
        case Optional(inner):
            return attribute_type(inner, name, context)
        case Array() | Numeric() if name == "device":  # as the standard of array modules has it
            return Other(str), Known("cpu")
        case Array() if name in SHAPES:
            return shape_attribute(base, name)
        case Number() if base.boxed and name in SHAPES:
            return shape_attribute(base, name)
        case Array() | Number():
            return _of_numbers(base, name, context), None
        case Numeric(dtype) if name in SHAPES:
            return open_shape(dtype, name)
        case Numeric(dtype):
            return _of_any_rank(dtype, name), None
        case Reference(site):
            region = context.regions.get(site)
            if region is not None and region.kind == "fields":
                return region.fields.get(name, UNKNOWN), None
        case Tuple(items, cls) if cls is not None and name in getattr(cls, "_fields", ()):
            return items[cls._fields.index(name)], None  # type: ignore[attr-defined]
        case Code(value):
            return known_attribute(value, name)
        case Sequence(item, cls) if cls is range and name in ("start", "stop", "step"):
            return item, None
        case Other(cls) if cls in LIMITS:
            one = np.iinfo(int) if cls is np.iinfo else np.finfo(float)
            return without_length(known_attribute(one, name)[0]), None
        case Other(cls, Array() as holds):
            return _of_sparse(base, cls, holds, name, context)
    return UNKNOWN, None


def _of_sparse(base: Type, cls: Any, holds: Array, name: str, context: Context) -> Typed:
    """Return the type of an attribute of a sparse matrix: how many entries it has is not known."""
    if name in ("shape", "ndim", "dtype"):
        return shape_attribute(holds, name)
    if cls.__name__.startswith(BY_ENTRY) and name in OF_ENTRIES:
        return Array(holds.dtype if name == "data" else "int32", (None,)), None
    if name == "T":
        return probe(getter(name), (Operand(base),), {}, context), None
    return METHOD if callable(getattr(cls, name, None)) else UNKNOWN, None


def known_attribute(value: Any, name: str) -> Typed:
    """Return what an attribute of a known value is."""
    try:
        found = getattr(value, name)
    except AttributeError as error:
        raise Fails(error) from None
    return type_of_value(found), Known(found)


def whole_number(length: Length | None) -> Type:
    """Return the type of an integer that is a length."""
    return Number("int64", False, length)


def known_length(length: Length | None) -> Known | None:
    """Return the value of a length that is one number for all arguments."""
    return Known(length.constant) if length is not None and length.is_literal else None


def known_number(type_: Type) -> Known | None:
    """Return the value of a whole number that is a length which is one for all arguments."""
    return known_length(type_.length) if isinstance(type_, Number) else None


def shape_attribute(base: Type, name: str) -> Typed:
    """Return the type of what only shape and kind of a number or array decide."""
    assert isinstance(base, Array | Number)
    lengths: Shape = shape_of(base)
    if name == "ndim":
        return Number("int64"), Known(len(lengths))
    if name == "dtype":
        return Other(type(np.dtype(base.dtype))), Known(np.dtype(base.dtype))
    if name == "size":
        size = product(lengths)
        return whole_number(size), known_length(size)
    shape = Tuple(tuple(whole_number(length) for length in lengths))
    known = [known_length(length) for length in lengths]
    values = tuple(each.value for each in known if each is not None)
    return shape, Known(values) if len(values) == len(known) else None


def _of_any_rank(dtype: str, name: str) -> Type:
    """Return the type of an attribute of a number or an array."""
    if not hasattr(np.ndarray, name):
        raise Fails(AttributeError(f"numbers and arrays have no attribute {name}"))
    if name in ("real", "imag"):
        return Numeric(np.empty(0, dtype).real.dtype.name)
    if name == "T":
        return Numeric(dtype)
    return METHOD if callable(getattr(np.ndarray, name)) else UNKNOWN  # .flat is memory


def open_shape(dtype: str, name: str) -> Typed:
    """Return the type of what is asked of the shape or kind of a value of any rank."""
    if name == "dtype":
        return Other(type(np.dtype(dtype))), None
    return (Sequence(Number("int64")) if name == "shape" else Number("int64")), None


def product(lengths: Shape) -> Length | None:
    """Return how many elements an array of this shape has."""
    total = Length((), 1)
    for length in lengths:
        if length is None:
            return None
        total = total * length
    return total


@cache
def getter(name: str) -> Callable[[Any], Any]:
    """Return the function that takes an attribute."""

    def get(owner: Any) -> Any:
        return getattr(owner, name)

    return get


def _of_numbers(base: Array | Number, name: str, context: Context) -> Type:
    if name in ("real", "imag"):
        return elementwise(getter(name), (base,), context)
    if name == "T":
        if isinstance(base, Array):
            return Array(base.dtype, base.lengths[::-1])
    elif name == "flat":  # its elements, as a vector has them
        return Array(
            base.dtype, (product(base.lengths) if isinstance(base, Array) else Length((), 1),)
        )
    elif callable(getattr(np.ndarray if isinstance(base, Array) else np.float64, name, None)):
        return METHOD
    return probe(getter(name), (Operand(base),), {}, context)
