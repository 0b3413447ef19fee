"""Every template, as its annotations say: matched, right in both modes, and harmless.

A contributor writes no test: the samples come from the annotations of the parameters.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from s2sad.legacy.filling import Match
from s2sad.legacy.program import Expr
from s2sad.legacy.rules import find
from s2sad.legacy.templating import Rule
from tests.rules.first.checks import check, primal
from tests.rules.first.evaluate import known_in
from tests.rules.first.samples import Case, cases, check_words, given_cases
from tests.rules.first.spelled import exists

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
    facts = known_in(case.values)
    matched = find(case.expr, facts)
    assert matched is not None, f"no match: {case.expr} {case.label}"
    check(matched, case, value)
    # the same with less known: of the options, of the operands, of both
    blind = blindly(case) if first and not is_list(case) else []
    for match in (*([find(case.hidden, facts)] if first and case.hidden else []), *blind):
        if match is not None:
            check(match, case, value, blind=match in blind)
    return any(m is not None and m.rule is rule for m in (matched, *blind))


def is_list(case: Case) -> bool:
    """Tell whether an operand is a list: of those, rules have to know."""
    return any(isinstance(value, list | tuple) for value in case.env.values())


def blindly(case: Case) -> list[Match | None]:
    """Return what is found where nothing is known of the operands, nor perhaps of the options."""
    hidden = None if None in case.options.values() or case.hidden is None else find(case.hidden)
    return [find(case.expr), hidden]
