"""What is zero in parts of an adjoint by how it is made: by tests, by what scatters, by what guards.

np.where(x > 0.0, g, 0.0)       _take_bar(g, x, k)       np.triu(g)
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.terms import has_axes
from s2sad.ir.expression import Expr, text_of_call
from s2sad.ir.records import dataclass
from s2sad.ir.walk import nodes
from s2sad.operators.table import named, words
from s2sad.reverse.calculus import is_literal

FINITE = named("finiteness")
CHOICES = named("chooses")
# what gives zeros for elements that were not chosen, and what moves elements
SCATTERED = named("scatters")
MOVED = named("rearranges")
METHODS = words("rearranges")


@dataclass(frozen=True, slots=True)
class Choice:
    """A test by which a factor of an adjoint is zero: where it holds, if `place` is 1, else where not.

    `inner` is what may stand for the factor elsewhere. The test is that of an earlier statement,
    to be named where it is asked, if it `is_lasting`.
    """

    test: Expr
    place: int
    factor: Expr
    inner: Expr | None
    is_lasting: bool = False


def asks_numbers(test: Expr) -> bool:
    """Tell whether a test may ask a number, or what is finite: `x > 0.0` asks elements alone.

    So it is with the comparisons of rules, which have no place: they ask which value is the largest.
    """
    compared = [n for n in nodes(test) if n.op == "compare"]
    if any(text_of_call(n) in FINITE for n in nodes(test)) or not compared:
        return True
    return any(n.span is not None and not has_axes(n) for n in compared)


def factors(g: Expr) -> Iterator[Expr]:
    """Yield the parts of an adjoint that it may be zero by: what it is divided by is none."""
    yield g
    is_quotient = g.op == "binary" and g.data == "/"
    for arg in g.args[:1] if is_quotient else g.args:
        yield from factors(arg)


def guarded_by(test: Expr) -> Expr | None:
    """Return the adjoint that a guard asks whether it is zero: g of `g != 0.0`."""
    is_guard = test.op == "compare" and test.data == ("!=",) and is_literal(test.args[1], 0)
    return test.args[0] if is_guard and test.span is None else None
