"""Comparisons of lengths that the examples decide, where the text is refused else.

if x.shape[1] != 3: x = x.T        made for p of 3 columns, or of any number but 3: the text asks
"""

from __future__ import annotations

from s2sad.ir.expression import Expr
from s2sad.ir.types import ONE, Length, Number, Tuple
from s2sad.lowering.machine import Machine
from s2sad.lowering.values import Data, literal
from s2sad.types import Mismatch
from s2sad.types.elementwise import COMPARE
from s2sad.types.subscripts import whole

Pair = tuple[Length, Length]


def decided_length_test(m: Machine, symbol: str, left: Data, right: Data) -> Data | None:
    """Return what a comparison of lengths, or of shapes, is in the examples; None of others.

    The context is told that there is one to decide; the text asks for what it is made for.
    """
    pairs = _pairs(left.expr, right.expr, symbol)
    values = [m.context.assumptions.value(a - b) for a, b in pairs]
    if not pairs or None in values:
        return None
    m.context.tests_lengths |= any((a - b).terms for a, b in pairs)
    if not m.context.decides_lengths:
        return None
    differ = [(a - b, value) for (a, b), value in zip(pairs, values, strict=True) if value]
    if differ:
        difference, value = differ[0]
        more = difference if value > 0 else Length() - difference
        is_asked = m.context.assumptions.assume_natural(more - ONE)
        return literal(COMPARE[symbol](value, 0)) if is_asked else None
    resolve = m.context.assumptions.resolve
    if any(resolve(a - b) != Length() for a, b in pairs):
        raise Mismatch(*pairs[0], *pairs[1:])
    return literal(bool(COMPARE[symbol](0, 0)))


def _pairs(left: Expr, right: Expr, symbol: str) -> list[Pair]:
    """Return the lengths that are compared; of shapes whether they are equal is asked alone."""
    both = [_lengths(left), _lengths(right)]
    if symbol not in ("==", "!=") and Tuple in (type(left.type), type(right.type)):
        return []
    mine, other = both
    if len(mine) != len(other):
        return []
    known = [(a, b) for a, b in zip(mine, other, strict=True) if a is not None and b is not None]
    return known if len(known) == len(mine) else []


def _lengths(expr: Expr) -> tuple[Length | None, ...]:
    """Return the lengths that a number or a tuple of numbers is."""
    if not isinstance(expr.type, Tuple):
        return (whole(expr),)
    if expr.known is not None:
        return tuple(Length((), v) if isinstance(v, int) else None for v in expr.known.value)
    return tuple(t.length if isinstance(t, Number) else None for t in expr.type.items)
