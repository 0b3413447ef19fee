"""Adjoints of matrices that are factored by Cholesky: without those of the factors where these are but a way."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

import s2sad
from tests import oracles

RNG = np.random.default_rng(5)
ROOT = RNG.uniform(-1.0, 1.0, (4, 4))
K = ROOT @ ROOT.T + 2.0 * np.eye(4)
Y = RNG.uniform(-1.0, 1.0, 4)


def likelihood(K, y):
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha + np.sum(np.log(np.diag(L)))


def whitened(K, y):
    L = np.linalg.cholesky(K)
    z = np.linalg.solve(L, y)
    return 0.5 * np.sum(z**2) + 3.0 * np.log(np.diagonal(L)).sum()


def predicted(K, y):
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return np.sum(np.tanh(alpha) * y)


def by_triangles(K, y):
    L = linalg.cholesky(K, lower=True)
    alpha = linalg.solve_triangular(L.T, linalg.solve_triangular(L, y, lower=True))
    return np.sum(np.sin(alpha)) + y[0] * np.sum(np.log(np.diag(L)))


def by_factors(K, y):
    c, low = linalg.cho_factor(K)
    return y @ linalg.cho_solve((c, low), y) + 2.0 * np.sum(np.log(np.diag(c)))


def by_lower_factors(K, y):
    factor = linalg.cho_factor(K, lower=True)
    alpha = linalg.cho_solve(factor, y)
    return np.sum(alpha**3) - np.sum(np.log(np.diag(factor[0])))


@pytest.mark.parametrize(
    "function", [likelihood, whitened, predicted, by_triangles, by_factors, by_lower_factors]
)
@pytest.mark.parametrize("wrt", [0, 1])
def test_a_factor_that_is_a_way_to_the_inverse_has_no_adjoint(function, wrt):
    """One triangle of K is read: so it is by differences, too."""
    derivative = s2sad.grad(function, wrt, like=(K, Y))
    assert "_cholesky_" not in derivative.source
    expected = oracles.differences(function, (K, Y), (wrt,), 1.0)
    found = oracles.flatten((derivative(K, Y),), ((K, Y)[wrt],))
    assert not oracles.compare(found, expected)


def read_otherwise(K, y):
    L = np.linalg.cholesky(K)
    return np.sum(np.linalg.solve(L, y) ** 2) + np.sum(L)


def of_no_quadratic_form(K, y):
    return np.sum(np.sin(np.linalg.solve(np.linalg.cholesky(K), y)))


def weighted_diagonal(K, y):
    return np.sum(y * np.log(np.diag(np.linalg.cholesky(K))))


def with_a_factor_that_is_changed(K, y):
    L = np.linalg.cholesky(K)
    z = np.linalg.solve(L, y)
    L[1] *= 2.0
    v = np.linalg.solve(L.T, z)
    return v @ y + np.sum(np.log(np.diag(L)))


def in_a_loop(K, y):
    total = 0.0
    for k in range(2):
        L = np.linalg.cholesky(K + k * np.eye(4))
        z = np.linalg.solve(L, y)
        total += z @ z + np.sum(np.log(np.diag(L)))
        y = np.linalg.solve(L.T, z)
    return total


@pytest.mark.parametrize(
    "function",
    [
        read_otherwise,
        of_no_quadratic_form,
        weighted_diagonal,
        with_a_factor_that_is_changed,
        in_a_loop,
    ],
)
def test_what_is_read_of_a_factor_otherwise_counts(function):
    derivative = s2sad.grad(function, (0, 1), like=(K, Y))
    expected = oracles.differences(function, (K, Y), (0, 1), 1.0)
    assert not oracles.compare(oracles.flatten(derivative(K, Y), (K, Y)), expected)
