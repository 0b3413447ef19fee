"""Products, factorisations and solvers of matrices, written with loops and in place.

Each function returns a scalar; `CASES` has arguments for each, drawn with a generator.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np


def cholesky(A):
    """Cholesky-Banachiewicz factorisation over the lower triangle; the log-determinant."""
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - np.dot(A[i, :j], A[j, :j])) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - np.dot(A[i, :i], A[i, :i]))
    return np.sum(np.log(np.diag(A))) + A[-1, 0]


def lu_in_place(A):
    """Doolittle's factorisation over the matrix itself, element by element."""
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[k, j]
            A[i, j] /= A[j, j]
        for j in range(i, n):
            for k in range(i):
                A[i, j] -= A[i, k] * A[k, j]
    return np.sum(A**2)


def lu_right_looking(A):
    """Gaussian elimination: the outer product of column and row leaves what is still to do."""
    n = A.shape[0]
    for k in range(n - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return np.sum(np.log(np.abs(np.diag(A))))


def lu_solve(A, b):
    """Factorise in place, then substitute forwards and backwards."""
    n = A.shape[0]
    x, y = np.zeros(n), np.zeros(n)
    for i in range(n):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[:j, j]) / A[j, j]
        for j in range(i, n):
            A[i, j] -= A[i, :i] @ A[:i, j]
    for i in range(n):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return np.sum(x**2)


def pivoted_elimination(A, b):
    """Gaussian elimination with row exchanges, where the pivots are the largest."""
    n = A.shape[0]
    for k in range(n):
        best = k + int(np.argmax(np.abs(A[k:, k])))
        if best != k:
            row = A[k].copy()
            A[k] = A[best]
            A[best] = row
            kept = b[k]
            b[k] = b[best]
            b[best] = kept
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            A[i, k:] -= factor * A[k, k:]
            b[i] -= factor * b[k]
    for i in range(n - 1, -1, -1):
        b[i] = (b[i] - A[i, i + 1 :] @ b[i + 1 :]) / A[i, i]
    return np.sum(b**2)


def forward_substitution(L, b):
    """Solve a lower triangular system."""
    x = np.empty_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return np.sum(x**2)


def thomas(lower, diagonal, upper, b):
    """Thomas' algorithm for a tridiagonal system, over the diagonal and the right-hand side."""
    n = len(b)
    for i in range(1, n):
        m = lower[i - 1] / diagonal[i - 1]
        diagonal[i] -= m * upper[i - 1]
        b[i] -= m * b[i - 1]
    b[-1] /= diagonal[-1]
    for i in range(n - 2, -1, -1):
        b[i] = (b[i] - upper[i] * b[i + 1]) / diagonal[i]
    return np.sum(b**2)


def durbin(r):
    """Durbin's recursion for the Yule-Walker equations of a Toeplitz matrix."""
    y = np.zeros_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, len(r)):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return np.sum(y**2)


def gram_schmidt(A):
    """Modified Gram-Schmidt: an orthonormal basis Q and the triangular R, columns in place."""
    n = A.shape[1]
    Q, R = np.zeros_like(A), np.zeros((n, n))
    for k in range(n):
        R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, n):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return np.sum(R**3) + np.sum(Q**3)


def householder(A):
    """QR by Householder's reflections, each applied to what is left of the matrix."""
    m, n = A.shape
    for k in range(min(m - 1, n)):
        v = A[k:, k].copy()
        v[0] += np.sign(v[0]) * np.linalg.norm(v)
        v /= np.linalg.norm(v)
        A[k:, k:] -= 2.0 * np.outer(v, v @ A[k:, k:])
    return np.sum(A**3)


def jacobi_rotations(A):
    """One cyclic sweep of Jacobi's eigenvalue rotations over a symmetric matrix."""
    n = A.shape[0]
    for p in range(n - 1):
        for q in range(p + 1, n):
            angle = 0.5 * np.arctan2(2.0 * A[p, q], A[q, q] - A[p, p])
            c, s = np.cos(angle), np.sin(angle)
            rows_p, rows_q = A[p, :].copy(), A[q, :].copy()
            A[p, :] = c * rows_p - s * rows_q
            A[q, :] = s * rows_p + c * rows_q
            columns_p, columns_q = A[:, p].copy(), A[:, q].copy()
            A[:, p] = c * columns_p - s * columns_q
            A[:, q] = s * columns_p + c * columns_q
    return np.sum(np.diag(A) ** 3)


def power_iteration(A, x, passes):
    """The largest eigenvalue by repeated multiplication, with a Rayleigh quotient at the end."""
    for _ in range(passes):
        x = A @ x
        x /= np.linalg.norm(x)
    return x @ A @ x


