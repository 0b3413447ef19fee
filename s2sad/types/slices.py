"""What a slice of an axis is long: u[1:n + 3] is n + 2, where the examples show it in range."""

from __future__ import annotations

from s2sad.ir.expression import Expr
from s2sad.ir.types import Length, Number
from s2sad.types.assumptions import ONE, Assumptions

ZERO = Length()


def whole(expr: Expr) -> Length | None:
    """Return what an integer is in lengths; None where that is not known."""
    if expr.known is not None:
        value = expr.known.value
        try:
            return Length((), value.__index__())
        except (AttributeError, TypeError):
            return None
    return expr.type.length if isinstance(expr.type, Number) else None


def is_none(expr: Expr) -> bool:
    """Tell whether a part of a slice is left out."""
    return expr.known is not None and expr.known.value is None


def slice_length(length: Length | None, node: Expr, assumed: Assumptions) -> Length | None:
    """Return the length of a slice of an axis; what has to hold for it is assumed."""
    lower, upper, step = node.args
    if is_none(lower) and is_none(upper) and is_none(step):
        return length
    stride = 1 if is_none(step) else _literal(step)
    if length is None or stride is None or stride == 0:
        return None
    if length.is_literal and all(is_none(x) or _literal(x) is not None for x in (lower, upper)):
        first, last = (None if is_none(x) else _literal(x) for x in (lower, upper))
        return Length((), len(range(*slice(first, last, stride).indices(length.constant))))
    if stride > 0:
        start = ZERO if is_none(lower) else _position(lower, length, assumed)
        stop = length if is_none(upper) else _position(upper, length, assumed)
    else:
        start = length - 1 if is_none(lower) else _position(lower, length - 1, assumed, 1)
        stop = ZERO - 1 if is_none(upper) else _position(upper, length - 1, assumed, 1)
    if start is None or stop is None:
        return None
    span = stop - start if stride > 0 else start - stop
    if not assumed.assume_natural(span):
        return ZERO if assumed.assume_natural(span * -1) else None
    return assumed.quotient(span + (abs(stride) - 1), abs(stride))


def _literal(expr: Expr) -> int | None:
    found = whole(expr)
    return found.constant if found is not None and found.is_literal else None


def _position(expr: Expr, most: Length, assumed: Assumptions, from_end: int = 0) -> Length | None:
    """Return where a bound of a slice lies on an axis; one beyond the end lies at the end."""
    found = whole(expr)
    if found is None:
        return None
    if not assumed.assume_natural(found):
        if not assumed.assume_natural(ZERO - found - ONE):
            return None
        found = most + found + from_end
        if not assumed.assume_natural(found):
            return None
    if assumed.assume_natural(most - found):
        return found
    return most if assumed.assume_natural(found - most) else None
