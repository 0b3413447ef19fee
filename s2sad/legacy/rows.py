"""Arguments that are lists of lists of numbers are taken to hold no row twice, which the text asks.

if len(set(map(id, A))) != len(A):
    raise ValueError("made for A whose rows are lists of their own")

Only where a function is refused otherwise, as it writes to elements (`A[i][j] = e`): of a row that stands
at two places both would change.
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.errors import Span
from s2sad.legacy.answers import answers
from s2sad.legacy.assume import raised
from s2sad.legacy.desugar.names import OWN_ROWS
from s2sad.legacy.distinct import distinct_holders
from s2sad.legacy.facts import Fact, Facts
from s2sad.legacy.links import Answers
from s2sad.legacy.program import Call, Expr, If, Op, Program, Ref, Var, base

ROWS = "whose rows are lists of their own"


Places = frozenset[Span] | None


def answered(program: Program, facts: Facts, places: Places) -> Answers:
    """Return what is known of each question of a Program, where parameters may be taken so."""
    return answers(program, facts, _rows_given(program, facts, places))


def _rows_given(program: Program, facts: Facts, places: Places) -> frozenset[Var]:
    """Return the parameters that are lists of lists of numbers."""
    if places is None or OWN_ROWS not in places:
        return frozenset()
    return frozenset(param.var for param in program.params if has_rows(facts.of(param.var)))


def has_rows(fact: Fact) -> bool:
    """Tell whether a value is a list of lists of numbers."""
    rows = fact.kind == "list" and bool(fact.items)
    return rows and all(row.kind == "list" and _holds_numbers(row) for row in fact.items)


def _holds_numbers(row: Fact) -> bool:
    return bool(row.items) and all(item.is_scalar for item in row.items)


def with_rows(program: Program, facts: Facts, places: Places) -> Program:
    """Return the program in which the parameters are looked at that may hold no row twice."""
    params = _rows_given(program, facts, places)
    if not params:
        return program
    owners = {each.owner.slot for each in program.asked if each.owner is not None}
    owners &= distinct_holders(program, facts, params)
    needed = [p for p in params if owners - distinct_holders(program, facts, params - {p})]
    checks = [_check(var, program.span) for var in sorted(needed, key=lambda var: var.slot)]
    return replace(program, body=(*checks, *program.body)) if checks else program


def _check(var: Var, span: Span) -> If:
    rows = _called("set", set, _called("map", map, Ref("id", id), var))
    test = Op("!=", (_called("len", len, rows), _called("len", len, var)))
    message = f"made for {base(var.slot)} {ROWS}"
    return If(test, (raised(message, span),), (), (), span)


def _called(name: str, function: object, *args: Expr) -> Call:
    return Call(Ref(name, function), args)
