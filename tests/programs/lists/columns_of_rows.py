"""Columns of rows by `zip(*rows)`, and tuples of which nobody knows how long they are."""

# ruff: noqa: B905, C409, RUF005   programs as they are found, not as a linter would have them
from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def columns_by_index(rows):
    cols = list(zip(*rows))
    return sum(cols[0]) * cols[1][2] + max(tuple(zip(*rows))[2])


def columns_in_a_loop(rows):
    s = 0.0
    for c in zip(*rows):
        m = sum(c) / len(c)
        s += sum((v - m) ** 2 for v in c) * c[0]
    return s


def columns_that_are_numbered(rows):
    s = 0.0
    for j, c in enumerate(zip(*rows), 1):
        if j == 2:
            continue
        s += j * max(c) * c[-1]
    else:
        s *= 2.0
    return s


def columns_beside_others(rows):
    means = [sum(c) / len(c) for c in zip(*rows)]
    return sum(np.dot(c, c) * m for c, m in zip(zip(*rows), means))


def columns_that_are_kept(rows):
    kept = []
    for c in zip(*rows[::-1]):
        kept.append(c)
    return np.linalg.norm(kept[0]) * sum(kept[1]) + kept[2][0]


def columns_inside_rows(A, B):
    C = [[sum(a * b for a, b in zip(row, col)) for col in zip(*B)] for row in A]
    return sum(v**2 * (k + 1) for k, row in enumerate(C) for v in row)


def rows_turned_round(rows):
    turned = [list(r) for r in zip(*rows[::-1])]
    turned[0][1] = turned[1][1] * turned[0][1]
    return sum(sum(r) ** 2 * (k + 1) for k, r in enumerate(turned))


def columns_of_rows_that_are_replaced(rows):
    s = 0.0
    for c in zip(*rows):
        rows[1] = [s, s, s]
        s += sum(c) * c[1]
    return s


def columns_of_rows_that_are_written(rows):
    rows, s = [r[:] for r in rows], 0.0
    for c in zip(*rows):
        rows[1][2] = s + rows[0][0] ** 2
        s += sum(c) * c[1]
    return s


def columns_of_rows_that_grow(rows):
    rows, s = [r[:] for r in rows], 0.0
    for c in zip(*rows):
        if len(rows[0]) < 5:
            for r in rows:
                r.append(s * 2.0)
        s += sum(c) * c[1]
    return s


def columns_of_a_row_that_is_filled(rows):
    out = []
    rows = [*rows, out]
    s = 0.0
    for v in rows[0]:
        out.append(v * v)
    for c in zip(*rows):
        if len(out) < 4:
            out.append(1.0)
        s += sum(c)
    return s


def bounds_by_the_first_row(rows):
    M = [r[:] for r in rows]
    for i in range(1, len(M) - 1):
        for j in range(len(M[0])):
            M[i][j] = 0.5 * (M[i - 1][j] + M[i + 1][j])
    return sum(M[2]) * M[1][1]


def bounds_that_change(x):
    ends, y = [2, 3, 1], [x[0], x[1], x[2]]
    for i in range(ends[0]):
        ends[0] += 1
        y[i] = y[i + 1] * y[i]
        for k in range(ends[0] - 1):
            ends[0] -= 1
            y[k % 3] = y[k % 3] ** 2 + x[3]
    return sum(y) * ends[0]


def rows_of_an_array(X):
    cols = list(zip(*X))
    for c in zip(*X):
        cols.append(c)
    return np.dot(cols[0], cols[1]) * sum(cols[-1])


def array_that_is_written(X):
    X, s = X.copy(), 0.0
    for c in zip(*X):
        X[1, 2] += s
        s = s + c[1] ** 2 * c[0]
    return s


def columns_that_are_kept_from_changes(x):
    A, s, kept = np.outer(x, x), 0.0, []
    for c in zip(*A):
        A[1, 2] += s
        kept.append(c)
        s = s + c[1] ** 2 * c[0]
    A *= 2.0
    return s + kept[0][1] * kept[2][1] * sum(kept[1])


