"""scipy.linalg as users call it: factors of all kinds, equations, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import linalg
from scipy.linalg import cho_factor, cho_solve, cholesky, eigh, solve_triangular, svd
from scipy.spatial import distance
from test_scipy_use import agrees_with_differences

import s2sad

rng = np.random.default_rng(4)
A = 0.3 * rng.standard_normal((4, 4)) + np.diag([1.0, 2.0, 3.5, 5.0])
B = rng.standard_normal((4, 2))
Y = rng.standard_normal(4)
TALL = 0.3 * rng.standard_normal((5, 3)) + np.eye(5, 3) * np.array([1.0, 2.0, 3.0])


def definite(a: Any) -> Any:
    return np.dot(a, a.T) + np.eye(len(a))


# ---------------------------------------------------------------------------- programs


def triangular(a: Any) -> Any:
    factor = cholesky(definite(a), lower=True)
    white = solve_triangular(factor, Y, lower=True)
    return np.dot(white, white) + 2.0 * np.sum(np.log(np.diag(factor)))


def transposed(a: Any) -> Any:
    upper = linalg.cholesky(definite(a))
    return np.sum(solve_triangular(upper, solve_triangular(upper, B, trans="T")) ** 2)


def factor_displayed(a: Any) -> Any:
    factor = cholesky(definite(a), lower=True)
    return np.dot(Y, cho_solve((factor, True), Y))


def factor_kept_whole(a: Any) -> Any:
    factor = cho_factor(definite(a))
    return np.dot(Y, cho_solve(factor, Y)) + np.sum(np.log(np.diag(factor[0])))


def factor_nested(a: Any) -> Any:
    return np.sum(cho_solve(cho_factor(definite(a), lower=True), B) ** 2)


def factor_unpacked(a: Any) -> Any:
    c, lower = cho_factor(definite(a), True)
    return np.dot(Y, cho_solve((c, lower), Y))


def lu_kept_whole(a: Any) -> Any:
    factors = linalg.lu_factor(a)
    return np.sum(linalg.lu_solve(factors, B) * linalg.lu_solve(factors, B, trans=1))


def lu_unpacked(a: Any) -> Any:
    lu, piv = linalg.lu_factor(a)
    return np.sum(np.log(np.abs(np.diag(lu)))) + np.sum(linalg.lu_solve((lu, piv), Y) ** 2)


def lu_apart(a: Any) -> Any:
    p, lower, upper = linalg.lu(a)
    return np.sum(np.tanh(lower)) + np.sum(upper**2 * B[0, 0]) + np.sum(p)


def lower_part_of_lu(a: Any) -> Any:
    return np.sum(linalg.lu(a)[1] ** 3)


def eigenvectors(a: Any) -> Any:
    w, v = eigh(definite(a))
    return np.sum(np.exp(-w) * v[0] ** 2)


def eigenvalues(a: Any) -> Any:
    found = linalg.eigh(definite(a))
    return np.sum(np.log(found[0])) + np.sum(linalg.eigvalsh(a) ** 3)


def singular(a: Any) -> Any:
    u, s, vh = svd(a, full_matrices=False)
    return np.sum((u[:, 0] * np.exp(s[0])) ** 2 * np.arange(4)) + np.abs(vh[0, 1]) + np.sum(s)


def low_rank(a: Any) -> Any:
    u, s, vh = svd(a[:, :3], full_matrices=False)
    return np.sum(np.dot(u[:, :2] * s[:2], vh[:2]) ** 3) + np.sum(linalg.svdvals(a) ** 3)


def orthogonal(a: Any) -> Any:
    q, r = linalg.qr(a)
    return np.sum(q[:, 0] ** 3) + np.sum(np.abs(np.diag(r)))


def orthogonal_economic(a: Any) -> Any:
    q, r = linalg.qr(a[:, :3], mode="economic")
    return np.sum(np.dot(q, r) ** 2) + np.sum(q**3)


def upper_of_a_tall_one(a: Any) -> Any:
    _, r = linalg.qr(np.vstack([a[:, :2], B[:, :2]]))
    return np.sum(r[:2] ** 3) + np.sum(r.T @ r * a[:2, :2])


def least_squares(a: Any) -> Any:
    x, rest, rank, s = linalg.lstsq(a[:, :2], Y)
    return np.sum(x**2) + rest * rank + np.sum(s)


def least_squares_solution(a: Any) -> Any:
    return np.sum(linalg.lstsq(a[:, :3], B)[0] ** 2)


def functions(a: Any) -> Any:
    # whether roots and logarithms are complex their numbers decide
    root, logarithm = np.real(linalg.sqrtm(definite(a))), np.real(linalg.logm(definite(a)))
    total = np.sum(linalg.expm(0.3 * a) ** 2) + np.sum(root)
    return total + np.sum(logarithm**2) + np.trace(linalg.cosm(a))


def equations(a: Any) -> Any:
    x = linalg.solve_sylvester(a, definite(a), np.eye(4))
    z = linalg.solve_continuous_lyapunov(a, x)
    return np.sum(x**2) + np.sum(z * linalg.solve_discrete_lyapunov(0.1 * a, z))


def regulator(a: Any) -> Any:
    p = linalg.solve_continuous_are(a, a[:, :2], definite(a), definite(a[:2, :2]))
    q = linalg.solve_discrete_are(a, a[:, :2], definite(a), definite(a[:2, :2]))
    return np.sum(p**2) + np.sum(q * p)


def assumed(a: Any) -> Any:
    x = linalg.solve(definite(a), B, assume_a="pos")
    z = linalg.solve(definite(a), Y, lower=True, assume_a="sym", check_finite=False)
    return np.sum(x**2) + np.sum(z**3) + np.sum(linalg.solve(a, Y, transposed=True))


def inverses(a: Any) -> Any:
    total = np.sum(linalg.inv(a) ** 2) + linalg.det(a) + np.sum(linalg.pinv(a[:, :2]) ** 2)
    return total + linalg.norm(a) + np.sum(linalg.norm(a, axis=0))


def banded(a: Any) -> Any:
    below = linalg.solve_banded((2, 0), np.abs(a[:3]) + 9.0 * np.eye(3)[:, :1], Y)
    above = linalg.solve_banded((0, 1), np.abs(a[:2]) + 9.0 * np.eye(2)[:, 1:], B)
    half = linalg.solveh_banded(np.abs(a[:2]) + 9.0 * np.eye(2)[:, :1], B, lower=True)
    return np.sum(below**2) + np.sum(above * half)


def diagonals(a: Any) -> Any:
    t = linalg.toeplitz(a[0], a[1]) + linalg.circulant(a[2]) + linalg.hankel(a[3])
    blocks = linalg.block_diag(a, t[:2])
    return np.sum(blocks**2) + np.sum(linalg.solve_toeplitz((a[0] + 9.0, a[1]), Y) ** 2)


def distances(a: Any) -> Any:
    total = np.sum(distance.cdist(a, a[:2]) ** 3) + np.sum(np.sqrt(distance.pdist(a)))
    return total + np.sum(distance.squareform(distance.pdist(a, "sqeuclidean")) * A)


PROGRAMS = [
    *(triangular, transposed, factor_displayed, factor_kept_whole, factor_nested),
    *(factor_unpacked, lu_kept_whole, lu_unpacked, lu_apart, lower_part_of_lu, eigenvectors),
    *(eigenvalues, singular, low_rank, orthogonal, orthogonal_economic, least_squares),
    upper_of_a_tall_one,
    *(least_squares_solution, functions, equations, regulator, assumed, inverses),
    *(banded, diagonals, distances),
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_program(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, A)


# blocks of one row are given as vectors, too: the rank decides
RANKS = [diagonals, banded]


@pytest.mark.parametrize("function", [f for f in PROGRAMS if f not in RANKS])
def test_gradient_without_examples_is_the_same(function: Callable[..., Any]) -> None:
    space: dict[str, Any] = {}
    exec(s2sad.grad(function).source, space)
    found = space[f"{function.__name__}_grad"](A)
    assert np.allclose(found, s2sad.grad(function)(A), rtol=1e-10, atol=1e-10)


TWICE = [
    *(triangular, factor_kept_whole, lu_unpacked, eigenvectors, singular, orthogonal),
    *(least_squares_solution, functions, equations, regulator, assumed, banded, diagonals),
]


@pytest.mark.parametrize("function", TWICE)
def test_hessian_product(function: Callable[..., Any]) -> None:
    gradient = s2sad.grad(function, like=(A,))
    a_dot = rng.standard_normal(A.shape)
    step = 1e-4
    nearby = [gradient(A + k * step * a_dot) for k in (1, -1, 2, -2)]
    expected = (8.0 * (nearby[0] - nearby[1]) - (nearby[2] - nearby[3])) / (12.0 * step)
    made = s2sad.jvp(gradient, like=(A,))
    _, product = made(A, a_dot)
    assert np.allclose(product, expected, rtol=1e-6, atol=1e-6 * np.max(np.abs(expected)))


# ---------------------------------------------------------------------------- conventions


def test_one_triangle_receives_what_belongs_to_both() -> None:
    def f(a: Any) -> Any:
        return np.sum(cholesky(a, lower=True) ** 3) + np.sum(eigh(a, lower=False)[0] ** 3)

    a = definite(A)
    lower, upper = (s2sad.grad(g)(a) for g in (lambda a: np.sum(cholesky(a, lower=True) ** 3),
                                                lambda a: np.sum(cholesky(a) ** 3)))  # fmt: skip
    assert np.all(np.triu(lower, 1) == 0.0) and np.all(np.tril(upper, -1) == 0.0)
    assert np.any(np.tril(lower, -1) != 0.0)
    agrees_with_differences(f, a)


def squared(a: Any) -> Any:
    """V w**2 V.T is the square of a matrix, but its parts do not tell that."""
    w, v = eigh(a)
    return np.sum(np.dot(v * w**2, v.T) * np.arange(9.0).reshape(3, 3))


def put_together(a: Any) -> Any:
    u, s, vh = np.linalg.svd(a)
    return np.sum(((u * s) @ vh) * np.arange(9.0).reshape(3, 3))


def put_together_by_scipy(a: Any) -> Any:
    u, s, vh = linalg.svd(a)
    return np.sum(((u * s) @ vh) * np.arange(9.0).reshape(3, 3))


EQUAL = np.diag([2.0, 2.0, 5.0])


@pytest.mark.parametrize("function", [squared, put_together, put_together_by_scipy])
def test_what_flows_between_equal_values_is_refused(function: Callable[..., Any]) -> None:
    """Its limit is 0 / 0 in the adjoints of the parts: another number for each function."""
    with pytest.raises(ValueError, match="vectors of equal"):
        s2sad.grad(function)(EQUAL)
    with pytest.raises(ValueError, match="vectors of equal"):
        s2sad.jvp(function)(EQUAL, np.arange(9.0).reshape(3, 3) + np.eye(3))


def test_the_rest_of_a_matrix_with_equal_eigenvalues_has_derivatives() -> None:
    def largest(a: Any) -> Any:
        w, v = np.linalg.eigh(a)
        return w[2] * np.sum(v[:, 2] ** 2 * np.arange(3.0)) + np.sum(w**2)

    def f(a: Any) -> Any:
        return largest(0.5 * (a + a.T))

    a_dot, step = np.cos(np.arange(9.0)).reshape(3, 3), 1e-5
    expected = (f(EQUAL + step * a_dot) - f(EQUAL - step * a_dot)) / (2.0 * step)
    assert np.isclose(np.sum(s2sad.grad(f)(EQUAL) * a_dot), expected, rtol=1e-8)


def test_complex_root_is_refused_where_it_appears() -> None:
    def f(a: Any) -> Any:
        return np.sum(np.abs(linalg.sqrtm(a)))

    with pytest.raises(ValueError, match="complex"):
        s2sad.grad(f)(-np.eye(2))


def test_columns_that_qr_adds_have_no_derivative() -> None:
    def f(a: Any) -> Any:
        q, r = linalg.qr(a)
        return np.sum(q) + np.sum(r)

    with pytest.raises(ValueError, match="are free"):
        s2sad.grad(f)(TALL)


# ---------------------------------------------------------------------------- refused


def overwriting(a: Any) -> Any:
    return np.sum(linalg.inv(a, overwrite_a=True))


def some_values(a: Any) -> Any:
    return np.sum(linalg.eigh(a, subset_by_index=[0, 1])[0])


def pivoting(a: Any) -> Any:
    return np.sum(linalg.qr(a, pivoting=True)[0])


def circulant_assumed(a: Any) -> Any:
    return np.sum(linalg.solve(a, Y, assume_a="diagonal"))


def stacked(a: Any) -> Any:
    return np.sum(linalg.svdvals(np.stack([a, a, a, a])) ** 2)


def stacked_columns(a: Any) -> Any:
    return np.sum(linalg.toeplitz(a))


REFUSED = [overwriting, some_values, pivoting, circulant_assumed]
REFUSED += [stacked, stacked_columns]


@pytest.mark.parametrize("function", REFUSED)
def test_what_no_rule_covers_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(s2sad.S2sadError, match=r"scipy\.linalg"):
        s2sad.grad(function)(A)


def test_of_vectors_without_a_value_what_they_span_has_a_derivative() -> None:
    def projected(a: Any) -> Any:
        rest = svd(a)[0][:, 2:]
        return np.dot(np.dot(rest, np.dot(rest.T, B[:, 0])), B[:, 1])

    def one(a: Any) -> Any:
        return np.dot(svd(a.T)[2][-1], B[:, 0]) * np.dot(np.linalg.svd(a)[0][:, 3], B[:, 1])

    gradient = s2sad.grad(projected)(TALL[:4, :2])
    left, sizes, right = svd(TALL[:4, :2], full_matrices=False)
    rest = np.eye(4) - left @ left.T
    # P = 1 - A A^+ moves by -(P dA A^+) - (P dA A^+)^T
    both = np.outer(B[:, 0], B[:, 1]) + np.outer(B[:, 1], B[:, 0])
    assert np.allclose(gradient, -rest @ both @ ((left / sizes) @ right))
    agrees_with_differences(one, A[:, :3])
    with pytest.raises(ValueError, match="full_matrices=False"):
        s2sad.jvp(projected)(TALL[:4, :2], TALL[:4, :2])


@pytest.mark.parametrize("shape", [(1, 4), (4, 1)])
def test_singular_vectors_in_excess_are_refused(shape: tuple[int, int]) -> None:
    def excess(a: Any) -> Any:
        u, s, vh = svd(a)
        return np.sum(u[:, len(s) :] ** 3) + np.sum(vh[len(s) :] ** 3)

    def values(a: Any) -> Any:
        return np.sum(svd(a)[1] ** 3)

    a = np.cos(np.arange(float(np.prod(shape)))).reshape(shape)
    u, s, vh = svd(a, full_matrices=False)
    assert np.allclose(s2sad.grad(values)(a), 3.0 * (u * s**2) @ vh)
    with pytest.raises(ValueError, match="full_matrices=False"):
        s2sad.grad(excess)(a)


@pytest.mark.parametrize(
    "a",
    [
        np.arange(1.0, 10.0).reshape(3, 3),
        np.arange(1.0, 10.0).reshape(3, 3) + 1e-13 * np.eye(3),
        np.zeros((3, 3)),
        np.outer([1.0, 2.0, 3.0], [1.0, 0.0, 1.0]),
    ],
)
def test_the_second_derivative_of_a_determinant_is_that_of_a_singular_matrix_too(a: Any) -> None:
    """It raised LinAlgError, and had few digits beside one."""
    along = np.cos(np.arange(9.0)).reshape(3, 3)

    def by_rows(a: Any) -> Any:
        return np.dot(a[0], np.cross(a[1], a[2]))

    found = s2sad.hvp(np.linalg.det)(a, along)
    assert np.allclose(found, s2sad.hvp(by_rows)(a, along), rtol=1e-9, atol=1e-9)
    first = [s2sad.grad(by_rows)(a + step * along) for step in (1e-4, -1e-4)]
    assert np.allclose(found, (first[0] - first[1]) / 2e-4, atol=1e-6)
