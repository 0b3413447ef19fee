"""Whether a text compiles to the code that a function runs: a file may have been edited since.

runs(node, text, code)     True where the code is compiled from the whole file, from the statement
                           of the top level alone (a cell of a notebook, the interactive prompt),
                           or from the file with its asserts rewritten (pytest)

Imports of the text are known to the compiler only where it sees them: it calls functions of an
imported module in another way than methods, so the same `def` gives other code by itself.
"""

from __future__ import annotations
import __future__

import ast
import functools
from collections.abc import Iterator
from types import CodeType
from typing import Any, Final

from s2sad.source.files import parsed

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
