"""`FILE.py:function` or `package.module:function` becomes the function, with its example arguments.

with found("model.py:misfit") as target:
    target.function, target.module, example(target, "(np.ones(3),)")
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from s2sad.api.commands.output import Refused, Usage
from s2sad.ir.errors import HOUSE
from s2sad.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A function that was found, in which module, and how it was asked for."""

    asked: str
    module: ModuleType
    function: Callable[..., Any]

    @property
    def name(self) -> str:
        """The last part of the function's name."""
        return self.asked.rpartition(":")[2].rpartition(".")[2]

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files that the module and the function stand in, which nothing is written to."""
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        named = (getattr(self.module, "__file__", None), getattr(code, "co_filename", None))
        return tuple(Path(each) for each in named if each is not None)


@contextmanager
def found(asked: str, folder: Path | None = None) -> Iterator[Target]:
    """Have a function and all that its file imports while this runs, and nothing of it afterwards.

    Paths and modules are looked for from `folder`, the current one by default. Two files of one
    name, or two modules that they import, are two then: neither is taken for the other.
    """
    place, name = parts(asked)
    start = Path.cwd() if folder is None else folder
    with own_imports():
        with import_errors(place):
            module = _file(start / place, place) if place.endswith(".py") else _module(place, start)
        yield target_in(module, place, name)


def target_in(module: ModuleType, place: str, name: str) -> Target:
    """Return a function of a module that was imported from a place."""
    return Target(f"{place}:{name}", module, _inside(module, place, name))


def parts(asked: str) -> tuple[str, str]:
    """Return the file or module of a target, and its function; raise Usage for what is none."""
    place, colon, name = asked.rpartition(":")
    if not colon or not place or not name:
        raise Usage(f"{asked!r} is not FILE.py:function or package.module:function")
    return place, name


def _inside(module: ModuleType, place: str, name: str) -> Any:
    inner: Any = module
    for part in name.split("."):
        if not hasattr(inner, part):
            raise Usage(f"{place} has no {name}{_defined(module)}")
        inner = getattr(inner, part)
    return inner


def _defined(module: ModuleType) -> str:
    own = [
        name
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    ]
    return f"; it defines {', '.join(own)}" if own else ""


# ---------------------------------------------------------------------------- importing


def _file(path: Path, shown: str) -> ModuleType:
    if not path.is_file():
        raise Usage(f"there is no file {shown}")
    if not os.access(path, os.R_OK):
        raise Usage(f"{shown} cannot be read: you have no permission")
    name = placed(path)
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module


def placed(path: Path) -> str:
    """Return the name of the module in a file, after what it may import was made importable.

    As for a script this is what lies beside it, and in a package what lies beside the package: the
    module is then called as it is elsewhere, and finds the others of its package.
    """
    folder, names = path.resolve().parent, [path.stem]
    sys.path.insert(0, str(folder))
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        names.insert(0, folder.name)
        folder = folder.parent
    sys.path.insert(0, str(folder))
    return ".".join(names)


def _module(name: str, start: Path) -> ModuleType:
    sys.path.insert(0, str(start))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name + ".").startswith(error.name + "."):
            raise Usage(f"there is no module {name}") from None
        raise


@contextmanager
def own_imports() -> Iterator[None]:
    """Have what is imported meanwhile forgotten, except for what is installed."""
    path, before = list(sys.path), set(sys.modules)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in sys.modules.keys() - before:
            if not _is_installed(sys.modules[name]):
                del sys.modules[name]


def _is_installed(module: ModuleType) -> bool:
    file = getattr(module, "__file__", None)
    if file is None:
        return not hasattr(module, "__path__")  # a folder of modules belongs to the user
    return file.startswith(HOUSE) or _is_of_a_library(file)


def _is_of_a_library(file: str) -> bool:
    return "site-packages" in file or file.startswith(_LIBRARY)


_LIBRARY = sysconfig.get_paths()["stdlib"]
DEEPEST = 4  # calls of the user's that are shown


@contextmanager
def import_errors(place: str) -> Iterator[None]:
    """Tell what goes wrong while a file of the user's is imported; no bytecode is left beside it."""
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    except Usage:
        raise
    except (Exception, SystemExit) as error:
        text = "".join(traceback.format_exception(error, limit=-1)).rstrip()
        raise Refused(f"{place} cannot be imported\n{text}") from None
    finally:
        sys.dont_write_bytecode = writes_none


def raised_by_user(error: Exception) -> str | None:
    """Return what the user's code, or a derivative, raised, with its lines; None of s2sad's own."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(HOUSE) or not _is_of_a_library(frame.filename)
    ]
    if not frames or frames[-1].filename.startswith(HOUSE):
        return None
    own = [frame for frame in frames if not frame.filename.startswith(HOUSE)]
    lines = traceback.format_list(own[-DEEPEST:])
    return f"your code raised {type(error).__name__}: {error}\n{''.join(lines)}".rstrip()


# ---------------------------------------------------------------------------- examples


def example(target: Target, like: str | None) -> tuple[Any, ...] | None:
    """Return the example arguments of a target, None where there are none.

    `like` is an expression in terms of np and the names of the file; "none" asks for none. Without
    it, NAME_example in the file is asked for: a tuple, or a function that returns it.
    """
    where = f"{target.name}_example" if like is None else "--like"
    if like is not None and like.strip() == "none":
        return None
    try:
        if like is None:
            given = getattr(target.module, where, None)
            given = given() if callable(given) else given
        else:
            import numpy as np

            given = eval(like, {"np": np, **vars(target.module)})
    except Exception as error:
        raise Usage(f"{where}: {type(error).__name__}: {error}") from None
    if given is not None and not isinstance(given, tuple):
        raise Usage(f"{where} is a {type(given).__name__}, not a tuple of arguments")
    return given
