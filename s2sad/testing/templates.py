"""Every template, as its annotations say: matched, right in both modes, and harmless.

A contributor writes no test: the samples come from the annotations of the parameters.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from s2sad.ir.expression import Expr
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import rebuilt
from s2sad.operators.find import Known, find
from s2sad.operators.match import Match
from s2sad.operators.rule import Rule
from s2sad.testing.checks import check, primal
from s2sad.testing.evaluate import Values
from s2sad.testing.programs import exists
from s2sad.testing.samples import Case, cases, check_words, given_cases

ENOUGH = 3  # calls that are tried of a second spelling
Examples = tuple[tuple[Any, ...], ...]


def check_template(rule: Rule, examples: Examples = ()) -> None:
    """Hold each spelling of a rule against its primal; AssertionError where it is wrong."""
    check_words(rule)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, pattern in enumerate(p for p in rule.patterns if exists(p)):
            _check_spelling(rule, pattern, i, examples)


def _check_spelling(rule: Rule, pattern: Expr, i: int, examples: Examples) -> None:
    own = 0
    for case in cases_of(rule, pattern, examples, thorough=i == 0):
        value = primal(case, case.values)
        if value is None:
            continue
        own += _check_case(rule, case, value, first=i == 0)
        if i and own == ENOUGH:
            break
    assert own, f"spelling {i + 1} never matched its own rule: {pattern}"


def cases_of(rule: Rule, pattern: Expr, examples: Examples, thorough: bool) -> Iterator[Case]:
    """Yield the calls that a spelling is tried with: the examples, or what is drawn."""
    yield from given_cases(rule, pattern, examples) if examples else cases(rule, pattern, thorough)


def _check_case(rule: Rule, case: Case, value: Any, first: bool) -> bool:
    """Check a call, with all known of it and with less; tell whether it was the rule's own."""
    values = Values(case.values)
    expr = values.typed(case.expr)
    known = Known(values.regions)
    matched = find(expr, known)
    assert matched is not None, f"no match: {case.expr} {case.label}"
    check(matched, case, value)
    blind: list[Match | None] = []
    if first and not is_list(case):
        hidden = expr if case.hidden is None else values.typed(case.hidden)
        blind = [find(hidden, known), find(of_any_rank(expr), known)]
        for match, knows_less in zip(blind, (False, True), strict=True):
            if match is not None:
                check(match, case, value, blind=knows_less)
    return any(m is not None and m.rule is rule for m in (matched, *blind))


def is_list(case: Case) -> bool:
    """Tell whether an operand is a list: of those, rules have to know."""
    return any(isinstance(value, list | tuple) for value in case.env.values())


def of_any_rank(expr: Expr) -> Expr:
    """Return an operation of which nothing is known but that its operands are numbers or arrays."""

    def change(node: Expr) -> Expr | None:
        if node.op == "name" and isinstance(node.type, Array | Number):
            return node.typed(Numeric(node.type.dtype))
        return None

    return rebuilt(expr, change)
