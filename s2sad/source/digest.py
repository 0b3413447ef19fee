"""What a derivative is made from, as a few digits; texts of functions that are pickled by value.

digest((misfit,), "--wrt m")    '3f2a9c81d2e4'

The syntax of the function counts, and that of its own functions which it calls, the constants that
they read, and what else is given. Comments, blank lines and the place in the file do not.

Such a function arrives in another process without its file, and s2sad reads files. So the texts
travel with it: `carried` gives them, `unpacked` gives them back to the functions that lost theirs.
"""

from __future__ import annotations

import hashlib
import linecache
import os
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.ir.errors import NoSource
from s2sad.source.files import text_of
from s2sad.source.outside import function_in, outside
from s2sad.source.read import read

DIGITS = 12


def digest(functions: Iterable[Any], *more: str) -> str:
    """Return digits for functions, all that they read of the user's, and other texts."""
    whole = "\n".join([*map(_said, outside(*functions)), *more])
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def files_behind(function: Any) -> tuple[Path, ...]:
    """Return the files of what a function calls, its own among them."""
    codes = (value for _, _, value in outside(function) if isinstance(value, CodeType))
    return tuple(map(Path, dict.fromkeys(code.co_filename for code in codes)))


def _said(place: Any) -> str:
    """Return what stands in a place, as it is told in every process."""
    _, name, value = place
    if isinstance(value, CodeType):
        return f"{value.co_name}: {_syntax(name)}"
    where = name if isinstance(name, str | int | tuple) else type(name).__name__
    return f"{where}: {kind(value) if _is_data(value) else _called(value)}"


def _is_data(value: Any) -> bool:
    return isinstance(value, int | float | complex | str | bytes | np.ndarray | np.generic) or (
        value is None
    )


def _called(value: Any) -> str:
    named = getattr(value, "__qualname__", None) or type(value).__qualname__
    return f"{_module(getattr(value, '__module__', None) or '')}.{named}"


def _module(name: str) -> str:
    """Return what a module is called, alike whether it is imported or run as a script."""
    path = getattr(sys.modules.get(name), "__file__", None) if name == SCRIPT else None
    return Path(path).stem if path else name.rpartition(".")[2]


def _syntax(function: Any) -> str:
    """Return the tree of a function without its places; of one without a text, its names."""
    try:
        return " ".join(words_of(read(function).tree))
    except NoSource:
        code: CodeType = function.__code__
        return (
            f"{code.co_names} {[each for each in code.co_consts if not isinstance(each, CodeType)]}"
        )


def words_of(node: Any) -> Iterator[str]:
    """Yield the kinds and constants of a tree, alike for all versions of Python."""
    if isinstance(node, list):
        for each in node:
            yield from words_of(each)
        yield ";"
    elif hasattr(node, "_fields"):
        yield type(node).__name__
        for name in node._fields:
            value = getattr(node, name, None)
            if value is not None and value != [] and name != "kind":
                yield name
                yield from words_of(value)
        yield "."
    else:
        yield repr(node)


def kind(value: Any) -> str:
    """Return data as a text: of an array its kind and what is in it."""
    if isinstance(value, np.ndarray):
        held = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{shape(value)} {'' if value.dtype.hasobject else held}"
    return f"{type(value).__name__} {value!r}"


def shape(value: Any, inside: tuple[int, ...] = ()) -> str:
    """Return what an example argument is, and not what is in it: its type, lengths and dtype.

    What holds itself, `inside` of what is told, is told once.
    """
    if id(value) in inside:
        return "..."
    of = partial(shape, inside=(*inside, id(value)))
    match value:
        case np.ndarray():
            return f"array {value.dtype.str} {value.shape}"
        case str() | None | bool():
            return repr(value)
        case ModuleType():
            return value.__name__
        case list() | tuple():
            return f"{type(value).__name__}({', '.join(map(of, value))})"
        case dict():
            return "{" + ", ".join(f"{key!r}: {of(each)}" for key, each in value.items()) + "}"
    if callable(value):
        return _called(value)
    fields = getattr(value, "__dict__", None)
    return type(value).__qualname__ + (f" {of(fields)}" if fields else "")


def code_of(examples: Any) -> Iterator[Any]:
    """Yield the functions and classes in example arguments: a text is made of them, too."""
    for how, _, value in outside(examples):
        if how is type or isinstance(value, FunctionType | MethodType):
            yield function_in(value)


SCRIPT = "__main__"  # of a script, or of a notebook
# what a text is found by, and the text with the name of its file
Texts = tuple[tuple[tuple[str, int], tuple[str, str]], ...]


def carried(function: Any) -> Texts:
    """Return the texts of a script's function, and of the script's functions that it leads to."""
    found = {}
    for each in _reached(function):
        try:
            text, path = text_of(each)
        except NoSource:
            continue
        found[_key(each)] = text, os.path.basename(path)
    return tuple(found.items())


def unpacked(function: Any, texts: Texts) -> None:
    """Give its text to a function, and to those that it leads to, where they came without one."""
    known = dict(texts)
    for each in _reached(function):
        if _key(each) in known and not _has_text(each):
            each.__code__ = _in_file(each.__code__, _file(*known[_key(each)]))


def _reached(function: Any) -> Iterator[FunctionType]:
    """Yield the functions of the script that a function is, wraps, calls or encloses."""
    for _, owner, value in outside(function):
        if isinstance(value, CodeType) and owner.__module__ == SCRIPT:
            yield owner


def _key(function: FunctionType) -> tuple[str, int]:
    return function.__qualname__, function.__code__.co_firstlineno


def _has_text(function: FunctionType) -> bool:
    try:
        text_of(function)
    except NoSource:
        return False
    return True


def _file(text: str, name: str) -> str:
    """Return the path under which a text can be read: no file, so it hides none."""
    path = f"<{hashlib.sha256(text.encode()).hexdigest()[:16]}>/{name}"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    return path


def _in_file(code: CodeType, path: str) -> CodeType:
    inner = tuple(_in_file(c, path) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=path, co_consts=inner)
