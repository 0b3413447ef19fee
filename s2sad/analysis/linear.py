"""Whole numbers as sums of multiples of others and a literal: 2 * k + 1, t - 1 - j."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable

from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import Expr
from s2sad.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of multiples of variables, and a number."""

    terms: tuple[tuple[Hashable, int], ...] = ()
    offset: int = 0

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """Return the sum with a multiple of another."""
        counts = Counter(dict(self.terms))
        for variable, factor in other.terms:
            counts[variable] += times * factor
        terms = tuple(sorted(((v, f) for v, f in counts.items() if f), key=str))
        return Linear(terms, self.offset + times * other.offset)

    def replaced(self, variable: Hashable, by: Linear) -> Linear:
        """Return the sum with another in place of a variable."""
        factor = dict(self.terms)[variable]
        return self.plus(Linear(((variable, 1),)), -factor).plus(by, factor)

    @property
    def variables(self) -> frozenset[Hashable]:
        """What the sum depends on."""
        return frozenset(variable for variable, _ in self.terms)


START, ONE = Linear(), Linear((), 1)


def linear(part: Expr, variable: Callable[[Expr], Hashable | None]) -> Linear | None:
    """Return a number as such a sum; `variable` is what a part of it is known by, None where by nothing."""
    number = literal_position(part)
    if number is not None:
        return Linear((), number)
    if part.op != "binary" or part.data not in ("+", "-", "*"):
        known = variable(part)
        return None if known is None else Linear(((known, 1),))
    left, right = (linear(each, variable) for each in part.args)
    if left is None or right is None:
        return None
    if part.data != "*":
        return left.plus(right, 1 if part.data == "+" else -1)
    number_of, other = (left, right) if not left.terms else (right, left)
    return None if number_of.terms else START.plus(other, number_of.offset)
