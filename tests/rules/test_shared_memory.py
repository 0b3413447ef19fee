"""What a call gives as a view of its operand, or as the operand itself, counts as its memory.

A write to such a result is a write to the operand: one that is not known is a wrong gradient.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.fft  # the rules of a module are read once it is imported
import scipy.integrate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.sparse.linalg
import scipy.spatial.distance
import scipy.special
import scipy.stats  # noqa: F401

from s2sad.legacy.facts import UNKNOWN, Fact, fact_of_value
from s2sad.legacy.memory import Roots, spread
from s2sad.legacy.origins import origin
from s2sad.legacy.program import Expr, Var
from s2sad.legacy.rules import load
from s2sad.legacy.templating import Rule
from tests.rules.first.evaluate import evaluate
from tests.rules.first.samples import Case
from tests.rules.first.spelled import exists
from tests.rules.first.templates import cases_of

RESULT = Var("result", 0)


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


@pytest.mark.parametrize("rule", load().every, ids=name_of)
def test_what_is_shared_is_known(rule: Rule) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for pattern in filter(exists, rule.patterns):
            for case in cases_of(rule, pattern, (), thorough=False):
                _check(case)


def _check(case: Case) -> None:
    try:
        value = evaluate(case.expr, case.env)
    except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError):
        return  # a call that the primal itself refuses
    for known in (True, False):
        told = _origin(case.expr, case.env, known)
        for slot, held in case.env.items():
            if isinstance(held, list | tuple):
                continue  # what lists hold is followed item by item
            shared = any(np.may_share_memory(a, b) for a in _arrays(value) for b in _arrays(held))
            assert not shared or Var(slot, 0) in told, f"{case.expr} shares {slot}"


def _origin(expr: Expr, env: Any, known: bool) -> frozenset[Any]:
    facts = {Var(slot, 0): fact_of_value(value, slot) for slot, value in env.items()}

    def fact(var: Var) -> Fact:
        return facts.get(var, UNKNOWN) if known else UNKNOWN

    roots = Roots({var: frozenset({var}) for var in facts})
    roots.fact, roots.made = fact, {}
    return spread(origin(expr, RESULT, roots))


def _arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _arrays(part)
