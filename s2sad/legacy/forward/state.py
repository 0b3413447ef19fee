"""The forward program while it is written: which values have tangents, and what came out."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sad.ir.errors import S2sadError, Span
from s2sad.legacy.callee import Callees
from s2sad.legacy.contribute import zero_like
from s2sad.legacy.facts import Fact, Facts
from s2sad.legacy.program import Assign, Stmt, Var, dot
from s2sad.legacy.scope import Numbers


@dataclass
class Tangents:
    """The forward program while it is written."""

    facts: Facts
    active: frozenset[Var]
    numbers: Numbers
    callees: Callees
    moving: frozenset[Var] = frozenset()  # what really varies, of the active values
    out: list[Stmt] = field(default_factory=list)
    known: dict[Var, Fact] = field(default_factory=dict)
    problems: list[S2sadError] = field(default_factory=list)

    def emit(self, stmt: Stmt) -> None:
        """Add a statement."""
        self.out.append(stmt)

    def of(self, var: Var) -> Var:
        """Return the tangent of an active value."""
        made = Var(dot(var.slot), var.version)
        self.known[made] = self.facts.of(var)
        return made

    def or_zero(self, var: Var, out: list[Stmt], span: Span) -> Var:
        """Return the tangent of a value; of an inactive one, zeros that `out` makes."""
        if var in self.active:
            return self.of(var)
        made = self.numbers.next(dot(var.slot))
        self.known[made] = self.facts.of(var)
        out.append(Assign((made,), zero_like(var, self.facts.of(var)), span))
        return made


def still(state: Tangents, var: Var, span: Span) -> None:
    """Give a value that does not vary the tangent zero."""
    zero = zero_like(var, state.facts.of(var))
    state.emit(Assign((state.of(var),), zero, span))
