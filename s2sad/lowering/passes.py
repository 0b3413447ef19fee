"""The number of a pass, in lengths: what depends on it holds for one pass.

for i in range(n - 1):
    d = x[i + 1 :]           (n - i - 1,), and x[:i] is (i,)
d                            of a length that is not known
"""

from __future__ import annotations

from operator import is_

from s2sad.ir.expression import Expr, calls, positional
from s2sad.ir.records import replace
from s2sad.ir.types import Length, Number, Tuple, Type
from s2sad.lowering.machine import Heap, Machine
from s2sad.lowering.values import Data, Lazy, Value, held_in, holding
from s2sad.types import count_of, loop_number, without_passes
from s2sad.types.slices import whole

Ends = tuple[Length | None, Length | None]


def number_of_pass(m: Machine, over: Data) -> Number:
    """Return the type of the number of a pass over a range, or of an enumeration."""
    ends = _ends(over.expr)
    if ends is None and calls(over.expr, enumerate) and len(over.expr.args) == 2:
        count = count_of(over.expr.args[1].type)
        ends = None if count is None else (Length(), count - 1)
    return Number("int64") if ends is None else loop_number(*ends, m.context)


def with_number(item: Type, number: Number) -> Type:
    """Return the type of what a pass is given, whose number is known in lengths."""
    if number.length is None:
        return item
    return replace(item, items=(number, *item.items[1:])) if isinstance(item, Tuple) else number


def _ends(domain: Expr) -> Ends | None:
    """Return the least and the greatest number of a range, None for another domain."""
    if calls(domain, reversed) and len(domain.args) == 2:
        return _ends(domain.args[1])
    if not calls(domain, range) or domain.data:
        return None
    bounds = [whole(each) for each in positional(domain)]
    step = bounds[2].constant if len(bounds) > 2 and _is_literal(bounds[2]) else 1
    if len(bounds) > 2 and (not _is_literal(bounds[2]) or abs(step) != 1):
        return None
    start, stop = (Length(), bounds[0]) if len(bounds) == 1 else bounds[:2]
    if start is None or stop is None:
        return None
    return (start, stop - 1) if step > 0 else (stop + 1, start)


def _is_literal(length: Length | None) -> bool:
    return length is not None and length.is_literal


def settle(heap: Heap, number: Number) -> None:
    """Let what is held be of the types that it has in the next pass, and after the loop."""
    if number.length is not None:
        for cell in heap.values():
            for key, value in cell.slots.items():
                cell.slots[key] = _settled(value, str(number.length))


def _settled(value: Value, symbol: str) -> Value:
    """Return a value as it is seen by the next pass, or after the loop."""
    if isinstance(value, Data):
        type_ = without_passes(value.type, symbol)
        return (
            value if type_ == value.type else replace(value, expr=replace(value.expr, type=type_))
        )
    held = [] if isinstance(value, Lazy) else held_in(value)
    inner = [_settled(each, symbol) for each in held]
    return value if all(map(is_, inner, held)) else holding(value, inner)
