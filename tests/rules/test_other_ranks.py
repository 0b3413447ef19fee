"""A rule whose samples are of some ranks is right, or not chosen, for operands of others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np
import pytest

from s2sad.ir.records import replace
from s2sad.operators.find import Known, find
from s2sad.operators.rule import Rule
from s2sad.testing.checks import adjoint, is_name, like, primal, structure
from s2sad.testing.evaluate import Values
from s2sad.testing.samples import Case, cases
from tests.rules.spelled import plain_rules

TEXTS = ("()", "(1,)", "(3,)", "(4,)", "(3, 3)", "(2, 3)", "(3, 1)", "(2, 3, 3)")
RANKS = tuple(ast.parse(text, mode="eval").body for text in TEXTS)
# what is drawn of these is a matrix, or another number each time
DRAWN = ("random", "complex", "again", "scipy", "lists", "linalg", "twins")
RULES = [
    rule
    for rule in plain_rules()
    if len(rule.shapes) == 1 and rule.differentiable and not rule.file.startswith(DRAWN)
]


def other_cases(rule: Rule) -> Iterator[Case]:
    """Yield calls of the first spelling of a rule with operands of any rank."""
    widened = replace(rule, shapes=dict.fromkeys(rule.shapes, RANKS))
    yield from (case for case in cases(widened, rule.patterns[0], False) if case.varying)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.file[:-3]}:{rule.name}")
def test_adjoint_has_the_shape_of_its_operand(rule: Rule) -> None:
    for case in other_cases(rule):
        value = primal(case, case.values)
        if value is None:
            continue
        values = Values(case.values)
        match = find(values.typed(case.expr), Known(values.regions))
        if match is None or match.is_constant or match.twin is not None:
            continue
        env = {**case.values, "y": value, "y_bar": like(value, np.random.default_rng(3))}
        for param in case.varying:
            slots = {p for p in match.differentiable if is_name(match.bound[p], param)}
            if slots:
                try:
                    found = adjoint(match, env, slots, param)
                except (ValueError, IndexError, TypeError):
                    continue  # it says so
                assert structure(found) == structure(case.env[param]), case.label
