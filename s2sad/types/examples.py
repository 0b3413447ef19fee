"""The type of an argument from its example: each axis of each array has a symbol of its own.

type_of(np.zeros((3, 4)), "u", context)   ->   Array("float64", (u.shape[0], u.shape[1]))
"""

from __future__ import annotations

import functools
from collections.abc import Hashable
from collections.abc import Sequence as Values
from dataclasses import fields, is_dataclass
from enum import Enum
from logging import Logger
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.ir.records import replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Number,
    Other,
    Reference,
    Region,
    Sequence,
    Tuple,
    Type,
    Unknown,
    types_in,
)
from s2sad.operators.guards import is_sparse
from s2sad.source.owners import is_called, is_own
from s2sad.types.alike import of_items, unite_items
from s2sad.types.assumptions import Context
from s2sad.types.positions import different_axes, different_in_items
from s2sad.types.reading import PYTHON_KINDS, is_option_of_arguments, is_plain_array
from s2sad.types.subscripts import joined

CODE = (
    FunctionType,
    BuiltinFunctionType,
    MethodType,
    ModuleType,
    type,
    np.ufunc,
    type(np.sum),
    functools.partial,
)


def type_of(value: Any, path: str = "u", context: Context | None = None) -> Type:
    """Return the type of a value that is reached by `path` at the entry of the function.

    Lists, dicts and objects become regions of the context, with their path for a site.
    """
    reader = _Reader(context or Context())
    found = reader.read(value, path)
    unite_items(reader.context, reader.lists, reader.shared)
    return found


class _Reader:
    """Reads examples; `seen` are the sites of objects that were met, under whatever path.

    `lists` are the sites of lists, inner ones first, `shared` those of what was met again.
    """

    def __init__(self, context: Context):
        self.context = context
        self.seen: dict[int, Reference] = {}
        self.lists: list[str] = []
        self.shared: set[str] = set()

    def read(self, value: Any, path: str) -> Type:
        """Return the type of one value."""
        if is_option_of_arguments(value):
            self.context.options[path] = value
        if isinstance(value, Enum):
            return Other(type(value))
        if type(value) in PYTHON_KINDS:
            return self._number(value, PYTHON_KINDS[type(value)], False, path)
        if isinstance(value, np.generic) and value.dtype.kind in "biufc":
            return self._number(value, value.dtype.name, True, path)
        if isinstance(value, np.ndarray):
            return self._array(value, path) if is_plain_array(value) else Other(type(value))
        if isinstance(value, tuple):
            cls = type(value)
            items = [self.read(item, f"{path}[{k}]") for k, item in enumerate(value)]
            options = ((k, item) for k, item in enumerate(value) if is_option_of_arguments(item))
            return Tuple(tuple(items), None if cls is tuple else cls, tuple(options))
        if isinstance(value, CODE) or is_called(value):
            return Code(value)
        if id(value) in self.seen:
            self.shared.add(str(self.seen[id(value)].site))
            return self.seen[id(value)]
        if isinstance(value, list):
            return self._list(value, path)
        if isinstance(value, dict) and _reads_as_dict(type(value)):
            return self._dict(value, path)
        return self._object(value, path)

    def _number(self, value: Any, dtype: str, boxed: bool, path: str) -> Number:
        length = None
        if dtype[0] in "iu" and value >= 0:
            length = self.context.assumptions.add(path, int(value))
        return Number(dtype, boxed, length)

    def _array(self, value: Any, path: str) -> Type:
        if value.dtype.kind not in "biufc":
            return UNKNOWN
        lengths = (
            self.context.assumptions.add(f"{path}.shape[{axis}]", size)
            for axis, size in enumerate(value.shape)
        )
        self.context.different.known |= {(path, axis) for axis in different_axes(value)}
        return Array(value.dtype.name, tuple(lengths))

    def _list(self, value: list[Any], path: str) -> Reference:
        reference = self.seen[id(value)] = Reference(path)
        items = [self.read(item, f"{path}[{k}]") for k, item in enumerate(value)]
        item = self._of_all(joined(items), items, f"{path}[-1]")
        if different_in_items(value):
            self.context.different.known |= {(path, 1)}
        read: dict[Hashable, Type] = dict(enumerate(items))
        by_place = Region(path, "fields", fields=read, cls=list, is_parameter=True)
        self.context.by_place[path] = by_place
        holds_memory = any(isinstance(each, Reference) for each in types_in(item))
        if items and (item == UNKNOWN or holds_memory):  # objects, functions
            region = by_place
        else:
            held = item if items else Unknown(is_unset=True)
            region = Region(path, "list", held, cls=list, is_parameter=True)
        self.context.regions[path] = region
        self.lists.append(path)
        return reference

    def _of_all(self, item: Type, items: Values[Any], path: str) -> Type:
        """Return the type of each item of a list, with the lengths that all of them have."""
        match item:
            case Array():
                return replace(item, lengths=of_items(items, path, self.context.assumptions))
            case Tuple(parts):  # options of all items, which a later list need not have
                every = zip(*(each.items for each in items), strict=True)
                paths = (f"{path}[{k}]" for k in range(len(parts)))
                items_of_all = tuple(map(self._of_all, parts, every, paths))
                return replace(item, items=items_of_all, options=())
        return item

    def _dict(self, value: dict[Any, Any], path: str) -> Reference:
        reference = self._fields(value, {k: f"{path}[{k!r}]" for k in value}, dict, path)
        cls = type(value)
        if hasattr(cls, "__getattr__") or getattr(value, "__dict__", {}).keys() == value.keys():
            self.context.regions[path] = replace(self.context.regions[path], by_attribute=cls)
        return reference

    def _fields(self, values: Any, paths: dict[Any, str], cls: type | None, path: str) -> Reference:
        reference = self.seen[id(values)] = Reference(path)
        items = values if isinstance(values, dict) else vars(values)
        read = {key: self.read(items[key], paths[key]) for key in paths}
        self.context.regions[path] = Region(path, "fields", fields=read, cls=cls, is_parameter=True)
        return reference

    def _object(self, value: Any, path: str) -> Type:
        if isinstance(value, range):
            return Sequence(Number("int64"), range)
        if value is None or isinstance(value, str | bytes | slice | np.dtype | Logger):
            return Other(type(value))
        if is_sparse(type(value)):
            return Other(type(value), self._array(value, path))
        if not hasattr(value, "__dict__") and (is_dataclass(value) or _slots(value)):
            names = [each.name for each in fields(value)] if is_dataclass(value) else _slots(value)
            read = {name: getattr(value, name) for name in names}
            return self._fields(read, {n: f"{path}.{n}" for n in names}, type(value), path)
        if isinstance(getattr(value, "__dict__", None), dict):
            paths = {name: f"{path}.{name}" for name in vars(value)}
            return self._fields(value, paths, type(value), path)
        return Other(type(value))


READ_METHODS = ("__contains__", "__iter__", "__len__", "get", "items", "keys", "values")


def _reads_as_dict(cls: type) -> bool:
    """Tell whether objects of a class give their entries as dicts do: no method says otherwise."""
    return not any(is_own(getattr(cls, name)) for name in READ_METHODS)


def _slots(value: Any) -> list[str]:
    """Return the fields that the classes of an object give it by __slots__, where they are set."""
    found: list[str] = []
    for cls in type(value).__mro__:
        names = vars(cls).get("__slots__", ())
        found += [names] if isinstance(names, str) else list(names)
    return [name for name in found if hasattr(value, name)]
