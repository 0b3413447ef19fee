"""The texts of functions that are pickled by value, as cloudpickle does with those of a script.

Such a function arrives in another process without its file, and s2sad reads files. So the texts
travel with it: `carried` gives them, `unpacked` gives them back to the functions that lost theirs.
"""

from __future__ import annotations

import hashlib
import linecache
import os
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

from s2sad.ir.errors import NoSource
from s2sad.source.codes import codes_in
from s2sad.source.files import text_of

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
    pending, seen = [function], set()
    while pending:
        each = pending.pop()
        each = getattr(each, "__func__", each)
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, type):
            pending += vars(each).values()
        if not isinstance(each, FunctionType) or each.__module__ != SCRIPT:
            continue
        yield each
        pending += _around(each)


def _around(function: FunctionType) -> Iterator[Any]:
    """Yield what a function reads of its module, of its cells and of its defaults."""
    module: Mapping[str, Any] = function.__globals__
    yield from (
        module[n]
        for code in (function.__code__, *codes_in(function.__code__))
        for n in code.co_names
        if n in module
    )
    yield from (cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell))
    yield from function.__defaults__ or ()


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


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
