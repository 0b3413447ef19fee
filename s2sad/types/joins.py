"""The least type that holds for the values of two.

join(Number("int64"), Number("float64"))             Number("float64")
join(Array("float64", (n, m)), Array(..., (n, k)))   Array("float64", (n, None))
join(Other(NoneType), Number("float64"))             Optional(Number("float64"))
"""

from __future__ import annotations

import numpy as np

from s2sad.ir.types import (
    Array,
    Code,
    Length,
    Number,
    Numeric,
    Optional,
    Other,
    Sequence,
    Tuple,
    Type,
    Unknown,
    is_float,
)

NONE = Other(type(None))
Numerical = Number | Array | Numeric


def join(a: Type, b: Type) -> Type | None:
    """Return the least type of both; None if there is none."""
    if a == b:
        return a
    match a, b:
        case (Unknown(), _) | (_, Unknown()):
            return None
        case (Optional(), _) | (_, Optional()):
            return _optional(a, b)
        case (Other(cls), _) if cls is type(None):
            return Optional(b)
        case (_, Other(cls)) if cls is type(None):
            return Optional(a)
        case Number(), Number():
            return _numbers(a, b)
        case (Number() | Array() | Numeric(), Number() | Array() | Numeric()):
            return _numerics(a, b)
        case Tuple(), Tuple():
            return _tuples(a, b)
        case (Tuple() | Sequence(), Tuple() | Sequence()):
            return _sequences(a, b)
        case Other(), Other():
            return Other()
        case Code(x), Code(y) if x is y:
            return a
    return None


def _optional(a: Type, b: Type) -> Type | None:
    inner = [x.type if isinstance(x, Optional) else x for x in (a, b) if x != NONE]
    joined = join(inner[0], inner[-1])
    return None if joined is None else Optional(joined)


def common_dtype(a: str, b: str) -> str | None:
    """Return the dtype that holds the numbers of both; None where booleans meet numbers."""
    if a == b:
        return a
    if "bool" in (a, b):
        return None  # True + True and ~True differ from what 1 + 1 and ~1 are
    return np.result_type(a, b).name


def _numbers(a: Number, b: Number) -> Type | None:
    dtype = common_dtype(a.dtype, b.dtype)
    if dtype is None:
        return None
    length = a.length if a.length == b.length and dtype[0] in "iu" else None
    perhaps_whole = dtype[0] in "fc" and not (is_surely_float(a) and is_surely_float(b))
    return Number(dtype, a.boxed if a.boxed == b.boxed else None, length, perhaps_whole)


def _numerics(a: Numerical, b: Numerical) -> Type | None:
    dtype = common_dtype(a.dtype, b.dtype)
    if dtype is None:
        return None
    lengths = _lengths(a, b)
    perhaps_whole = dtype[0] in "fc" and not (is_surely_float(a) and is_surely_float(b))
    if isinstance(a, Array) and isinstance(b, Array) and lengths is not None:
        return Array(dtype, lengths, perhaps_whole)
    token = None
    if isinstance(a, Numeric) and isinstance(b, Numeric) and a.token == b.token:
        token = a.token
    return Numeric(dtype, token, lengths, perhaps_whole)


def is_surely_float(type_: Type) -> bool:
    """Tell whether what has this type is of floats or complex numbers in every run."""
    return is_float(type_) and not getattr(type_, "perhaps_whole", False)


def _lengths(a: Numerical, b: Numerical) -> tuple[Length | None, ...] | None:
    """Return the lengths of what is an array among two; None where it may have another rank."""
    found = [each.lengths for each in (a, b) if not isinstance(each, Number)]
    left, right = found[0], found[-1]
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(m if m == n else None for m, n in zip(left, right, strict=True))


def _tuples(a: Tuple, b: Tuple) -> Type | None:
    if a.cls is b.cls and len(a.items) == len(b.items):
        items = [join(x, y) for x, y in zip(a.items, b.items, strict=True)]
        if any(item is None for item in items):
            return None
        return Tuple(tuple(item for item in items if item is not None), a.cls)
    return _sequences(a, b)


def _sequences(a: Tuple | Sequence, b: Tuple | Sequence) -> Type | None:
    if _class(a) is not _class(b):
        return None
    items = [*_item_types(a), *_item_types(b)]
    if not items:
        return a
    joined: Type | None = items[0]
    for item in items[1:]:
        joined = None if joined is None else join(joined, item)
    length = a.length if isinstance(a, Sequence) and isinstance(b, Sequence) else None
    if isinstance(b, Sequence) and length != b.length:
        length = None
    return None if joined is None else Sequence(joined, _class(a), length)


def _class(type_: Tuple | Sequence) -> type:
    return type_.cls or tuple


def _item_types(type_: Tuple | Sequence) -> tuple[Type, ...]:
    return type_.items if isinstance(type_, Tuple) else (type_.item,)
