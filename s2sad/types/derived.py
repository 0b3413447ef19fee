"""Lengths that a probe found as a half, a least or a greatest one of its axes.

np.fft.rfft(u)       half:0 + 1   ->   n // 2 + 1
np.diagonal(A)       min:0:1      ->   n where the examples show n < m; Mismatch(n, m) where n = m
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.ir.types import Length, Type, with_lengths
from s2sad.types.atoms import lengths_of
from s2sad.types.context import Context
from s2sad.types.errors import Mismatch


def in_lengths(type_: Type, lengths: Sequence[Length | None], context: Context) -> Type:
    """Return the type of a probe's result in lengths of its operands."""
    known: dict[str, Length | None] = {str(k): length for k, length in enumerate(lengths)}
    for found in lengths_of(type_):
        for symbol in sorted(found.symbols) if found is not None else ():
            if ":" in symbol:
                known[symbol] = _derived(symbol, lengths, context)

    def of_operands(length: Length) -> Length | None:
        found = {s: n for s in length.symbols if (n := known[s]) is not None}
        return length.replaced(found) if len(found) == len(length.symbols) else None

    return with_lengths(type_, of_operands)


def _derived(symbol: str, lengths: Sequence[Length | None], context: Context) -> Length | None:
    kind, *places = symbol.split(":")
    operands = [lengths[int(place)] for place in places]
    first, last = operands[0], operands[-1]
    if first is None or last is None:
        return None
    if kind == "half":
        return context.assumptions.quotient(first, 2)
    return _extreme(kind, first, last, context)


def _extreme(kind: str, a: Length, b: Length, context: Context) -> Length | None:
    """Return the least or greatest of two lengths, as the examples order them."""
    assumed = context.assumptions
    if assumed.agree(a, b):
        raise Mismatch(a, b)
    is_first_least = assumed.assume_natural(b - a)
    if not is_first_least and not assumed.assume_natural(a - b):
        return None
    return a if is_first_least == (kind == "min") else b
