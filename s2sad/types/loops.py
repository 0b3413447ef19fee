"""Integers that run over a range: what depends on them holds for one pass.

    for k in range(n):        k is Number with a length of its own, 0 <= k <= n - 1
        r = A[k, k + 1 :]     (n - k - 1,)
after the loop                r has a length that is not known
"""

from __future__ import annotations

from s2sad.ir.types import Array, Length, Number, Optional, Sequence, Tuple, Type
from s2sad.types.context import Context


def loop_number(symbol: str, start: Length | None, stop: Length | None, context: Context) -> Number:
    """Return the type of an integer that runs from `start` to before `stop`, by steps of 1.

    `symbol` must be new: a name, and the place of the loop. Where `stop` is not known, neither is
    the number in lengths.
    """
    if start is None or stop is None or not context.assumptions.assume_natural(start):
        return Number("int64")
    number = Length.of(symbol)
    context.assumptions.bound(number, start, stop - 1)
    return Number("int64", False, number)


def without_symbols(type_: Type, symbols: frozenset[str]) -> Type:
    """Return a type in which no length depends on these symbols: what holds after their loop."""

    def outside(length: Length | None) -> Length | None:
        return None if length is None or length.symbols & symbols else length

    match type_:
        case Array(dtype, lengths):
            return Array(dtype, tuple(map(outside, lengths)))
        case Number(dtype, boxed, length):
            return Number(dtype, boxed, outside(length))
        case Tuple(items, cls):
            return Tuple(tuple(without_symbols(item, symbols) for item in items), cls)
        case Sequence(item, cls, length):
            return Sequence(without_symbols(item, symbols), cls, outside(length))
        case Optional(inner):
            return Optional(without_symbols(inner, symbols))
    return type_
