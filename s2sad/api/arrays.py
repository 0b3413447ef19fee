"""The module of arrays that a text is made for; all arrays of a call belong to it.

arrays="numpy"        np.sin(x)
arrays="cupy"         cp.sin(x)
arrays="dispatch"     xp.sin(x)       with   xp = get_array_module(x)
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from s2sad.api.structure import leaves
from s2sad.ir.errors import ArgumentError, Span
from s2sad.ir.expression import Expr
from s2sad.ir.program import Program
from s2sad.ir.walk import own_nodes, statements
from s2sad.source.plain import is_foreign_array

ARRAYS = ("numpy", "cupy", "dispatch")
FUSED = ("cupy", "dispatch")
# a text in NumPy's names that is right on a device: one to be differentiated again
UNNAMED = "unnamed"

Place = Callable[[str], Span | None]


def checked(arrays: str) -> str:
    """Return the name of a kind of text, or refuse it."""
    if not isinstance(arrays, str) or arrays not in (*ARRAYS, UNNAMED):
        known = ", ".join(map(repr, ARRAYS))
        raise ArgumentError(f"arrays= is one of {known}, not {arrays!r}")
    return arrays


def check_modules(bound: Mapping[str, Any], arrays: str, place: Place) -> None:
    """Refuse arrays of another module than that of the text, and host and device arrays in one call.

    Dask's arrays take up NumPy's functions, and NumPy's arrays beside them.
    """
    found: dict[str, str] = {}
    for name, value in bound.items():
        for path, leaf in leaves(value, name):
            module = _module_of(leaf)
            if module:
                _refuse_others(path, module, arrays, place(name))
                found.setdefault(module, path)
    if len({_place_of(module) for module in found}) > 1:
        (one, first), (other, second) = _apart(found)
        raise ArgumentError(
            f"{first} is an array of {one}'s, and {second} of {other}'s",
            place(second.split("[")[0].split(".")[0]),
            "Bring all arrays to one of them: cupy.asarray(...), or .get().",
        )


def place_in(primal: Program, dotted: str) -> Span | None:
    """Return the place of the first statement of a function that names a function of NumPy's."""
    word = dotted.rpartition(".")[2]
    for statement in statements(primal.body):
        if any(_names(node, word) for node in own_nodes(statement)):
            return statement.span
    return None


def _names(node: Expr, word: str) -> bool:
    if node.op == "global":
        return bool(node.data.text.rpartition(".")[2] == word)
    return node.op == "attribute" and node.data == word


def as_examples(bound: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return examples with NumPy's arrays in place of others, of which shapes and kinds count."""

    def like(array: Any) -> Any:
        return np.broadcast_to(np.zeros((), array.dtype), array.shape)

    return {name: _with_arrays(value, like) for name, value in bound.items()}


def fetched(value: Any) -> Any:
    """Return a value with its arrays on the host."""
    return _with_arrays(value, lambda array: np.asarray(array))


def of_plain(function: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """Call a text with plain arrays in place of those that lie in files."""
    named = {name: _plain(value) for name, value in keywords.items()}
    return function(*map(_plain, args), **named)


def _plain(value: Any) -> Any:
    return np.asarray(value) if isinstance(value, np.memmap) else value


def _with_arrays(value: Any, found: Callable[[Any], Any]) -> Any:
    """Return a value with arrays of a device fetched, and of chunks what is `found` for them."""
    if type(value) in (list, tuple):
        return type(value)(_with_arrays(part, found) for part in value)
    if isinstance(value, dict):
        made = copy.copy(value)  # of its own class, which may have attributes
        made.update({key: _with_arrays(part, found) for key, part in value.items()})
        return made
    if not is_foreign_array(value):
        return value
    return value.get() if hasattr(value, "get") else found(value)


def _module_of(leaf: Any) -> str:
    """Return the module of an array with axes, '' of any other value; of chunks that of one."""
    if isinstance(leaf, np.ndarray):
        return "numpy" if leaf.ndim else ""
    if not is_foreign_array(leaf):
        return ""
    module = type(leaf).__module__.split(".")[0]
    chunk = type(getattr(leaf, "_meta", None)).__module__.split(".")[0]
    return "cupy" if chunk == "cupy" else module


def _place_of(module: str) -> str:
    """Return where arrays of a module lie: those that take NumPy's beside them are the host's."""
    return "host" if module in ("numpy", "dask") else module


def _apart(found: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the first two modules, each with one of its arrays, that lie in different places."""
    by_place: dict[str, tuple[str, str]] = {}
    for module, path in found.items():
        by_place.setdefault(_place_of(module), (module, path))
    return list(by_place.values())[:2]


def _refuse_others(path: str, module: str, arrays: str, span: Span | None) -> None:
    if arrays == "numpy" and module != "numpy":
        hint = 'Ask for a text for it: arrays="cupy", or arrays="dispatch".'
        raise ArgumentError(f"{path} is an array of {module}'s, not of numpy's", span, hint)
    if arrays == "cupy" and module == "numpy":
        hint = 'Pass cupy.asarray(...), or ask for a text for both: arrays="dispatch".'
        raise ArgumentError(f"{path} is an array of numpy's, and the text is CuPy's", span, hint)