def conjugate_gradients(A, b, tolerance):
    """Conjugate gradients until the residual is small."""
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rho = r @ r
    while rho > tolerance:
        q = A @ p
        alpha = rho / (p @ q)
        x += alpha * p
        r -= alpha * q
        rho_new = r @ r
        p = r + rho_new / rho * p
        rho = rho_new
    return np.sum(x**2)


def newton_schulz(A, passes):
    """The inverse of a matrix by Newton's and Schulz' iteration, from a scaled transpose."""
    X = A.T / np.sum(A**2)
    for _ in range(passes):
        X = X @ (2.0 * np.eye(A.shape[0]) - A @ X)
    return np.sum(X**2)


def gemm(alpha, beta, C, A, B):
    """C becomes alpha A B + beta C."""
    C *= beta
    C += alpha * A @ B
    return np.sum(C**2)


def two_products(alpha, beta, A, B, C, D):
    """D becomes alpha A B C + beta D."""
    AB = alpha * A @ B
    D[:] = AB @ C + beta * D
    return np.sum(D**2)


def three_products(A, B, C, D):
    """(A B) (C D)."""
    E = A @ B
    F = C @ D
    return np.sum(np.sin(E @ F))


def gemver(alpha, beta, A, u1, v1, u2, v2, x, y, z, w):
    """Two updates of rank one, then products with the transpose and with the matrix."""
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * A.T @ y + z
    w += alpha * A @ x
    return np.sum(w**2)


def gesummv(alpha, beta, A, B, x):
    """The sum of two products of matrix and vector."""
    return np.sum((alpha * A @ x + beta * B @ x) ** 2)


def bicg(A, p, r):
    """The two products of the biconjugate gradients."""
    return np.sum((r @ A) ** 2) + np.sum((A @ p) ** 3)


def atax(A, x):
    """Normal equations: A^T (A x)."""
    return np.sum(((A @ x) @ A) ** 2)


def mvt(A, x, y, p, q):
    """Products with a matrix and its transpose, added in place."""
    x += A @ p
    y += q @ A
    return np.sum(x * y)


def symm(alpha, beta, C, A, B):
    """C becomes alpha A B + beta C, of a symmetric A only the lower triangle is read."""
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            C[i, j] += alpha * (B[i, j] * A[i, i] + B[:i, j] @ A[i, :i])
    return np.sum(C**2)


def syrk(alpha, beta, C, A):
    """The lower triangle of C becomes that of alpha A A^T + beta C."""
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]
    return np.sum(C**2)


def syr2k(alpha, beta, C, A, B):
    """The lower triangle of C becomes that of alpha (A B^T + B A^T) + beta C."""
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * (A[: i + 1, k] * B[i, k] + B[: i + 1, k] * A[i, k])
    return np.sum(C**2)


def trmm(alpha, A, B):
    """B becomes alpha A^T B for a unit lower triangular A, row by row from the top."""
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha
    return np.sum(B**2)


def folded_product(factors):
    """The product of a list of matrices, folded."""
    return np.sum(functools.reduce(np.dot, factors))


def doitgen(A, C):
    """Each vector of a three-dimensional array is multiplied by a matrix, in place."""
    for r in range(A.shape[0]):
        for q in range(A.shape[1]):
            A[r, q, :] = A[r, q, :] @ C
    return np.sum(A**2)


def covariance(X):
    """The covariance of columns, the upper triangle mirrored."""
    n, m = X.shape
    X -= np.mean(X, axis=0)
    C = np.zeros((m, m))
    for i in range(m):
        C[i, i:] = X[:, i] @ X[:, i:] / (n - 1.0)
        C[i:, i] = C[i, i:]
    return np.sum(C**2)


def correlation(X):
    """Pearson's correlation of columns; a constant column would count as of deviation one."""
    n, m = X.shape
    deviation = np.std(X, axis=0)
    deviation[deviation <= 0.1] = 1.0
    X -= np.mean(X, axis=0)
    X /= np.sqrt(n) * deviation
    R = np.eye(m)
    for i in range(m - 1):
        R[i + 1 :, i] = R[i, i + 1 :] = X[:, i] @ X[:, i + 1 :]
    return np.sum(R**3)


def sparse_product(values, columns, starts, x):
    """A sparse matrix in compressed rows times a vector."""
    y = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            y[i] += values[k] * x[columns[k]]
    return np.sum(y**2)


def sparse_rows(values, columns, starts, x):
    """A sparse matrix times a vector, a gathered row at a time."""
    y = np.empty(len(starts) - 1)
    for i in range(len(y)):
        row = slice(starts[i], starts[i + 1])
        y[i] = values[row] @ x[columns[row]]
    return np.sum(y**2)


