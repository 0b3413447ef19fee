"""Turns global objects into the names that a file of its own gives them.

from numpy import sin     canonical("sin", sin)      "np.sin"
from model import step    canonical("step", step)    "step"
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Mapping
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.source.optional import known_name
from s2sad.source.text import MISSING

_WELL_KNOWN: dict[str, ModuleType] = {
    "np": np,
    "np.linalg": np.linalg,
    "np.fft": np.fft,
    "np.random": np.random,
    "math": math,
}
_CONSTANTS = ("pi", "e", "inf", "nan", "euler_gamma", "tau")


def canonical(text: str, value: Any) -> str:
    """Return the name of a global: NumPy's under `np`, math's under `math`, a builtin's bare.

    SciPy's are named in full. Anything else keeps the text that the user gave it.
    """
    last = text.rpartition(".")[2]
    if _is_builtin(value):
        return str(value.__name__)
    for prefix, module in _WELL_KNOWN.items():
        if value is module:
            return prefix
        if _names_object(value) and vars(module).get(last) is value:
            return f"{prefix}.{last}"
    found = _known_names().get(id(value)) if _names_object(value) else None
    if found is None:
        found = known_name(text, value) or _constant_name(value)
    if found is None and text.startswith("numpy."):
        return "np" + text.removeprefix("numpy")
    return found or _apart(text, value)


def _apart(text: str, value: Any) -> str:
    """Return a name for what the user calls by that of a builtin, or as if it were NumPy's."""
    first, _, rest = text.partition(".")
    if rest and first in _WELL_KNOWN and not _is_there(_WELL_KNOWN[first], rest, value):
        return _apart(rest.rpartition(".")[2], value)
    return f"{text}_" if hasattr(builtins, text) else text


def _is_there(module: ModuleType, path: str, value: Any) -> bool:
    """Tell whether a module has a value under a dotted name."""
    found: Any = module
    for name in path.split("."):
        found = getattr(found, name, MISSING)
    return is_same(found, value)


def is_same(found: Any, value: Any) -> bool:
    """Tell whether two names mean one object: methods such as dict.fromkeys are made anew each time."""
    return found is value or (
        isinstance(value, BuiltinMethodType | MethodType) and bool(found == value)
    )


def _is_builtin(value: Any) -> bool:
    name = getattr(value, "__name__", None)
    return isinstance(name, str) and callable(value) and vars(builtins).get(name) is value


def _names_object(value: Any) -> bool:
    # numbers are shared: an equal one says nothing about where it came from
    return callable(value) or isinstance(value, ModuleType) or _takes_keys(value)


def _takes_keys(value: Any) -> bool:
    """Tell whether an object is one of those that NumPy has for their brackets, as np.r_."""
    kind = type(value)
    return kind.__module__.startswith("numpy.lib") and hasattr(kind, "__getitem__")


@functools.cache
def _known_names() -> Mapping[int, str]:
    found: dict[int, str] = {}
    for prefix, module in _WELL_KNOWN.items():
        for name, value in vars(module).items():
            public = not name.startswith("_") and not isinstance(value, ModuleType)
            if public and (callable(value) or _takes_keys(value)) and not _is_builtin(value):
                found.setdefault(id(value), f"{prefix}.{name}")
    return found


def _constant_name(value: Any) -> str | None:
    if isinstance(value, float):
        for prefix, module in (("np", np), ("math", math)):
            for name in _CONSTANTS:
                if getattr(module, name, MISSING) is value:
                    return f"{prefix}.{name}"
    return None
