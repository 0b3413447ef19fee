"""A constant of the user's module as text that gives the same value in a file of its own.

0.8                          0.8
np.float32(0.1)              np.float32(0.10000000149011612)
np.array([[1, 2]])           np.array([[1, 2]])
{"dt": 0.1, "tol": (0, 1)}   {"dt": 0.1, "tol": (0, 1)}
Point                        collections.namedtuple("Point", "x y")
Diverged                     type("Diverged", (ValueError,), {})
Law.LINEAR                   SimpleNamespace(name="LINEAR")
Ice(A=2.0, n=3)              SimpleNamespace(A=2.0, n=3)      where A and n are read
{"b", "a"}                   {"a", "b"}
logging.getLogger("model")   logging.getLogger("model")
"""

from __future__ import annotations

import logging
from collections import namedtuple
from collections.abc import Set
from enum import Enum
from itertools import takewhile
from typing import Any

import numpy as np

from s2sad.ir.spelling import literal
from s2sad.lowering.operations import WORDS
from s2sad.source.plain import PLACED, defaults_of, is_named_tuple, is_record

LARGEST = 400
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
# the dtypes that NumPy gives to a list of numbers of their kind
_DEFAULT = frozenset({"float64", "int64", "bool", "complex128"})


NOTHING: frozenset[str] = frozenset()


def constant_text(
    value: Any, fields: Set[str] = NOTHING, around: tuple[Any, ...] = ()
) -> str | None:
    """Return the text of a constant, or None for what no short text gives exactly.

    Of an object the text gives those of its `fields` that are read: methods are written out where
    they are called. `around` are the objects that it is part of: one of these again has no text.
    """
    if type(value) in _PLAIN:
        return literal(value)[0]
    if isinstance(value, np.generic):
        return _number(value)
    if type(value) is np.ndarray:
        return _array(value)
    if type(value) in (tuple, list) and len(value) <= LARGEST:
        return _sequence(value, fields, around)
    if type(value) is dict and len(value) <= LARGEST:
        return _mapping(value, fields, around)
    if type(value) in (set, frozenset) and len(value) <= LARGEST:
        return _set(value)
    if isinstance(value, logging.Logger):
        return f"logging.getLogger({value.name!r})"
    if isinstance(value, Enum):
        return _member(value, fields)
    if is_record(value) and not is_named_tuple(type(value)):
        return _object(value, fields, around)
    if type(value) is slice:
        parts = [constant_text(each) for each in (value.start, value.stop, value.step)]
        return None if None in parts else f"slice({', '.join(map(str, parts))})"
    return _class(value) if isinstance(value, type) else None


_GIVEN = PLACED | frozenset(vars(namedtuple("_GIVEN", "x")))
# operators that lowering has followed wherever they are applied
_FOLLOWED = frozenset(f"__{side}{word}__" for word in WORDS.values() for side in ("", "r", "i"))
_FOLLOWED |= {f"__{word}__" for word in ("neg", "pos", "invert", "abs", "call")}


def _class(cls: type) -> str | None:
    """Return a class of named tuples, or an exception that is nothing but a name of its own."""
    if issubclass(cls, tuple):
        return _named_tuple(cls)
    base = cls.__base__
    if not issubclass(cls, Exception) or base is None or base.__module__ != "builtins":
        return None
    if len(cls.__bases__) > 1 or any(word not in PLACED for word in vars(cls)):
        return None
    return f'type("{cls.__name__}", ({base.__name__},), {{}})'


def _named_tuple(cls: type) -> str | None:
    """Return a class of named tuples that has no operators of its own but those of arithmetic.

    Methods have been followed, those of a class that is derived from such a class, too.
    """
    derived = list(takewhile(lambda each: "_fields" not in vars(each), cls.__mro__))
    fields = getattr(cls, "_fields", None)
    if fields is None or any(len(each.__bases__) > 1 for each in derived):
        return None
    own = {word for each in derived for word in vars(each)} - PLACED
    own |= set(vars(cls.__mro__[len(derived)])) - _GIVEN
    if {word for word in own if word.startswith("__") and word.endswith("__")} - _FOLLOWED:
        return None
    values = [constant_text(value) for value in defaults_of(cls).values()]
    if None in values:
        return None
    defaults = f", defaults=[{', '.join(map(str, values))}]" if values else ""
    return f'collections.namedtuple("{cls.__name__}", "{" ".join(fields)}"{defaults})'