def shortest_paths(D):
    """Floyd and Warshall: the lengths of all shortest paths, in place."""
    for k in range(D.shape[0]):
        D[:] = np.minimum(D, D[:, k][:, None] + D[k, :])
    return np.sum(D**2)


def matrix_exponential(A, terms):
    """The exponential by its series, scaled by 16 and squared four times."""
    term = np.eye(A.shape[0])
    total = np.eye(A.shape[0])
    for k in range(1, terms):
        term = term @ A / (16.0 * k)
        total = total + term
    for _ in range(4):
        total = total @ total
    return np.sum(total)


def draw(rng: np.random.Generator, *shape: int) -> Any:
    """Return positive numbers around one."""
    return rng.uniform(0.4, 1.4, shape)


def definite(rng: np.random.Generator, n: int) -> Any:
    """Return a symmetric matrix whose diagonal dominates."""
    A = 0.4 * rng.standard_normal((n, n))
    return A + A.T + 4.0 * np.eye(n)


STARTS, COLUMNS = np.array([0, 2, 2, 5, 6]), np.array([0, 3, 1, 2, 3, 0])

CASES: dict[Callable[..., Any], Callable[[np.random.Generator], tuple[Any, ...]]] = {
    cholesky: lambda g: (definite(g, 4),),
    lu_in_place: lambda g: (definite(g, 4),),
    lu_right_looking: lambda g: (definite(g, 4),),
    lu_solve: lambda g: (definite(g, 4), draw(g, 4)),
    pivoted_elimination: lambda g: (draw(g, 4, 4) ** 3, draw(g, 4)),
    forward_substitution: lambda g: (draw(g, 4, 4), draw(g, 4)),
    thomas: lambda g: (draw(g, 4), draw(g, 5) + 3.0, draw(g, 4), draw(g, 5)),
    durbin: lambda g: (0.2 * draw(g, 5),),
    gram_schmidt: lambda g: (draw(g, 4, 3) + np.eye(4, 3),),
    householder: lambda g: (draw(g, 4, 3) + np.eye(4, 3),),
    jacobi_rotations: lambda g: (definite(g, 3) + np.diag([0.0, 1.0, 2.0]),),
    power_iteration: lambda g: (definite(g, 4), draw(g, 4), 3),
    conjugate_gradients: lambda g: (definite(g, 4), draw(g, 4), 1e-3),
    newton_schulz: lambda g: (definite(g, 3), 4),
    gemm: lambda g: (1.3, 0.7, draw(g, 3, 4), draw(g, 3, 2), draw(g, 2, 4)),
    two_products: lambda g: (
        1.3,
        0.7,
        draw(g, 2, 3),
        draw(g, 3, 4),
        draw(g, 4, 2),
        draw(g, 2, 2),
    ),
    three_products: lambda g: (draw(g, 2, 3), draw(g, 3, 2), draw(g, 2, 3), draw(g, 3, 2)),
    gemver: lambda g: (1.3, 0.7, draw(g, 4, 4), *[draw(g, 4) for _ in range(8)]),
    gesummv: lambda g: (1.3, 0.7, draw(g, 3, 4), draw(g, 3, 4), draw(g, 4)),
    bicg: lambda g: (draw(g, 3, 4), draw(g, 4), draw(g, 3)),
    atax: lambda g: (draw(g, 3, 4), draw(g, 4)),
    mvt: lambda g: (draw(g, 4, 4), *[draw(g, 4) for _ in range(4)]),
    symm: lambda g: (1.3, 0.7, draw(g, 4, 3), draw(g, 4, 4), draw(g, 4, 3)),
    syrk: lambda g: (1.3, 0.7, draw(g, 4, 4), draw(g, 4, 3)),
    syr2k: lambda g: (1.3, 0.7, draw(g, 4, 4), draw(g, 4, 3), draw(g, 4, 3)),
    trmm: lambda g: (1.3, draw(g, 4, 4), draw(g, 4, 3)),
    folded_product: lambda g: ([draw(g, 2, 2) for _ in range(3)],),
    doitgen: lambda g: (draw(g, 2, 3, 4), draw(g, 4, 4)),
    covariance: lambda g: (draw(g, 5, 3),),
    correlation: lambda g: (draw(g, 5, 3),),
    sparse_product: lambda g: (draw(g, 6), COLUMNS, STARTS, draw(g, 4)),
    sparse_rows: lambda g: (draw(g, 6), COLUMNS, STARTS, draw(g, 4)),
    shortest_paths: lambda g: (draw(g, 5, 5) ** 3,),
    matrix_exponential: lambda g: (draw(g, 3, 3), 6),
}
