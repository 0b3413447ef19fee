"""What is known of one value: kind, dtype, symbolic shape.

np.zeros((3, 4))  as W   ->   array of float64, (W.0, W.1)
2.0                      ->   float
[(W, b), ...]            ->   list of (array (?, ?), array (?,))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import BuiltinFunctionType, BuiltinMethodType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from s2sad.legacy.program import Const
from s2sad.source.plain import fields_of, is_foreign_array


@dataclass(frozen=True, slots=True)
class Dim:
    """A length: max(0, symbol + offset), or the constant `offset` where the symbol is ''.

    The symbol '?' (only inside lists) is another length in every element.  A symbol that starts
    with '#' is the value of an integer, which may be negative; all others are lengths.
    """

    symbol: str
    offset: int = 0

    def __str__(self) -> str:
        if not self.symbol:
            return str(self.offset)
        return self.symbol + (f"{self.offset:+d}" if self.offset else "")


@dataclass(frozen=True, slots=True)
class Token:
    """A shape of unknown rank: that of `name`, its first axis shortened by `trim`."""

    name: str
    trim: int = 0


Shape = tuple[Dim, ...] | Token | None

ONE: Final = Dim("", 1)
ANY: Final = Dim("?")
SCALARS: Final = frozenset({"float", "complex", "int", "bool"})


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a value.

    kind:   'float', 'complex', 'int', 'bool' (immutable scalars), 'array', 'list', 'tuple', ...
            A 'float' of dtype '' is a number of any dtype.
    dtype:  NumPy's name, '' when unknown; that of a Python float is 'float64', and `weak`.
    shape:  the lengths, a Token, or None.  A tuple of known items has shape (Dim('', count),).
    items:  of a tuple its parts; of a list or an iterable one Fact for all its elements.
    value:  what is known at generation: bools, None, strings, dtypes, and ranks (x.ndim).
    weak:   a Python number, which does not promote arrays; None where it may be one.
    extent: of an integer, or a tuple of integers: the shape it spells as an argument of zeros.
    mixed:  of a value of unknown dtype: it may be complex (mixing.py).
    keys:   of a dict its keys, in the order of items; a dict of unknown keys has one Fact for all.
    made_of: of a 'record', an object with fields, its class; keys are the names of the fields.
             Of an unknown value the class that made it, which is none of arrays or numbers.
    literal: a float of the text. (An unknown value with an item: see `begun`.)
    optional: of an unknown value that may be None, and else is its item: see `given`.
    """

    kind: str
    dtype: str = ""
    shape: Shape = None
    items: tuple[Fact, ...] = ()
    value: Const | None = None
    weak: bool | None = False
    extent: Shape = None
    mixed: bool = False
    keys: tuple[str | int, ...] = ()
    made_of: type | None = None
    literal: bool = False
    optional: bool = False

    @property
    def begun(self) -> Fact | None:
        """Return the array that a value is once it was added to the number it began with.

        No derivative reaches that number, so that its adjoint may have the shape of the array.
        """
        held = self.kind == "unknown" and not self.made_of and not self.optional
        return self.items[0] if held and self.items else None

    @property
    def given(self) -> Fact | None:
        """Return what a value is once it is given, of one that is None at first."""
        return self.items[0] if self.optional else None

    @property
    def in_the_end(self) -> Fact:
        """Return what a value is once something was added to it, or it was given."""
        return self.begun or self.given or self

    @property
    def count(self) -> int:
        """Return how many items a tuple has, 0 where that is not known."""
        closed = self.kind == "tuple" and self.shape is not None
        return len(self.items) if closed else 0

    @property
    def rank(self) -> int | None:
        """Return the number of axes, None when unknown."""
        numeric = self.kind in SCALARS or self.kind in ("array", "unknown")
        return len(self.shape) if numeric and isinstance(self.shape, tuple) else None

    @property
    def is_scalar(self) -> bool:
        """Tell whether the value is surely an immutable number."""
        return self.kind in SCALARS

    @property
    def is_array(self) -> bool:
        """Tell whether the value is surely an ndarray."""
        return self.kind == "array"

    @property
    def is_object(self) -> bool:
        """Tell whether the value is surely no array, number, list or dict: a set, a deque."""
        return self.kind == "object" or (self.kind == "unknown" and self.made_of is not None)

    @property
    def is_float(self) -> bool:
        """Tell whether the value may carry a derivative."""
        if self.kind in ("float", "complex"):
            return True
        if self.kind in ("array", "unknown"):
            known = self.dtype and np.dtype(self.dtype).kind not in "fcO"
            return not known and self.extent is None
        if self.kind in ("tuple", "list", "object", "dict", "record"):
            return any(item.is_float for item in self.items) or self._is_open
        return False

    def with_lengths(self, shape: Shape, items: tuple[Fact, ...], extent: Shape) -> Fact:
        """Return the fact with other lengths; as `replace` does, in a third of its time."""
        return Fact(
            self.kind,
            self.dtype,
            shape,
            items,
            self.value,
            self.weak,
            extent,
            self.mixed,
            self.keys,
            self.made_of,
            self.literal,
            self.optional,
        )

    @property
    def _is_open(self) -> bool:
        """Tell whether a container has parts of which nothing is known."""
        if self.items or self.extent is not None:
            return False
        return self.kind in ("list", "dict") or (self.kind == "tuple" and self.shape is None)