def named_tuple_text(value: Any) -> str | None:
    """Return the text of a named tuple whose class is the user's by its name and module."""
    cls = type(value)
    made = _named_tuple(cls) if is_named_tuple(cls) and cls.__qualname__ == cls.__name__ else None
    parts = [constant_text(part) for part in value] if made else [None]
    if made is None or None in parts:
        return None
    of_module = f', module="{cls.__module__}")'
    return f"{made.removesuffix(')')}{of_module}({', '.join(map(str, parts))})"


def _number(value: np.generic) -> str | None:
    """Return a NumPy number: unlike a plain one it decides the dtype of what it meets."""
    if not _has_literals(value.dtype):
        return None
    name = "bool_" if value.dtype.kind == "b" else value.dtype.name
    return f"np.{name}({literal(value.item())[0]})"


def _array(value: np.ndarray[Any, Any]) -> str | None:
    name = value.dtype.name
    if value.size > LARGEST or not value.dtype.isnative or not _has_literals(value.dtype):
        return None
    if value.size == 0:
        return f"np.zeros({value.shape}, dtype={'' if name == 'bool' else 'np.'}{name})"
    dtype = "" if name in _DEFAULT else f", dtype=np.{name}"
    return f"np.array({literal(value.tolist())[0]}{dtype})"


def _has_literals(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "fibuc" and type(dtype.type(0).item()) in _PLAIN


def _object(value: Any, fields: Set[str], around: tuple[Any, ...]) -> str | None:
    """Return an object as the fields of it that are read."""
    if any(value is each for each in around):
        return None
    inner = (*around, value)
    held = {n: constant_text(part, fields, inner) for n, part in vars(value).items() if n in fields}
    if not held or None in held.values():
        return None
    return f"SimpleNamespace({', '.join(f'{name}={part}' for name, part in held.items())})"


def _member(value: Enum, fields: Set[str]) -> str | None:
    """Return a member as what is read of it; one that is computed with, as its value."""
    if isinstance(value, int | float | str):
        return None if "name" in fields else constant_text(value.value)
    if "value" not in fields:
        return f"SimpleNamespace(name={value.name!r})" if "name" in fields else None
    held = constant_text(value.value)
    return None if held is None else f"SimpleNamespace(name={value.name!r}, value={held})"


def _sequence(
    value: tuple[Any, ...] | list[Any], fields: Set[str], around: tuple[Any, ...]
) -> str | None:
    if any(value is each for each in around):
        return None
    return display(type(value), [constant_text(part, fields, (*around, value)) for part in value])


def display(cls: type, parts: list[str | None]) -> str | None:
    """Return a list or tuple of parts as Python writes it."""
    if None in parts:
        return None
    inner = ", ".join(map(str, parts))
    if issubclass(cls, list):
        return f"[{inner}]"
    return f"({inner},)" if len(parts) == 1 else f"({inner})"


def _set(value: Set[Any]) -> str | None:
    """Return a set, whose texts stand in order: Python gives them in another one in each run."""
    parts = [constant_text(part) for part in value]
    if None in parts:
        return None
    ordered = sorted(map(str, parts)) if all(isinstance(part, str) for part in value) else parts
    inner = "{" + ", ".join(map(str, ordered)) + "}" if parts else ""
    return inner if inner and type(value) is set else f"{type(value).__name__}({inner})"


def _mapping(value: dict[Any, Any], fields: Set[str], around: tuple[Any, ...]) -> str | None:
    if any(value is each for each in around):
        return None
    inner = (*around, value)
    pairs = [(constant_text(key), constant_text(v, fields, inner)) for key, v in value.items()]
    if any(None in pair for pair in pairs):
        return None
    return "{" + ", ".join(f"{key}: {part}" for key, part in pairs) + "}"
