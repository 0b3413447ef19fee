"""SciPy's distributions as users call them, in their tails and beyond their ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats as st
from scipy import stats
from scipy.stats import norm
from test_scipy_use import agrees_with_differences

import s2sad

X = np.array([0.35, 0.8, 1.6])
K = np.array([0, 3, 1])


def standard(x: Any) -> Any:
    return np.sum(norm.logpdf(x)) + np.sum(norm.cdf(x) * norm.sf(x))


def located(x: Any) -> Any:
    return np.sum(st.norm.logpdf(x, 0.5)) + np.sum(st.norm.pdf(x, loc=x[0]))


def scaled(x: Any) -> Any:
    return np.sum(stats.norm.logcdf(x, scale=x[1])) + np.sum(stats.norm.logsf(x, 1.0, x[2]))


def residuals(x: Any) -> Any:
    mu, sigma = x[0], np.exp(x[1])
    return -np.sum(norm.logpdf(np.array([0.3, -1.2, 2.0]), mu, sigma))


def quantiles(x: Any) -> Any:
    return np.sum(norm.ppf(x / 2.0)) + np.sum(norm.isf(x / 2.0, 0.5, 2.0))


def heavy(x: Any) -> Any:
    return np.sum(st.t.logpdf(x, 3.5)) + np.sum(st.t.logpdf(0.7, df=x[0] + 2.0, scale=x[1]))


def positive(x: Any) -> Any:
    total = np.sum(st.gamma.logpdf(x, 2.5)) + np.sum(st.gamma.logpdf(2.0, a=x, scale=1.0 / x))
    total = total + np.sum(st.expon.logpdf(x)) + np.sum(st.expon.logpdf(2.0, scale=x))
    return total + np.sum(st.lognorm.logpdf(x, 0.8)) + np.sum(st.weibull_min.logpdf(x, 1.5))


def between(x: Any) -> Any:
    total = np.sum(st.beta.logpdf(x / 2.0, 2.0, 3.0)) + np.sum(st.beta.logpdf(0.3, x, 1.0 + x))
    return total + np.sum(st.uniform.logpdf(0.2, scale=x)) + np.sum(st.chi2.logpdf(x, 4))


def counted(x: Any) -> Any:
    total = np.sum(st.poisson.logpmf(K, x)) + np.sum(st.poisson.logpmf(K, mu=x, loc=0))
    total = total + np.sum(st.binom.logpmf(K, 5, x / 2.0))
    return total + np.sum(st.bernoulli.logpmf(np.array([0, 1, 1]), x / 2.0))


def others(x: Any) -> Any:
    total = np.sum(st.laplace.logpdf(x)) + np.sum(st.logistic.logpdf(x, scale=2.0))
    total = total + np.sum(st.cauchy.logpdf(x, 1.0)) + np.sum(st.vonmises.logpdf(x, x))
    return total + np.sum(st.truncnorm.logpdf(x, -1.0, 3.0)) + np.sum(st.gamma.cdf(x, 2.0))


MEAN = np.array([0.5, -0.2, 0.1])
POINTS = np.array([[0.3, 1.0, -0.4], [1.2, 0.1, 0.6]])


def vectors(x: Any) -> Any:
    cov = np.outer(x, x) + np.eye(3)
    total = st.multivariate_normal.logpdf(x, MEAN, cov)
    return total + np.sum(st.multivariate_normal.logpdf(POINTS, mean=x, cov=cov))


def shares(x: Any) -> Any:
    total = st.dirichlet.logpdf(x / np.sum(x), x) + st.dirichlet.logpdf([0.2, 0.7, 0.1], 2.0 * x)
    return total + st.dirichlet.logpdf(x[:2] / np.sum(x), np.array([1.5, 2.0, 3.0]))


USES = [
    vectors,
    shares,
    standard,
    located,
    scaled,
    residuals,
    quantiles,
    heavy,
    positive,
    between,
    counted,
    others,
]


@pytest.mark.parametrize("function", USES)
def test_use(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, X)


@pytest.mark.parametrize("function", USES)
def test_gradient_without_examples_is_the_same(function: Callable[..., Any]) -> None:
    space: dict[str, Any] = {}
    exec(s2sad.grad(function).source, space)
    found = space[f"{function.__name__}_grad"](X)
    assert np.allclose(found, s2sad.grad(function)(X), rtol=1e-13)


def test_what_is_left_out_is_left_out_again() -> None:
    def f(x: Any) -> Any:
        return np.sum(norm.logpdf(x))

    source = s2sad.grad(f, like=(X,)).source
    assert "return -x" in source or "x_bar = -x" in source


# ---------------------------------------------------------------------------- tails and ends


@pytest.mark.parametrize("z", [-1e8, -300.0, -40.0])
def test_logcdf_far_below(z: float) -> None:
    def f(x: Any, scale: Any) -> Any:
        return norm.logcdf(x, scale=scale)

    x_bar, scale_bar = s2sad.grad(f, wrt=("x", "scale"))(z, 1.0)
    # Mills' ratio: -z (1 + 1/z**2 - ...)
    assert np.isclose(x_bar, -z - 1.0 / z, rtol=1e-5, atol=0.0)
    assert np.isclose(scale_bar, -x_bar * z, rtol=1e-12, atol=0.0)


@pytest.mark.parametrize("x", [np.inf, -np.inf, 1e200])
def test_infinite_bounds_have_no_slope(x: float) -> None:
    def f(mu: Any, sigma: Any) -> Any:
        return norm.cdf(x, mu, sigma) + 2.0 * norm.sf(x, mu, sigma)

    assert s2sad.grad(f, wrt=("mu", "sigma"))(0.3, 2.0) == (0.0, 0.0)


OUTSIDE = [
    (lambda x, s: st.expon.logpdf(x, scale=s), -1.0),
    (lambda x, s: st.gamma.logpdf(x, s), -1.0),
    (lambda x, s: st.gamma.logpdf(x, 2.0, scale=s), 0.0),
    (lambda x, s: st.chi2.logpdf(x, s), -0.1),
    (lambda x, s: st.lognorm.logpdf(x, s), -0.1),
    (lambda x, s: st.weibull_min.logpdf(x, s), -2.0),
    (lambda x, s: st.beta.logpdf(x, s, 2.0), 1.2),
    (lambda x, s: st.uniform.logpdf(x, 0.0, s), 7.0),
    (lambda x, s: st.truncnorm.logpdf(x, -1.0, s), -1.5),
]


@pytest.mark.parametrize(("density", "x"), OUTSIDE)
def test_outside_of_the_support_nothing_varies(density: Callable[..., Any], x: float) -> None:
    def f(a: Any, s: Any) -> Any:
        return np.sum(density(a, s))

    assert f(np.array([x]), 2.0) == -np.inf
    with np.errstate(all="raise"):
        x_bar, s_bar = s2sad.grad(f, wrt=("a", "s"))(np.array([x, 0.5]), 2.0)
    inside = s2sad.grad(f, wrt=("a", "s"))(np.array([0.5]), 2.0)
    assert x_bar[0] == 0.0
    assert np.isclose(x_bar[1], inside[0][0])
    assert np.isclose(s_bar, inside[1])


def test_exponential_among_its_generalisations() -> None:
    def f(x: Any) -> Any:
        return st.gamma.logpdf(x, 1.0) + st.weibull_min.logpdf(x, 1.0)

    # at the end of the support: the slope to the inside
    assert s2sad.grad(f)(0.0) == -2.0


def test_counts_that_are_certain() -> None:
    def f(p: Any) -> Any:
        return st.binom.logpmf(0, 5, p) + st.bernoulli.logpmf(0, p) + st.poisson.logpmf(0, p)

    assert s2sad.grad(f)(0.0) == -7.0


def test_shape_parameters_without_a_rule_are_refused() -> None:
    def f(a: Any) -> Any:
        return st.gamma.cdf(1.0, a)

    with pytest.raises(s2sad.NoRule, match="no derivative with respect to a"):
        s2sad.grad(f)(2.0)


def test_what_a_frozen_distribution_is_asked_is_refused_where_it_is_asked() -> None:
    def f(a: Any) -> Any:
        d = stats.gamma(a, scale=2.0)
        return d.logpdf(1.0) * d.mean()

    with pytest.raises(s2sad.NoRule, match=r"stats\.gamma\.mean has no derivative rule"):
        s2sad.grad(f)(2.0)