UNKNOWN: Final = Fact("unknown")
KINDS: Final = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}


def constant(length: int) -> Dim:
    """Return a known length."""
    return Dim("", length)


def scalar(dtype: str, weak: bool | None = False) -> Fact:
    """Return the fact of an immutable number; 'float' stands for any when dtype is ''."""
    kind = KINDS.get(np.dtype(dtype).kind, "unknown") if dtype else "float"
    return Fact(kind, dtype, (), weak=weak) if kind != "unknown" else UNKNOWN


def array(dtype: str, shape: Shape) -> Fact:
    """Return the fact of an ndarray."""
    return Fact("array", dtype, shape)


def begun_with_number(grown: Fact) -> Fact:
    """Return the fact of what is a number of the text until an array is added to it."""
    return Fact("unknown", items=(grown,))


def or_none(given: Fact) -> Fact:
    """Return the fact of what is None until it is given: `best = None` before a loop."""
    return Fact("unknown", items=(given,), optional=True)


def python_int(length: Dim | None = None) -> Fact:
    """Return the fact of a Python int, of which the value may be a known length."""
    return Fact("int", "int64", (), weak=True, extent=None if length is None else (length,))


def python_bool(value: bool | None = None) -> Fact:
    """Return the fact of a Python bool, perhaps known."""
    return Fact("bool", "bool", (), value=None if value is None else Const(value), weak=True)


def object_of(kind: type) -> Fact:
    """Return the fact of what a class makes that is no array and no number."""
    if issubclass(kind, np.ndarray | np.generic | int | float | complex | str | map | filter):
        return UNKNOWN
    return Fact("unknown", made_of=kind)


def tuple_of(items: Sequence[Fact], kind: str = "tuple") -> Fact:
    """Return the fact of a tuple of known length."""
    parts = [item.extent if item.kind == "int" else None for item in items]
    extent: list[Dim] = []
    for part in parts:
        if not isinstance(part, tuple) or len(part) != 1:
            return Fact(kind, shape=(constant(len(parts)),), items=tuple(items))
        extent += part
    return Fact(kind, shape=(constant(len(parts)),), items=tuple(items), extent=tuple(extent))


def open_tuple(extent: Shape = None, items: tuple[Fact, ...] = ()) -> Fact:
    """Return the fact of a tuple of unknown length, as `x.shape` of unknown rank is.

    It may be known what all of its items are, as those of a list are.
    """
    return Fact("tuple", extent=extent, items=items)


PYTHON_FLOAT: Final = Fact("float", "float64", (), weak=True)
PYTHON_COMPLEX: Final = Fact("complex", "complex128", (), weak=True)
NOTHING: Final = Fact("none", value=Const(None))


def fact_of_constant(value: Any) -> Fact:
    """Return what is known of a literal of the text."""
    if type(value) is int:
        return python_int(constant(value))
    found = fact_of_value(value, "")
    return replace(found, literal=True) if type(value) is float else found


def fact_of_value(value: Any, name: str) -> Fact:
    """Return what is known of an argument: everything but numbers and lengths other than 1.

    The lengths of `W` become the symbols 'W.0', 'W.1'; of no name they become '?'.
    """
    return _fact(value, name, {})


Found = dict[tuple[int, str | None], Fact]


