"""Integers that run over a range: what depends on them holds for one pass.

    for k in range(n):        k is Number with a length of its own, 0 <= k <= n - 1
        r = A[k, k + 1 :]     (n - k - 1,)
after the loop                r has a length that is not known
"""

from __future__ import annotations

from s2sad.ir.types import Length, Number, Type, with_lengths
from s2sad.types.context import Context

MARK = "@"  # in the symbols of loops: no argument has it in its text


def loop_number(least: Length | None, most: Length | None, context: Context) -> Number:
    """Return the type of an integer that runs from `least` to `most` by steps of 1, or back.

    Where they are not known, or it may be negative, neither is the number in lengths.
    """
    assumed = context.assumptions
    if least is None or most is None or not assumed.assume_natural(least):
        return Number("int64")
    number = Length.of(f"{MARK}{len(assumed.bounds)}")
    assumed.bound(number, least, most)
    return Number("int64", False, number)


def depends_on_pass(length: Length | None, symbol: str = MARK) -> bool:
    """Tell whether a length depends on the number of a loop, or of any."""
    return length is not None and any(symbol in each for each in length.symbols)


def without_passes(type_: Type, symbol: str = MARK) -> Type:
    """Return a type in which no length depends on the number of a loop: what holds after it."""
    return with_lengths(type_, lambda n: None if depends_on_pass(n, symbol) else n)
