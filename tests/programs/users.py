"""What programs of scientists had in them that went wrong once, each as small as it gets."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def column_written_out(a, x):
    A = np.array([[a[0]], [a[1]], [a[0] * a[1]]])
    y = A * x
    return np.sum(y * y[1])


def one_row_written_out(a, x):
    H = np.array([[1.0, a[0], 0.5]])
    K = np.linalg.solve(np.eye(1) * a[1], H).T
    rest = np.eye(3) - K @ H
    return np.sum(rest @ x * x)


def shape_functions(a, x):
    G = np.linalg.solve(np.diag(a), np.array([[-1.0, 1, 0], [-1, 0, 1]]))
    K = a[0] * G.T @ G
    return x @ K @ x


def rows_as_tuples(a, x):
    G = np.array([(a[0], 1.0, a[1]), (0.0, a[1], 2.0)])
    return np.sum((G @ x) ** 2 * a)


TWO, THREE = np.array([0.7, 1.3]), numbers(3)
PROGRAMS = tuple(
    Entry(function, (TWO, THREE), wrt=(0, 1))
    for function in (column_written_out, one_row_written_out, shape_functions, rows_as_tuples)
)
