"""Subscripts one after the other, `A[i][j]`, of arrays, and tests of what a loop writes."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def products_by_elements(A, x):
    n = len(A)
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                C[i][j] += A[i][k] * A[k][j] * x
    return np.sum(C * C)


def shortest_paths(A, x):
    D = A * x
    n = len(D)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if D[i][k] * D[k][j] < D[i][j]:
                    D[i][j] = D[i][k] * D[k][j]
    return np.sum(D * D)


def shortest_paths_by_min(A, x):
    D = A * x
    n = len(D)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                D[i][j] = min(D[i][j], D[i][k] + D[k][j])
    return np.sum(D * D)


def heat_by_elements(A, x):
    T = A.copy()
    for _ in range(2):
        old = T.copy()
        for i in range(1, len(T) - 1):
            for j in range(1, len(T[0]) - 1):
                T[i][j] = old[i][j] + x * (old[i + 1][j] + old[i - 1][j] - 2.0 * old[i][j])
    return np.sum(T**2)


def every_operator(A, x):
    B = A.copy()
    B[0][1] *= B[1][0] * x
    B[1][2] -= B[0][1] ** 2
    B[-1][0] /= 2.0 + B[1][2] ** 2
    B[2][-2] **= 2
    return np.sum(B * B)


def rows_and_columns(A, x):
    B = A.copy()
    B[1][1:] = B[0][:-1] * x
    B[2][::2] += B[1][0]
    B[0][None] *= x
    return np.sum(B[1][::-1] * B[2][...]) + np.sum(B**2)


def exchanged(A, x):
    B = A * x
    for i in range(3):
        for j in range(i):
            B[i][j], B[j][i] = B[j][i], B[i][j] * x
    return np.sum(B * A)


def deep(A, x):
    C = A.reshape(2, 2, 4) * x
    C[1][0][2] = C[0][1][3] ** 2
    C[0][1][1:3] += C[1][0][2]
    C[1][1] *= C[0][0]
    return np.sum(C**2)


def positions_in_an_array(A, x):
    """Positions in an array choose the same beside a whole number, and not beyond a slice."""
    C = A.reshape(2, 2, 4) * x
    at = np.array([2, 0, 2])
    return np.sum(C[0][:, at] ** 2 * np.arange(3.0)) + np.sum(C[1][1][at]) * np.sum(
        C[1, 0][at] ** 2
    )


def by_slices_and_numbers(A, x):
    total = 0.0
    for key in (1, slice(1, 3)):
        total = total + np.sum(A[key][0] ** 2) * x
    return total


def lists_of_arrays(A, x):
    grids = [A * x, A**2]
    for grid in range(2):
        grids[grid][1][2] += grids[1 - grid][0][1] * x
    return np.sum(grids[0] * grids[1])


def lists_of_lists(A, x):
    rows = [[x * v for v in row] for row in A]
    rows[0][1] += rows[1][0] * rows[2][2]
    return sum(sum(row) for row in rows) * rows[0][1]


def a_row_by_another_name(A, x):
    B = A.copy()
    row = B[1]
    B[1][2] = x * row[0]
    row[1] += B[1][2] ** 2
    return np.sum(B * B) + row[1]


def bound_again(A, x):
    B = A * x
    i = 0
    first = B[i][1]
    i, B = 1, B * 2.0
    B[i][1] = first * B[i][0]
    return np.sum(B**2) + first


def in_a_branch(A, x):
    B = A.copy()
    for i in range(len(B)):
        if B[i][0] > 0.2:
            B[i][1] = B[i][0] * x
        elif B[i][1] * x < 0.1:
            B[i][0] += B[i][1] ** 2
            continue
        B[i][2] *= B[i][1]
    return np.sum(B**2)


def limited(u, x):
    u = u.copy()
    for _ in range(3):
        for i in range(1, len(u)):
            if u[i] - u[i - 1] > 0.3 or u[i] * u[i] > 4.0:
                u[i] = 0.5 * (u[i] + u[i - 1]) * u[i] * x
            elif u[i] < 0.0:
                u[i] *= -u[i - 1]
    return np.sum(u**2)


def upwind(u, x):
    u = u.copy()
    for _ in range(3):
        for i in range(1, len(u) - 1):
            slope = u[i] - u[i - 1] if u[i] > 0.0 else u[i + 1] - u[i]
            u[i] -= x * u[i] * slope
    return np.sum(u**2)


def bubbles(u, x):
    u = u * x
    n = len(u)
    for k in range(n):
        for j in range(n - 1 - k):
            if u[j] > u[j + 1]:
                u[j], u[j + 1] = u[j + 1], u[j]
    return np.sum(u * np.arange(n))


def insertion(u, x):
    u = u.copy()
    for i in range(1, len(u)):
        held, j = u[i] * x, i
        while j > 0 and u[j - 1] > held:
            u[j] = u[j - 1]
            j -= 1
        u[j] = held
    return np.sum(u * np.arange(len(u)))


def any_of_them(u, x):
    u = u.copy()
    for i in range(4):
        if np.any(u > 1.0):
            u[i] = np.tanh(u[i] * x)
        if u.sum() < 0.0 and not u[0] > 2.0:
            u += x**2
    return np.sum(u**2)


def left_when_large(u, x):
    u = u.copy()
    for i in range(len(u)):
        if u[i] > 0.6:
            break
        u[i] = u[i] ** 2 + x
        test = u[i] > 0.2
        if test:
            u[i] *= x
    return np.sum(u**2)


OF_MATRICES = (
    products_by_elements,
    shortest_paths,
    shortest_paths_by_min,
    heat_by_elements,
    every_operator,
    rows_and_columns,
    exchanged,
    deep,
    positions_in_an_array,
    by_slices_and_numbers,
    lists_of_arrays,
    lists_of_lists,
    a_row_by_another_name,
    bound_again,
    in_a_branch,
)
OF_VECTORS = (limited, upwind, bubbles, insertion, any_of_them, left_when_large)
PROGRAMS = (
    *(Entry(each, (abs(numbers(4, 4)) + 0.1, 0.7), (0, 1)) for each in OF_MATRICES),
    *(
        Entry(each, (sign * numbers(6), 0.7), (0, 1), note=note)
        for each in OF_VECTORS
        for sign, note in ((1.0, ""), (-1.6, "other"))
    ),
)
