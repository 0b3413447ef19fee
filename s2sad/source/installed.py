"""Tells what is installed as a package from what is the user's own.

is_installed(np.linalg)      True
is_installed(step)           False, if step stands in a module of the user's
"""

from __future__ import annotations

import functools
import importlib
import sys
import sysconfig
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

_FOLDERS = frozenset({"site-packages", "dist-packages"})
# modules of Python's own whose functions compute with what they are given, or hand it on
_OF_VALUES = frozenset(
    "bisect collections colorsys contextlib copy dataclasses fractions functools heapq itertools "
    "math numbers operator random statistics types typing".split()
)


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


def importable(module: str, qualname: str) -> Any:
    """Return what an import of a module finds under a name, None where there is nothing."""
    try:
        found: Any = importlib.import_module(module)
        for part in qualname.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found
