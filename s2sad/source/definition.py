"""Which definition in a file a function was made from: the one that compiles to what it runs.

node = definition_of(Named("f", "f"), f.__code__, text, path)

The text is compiled and compared with the function's own code: a file that was edited after it
was imported is refused, not differentiated.
"""

from __future__ import annotations

import ast
import functools
import io
import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import pairwise
from types import CodeType
from typing import NamedTuple

from s2sad.ir.errors import NoSource
from s2sad.source.files import (
    FUTURE,
    Definition,
    alike,
    codes_in,
    compiled,
    first_line,
    parsed,
    runs,
    same_place,
)
from s2sad.source.trees import nodes_of


class Named(NamedTuple):
    """What a function is called by itself, and with the classes and functions around it."""

    name: str
    qualname: str


def definition_of(named: Named, code: CodeType, text: str, path: str) -> Definition:
    """Return the definition of a function; NoSource where none compiles to what it runs."""
    part = piece_around(text, code)
    try:
        return _definition(named, code, part)
    except (NoSource, SyntaxError, ValueError):
        _refuse_other_text(text, path, named.name)
    try:
        return _definition(named, code, text)
    except NoSource as refusal:
        found = _edited(named, code, text)
        if found is None:
            raise refusal
        return found


def _definition(named: Named, code: CodeType, text: str) -> Definition:
    """Return the one definition in the text that compiles to what the function runs."""
    of_kind = _lambdas if code.co_name == "<lambda>" else _functions
    found = of_kind(text).get((code.co_name, code.co_firstlineno), [])
    # the same name on the same line: told apart by columns, which only lambdas need
    found = [node for node in found if len(found) == 1 or _spans(node, code)]
    if len(found) != 1:
        what = "more than one lambda stands" if found else "no definition of it stands"
        raise NoSource(
            f"the source of {named.name} cannot be told: {what} "
            f"at line {code.co_firstlineno} of {code.co_filename!r}",
            hint="Give it a def of its own, or import its file again if that was changed.",
        )
    if not runs(found[0], text, code):
        raise NoSource(
            f"the text of {named.name} in {code.co_filename!r} is not what it runs",
            hint="Was the file changed after it was imported? Import it again.",
        )
    return found[0]


def _edited(named: Named, code: CodeType, text: str) -> Definition | None:
    """Return the definition of a function that was compiled by itself after its file was edited."""
    alike = [
        node
        for (name, _), each in _functions(text).items()
        if name == code.co_name
        for node in each
    ]
    found = edited(alike, code)
    if len(found) > 1:
        known = _by_qualified_name(text).get(named.qualname)
        found = [node for node in found if node is known]
    return found[0] if len(found) == 1 else None


def _by_qualified_name(text: str) -> dict[str, Definition]:
    """Return the functions and methods of the top level by the name that they have in a module."""
    found: dict[str, Definition] = {}
    waiting: list[tuple[str, ast.stmt]] = [("", node) for node in parsed(text).body]
    for prefix, node in waiting:
        if isinstance(node, ast.ClassDef):
            waiting += [(f"{prefix}{node.name}.", each) for each in node.body]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[prefix + node.name] = node
    return found


_Definitions = dict[tuple[str, int], list[Definition]]


@functools.lru_cache(maxsize=64)
def _functions(text: str) -> _Definitions:
    """Return the functions of a file by the name and the first line of their code."""
    found: _Definitions = {}
    for node in statements_in(parsed(text).body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.setdefault((node.name, first_line(node)), []).append(node)
    return found


@functools.lru_cache(maxsize=64)
def _lambdas(text: str) -> _Definitions:
    """Return the lambdas of a file by their name, which all share, and the line of their code."""
    found: _Definitions = {}
    for node in nodes_of(parsed(text)):
        if isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(node)
    return found


def statements_in(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the statements of a block and of all blocks inside; expressions hold none."""
    waiting = [*block]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            waiting.extend(getattr(node, part, ()))


def _spans(node: ast.AST, code: CodeType) -> bool:
    """Tell whether the code's instructions stand exactly where a lambda's body does."""
    if not isinstance(node, ast.Lambda):
        return True
    body = node.body
    places = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    starts = min(((line, column) for line, _, column, _ in places), default=None)
    ends = max(((line, column) for _, line, _, column in places), default=None)
    return (starts, ends) == (
        (body.lineno, body.col_offset),
        (body.end_lineno, body.end_col_offset),
    )


def _refuse_other_text(text: str, path: str, name: str) -> None:
    """Refuse a text that should hold a function `name` and is not Python."""
    try:
        parsed(text)
    except (SyntaxError, ValueError):
        raise NoSource(
            f"the text that should hold {name} is not Python: {path!r}",
            hint="Was the file changed after it was imported? Import it again.",
        ) from None


_INSIDE = frozenset(" \t\f\r\n#)]}")  # what a line inside or between statements begins with
_MAY_IMPORT = re.compile(r"(import|from|if|try)\b")
_GOES_ON = re.compile(r"(elif|else|except|finally)\b")


def piece_around(text: str, code: CodeType) -> str:
    """Return the statement of the top level in which the code seems to stand, and the imports."""
    lines = _lines_of(text)
    first = min(code.co_firstlineno, len(lines)) - 1
    while first > 0 and lines[first][0] in _INSIDE:
        first -= 1
    last = max(_last_lines(code))
    while last < len(lines) and lines[last][0] in _INSIDE:
        last += 1
    kept = ["\n"] * len(lines)
    for begin, end in (*_imports(text), (max(first, 0), last)):
        kept[begin:end] = lines[begin:end]
    return "".join(kept).rstrip() + "\n"


@functools.lru_cache(maxsize=64)
def _imports(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the imports of a file stand, those under a test or a try with what is there."""
    lines = _lines_of(text)
    begins = [at for at, line in enumerate(lines) if line[0] not in _INSIDE]
    begins = [at for at in begins if not _GOES_ON.match(lines[at])]
    parts = pairwise([*begins, len(lines)])
    return tuple(part for part in parts if _holds_import(lines[slice(*part)]))


def _holds_import(lines: tuple[str, ...]) -> bool:
    """Tell whether lines import something; those of a string may only look like it."""
    if not _MAY_IMPORT.match(lines[0]) or not any("import" in line for line in lines):
        return False
    try:
        return bool(ast.parse("".join(lines)))
    except SyntaxError:
        return False


@functools.lru_cache(maxsize=64)
def _lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text as the compiler counts them: a form feed ends none."""
    return tuple(io.StringIO(text))


def _last_lines(code: CodeType) -> Iterator[int]:
    yield code.co_firstlineno
    for each in (code, *codes_in(code)):
        yield from (end for _, end, _, _ in each.co_positions() if end is not None)


def edited(nodes: Iterable[Definition], code: CodeType) -> list[Definition]:
    """Return the definitions that give this code by themselves, away from their lines."""
    return [node for node in nodes if _moved_alike(node, code)]


def _moved_alike(node: Definition, code: CodeType) -> bool:
    """Tell whether a definition gives this code as a statement, or in a class, of its own."""
    if isinstance(node, ast.Lambda):
        return False
    plain = ast.unparse(node)
    in_class = "class Holder:\n" + textwrap.indent(plain, "    ")
    flags = code.co_flags & FUTURE
    return any(
        same_place(each, code) and alike(each, code)
        for text in (plain, in_class)
        for each in compiled(text, flags)
    )
