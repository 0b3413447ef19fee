"""Lists of lists of numbers: elements by two subscripts, rows by name, tables that are filled."""

from __future__ import annotations

import copy

import numpy as np

from tests.programs.entry import Entry, numbers


def one_of_two_grids(u):
    first = np.meshgrid(u[:3], u[2:])[0]
    _, second = np.meshgrid(u[:3], u[2:], indexing="ij")
    third = np.broadcast_arrays(u, u[:1])[1]
    return np.sum(first**2) * np.sum(second**3) + np.sum(third * u)


def alignment(u, x):
    n = len(u)
    H = [[0.0] * (n + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            H[i][j] = max(
                0.0, H[i - 1][j - 1] + u[i - 1] * u[j - 1], H[i - 1][j] - x, H[i][j - 1] - x
            )
    return H[n][n]


def rows_appended(u, x):
    rows = []
    for v in u:
        rows.append([v, v * x, 0.0])
    for i in range(1, len(rows)):
        rows[i][2] = rows[i - 1][2] * rows[i][1] + rows[i][0]
        rows[i - 1][0] *= x
    return sum(r[2] * r[0] for r in rows)


def a_row_by_name(u, x):
    G = [[0.0] * 3 for _ in range(3)]
    row = G[1]
    for k in range(3):
        G[1][k] = u[k] * x
    row[0] += G[1][2] ** 2
    G[1][1] = row[0] * row[1]
    return sum(row) + G[1][1] * G[1][0]


def a_row_that_was_there(u, x):
    first = [v * x for v in u]
    G = [first, [0.0] * len(u)]
    G[0][1] = u[0] ** 2
    G[1][2] += first[1] * G[0][2]
    return sum(first) + sum(G[1]) * first[1]


def the_same_row_twice(u, x):
    z = [0.0] * 3
    G = [z, z]
    G[0][1] = u[1] * x
    return G[1][1] * u[0] + z[1]


def rows_exchanged(u, x):
    G = [[v, v * x] for v in u]
    G[0], G[1] = G[1], G[0]
    G[0][1] = G[1][0] * G[2][1]
    G[1][1] += G[0][0]
    return sum(a * b for a, b in G)


def elements_exchanged(u, x):
    G = [[v, v * x] for v in u]
    for i in range(1, len(G)):
        G[i][0], G[i - 1][1] = G[i - 1][1], G[i][0] * x
    return sum(a * b for a, b in G)


def a_row_replaced(u, x):
    G = [[v, v * x] for v in u]
    old = G[1]
    G[1] = [x, u[0] * x]
    G[1][0] += old[1]
    old[0] = x**2
    return G[1][0] * old[0] + G[1][1] * old[1]


def copied_rows(u, x):
    G = [[v, v * x] for v in u]
    before = [row[:] for row in G]
    again = copy.deepcopy(G)
    for i in range(len(G)):
        G[i][1] = before[i][0] * again[i - 1][1]
        again[i][0] *= G[i][1]
    return sum(r[0] * s[1] * t[0] for r, s, t in zip(G, before, again, strict=True))


def of_three(u, x):
    T = [[[0.0] * 2 for _ in range(3)] for _ in range(2)]
    for i in range(2):
        for j in range(3):
            for k in range(2):
                T[i][j][k] = u[j] * x + (T[i - 1][j][k] if i else 0.0) * u[k]
    T[1][2][0] *= T[0][1][1]
    return sum(c * c for a in T for b in a for c in b)


def triangular(u, x):
    n = len(u)
    L = [[0.0] * n for _ in range(n)]
    M = [[u[i] * u[j] * x + (3.0 if i == j else 0.0) for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(i + 1):
            s = sum(L[i][k] * L[j][k] for k in range(j))
            if i == j:
                L[i][j] = (M[i][i] - s) ** 0.5
            else:
                L[i][j] = (M[i][j] - s) / L[j][j]
    p = 1.0
    for i in range(n):
        p *= L[i][i]
    return p


def knapsack(u, x):
    best = [[0.0] * 5 for _ in range(len(u) + 1)]
    for i in range(1, len(u) + 1):
        for w in range(5):
            best[i][w] = best[i - 1][w]
            if w >= i % 3 + 1 and best[i - 1][w - i % 3 - 1] + u[i - 1] > best[i][w]:
                best[i][w] = best[i - 1][w - i % 3 - 1] + u[i - 1] * x
    return best[-1][-1]


def grown_on_the_way(u, x):
    rows = [[u[0]]]
    for i in range(1, len(u)):
        rows.append([u[i] * x])
        for j in range(i):
            rows[i].append(rows[i - 1][j] * rows[i][j] + u[j])
    rows[-1][0] = rows[-1][1] * rows[-2][0]
    return sum(rows[-1])


def handed_to_a_helper(u, x):
    G = [[v, v * x] for v in u]
    scaled(G, x)
    G[0][1] *= G[1][0]
    return sum(a * b for a, b in G)


def scaled(rows, x):
    for i in range(len(rows)):
        rows[i][0] *= rows[i][1] * x


def in_a_tuple_swap(u, x):
    now = [[v, 0.0] for v in u]
    new = [[0.0, 0.0] for _ in u]
    for _ in range(3):
        for i in range(1, len(u)):
            new[i][0] = now[i - 1][0] * x + now[i][1]
            new[i][1] = now[i][0] ** 2
        now, new = new, now
    return sum(a + b for a, b in now)


def a_grid_left_early(u, x):
    G = [[v, 0.0] for v in u]
    for i in range(1, len(u)):
        if G[i][0] < 0.0:
            break
        G[i][1] = G[i - 1][1] + G[i][0] * x
        if G[i][1] > 1.0:
            continue
        G[i][0] += G[i][1]
    return sum(a * b for a, b in G) + i


def an_argument(L, x):
    L[0][1] *= x
    L[1][0] = L[0][1] * L[1][1]
    return sum(sum(r) for r in L) * L[1][0]


def an_argument_read(L, x):
    s = 0.0
    for i in range(len(L)):
        for j in range(len(L[0])):
            s += L[i][j] * L[j][i] * x
    return s


OF_LISTS = (
    alignment,
    rows_appended,
    a_row_by_name,
    rows_exchanged,
    elements_exchanged,
    of_three,
    triangular,
    knapsack,
    grown_on_the_way,
    handed_to_a_helper,
    in_a_tuple_swap,
    a_grid_left_early,
)
SHARED = (a_row_that_was_there, the_same_row_twice, a_row_replaced, copied_rows)


def table_that_is_filled_in_part(x):
    table = [[None for _ in range(3)] for _ in range(3)]
    for i in range(3):
        for j in range(i + 1):
            table[j][i] = x**i * j
    return table


PROGRAMS = (
    *(
        Entry(each, (made, 0.7), (0, 1), note=note, may_refuse=each in SHARED, like_only=like_only)
        for each in (*OF_LISTS, *SHARED)
        for made, note, like_only in (
            (numbers(5), "", False),
            (-1.3 * numbers(5), "other", False),
            (numbers(5).tolist(), "list", True),
        )
    ),
    Entry(an_argument, ([[0.3, 0.5], [0.7, 0.2]], 0.7), (0, 1), may_refuse=True, like_only=True),
    Entry(an_argument_read, ([[0.3, 0.5], [0.7, 0.2]], 0.7), (0, 1), like_only=True),
    Entry(one_of_two_grids, (numbers(5),)),
)
PROGRAMS += (
    Entry(
        table_that_is_filled_in_part,
        (0.3,),
        seed=[[1.0, 0.5, 2.0], [None, 1.0, 0.7], [None, None, 0.4]],
        mode="vjp",
    ),
)
