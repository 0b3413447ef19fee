"""A subscript of what is no array, list or dict may be made of its key.

MODEL[x]             a class of the user's decides what this is
np.mgrid[0:x:5j]     numbers that move with x

A derivative that takes the key for a position is zero where it should not be: it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np

from s2sad.ir.errors import Unsupported, gather
from s2sad.legacy.activity import Lookup, flow
from s2sad.legacy.program import Assign, Call, Expr, Op, Program, Ref, Var
from s2sad.legacy.traverse import expressions, statements, walk

JOINING = ("np.r_", "np.c_")  # these have rules
HOLDERS = (np.ndarray, np.generic, str, bytes, range, Mapping, Sequence)
KINDS = frozenset({"array", "list", "tuple", "dict", "str", "record"})

Find = Callable[[Var], Expr | None]


def refuse_keys(program: Program, varied: Collection[Var], fact: Lookup) -> None:
    """Raise if what varies is the key of something that may compute with it."""
    made: dict[Var, Expr] = {
        stmt.target: stmt.value
        for stmt in statements(program.body)
        if isinstance(stmt, Assign) and not stmt.unpack
    }
    problems = [
        Unsupported(
            "what this subscript gives depends on a key that varies",
            stmt.span,
            "Call a function of the key instead, which can be followed.",
        )
        for stmt in statements(program.body)
        for expr in expressions(stmt)
        for part in walk(expr)
        if isinstance(part, Op) and part.op == "index"
        if _computes(part, varied, fact, made.get)
    ]
    if problems:
        raise gather(problems)


def _computes(subscript: Op, varied: Collection[Var], fact: Lookup, find: Find) -> bool:
    """Tell whether a subscript may compute with a key that varies."""
    owner, key = subscript.args
    if isinstance(owner, Ref) and owner.text in JOINING:
        return False
    keys = [var for var in _parts(key, fact) if var in varied]
    if not keys:
        return False
    holds = _holds(owner, find)
    if holds is None:
        # where nothing is known of the two, they are an array and a position
        numbers = any(fact(var).kind != "unknown" and fact(var).is_float for var in keys)
        holds = fact(owner).kind in KINDS or not numbers
    return not holds


def _parts(key: Expr, fact: Lookup) -> Iterator[Var]:
    """Yield the values that a key is made of; those of a slice are numbers as well."""
    if isinstance(key, Op) and key.op in ("slice", "tuple"):
        for part in key.args:
            yield from _parts(part, fact)
    else:
        yield from flow(key, fact)


def _holds(owner: Expr, find: Find) -> bool | None:
    """Tell whether an object only gives what it holds; None where it is not known."""
    match owner:
        case Ref(_, value):
            return isinstance(value, HOLDERS)
        case Call(Ref(_, kind)) if isinstance(kind, type):
            return issubclass(kind, HOLDERS)
        case Var() if (value := find(owner)) is not None:
            return _holds(value, find)
    return None
