"""Programs that build, change and take apart lists."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def list_among_others(x, y, n):
    """Nothing is known of the item that is appended to."""
    items = [[x], {"a": x}, 3.0]
    items[n - 2].append(x * y)
    return items[0][-1] * items[1]["a"] * x


def numbers_beside_lists(x):
    def given():
        return [x, [[x, 2.0 * x], [x * x, 1.0]]]

    value, table = given()
    pair = [x, {"a": x * x}]
    pair[1]["a"] += table[1][0] * pair[0]
    turns = []
    for i in range(3):
        turns.append([x * i, [x * x, i]])
    return value * table[0][1] * pair[1]["a"] + sum(t[0] * t[1][0] + t[1][1] for t in turns)


def appended_and_summed(u):
    xs = []
    for x in u:
        xs.append(x * x)
    return sum(xs) * xs[0]


def appended_arrays(A):
    rows = []
    for row in A:
        rows.append(np.sin(row) * row[0])
    return np.sum(np.array(rows) ** 2)


def popped_in_expression(u):
    xs = [u[0], u[1] * u[2], u[3]]
    return xs.pop() * xs.pop() + xs[0]


def popped_in_slice(u):
    ends = [2, 3]
    xs = []
    xs.append(np.sum(u[: ends.pop()] ** 2))
    return xs[0] * np.sum(u[ends.pop() :])


def popped_in_test(u):
    stack = list(u)
    s = 1.0
    while stack:
        x = stack.pop()
        if x > 0.0:
            s = s * x + 0.1
    return s


def popped_while_positive(u):
    stack = [u[0] * u[0], u[1] * u[1], -1.0, u[2] * u[2]]
    s = 0.0
    while (x := stack.pop()) > 0.0:
        s += x * x
    return s * stack[0]


def popped_first(u):
    queue = [u[0] * u[1], u[2], u[3]]
    s = 0.0
    while queue:
        s = s * 0.5 + queue.pop(0) ** 2
    return s


def popped_at_index(u):
    xs = [u[0], u[1] * u[2], u[3], u[4]]
    y = xs.pop(1)
    z = xs.pop(-2)
    return y * z * xs[0] + xs[1]


def popped_in_arguments(u):
    xs = [u[0], u[1] * u[2], u[3]]
    return np.hypot(xs.pop(), xs.pop()) * xs[-1]


def popped_then_added(u):
    xs = [u[0], u[1] * u[2]]
    xs[0] += xs.pop()
    return xs[0] ** 2


def added_what_was_popped(u):
    xs = [u[0], u[1] * u[2], u[3]]
    s = u[4]
    while xs:
        s += s * xs.pop()
    return s


def extended(u):
    xs = [u[0]]
    xs.extend([u[1] * u[2], u[3]])
    xs.extend(u[2:])
    return sum(x * x for x in xs) * xs[1]


def extended_by_generator(u):
    xs = [u[0]]
    xs.extend(x * x for x in u)
    return xs[1] * xs[2] + xs[0]


def extended_by_itself(u):
    xs = [u[0], u[1] * u[2]]
    xs.extend(xs)
    xs[0] = xs[3] * u[3]
    return xs[0] * xs[2]


def added_lists(u):
    xs = [u[0], u[1]]
    ys = xs + [u[2] * u[0]] + xs  # noqa: RUF005
    return ys[2] * ys[3] + ys[0]


def added_in_place(u):
    xs = [u[0]]
    xs += [u[1] * u[2], u[3]]
    xs += (x * u[0] for x in u[:2])
    return xs[0] * xs[1] + xs[2] * xs[4]


def added_in_loop(u):
    xs = []
    for x in u:
        xs += [x, x * x]
    return sum(xs[1::2]) * xs[0]


def repeated_list(u):
    xs = [u[0]] * 3
    xs[1] = u[1] * u[2]
    return xs[0] * xs[1] * xs[2]


def repeated_pair(u):
    xs = [u[0], u[1] * u[2]] * 2
    return xs[0] * xs[1] + xs[2] * xs[3]


def inserted_first(u):
    xs = [u[0], u[1]]
    xs.insert(0, u[2] * u[3])
    return xs[0] * xs[1] ** 2


def inserted_middle(u):
    xs = [u[0], u[1]]
    xs.insert(1, u[2] * u[3])
    xs.insert(-1, u[4])
    return xs[0] * xs[1] ** 2 + xs[2] * xs[3]


def inserted_in_order(u):
    xs = []
    for x in u:
        k = 0
        while k < len(xs) and xs[k] < x:
            k += 1
        xs.insert(k, x)
    return xs[0] * xs[1] + xs[3] * xs[4]


def reversed_in_place(u):
    xs = [u[0], u[1], u[2] * u[3]]
    xs.reverse()
    return xs[0] ** 2 * xs[2]


def sorted_in_place(u):
    xs = [u[0], u[1], u[2] * u[3]]
    xs.sort()
    return xs[0] ** 2 * xs[2]


def sorted_list(u):
    xs = sorted([u[0], u[1] * u[2], u[3]])
    return xs[0] ** 2 * xs[2]


def cleared(u):
    xs = [u[0], u[1]]
    y = xs[0] * xs[1]
    xs.clear()
    xs.append(y * u[2])
    return xs[0] * y


def copied_list(u):
    xs = [u[0], u[1]]
    ys = xs.copy()
    ys[0] = ys[1] * u[2]
    zs = list(xs)
    zs.append(ys[0])
    return xs[0] * ys[0] + zs[-1] * len(zs)


def sliced(u):
    xs = [u[0], u[1] * u[2], u[3], u[4]]
    ys = xs[1:3]
    zs = xs[::-1]
    return ys[0] * ys[1] + zs[0] * xs[-2]


def slice_written(u):
    xs = [u[0], u[1] * u[2], u[3], u[4]]
    xs[1:3] = [u[0] * u[0], u[1]]
    return xs[0] * xs[1] + xs[2] * xs[3]


def negative_positions(u):
    xs = [x * x for x in u]
    xs[-1] = xs[-2] * u[0]
    return xs[-1] * xs[-3]


def list_of_arrays(u):
    xs = [u, np.sin(u)]
    xs.append(xs[0] * xs[1])
    xs[0] = xs[2] * 2.0
    return np.sum(xs[0] * xs[1])


def list_of_lists(u):
    rows = [[x, x * x] for x in u]
    return sum(a * b for a, b in rows) + rows[0][1] * rows[-1][0]


def pairs_of_products(u):
    pairs = []
    for k, x in enumerate(u):
        pairs.append((x * k, np.cos(x)))
    s = 0.0
    for a, b in pairs:
        s += a * b
    return s * pairs[1][0]


def flattened(A):
    flat = [a for row in A for a in row]
    return sum(flat[::2]) * flat[1]


def cumulative(u):
    sums = [u[0]]
    for x in u[1:]:
        sums.append(sums[-1] + x * sums[-1])
    return sums[-1] * sums[2]


def memo(x, n):
    seen = [x, x * x]
    for _ in range(n):
        seen.append(0.5 * seen[-1] + seen[-2] ** 2)
    return seen[-1]


def triangle_of_terms(x, n):
    row = [x]
    for _ in range(n):
        row = [row[0], *[a + x * b for a, b in zip(row, row[1:])], row[-1]]  # noqa: B905, RUF007
    return sum(row)


def list_result_unpacked(u):
    parts = [u[0] * u[1], u[2]]
    a, b = parts
    parts[0] = b
    return a * parts[0]


def list_in_branch(u, c):
    if c > 0.0:
        xs = [u[0], u[1] * c]
    else:
        xs = [u[2]]
    xs.append(u[3] * c)
    return xs[-1] * xs[0]


def membership(u):
    xs = [u[0], u[1]]
    if len(xs) == 2 and u[5 - 5] in xs:
        xs.append(u[2] * u[0])
    return xs[-1] * len(xs)


def argument_is_list(xs):
    s = 0.0
    for x in xs:
        s = s * x + x
    return s * xs[0]


def argument_list_is_changed(xs):
    xs = list(xs)
    xs.append(xs[0] * xs[1])
    xs[0] = xs[2] ** 2
    return xs[0] * xs[-1]


def argument_list_of_arrays(xs):
    s = xs[0] * 0.0
    for x in xs:
        s = s * x + np.sin(x)
    return np.sum(s)


def argument_list_appended(xs):
    ys = []
    for x in xs:
        ys.append(x * x)
    return sum(ys) + ys[0] * xs[1]


def sums_appended(u):
    kept = [u[0]]
    kept.append(2.0 * sum([x * x for x in u]))
    kept.append(u[1] * max(np.sin(x) for x in u))
    return kept[0] * kept[1] + kept[2]


U = numbers(5)
A = numbers(3, 3)
XS = [0.3, -0.7, 0.45]


def one_row_repeated(u):
    """Both rows are one list: what is stored in the first is read in the second."""
    rows = [[0.0] * 2] * 2
    rows[0][1] = u[0]
    return rows[1][1] ** 2 * u[1]


def rows_joined_and_repeated(u):
    row = [u[0], 1.0]
    rows = [row] + [[0.0] * 2] * 2
    rows[1][0] = u[1] * u[2]
    rows[0][1] = u[2] ** 2
    return rows[2][0] ** 2 * row[1] + rows[1][1]


def repeated_row_under_two_names(u):
    two = [[0.0] * 2] * 2
    rows = [[0.0, 0.0], *two]
    rows[1][0] = u[1] * u[2]
    return rows[2][0] ** 2 + two[0][0] * u[0]


def squared_into(row, v):
    row[0] = v * v


def rows_changed_under_another_name(u):
    """A call and a method change a row of one list, which is read in another."""
    two = [[0.0]] * 2
    rows = [[1.0], *two]
    squared_into(rows[1], u[0])
    rows[2].append(u[1])
    return two[0][0] * u[2] + two[1][1] ** 2


def rows_changed_in_what_was_joined(u):
    two = [[0.0]] * 2
    rows = [[u[2]]] + two  # noqa: RUF005
    squared_into(rows[1], u[0])
    rows[2].append(u[1])
    return two[0][0] * u[2] + two[1][1] ** 2


def blanks_between_labels(u, labels):
    with_blanks = [0]
    for label in labels:
        with_blanks += [label, 0]
    alpha = np.zeros(len(with_blanks))
    alpha[0] = u[with_blanks[0]]
    for s in range(1, len(with_blanks)):
        alpha[s] = alpha[s - 1] * u[with_blanks[s]]
        if s > 1 and with_blanks[s] != with_blanks[s - 2]:
            alpha[s] += alpha[s - 2]
    return alpha[-1] + alpha[-2]


def given_pairs_beside_new_ones(x, pair, n):
    rows = []
    for i in range(n):
        rows.append(pair if i % 2 else (x * i, x))
    return sum(a * b for a, b in rows)


def given_or_none_beside_new_ones(u, b, n):
    rows, last = [], None
    for i in range(n):
        rows.append(last)
        last = b if i % 2 else None
    rows.append(u)
    s = 0.0
    for r in rows:
        if r is not None:
            s += np.sum(r**2)
    return s


def pairs_that_views_give(u, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = u[i] * u[i]
    numbered = list(enumerate(d.values()))
    return sum(k * v * v for k, v in list(d.items())) + sum(k * v for k, v in numbered)


def scaled_by_their_sum(u):
    """The sum's adjoint went to the items before that of the one which is stored to was taken."""
    y = list(u)
    for i in range(len(y)):
        y[i] /= sum(y)
    y[0] *= sum(y) * max(y)
    y[1] = y[1] * np.dot(y, y) - y[0]
    y[2] += np.array(y).sum() * y[1]
    return y[0] * y[1] + y[2]


