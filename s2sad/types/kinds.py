"""What is known of an argument without its numbers: what a text is made for.

kind_of(2.5)                    Kind("float")
kind_of(np.ones((3, 1)))        Kind("array", "float64", lengths=(None, 1))
kind_of([(W, b), (V, c)])       Kind("list", parts=(Kind("tuple", ...),))
kind_of({"k": 1.0})             Kind("dict", parts=(Kind("float"),), keys=("k",))

Two arguments of one kind have one text, but for what objects and containers hold: that the text
asks at its entry.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.ir.records import dataclass, replace
from s2sad.source.plain import fields_of, is_foreign_array

NUMBERS = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}
# of a list of what has one of these types, one tells what all do
ALIKE = ({float}, {int})
FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc, type)


@dataclass(frozen=True, slots=True)
class Kind:
    """What an argument is.

    word:     "float", "complex", "int", "bool", "array", "str", "none", "tuple", "list", "dict",
              "record" (an object with fields), "object", "function", ...
    dtype:    NumPy's name for that of an array, or of a number that is NumPy's own.
    lengths:  of an array; those other than 1 are None.
    parts:    of a tuple, dict or record, under `keys`; of a list each that differs, once.
    value:    of a flag or a text of Python's.
    """

    word: str
    dtype: str = ""
    lengths: tuple[int | None, ...] = ()
    parts: tuple[Kind, ...] = ()
    keys: tuple[str | int, ...] = ()
    cls: type | None = None
    value: bool | str | None = None

    @property
    def rank(self) -> int | None:
        """Return the number of axes, None of what is neither a number nor an array."""
        if self.word == "array":
            return len(self.lengths)
        return 0 if self.word in NUMBERS.values() else None


NONE, OBJECT = Kind("none"), Kind("object")


def kind_of(value: Any) -> Kind:
    """Return the kind of an argument."""
    return _kind(value, {})


def _kind(value: Any, met: dict[int, Kind]) -> Kind:
    """Return the kind of a part; of what is `met` again inside itself nothing is known."""
    if value is None:
        return NONE
    if isinstance(value, bool | int | float | complex | str | np.generic):
        return _plain(value)
    if type(value) is np.ndarray or is_foreign_array(value):
        return _array(value)
    if id(value) not in met:
        met[id(value)] = OBJECT
        met[id(value)] = _holder(value, met)
    return met[id(value)]


def _plain(value: Any) -> Kind:
    """Return the kind of a number or a text."""
    if isinstance(value, bool):
        return Kind("bool", value=value)
    if isinstance(value, np.generic) and value.dtype.kind in NUMBERS:
        return Kind(NUMBERS[value.dtype.kind], value.dtype.name)
    if isinstance(value, str):
        return Kind("str", value=str(value))
    if isinstance(value, np.generic):
        return OBJECT
    word = next(c.__name__ for c in (int, float, complex) if isinstance(value, c))
    return Kind(word)


def _array(value: Any) -> Kind:
    if value.dtype.kind not in NUMBERS:
        return OBJECT
    return Kind("array", value.dtype.name, tuple(1 if n == 1 else None for n in value.shape))


def _holder(value: Any, met: dict[int, Kind]) -> Kind:
    """Return the kind of what holds other values, or of an object."""
    if type(value) is tuple:
        return Kind("tuple", parts=tuple(_kind(each, met) for each in value))
    if type(value) is list:
        several = value[:1] if {type(each) for each in value} in ALIKE else value
        return Kind("list", parts=_joined(_kind(each, met) for each in several))
    if isinstance(value, dict):
        if not all(type(key) in (str, int) for key in value):
            return Kind("dict", cls=type(value))
        parts = tuple(_kind(each, met) for each in value.values())
        return Kind("dict", parts=parts, keys=tuple(value))
    fields = fields_of(value)
    if fields is None:
        return _other(value)
    held = tuple(_kind(each, met) for each in fields.values())
    return Kind("record", parts=held, keys=tuple(fields), cls=type(value))


def _joined(parts: Iterable[Kind]) -> tuple[Kind, ...]:
    """Return kinds of which those that differ in values alone are one."""
    found: dict[Kind, Kind] = {}
    for part in dict.fromkeys(parts):
        shape = _without_values(part)
        found[shape] = part if shape not in found else shape
    return tuple(found.values())


def _without_values(kind: Kind) -> Kind:
    if kind.value is None and not kind.parts:
        return kind
    return replace(kind, value=None, parts=tuple(map(_without_values, kind.parts)))


def _other(value: Any) -> Kind:
    """Return the kind of what is not looked into."""
    if hasattr(type(value), "__next__"):
        return Kind("iterator", cls=type(value))
    if isinstance(value, ModuleType):
        return Kind("module")
    if isinstance(value, type) and issubclass(value, (float, int, complex, np.generic)):
        return Kind("function", cls=value)
    if isinstance(value, FUNCTIONS):
        return Kind("function")
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return Kind("generator")
    if type(value).__module__.startswith("scipy.sparse"):
        return Kind("sparse", str(value.dtype))
    return OBJECT
