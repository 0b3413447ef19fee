"""A definition in a text and a code object are compared in every way in which texts are compiled.

runs(node, text, code)     True where the code is compiled from the whole file, from the statement of
                           the top level alone (a cell of a notebook, the interactive prompt), or
                           from the file with its asserts rewritten (pytest)
edited(nodes, code)        the definitions that give this code when each is compiled by itself and
                           away from its lines: IPython's autoreload does so with an edited function

Imports of the text are known to the compiler only where it sees them: it calls functions of an
imported module in another way than methods, so the same `def` gives other code beside its imports
than by itself.
"""

from __future__ import annotations
import __future__

import ast
import functools
import textwrap
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Final

from s2sad.legacy.parse.codes import alike, alike_but_asserts, compiled, same_place
from s2sad.legacy.parse.pieces import codes_in

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_FUTURE: Final = int(__future__.annotations.compiler_flag)


def runs(node: Definition, text: str, code: CodeType) -> bool:
    """Tell whether a code object may be what a definition of a text was compiled to."""
    flags = code.co_flags & _FUTURE
    return any(
        same_place(each, code) and (alike(each, code) or alike_but_asserts(each, code, node))
        for codes in (compiled(text, flags), _alone(text, code.co_firstlineno, flags))
        for each in codes
    )


@functools.lru_cache(maxsize=64)
def _alone(text: str, line: int, flags: int) -> tuple[CodeType, ...]:
    """Return the code objects of the statements at a line, each compiled without the others."""
    found = [stmt for stmt in ast.parse(text).body if _first_line(stmt) <= line <= _last_line(stmt)]
    return tuple(code for stmt in found for code in _compiled(stmt, flags))


def _compiled(stmt: ast.stmt, flags: int) -> Iterator[CodeType]:
    module = ast.Module([stmt], [])
    yield from codes_in(compile(module, "<source>", "exec", flags=flags, dont_inherit=True))


def _first_line(stmt: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(stmt, "decorator_list", [])
    return min([stmt.lineno, *(each.lineno for each in decorators)])


def _last_line(stmt: ast.stmt) -> int:
    return stmt.end_lineno or stmt.lineno


def edited(nodes: Iterable[Definition], code: CodeType) -> list[Definition]:
    """Return the definitions that give this code by themselves, away from their lines."""
    return [node for node in nodes if _moved_alike(node, code)]


def _moved_alike(node: Definition, code: CodeType) -> bool:
    """Tell whether a definition gives this code as a statement, or in a class, of its own."""
    if isinstance(node, ast.Lambda):
        return False
    plain = ast.unparse(node)
    in_class = "class Holder:\n" + textwrap.indent(plain, "    ")
    flags = code.co_flags & _FUTURE
    return any(
        same_place(each, code) and alike(each, code)
        for text in (plain, in_class)
        for each in compiled(text, flags)
    )
