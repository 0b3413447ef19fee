"""Ranks that arguments have to have, as what a function returns is a number.

for k in range(n):                 n passes
    a = mu * (1.0 - x * x) - w[k]  a is a number if v is: mu and x are, and w has one axis
    v += h * a                     v, h, a are numbers
return v * v                       v is one
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.analysis.exits import may_be_left
from s2sad.analysis.terms import elementwise_operands
from s2sad.ir.expression import Expr, Pattern, Variable
from s2sad.ir.program import Block, For, Function, If, Let, Return, Statement, Store, While
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Array, Number, Numeric, is_integer
from s2sad.ir.walk import blocks, bound, bound_in
from s2sad.operators.table import calls_one

Ranks = Mapping[Variable, int]
NONE: Ranks = {}


def implied_ranks(function: Function) -> Ranks:
    """Return the ranks of parameters wherever what may be an array turns out to be a number.

    A loop is taken to have a pass.
    """
    given = {p.variable for p in function.parameters if isinstance(p.type, Numeric)}
    found = _Before().block(function.body, NONE)
    return {variable: rank for variable, rank in found.items() if variable in given}


def bound_ranks(function: Function) -> Ranks:
    """Return the ranks that variables are bound to, wherever the function gives a number."""
    sweep = _Before()
    sweep.block(function.body, NONE)
    alone = {v: next(iter(ranks)) for v, ranks in sweep.bound.items() if len(ranks) == 1}
    return {variable: rank for variable, rank in alone.items() if rank is not None}


@dataclass(slots=True)
class _Before:
    """Goes backwards: `bound` are the ranks that each name is asked for where it is bound."""

    bound: dict[Variable, set[int | None]] = field(default_factory=dict)

    def block(self, block: Block, ranks: Ranks) -> Ranks:
        """Return the ranks that are needed before a block, for these to be had after it."""
        for statement in reversed(block):
            ranks = self.statement(statement, ranks)
        return ranks

    def statement(self, statement: Statement, ranks: Ranks) -> Ranks:
        """Return the ranks that are needed before a statement."""
        for variable in bound(statement):
            self.bound.setdefault(variable, set()).add(ranks.get(variable))
        match statement:
            case Return(value):
                return _needed(value, 0, NONE)
            case Let(target, value):
                kept = _without(ranks, statement)
                return {**_asked(target, value, ranks, kept), **kept}
            case Store(Expr(op="name", data=target), op, value) if op not in ("=", "@"):
                is_number = ranks.get(target) == 0
                return {**_needed(value, 0, ranks), **ranks} if is_number else ranks
            case Store():
                return ranks
            case If(body=body, orelse=orelse):
                return _common(self.block(body, ranks), self.block(orelse, ranks))
            case For(body=body) | While(body=body) if not may_be_left(body):
                return self.passes(statement, body, ranks)
        for inner in blocks(statement):  # what is asked for there is not known
            self.block(inner, NONE)
        return _without(ranks, statement)

    def passes(self, loop: Statement, body: Block, ranks: Ranks) -> Ranks:
        """Return the ranks that are needed before a loop, however many passes it has."""
        taken = bound_in((loop,)) - bound_in(body)
        found = self.block(body, ranks)
        rows = _rows(loop, found)
        found = {v: rank for v, rank in found.items() if v not in taken}
        while True:
            fewer = _common(found, self.block(body, found))
            if fewer == found:
                return {**rows, **found}
            found = fewer


def _without(ranks: Ranks, statement: Statement) -> Ranks:
    rebound = bound_in((statement,))
    return {variable: rank for variable, rank in ranks.items() if variable not in rebound}


def _common(one: Ranks, other: Ranks) -> Ranks:
    return {variable: rank for variable, rank in one.items() if other.get(variable) == rank}


def _rows(loop: Statement, ranks: Ranks) -> Ranks:
    """Return the rank of what a loop goes through, for its rows to have these."""
    if isinstance(loop, For) and loop.target in ranks:
        return _made_of(loop.domain, ranks[loop.target] + 1, NONE)  # type: ignore[index]
    return NONE


def _asked(target: Pattern, value: Expr, ranks: Ranks, kept: Ranks) -> Ranks:
    """Return the ranks that are needed for these names to be bound to values of theirs."""
    if isinstance(target, tuple) and value.op == "tuple" and len(target) == len(value.args):
        pairs = zip(target, value.args, strict=True)
        return _together(_asked(part, each, ranks, kept) for part, each in pairs)
    if isinstance(target, tuple):  # an array that is taken apart has one axis more than its parts
        parts = {ranks.get(part) for part in target if isinstance(part, Variable)} - {None}
        return _needed(value, parts.pop() + 1, kept) if len(parts) == 1 else NONE  # type: ignore[operator]
    is_asked = isinstance(target, Variable) and target in ranks
    return _needed(value, ranks[target], kept) if is_asked else NONE  # type: ignore[index]


def _needed(value: Expr, rank: int, known: Ranks) -> Ranks:
    """Return the ranks that names have for a value to have one: of a product one tells the other."""
    found = _made_of(value, rank, known)
    return {**found, **_made_of(value, rank, {**known, **found})}


def _together(found: Iterable[Ranks]) -> Ranks:
    return {variable: rank for each in found for variable, rank in each.items()}


def _made_of(value: Expr, rank: int, known: Ranks) -> Ranks:
    """Return what follows at once: of a number all are numbers, and both factors of `@` vectors."""
    if not isinstance(value.type, Numeric):
        return NONE
    match value.op:
        case "name":
            return {value.data: rank}
        case "conditional":
            return _common(*(_made_of(each, rank, known) for each in value.args[1:]))
        case "binary" if value.data == "@":
            return _factors(value, rank, known)
        case "subscript" if (taken := _taken(value.args[1])) is not None:
            return _made_of(value.args[0], rank + taken, known)
    is_known = calls_one(value, "elementwise")
    operands = value.args[1:] if is_known else elementwise_operands(value)
    stretches = [each for each in operands if rank_of(each, known) != 0]
    if rank == 0 or len(stretches) == 1:  # else one of them has as many axes
        return _together(_made_of(each, rank, known) for each in stretches)
    # whichever it is that has as many axes: of x[i] - x[j] x has one more
    first, *others = [_made_of(each, rank, known) for each in stretches] or [NONE]
    return first if all(each == first for each in others) else NONE


def _factors(product: Expr, rank: int, known: Ranks) -> Ranks:
    """Return what the factors of a product need: a number is one of vectors."""
    left, right = product.args
    ranks = {side: 1 if rank == 0 else rank_of(side, known) for side in (left, right)}
    for one, other in ((left, right), (right, left)):
        if ranks[one] == 1 and rank > 0:
            ranks[other] = rank + 1
    return _together(_made_of(s, r, known) for s, r in ranks.items() if r is not None)


def rank_of(value: Expr, known: Ranks) -> int | None:
    """Return the rank of a value, some of names being known; None where it is not."""
    match value.type:
        case Number():
            return 0
        case Array() as type_:
            return type_.rank
    if value.op == "name":
        return known.get(value.data)
    ranks = {rank_of(each, known) for each in elementwise_operands(value)}
    return None if None in ranks else max(ranks, default=None)  # type: ignore[type-var]


def _taken(index: Expr) -> int | None:
    """Return how many axes a subscript takes away; None where that is not known."""
    parts = index.args if index.op == "tuple" else (index,)
    if all(part.op == "slice" or is_integer(part.type) for part in parts):
        return sum(part.op != "slice" for part in parts)
    return None
