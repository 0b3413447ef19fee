"""Finds the definition of a function in its file, and reads it as a gast tree.

read(f).tree         the definition that compiles to what f runs
span_of(source, n)   the place of a node in the user's file
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType
from typing import Any

import gast

from s2sad.ir.errors import NoSource, Span
from s2sad.source.codes import Definition, first_line, runs
from s2sad.source.files import parsed, text_of


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A function with its tree; lines are those of the file at `path`.

    `cells` are the variables of the functions around it, `defaults` those of its parameters.
    """

    function: FunctionType
    tree: Any
    path: str
    name: str
    module: Mapping[str, Any]
    cells: Mapping[str, Any]


def read(function: Any) -> Source:
    """Return the source of a Python function, method or lambda, or raise NoSource."""
    plain = plain_function(function)
    text, path = text_of(plain)
    tree = _tree(plain.__code__, plain.__name__, text)
    cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True))
    return Source(plain, tree, path, plain.__name__, plain.__globals__, cells)


def span_of(path: str, function: str, node: Any) -> Span | None:
    """Return the place of a node in the user's file."""
    line = getattr(node, "lineno", None)
    if line is None:
        return None
    ends = node.end_lineno or line, node.end_col_offset or 0
    return Span(path, function, line, node.col_offset, *ends)


def plain_function(function: Any) -> FunctionType:
    """Return the Python function behind what is called; raise NoSource where there is none."""
    if isinstance(function, MethodType):
        function = function.__func__
    if isinstance(function, FunctionType):
        return function
    named = getattr(function, "__name__", None) or repr(function)
    if isinstance(function, functools.partial):
        hint = "Give s2sad a function: def g(x): return f(x, ...)."
    elif isinstance(function, type) or not callable(function):
        hint = "Give s2sad a function written in Python."
    else:
        hint = "It is not written in Python: wrap it in a function, or add a rule for it."
    raise NoSource(f"{named} is no Python function, so it has no source to read", hint=hint)


@functools.lru_cache(maxsize=1024)
def _tree(code: CodeType, name: str, text: str) -> Any:
    try:
        parsed(text)
    except (SyntaxError, ValueError):
        raise NoSource(
            f"the text that should hold {name} is not Python: {code.co_filename!r}",
            hint="Was the file changed after it was imported? Import it again.",
        ) from None
    return gast.ast_to_gast(_definition(code, name, text))


def _definition(code: CodeType, name: str, text: str) -> Definition:
    """Return the one definition in the text that compiles to what the function runs."""
    found = _definitions(text).get((code.co_name, code.co_firstlineno), [])
    # the same name on the same line: told apart by columns, which only lambdas need
    found = [node for node in found if len(found) == 1 or _spans(node, code)]
    if len(found) != 1:
        what = "more than one lambda stands" if found else "no definition of it stands"
        raise NoSource(
            f"the source of {name} cannot be told: {what} "
            f"at line {code.co_firstlineno} of {code.co_filename!r}",
            hint="Give it a def of its own, or import its file again if that was changed.",
        )
    if not runs(found[0], text, code):
        raise NoSource(
            f"the text of {name} in {code.co_filename!r} is not what it runs",
            hint="Was the file changed after it was imported? Import it again.",
        )
    return found[0]


@functools.lru_cache(maxsize=128)
def _definitions(text: str) -> dict[tuple[str, int], list[Definition]]:
    """Return the functions and lambdas of a file by the name and the first line of their code."""
    found: dict[tuple[str, int], list[Definition]] = {}
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.setdefault((node.name, first_line(node)), []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(node)
    return found


def _spans(node: Definition, code: CodeType) -> bool:
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
