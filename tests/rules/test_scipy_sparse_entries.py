"""Iterative solvers of sparse matrices whose entries vary, and matrices made of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import sparse
from scipy.sparse.linalg import cg, expm_multiply, factorized, gmres, splu, spsolve
from test_scipy_use import agrees_with_differences

import s2sad

X = np.array([0.3, 1.4, -0.7, 0.9])
V = np.array([4.1, 5.2, 3.8, 6.1, 0.4, -0.6, 0.5])
I = np.array([0, 1, 2, 3, 0, 1, 2])  # noqa: E741
J = np.array([0, 1, 2, 3, 1, 2, 3])
CSR = sp.csr_matrix((V, (I, J)))
CSC = CSR.tocsc()
INDICES, INDPTR = CSR.indices, CSR.indptr
D = np.array([[4.0, 0.3, 0.0], [0.3, 5.0, -0.2], [0.0, -0.2, 3.0]])


def by_entries(v: Any) -> Any:
    k = sparse.csr_array((v, (I, J)), shape=(4, 4))
    return np.sum(gmres(k, X * v[:4], rtol=1e-13)[0] ** 2)


def by_rows(v: Any) -> Any:
    k = sparse.csr_matrix((v, INDICES, INDPTR), shape=(4, 4))
    u, info = gmres(k, X, rtol=1e-13)
    return np.dot(u, X) + np.sum((k @ u) * v[:4])


def by_columns(v: Any) -> Any:
    u = gmres(sp.csc_matrix((v, INDICES, INDPTR)), X, rtol=1e-13)[0]
    return np.sum(u**3)


def by_columns_of_a_shape(v: Any) -> Any:
    u = gmres(sp.csc_matrix((v, INDICES, INDPTR), shape=(4, 4)), X, rtol=1e-13)[0]
    return np.sum(u**3)


def symmetric(v: Any) -> Any:
    k = sparse.coo_matrix((np.concatenate((v, v)), (ROWS, COLUMNS)), shape=(4, 4))
    return np.sum(cg(k, X, rtol=1e-13)[0] ** 2)


ROWS, COLUMNS = np.concatenate((I, J)), np.concatenate((J, I))


def of_array(v: Any) -> Any:
    k = sparse.csr_array(D * v[0] + np.diag(v[:3]))
    return np.sum(cg(k, v[4:], rtol=1e-13)[0] ** 2)


def product_of_array(v: Any) -> Any:
    k = sparse.csc_array(np.outer(v, v))
    return np.sum((k @ v) ** 2) + np.sum(spsolve(sparse.csc_matrix(D * v[0]), v[:3]))


def moved(v: Any) -> Any:
    return np.sum(expm_multiply(D * v[0], np.outer(v[:3], v[4:6])) ** 2)


def by_factors(v: Any) -> Any:
    """Factors that are found once, of what is known and of what varies."""
    known, moved = splu(CSC), splu(sparse.csc_matrix((v, (I, J)), shape=(4, 4)))
    u, solve = X * v[:4], factorized(CSC)
    for _ in range(2):
        u = known.solve(moved.solve(u, "T")) + solve(u)
    return np.sum(u**3)


FUNCTIONS = [
    by_factors,
    by_entries,
    by_rows,
    by_columns,
    symmetric,
    of_array,
    product_of_array,
    moved,
]
SMALL = 0.1 * V


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_gradient(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, SMALL if function is moved else V, bound=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_hessian_product(function: Callable[..., Any]) -> None:
    x = SMALL if function is moved else V
    gradient = s2sad.grad(function, like=(x,))
    x_dot, step = np.cos(np.arange(len(x))), 1e-4
    nearby = [gradient(x + k * step * x_dot) for k in (1, -1, 2, -2)]
    expected = (8.0 * (nearby[0] - nearby[1]) - (nearby[2] - nearby[3])) / (12.0 * step)
    _, product = s2sad.jvp(gradient, like=(x,))(x, x_dot)
    scale = np.max(np.abs(expected))
    assert np.allclose(product, expected, rtol=1e-6, atol=1e-6 * scale)
    back = s2sad.vjp(gradient, like=(x,))(x, x_dot)
    assert np.allclose(back, expected, rtol=1e-6, atol=1e-6 * scale), "a Hessian is symmetric"


def test_a_derivative_that_does_not_converge_says_so() -> None:
    def f(v: Any) -> Any:
        k = sparse.csr_array((v, (I, J)), shape=(4, 4))
        return np.sum(gmres(k, X, rtol=1e-14, restart=1, maxiter=1)[0])

    with pytest.raises(ValueError, match="did not converge"):
        s2sad.grad(f)(V)
