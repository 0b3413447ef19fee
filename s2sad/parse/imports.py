"""Turns global objects into the names that a file of its own gives them, and the imports it needs.

from numpy import sin     canonical("sin", sin)          "np.sin"
                          import_line("np", source)      "import numpy as np"
from model import step    import_line("step", source)    "from model import step"
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib.util
import math
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.optional import known_name, module_of
from s2sad.parse.source import MISSING, Source, resolve

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
    return found or text


def _is_builtin(value: Any) -> bool:
    name = getattr(value, "__name__", None)
    return isinstance(name, str) and callable(value) and vars(builtins).get(name) is value


def _names_object(value: Any) -> bool:
    # numbers are shared: an equal one says nothing about where it came from
    return callable(value) or isinstance(value, ModuleType)


@functools.cache
def _known_names() -> Mapping[int, str]:
    found: dict[int, str] = {}
    for prefix, module in _WELL_KNOWN.items():
        for name, value in vars(module).items():
            public = not name.startswith("_") and not isinstance(value, ModuleType)
            if public and callable(value) and not _is_builtin(value):
                found.setdefault(id(value), f"{prefix}.{name}")
    return found


def _constant_name(value: Any) -> str | None:
    if isinstance(value, float):
        for prefix, module in (("np", np), ("math", math)):
            for name in _CONSTANTS:
                if getattr(module, name, MISSING) is value:
                    return f"{prefix}.{name}"
    return None


# ---------------------------------------------------------------------------- imports


def import_line(text: str, source: Source) -> str | None:
    """Return the import that makes a (dotted) global's root name known in a file of its own.

    "" where none is needed (a builtin); None where there is none: copy its source or its value.
    """
    root = text.partition(".")[0]
    if root == "scipy" and "." in text:
        return f"import {module_of(text)}"
    value = resolve(source, root)
    if root in ("np", "math") and (root in source.locals or value in (MISSING, _WELL_KNOWN[root])):
        return "import numpy as np" if root == "np" else "import math"
    if value is MISSING:
        return None
    if _is_builtin(value) and value.__name__ == root:
        return ""
    if isinstance(value, ModuleType):
        return _module_import(text, value)
    for line in _written_imports(root, value, source):
        return line
    return _object_import(root, value)


def _module_import(text: str, module: ModuleType) -> str | None:
    root, *attributes = text.split(".")
    name = module.__name__
    if not _importable(name):
        return None
    if name != root:
        package, _, last = name.rpartition(".")
        return f"from {package} import {last}" if last == root else f"import {name} as {root}"
    for attribute in attributes:
        inner = f"{name}.{attribute}"
        if sys.modules.get(inner) is not getattr(module, attribute, None):
            break
        name, module = inner, sys.modules[inner]
    return f"import {name}"


def _importable(name: str) -> bool:
    if name == "__main__":
        return False
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _written_imports(root: str, value: Any, source: Source) -> Iterator[str]:
    """Yield the user's own `from ... import` of a name, where it gives that very object."""
    for node in ast.walk(source.module_tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        module = _absolute(node, source)
        for alias in node.names:
            held = getattr(sys.modules.get(module), alias.name, MISSING)
            if (alias.asname or alias.name) == root and held is value and _importable(module):
                yield _from(module, alias.name, root)


def _absolute(node: ast.ImportFrom, source: Source) -> str:
    if not node.level:
        return node.module or ""
    package = source.function.__globals__.get("__package__") or ""
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])


def _object_import(root: str, value: Any) -> str | None:
    name, module = getattr(value, "__name__", None), getattr(value, "__module__", None)
    if not isinstance(name, str) or not isinstance(module, str) or not _importable(module):
        return None
    held = vars(sys.modules.get(module, ModuleType(""))).get(name)
    return _from(module, name, root) if held is value else None


def _from(module: str, name: str, root: str) -> str:
    return f"from {module} import {name}" + (f" as {root}" if root != name else "")
