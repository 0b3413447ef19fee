"""Sparse matrices that are put together of what varies: diagonals, sums, products, blocks, places."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from scipy.sparse.linalg import cg, expm_multiply, factorized, splu, spsolve
from test_scipy_use import agrees_with_differences

import s2sad

X = np.array([1.1, 0.7, 1.6, 0.9, 1.3, 0.8])
B = np.arange(1.0, 7.0)
I = np.array([0, 0, 1, 2, 2, 3])  # noqa: E741
J = np.array([0, 2, 1, 2, 3, 3])
LAPLACE = sp.diags([np.ones(5), -2.0 * np.ones(6), np.ones(5)], [-1, 0, 1], format="csc") * 40.0
UPPER = sp.csr_matrix(np.diag(B) + np.eye(6, k=1))
UPPER_ARRAY = sp.csr_array(UPPER)


def stiffness(k: Any) -> Any:
    main = np.zeros(6)
    main[1:] += k
    main[:-1] += k
    return sp.diags([main + 1.0, -k, -k], [0, 1, -1]).tocsr()


class Rod:
    def __init__(self, count: int) -> None:
        self.count = count

    def matrix(self, k: Any) -> Any:
        return sp.eye(self.count) - 0.01 * sp.diags(k) @ LAPLACE

    def cooled(self, k: Any) -> Any:
        u = np.ones(self.count)
        for _ in range(2):
            u = spsolve(self.matrix(k * u).tocsc(), u)
        return u


ROD = Rod(6)


# ---------------------------------------------------------------------------- time and space


def implicit_steps(x: Any) -> Any:
    u = np.sin(B)
    a = sp.identity(6) - 0.01 * sp.diags(x) @ LAPLACE
    for _ in range(3):
        u = spsolve(a.tocsc(), u)
    return np.sum(u**2)


def implicit_steps_by_factors(x: Any) -> Any:
    u = np.ones(6)
    lu = splu((sp.eye(6) - 0.01 * (sp.diags(x) @ LAPLACE)).tocsc())
    for _ in range(3):
        u = lu.solve(u)
    return np.sum(u**2) + lu.solve(B, "T")[0]


def implicit_steps_factorized(x: Any) -> Any:
    u = np.ones(6)
    solve = factorized((sp.eye(6) - 0.01 * sp.diags(x) @ LAPLACE).tocsc())
    for _ in range(3):
        u = solve(u)
    return np.sum(u**2)


def newton_steps(x: Any) -> Any:
    u = np.zeros(6)
    for _ in range(4):
        rest = LAPLACE @ u - 0.1 * x * np.exp(u) - 1.0
        jacobian = LAPLACE - sp.diags(0.1 * x * np.exp(u))
        u = u - spsolve(jacobian.tocsc(), rest)
    return np.sum(u)


def of_a_method(x: Any) -> Any:
    return np.sum(ROD.cooled(x))


def of_a_function(x: Any) -> Any:
    k, c = stiffness(x[:5]), stiffness(x[1:] ** 2)
    u = np.zeros(6)
    for _ in range(3):
        u = spsolve((k + 0.1 * c).tocsc(), B + c @ u)
    return u @ u


def elements(x: Any) -> Any:
    rows, columns, values = [], [], []
    for e in range(5):
        for a in range(2):
            for b in range(2):
                rows.append(e + a)
                columns.append(e + b)
                values.append(x[e] * (1.0 if a == b else -1.0))
    k = sp.coo_matrix((values, (rows, columns)), shape=(6, 6)).tocsr()
    free = np.arange(1, 6)
    return spsolve(k[free][:, free], B[1:]) @ B[1:]


def divergence_of_gradient(x: Any) -> Any:
    d = sp.diags([-1.0, 1.0], [0, 1], shape=(5, 6))
    return x @ ((d.T @ sp.diags(x[:5]) @ d) @ x)


def staggered(x: Any) -> Any:
    g = sp.kron(sp.diags([-x[:3], x[:3]], [0, 1], shape=(3, 4)), sp.eye(2))
    return np.sum(spsolve((g.T @ g + sp.eye(8)).tocsc(), np.arange(8.0)) ** 2)


# ---------------------------------------------------------------------------- algebra


def scaled(x: Any) -> Any:
    a = x[0] * LAPLACE + x[1] * sp.eye(6)
    return np.sum((a / x[2]).dot(x)) ** 2 + np.sum((LAPLACE * x[3]) * x)


def powers(x: Any) -> Any:
    a = sp.diags(x) - LAPLACE / 40.0
    return np.sum(a**2 @ B) + np.sum(a.power(2) @ B)


def entry_by_entry(x: Any) -> Any:
    a = sp.csr_matrix((x, (I, J)), shape=(6, 6))
    twice = a + a.multiply(np.outer(x, x)) + a.multiply(a.T + LAPLACE)
    return np.sum(twice @ B) + abs(a - a.T).sum()


def graph_laplacian(x: Any) -> Any:
    w = sp.csr_matrix((x, (I, J)), shape=(6, 6))
    w = w + w.T
    degrees = np.asarray(w.sum(axis=1)).ravel()
    return B @ ((sp.diags(degrees) - w) @ B)


def graph_laplacian_of_arrays(x: Any) -> Any:
    w = sp.csr_array((x, (I, J)), shape=(6, 6))
    w = w + w.T
    return B @ ((sp.diags_array(w.sum(axis=1)) - w) @ B)


def asked_for_numbers(x: Any) -> Any:
    a = sp.csr_matrix(np.outer(x, x) + np.diag(x))
    return a.diagonal().sum() * a.trace() + a.sum() + a.mean() + a[1, 2] * a[0, -1] + sla.norm(a)


def dense_again(x: Any) -> Any:
    a = sp.diags(x) + LAPLACE
    return np.linalg.det(a.toarray() / 80.0) + np.sum(np.asarray(a.todense())[0] ** 2)


def sparse_arrays(x: Any) -> Any:
    a = sp.csr_array(np.diag(x))
    b = sp.lil_array((6, 6))
    b[0, 0] = x[0]
    b[1, 2] = x[1] ** 2
    star = (a[1:4] * B).sum() + ((a @ sp.csr_array(LAPLACE)) * B).sum() + (b.tocsr() * B).sum()
    return star + ((sp.csr_matrix(np.diag(x)) + sp.csr_array(LAPLACE)) * B).sum()


def beside_dense_arrays(x: Any) -> Any:
    dense = np.outer(B, B)
    a, b = sp.diags(x) + dense, dense - sp.diags_array(x)
    return np.sum(np.asarray(a) ** 2) + np.sum(b * B) + sum([sp.diags(x), LAPLACE]).sum()


def converted_and_set(x: Any) -> Any:
    a = sp.diags(x) + LAPLACE
    b = a.tocsr()
    b.setdiag(0.0)
    return np.sum(a @ B) * np.sum(b @ B + x)


def norms_and_triangles(x: Any) -> Any:
    low = sp.diags([x, x[1:]], [0, -1], format="csr")
    solved = sla.spsolve_triangular(low, B, lower=True, unit_diagonal=True)
    return np.sum(sla.norm(sp.diags(x) + LAPLACE, axis=0)) + np.sum(solved)


def blocks(x: Any) -> Any:
    a = sp.bmat([[sp.diags(x), sp.eye(6)], [-sp.eye(6), None]], format="csr")
    return np.sum(spsolve(a.tocsc() + sp.eye(12), np.arange(12.0)))


def blocks_side_by_side(x: Any) -> Any:
    a = sp.hstack([sp.diags(x), sp.eye(6)])
    b = sp.block_diag([x[0] * sp.eye(2), np.outer(x[:4], x[:4]) + np.eye(4)]).tocsc()
    return np.sum(sp.vstack([a, a]) @ np.arange(12.0)) ** 2 + np.sum(spsolve(b, B))


def diagonals_as_rows(x: Any) -> Any:
    a = sp.spdiags(np.array([x, x, x]), [-1, 0, 1], 6, 6).tocsc()
    b = sp.dia_matrix((np.array([x, x]), [0, -1]), shape=(6, 6))
    return np.sum(spsolve(a + 5.0 * sp.identity(6), B)) + np.sum(b @ B) ** 2


def other_solvers(x: Any) -> Any:
    u, info = cg(sp.diags(x**2) - LAPLACE, B, rtol=1e-13)
    low = sp.diags([x, np.ones(5)], [0, -1], format="csr")
    v = sla.spsolve_triangular(low, B, lower=True)
    return u @ v + np.sum(expm_multiply(0.01 * (sp.diags(x) + LAPLACE), B) ** 2)


def inverse(x: Any) -> Any:
    return sla.inv((sp.diags(x) - LAPLACE).tocsc()).toarray().sum()


# ---------------------------------------------------------------------------- filled in


def filled_row_by_row(x: Any) -> Any:
    a = sp.lil_matrix((6, 6))
    for i in range(6):
        a[i, i] = x[i] + 2.0
        if i > 0:
            a[i, i - 1] = -x[i]
    return np.sum(spsolve(a.tocsr(), B))


def filled_by_blocks(x: Any) -> Any:
    k = sp.lil_matrix((6, 6))
    for e in range(5):
        k[e : e + 2, e : e + 2] += x[e] * np.array([[1.0, -1.0], [-1.0, 1.0]])
    k[0, 0] += 1.0
    return np.sum(spsolve(k.tocsc(), B))


def filled_by_keys(x: Any) -> Any:
    a = sp.dok_matrix((6, 6))
    for i in range(6):
        a[i, (i + 1) % 6] += x[i]
        a[i, i] += 3.0
    return np.sum(spsolve(a.tocsc(), B))


def boundary_rows(x: Any) -> Any:
    k = (sp.diags(x) - LAPLACE).tolil()
    k[0, :] = 0.0
    k[0, 0] = 1.0
    k[3, 3] = x[1]
    return np.sum(spsolve(k.tocsr(), B))


def another_diagonal(x: Any) -> Any:
    a = LAPLACE.copy()
    a.setdiag(x)
    return np.sum(spsolve(a.tocsc(), B))


def parts(x: Any) -> Any:
    k = (sp.diags(x) - LAPLACE).tocsr()
    f, c = np.array([0, 2, 3]), np.array([1, 4, 5])
    u = spsolve(k[np.ix_(f, f)].tocsc(), B[f] - k[f][:, c] @ x[c])
    return np.sum(u) + np.sum(k[1:-1] @ B) + np.sum(k[np.array([True, False] * 3), :] @ x)


# ---------------------------------------------------------------------------- held


def by_branches(x: Any) -> Any:
    a = sp.diags(x) if x[0] > 0.0 else sp.diags(-x)
    return np.sum(a @ B) ** 2


def grown_in_a_loop(x: Any) -> Any:
    a = sp.eye(6)
    for _ in range(3):
        a = a @ sp.diags(x) + sp.eye(6)
    return np.sum(a @ B)


def in_lists_and_dicts(x: Any) -> Any:
    found = {"K": sp.diags(x), "M": sp.eye(6)}
    many = [sp.diags(x * k) + LAPLACE for k in range(3)]
    u = spsolve((found["K"] + found["M"]).tocsc(), B)
    return np.sum(u) + sum(np.sum(a @ B) for a in many) ** 2


def assembled_in_lists(k: Any) -> Any:
    """Rows, columns and entries in lists; what is solved for is stored, which asks for its axes."""
    rows, columns, entries = [], [], []
    for e in range(5):
        local = k[e] * np.array([[1.0, -1.0], [-1.0, 1.0]])
        for a in range(2):
            for b in range(2):
                rows.append(e + a)
                columns.append(e + b)
                entries.append(local[a, b])
    K = sp.coo_matrix((entries, (rows, columns)), shape=(6, 6)).tocsr()
    u = np.zeros(6)
    u[1:] = spsolve(K[1:, 1:], B[1:])
    return u @ B * k[5]


PROGRAMS = [
    implicit_steps,
    implicit_steps_by_factors,
    implicit_steps_factorized,
    newton_steps,
    of_a_method,
    of_a_function,
    elements,
    divergence_of_gradient,
    staggered,
    scaled,
    powers,
    entry_by_entry,
    graph_laplacian,
    graph_laplacian_of_arrays,
    asked_for_numbers,
    dense_again,
    sparse_arrays,
    beside_dense_arrays,
    converted_and_set,
    norms_and_triangles,
    blocks,
    blocks_side_by_side,
    diagonals_as_rows,
    other_solvers,
    inverse,
    filled_row_by_row,
    filled_by_blocks,
    filled_by_keys,
    boundary_rows,
    another_diagonal,
    parts,
    by_branches,
    grown_in_a_loop,
    in_lists_and_dicts,
    assembled_in_lists,
]


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_derivative(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, X, bound=1e-6, modes=1e-9)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_second_order(function: Callable[..., Any]) -> None:
    direction = np.sin(B)
    gradient = s2sad.grad(function)
    ends = [gradient(X + k * 1e-4 * direction) for k in (1, -1)]
    found = s2sad.hvp(function)(X, direction)
    np.testing.assert_allclose(found, (ends[0] - ends[1]) / 2e-4, rtol=1e-4, atol=1e-5)


# ---------------------------------------------------------------------------- arguments


def argument_scaled(x: Any, a: Any) -> Any:
    return np.sum((x[0] * a + sp.diags(x)) @ x) ** 2 + np.sum(a.multiply(np.outer(x, x)) @ B)


def argument_filled(x: Any, a: Any) -> Any:
    b = a.copy()
    b.setdiag(x)
    return np.sum(b.T @ b @ B) + np.sum(a[1:4] @ x)


@pytest.mark.parametrize("function", [argument_scaled, argument_filled])
@pytest.mark.parametrize("matrix", [UPPER, UPPER_ARRAY])
@pytest.mark.filterwarnings("ignore")
def test_matrix_as_an_argument(function: Callable[..., Any], matrix: Any) -> None:
    agrees_with_differences(function, X, matrix, bound=1e-6, modes=1e-9)


def test_the_text_names_the_diagonals() -> None:
    def solved(k: Any) -> Any:
        return np.sum(spsolve(sp.diags([k[1:], k, k[1:]], [-1, 0, 1]).tocsc() + sp.eye(6), B))

    text = s2sad.grad(solved, like=(X,)).source
    assert "class " not in text and not re.search(r"^ +for \w+ in ", text, re.MULTILINE)


# ---------------------------------------------------------------------------- refused


def entries_changed(x: Any) -> Any:
    a = (sp.diags(x) - LAPLACE).tocsr()
    a.data[0] = 3.0
    return np.sum(a @ B)


def smallest_eigenvalue(x: Any) -> Any:
    return sla.eigsh(sp.diags(x) - LAPLACE, k=1, which="SA", v0=np.ones(6))[0][0]


@pytest.mark.parametrize("function", [entries_changed, smallest_eigenvalue])
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
@pytest.mark.filterwarnings("ignore")
def test_what_is_refused(function: Callable[..., Any], make: Callable[..., Any]) -> None:
    args = (X,) if make is s2sad.grad else (X, X)
    with pytest.raises(s2sad.S2sadError, match=function.__name__):
        make(function)(*args)
