"""Sets of known whole numbers: the axes of an array but one, the places that are left.

set(range(x.ndim)) - {axis}     {0, 2}      for axis = 1
tuple({0, 2})                   (0, 2)      in the order that Python goes through the set

A set under a name may change later, and stays what it is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from s2sad.ir.expression import Expr, calls, positional
from s2sad.ir.records import replace
from s2sad.ir.types import Other
from s2sad.lowering import demands, evaluation_order
from s2sad.lowering.machine import Machine
from s2sad.lowering.values import Data, Tup, Value, literal

Numbers = set[int]
OPERATORS: Mapping[str, Callable[[Numbers, Numbers], Numbers]] = {
    "-": operator.sub,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
}
METHODS: Mapping[str, Callable[..., Numbers]] = {
    "difference": set.difference,
    "union": set.union,
    "intersection": set.intersection,
    "symmetric_difference": set.symmetric_difference,
}


def combined(m: Machine, symbol: str, left: Value, right: Value) -> Value | None:
    """Return what an operator makes of two sets; None of others."""
    if symbol not in OPERATORS or not (_is_set(left) and _is_set(right)):
        return None
    found = _applied(m, OPERATORS[symbol], [left, right])
    if found is not None:
        return found
    a, b = m.to_data(left), m.to_data(right)
    made = evaluation_order.operation(m, Expr("binary", (a.expr, b.expr), symbol), a, b)
    return replace(made, expr=made.expr.typed(Other(set)))


def of_method(m: Machine, word: str, owner: Data, args: list[Value]) -> Value | None:
    """Return what a method makes of sets of known whole numbers; None of others."""
    if word not in METHODS or not _is_set(owner):
        return None
    if _whole_numbers(owner.expr) is not None:
        for arg in args:
            demands.ask(m, m.to_data(arg))
    return _applied(m, METHODS[word], [owner, *args])


def as_items(m: Machine, value: Value) -> Value:
    """Return a set of known whole numbers as what it holds, in the order of Python; others as they are."""
    if not _is_set(value):
        return value
    found = _whole_numbers(value.expr)
    if found is None:
        demands.ask(m, m.to_data(value))
        return value
    return Tup(tuple(literal(each) for each in found))


def _is_set(value: Value) -> bool:
    return isinstance(value, Data) and value.type == Other(set)


def _applied(m: Machine, function: Callable[..., Numbers], args: list[Value]) -> Value | None:
    found = [_whole_numbers(m.to_data(each).expr) for each in args]
    numbers = [each for each in found if each is not None]
    if len(numbers) < len(found):
        return None
    made = tuple(literal(each).expr for each in function(*numbers))
    return Data(Expr("set", made, None, Other(set), None, m.span))


def _whole_numbers(expr: Expr) -> Numbers | None:
    """Return the whole numbers that an expression gives, as a set; None where they are not known."""
    if expr.known is not None and isinstance(expr.known.value, tuple | range):
        values: list[Any] = list(expr.known.value)
    elif expr.op in ("set", "list", "tuple"):
        values = [None if arg.known is None else arg.known.value for arg in expr.args]
    elif calls(expr, set) or calls(expr, frozenset):
        args = positional(expr)
        return _whole_numbers(args[0]) if args else set()
    elif calls(expr, range):
        ends = [None if arg.known is None else arg.known.value for arg in positional(expr)]
        return set(range(*ends)) if all(type(end) is int for end in ends) else None
    else:
        return None
    return set(values) if all(type(each) is int for each in values) else None
