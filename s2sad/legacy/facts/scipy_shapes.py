"""How shapes and dtypes of SciPy's results follow from those of its arguments.

spread("x loc")   element by element        kept("x", "x")   an array of the shape of x
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.legacy.facts.binding import Bound
from s2sad.legacy.facts.context import broadcast_of
from s2sad.legacy.facts.elementwise import Rule, elementwise, may_have_shape
from s2sad.legacy.facts.fact import UNKNOWN, Fact, array


def exact(facts: Sequence[Fact]) -> str:
    """Return float64 where operands surely make that; of single precision nothing is said."""
    return "float64" if all(fact.dtype in ("float64", "int64", "bool") for fact in facts) else ""


def spread(names: str, always: bool = False) -> Rule:
    """Return the rule of a function that works element by element on the arguments `names`.

    `always` is for those that make an array of numbers as well.
    """

    def rule(b: Bound) -> Fact:
        facts = [b.array(name) for name in names.split() if b.has(name)]
        if not all(map(may_have_shape, facts)):
            return UNKNOWN
        if always:
            return array(exact(facts), broadcast_of(b.ctx, [fact.shape for fact in facts]))
        return elementwise(b.ctx, facts, exact(facts))

    return rule


def kept(names: str, of: str) -> Rule:
    """Return the rule of a function that keeps the shape of its argument `of`."""

    def rule(b: Bound) -> Fact:
        operand = b.array(of)
        if not may_have_shape(operand) or operand.is_scalar:
            return UNKNOWN
        shape = operand.shape if not b.has("n") and not b.has("s") else None
        return array(exact([b.array(name) for name in names.split() if b.has(name)]), shape)

    return rule
