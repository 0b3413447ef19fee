"""What of an argument decides about its text, without its numbers.

exact_kind(np.ones((3, 1)))     (dtype("float64"), (3, 1))
kind_of(np.ones((3, 1)))        (dtype("float64"), (None, 1))
kind_of([2.0, 3.0])             (list, frozenset({float}))
kind_of({"k": True})            (dict, (("k", (bool, True)),))

Two arguments of one kind have one text, but for what objects and containers hold: that the text
asks at its entry. Functions are asked for by their names alone, so each has a kind of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from types import MethodType, ModuleType, NoneType
from typing import Any

import numpy as np

from s2sad.source.outside import Same
from s2sad.source.owners import FUNCTION_TYPES, Tabulated
from s2sad.source.plain import fields_of

# what is a kind with its value: flags and texts
VALUED = (bool, str)


def exact_kind(value: Any, inside: tuple[int, ...] = ()) -> Any:
    """Return what of an argument decides its text, shapes included; never a bare string.

    `inside` are the containers that hold it: of one that is met in itself nothing is known.
    """
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype, value.shape
    if kind is float or kind is int:
        return kind
    if kind is bool or kind is NoneType or kind is str:
        return kind, value
    if id(value) in inside:
        return kind
    of_part = partial(exact_kind, inside=(*inside, id(value)))
    if kind is tuple:
        return kind, tuple(map(of_part, value))
    if kind is list:
        return kind, frozenset(map(of_part, value))
    if kind is dict:
        return kind, tuple((key, of_part(part)) for key, part in value.items())
    if isinstance(value, MethodType | ModuleType | partial | Tabulated):
        return kind, Same(value)
    if isinstance(value, (str, type, np.dtype, *FUNCTION_TYPES)):
        return kind, value
    fields = fields_of(value)
    if fields is not None:
        return kind, tuple((name, of_part(part)) for name, part in fields.items())
    if isinstance(value, dict):  # of a class of its own, which may give any attribute
        return kind, tuple((key, of_part(part)) for key, part in value.items())
    return kind, getattr(value, "dtype", None), getattr(value, "shape", None)


def kind_of(value: Any) -> Any:
    """Return the kind of an argument, which is what a text is made for."""
    return _without_lengths(exact_kind(value))


def _without_lengths(exact: Any) -> Any:
    """Return an exact kind in which lengths other than 1 are None, and the items of lists differ."""
    match exact:
        case (np.dtype(), tuple(shape)) | (_, np.dtype(), tuple(shape)):
            return *exact[:-1], tuple(1 if n == 1 else None for n in shape)
        case (kind, frozenset() as parts):
            return kind, _joined(map(_without_lengths, parts))
        case tuple():
            return tuple(map(_without_lengths, exact))
    return exact


def _joined(parts: Iterable[Any]) -> frozenset[Any]:
    """Return kinds of which those that differ in values alone are one."""
    found: dict[Any, Any] = {}
    for part in parts:
        shape = _without_values(part)
        found[shape] = shape if shape in found else part
    return frozenset(found.values())


def _without_values(kind: Any) -> Any:
    match kind:
        case (type() as cls, _) if cls in VALUED:
            return (cls,)
        case tuple():
            return tuple(map(_without_values, kind))
    return kind
