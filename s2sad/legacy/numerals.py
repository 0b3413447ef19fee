"""Expressions that are numbers: literals, constants like np.pi, and arithmetic on these.

value_of(2 * np.pi)      ->      6.283185307179586
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from s2sad.legacy.program import Const, Expr, Op, Ref

_ARITHMETIC: Mapping[str, Any] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def value_of(value: Expr) -> float | None:
    """Return the number that an expression of literals and constants like np.pi is."""
    match value:
        case Const(bool()):
            return None
        case Const(int() | float() as number) | Ref(value=float() as number):
            return number
        case Op("u-", (part,)):
            inner = value_of(part)
            return None if inner is None else -inner
        case Op("+" | "-" | "*" | "/" as op, (a, b)):
            x, y = value_of(a), value_of(b)
            known = x is not None and y is not None and not (op == "/" and y == 0)
            return float(_ARITHMETIC[op](x, y)) if known else None
    return None
