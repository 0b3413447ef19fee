"""Lists of lists of numbers: what is written to a row is seen where else that row is held."""

from __future__ import annotations

import copy

import numpy as np

from tests.programs.entry import Entry, numbers


def squares(rows):
    return sum((k + 1) * sum(row) ** 2 for k, row in enumerate(rows))


def products(u):
    return [[a * b for b in u] for a in u]


def written(u):
    rows = [[u[i] * u[j] for j in range(3)] for i in range(3)]
    rows[1][2] = 5 * u[0]
    rows[0][0] += u[1]
    rows[2][1] *= u[2]
    return squares(rows)


def of_three_levels(u):
    rows = [[[a * b * c for c in u] for b in u] for a in u]
    rows[0][1][2] = u[0] ** 3
    return squares(rows[0]) * rows[2][1][0]


def product(u, n):
    A = [[u[i] * u[j] + i for j in range(n)] for i in range(n)]
    B = [[u[i] - u[j] * j for j in range(n)] for i in range(n)]
    C = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                C[i][j] += A[i][k] * B[k][j]
    return C[0][1] + C[2][2] ** 2


def eliminated(u, n):
    a = [[u[i] * u[j] + (3.0 if i == j else 0.1 * j) for j in range(n)] for i in range(n)]
    b = [u[0], u[1], u[2]]
    for i in range(n):
        p = i
        for r in range(i + 1, n):
            if abs(a[r][0]) > abs(a[p][0]):
                p = r
        if p != i:
            a[i], a[p] = a[p], a[i]
            b[i], b[p] = b[p], b[i]
        for r in range(i + 1, n):
            f = a[r][i] / a[i][i]
            for c in range(i, n):
                a[r][c] -= f * a[i][c]
            b[r] -= f * b[i]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (b[i] - sum(a[i][j] * x[j] for j in range(i + 1, n))) / a[i][i]
    return x[0] + 2 * x[1] * x[2]


def exchanged_by_hand(u):
    rows = products(u)
    row = rows[0]
    rows[0] = rows[2]
    rows[2] = row
    rows[2][1] = u[0] ** 3
    return squares(rows)


def cheapest_path(u):
    n = len(u)
    D = [[0.0] * n for _ in range(n)]
    for i in range(1, n):
        for j in range(1, n):
            D[i][j] = min(D[i - 1][j], D[i][j - 1]) + (u[i] - u[j - 1]) ** 2
    return D[-1][-1]


def one_row_for_all(u):
    rows = [[0.0] * 3] * 2
    rows[0][1] = u[0] ** 2
    return squares(rows)


def appended_to_two(u):
    A, B = [], []
    for x in u:
        row = [x, x * x]
        A.append(row)
        B.append(row)
    A[1][0] = u[0] * 3
    return squares(A) * B[1][0]


def kept_and_put_back(u):
    rows = products(u)
    row = rows[0]
    rows[0], rows[2] = rows[2], rows[0]
    rows[0] = row
    rows[0][1] = u[0] ** 3
    return squares(rows)


def turned_round_at_equal_places(u, k):
    rows = products(u)
    rows[0], rows[1], rows[k] = rows[1], rows[k], rows[0]
    rows[0][1] = u[0] ** 3
    return squares(rows)


def begun_anew_at_times(u):
    rows, row = [], []
    for i, x in enumerate(u):
        if i % 2 == 0:
            row = []
        row.append(x * x)
        rows.append(row)
    rows[0][0] = u[1] ** 3
    return squares(rows)


def shifted(u):
    ts = [u * 2, u * 3, u * 4]
    t = ts[1]
    ts.pop(0)
    ts[1] = t
    ts[0][0] = u[2] ** 2
    return squares(ts)


def spread_over_others(u):
    ts = [u * 2, u * 3, u * 4, u * 5]
    ts[::2] = ts[1::2]
    ts[0][0] = u[2] ** 2
    return squares(ts)


def arrays_and_a_number(u):
    ts = [np.zeros(2) for _ in range(2)]
    ts.append(u[0])
    ts[0][0] = u[1] ** 2
    return ts[0][0] * ts[2]


def arrays_made_alike_in_a_loop(u):
    s = u[0]
    for k in range(2):
        acc = []
        acc.append(np.zeros(2))
        acc.append(np.zeros(2))
        acc[0] += u[0] * s + k
        acc[1] += u[1] ** 2
        for i in range(2):
            s = s + np.sum(acc[i])
    return s


def arrays_made_alike_on_one_side(u):
    s = u[0]
    if s < 2.0:
        acc = []
        acc.append(np.exp(u * 0.5))
        acc.append(np.exp(u * 0.5))
        for i in range(2):
            acc[i][0] *= u[i]
        s = np.sum(acc[0] * acc[1])
    return s


def arrays_computed_alike(u):
    ts = []
    ts.append(np.exp(u))
    ts.append(np.exp(u))
    ts[0][1] = u[0]
    return squares(ts)


def binned(u):
    bins = [[] for _ in range(3)]
    for i, x in enumerate(u):
        bins[i % 3].append(x * x)
    return squares(bins)


def binned_by_value(u):
    bins = [[], [], []]
    first = bins[0]
    for x in u:
        k = 0 if x < 0 else (1 if x < 0.2 else 2)
        bins[k].append(x * x)
        bins[k][0] += u[0]
    return sum(sum(q) ** 3 for q in bins if q) + len(first)


def binned_twice(u):
    grid = [[[], []], [[], []]]
    for i, x in enumerate(u):
        grid[i % 2][int(x > 0.2)].extend([x, x * x])
        grid[i % 2][int(x > 0.2)].insert(0, x**3)
    return squares(grid[0]) * squares(grid[1])


