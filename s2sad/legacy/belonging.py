"""What belongs to the module is not read after it was changed under another name.

STATE = np.ones(3)
def f(x):
    s = STATE
    s += x                      a derivative gives s an array of its own
    return np.sum(STATE * x)    refused: this would read what was there before
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.api.shared import overlap
from s2sad.ir.errors import S2sadError
from s2sad.legacy.facts import Fact
from s2sad.legacy.liveness import walk_live
from s2sad.legacy.memory import (
    HOLDERS,
    READ_ONLY,
    Old,
    Part,
    Root,
    Roots,
    writes_of,
    written_memory,
)
from s2sad.legacy.program import Attr, Call, Expr, Opaque, Pop, Program, Ref, Stmt, Update, Var
from s2sad.legacy.scope import changes_module
from s2sad.legacy.traverse import SHAPE_ATTRIBUTES, SHAPE_FUNCTIONS, children, statements
from s2sad.source.outside import outside
from s2sad.source.plain import held_by_class


def changed_and_read(
    program: Program, roots: Roots, fact: Callable[[Var], Fact]
) -> Iterator[S2sadError]:
    """Yield a refusal for each write to what a name of the module holds and is read afterwards."""
    written = {
        ref for stmt in statements(program.body) for ref in _written_by(stmt, roots).values()
    }
    if not written:
        return
    reading = partial(_reads, stand_ins={ref: Var(ref.text, -1) for ref in written})
    found: list[S2sadError] = []

    def visit(stmt: Stmt, live: frozenset[Var]) -> None:
        for stand_in, ref in _written_by(stmt, roots).items():
            if stand_in in live:
                found.extend(_refusal(ref, write, fact(write.old)) for write in writes_of(stmt))

    walk_live(program.body, frozenset(reading(program.result)), visit, reading)
    yield from found


def _written_by(stmt: Stmt, roots: Roots) -> dict[Var, Ref]:
    """Return the objects of the module that a statement writes to, by what stands for them."""
    written = (root for write in writes_of(stmt) for root in written_memory(write, roots))
    return {Var(ref.text, -1): ref for ref in map(_object, written) if ref is not None}


def _object(root: Root) -> Ref | None:
    while isinstance(root, Old | Part):
        root = root.root
    return root if isinstance(root, Ref) and root != READ_ONLY else None


def _refusal(ref: Ref, write: Update | Pop, fact: Fact) -> S2sadError:
    refusal = changes_module(ref.text, write.span)
    # what may be a number is not written to
    refusal.certain = fact.is_array or fact.kind in HOLDERS
    return refusal


# ---------------------------------------------------------------------------- reading


def _reads(expr: Expr, stand_ins: dict[Ref, Var]) -> Iterable[Var]:
    """Yield what stands for the objects of the module whose contents an expression reads."""
    for read in _objects_read(expr):
        for ref, stand_in in stand_ins.items():
            if overlap(ref.value, read):
                yield stand_in


def _objects_read(expr: Expr) -> Iterator[Any]:
    match expr:
        case Ref(_, value):
            yield from _behind(value)
        case Opaque(globals=known):
            yield from (held for ref in known for held in _behind(ref.value))
        case Attr(Ref(_, np.ndarray()), name) if name in SHAPE_ATTRIBUTES:
            return
        case Call(Ref(text), (Ref(_, np.ndarray()),)) if text in SHAPE_FUNCTIONS:
            return
    for part in children(expr):
        yield from _objects_read(part)


def _behind(value: Any) -> Iterator[Any]:
    """Yield an object, or what a function reads that is not its own, or all objects of a class."""
    if isinstance(value, type):
        yield from (held for _, held in held_by_class(value))
    elif isinstance(value, FunctionType):
        yield from (held for _, _, held in outside(value))
    else:
        yield value
