"""Twins of SciPy's functions: the same numbers, and derivatives by reading them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import scipy.fftpack
import scipy.integrate
import scipy.interpolate
import scipy.ndimage
import scipy.signal
import scipy.stats  # noqa: F401
import test_emitted_rules

from s2sad.ir.errors import InternalError, S2sadError
from s2sad.ir.expression import Expr
from s2sad.operators.filling import fill
from s2sad.operators.find import Known, matched
from s2sad.operators.library import every_rule
from s2sad.operators.rule import TWIN, Rule
from s2sad.testing.checks import primal
from s2sad.testing.evaluate import Values
from s2sad.testing.samples import Case, cases, check_words

RULES = [rule for rule in every_rule() if rule.family == TWIN]
# what is drawn is another number each time
RULES = [rule for rule in RULES if rule.file != "twins_random.py"]

# what their lines do with lists and axes is not followed
MAY_REFUSE = frozenset("grid medfilt".split())
# nor what the gradients of these do with places, views and loops
MAY_REFUSE_AGAIN = MAY_REFUSE | frozenset(
    """
    cubic cubic_interp1d cubic_with_ends cubic_derived cubic_with_ends_derived cubic_integral
    cubic_with_ends_integral correlate convolve correlate1d convolve1d
    uniform_filter uniform_filter1d gaussian_filter gaussian_filter1d gaussian_laplace laplace
    gaussian_gradient_magnitude sobel prewitt gaussian_kde savgol_filter filtfilt
    """.split()
)

pytestmark = pytest.mark.filterwarnings("ignore")


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def twin_value(rule: Rule, pattern: Expr, case: Case) -> Any:
    """Return what the printed function gives that an operation is differentiated as, if any."""
    values = Values(case.values)
    match = matched((rule, pattern), values.typed(case.expr), Known(values.regions))
    if match is None or match.twin is None:
        return None
    return values.value(fill(match.twin, match.bound, values.infer))


# factors of sparse matrices have no samples here: see test_scipy_sparse_entries.py
OF_NUMBERS = [rule for rule in RULES if rule.file != "twins_scipy_sparse.py"]


@pytest.mark.parametrize("rule", OF_NUMBERS, ids=name_of)
def test_twin_gives_the_same_numbers(rule: Rule) -> None:
    check_words(rule)
    for pattern in rule.patterns:
        tried = 0
        for case in cases(rule, pattern, thorough=True):
            value = primal(case, case.values)
            if value is None:
                continue
            made = twin_value(rule, pattern, case)
            if made is None:
                continue
            single = "float32" in case.label
            for mine, theirs in zip(_parts(made), _parts(value), strict=True):
                assert np.shape(mine) == np.shape(theirs), case.label
                slack = 1e-6 * np.max(np.abs(theirs)) if single else 1e-12
                assert np.allclose(mine, theirs, 1e-5 if single else 1e-11, slack), case.label
            tried += 1
        assert tried


@contextmanager
def right_or(may_refuse: bool) -> Iterator[None]:
    """Let a derivative be refused where it may be; nothing else."""
    try:
        yield
    except S2sadError as refused:
        if not may_refuse or isinstance(refused, InternalError):
            raise


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_gradient(rule: Rule) -> None:
    with right_or(rule.name in MAY_REFUSE):
        test_emitted_rules.test_gradient(rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_second_order(rule: Rule) -> None:
    with right_or(rule.name in MAY_REFUSE_AGAIN):
        test_emitted_rules.test_second_order(rule, test_emitted_rules.mode_of(rule))
