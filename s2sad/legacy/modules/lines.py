"""Where the user's function asks for a name that a text cannot have."""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.ir.errors import Span
from s2sad.legacy.program import Attr, Expr, Program, Ref
from s2sad.legacy.traverse import expressions, statements, walk


def place_of(dotted: str, programs: Iterable[Program]) -> Span | None:
    """Return the place of the first statement that names a function, or is differentiated by it."""
    word = dotted.rpartition(".")[2]
    for program in programs:
        for stmt in statements(program.body):
            if any(_names(part, word) for expr in expressions(stmt) for part in walk(expr)):
                return stmt.span
        if any(_names(part, word) for part in walk(program.result)):
            return program.span
    return None


def _names(part: Expr, word: str) -> bool:
    match part:
        case Ref(text):
            return text.rpartition(".")[2] == word
        case Attr(_, name):
            return name == word
    return False
