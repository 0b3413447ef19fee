"""Sparse Jacobians and Hessians: the same numbers as dense ones, in a constant number of sweeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import s2sad
from s2sad.api.sparse import coloured

RNG = np.random.default_rng(5)
U = RNG.standard_normal(23)
GRID = RNG.standard_normal((5, 7))
OPERATOR = sparse.random_array((12, 23), density=0.15, rng=RNG, format="csr")


def tridiagonal(u):
    r = np.zeros_like(u)
    r[1:-1] = u[2:] - 2.0 * u[1:-1] + u[:-2] + u[1:-1] ** 3
    r[0] = u[0] - 1.0
    r[-1] = u[-1] * u[-2]
    return r


def five_points(u):
    return u[1:-1, 1:-1] * (u[2:, 1:-1] + u[:-2, 1:-1]) + u[1:-1, 2:] - np.sin(u[1:-1, :-2])


def arrow(u):
    return np.concatenate((u * u[0], [np.sum(u)]))


def in_a_loop(u):
    out = np.zeros(len(u))
    for k in range(1, len(u)):
        out[k] = out[k - 1] * 0.0 + u[k] * u[k - 1]
    return out


def chained(u):
    return np.sum(100.0 * (u[1:] - u[:-1] ** 2) ** 2 + (1.0 - u[:-1]) ** 2)


def upwind(u):
    left, right = u[1:-1] - u[:-2], u[2:] - u[1:-1]
    return u[1:-1] * np.where(u[1:-1] > 0.0, left, right)


def by_the_first(u):
    if u[0] > 0.0:
        return u[1:] * u[:-1]
    return u[1:] * u[::-1][1:]


JACOBIANS = [tridiagonal, arrow, in_a_loop, upwind, by_the_first]


@pytest.mark.parametrize("function", JACOBIANS, ids=lambda f: f.__name__)
def test_jacobians(function: Callable[..., Any]) -> None:
    found = s2sad.sparse_jacobian(function)(U)
    dense = s2sad.jacobian(function, mode="reverse")(U)
    assert isinstance(found, sparse.csr_array)
    np.testing.assert_allclose(found.toarray(), dense, rtol=1e-12, atol=1e-14)


def test_arrays_of_any_rank_are_flat() -> None:
    found = s2sad.sparse_jacobian(five_points, like=(GRID,))(GRID)
    dense = s2sad.jacobian(five_points)(GRID).reshape(15, 35)
    np.testing.assert_allclose(found.toarray(), dense, rtol=1e-12)
    assert found.nnz == 15 * 5


def test_hessians() -> None:
    found = s2sad.sparse_hessian(chained)(U)
    np.testing.assert_allclose(found.toarray(), s2sad.hessian(chained)(U), rtol=1e-12, atol=1e-13)
    assert found.nnz == 3 * U.size - 2


def test_patterns() -> None:
    found = s2sad.sparse_jacobian(tridiagonal).pattern(U).toarray()
    expected = np.abs(np.subtract.outer(np.arange(23), np.arange(23))) <= 1
    expected[0, 1] = False
    np.testing.assert_array_equal(found, expected)


def test_a_zero_derivative_is_part_of_the_pattern() -> None:
    pattern = s2sad.sparse_jacobian(lambda u: u * u).pattern(np.zeros(4))
    np.testing.assert_array_equal(pattern.toarray(), np.eye(4, dtype=bool))


@pytest.mark.parametrize("function", [upwind, by_the_first])
def test_patterns_that_depend_on_values_are_found_anew(function: Callable[..., Any]) -> None:
    made = s2sad.sparse_jacobian(function)
    for u in (U, -U, np.abs(U), -np.abs(U)):
        np.testing.assert_allclose(made(u).toarray(), s2sad.jacobian(function)(u), atol=1e-14)


class Counting:
    """A derivative that counts its calls."""

    def __init__(self, inner: Any):
        self.inner, self.calls = inner, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        self.calls += 1
        return self.inner(*args, **keywords)


def test_a_tridiagonal_matrix_costs_a_constant_number_of_sweeps() -> None:
    for n in (100, 100_000):
        made = s2sad.sparse_jacobian(tridiagonal)
        u = np.linspace(0.0, 1.0, n)
        made(u)
        made.tangent = checking = Counting(made.tangent)  # type: ignore[assignment]
        made.many = counting = Counting(made.many)  # type: ignore[assignment]
        found = made(u + 1.0)
        assert (counting.calls, checking.calls) == (1, 1)  # all three colours at once
        assert found.nnz == 3 * (n - 2) + 3


def test_colours_never_share_a_row() -> None:
    pattern = OPERATOR.tocoo()
    rows, columns = pattern.coords
    colours = coloured(rows, columns, 23)
    for row in range(12):
        mine = colours[columns[rows == row]]
        assert len(set(mine.tolist())) == len(mine)


def test_single_precision() -> None:
    u = U.astype(np.float32)
    found = s2sad.sparse_jacobian(tridiagonal)(u)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.toarray(), s2sad.jacobian(tridiagonal)(u), rtol=1e-6)


# ---------------------------------------------------------------------------- refused


def hides_nan(u):
    return np.nanvar(np.reshape(u, (2, 2)), axis=1)


def refuses_nan_reverse(u, y, y_bar):
    return 2.0 * u * y_bar


def refuses_nan_forward(u, y, u_dot):
    return np.asarray_chkfinite(2.0 * u * u_dot)


@s2sad.custom_derivative(reverse=refuses_nan_reverse, forward=refuses_nan_forward)
def refuses_nan(u):
    return u * u


def calls_it(u):
    return refuses_nan(u) * 2.0


def test_what_hides_or_refuses_nan_is_refused() -> None:
    with pytest.raises(s2sad.ArgumentError, match="cannot be told which elements of hides_nan"):
        s2sad.sparse_jacobian(hides_nan)(U[:4])
    with pytest.raises(s2sad.ArgumentError, match="cannot be told which elements depend"):
        s2sad.sparse_jacobian(calls_it)(U)


def test_other_mistakes() -> None:
    with pytest.raises(s2sad.ArgumentError, match="one argument at a time"):
        s2sad.sparse_jacobian(tridiagonal, ("u",))
    with pytest.raises(s2sad.ArgumentError, match="returns a tuple, which is not one matrix"):
        s2sad.sparse_jacobian(lambda u: (u, u))(U)
    with pytest.raises(s2sad.ArgumentError, match="no array with elements"):
        s2sad.sparse_jacobian(lambda u: u * 2.0)(0.5)
    with pytest.raises(s2sad.ArgumentError, match="no array with elements"):
        s2sad.sparse_jacobian(tridiagonal)(np.zeros(0))
