"""The reverse sweep while it is written: the adjoints alive, and how one gets contributions.

Adjoints are values like others: `x_bar += e` is an Update, so that what happens in place is
decided later. An adjoint always has the whole shape of its primal value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from s2sad.ir.errors import InternalError, S2sadError, Span, placed
from s2sad.legacy.activity import flow
from s2sad.legacy.blocks import all_reads
from s2sad.legacy.contribute import CONTAINERS, in_its_field, zero_like
from s2sad.legacy.facts import Fact, Facts
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Ref,
    Stmt,
    Update,
    Var,
    bar,
    base,
)
from s2sad.legacy.scope import Numbers
from s2sad.legacy.traverse import expressions

Bars = dict[str, Var]
PLUS = Ref("_plus", "printed")
ASARRAY = Ref("np.asarray", np.asarray)
# the subscripts that an array without axes has: x[...] and x[()]
WITHOUT_AXES = (Const(Ellipsis), Op("tuple", ()))


@dataclass
class Sweep:
    """The reverse sweep while it is written: adjoints alive, and the statements so far."""

    facts: Facts
    active: frozenset[Var]
    numbers: Numbers
    adjoint: Callable[[Sweep, Block, int], int]
    callee: object
    bars: Bars = field(default_factory=dict)
    out: list[Stmt] = field(default_factory=list)
    known: dict[Var, Fact] = field(default_factory=dict)
    problems: list[S2sadError] = field(default_factory=list)
    # messages of checks that the text makes on its way; None where it may assume nothing
    assumed: list[str] | None = None
    # integers of which no two are equal
    distinct: frozenset[Var] = frozenset()
    # whether anything may be complex
    complex: bool = False
    # slot -> a primal value whose shape the adjoint has
    shapes: dict[str, Var] = field(default_factory=dict)
    # every adjoint to which something was added, and where
    given: dict[Var, Span] = field(default_factory=dict)
    taken: set[Var] = field(default_factory=set)

    def fact(self, expr: Expr) -> Fact:
        """Return what is known of an expression over primal values and adjoints."""
        return self.facts.expr(expr, self.known)

    def new_bar(self, var: Var) -> Var:
        """Return a new adjoint of a primal value; it has that value's shape."""
        made = self.numbers.next(bar(var.slot))
        self.known[made] = self.facts.of(var)
        self.shapes[var.slot] = var
        return made

    def renewed(self, var: Var, value: Expr) -> Var:
        """Return a new value of an adjoint's slot, which is not of its shape any more."""
        made = self.numbers.next(var.slot)
        self.known[made] = self.fact(value)
        return made

    def emit(self, stmt: Stmt) -> None:
        """Add a statement."""
        self.out.append(stmt)

    def temp(self, name: str, value: Expr, span: Span) -> Var:
        """Compute `value` into a new temporary."""
        made = self.numbers.temp(name)
        self.known[made] = self.fact(value)
        self.emit(Assign((made,), value, span))
        return made

    def walk(self, block: Block) -> None:
        """Write the adjoint statements of a block, last statement first."""
        end = len(block)
        while end:
            try:
                end -= self.adjoint(self, block, end)
            except S2sadError as problem:
                end -= 1
                self._note(placed(problem, block[end].span))
                self._go_on(block[end])

    def _note(self, problem: S2sadError) -> None:
        # what does not add up behind a refusal is a consequence of it
        if not (self.problems and isinstance(problem, InternalError)):
            self.problems += problem.problems

    def _go_on(self, stmt: Stmt) -> None:
        """Give what a refused statement reads an adjoint, so that what is before it is seen too."""
        if isinstance(stmt, If | Loop):
            return
        for expr in expressions(stmt):
            for var in flow(expr, self.fact):
                if var in self.active:
                    whole(self, var, stmt.span)

    def take(self, var: Var) -> Var | None:
        """Remove and return the adjoint of what is being defined."""
        made = self.bars.pop(var.slot, None)
        if made is not None:
            self.taken.add(made)
        return made


