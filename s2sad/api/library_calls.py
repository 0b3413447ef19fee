"""A function of NumPy, SciPy or Python that is given itself becomes a function that calls it.

np.median       ->    def median(a): return np.median(a)
math.sin        ->    def sin(x): return math.sin(x)

So it is differentiated by its rule, as where a function of the user's calls it. What may be left
out is left out.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import math
import sys
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.operators.heads import head_of_function
from s2sad.operators.library import candidates
from s2sad.source.files import run_text
from s2sad.source.optional import MODULES

OWN: tuple[tuple[str, str, ModuleType], ...] = (
    ("np", "np", np),
    ("np", "np.linalg", np.linalg),
    ("np", "np.fft", np.fft),
    ("math", "math", math),
    ("builtins", "builtins", builtins),
)
OF_PYTHON = frozenset(("abs", "max", "min", "pow", "sum"))
PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def call_of_library(given: Any) -> Any:
    """Return a function that calls one of a library's; anything else as it is."""
    found = _place_of(given)
    if found is None:
        return given
    return _function(given, *found)


def _place_of(given: Any) -> tuple[str, str] | None:
    """Return the module under which a function is known, as `np.linalg`, and its whole name."""
    name = getattr(given, "__name__", None)
    if not callable(given) or isinstance(given, type | ModuleType) or not isinstance(name, str):
        return None
    if inspect.isbuiltin(given) and given.__module__ == "builtins" and name not in OF_PYTHON:
        return None
    for root, text, holder in _holders(given):
        if _is_same(getattr(holder, name, None), given):
            return (root, f"{text}.{name}") if _has_rule(given) else None
    return None


def _holders(given: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield modules that a function may be one of, and the distribution that it is a method of."""
    loaded = {text: sys.modules.get(name) for text, name in MODULES.items()}
    known = [(text, text, module) for text, module in loaded.items() if module is not None]
    if isinstance(given, MethodType):
        owner = given.__self__
        name, stats = getattr(owner, "name", None), loaded.get("stats")
        if isinstance(name, str) and stats is not None and getattr(stats, name, None) is owner:
            yield "stats", f"stats.{name}", owner
        return
    yield from (*OWN, *known)


def _is_same(found: Any, given: Any) -> bool:
    return found is given or (isinstance(found, MethodType) and found == given)


def _has_rule(given: Any) -> bool:
    """Tell whether a function is called by its rule; Python's own text is read otherwise."""
    if isinstance(given, FunctionType | MethodType) and given.__name__.startswith("_"):
        return False
    return not isinstance(given, FunctionType) or bool(candidates(head_of_function(given)))


@functools.lru_cache(maxsize=256)
def _function(given: Any, root: str, text: str) -> FunctionType:
    name = text.rpartition(".")[2]
    params = ", ".join(_required(given))
    source = f"def {name}({params}):\n    return {text}({params})\n"
    modules = {"np": np, "math": math, "builtins": builtins}
    space: dict[str, Any] = {root: modules.get(root) or sys.modules[MODULES[root]]}
    run_text(source, f"<{text}>", space)
    made: FunctionType = space[name]
    made.__module__ = "builtins"
    return made


def _required(given: Any) -> list[str]:
    """Return the parameters of a function that cannot be left out."""
    if isinstance(given, np.ufunc):
        return ["x"] if given.nin == 1 else [f"x{i + 1}" for i in range(given.nin)]
    try:
        parameters = inspect.signature(given).parameters.values()
    except (TypeError, ValueError):
        return ["x"]
    found = [p.name for p in parameters if p.kind in PLAIN and p.default is p.empty]
    return found or ["x"]
