"""Derivative expressions get simpler, exactly: nothing that changes a bit of the result.

1.0 * e -> e      e + 0.0 is kept (it changes -0.0)      2.0 * (0.5 * e) -> e
np.full_like(a, c) * e -> c * e, where e has a's shape

Keys, ranges and shapes count: their arithmetic stays as written, an integer an integer.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from s2sad.legacy.accumulate import accumulated, is_derivative
from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.directions.keys import one_key
from s2sad.legacy.masks import masked_once
from s2sad.legacy.numerals import value_of
from s2sad.legacy.products import (
    Known,
    fact_of_expr,
    filling,
    name_of_shape,
    product,
    shaped_like,
    spreads,
)
from s2sad.legacy.program import Assign, Attr, Block, Call, Const, Expr, Op, Ref, Stmt, Update, Var
from s2sad.legacy.rewrites import rewritten
from s2sad.legacy.stretched import unstretched, unstretched_update, without_kept_axes
from s2sad.legacy.traverse import children, rebuild, transform

# functions whose arguments from this place on are shapes, counts or places
COUNTING = {
    **dict.fromkeys(("range", "np.arange", "np.zeros", "np.ones", "np.empty"), 0),
    **dict.fromkeys(("np.reshape", "np.broadcast_to", "_sum_to", "np.roll", "np.sum"), 1),
    **dict.fromkeys(("np.take", "np.repeat", "np.tile", "np.transpose", "np.expand_dims"), 1),
}

# functions that move or add up what they are given: a sign may as well stand before them
MOVING = frozenset(
    {"np.sum", "_sum_to", "np.roll", "np.reshape", "np.expand_dims", "np.broadcast_to"}
    | {"np.flip", "np.transpose", "np.swapaxes", "np.moveaxis"}
)


def simplified(block: Block, known: Known) -> Block:
    """Return the block with its derivative statements simplified."""
    return accumulated(shortened(block, known), known)


def shortened(block: Block, known: Known) -> Block:
    """Return the block with its derivative statements simplified one by one."""
    return tuple(_simple(stmt, known) for stmt in block)


def _simple(stmt: Stmt, known: Known) -> Stmt:
    stmt = map_blocks(stmt, lambda inner: shortened(inner, known))
    if not isinstance(stmt, Assign | Update) or not is_derivative(stmt):
        return stmt
    if isinstance(stmt, Update) and stmt.index is not None:
        stmt = replace(stmt, index=_counting(stmt.index, known))
    stmt = replace(stmt, value=_rewritten(stmt.value, known))
    if isinstance(stmt, Update):
        stmt = unstretched_update(stmt, known)
    match stmt:
        case Update(op="+" | "-" as op, value=Op("u-", (inner,))):
            return replace(stmt, op="-" if op == "+" else "+", value=inner)
        case Update(op="+" | "-" as op) if (turned := _without_minus(stmt.value)) is not None:
            return replace(stmt, op="-" if op == "+" else "+", value=turned)
        case Assign(value=Op("u-", (Op("*" | "/" as op, (Const(float() as c), e)),))):
            return replace(stmt, value=Op(op, (Const(-c), e)))
    return stmt


def _rewritten(expr: Expr, known: Known) -> Expr:
    """Return an expression with every part rewritten, innermost first."""
    exact = _places_that_count(expr)
    parts = children(expr)
    changed = tuple(
        _counting(part, known) if place in exact else _rewritten(part, known)
        for place, part in enumerate(parts)
    )
    if any(a is not b for a, b in zip(parts, changed, strict=True)):
        expr = rebuild(expr, changed)
    return _shorter(_rewrite(expr, known), known)


def _counting(expr: Expr, known: Known) -> Expr:
    """Return a key, a range or a shape with no arithmetic changed."""
    return transform(expr, lambda part: _shorter(part, known))


def _places_that_count(expr: Expr) -> Collection[int]:
    """Return which of the direct parts of an expression are keys, ranges or shapes."""
    match expr:
        case Op("index", _):
            return (1,)
        case Op("slice", args):
            return range(len(args))
        case Call(Ref(text), args, keywords) if text in COUNTING:
            return range(COUNTING[text] + 1, 1 + len(args) + len(keywords))
    return ()


def _rewrite(expr: Expr, known: Known) -> Expr:
    match expr:
        case Op("u-", (Const(float() as value),)):
            return Const(-value)
        case Op("*", (a, b)):
            spread = spreads(a, b, known) or spreads(b, a, known)
            bare = None if spread else unstretched("*", a, b, known)
            return product(a, b, known) if bare is None else product(*bare, known)
        case Op("/", (a, b)) if spreads(a, b, known):
            return Op("/", (filling(a), b))
        case Op("+", (a, Op("==", (c, Const(0))))) if value_of(c):
            return a  # what keeps a power of x**0 from being -1
        case Op("+" | "-" as op, (a, b)) if (turned := _without_minus(b)) is not None:
            return _rewrite(Op({"+": "-", "-": "+"}[op], (a, turned)), known)
        case Op("/" | "+" | "-" as op, (a, b)):
            bare = unstretched(op, a, b, known)
            if bare is not None:
                return _rewrite(Op(op, bare), known)
        case Op("index", (Op("index", (inner, Op("tuple", first))), Op("tuple", second))):
            keys = one_key(first, second, lambda part: fact_of_expr(part, known))
            return expr if keys is None else Op("index", (inner, Op("tuple", keys)))
    found = rewritten(masked_once(without_kept_axes(expr, known)), known)
    return found if found == expr else _rewrite(found, known)


def _without_minus(expr: Expr) -> Expr | None:
    """Return a product or quotient that begins with a negative number with that turned round."""
    match expr:
        case Op("*" | "/" as op, (Const(float() as value), b)) if value < 0.0:
            return Op(op, (Const(-value), b))
        case Op("*" | "/" as op, (Op() as a, b)):
            turned = _without_minus(a)
            return None if turned is None else Op(op, (turned, b))
    return None


def _shorter(expr: Expr, known: Known) -> Expr:
    """Return a call or a shape of a shorter expression; no arithmetic changes."""
    match expr:
        case Call(Ref("np.full_like"), (_, _), ()):
            return shaped_like(expr, known)
        case Call(Ref(text) as moved, (Op("u-", (e,)), *others), keywords) if text in MOVING:
            return Op("u-", (Call(moved, (e, *others), keywords),))
        case Call(Ref("_sum_to"), (Call(Ref("_sum_to"), (e, _), ()), shape), ()):
            return Call(expr.func, (e, shape))
        case Call(Attr(e, "astype"), (Attr(of, "dtype"),), ()):
            dtype = fact_of_expr(of, known).dtype
            return e if dtype and dtype == fact_of_expr(e, known).dtype else expr
        case Attr(e, "shape" | "size" as name) if not isinstance(e, Var):
            return Attr(name_of_shape(e, known) or _without_numbers(e, known), name)
        case Call(Ref("np.shape" | "np.size") as of, (e,), ()) if not isinstance(e, Var):
            return Call(of, (name_of_shape(e, known) or _without_numbers(e, known),))
    return expr


def _without_numbers(expr: Expr, known: Known) -> Expr:
    """Return the part of an expression that is no number, where only its shape is asked for."""
    match expr:
        case Op("*" | "/" | "+" | "-" | "**", (a, b)):
            if fact_of_expr(a, known).is_scalar and _may_have_axes(b, known):
                return _without_numbers(b, known)
            if fact_of_expr(b, known).is_scalar and _may_have_axes(a, known):
                return _without_numbers(a, known)
    return expr


def _may_have_axes(expr: Expr, known: Known) -> bool:
    fact = fact_of_expr(expr, known)
    return fact.is_array or bool(fact.begun)