def contribute(sweep: Sweep, var: Expr, value: Expr, span: Span) -> None:
    """Add `value`, which has the shape of `var`, to the adjoint of `var`."""
    if not isinstance(var, Var) or var not in sweep.active:
        if not isinstance(var, Var) and any(each in sweep.active for each in flow(var, sweep.fact)):
            raise InternalError("what varies has no name here, and so no adjoint", span)
        return
    old = sweep.bars.get(var.slot)
    if sweep.complex:
        value = in_its_field(value, sweep.facts.of(var), sweep.fact)
    made = sweep.new_bar(var)
    if old is None:
        sweep.emit(Assign((made,), value, span))
    elif sweep.facts.of(var).kind in CONTAINERS:
        sweep.emit(Assign((made,), Call(PLUS, (old, value)), span))
    else:
        op, value = ("-", value.args[0]) if _is_negative(value) else ("+", value)
        if _grows(sweep.facts.of(var)):
            # zeros like a number cannot take what an array receives
            sweep.emit(Assign((made,), Op(op, (old, value)), span))
        else:
            sweep.emit(Update(made, old, None, op, value, span))
    sweep.bars[var.slot] = made
    sweep.given[made] = span


def _grows(fact: Fact) -> bool:
    """Tell whether a value may not be yet the array that its adjoint is for."""
    return fact.in_the_end.is_array and not fact.is_array


def none_lost(sweep: Sweep) -> None:
    """Check that all that was added to an adjoint goes somewhere: a lost part is a wrong number."""
    taken = sweep.taken | {var for stmt in sweep.out for var in all_reads(stmt)}
    taken |= {*sweep.bars.values()}
    for made, span in sweep.given.items():
        if made not in taken:
            raise InternalError(f"a part of the adjoint of {base(made.slot)} is lost", span)


def _is_negative(value: Expr) -> bool:
    return isinstance(value, Op) and value.op == "u-"


def whole(sweep: Sweep, var: Var, span: Span) -> Var:
    """Return the adjoint of `var`, made of zeros if there is none yet."""
    if var.slot not in sweep.bars:
        made = sweep.new_bar(var)
        sweep.emit(Assign((made,), zero_like(var, sweep.facts.of(var)), span))
        sweep.bars[var.slot] = made
    return sweep.bars[var.slot]


def writable(sweep: Sweep, var: Var, made: Var, span: Span, key: Expr) -> Var:
    """Return the adjoint `made` of `var` as what can be written to: arithmetic gives numbers.

    NumPy's arithmetic on arrays without axes gives numbers, which have no elements to write to.
    Where it is not known how many axes there are, `key` says whether there may be none.
    """
    fact = sweep.facts.of(var)
    may_be = fact.rank == 0 if fact.rank is not None else key in WITHOUT_AXES
    if fact.kind in CONTAINERS or not may_be:
        return made
    sweep.emit(Assign((array := sweep.new_bar(var),), Call(ASARRAY, (made,)), span))
    sweep.bars[var.slot] = array
    return array


def contribute_all(sweep: Sweep, pairs: Sequence[tuple[Var, Expr]], taken: str, span: Span) -> None:
    """Contribute to several values; what lands in the slot `taken` comes last, and at once."""
    own = [(var, value) for var, value in pairs if var.slot == taken]
    for var, value in pairs:
        if var.slot != taken:
            contribute(sweep, var, value, span)
    if own:
        total = own[0][1]
        for _, value in own[1:]:
            total = _sum_of(total, value, sweep.facts.of(own[0][0]).kind in CONTAINERS)
        contribute(sweep, own[0][0], total, span)


def _sum_of(a: Expr, b: Expr, of_lists: bool) -> Expr:
    return Call(PLUS, (a, b)) if of_lists else Op("+", (a, b))


def zeros_at(sweep: Sweep, slot: str, out: list[Stmt], span: Span) -> Var:
    shape = sweep.shapes[slot]
    made = sweep.new_bar(shape)
    out.append(Assign((made,), zero_like(shape, sweep.facts.of(shape)), span))
    return made
