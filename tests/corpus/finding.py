"""Names of modules become the Python functions that stand in them.

functions(["colorsys"])    ->    {"colorsys:rgb_to_yiq": <function rgb_to_yiq>, ...}

Modules are imported; no function is called.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import pkgutil
import sys
import types
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

ROOTS = (*sorted(sys.stdlib_module_names), "numpy", "scipy")

# what opens a window, prints or starts something when it is imported, and other people's tests
UNWANTED = frozenset(
    """
    __main__ __phello__ antigravity conftest ensurepip idlelib lib2to3 pip setup test tests this
    tkinter turtle turtledemo
    """.split()
)


def functions(roots: Iterable[str]) -> dict[str, types.FunctionType]:
    """Return the functions of packages and modules by name, each once."""
    found: dict[str, types.FunctionType] = {}
    seen: set[int] = set()
    for name in sorted({each for root in roots for each in module_names(root)}):
        for label, function in _functions_in(name):
            if id(function) not in seen:
                seen.add(id(function))
                found[label] = function
    return found


def module_names(root: str) -> Iterator[str]:
    """Yield a module's name and those of the modules below it, as far as they can be imported."""
    module = _imported(root)
    if module is None:
        return
    yield root
    # os.path and the like are modules under another name, with nothing below them
    paths = getattr(module, "__path__", ()) if module.__name__ == root else ()
    for each in sorted(pkgutil.iter_modules(paths), key=lambda info: info.name):
        yield from module_names(f"{root}.{each.name}")


def _imported(name: str) -> types.ModuleType | None:
    if name.rpartition(".")[2] in UNWANTED:
        return None
    silent = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(silent):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stderr(silent), contextlib.suppress(Exception, SystemExit):
            return importlib.import_module(name)
    return None


def _functions_in(name: str) -> Iterator[tuple[str, types.FunctionType]]:
    for key, value in sorted(vars(sys.modules[name]).items()):
        if isinstance(value, types.FunctionType) and value.__module__ == name:
            yield f"{name}:{key}", value
        elif isinstance(value, type) and value.__module__ == name:
            yield from _methods_of(f"{name}:{value.__qualname__}", value)


def _methods_of(label: str, kind: type) -> Iterator[tuple[str, types.FunctionType]]:
    for key, value in sorted(vars(kind).items()):
        function = value.__func__ if isinstance(value, staticmethod) else value
        if isinstance(function, types.FunctionType):
            yield f"{label}.{key}", function


def wrt_of(function: types.FunctionType) -> str | None:
    """Return the parameter to differentiate with respect to: the first that is no object itself."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [each.name for each in parameters if each.kind in kinds]
    return next((name for name in names if name not in ("self", "cls")), None)


def has_text(function: Any) -> bool:
    """Tell whether a function stands in a file: what `exec` made has no text to read."""
    return function.__code__.co_filename.endswith(".py")
