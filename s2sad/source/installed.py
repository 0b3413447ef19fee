"""Tells what is installed as a package from what is the user's own, and imports the former.

where("erf", erf, namespace)      "from scipy.special import erf", however the user came by it
where("step", step, namespace)    None, if step stands in a module of the user's: it is copied
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from s2sad.source.files import parsed
from s2sad.source.optional import known_name
from s2sad.source.text import MISSING, Source
from s2sad.source.trees import nodes_of

_FOLDERS = frozenset({"site-packages", "dist-packages"})
# modules of Python's own whose functions compute with what they are given, or hand it on
_OF_VALUES = frozenset(
    "bisect collections colorsys contextlib copy dataclasses fractions functools heapq itertools "
    "math numbers operator random statistics types typing".split()
)


@dataclass(frozen=True, slots=True)
class Namespace:
    """A module as the names in it were bound: its tree, and the package it belongs to."""

    tree: ast.Module
    package: str
    name: str


def namespace_of(where: Source | ModuleType) -> Namespace:
    """Return the namespace of a function or module."""
    if isinstance(where, Source):
        names = where.function.__globals__
        package = names.get("__package__") or ""
        return Namespace(where.module_tree, package, names.get("__name__") or "")
    return Namespace(_tree(where), getattr(where, "__package__", "") or "", where.__name__)


def _tree(module: ModuleType) -> ast.Module:
    try:
        return parsed(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return ast.Module([], [])


# ---------------------------------------------------------------- installed or not


def is_installed(value: Any) -> bool:
    """Tell whether a module or Python function belongs to Python or to an installed package."""
    if isinstance(value, FunctionType):
        return is_installed_path(value.__code__.co_filename)
    if not isinstance(value, ModuleType):
        return False
    file = getattr(value, "__file__", None) or next(iter(getattr(value, "__path__", ())), None)
    if file is None:
        origin = getattr(getattr(value, "__spec__", None), "origin", None)
        return value.__name__ in sys.builtin_module_names or origin in ("built-in", "frozen")
    return is_installed_path(file)


def is_ours(value: Any) -> bool:
    """Tell whether an object is a derivative that was made here, not an object of the user's."""
    return type(value).__module__.startswith("s2sad.")


@functools.lru_cache(maxsize=512)
def is_installed_path(path: str) -> bool:
    """Tell whether a file belongs to Python or to an installed package."""
    return not _FOLDERS.isdisjoint(Path(path).parts) or _is_of_python(path)


@functools.lru_cache(maxsize=512)
def _is_of_python(path: str) -> bool:
    if path.startswith("<frozen"):
        return True
    own = Path(path)
    folders = map(sysconfig.get_path, ("stdlib", "platstdlib"))
    return _FOLDERS.isdisjoint(own.parts) and any(map(own.is_relative_to, folders))


def is_of_the_system(function: FunctionType) -> bool:
    """Tell whether a function is one of Python's own that deals with files, texts or processes.

    What such a function does is not followed: it goes through hundreds of others.
    """
    root = (function.__module__ or "").partition(".")[0]
    return root not in _OF_VALUES and _is_of_python(function.__code__.co_filename)


# ---------------------------------------------------------------- imports


def where(name: str, rest: tuple[str, ...], value: Any, namespace: Namespace) -> str | None:
    """Return the import that binds `name` to an installed `value`, None if it is none.

    `rest` are the attributes that are read from it: submodules among them are imported too.
    """
    if isinstance(value, ModuleType):
        return _module_line(name, rest, value) if is_installed(value) else None
    found = _source_of_object(name, value, namespace)
    return None if found is None else _from_line(*found, name)


def _module_line(name: str, rest: tuple[str, ...], module: ModuleType) -> str:
    full = module.__name__
    if full != name:
        package, _, last = full.rpartition(".")
        return f"from {package} import {last}" if last == name else f"import {full} as {name}"
    for attribute in rest:
        inner = f"{full}.{attribute}"
        if inner not in sys.modules or sys.modules[inner] is not getattr(module, attribute, None):
            break
        full, module = inner, sys.modules[inner]
    return f"import {full}"


def _from_line(module: str, name: str, alias: str) -> str:
    return f"from {module} import {name}" + (f" as {alias}" if alias != name else "")


def _source_of_object(name: str, value: Any, namespace: Namespace) -> tuple[str, str] | None:
    """Return the installed module that an object can be imported from, and its name there."""
    for module, original in _written(name, value, namespace):
        if is_installed(sys.modules[module]):
            return module, original
        further = _source_of_object(original, value, namespace_of(sys.modules[module]))
        if further is not None:
            return further
    module, _, own = (known_name(name, value) or "").rpartition(".")
    if not module:  # SciPy's ufuncs do not know where they stand
        own, module = getattr(value, "__name__", ""), getattr(value, "__module__", "")
    held = getattr(sys.modules.get(module), own, MISSING)
    return (module, own) if held is value and is_installed(sys.modules[module]) else None


def _written(name: str, value: Any, namespace: Namespace) -> Iterator[tuple[str, str]]:
    """Yield the user's own `from ... import` of a name, where it gives that very object."""
    for node in _from_imports(namespace.tree):
        module = _absolute(node, namespace.package)
        for alias in node.names:
            held = getattr(sys.modules.get(module), alias.name, MISSING)
            if (alias.asname or alias.name) == name and held is value and module != namespace.name:
                yield module, alias.name


@functools.lru_cache(maxsize=64)
def _from_imports(tree: ast.Module) -> tuple[ast.ImportFrom, ...]:
    """Return what a module imports by name: its text may be long, and is asked for each object."""
    return tuple(node for node in nodes_of(tree) if isinstance(node, ast.ImportFrom))


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])


# ---------------------------------------------------------------- imports inside functions


def importable(module: str, qualname: str) -> Any:
    """Return what an import of a module finds under a name, None where there is nothing."""
    try:
        found: Any = importlib.import_module(module)
        for part in qualname.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found