def binned_into_one(u):
    bins = [[]] * 3
    for i, x in enumerate(u):
        bins[i % 3].append(x * x)
    return squares(bins)


def binned_beside_another_list(u):
    bins = [[] for _ in range(3)]
    some = [bins[0], bins[1]]
    for i, x in enumerate(u):
        bins[i % 3].append(x * x)
    return squares(some)


def third_level_is_shared(u):
    grid = [[[a * b * c for c in u] for b in u] for a in u]
    some, row = list(grid[0]), grid[0][0]
    row[0] = u[2] ** 2
    return some[0][0] * grid[0][0][0]


def third_level_is_there_twice(u):
    row = [u[0], u[1]]
    grid = [[row], [row]]
    grid[0][0][0] = u[2] ** 2
    return grid[0][0][0] * grid[1][0][0]


def columns(u):
    rows = [[u[0], u[1]], [u[2], u[0], u[1]]]
    listed = list(map(list, zip(*rows)))  # noqa: B905
    return squares(listed) * sum(a * b**2 for a, b in zip(*rows))  # noqa: B905


def product_with_columns(u):
    A, B = products(u), [[a + b * k for b in u] for k, a in enumerate(u)]
    return squares([[sum(a * b for a, b in zip(r, c)) for c in zip(*B)] for r in A])  # noqa: B905


def columns_of_what_changes(u):
    rows, s = products(u), 0.0
    for a, b, c in zip(*rows):  # noqa: B905
        rows[2][2] = u[1]
        s += a * b * c
    return s


def numbers_beside_rows(u):
    marks, rows, s = [], [], 0.0
    for k in range(2):
        row = u * (k + 1.0)
        marks.append(float(k))
        rows.append(row)
    for row in rows:
        row[0] = u[1] * marks[1]
        s = s + np.sum(row * u)
    return s


def _damped(u, x):
    x = np.dot(u, u)
    if x > 9.0:
        return x
    return x * 2.0 + np.sum(u)


def called_beside_what_is_dead(u, p):
    s = _damped(u, p)
    y = s * p
    if y < 9.0:
        b = y * s
        for k in range(1):
            match k:
                case 0:
                    b += 0.25 + s
                case _:
                    b *= s
    return y + np.sin(p)


def numbers_put_in_on_the_way(v, w):
    w = w.copy()
    y = 0.1
    on_list = [np.maximum(w[2], v[-1]), max(1.3, v[0])]
    for each in list(on_list):
        y = 0.5 * y + np.sin(each)
        if len(on_list) < 5:
            on_list.insert(9, 0.5 * each)
    y += len(on_list) * 0.1 * y
    v[1] *= y
    w += 0.3 * (v + v)
    for _ in range(2):
        v, w = w * 1.0, np.sin(v)
    return np.sum(w) + y + np.sum(v)


def put_in_once_one_is_taken(u, k):
    rows = [np.zeros(3), np.ones(3), np.ones(3)]
    last = rows.pop()
    if u[0] < 9.0:
        rows[k] = u.copy()
    rows[1] = rows[1] * last
    return sum(np.sum(row * u) * (n + 0.5) for n, row in enumerate(rows))


def a_deep_copy_written_to(u):
    v = copy.deepcopy(u)
    v *= u
    v[0] = u[1] ** 2
    held = {"a": v, "b": [u[0]]}
    other = copy.deepcopy(held)
    other["a"][1] = 0.0
    return np.sum(other["a"] * held["a"]) * other["b"][0]


def a_copy_of_a_list(u):
    rows = [u, 2.0 * u]
    some = copy.copy(rows)
    some[0] = u * u
    v = copy.copy(u)
    v[2] = v[0]
    return np.sum(some[0] * rows[0] * rows[1]) + np.sum(v * u)


U = numbers(3)
PROGRAMS = (
    Entry(written, (U,)),
    Entry(of_three_levels, (U,)),
    Entry(product, (U, 3)),
    Entry(eliminated, (U, 3)),
    Entry(exchanged_by_hand, (U,)),
    Entry(cheapest_path, (U,)),
    Entry(binned, (numbers(5),)),
    Entry(binned_by_value, (numbers(5),)),
    Entry(binned_twice, (numbers(5),), may_refuse=True),
    Entry(binned_into_one, (U,), may_refuse=True),
    Entry(binned_beside_another_list, (U,), may_refuse=True),
    Entry(third_level_is_shared, (U,), may_refuse=True),
    Entry(third_level_is_there_twice, (U,), may_refuse=True),
    Entry(columns, (U,)),
    Entry(product_with_columns, (U,)),
    Entry(columns_of_what_changes, (U,)),
    Entry(one_row_for_all, (U,), may_refuse=True),
    Entry(appended_to_two, (U,), may_refuse=True),
    Entry(kept_and_put_back, (U,), may_refuse=True),
    Entry(turned_round_at_equal_places, (U, 0), may_refuse=True),
    Entry(begun_anew_at_times, (U,), may_refuse=True),
    Entry(shifted, (U,), may_refuse=True),
    Entry(spread_over_others, (U,), may_refuse=True),
    Entry(arrays_and_a_number, (U,)),
    Entry(arrays_computed_alike, (U,)),
    Entry(arrays_made_alike_in_a_loop, (U,)),
    Entry(arrays_made_alike_on_one_side, (U,)),
    Entry(numbers_beside_rows, (U,)),
    Entry(called_beside_what_is_dead, (U, 0.3), (0, 1)),
    Entry(numbers_put_in_on_the_way, (U, U + 0.1), (0, 1)),
    Entry(put_in_once_one_is_taken, (U, 0)),
    Entry(a_deep_copy_written_to, (U,)),
    Entry(a_copy_of_a_list, (U,), may_refuse=True),
)
