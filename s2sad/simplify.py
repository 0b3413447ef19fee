"""Derivative expressions get simpler, exactly: nothing that changes a bit of the result.

1.0 * e -> e      e + 0.0 is kept (it changes -0.0)      2.0 * (0.5 * e) -> e
np.full_like(a, c) * e -> c * e, where e has a's shape
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.accumulate import accumulated, is_derivative
from s2sad.blocks import map_blocks, map_expressions
from s2sad.products import (
    Known,
    filling,
    is_surely_float,
    name_of_shape,
    product,
    shaped_like,
    spreads,
)
from s2sad.program import (
    Assign,
    Attr,
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


def simplified(block: Block, known: Known) -> Block:
    """Return the block with its derivative statements simplified."""
    return accumulated(_simplified(block, known), known)


def _simplified(block: Block, known: Known) -> Block:
    return tuple(_simple(stmt, known) for stmt in block)


def _simple(stmt: Stmt, known: Known) -> Stmt:
    stmt = map_blocks(stmt, lambda inner: _simplified(inner, known))
    if not isinstance(stmt, Assign | Update) or not is_derivative(stmt):
        return stmt
    stmt = map_expressions(stmt, lambda expr: transform(expr, lambda e: _rewrite(e, known)))
    match stmt:
        case Update(op="+" | "-" as op, value=Op("u-", (inner,))):
            return replace(stmt, op="-" if op == "+" else "+", value=inner)
    return stmt


def _rewrite(expr: Expr, known: Known) -> Expr:
    match expr:
        case Op("u-", (Op("u-", (inner,)),)):
            return inner
        case Op("u-", (Const(float() as value),)):
            return Const(-value)
        case Op("*", (a, b)):
            return product(a, b, known)
        case Op("/", (a, Const(1.0))) if is_surely_float(a, known):
            return a
        case Op("/", (a, b)) if spreads(a, b, known):
            return Op("/", (filling(a), b))
        case Op("+" | "-" as op, (a, Op("u-", (inner,)))):
            return Op("-" if op == "+" else "+", (a, inner))
        case Op("+", (Op("u-", (a,)), b)):
            return Op("-", (b, a))
        case Op("**", (a, Const(1 | 1.0))) if is_surely_float(a, known):
            return a
        case Call(Ref("np.full_like"), (_, _), ()):
            return shaped_like(expr, known)
        case Call(Ref("np.sum" | "_sum_to") as total, (Op("u-", (e,)), *others), keywords):
            return Op("u-", (Call(total, (e, *others), keywords),))
        case Call(Ref("_sum_to"), (Call(Ref("_sum_to"), (e, _), ()), shape), ()):
            return Call(expr.func, (e, shape))
        case Attr(e, "shape" | "size" as name) if not isinstance(e, Var):
            named = name_of_shape(e, known)
            return expr if named is None else Attr(named, name)
        case Call(Ref("np.shape" | "np.size") as of, (e,), ()) if not isinstance(e, Var):
            named = name_of_shape(e, known)
            return expr if named is None else Call(of, (named,))
    return expr