def columns_of_one_row_twice(x):
    r = [x[0], x[1] * x[0], x[2]]
    rows, s = [r, r], 0.0
    for a, b in zip(*rows):
        r[1] = a * b * 3.0
        rows[0] = [s, s, s]
        s += a * b * b
    return s


def columns_that_are_sorted(x):
    A, s = np.outer(x, x), 0.0
    for c in zip(*A):
        A.sort(axis=0)
        s = s + c[1] ** 2 * c[0]
    return s


def tuple_of_a_list(x):
    t = tuple([v * v for v in x])
    return sum(t) * max(t) + np.dot(t, t[::-1]) + sum(v**3 for v in t[1:]) * len(t)


def tuples_in_a_list(x):
    ts = [tuple(v * k for v in x) for k in range(1, 4)]
    return np.array(ts)[1, 2] * sum(ts[0]) + ts[2][-1]


def state_of_a_walk(x, n):
    state, seen = tuple(x), []
    for _ in range(n):
        state = tuple(s - 0.1 * t**2 for s, t in zip(state, state[1:] + state[:1]))
        seen.append(state)
    first, second, *_ = zip(*seen)
    return np.dot(first, second) + sum(state) * state[0]


def tuple_that_grows(x):
    t = ()
    for v in x:
        t = t + (v * v,)
    for v in x:
        t += (v * t[-1],)
    return sum(t) * t[1]


def tuple_of_rows(X):
    t = tuple(X) + (X[0] * 2.0,)
    s = t[0] * 0.0
    for r in t:
        s = s + r * r
    return np.dot(s, t[-1])


def shape_of_a_list(x):
    s = 0.0
    for place in np.ndindex(tuple([2, 2])):
        s += x[place[0]] * x[place[1]]
    return s + np.sum(np.ones(tuple([2, 3])) * x[0]) ** 2


def of_either_length(x, c):
    t = (x[0], x[1]) if c else (x[2],)
    return sum(t) * t[0]


ROWS = numbers(4, 3).tolist()
SQUARE, OTHER = numbers(3, 3).tolist(), numbers(3, 3, start=0.7).tolist()
X, XS = numbers(4), numbers(4).tolist()


def sums_of_columns_by_map(x, unused):
    rows = [[v * k for k in range(3)] for v in x]
    return sum(map(sum, zip(*rows))) ** 2


PROGRAMS = (
    Entry(sums_of_columns_by_map, (X, True)),
    *(
        Entry(function, (ROWS,), like_only=True)
        for function in (
            *(columns_by_index, columns_in_a_loop, columns_that_are_numbered),
            *(columns_beside_others, columns_that_are_kept, rows_turned_round),
            *(bounds_by_the_first_row, columns_of_rows_that_are_written),
        )
    ),
    *(
        Entry(function, (ROWS,), like_only=True, may_refuse=True)
        for function in (
            columns_of_rows_that_are_replaced,
            columns_of_rows_that_grow,
            columns_of_a_row_that_is_filled,
        )
    ),
    Entry(columns_inside_rows, (SQUARE, OTHER), (0, 1), like_only=True),
    Entry(rows_of_an_array, (numbers(4, 3),), may_refuse=True),
    Entry(array_that_is_written, (numbers(4, 3),)),
    Entry(columns_that_are_kept_from_changes, (X,)),
    Entry(columns_of_one_row_twice, (X,)),
    Entry(columns_that_are_sorted, (X,)),
    Entry(bounds_that_change, (X,)),
    Entry(tuple_of_a_list, (XS,), like_only=True),
    Entry(tuples_in_a_list, (XS,), like_only=True),
    Entry(state_of_a_walk, (XS, 3), like_only=True, may_refuse=True),
    Entry(tuple_that_grows, (XS,), like_only=True, may_refuse=True),
    Entry(tuple_of_rows, (numbers(4, 3),)),
    Entry(shape_of_a_list, (X,), may_refuse=True),
    Entry(of_either_length, (X, True)),
)
