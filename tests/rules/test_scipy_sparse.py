"""Sparse matrices: constant ones, and those made of entries that vary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import sparse
from scipy.sparse.linalg import cg, expm_multiply, gmres, spsolve
from test_scipy_use import agrees_with_differences

import s2sad

rng = np.random.default_rng(7)
I = np.array([0, 0, 1, 2, 2, 3, 1])  # noqa: E741
J = np.array([0, 2, 1, 2, 3, 3, 0])
DENSE = np.diag([4.0, 5.0, 6.0, 7.0]) + np.eye(4, k=1) + 0.5 * np.eye(4, k=-1)
A = sp.csr_matrix(DENSE)
WIDE = sp.csc_array(rng.standard_normal((3, 4)) * (rng.random((3, 4)) > 0.3))
B = rng.standard_normal((4, 2))
X = np.array([1.7, 2.3, 0.9, 1.4])
V = np.array([3.0, 0.4, 2.5, 4.1, 0.7, 2.2, 0.3])
INDPTR = np.array([0, 2, 4, 5, 7])
INDICES = np.array([0, 2, 0, 1, 2, 1, 3])

# ---------------------------------------------------------------------------- constant matrices


def products(x: Any) -> Any:
    y = WIDE @ x
    z = A.dot(x) + A.T @ (x * x)
    return np.sum(y**2) + np.sum(z * (x @ A))


def product_by_a_star(x: Any) -> Any:
    return np.sum((A * x) ** 2) + np.sum((x * A) ** 2)


def product_with_argument(x: Any, a: Any) -> Any:
    return np.sum((a @ x) ** 3) + np.sum((a @ np.outer(x, x)) ** 2)


def solutions(x: Any) -> Any:
    y = spsolve(A.tocsc(), x)
    return np.sum(y**2) + np.sum(spsolve(A, np.outer(x, x[:2])) ** 2)


def approached(x: Any) -> Any:
    y, info = cg(A @ A.T, x, rtol=1e-13)
    z = gmres(A, x, rtol=1e-13)[0]
    return np.sum(y**2) + np.sum(z * y) + info


def approached_dense(x: Any) -> Any:
    a = np.outer(x, x) + np.diag(x)
    y, _ = cg(a, x, rtol=1e-13)
    return np.sum(y**2) + np.sum(gmres(a, np.sin(x), rtol=1e-13)[0])


def heat(x: Any) -> Any:
    return np.sum(expm_multiply(-0.1 * A, x) ** 2)


# ---------------------------------------------------------------------------- entries that vary


def entries(v: Any) -> Any:
    a = sparse.csr_matrix((v, (I, J)), shape=(4, 4))
    return np.sum((a @ X) ** 2) + np.sum((a @ B) ** 2)


def entries_and_vector(v: Any) -> Any:
    a = sparse.coo_array((v, (I, J)), shape=(4, 4))
    return np.sum((a @ v[:4]) ** 2)


def rows(v: Any) -> Any:
    a = sparse.csr_matrix((v, INDICES, INDPTR))
    return np.sum((a @ v[:4]) ** 2) + np.sum(a.dot(B) ** 3)


def columns(v: Any) -> Any:
    return np.sum((sp.csc_matrix((v, INDICES, INDPTR), shape=(4, 4)) @ v[3:]) ** 2)


def transposed(v: Any) -> Any:
    a = sparse.csr_matrix((v, (I, J)), shape=(4, 4))
    b = sparse.csr_matrix((v, INDICES, INDPTR), shape=(4, 4))
    return np.sum((a.T @ v[:4]) ** 2) + np.sum(b.T @ X * v[1:5])


def system(v: Any) -> Any:
    a = sparse.csc_matrix((v, (I, J)), shape=(4, 4))
    return np.sum(spsolve(a, v[:4]) ** 2)


def system_of_rows(v: Any) -> Any:
    k = sparse.csr_matrix((v, INDICES, INDPTR), shape=(4, 4))
    u = spsolve(k, X)
    return np.dot(u, X) + np.sum((k @ u) * v[:4])


def system_of_columns(v: Any) -> Any:
    return np.sum(spsolve(sp.csc_matrix((v, INDICES, INDPTR)), B) ** 2)


def dense_transposed(v: Any) -> Any:
    a = np.reshape(v[:6], (2, 3))
    k = sp.csr_matrix(a)
    square = sp.csc_array(np.outer(v[:4], v[1:5]) + np.eye(4))
    return np.sum((k.T @ (k @ v[:3])) ** 2) + np.sum(spsolve(square.T, X) ** 2)


CONSTANT = [products, product_by_a_star, solutions, approached, approached_dense, heat]
VARYING = [
    transposed,
    dense_transposed,
    entries,
    entries_and_vector,
    rows,
    columns,
    system,
    system_of_rows,
    system_of_columns,
]


@pytest.mark.parametrize("function", CONSTANT)
@pytest.mark.filterwarnings("ignore")
def test_constant_matrix(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, X)


@pytest.mark.parametrize("matrix", [A, sp.csc_array(A), sp.coo_matrix(A), WIDE])
def test_matrix_as_an_argument(matrix: Any) -> None:
    assert ".T @" in agrees_with_differences(product_with_argument, X, matrix)


@pytest.mark.parametrize("function", VARYING)
@pytest.mark.filterwarnings("ignore")
def test_entries_that_vary(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, V, bound=1e-6)


TWICE = [
    (transposed, V),
    (products, X),
    (solutions, X),
    (entries_and_vector, V),
    (rows, V),
    (system, V),
]
TWICE += [(approached_dense, X)]


@pytest.mark.parametrize(("function", "x"), TWICE)
@pytest.mark.filterwarnings("ignore")
def test_hessian_product(function: Callable[..., Any], x: Any) -> None:
    gradient = s2sad.grad(function, like=(x,))
    x_dot = np.cos(np.arange(len(x)))
    step = 1e-4
    nearby = [gradient(x + k * step * x_dot) for k in (1, -1, 2, -2)]
    expected = (8.0 * (nearby[0] - nearby[1]) - (nearby[2] - nearby[3])) / (12.0 * step)
    _, product = s2sad.jvp(gradient, like=(x,))(x, x_dot)
    assert np.allclose(product, expected, rtol=1e-6, atol=1e-6)


def test_solver_that_fails_in_the_derivative_says_so() -> None:
    def f(x: Any) -> Any:
        y, _ = cg(A @ A.T, x, rtol=1e-14, maxiter=1)
        return np.sum(y)

    with pytest.raises(ValueError, match="did not converge"):
        s2sad.grad(f)(X)
