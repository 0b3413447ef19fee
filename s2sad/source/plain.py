"""Which classes are plain: their objects are nothing but the values of their fields.

A named tuple, a dataclass, or a class whose `__init__` is Python and which does nothing unusual
with attributes.
"""

from __future__ import annotations

import abc
import copy
import dataclasses
import enum
import inspect
import typing
from collections.abc import Mapping
from functools import lru_cache
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from s2sad.source.optional import PREFIX
from s2sad.source.owners import is_of_the_system

# what the statement itself puts into a class, in one version of Python or another, and copy
PLACED = frozenset(
    """
    __module__ __doc__ __qualname__ __dict__ __annotations__ __weakref__ __slots__ __orig_bases__
    __annotate_func__ __annotations_cache__ __firstlineno__ __static_attributes__ __slotnames__
    """.split()
)
MAGIC = ("__new__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__")
PLAIN = (type, abc.ABCMeta)
SIMPLE = frozenset({float, int, bool, str, type(None), np.ndarray, np.float64})
NOT = (BaseException, enum.Enum, type)


def makes_records(kind: Any) -> bool:
    """Tell whether something is a class plain enough for its objects to be taken apart."""
    return isinstance(kind, type) and _makes_records(kind)


@lru_cache(maxsize=512)
def _makes_records(kind: type) -> bool:
    if issubclass(kind, NOT):
        return False
    if is_named_tuple(kind) or kind is SimpleNamespace:
        return True
    foreign = kind.__module__.startswith((PREFIX, "numpy", "s2sad."))
    if (foreign and not _is_polynomial(kind)) or type(kind) not in PLAIN:
        return False
    own = [each for each in kind.__mro__ if each not in (object, abc.ABC, typing.Generic)]
    if any(each.__module__ == "builtins" or not is_usual(each) for each in own):
        return False
    init = getattr(kind, "__init__", None)
    is_namespace = (kind.__module__, kind.__qualname__) == ("argparse", "Namespace")
    if is_namespace or init is object.__init__:
        return True
    return isinstance(init, FunctionType) and not is_of_the_system(init)


def _is_polynomial(kind: type) -> bool:
    """Tell whether a class is one of NumPy's polynomials, whose methods are Python."""
    return kind is np.poly1d or kind.__module__.startswith("numpy.polynomial.")


def is_named_tuple(kind: Any) -> bool:
    """Tell whether a class is one of named tuples that makes them as it is told."""
    if not (isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return False
    own = kind.__dict__.get("__new__")
    return own is None or getattr(own, "__code__", None) is None or _is_generated(own)


def defaults_of(kind: Any) -> dict[str, Any]:
    """Return the defaults of a class of named tuples, those that were set on its `__new__` too."""
    defaults = kind.__new__.__defaults__ or ()
    return dict(zip(kind._fields[len(kind._fields) - len(defaults) :], defaults, strict=True))


def _is_generated(function: Any) -> bool:
    name = function.__code__.co_filename
    return bool(name.startswith("<") or name.endswith("collections/__init__.py"))


def is_usual(kind: type) -> bool:
    """Tell whether a class does nothing unusual with the attributes of its objects."""
    odd = {name for name in MAGIC if name in kind.__dict__}
    return not odd or (dataclasses.is_dataclass(kind) and odd <= {"__setattr__", "__delattr__"})


def is_made_of_fields(kind: type | None) -> bool:
    """Tell whether dataclasses.replace gives an object with other fields, and runs no line of the class."""
    if kind is None or not dataclasses.is_dataclass(kind) or hasattr(kind, "__post_init__"):
        return False
    init = inspect.getattr_static(kind, "__init__")
    taken = [*inspect.signature(kind).parameters]
    is_of_all = taken == [each.name for each in dataclasses.fields(kind)]
    return is_of_all and isinstance(init, FunctionType) and _is_generated(init)


def comes_first(kind: type, name: str) -> bool:
    """Tell whether a class answers for an attribute, whatever field of that name an object has.

    A property does, and any other data descriptor in Python; what `__slots__` names is the field.
    """
    found = inspect.getattr_static(kind, name, None)
    return isinstance(found, property) or isinstance(
        getattr(type(found), "__set__", None), FunctionType
    )


def fields_of(value: Any) -> Mapping[str, Any] | None:
    """Return the fields of a plain object by name, None for any other value."""
    kind: Any = type(value)
    # an object() holds nothing, and can only be told from others
    if kind in (float, int, list, tuple, dict, str, object) or not makes_records(kind):
        return None
    if _is_polynomial(kind):  # one that was made before is as good as a function
        return None
    if any(comes_first(kind, name) for name in _own_names(value)):
        return None  # what is read under the name of a field is something else
    return None if _is_part_of_itself(value) else _fields(value)


def _fields(value: Any) -> Mapping[str, Any]:
    if is_named_tuple(type(value)):
        return dict(zip(type(value)._fields, value, strict=True))
    return {name: getattr(value, name) for name in _own_names(value) if hasattr(value, name)}


def _is_part_of_itself(value: Any) -> bool:
    """Tell whether an object is met again in its fields, as a node that knows its parent is."""
    todo, seen = list(_fields(value).values()), set()
    while todo:
        each = todo.pop()
        if each is value:
            return True
        if type(each) in SIMPLE or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, dict):
            todo += each.values()
        elif isinstance(each, list | tuple):
            todo += each
        elif type(each) is not object and makes_records(type(each)):
            todo += _fields(each).values()
    return False


def _own_names(value: Any) -> list[str]:
    """Return the names of the fields of an object: those of its dict, and of `__slots__`."""
    found = list(getattr(value, "__dict__", ()))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        named = (slots,) if isinstance(slots, str) else slots
        found += [each for each in named if each not in ("__dict__", "__weakref__", *found)]
    return found


def with_fields(value: Any, fields: Mapping[str, Any]) -> Any:
    """Return an object like `value` with other fields."""
    if is_named_tuple(type(value)):
        return value._replace(**fields)
    made = copy.copy(value)
    for name, field in fields.items():
        object.__setattr__(made, name, field)
    return made


def may_change(value: Any) -> bool:
    """Tell whether a constant that has a text can be changed where it stands."""
    return isinstance(value, np.ndarray | list | dict) or is_record(value)


def is_record(value: Any) -> bool:
    """Tell whether something is an object of a plain class of the user's, with fields."""
    return hasattr(value, "__dict__") and makes_records(type(value))


def is_foreign_array(value: Any) -> bool:
    """Tell whether a value is an array of another module, as CuPy's are."""
    kind = type(value)
    if isinstance(value, np.ndarray | np.generic) or not hasattr(kind, "__array_function__"):
        return False
    return isinstance(getattr(value, "dtype", None), np.dtype) and hasattr(value, "shape")
