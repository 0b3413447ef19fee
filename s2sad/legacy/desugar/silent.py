"""Context managers of the user's own that only watch: they take the time, print and log.

@contextmanager                       with timer("step"):
def timer(label):                         y = step(x)           ->      y = step(x)
    start = time.perf_counter()
    yield
    print(label, time.perf_counter() - start)
"""

from __future__ import annotations

import inspect
import logging
import time
import warnings
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import own_nodes
from s2sad.source.text import MISSING, source_of

WATCHING = (print, len, str, round, format, warnings.warn, float, repr)
MODULES = (time, logging)


def only_watches(function: Any) -> bool:
    """Tell whether a context manager changes nothing that is computed inside it."""
    generator = getattr(function, "__wrapped__", None)
    if isinstance(function, FunctionType) and inspect.isgeneratorfunction(generator):
        return function.__code__.co_filename.endswith("contextlib.py") and _watches(generator, "")
    if not isinstance(function, type) or not {"__enter__", "__exit__"} <= set(dir(function)):
        return False
    parts = [vars(function).get(name) for name in ("__init__", "__enter__", "__exit__")]
    made = [part for part in parts if part is not None]
    if not all(isinstance(part, FunctionType) for part in made) or len(function.__mro__) > 2:
        return False
    return "__exit__" in vars(function) and all(_watches(part, "self") for part in made)


def _watches(function: Any, own: str) -> bool:
    """Tell whether a function does no more than to set what is its own, and to tell of it."""
    try:
        source = source_of(function)
    except S2sadError:
        return False
    names = Names(source, source.locals)
    owner = source.tree.args.args[0].id if own and source.tree.args.args else ""
    return all(_is_harmless(part, owner, names) for part in own_nodes(source.tree.body))


def _is_harmless(part: Any, owner: str, names: Names) -> bool:
    match part:
        case gast.Global() | gast.Nonlocal() | gast.Import() | gast.ImportFrom() | gast.Delete():
            return False
        case gast.Subscript(ctx=gast.Store()) | gast.Starred() | gast.YieldFrom():
            return False
        case gast.Attribute(value=value, ctx=gast.Store()):
            return bool(owner) and getattr(value, "id", "") == owner
        case gast.Yield(value=value):
            return value is None
        case gast.Return(value=value):
            return (
                value is None
                or getattr(value, "value", True) in (None, False)
                or (getattr(value, "id", "") == owner != "")
            )
        case gast.ExceptHandler() | gast.Raise():
            return False
        case gast.Call(func=func):
            return _tells(func, names)
    return True


def _tells(func: Any, names: Names) -> bool:
    called = names.value(func)
    if called is MISSING and isinstance(func, gast.Attribute):
        owner = names.value(func.value)
        return isinstance(owner, logging.Logger) or isinstance(func.value, gast.Constant)
    if isinstance(getattr(called, "__self__", None), logging.Logger):
        return True
    module = inspect.getmodule(called)
    return called in WATCHING or any(module is each for each in MODULES)
