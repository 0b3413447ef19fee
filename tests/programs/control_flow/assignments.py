"""Programs that give names their values in every way Python has."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from tests.programs.entry import Entry, numbers

Pair = namedtuple("Pair", "a b")


def walrus_in_return(x):
    return (y := x * x) * y


def walrus_in_sum(x):
    return x + (x := x * x) * x


def walrus_in_test(x, c):
    if (d := x - c) > 0.0:
        return d * x
    return d * c


def walrus_in_elif(x, c):
    if x > 5.0:
        s = x
    elif (d := x * c) > 0.2:
        s = d * d
    else:
        s = d * x
    return s * d


def walrus_in_while(x):
    n = 0
    while (y := 0.7 * x) > 0.1:
        x = y * np.cos(y)
        n += 1
    return x * y + n


def walrus_in_while_with_continue(x):
    s = 0.0
    k = 0
    while (k := k + 1) < 6:
        if k % 2:
            continue
        s = s + x**k
    return s * k


def walrus_in_while_with_else(x):
    while (x := 0.5 * x) > 0.1:
        if x > 9.0:
            break
    else:
        x = x * x
    return x * x


def walrus_in_and(x, y):
    if x > 0.0 and (z := x * y) > 0.0:
        return z * z
    return x


def walrus_in_or(x, y):
    if x > 5.0 or (z := x * y) > 0.0:
        x = z * x
    return x * z


def walrus_in_conditional(x, y):
    return (z := x * y) * z if x > 0.1 else y * y


def walrus_in_argument(u):
    s = np.sum((v := np.sin(u)) * u)
    return s * np.sum(v)


def walrus_in_index(u):
    s = u[(k := 1)] * u[k + 1]
    return s * u[k]


def walrus_in_comprehension(u):
    s = [y := x * x for x in u]
    return sum(s) * y


def walrus_running_total(u):
    total = 0.0
    sums = [total := total + x for x in u]
    return sum(s * s for s in sums)


def chained_names(x):
    a = b = c = x * x
    a = a * b
    return a + b * c


def chained_elements(u, c):
    a = u.copy()
    a[0] = b = a[2] = c * u[1]
    return np.sum(a * a) * b


def chained_name_used_in_later_target(u, k):
    v = u.copy()
    k = v[k] = 2
    v[k] = v[k] * u[0]
    return np.sum(v * v)


def chained_unpacking(x, y):
    a, b = c = (x * y, x - y)
    return a * c[1] + b * c[0]


def chained_same_array(u):
    a = b = u * 2.0
    a[0] = u[1] * u[2]
    return np.sum(b * b)


def swapped_elements(u):
    v = u.copy()
    v[0], v[1] = v[1], v[0]
    return np.sum(v * u) * v[0]


def rotated_elements(u, i):
    v = u * 1.0
    v[i], v[i + 1], v[i + 2] = v[i + 2], v[i], v[i + 1] * v[i]
    return np.sum(v * u)


def swapped_rows(A):
    B = A.copy()
    B[0], B[1] = B[1].copy(), B[0].copy()
    return np.sum(B * A**2)


def bubble_sort(u):
    v = u.copy()
    for i in range(len(v)):
        for j in range(len(v) - 1 - i):
            if v[j] > v[j + 1]:
                v[j], v[j + 1] = v[j + 1], v[j]
    return v[0] * v[1] + v[2] * v[3]


def swap_with_index(u):
    v = u.copy()
    i = 0
    i, v[i] = 1, v[2] * v[3]
    return np.sum(v * v) * v[i]


def fibonacci(x, n):
    a, b = x, x * x
    for _ in range(n):
        a, b = b, a * b + 0.1
    return a


def nested_targets(x, y, z):
    a, (b, c) = x * y, (y, z * x)
    (a, b), c = (b * c, a), a * b
    return a * b * c


def nested_targets_of_value(u):
    pair = (u[0], (u[1], u[2] * u[3]))
    a, (b, c) = pair
    return a * b * c


def starred_middle(x, y):
    a, *b, c = x, x * y, y, y * y
    return a * b[0] * c + b[1]


def starred_array(u):
    first, *rest = u
    return first * rest[0] + rest[-1] ** 2


def starred_array_loop(u):
    first, *rest, last = u
    s = first * last
    for x in rest:
        s = s * x + x
    return s


def starred_list(u):
    xs = [u[0], u[1] * u[2], u[3]]
    a, *others = xs
    return a * sum(others)


def starred_empty(x, y):
    a, *b, c = x, y
    return a * c + len(b)


def starred_first(u):
    *front, last = u
    return last * sum(front)


def starred_nested(x, y):
    (a, *b), c = [x, y, x * y], y
    return a * b[0] + b[1] * c


def starred_display(x, y):
    some = [x * y, x + y]
    whole = [x, *some, y]
    return whole[0] * whole[1] + whole[2] * whole[3]


def unpacked_array(u):
    a, b, c = u[:3]
    return a * b * c


def row_unpacked(A):
    s = 0.0
    for k in range(len(A)):
        x, y, z = A[k]
        s = s + x * y * z
    return s


def unpacked_rows(A):
    a, b = A[:2]
    return np.sum(a * b)


def unpacked_list_target(u):
    [a, b] = u[0] * u[1], u[2]
    return a * b


def unpacked_elements(u):
    v = np.zeros(3)
    v[0], (v[1], v[2]) = u[0], (u[1] * u[2], u[0] * u[3])
    return np.sum(v * v)


def unpacked_function_of_array(u):
    a, b = np.sin(u[:2])
    return a * b


def unpacked_in_loop(A):
    s = 0.0
    for a, *b in A:
        s += a * b[0] + b[1] ** 2
    return s


def named_by_two_loops(A):
    s = 0.0
    for row in A:
        head = row[0]
        for row in (A[0] * head, A[1] + 1.0):
            s += row[1]
        s += row[2] * row[0]
    return s


def annotated(x: float) -> float:
    y: float = x * x
    z: np.ndarray
    z = y * x
    return z * y


def annotated_element(u):
    v = u.copy()
    v[0]: float = u[1] * u[2]
    return np.sum(v * v)


def deleted_name(x):
    y = x * x
    del x
    x = y * y
    return x * y


def deleted_after_loop(u):
    s = 0.0
    for k, x in enumerate(u):
        s += x * x * k
    del k, x
    return s


def deleted_list_item(u):
    xs = [u[0], u[1] * u[2], u[3]]
    del xs[1]
    return xs[0] * xs[1]


def deleted_list_slice(u):
    xs = [u[0], u[1] * u[2], u[3], u[4]]
    del xs[1:3]
    return xs[0] * xs[1]


def inner_write(A):
    B = A.copy()
    B[0][1] = B[1][0] * B[2][2]
    return np.sum(B * B)


def inner_write_of_slice(A):
    B = A.copy()
    B[1:][0] = B[0] * B[2]
    return np.sum(B * B)


def inner_augmented(A):
    B = A.copy()
    B[0][1] += B[1][0] * B[2][2]
    B[1][2] *= B[0][1]
    return np.sum(B * B)


def inner_write_in_loop(A):
    B = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            B[i][j] = A[i][j] * A[j][0]
    return np.sum(B * B)


def nested_list_write(u):
    rows = [[u[0], u[1]], [u[2], u[3]]]
    rows[0][1] = rows[1][0] * rows[0][0]
    return rows[0][1] * rows[1][1]


def table_of_lists(u, n):
    T = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            T[i][j] = u[i] * u[j] + (T[i - 1][j] if i else 0.0)
    return T[-1][-1] * T[1][0]


def augmented_names(x):
    y = x
    y += x * x
    y -= 0.5 * x
    y *= y
    y /= 2.0 + x
    y **= 2
    return y


def augmented_of_tuple(x, y):
    t = (x, y)
    t += (x * y,)
    return t[0] * t[1] * t[2]


def _turned(pair):
    return pair[1], 2.0 * pair[0]


def whole_then_popped(u):
    value, waiting = 0, [u[0], 2.0 * u[1]]
    while waiting:
        value = waiting.pop()
    return value**2


def whole_then_unpacked(u):
    value = other = 0
    for k, value in enumerate(u):
        other, _ = _turned((k, value))
    for _, other in enumerate(u[1:]):
        value = value * other
    return value * other


def whole_then_returned(u):
    place, speed = 0, 0
    for x in u:
        place, speed = _turned((place + x, speed))
    return place + 3.0 * speed


def shifted_pair(u):
    pair = Pair(0, 0)
    for x in u:
        pair = pair._replace(a=pair.b, b=x)
    return pair.a * pair.b


def nested_targets_of_names(u):
    [a, b], c = [0, 0], 0
    for x in u:
        [a, b], c = _turned((x + a, c)), b
    (a, b), c = (b, c * a), b
    return a + 2.0 * b * c + c


U = numbers(5)
A = numbers(3, 3)
X = 0.73

PROGRAMS = (
    Entry(walrus_in_return, (X,)),
    Entry(walrus_in_sum, (X,)),
    Entry(walrus_in_test, (X, 0.2), (0, 1)),
    Entry(walrus_in_test, (X, 0.9), (0, 1), note="other"),
    Entry(walrus_in_elif, (X, 0.4), (0, 1)),
    Entry(walrus_in_while, (0.9,)),
    Entry(walrus_in_while_with_continue, (X,)),
    Entry(walrus_in_while_with_else, (X,)),
    Entry(walrus_in_and, (X, 0.4), (0, 1)),
    Entry(walrus_in_or, (X, 0.4), (0, 1)),
    Entry(walrus_in_conditional, (X, 0.4), (0, 1)),
    Entry(walrus_in_conditional, (0.05, 0.4), (0, 1), note="other"),
    Entry(walrus_in_argument, (U,)),
    Entry(walrus_in_index, (U,)),
    Entry(walrus_in_comprehension, (U,)),
    Entry(walrus_running_total, (U,)),
    Entry(chained_names, (X,)),
    Entry(chained_elements, (U, 0.4), (0, 1)),
    Entry(chained_name_used_in_later_target, (U, 1)),
    Entry(chained_unpacking, (X, 0.4), (0, 1)),
    Entry(chained_same_array, (U,), may_refuse=True),
    Entry(swapped_elements, (U,)),
    Entry(rotated_elements, (U, 1)),
    Entry(swapped_rows, (A,)),
    Entry(bubble_sort, (U,)),
    Entry(swap_with_index, (U,)),
    Entry(fibonacci, (X, 4)),
    Entry(nested_targets, (X, 0.4, 0.6), (0, 1, 2)),
    Entry(nested_targets_of_value, (U,)),
    Entry(starred_middle, (X, 0.4), (0, 1)),
    Entry(starred_array, (U,)),
    Entry(starred_array_loop, (U,)),
    Entry(starred_list, (U,)),
    Entry(starred_empty, (X, 0.4), (0, 1)),
    Entry(starred_first, (U,)),
    Entry(starred_nested, (X, 0.4), (0, 1)),
    Entry(starred_display, (X, 0.4), (0, 1)),
    Entry(unpacked_array, (U,)),
    Entry(row_unpacked, (A,)),
    Entry(unpacked_rows, (A,)),
    Entry(unpacked_list_target, (U,)),
    Entry(unpacked_elements, (U,)),
    Entry(unpacked_function_of_array, (U,)),
    Entry(unpacked_in_loop, (A,)),
    Entry(named_by_two_loops, (A,)),
    Entry(annotated, (X,)),
    Entry(annotated_element, (U,)),
    Entry(deleted_name, (X,)),
    Entry(deleted_after_loop, (U,)),
    Entry(deleted_list_item, (U,)),
    Entry(deleted_list_slice, (U,)),
    Entry(inner_write, (A,)),
    Entry(inner_write_of_slice, (A,)),
    Entry(inner_augmented, (A,)),
    Entry(inner_write_in_loop, (A,)),
    Entry(nested_list_write, (U,)),
    Entry(table_of_lists, (U, 3)),
    Entry(augmented_names, (X,)),
    Entry(augmented_of_tuple, (X, 0.4), (0, 1)),
    Entry(whole_then_popped, (U,)),
    Entry(whole_then_unpacked, (U,)),
    Entry(whole_then_returned, (U,)),
    Entry(shifted_pair, (U,)),
    Entry(nested_targets_of_names, (U,)),
)
