"""Numbers that are read from texts of values that vary are refused.

y = float(f"{x}")        y varies with x as far as the text holds digits, and nothing says how
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np

from s2sad.ir.errors import Span, Unsupported, gather
from s2sad.legacy.facts import Fact
from s2sad.legacy.facts.fact import is_numeric
from s2sad.legacy.program import Call, Expr, If, Loop, Opaque, Program, Ref, Stmt, Var
from s2sad.legacy.traverse import defines, expressions, flat_targets, reads, statements, walk

NUMBERS = (float, complex, np.inexact)
READERS = (np.array, np.asarray, np.fromstring, ast.literal_eval, json.loads)


def refuse_read_back(
    program: Program, varied: Collection[Var], fact: Callable[[Var], Fact]
) -> None:
    """Raise if a number is read from a text that was made of what varies."""
    texts = _texts(program, varied, fact)
    problems = [
        _refusal(stmt.span)
        for stmt in statements(program.body)
        if any(_reads_number(part, texts) for expr in expressions(stmt) for part in walk(expr))
    ]
    if problems:
        raise gather(problems)


def _texts(
    program: Program, varied: Collection[Var], fact: Callable[[Var], Fact]
) -> frozenset[Var]:
    """Return the values that are texts of what varies, or made of such."""
    made = [(var, sources) for stmt in statements(program.body) for var, sources in _made(stmt)]
    made = [(var, sources) for var, sources in made if not is_numeric(fact(var))]
    found = {
        var
        for var, sources in made
        if _is_text(fact(var)) and any(each in varied for each in sources)
    }
    size = 0
    while size < len(found):
        size = len(found)
        found |= {var for var, sources in made if any(each in found for each in sources)}
    return frozenset(found)


def _made(stmt: Stmt) -> Iterator[tuple[Var, tuple[Var, ...]]]:
    """Yield what a statement gives a value, with what that is made of."""
    match stmt:
        case If(merges=merges):
            yield from ((m.out, tuple(filter(None, (m.then, m.orelse)))) for m in merges)
        case Loop(targets, iterable, _, carried):
            for each in carried:
                held = tuple(filter(None, (each.init, each.end)))
                yield from ((each.head, held), (each.exit, held))
            given = () if iterable is None else tuple(reads(iterable))
            yield from ((var, given) for var in flat_targets(targets))
        case _:
            sources = tuple(var for expr in expressions(stmt) for var in reads(expr))
            yield from ((var, sources) for var in defines(stmt))


def _is_text(fact: Fact) -> bool:
    return fact.kind == "str" or (bool(fact.items) and all(map(_is_text, fact.items)))


def _reads_number(part: Expr, texts: frozenset[Var]) -> bool:
    match part:
        case Call(Ref(_, function), args) if _makes_number(function):
            return any(var in texts for arg in args for var in reads(arg))
        case Opaque(_, read, _, names):
            made = any(_makes_number(ref.value) for ref in names)
            return made and any(var in texts for _, var in read)
    return False


def _makes_number(function: Any) -> bool:
    if isinstance(function, type) and issubclass(function, NUMBERS):
        return True
    return any(function is each for each in READERS)


def _refusal(span: Span) -> Unsupported:
    return Unsupported(
        "a number is read from the text of a value that varies",
        span,
        "Calculate with the value itself. To round it, use round(x, digits), of which the "
        "derivative is zero; or stop the value: s2sad.stop_gradient.",
    )
