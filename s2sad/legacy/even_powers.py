"""Even powers of absolute values, norms and deviations are written without these.

np.linalg.norm(x) ** 2     ->     np.sum(x**2)

A gradient that is differentiated again is made of this: the first derivatives are the same, and
the second are right at 0, where a norm has a kink and its square has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from s2sad.ir.errors import S2sadError
from s2sad.legacy.blocks import map_blocks, map_everywhere
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Assign, Attr, Block, Call, Const, Expr, Op, Program, Ref, Stmt, Var
from s2sad.legacy.scope import Numbers
from s2sad.legacy.traverse import children, expressions, rebuild, statements, transform, walk
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of

Known = Callable[[Expr], Fact]
_SMOOTH: ContextVar[bool] = ContextVar("smooth", default=False)
WORDS = frozenset("norm vector_norm abs absolute fabs hypot std".split())
ABSOLUTE = (abs, np.abs, np.absolute, np.fabs, math.fabs)
OF_NORM = ("x", "ord", "axis", "keepdims")


@contextmanager
def smoothly(yes: bool) -> Iterator[None]:
    """Leave out kinks of which even powers are taken while a gradient is made."""
    token = _SMOOTH.set(yes)
    try:
        yield
    finally:
        _SMOOTH.reset(token)


def is_smooth() -> bool:
    """Tell whether a gradient is made to be differentiated again."""
    return _SMOOTH.get()


def mentions_kinks(function: Any) -> bool:
    """Tell whether a function calls what has a kink at 0."""
    try:
        nodes = list(nodes_of(source_of(function).tree))
    except S2sadError:
        return False
    return not WORDS.isdisjoint(getattr(n, "attr", getattr(n, "id", None)) for n in nodes)


def without_kinks(program: Program, numbers: Numbers, known: Known) -> Program:
    """Return a program with the same first derivatives, and second ones where it is smooth."""
    kinks = {var: stmt.value for var, stmt in _named(program)}
    every = (
        e for stmt in statements(program.body) for whole in expressions(stmt) for e in walk(whole)
    )
    powers = (_power(expr, kinks) for expr in every)
    bases = dict.fromkeys(power[0] for power in powers if power is not None)
    squares: dict[Var, Var] = {}
    inserted: dict[Var, list[Stmt]] = {}
    for base, stmt in _named(program):
        made = _square_of(stmt.value, known) if base in bases else None
        if made is not None:
            inserted[base] = list(_written_out(made, stmt, numbers))
            squares[base] = inserted[base][-1].target  # type: ignore[union-attr]
    if not squares:
        return program

    def change(expr: Expr) -> Expr:
        return transform(expr, lambda part: _even(part, kinks, squares))

    return replace(program, body=map_everywhere(_with(program.body, inserted), change))


def _named(program: Program) -> Iterator[tuple[Var, Assign]]:
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Call(), unpack=False):
                yield target, stmt


def _with(block: Block, inserted: Mapping[Var, list[Stmt]]) -> Block:
    """Return a block in which the squares of kinks follow these."""
    made: list[Stmt] = []
    for stmt in block:
        made.append(map_blocks(stmt, lambda inner: _with(inner, inserted)))
        if isinstance(stmt, Assign):
            made += inserted.get(stmt.targets[0], [])
    return tuple(made)


def _written_out(square: Expr, at: Assign, numbers: Numbers) -> Iterator[Assign]:
    """Yield the statements that compute a square, an operation each."""

    def named(expr: Expr) -> Expr:
        if not isinstance(expr, Op) or expr.op not in ("**", "+"):
            return expr
        parts.append(
            Assign(
                (numbers.temp(at.target.slot),),
                rebuild(expr, tuple(map(named, expr.args))),
                at.span,
            )
        )
        return parts[-1].target

    parts: list[Assign] = []
    whole = rebuild(square, tuple(map(named, children(square))))
    yield from parts
    yield Assign((numbers.temp(at.target.slot),), whole, at.span)


def _even(expr: Expr, kinks: Mapping[Var, Expr], squares: Mapping[Var, Var]) -> Expr:
    """Return an even power of a kink without it."""
    found = _power(expr, kinks)
    if found is None or found[0] not in squares:
        return expr
    square, half = squares[found[0]], found[1] // 2
    return square if half == 1 else Op("**", (square, Const(half)))


def _power(expr: Expr, kinks: Mapping[Var, Expr]) -> tuple[Var, int] | None:
    """Return base and exponent of an even power of a kink: r**2, r * r, np.square(r)."""
    match expr:
        case Op("**", (Var() as base, Const(n))) if (
            type(n) in (int, float) and n > 0 and n % 2 == 0
        ):
            return (base, int(n)) if base in kinks else None
        case Op("*", (Var() as base, Var() as other)) if base in kinks:
            return (base, 2) if kinks[base] == kinks.get(other) else None
        case Call(Ref(value=function), (Var() as base,), ()) if function is np.square:
            return (base, 2) if base in kinks else None
    return None


def _square_of(expr: Expr, known: Known) -> Expr | None:
    """Return the square of a kink of real numbers, written without it."""
    match expr:
        case Call(Ref(value=value), args) if args and _are_real(args[:1], known):
            return _square_of_call(expr, value, known)
        case Call(Attr(owner, "std"), args, keywords) if _are_real((owner,), known):
            return Call(Attr(owner, "var"), args, keywords)
    return None


def _square_of_call(expr: Call, function: Any, known: Known) -> Expr | None:
    args, keywords = expr.args, expr.keywords
    if any(function is each for each in ABSOLUTE) and len(args) == 1 and not keywords:
        return _squared(args[0])
    is_root = function is np.hypot or function is math.hypot
    if is_root and not keywords and _are_real(args, known):
        return reduce(lambda left, right: Op("+", (left, right)), map(_squared, args))
    if function is np.std:
        return Call(Ref("np.var", np.var), args, keywords)
    module, name = (str(getattr(function, key, "")) for key in ("__module__", "__name__"))
    if name in ("norm", "vector_norm") and module.startswith(("numpy.linalg", "scipy.linalg")):
        return _square_of_norm(expr, known)
    return None


def _square_of_norm(expr: Call, known: Known) -> Expr | None:
    """Return the square of a norm, where it is the root of a sum of squares."""
    given = {**dict(zip(OF_NORM, expr.args, strict=False)), **dict(expr.keywords)}
    order, x = given.pop("ord", Const(None)), given.pop("x")
    if len(expr.args) > len(OF_NORM) or given.keys() - {"axis", "keepdims"}:
        return None
    is_vector = known(x).rank == 1
    if order in (Const(None), Const("fro")) or (order == Const(2) and is_vector):
        return Call(Ref("np.sum", np.sum), (_squared(x),), tuple(given.items()))
    return None


def _squared(expr: Expr) -> Expr:
    return Op("**", (expr, Const(2)))


def _are_real(args: tuple[Expr, ...], known: Known) -> bool:
    facts = [known(arg) for arg in args]
    return all(f.kind == "float" or f.dtype.startswith("float") for f in facts) and not any(
        f.mixed for f in facts
    )
