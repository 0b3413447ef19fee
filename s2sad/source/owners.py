"""Who wrote a function or class: the user, whose text is read, or a library, which is called.

is_own(f)            a function, class or module of the user's, or of the prelude
with reading({"geodesy"}): ...       as if this library were his
is_own_object(x)     an object of such a class
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

HOUSE = str(Path(__file__).resolve().parent.parent)
# what is written in plain Python, and lowered like the user's own
PRELUDE = str(Path(HOUSE) / "prelude"), str(Path(HOUSE) / "scipy" / "texts")
LIBRARIES = (
    sysconfig.get_paths()["stdlib"],
    f"{sys.base_prefix}/lib/python3",
    "site-packages",
    "<frozen",
    "importlib",
    HOUSE,
)
# whose objects are called as functions are
CALLED = frozenset("numpy numba functools operator builtins itertools scipy uarray".split())


# classes of Python's own that the user's are made of
READ_CLASSES = "UserDict.", "UserList."
# libraries whose text is read like the user's
READ: ContextVar[frozenset[str]] = ContextVar("libraries that are read", default=frozenset())


@contextmanager
def reading(libraries: frozenset[str]) -> Iterator[None]:
    """Take the functions and classes of libraries for the user's."""
    token = READ.set(READ.get() | libraries)
    try:
        yield
    finally:
        READ.reset(token)


def library_of(value: Any) -> str | None:
    """Return the library that a function is of, if its text can be read like the user's."""
    library = _package(value)
    is_basic = library in CALLED or library in sys.stdlib_module_names or library == "s2sad"
    return None if not library or is_own(value) or is_basic else library


def _package(value: Any) -> str:
    """Return the first word of the module that a function or class is of."""
    return (getattr(value, "__module__", None) or "").partition(".")[0]


def _is_read(value: Any) -> bool:
    return _package(value) in READ.get()


def stored_attribute(value: Any, name: str, default: Any = None) -> Any:
    """Return an attribute of an object as it is stored: what `__getattr__` makes up does not count."""
    try:
        return object.__getattribute__(value, name)
    except AttributeError:
        return default


def is_own(value: Any) -> bool:
    """Tell whether a function, class or module is the user's own, or the prelude's."""
    if isinstance(value, ModuleType):
        return is_own_file(getattr(value, "__file__", None) or "<frozen")
    if isinstance(value, type):
        return _is_own_class(value) or _is_read(value)
    if not isinstance(value, FunctionType):
        return False
    file = value.__code__.co_filename
    # text without a file (a notebook, the prompt) is the user's; what dataclasses make is not
    is_written = file != "<string>" and not file.startswith("<s2sad")
    is_read = _is_read(value) or is_own_file(file) or value.__qualname__.startswith(READ_CLASSES)
    return is_written and is_read


def is_own_object(value: Any) -> bool:
    """Tell whether a value is an object of a class of the user's."""
    cls = type(value)
    is_own: bool = _is_own_class(cls) or _is_read(cls)  # type: ignore[arg-type]
    return is_own and not issubclass(cls, BaseException | type)


def is_called(value: Any) -> bool:
    """Tell whether a value is a function of a library, or an object of one that is called: an interpolant."""
    return callable(value) and _package(type(value)) in CALLED and not is_own_object(value)


def is_of_library(module: str) -> bool:
    """Tell whether a module that may not be loaded yet is one of a library or of Python's own."""
    try:
        found = importlib.util.find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return False
    return found is not None and not is_own_file(found.origin or "<frozen")


def is_own_file(file: str) -> bool:
    """Tell whether a file is the user's own, or the prelude's."""
    return is_of_prelude(file) or not any(part in file for part in LIBRARIES)


def is_of_prelude(file: str) -> bool:
    """Tell whether a file is written in plain Python, to be lowered like the user's own."""
    return file.startswith(PRELUDE)


@functools.lru_cache(maxsize=4096)
def _is_own_class(cls: type) -> bool:
    if cls.__module__ in ("__main__", "__made__"):
        return True
    if cls.__module__ not in sys.modules:  # it was made by hand
        return any(map(_is_own_class, cls.__mro__[1:-1]))
    file = getattr(sys.modules[cls.__module__], "__file__", None) or ""
    return bool(file) and is_own_file(file)


class _HasRules(type):
    def __instancecheck__(cls, value: Any) -> bool:
        kind = type(value)
        known = kind.__module__.startswith(("scipy.interpolate.", "numpy.polynomial."))
        return (known and callable(value) and kind is not type) or kind is np.poly1d


class Tabulated(metaclass=_HasRules):
    """An interpolant or a polynomial: called as a function is, and known by its class."""


# what a name may hold that is a function: Python's, built in, NumPy's; or as good as one
FUNCTION_TYPES = (FunctionType, BuiltinFunctionType, np.ufunc, type(np.sum), Tabulated)


def is_function(value: Any) -> bool:
    """Tell whether a value is a function, or a type of numbers, which makes what it is given one."""
    if isinstance(value, type):
        return value in (float, int, bool, complex) or issubclass(value, np.generic)
    return isinstance(value, FUNCTION_TYPES)


# ---------------------------------------------------------------------------- what is installed

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


def distribution(path: str) -> str:
    """Return the folder or file of an installed package that a file belongs to; "" of the user's."""
    if _is_of_python(path):
        return "python"
    parts = Path(path).parts
    place = next((k for k, part in enumerate(parts) if part in _FOLDERS), None)
    return "" if place is None else parts[place + 1]


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
