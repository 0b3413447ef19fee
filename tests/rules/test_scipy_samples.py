"""Statistics of samples as users call them: results by position and by name, options, lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import interpolate, stats

import s2sad
from s2sad.types.allowed import with_pivots
from s2sad.types.samples import NoSample
from tests.programs.entry import numbers

X, Y, A = numbers(5), numbers(5, start=0.7), numbers(4, 3)


def correlation(x: Any, y: Any) -> Any:
    return stats.pearsonr(x, y)[0]


def correlation_summed(x: Any, y: Any) -> Any:
    return np.sum(stats.pearsonr(x, y)[0])


def correlation_by_chance(x: Any, y: Any) -> Any:
    r, p = stats.pearsonr(x, y)
    return r * p


def correlation_by_name(x: Any, y: Any) -> Any:
    return stats.pearsonr(x, y).statistic ** 2 + stats.pearsonr(x, y).pvalue


def line(x: Any, y: Any) -> Any:
    fit = stats.linregress(x, y)
    return np.sum((fit.slope * x + fit.intercept - y) ** 2) + fit.rvalue * fit.stderr


def line_taken_apart(x: Any, y: Any) -> Any:
    slope, intercept, r, p, error = stats.linregress(x, y=y)
    return slope * intercept * p


def line_of_display(x: Any, y: Any) -> Any:
    return stats.linregress([1.0, 2.0, x[0], 3.0], [y[0], x[1], 0.3, 0.2]).slope


def told_what_holds_anyway(x: Any, y: Any) -> Any:
    return stats.skew(x, axis=0, nan_policy="propagate") * stats.kurtosis(y, fisher=False)


def means_of_list(x: Any, y: Any) -> Any:
    return stats.gmean([x[0] ** 2, 0.5, y[1] ** 2]) * stats.hmean(np.exp(x))


def means_compared(x: Any, y: Any) -> Any:
    t, p = stats.ttest_ind(x, y)
    by_chance = stats.ttest_rel(x, y).pvalue + stats.ttest_1samp(x, 0.3)[1]
    return t * p + by_chance + stats.f_oneway(x, y, x * y).statistic


def angles_beside_ranks(x: Any, y: Any) -> Any:
    turned = stats.circmean(100.0 * x, high=180.0, low=-180.0)
    return turned * stats.circvar(y) + stats.circstd(y) * stats.spearmanr(x, LEVELS).statistic


LEVELS = numbers(5, start=0.3)
PROGRAMS = [
    *(means_compared, angles_beside_ranks),
    *(correlation, correlation_by_chance, correlation_by_name, line, line_taken_apart),
    *(line_of_display, told_what_holds_anyway, means_of_list),
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_modes_and_differences_agree(function: Any) -> None:
    assert s2sad.check_grad(function, (X, Y), wrt=("x", "y"))


def test_precision_is_kept() -> None:
    x = np.abs(X).astype(np.float32)
    assert s2sad.grad(correlation)(x, x**2).dtype == np.float32
    assert s2sad.grad(told_what_holds_anyway)(x, x).dtype == np.float32


def test_correlation_of_matrices_is_refused() -> None:
    with pytest.raises(s2sad.ArgumentError, match="grad takes a real scalar"):
        s2sad.grad(correlation)(A, A**2)
    with pytest.raises(s2sad.NoRule):
        s2sad.grad(correlation_summed)(A, A**2)


def test_line_of_equal_values_has_slopes() -> None:
    def slope(x: Any, y: Any) -> Any:
        return stats.linregress(x, y).slope

    found = s2sad.grad(slope, wrt="y")(np.arange(4.0), np.ones(4))
    assert found == pytest.approx([-0.3, -0.1, 0.1, 0.3])


def test_knots_that_are_made_up_rise() -> None:
    """Compiled code steps through memory that is not the spline's where they fall."""
    made_up = (np.array([3.0, 1.0, 2.0]), np.array([0.3, 0.1, 0.2]), 0)
    _, (knots, _, degree) = with_pivots(interpolate.insert, [0.4, made_up])
    assert knots.tolist() == [1.0, 2.0, 3.0] and degree == 0


@pytest.mark.parametrize("count, degree, most", ((4, 3, 1), (20, 9, 5), (8, 3, 3)))
def test_knots_that_are_made_up_are_enough(count: int, degree: int, most: int) -> None:
    """Compiled code has memory for six coefficients, and reads as many knots at either end."""
    made_up = (np.arange(float(count)), np.ones(count), degree)
    assert with_pivots(interpolate.splint, [0.1, 0.5, made_up])[2][2] == most


def test_an_array_is_no_sample_of_a_spline() -> None:
    """Its numbers were taken for knots, coefficients and a degree: the interpreter crashed."""
    with pytest.raises(NoSample):
        with_pivots(interpolate.splint, [0.1, 0.5, np.ones(3)])
