"""Functions whose text can be read, in place of what has none.

@numba.njit                       drag      ->    the function that was decorated, drag.py_func
@numba.vectorize, @guvectorize    kernel    ->    a function that calls it element by element
operator.itemgetter(k)                      ->    a function that gives x[k]
"""

from __future__ import annotations

import functools
import operator
import zlib
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.source.files import run_text


def python_of(value: Any) -> Any:
    """Return the Python function behind one that Numba compiles; anything else as it is."""
    kind = type(value)
    if not kind.__module__.startswith("numba."):
        return value
    kernel = _kernel_of(value)
    if not isinstance(kernel, FunctionType):
        return value
    return _each(kernel) if _goes_by_elements(value) else kernel


def _kernel_of(value: Any) -> Any:
    """Return what was decorated: dispatchers hold it, and ufuncs hold a dispatcher."""
    held = getattr(value, "_dispatcher", value)
    return getattr(held, "py_func", getattr(held, "_pyfunc", None))


def _goes_by_elements(value: Any) -> bool:
    return type(value).__name__ == "DUFunc"


@functools.lru_cache(maxsize=256)
def _each(kernel: FunctionType) -> FunctionType:
    """Return a function that calls one of numbers for each element of its arguments."""
    name = kernel.__name__
    params = list(kernel.__code__.co_varnames[: kernel.__code__.co_argcount])
    text = _text_of_each(name, params)
    path = f"<numba {name} {zlib.crc32(text.encode()):x}>"
    space: dict[str, Any] = {"np": np, f"{name}_of_one": kernel, "__name__": kernel.__module__}
    run_text(text, path, space)
    made: FunctionType = space[name]
    return made


def _text_of_each(name: str, params: list[str]) -> str:
    every = ", ".join(params)
    if len(params) == 1:
        (one,) = params
        return (
            f"def {name}({one}):\n"
            f"    found = np.array([{name}_of_one(item) for item in np.ravel({one})])\n"
            f"    return np.reshape(found, np.shape({one}))\n"
        )
    items = ", ".join(f"{each}_item" for each in params)
    flat = ", ".join(f"np.ravel({each})" for each in params)
    return (
        f"def {name}({every}):\n"
        f"    {every} = np.broadcast_arrays({every})\n"
        f"    found = np.array([{name}_of_one({items}) for {items} in zip({flat})])\n"
        f"    return np.reshape(found, np.shape({params[0]}))\n"
    )


GETTERS: tuple[Any, ...] = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
LITERALS = (bool, int, float, str, slice, type(None))

_made: dict[str, FunctionType] = {}


def as_written(getter: Any) -> FunctionType | None:
    """Return the function that a getter stands for; None where its arguments are no literals."""
    args, keywords = _arguments(getter)
    if not all(isinstance(each, LITERALS) for each in (*args, *keywords.values())):
        return None
    name = type(getter).__name__
    text = f"def {name}(held):\n    return {_expression(name, args, keywords)}\n"
    if text not in _made:
        space: dict[str, Any] = {}
        run_text(text, f"<{name} {len(_made)}>", space)
        _made[text] = space[name]
    return _made[text]


def _arguments(getter: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return what a getter was made with, which only copying it tells."""
    made, args = getter.__reduce__()[:2]
    if isinstance(made, type):
        return args, {}
    return (*made.args, *args), made.keywords  # a partial object, where there are keywords


def _expression(name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
    if name == "itemgetter":
        return ", ".join(f"held[{each!r}]" for each in args)
    if name == "attrgetter":
        return ", ".join(f"held.{each}" for each in args)
    given = [*map(repr, args[1:]), *(f"{key}={value!r}" for key, value in keywords.items())]
    return f"held.{args[0]}({', '.join(given)})"
