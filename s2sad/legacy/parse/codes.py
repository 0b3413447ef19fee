"""Whether a text compiles to the code that a function runs: a file may have been edited since."""

from __future__ import annotations

import ast
import functools
from types import CodeType
from typing import Any

from s2sad.legacy.parse.pieces import codes_in
from s2sad.legacy.trees import nodes_of


@functools.lru_cache(maxsize=64)
def compiled(text: str, flags: int) -> tuple[CodeType, ...]:
    """Return all code objects that a text compiles to."""
    whole = compile(text, "<source>", "exec", flags=flags, dont_inherit=True)
    return tuple(codes_in(whole))


def same_place(found: CodeType, code: CodeType) -> bool:
    """Tell whether two code objects have one name, and begin in one line."""
    return (found.co_name, found.co_firstlineno) == (code.co_name, code.co_firstlineno)


_CODE_PARTS = (
    *("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars"),
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount"),
)


def alike(found: CodeType, code: CodeType) -> bool:
    """Tell whether two code objects do the same."""
    if any(getattr(found, part) != getattr(code, part) for part in _CODE_PARTS):
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
    if not any(isinstance(each, ast.Assert) for each in nodes_of(node)):
        return False
    counts = "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_freevars"
    if any(getattr(found, part) != getattr(code, part) for part in counts):
        return False
    if [name for name in code.co_varnames if not name.startswith("@")] != [*found.co_varnames]:
        return False
    numbers = [{_const_key(c) for c in each.co_consts if _is_number(c)} for each in (found, code)]
    return {*found.co_names} <= {*code.co_names} and numbers[0] <= numbers[1]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)
