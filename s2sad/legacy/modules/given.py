"""The arrays of a call belong to the module that its text is made for, all to the same one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from s2sad.ir.errors import ArgumentError, Span
from s2sad.legacy.facts.fact import is_foreign_array
from s2sad.legacy.structure import leaves

Place = Callable[[str], Span | None]


def check_modules(bound: Mapping[str, Any], arrays: str, place: Place) -> None:
    """Refuse arrays of another module than that of the text, and arrays of several modules."""
    found: dict[str, str] = {}
    for name, value in bound.items():
        for path, leaf in leaves(value, name):
            module = _module_of(leaf)
            if module:
                _refuse_others(path, module, arrays, place(name))
                found.setdefault(module, path)
    if len(found) > 1:
        (one, first), (other, second) = list(found.items())[:2]
        raise ArgumentError(
            f"{first} is an array of {one}'s, and {second} of {other}'s",
            place(second.split("[")[0].split(".")[0]),
            "Bring all arrays to one of them: cupy.asarray(...), or .get().",
        )


def _module_of(leaf: Any) -> str:
    """Return the module of an array with axes, '' of any other value."""
    if isinstance(leaf, np.ndarray):
        return "numpy" if leaf.ndim else ""
    return type(leaf).__module__.split(".")[0] if is_foreign_array(leaf) else ""


def _refuse_others(path: str, module: str, arrays: str, span: Span | None) -> None:
    if arrays == "numpy" and module != "numpy":
        hint = 'Ask for a text for it: arrays="cupy", or arrays="dispatch".'
        raise ArgumentError(f"{path} is an array of {module}'s, not of numpy's", span, hint)
    if arrays == "cupy" and module == "numpy":
        hint = 'Pass cupy.asarray(...), or ask for a text for both: arrays="dispatch".'
        raise ArgumentError(f"{path} is an array of numpy's, and the text is CuPy's", span, hint)