def _fact(value: Any, name: str, found: Found) -> Fact:
    """Return what is known of a part of an argument; `found` is what was gone through before."""
    simple = _simple_fact(value)
    if simple is not None:
        return simple
    if type(value) is np.ndarray or is_foreign_array(value):
        return _array_fact(value, name)
    around: tuple[int, None] = (id(value), None)
    key = (id(value), name)
    if around in found:  # met again inside, as a child's parent is: nothing is known of it there
        return found[around]
    if key not in found:
        found[around] = Fact("object")
        found[key] = _holding_fact(value, name, found)
        del found[around]
    return found[key]


def _holding_fact(value: Any, name: str, found: Found) -> Fact:
    if type(value) is tuple:
        parts = (_fact(v, name and f"{name}[{i}]", found) for i, v in enumerate(value))
        return tuple_of(tuple(parts))
    if type(value) is list:
        return _list_fact(value, found)
    if isinstance(value, dict):
        return _dict_fact(value, found)
    fields = fields_of(value)
    if fields is None:
        return _other_fact(value)
    items = tuple(_fact(v, name and f"{name}.{key}", found) for key, v in fields.items())
    return Fact("record", items=items, keys=tuple(fields), made_of=type(value))


def _simple_fact(value: Any) -> Fact | None:
    match value:
        case None:
            return NOTHING
        case bool():
            return python_bool(value)
        case np.generic():
            return _generic_fact(value)
        case int():
            return python_int()
        case float():
            return PYTHON_FLOAT
        case complex():
            return PYTHON_COMPLEX
        case str():
            return Fact("str", value=Const(str(value)))
    return None


def _generic_fact(value: np.generic) -> Fact:
    if value.dtype.kind == "U":
        return Fact("str", value=Const(str(value)))
    return scalar(value.dtype.name) if value.dtype.kind in KINDS else Fact("object")


def _array_fact(value: Any, name: str) -> Fact:
    if value.dtype.kind not in KINDS:
        return Fact("object")
    dims = (ONE if n == 1 else axis(name, i) for i, n in enumerate(value.shape))
    return array(value.dtype.name, tuple(dims))


def axis(name: str, number: int) -> Dim:
    """Return the symbolic length of an axis of `name`."""
    return Dim(f"{name}.{number}") if name else ANY


# of a list of what has one of these types, two that differ tell what all do
ALIKE = ({float}, {int}, {str})


def _list_fact(value: list[Any], found: Found) -> Fact:
    from s2sad.legacy.facts.joins import join_elements  # which is made of facts

    if {type(each) for each in value} in ALIKE:
        value = list(dict.fromkeys(value))[:2]  # more of them tell nothing more
    facts = dict.fromkeys(_fact(each, "", found) for each in value)
    return Fact("list", items=join_elements(facts))


def _dict_fact(value: dict[Any, Any], found: Found) -> Fact:
    if not all(type(key) in (str, int) for key in value):
        return Fact("dict")
    return Fact(
        "dict",
        items=tuple(_fact(each, "", found) for each in value.values()),
        keys=tuple(value),
    )


def _other_fact(value: Any) -> Fact:
    if hasattr(type(value), "__next__"):
        return Fact("unknown", made_of=type(value))  # an iterator
    if isinstance(value, ModuleType):
        return Fact("module")
    if isinstance(value, type) and issubclass(value, (float, int, complex, np.generic)):
        return Fact("function", made_of=value)  # a type of numbers
    if isinstance(value, FunctionType | BuiltinFunctionType | np.ufunc | type):
        return Fact("function")
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return Fact("generator")
    if type(value).__module__.startswith("scipy.sparse"):
        return Fact("sparse", str(value.dtype))
    return Fact("object")


def identity(function: Any) -> Any:
    """Return what a function is known by: np.add.reduce is another object each time."""
    if isinstance(function, BuiltinMethodType) and isinstance(function.__self__, np.ufunc):
        return id(function.__self__), function.__name__
    return id(function)


def is_numeric(fact: Fact) -> bool:
    """Tell whether a value is surely a number or an array of numbers."""
    return fact.is_scalar or fact.is_array


def same_shape(a: Fact, b: Fact) -> bool:
    """Tell whether two values provably have one shape."""
    if a.shape is None or b.shape is None or a.shape != b.shape:
        return False
    if isinstance(a.shape, tuple) and ANY in a.shape:
        return False
    return _has_shape(a) and _has_shape(b)


def _has_shape(fact: Fact) -> bool:
    return is_numeric(fact) or fact.kind == "unknown"
