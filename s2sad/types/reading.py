"""The type of what a probe gave in its runs.

array of (6, 11), (13, 10), (9, 8) for axes of 5, 11, 8 and 11, 10, 8   ->   Array((n + 1, m))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from itertools import islice
from typing import Any

import numpy as np

from s2sad.ir.records import replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Length,
    Number,
    Numeric,
    Other,
    Tuple,
    Type,
    with_parts,
)
from s2sad.ir.types import Sequence as SequenceType
from s2sad.operators.guards import is_sparse
from s2sad.operators.table import has
from s2sad.operators.trees import DTYPES
from s2sad.types.joins import join

Reader = Callable[[Sequence[int]], Length | None]
PYTHON_KINDS = DTYPES
NUMERIC_KINDS = "biufc"


def type_of_value(value: Any) -> Type:
    """Return the type of a value that is known."""
    if type(value) in PYTHON_KINDS:
        return Number(PYTHON_KINDS[type(value)])
    if isinstance(value, np.generic) and value.dtype.kind in NUMERIC_KINDS:
        return Number(value.dtype.name, True)
    if is_plain_array(value) and value.dtype.kind in NUMERIC_KINDS:
        return Array(value.dtype.name, tuple(Length((), n) for n in value.shape))
    if isinstance(value, tuple):
        cls = type(value)
        return Tuple(tuple(map(type_of_value, value)), None if cls is tuple else cls)
    if callable(value) or isinstance(value, type(np)):
        return Code(value)
    if is_sparse(type(value)):
        return Other(
            type(value), Array(value.dtype.name, tuple(Length((), n) for n in value.shape))
        )
    return Other(type(value))


def read(values: Sequence[Any], length_of: Reader) -> Type:
    """Return the type that holds for the values of all runs; `length_of` reads lengths."""
    first = values[0]
    if all(is_plain_array(value) for value in values):
        return _of_arrays(values, length_of)
    if all(_is_number(value) for value in values):
        return _of_numbers(values, length_of)
    if all(isinstance(value, tuple | list) for value in values):
        return _of_sequences(values, length_of)
    if any(type(value) is not type(first) for value in values):
        return UNKNOWN
    if isinstance(first, range | zip | enumerate | reversed | map | filter):
        return _of_iterators(values, length_of)
    if has(type(first), "choices"):  # of which there may be very many
        listed = [list(islice(value, 2)) for value in values]
        return SequenceType(_items(listed, length_of), type(first))
    if isinstance(first, dict | set):
        return UNKNOWN
    if is_sparse(type(first)):
        holds = _of_arrays(values, length_of)
        return Other(type(first), holds if isinstance(holds, Array) else None)
    return Code(first) if isinstance(first, type) else Other(type(first))


def is_plain_array(value: Any) -> bool:
    """Tell whether a value is an array whose operators are NumPy's: no masked one, no matrix."""
    return type(value) in (np.ndarray, np.memmap)


def _is_number(value: Any) -> bool:
    if isinstance(value, np.generic):
        return bool(value.dtype.kind in NUMERIC_KINDS)
    return type(value) in PYTHON_KINDS


def _of_arrays(values: Sequence[Any], length_of: Reader) -> Type:
    first = values[0]
    dtype = _dtype_of({value.dtype.name for value in values})
    if dtype is None or first.dtype.kind not in NUMERIC_KINDS:
        return UNKNOWN
    if any(value.ndim != first.ndim for value in values):
        return Numeric(dtype)
    lengths = tuple(length_of(sizes) for sizes in zip(*(v.shape for v in values), strict=True))
    return Array(dtype, lengths)


def _dtype_of(found: set[str]) -> str | None:
    """Return the dtype of all runs; where the numbers decide whether values are complex, they are."""
    if found in ({"float64", "complex128"}, {"float32", "complex64"}):
        return min(found)
    return found.pop() if len(found) == 1 else None


def _of_numbers(values: Sequence[Any], length_of: Reader) -> Type:
    boxed_ones = {isinstance(value, np.generic) for value in values}
    boxed = boxed_ones.pop() if len(boxed_ones) == 1 else None
    kinds = {v.dtype.name if isinstance(v, np.generic) else PYTHON_KINDS[type(v)] for v in values}
    kind = _dtype_of(kinds)
    if kind is None:
        return UNKNOWN
    length = None
    if kind[0] in "iu" and max(map(abs, values)) < 10**6:
        length = length_of([int(value) for value in values])
    return Number(kind, boxed, length)


def _of_sequences(values: Sequence[Any], length_of: Reader) -> Type:
    cls = type(values[0])
    if any(type(value) is not cls for value in values):
        return UNKNOWN
    if len({len(value) for value in values}) == 1:
        return Tuple(
            tuple(read(items, length_of) for items in zip(*values, strict=True)),
            None if cls is tuple else cls,
        )
    return SequenceType(_items(values, length_of), cls, length_of([len(value) for value in values]))


def _of_iterators(values: Sequence[Any], length_of: Reader) -> Type:
    listed = [list(value) for value in values]
    length = length_of([len(value) for value in listed])
    return SequenceType(_items(listed, length_of), type(values[0]), length)


def _items(values: Sequence[Sequence[Any]], length_of: Reader) -> Type:
    """Return one type for all items of all runs: they are read from the first and the last."""
    if any(not value for value in values):
        return UNKNOWN
    first = read([value[0] for value in values], length_of)
    last = read([value[-1] for value in values], length_of)
    return without_length(join(first, last) or UNKNOWN)


def without_length(type_: Type) -> Type:
    """Return a type without what its integers are in lengths."""
    if isinstance(type_, Number):
        return replace(type_, length=None)
    return with_parts(type_, without_length)


def is_option_of_arguments(value: Any) -> bool:
    """Tell whether an argument chooses ways: a flag, a text, None, a member of an Enum."""
    return value is None or isinstance(value, bool | str | bytes | Enum)
