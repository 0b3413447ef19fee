"""What no later pass of a loop overwrites is not saved: triangular solves, factorizations, recurrences."""

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences

DRAW = np.random.default_rng(0).standard_normal
B = DRAW((4, 4)) + 4.0 * np.eye(4)
S = B @ B.T
X = DRAW(5)


def cholesky_by_rows(A):
    n = len(A)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
        L[i, i] = np.sqrt(A[i, i] - L[i, :i] @ L[i, :i])
    return np.sum(L**3)


def cholesky_by_columns(A):
    n = len(A)
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - L[j, :j] @ L[j, :j])
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
    return np.sum(L**3)


def back_substitution(U, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - U[i, i + 1 :] @ x[i + 1 :]) / U[i, i]
    return np.sum(x**3)


def lu(A):
    n = len(A)
    A = A.copy()
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] = A[i, k] / A[k, k]
            for j in range(k + 1, n):
                A[i, j] = A[i, j] - A[i, k] * A[k, j]
    return np.sum(A**3)


def of_all_before(x):
    n = len(x)
    s = np.zeros(n + 1)
    for i in range(n):
        s[i + 1] = np.sin(s[i]) + x[i] * np.sum(s[:i] ** 2)
    return np.sum(s**2)


def read_before_it_is_stored(x):
    n = len(x)
    s = x.copy()
    for i in range(n - 1):
        s[i] = np.sum(s[i:] ** 2) * 0.1
    return np.sum(s**2)


def stored_again_in_a_later_sweep(x):
    n = len(x)
    s = x.copy()
    for _ in range(2):
        for i in range(1, n):
            s[i] = s[i] * 0.5 + np.sin(np.sum(s[:i] ** 2))
    return np.sum(s**2)


def downwards_to_what_is_read(x):
    n = len(x)
    s = x.copy()
    for i in range(n - 1, 0, -1):
        s[i] = np.sum(s[:i] ** 2) * 0.1 + s[i] ** 2
    return np.sum(s**2)


def read_by_all_that_follow(x):
    n = len(x)
    s = x.copy()
    for i in range(n):
        for j in range(i, n):
            s[j] = s[j] * s[i] * 0.5
    return np.sum(s**2)


def of_three_neighbours(c):
    n, m = c.shape
    D = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = c[i - 1, j - 1] + np.log(
                np.exp(D[i - 1, j]) + np.exp(D[i, j - 1]) + np.exp(D[i - 1, j - 1])
            )
    return D[n, m]


def counted_from_the_end(x):
    n = len(x)
    s = x.copy()
    for i in range(n):
        s[i] = np.sum(s[: i - 1] ** 2) * 0.1 + x[i]
    return np.sum(s**2)


def forward_substitution(L, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return np.sum(x**2)


FINAL = [
    (cholesky_by_rows, (S,)),
    (cholesky_by_columns, (S,)),
    (forward_substitution, (B, DRAW(4))),
    (back_substitution, (B, DRAW(4))),
    (of_all_before, (X,)),
]
OVERWRITTEN = [
    (lu, (S,)),
    (read_before_it_is_stored, (X,)),
    (stored_again_in_a_later_sweep, (X,)),
    (downwards_to_what_is_read, (X,)),
    (read_by_all_that_follow, (X,)),
    (counted_from_the_end, (X,)),
    (of_three_neighbours, (DRAW((3, 4)),)),
]


@pytest.mark.parametrize(("function", "args"), FINAL + OVERWRITTEN)
def test_gradient(function, args):
    wrt = tuple(range(len(args)))
    slopes = differences(function, args, wrt)
    found = s2sad.grad(function, wrt, like=args)(*args)
    assert compare(np.concatenate([np.ravel(each) for each in found]), slopes) is None


@pytest.mark.parametrize(("function", "args"), FINAL)
def test_nothing_is_saved_of_what_is_final(function, args):
    assert ".append(" not in s2sad.grad(function, like=args).source
