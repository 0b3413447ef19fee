"""The rules for SciPy's functions, held against what every template is held against."""

from __future__ import annotations

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
import scipy.stats
import test_emitted_rules
import test_templates

import s2sad
from s2sad.operators.rule import Rule
from tests.rules.spelled import COMPLEX_OF_REAL, plain_rules

# these give a triangle that holds nothing, or take symmetric matrices only: test_scipy_linalg.py
ELSEWHERE = {"cho_factor", "solve_continuous_are", "solve_discrete_are"}
RULES = [rule for rule in plain_rules() if rule.file.startswith("scipy")]
# complex values: test_complex.py
ELSEWHERE |= {
    *COMPLEX_OF_REAL,
    *(r.name for r in RULES if any("complex" in words for words in r.marks.values())),
}
RULES = [rule for rule in RULES if rule.name not in ELSEWHERE]
# sparse matrices are no samples: test_scipy_sparse.py
RULES = [r for r in RULES if "sparse" not in r.file or r.name.endswith("entries_of")]
VARYING = [rule for rule in RULES if not rule.is_constant]


def test_a_complex_logarithm_is_refused_as_the_text_runs() -> None:
    A = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, 0.2], [0.1, -0.2, 1.7]])
    derivative = s2sad.grad(lambda A: np.sum(scipy.linalg.logm(A)))
    assert s2sad.check_grad(lambda A: np.sum(scipy.linalg.logm(A)), (A,))
    with pytest.raises(ValueError, match="complex here: no derivative"):
        derivative(np.diag([1.0, -2.0, 3.0]))


pytestmark = pytest.mark.filterwarnings("ignore")


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_template(rule: Rule) -> None:
    test_templates.test_template(rule)


@pytest.mark.parametrize("rule", VARYING, ids=name_of)
def test_gradient(rule: Rule) -> None:
    test_emitted_rules.test_gradient(rule)


@pytest.mark.parametrize("rule", VARYING, ids=name_of)
def test_second_order(rule: Rule) -> None:
    test_emitted_rules.test_second_order(rule, test_emitted_rules.mode_of(rule))


@pytest.mark.slow
@pytest.mark.parametrize("rule", VARYING, ids=name_of)
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_second_order_in_both_modes(rule: Rule, mode: str) -> None:
    test_emitted_rules.test_second_order(rule, mode)
