"""What a rule says has no influence to first order has none: a wrong zero is a silent one."""

from __future__ import annotations

import warnings
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

from s2sad.operators.rule import CONSTANT, Rule
from s2sad.testing.evaluate import Values
from s2sad.testing.rows import cases_of, exists
from s2sad.testing.samples import Case
from tests.rules.spelled import plain_rules

STEP = 1e-6
# what takes only shapes, kinds and places of what is given
DISCRETE = (list, tuple, dict, str, bool, int, np.integer, type, np.dtype, type(None))


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


def zero_operands(rule: Rule) -> tuple[str, ...]:
    """Return the parameters through which a rule says that no derivative flows."""
    if rule.is_constant:
        return tuple(rule.params)
    return tuple(name for name in rule.params if CONSTANT in rule.marks.get(name, ()))


# np.empty and its like hold what was there before
RULES = [r for r in plain_rules() if zero_operands(r) and r.name != "uninitialised"]


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_a_small_step_changes_nothing(rule: Rule) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for pattern in filter(exists, rule.patterns):
            for case in cases_of(rule, pattern, (), thorough=False):
                for name in zero_operands(rule):
                    _check(case, name)


def _check(case: Case, name: str) -> None:
    held = _floats(case.values.get(name))
    if held is None:
        return
    called = case.hidden or case.expr  # options are in variables there, so that they can move
    try:
        here, there = (
            _numbers(Values({**case.values, name: held + step}).value(called))
            for step in (0.0, STEP)
        )
    except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError):
        return  # a call that the primal itself refuses
    assert len(here) == len(there)
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9, rtol=0.0, err_msg=f"{case.expr}: {name}")


def _floats(held: Any) -> Any:
    """Return a number or an array that can move a little; lists of numbers are made arrays."""
    if isinstance(held, list | tuple) and held and all(isinstance(part, float) for part in held):
        return np.array(held)
    if isinstance(held, DISCRETE) or np.asarray(held).dtype.kind != "f":
        return None
    return held


def test_coefficients_that_are_options_move_too() -> None:
    """A list that stands as a sample was not moved once, and the marks of filters were wrong."""
    assert _floats([0.2, 0.3]) is not None
    assert _floats([1, 2]) is None


def _numbers(value: Any) -> list[np.ndarray]:
    if isinstance(value, list | tuple):
        return [each for part in value for each in _numbers(part)]
    made = np.asarray(value)
    return [made] if made.dtype.kind in "fciub" else []
