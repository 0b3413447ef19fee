"""Derivative expressions get simpler, exactly: nothing that changes a bit of the result.

    1.0 * e -> e      e + 0.0 is kept (it changes -0.0)      2.0 * (0.5 * e) -> e
    np.full_like(a, c) * e -> c * e, where e has a's shape
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import frexp

from s2sad.blocks import map_blocks, map_expressions
from s2sad.emit import is_reverse
from s2sad.facts import Fact, same_shape
from s2sad.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    Op,
    Ref,
    Stmt,
    Update,
    Var,
    transform,
)

Known = Callable[[Var], Fact]
FILLED = frozenset({"np.full_like"})


def simplified(block: Block, known: Known) -> Block:
    """Return the block with its reverse statements simplified."""
    return tuple(_simple(stmt, known) for stmt in block)


def _simple(stmt: Stmt, known: Known) -> Stmt:
    stmt = map_blocks(stmt, lambda inner: simplified(inner, known))
    if not isinstance(stmt, Assign | Update) or not is_reverse(stmt):
        return stmt
    stmt = map_expressions(stmt, lambda expr: transform(expr, lambda e: _rewrite(e, known)))
    if isinstance(stmt, Update) and stmt.index is None and stmt.op in "+-":
        if isinstance(stmt.value, Op) and stmt.value.op == "u-":
            op = "-" if stmt.op == "+" else "+"
            return replace(stmt, op=op, value=stmt.value.args[0])
    return stmt


def _rewrite(expr: Expr, known: Known) -> Expr:
    match expr:
        case Op("u-", (Op("u-", (inner,)),)):
            return inner
        case Op("u-", (Const(float() as value),)):
            return Const(-value)
        case Op("*", (a, b)):
            return _product(a, b, known)
        case Op("/", (a, Const(1.0))):
            return a
        case Op("/", (a, b)) if _spread(a, b, known):
            return Op("/", (_filling(a), b))
        case Op("+" | "-" as op, (a, b)):
            return _sum(op, a, b, known)
        case Op("**", (a, Const(1 | 1.0))):
            return a
    return expr


def _product(a: Expr, b: Expr, known: Known) -> Expr:
    match a, b:
        case Const(float() | int() as x), Const(float() | int() as y) if _is_number(x, y):
            return Const(x * y)
        case Const(1.0), _:
            return b
        case _, Const(1.0):
            return a
        case Op("u-", (inner,)), _:
            return Op("u-", (_product(inner, b, known),))
        case _, Op("u-", (inner,)):
            return Op("u-", (_product(a, inner, known),))
    if _spread(a, b, known):
        return _product(_filling(a), b, known)
    if _spread(b, a, known):
        return _product(a, _filling(b), known)
    match a, b:
        case Const(float() as x), Op("*", (Const(float() as y), rest)) if _exact(x, y):
            return _product(Const(x * y), rest, known)
        case Op("*", (Const(float() as x), rest)), Const(float() as y) if _exact(x, y):
            return _product(Const(x * y), rest, known)
        case Op("*", (Const(float() as x), rest)), Op("*", (Const(float() as y), more)) if _exact(x, y):
            return _product(Const(x * y), Op("*", (rest, more)), known)
    return Op("*", (a, b))


def _is_number(*values: object) -> bool:
    return not any(isinstance(value, bool) for value in values)


def _exact(x: float, y: float) -> bool:
    """Tell whether folding x * y rounds nothing: one of them is a power of two."""
    return any(abs(frexp(value)[0]) == 0.5 for value in (x, y) if value)


def _sum(op: str, a: Expr, b: Expr, known: Known) -> Expr:
    match b:
        case Op("u-", (inner,)):
            return Op("-" if op == "+" else "+", (a, inner))
    return Op(op, (a, b))


# ---------------------------------------------------------------- spread scalars


def _spread(value: Expr, other: Expr, known: Known) -> bool:
    """Tell whether `value` only spreads a number over the shape that `other` has anyway."""
    match value:
        case Call(Ref("np.full_like"), (Var() as like, filling), ()):
            if not _is_scalar(filling, known):
                return False
            shape = _shape_fact(other, known)
            return shape is not None and same_shape(shape, known(like))
    return False


def _filling(value: Expr) -> Expr:
    assert isinstance(value, Call)
    return value.args[1]


def _is_scalar(expr: Expr, known: Known) -> bool:
    match expr:
        case Const():
            return True
        case Var():
            return known(expr).is_scalar
        case Op("*" | "/" | "+" | "-" | "u-", args):
            return all(_is_scalar(arg, known) for arg in args)
    from s2sad.program import Attr

    return isinstance(expr, Attr) and expr.name in ("size", "ndim")


def _shape_fact(expr: Expr, known: Known) -> Fact | None:
    """Return a fact with the shape of an elementwise expression, if one of its parts has it."""
    match expr:
        case Var():
            return known(expr)
        case Op("*" | "/" | "+" | "-" | "**" | "u-", args):
            found = [fact for arg in args if (fact := _shape_fact(arg, known)) is not None]
            arrays = [fact for fact in found if not fact.is_scalar]
            if len(arrays) == 1 or (arrays and all(same_shape(arrays[0], f) for f in arrays)):
                return arrays[0] if all(_known_part(arg, known) for arg in args) else None
            return found[0] if found and not arrays else None
        case Call(Ref(text), (arg,), ()) if text.startswith("np.") and text in ELEMENTWISE:
            return _shape_fact(arg, known)
    return None


def _known_part(expr: Expr, known: Known) -> bool:
    return isinstance(expr, Const) or _shape_fact(expr, known) is not None or _is_scalar(expr, known)


ELEMENTWISE = frozenset(
    "np." + name
    for name in "sin cos tan exp log sqrt tanh sinh cosh sign abs log1p expm1 arctan square".split()
)
