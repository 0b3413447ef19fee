"""The text of the file, or of the cell of a notebook, that a function was made from.

text, path = text_of(f)
run_text(text, "<made>", {})      runs a text that is no file, and is read as if it were one
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import sys
from types import FunctionType
from typing import Any

from s2sad.ir.errors import NoSource


def text_of(function: FunctionType) -> tuple[str, str]:
    """Return the text that a function stands in, and its path; raise NoSource without one."""
    code, path = function.__code__, function.__code__.co_filename
    if path.startswith("<") and path in linecache.cache:
        return "".join(linecache.getlines(path)), path
    if not path.startswith("<"):  # of text that is no file inspect would search every module
        path = inspect.getsourcefile(code) or path
    linecache.checkcache(path)
    # inspect.findsource would look through all modules for the one of the function
    lines = linecache.getlines(path, function.__globals__)
    if not lines and code.co_filename == "<string>":
        lines, path = _lines_of_module(function)
    if not lines:
        raise NoSource(
            f"the source of {function.__name__} cannot be found in {code.co_filename!r}",
            hint="Define it in a file or a notebook cell, without %%time or the like; "
            "text given to exec() is not kept.",
        )
    return "".join(lines), path


def _lines_of_module(function: FunctionType) -> tuple[list[str], str]:
    """Return the file of a function's module, where IPython's autoreload may have found it new."""
    path = getattr(sys.modules.get(function.__module__), "__file__", None) or ""
    linecache.checkcache(path)
    lines = linecache.getlines(path)
    begins = f"def {function.__name__}("
    return (lines, path) if any(line.lstrip().startswith(begins) for line in lines) else ([], "")


@functools.lru_cache(maxsize=128)
def parsed(text: str) -> ast.Module:
    """Return the tree of a text."""
    return ast.parse(text)


def run_text(source: str, filename: str, space: dict[str, Any]) -> None:
    """Run a text that is no file in `space`; its source can be read like that of a file."""
    # no modification time: linecache then never looks for such a file on the disk
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    exec(compile(source, filename, "exec", dont_inherit=True), space)
