"""What Numba compiles is taken by its Python source.

@numba.njit                       drag      ->    the function that was decorated, drag.py_func
@numba.vectorize, @guvectorize    kernel    ->    a function that calls it element by element
"""

from __future__ import annotations

import functools
import linecache
import zlib
from types import FunctionType
from typing import Any

import numpy as np


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
    linecache.cache[path] = len(text), None, text.splitlines(True), path
    space: dict[str, Any] = {"np": np, f"{name}_of_one": kernel, "__name__": kernel.__module__}
    exec(compile(text, path, "exec", dont_inherit=True), space)
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
