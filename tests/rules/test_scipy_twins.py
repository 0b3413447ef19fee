"""Twins of SciPy's functions: the same numbers, and derivatives by reading them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.interpolate
import scipy.ndimage
import scipy.signal
import scipy.stats  # noqa: F401
import test_emitted_rules

from s2sad.legacy.templating import Rule
from s2sad.legacy.twins import _twins, twin_of
from s2sad.source.optional import loaded
from tests.often import often
from tests.rules.first.checks import primal
from tests.rules.first.evaluate import evaluate, known_in
from tests.rules.first.samples import cases, check_words

TWINS = list(_twins(loaded()).every)

pytestmark = pytest.mark.filterwarnings("ignore")


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("rule", TWINS, ids=name_of)
def test_twin_gives_the_same_numbers(rule: Rule) -> None:
    check_words(rule)
    for pattern in rule.patterns:
        tried = 0
        for case in cases(rule, pattern, thorough=True):
            value = primal(case, case.values)
            if value is None:
                continue
            twin = twin_of(case.expr, known_in(case.values))
            assert twin is not case.expr, case.label
            made = evaluate(twin, case.values)
            single = "float32" in case.label
            for mine, theirs in zip(_parts(made), _parts(value), strict=True):
                assert np.shape(mine) == np.shape(theirs), case.label
                slack = 1e-6 * np.max(np.abs(theirs)) if single else 1e-12
                assert np.allclose(mine, theirs, 1e-5 if single else 1e-11, slack), case.label
            tried += 1
        assert tried


@pytest.mark.parametrize("rule", often(TWINS, 3), ids=name_of)
def test_gradient(rule: Rule) -> None:
    test_emitted_rules.test_gradient(rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", TWINS, ids=name_of)
def test_second_order(rule: Rule) -> None:
    test_emitted_rules.test_second_order(rule, test_emitted_rules.mode_of(rule))