def of_a_dict_by_its_own_sum(u):
    d = {"a": u[0], "b": u[1], "c": u[2]}
    d["a"] *= sum(d.values())
    d["c"] = sum(d.values()) * d["c"]
    return d["a"] * d["b"] + d["c"]


def arrays_by_the_sum_of_their_list(u):
    y = [u * 1.0, u**2]
    y[0][0] *= np.sum(y)
    y[1] = np.stack(y).sum(0) * y[1]
    y[0] *= sum(y)
    return np.sum(y[0] * y[1])


def taken_out_and_not_read(u, c):
    L = [u * c, u + 0.3]
    C = L[0] * L[1]
    first = L.pop(0)
    c = c * len(first)
    return sum(np.sum(x * C) for x in L) * c


def taken_out_until_one_is_left(u, c):
    L = [u * c, u + 0.3, u * u]
    C = L[0] * L[1]
    while len(L) > 1:
        C = C * 0.5
        last = L.pop()
    return np.sum(L[0] * C) * len(last)


def slice_replaced_after_unpacking(u, c):
    L = [u * c, u + 0.3]
    first, second = L
    product = first @ second
    L[1:] = [x * c for x in L[1:]]
    return product * np.sum(L[0] * u) + np.sum(L[1:][0])


PROGRAMS = (
    Entry(slice_replaced_after_unpacking, (U, 0.7), (0, 1)),
    Entry(taken_out_and_not_read, (U, 0.7), (0, 1)),
    Entry(taken_out_until_one_is_left, (U, 0.7), (0, 1)),
    *(Entry(each, (U,)) for each in (scaled_by_their_sum, of_a_dict_by_its_own_sum)),
    Entry(arrays_by_the_sum_of_their_list, (U,)),
    Entry(list_among_others, (0.7, 1.3, 2), (0, 1), may_refuse=True),
    Entry(blanks_between_labels, (U, [1, 2, 2]), like_only=True),
    Entry(one_row_repeated, (U,)),
    *(
        Entry(f, (U,), may_refuse=True)
        for f in (rows_changed_under_another_name, rows_changed_in_what_was_joined)
    ),
    Entry(repeated_row_under_two_names, (U,), may_refuse=True),
    Entry(rows_joined_and_repeated, (U,), may_refuse=True),
    Entry(appended_and_summed, (U,)),
    Entry(numbers_beside_lists, (0.7,)),
    Entry(appended_arrays, (A,)),
    Entry(popped_in_expression, (U,)),
    Entry(popped_in_slice, (U,)),
    Entry(popped_in_test, (U,)),
    Entry(popped_while_positive, (U,)),
    Entry(popped_first, (U,)),
    Entry(popped_at_index, (U,)),
    Entry(popped_in_arguments, (U,)),
    Entry(popped_then_added, (U,)),
    Entry(added_what_was_popped, (U,)),
    Entry(extended, (U,)),
    Entry(extended_by_generator, (U,)),
    Entry(extended_by_itself, (U,)),
    Entry(added_lists, (U,)),
    Entry(added_in_place, (U,)),
    Entry(added_in_loop, (U,)),
    Entry(repeated_list, (U,)),
    Entry(repeated_pair, (U,)),
    Entry(inserted_first, (U,)),
    Entry(inserted_middle, (U,)),
    Entry(inserted_in_order, (U,)),
    Entry(reversed_in_place, (U,)),
    Entry(sorted_in_place, (U,)),
    Entry(sorted_list, (U,)),
    Entry(cleared, (U,)),
    Entry(copied_list, (U,)),
    Entry(sliced, (U,)),
    Entry(slice_written, (U,)),
    Entry(negative_positions, (U,)),
    Entry(list_of_arrays, (U,)),
    Entry(list_of_lists, (U,)),
    Entry(pairs_of_products, (U,)),
    Entry(flattened, (A,)),
    Entry(cumulative, (U,)),
    Entry(memo, (0.73, 4)),
    Entry(triangle_of_terms, (0.73, 4)),
    Entry(list_result_unpacked, (U,)),
    Entry(list_in_branch, (U, 0.4), (0, 1)),
    Entry(list_in_branch, (U, -0.4), (0, 1), note="other"),
    Entry(membership, (U,)),
    Entry(sums_appended, (U,)),
    Entry(argument_is_list, (XS,), like_only=True),
    Entry(argument_list_is_changed, (XS,), like_only=True),
    Entry(argument_list_of_arrays, ([U, U[::-1].copy()],), like_only=True),
    Entry(argument_list_appended, (XS,), like_only=True),
    Entry(given_pairs_beside_new_ones, (0.7, (1.5, 2.0), 3)),
    Entry(given_or_none_beside_new_ones, (U, U + 1.0, 4)),
    Entry(pairs_that_views_give, (U, [3, 1, 2]), like_only=True),
)
