"""The text of the file, or of the cell of a notebook, that a function was made from.

text, path = text_of(f)
run_text(text, "<made>", {})      runs a text that is no file, and is read as if it were one
runs(node, text, code)     True where the code is compiled from the whole file, from the statement
                           of the top level alone (a cell of a notebook, the interactive prompt),
                           or from the file with its asserts rewritten (pytest)

A file may have been edited since. Imports of the text are known to the compiler only where it sees
them: it calls functions of an imported module in another way than methods, so the same `def` gives
other code by itself.
"""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import linecache
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any, Final

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


# ---------------------------------------------------------------------------- what a text compiles to

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

FUTURE: Final = int(__future__.annotations.compiler_flag)
_COUNTS: Final = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_freevars")
_PARTS: Final = ("co_code", "co_names", "co_varnames", "co_cellvars", *_COUNTS)


def runs(node: Definition, text: str, code: CodeType) -> bool:
    """Tell whether a code object may be what a definition of a text was compiled to."""
    flags = code.co_flags & FUTURE
    return any(
        same_place(each, code) and (alike(each, code) or alike_but_asserts(each, code, node))
        for codes in (compiled(text, flags), _alone(text, code.co_firstlineno, flags))
        for each in codes
    )


def first_line(node: Any) -> int:
    """Return the line that a definition begins in: that of its first decorator."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return int(min([node.lineno, *(each.lineno for each in decorators)]))


@functools.lru_cache(maxsize=128)
def compiled(text: str, flags: int) -> tuple[CodeType, ...]:
    """Return all code objects that a text compiles to."""
    whole = compile(text, "<source>", "exec", flags=flags, dont_inherit=True)
    return tuple(codes_in(whole))


@functools.lru_cache(maxsize=128)
def _alone(text: str, line: int, flags: int) -> tuple[CodeType, ...]:
    """Return the code objects of the statements at a line, each compiled without the others."""
    body = parsed(text).body
    found = [s for s in body if first_line(s) <= line <= (s.end_lineno or s.lineno)]
    return tuple(code for stmt in found for code in _codes_of(stmt, flags))


def _codes_of(stmt: ast.stmt, flags: int) -> Iterator[CodeType]:
    module = ast.Module([stmt], [])
    yield from codes_in(compile(module, "<source>", "exec", flags=flags, dont_inherit=True))


def codes_in(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from codes_in(const)


def same_place(found: CodeType, code: CodeType) -> bool:
    """Tell whether two code objects have one name, and begin in one line."""
    return (found.co_name, found.co_firstlineno) == (code.co_name, code.co_firstlineno)


def alike(found: CodeType, code: CodeType) -> bool:
    """Tell whether two code objects do the same."""
    if any(getattr(found, part) != getattr(code, part) for part in _PARTS):
        return False
    pairs = zip(found.co_consts, code.co_consts, strict=False)
    return len(found.co_consts) == len(code.co_consts) and all(
        alike(a, b)
        if isinstance(a, CodeType) and isinstance(b, CodeType)
        else _const_key(a) == _const_key(b)
        for a, b in pairs
    )


def _const_key(value: Any) -> Any:
    # the order of a set's elements is no part of it, nor of the text
    if isinstance(value, frozenset):
        return frozenset(map(_const_key, value))
    return type(value), repr(value)


def alike_but_asserts(found: CodeType, code: CodeType, node: ast.AST) -> bool:
    """Tell whether code may be `found` with its asserts rewritten, as pytest does on import."""
    if not any(isinstance(each, ast.Assert) for each in ast.walk(node)):
        return False
    if any(getattr(found, part) != getattr(code, part) for part in _COUNTS):
        return False
    if [name for name in code.co_varnames if not name.startswith("@")] != [*found.co_varnames]:
        return False
    numbers = [{_const_key(c) for c in each.co_consts if _is_number(c)} for each in (found, code)]
    return {*found.co_names} <= {*code.co_names} and numbers[0] <= numbers[1]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)
