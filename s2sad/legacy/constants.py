"""A constant of the user's module as text that gives the very same object in a file of its own.

0.8                          0.8
np.float32(0.1)              np.float32(0.10000000149011612)
np.array([[1, 2]])           np.array([[1, 2]])
{"dt": 0.1, "tol": (0, 1)}   {"dt": 0.1, "tol": (0, 1)}
logging.getLogger("model")   logging.getLogger("model")
Ice(A=2.0, n=3)              types.SimpleNamespace(A=2.0, n=3)
"""

from __future__ import annotations

import logging
from collections.abc import Set
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.legacy.printing import text
from s2sad.legacy.program import Const
from s2sad.source.canonical import canonical
from s2sad.source.plain import is_record

LARGEST = 400
_BRACKETS: dict[type, str] = {dict: "{}", list: "[]", tuple: "()"}
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
# the dtypes that NumPy gives to a list of numbers of their kind
_DEFAULT = frozenset({"float64", "int64", "bool", "complex128"})


def is_asked_for_more(value: Any, attributes: Set[str]) -> bool:
    """Tell whether objects in a constant have attributes that its text does not give: methods."""
    if isinstance(value, list | tuple | dict):
        parts = value.values() if isinstance(value, dict) else value
        return any(is_asked_for_more(part, attributes) for part in parts)
    if not is_record(value):
        return False
    own = vars(value)
    more = any(name not in own and hasattr(type(value), name) for name in attributes)
    return more or is_asked_for_more(own, attributes)


def constant_text(value: Any, around: tuple[Any, ...] = ()) -> str | None:
    """Return the text of a constant, or None for what no short text gives exactly.

    `around` are the objects that it is part of: one of these again has no text.
    """
    if type(value) in _PLAIN:
        return text(Const(value), str)
    if isinstance(value, np.generic):
        return _number(value)
    if type(value) is np.ndarray:
        return _array(value)
    if type(value) in (tuple, list) and len(value) <= LARGEST:
        return _sequence(value, around)
    if type(value) is dict and len(value) <= LARGEST:
        return _mapping(value, around)
    if isinstance(value, logging.Logger):
        return f"logging.getLogger({value.name!r})"
    if is_record(value):
        return _fields(value, around)
    if callable(value):
        return _numpy_name(value)
    return None


def _fields(value: Any, around: tuple[Any, ...]) -> str | None:
    """Return an object as what its fields hold: its methods are written out where they are called."""
    if any(value is each for each in around):
        return None
    parts = {name: constant_text(part, (*around, value)) for name, part in vars(value).items()}
    if not parts or None in parts.values():
        return None
    return f"types.SimpleNamespace({', '.join(f'{name}={part}' for name, part in parts.items())})"


def _number(value: np.generic) -> str | None:
    """Return a NumPy number: unlike a plain one it decides the dtype of what it meets."""
    if not _has_literals(value.dtype):
        return None
    name = "bool_" if value.dtype.kind == "b" else value.dtype.name
    return f"np.{name}({text(Const(value.item()), str)})"


def _array(value: np.ndarray[Any, Any]) -> str | None:
    name = value.dtype.name
    if value.size > LARGEST or not value.dtype.isnative or not _has_literals(value.dtype):
        return None
    dtype = "" if name in _DEFAULT else f", dtype=np.{name}"
    if value.size == 0:
        return f"np.zeros({value.shape}, dtype={'' if name == 'bool' else 'np.'}{name})"
    return f"np.array({text(Const(value.tolist()), str)}{dtype})"


def _has_literals(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "fibuc" and type(dtype.type(0).item()) in _PLAIN


def _sequence(value: tuple[Any, ...] | list[Any], around: tuple[Any, ...]) -> str | None:
    parts = [constant_text(part, around) for part in value]
    if None in parts:
        return None
    inner = ", ".join(part for part in parts if part)
    if isinstance(value, list):
        return f"[{inner}]"
    return f"({inner},)" if len(parts) == 1 else f"({inner})"


def _mapping(value: dict[Any, Any], around: tuple[Any, ...]) -> str | None:
    pairs = [(constant_text(key), constant_text(part, around)) for key, part in value.items()]
    if any(None in pair for pair in pairs):
        return None
    return "{" + ", ".join(f"{key}: {part}" for key, part in pairs) + "}"


def table_pieces(value: Any) -> list[Any] | None:
    """Return the text of a table of functions as pieces, a function standing where its name goes.

    {"rbf": rbf, "scale": 2.0}      ["{", "'rbf': ", rbf, ", ", "'scale': ", "2.0", "}"]
    """
    if isinstance(value, FunctionType):
        return [value]
    known = constant_text(value)
    if known is not None:
        return [known]
    marks = _BRACKETS.get(type(value))
    if marks is None or len(value) > LARGEST:
        return None
    keyed = isinstance(value, dict)
    parts = [table_pieces(part) for part in (value.values() if keyed else value)]
    heads = [f"{constant_text(key)}: " if keyed else "" for key in value]
    if "None: " in heads or None in parts:
        return None
    rows = zip(heads, (part or [] for part in parts), strict=True)
    inner = [piece for head, part in rows for piece in (", ", head, *part)][1:]
    return [marks[0], *inner, "," * (marks == "()" and len(value) == 1) + marks[1]]


def _numpy_name(value: Any) -> str | None:
    """Return the name of a function or type of NumPy's or math's."""
    name = canonical(getattr(value, "__name__", ""), value)
    return name if name.startswith(("np.", "math.")) else None
