"""Where two values came to share memory: the line that a refusal names besides the write.

v = u * 2.0
w = v if c > 0.0 else u         <- here
w[0] = 1.0                         w and v may be one array
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2sad.ir.errors import Span
from s2sad.legacy.memory import unknown
from s2sad.legacy.program import (
    Assign,
    Expr,
    If,
    Loop,
    Op,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    is_temp,
)
from s2sad.legacy.together import sources
from s2sad.legacy.traverse import flat_targets, reads, statements

Comes = dict[Var, list[tuple[tuple[Var, ...], Stmt | None]]]


def comes_from(program: Program) -> Comes:
    """Return for each value what it may be, or be a part of, and the statements that say so."""
    comes: Comes = {}
    for stmt in statements(program.body):
        for var, before, telling in _steps(stmt):
            comes.setdefault(var, []).append((tuple(before), stmt if telling else None))
    return comes


def shared_since(comes: Comes, a: Var, b: Var) -> Span | None:
    """Return the place of the statement that made one of two values a name or part of the other.

    None where the text has no such statement.
    """
    made, other = _makers(a, comes), _makers(b, comes)
    apart = [stmt for key, stmt in {**made, **other}.items() if (key in made) != (key in other)]
    named = [s for s in apart if isinstance(s, Assign) and not any(map(_is_temp, s.targets))]
    return max(((s.span for s in named or apart)), key=lambda span: span.line, default=None)


def _is_temp(var: Var) -> bool:
    return is_temp(var.slot)


def _makers(var: Var, comes: Comes) -> dict[int, Stmt]:
    """Return the statements on the way to a value that made other names, or parts, of memory.

    By their ids: a statement is as large as the block in it.
    """
    seen, waiting = {var}, [var]
    found: dict[int, Stmt] = {}
    while waiting:
        for before, stmt in comes.get(waiting.pop(), ()):
            if stmt is not None and before:
                found[id(stmt)] = stmt
            new = set(before) - seen
            seen |= new
            waiting += new
    return found


def _steps(stmt: Stmt) -> Iterator[tuple[Var, Iterable[Var], bool]]:
    """Yield each value of a statement, what it may be or be a part of, and whether the text says so."""
    match stmt:
        case Assign(targets, value, echo=echo):
            for target in targets:
                yield target, _held(value, target), not echo
        case Update(new, old, _, _, value):
            yield new, (old,), False
        case Pop(target, new, old):
            yield target, (old,), True
            yield new, (old,), False
        case If(merges=merges):
            for merge in merges:
                yield merge.out, [each for each in (merge.then, merge.orelse) if each], False
        case Loop(targets=targets, iterable=iterable, carried=carried):
            for target in flat_targets(targets):
                yield target, reads(iterable) if iterable is not None else (), True
            for each in carried:
                before = [var for var in (each.init, each.end) if var]
                yield each.head, before, False
                yield each.exit, before, False


def _held(value: Expr, target: Var) -> list[Var]:
    if isinstance(value, Op) and value.op in ("tuple", "list"):
        return [var for arg in value.args for var in _held(arg, target)]
    return [each for each in sources(value, target, unknown) if not isinstance(each, Ref)]
