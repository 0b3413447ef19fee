"""Lists of several kinds of values: positions and counts, words and lists beside numbers."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def edges_with_weights(y):
    total = 0.0
    for i, j, weight in [[0, 1, 2.0], [1, 2, 3.0], [2, 3, 1.5]]:
        total = total + weight * (y[i] - y[j]) ** 2
    return total


def edges_in_order(y):
    edges = [[0, 1, y[0]], [1, 2, 3.0], [2, 3, 1.5]]
    edges.sort(key=lambda edge: edge[2])
    return sum((k + 1) * w * (y[i] - y[j]) ** 2 for k, (i, j, w) in enumerate(edges))


def a_queue_of_depths(y):
    waiting, total = [[0, y[0]]], 0.0
    while waiting:
        depth, value = waiting.pop(0)
        total = total + value**2 * y[depth]
        if depth < 3:
            waiting.append([depth + 1, value * y[depth]])
    return total


def the_best_and_its_place(y):
    best = [y[1], 0]
    for i in range(4):
        if y[i] > best[0]:
            best = [y[i], i]
    return best[0] * y[best[1]]


def a_value_and_its_count(y):
    state = [y[0], 1]
    for _ in range(3):
        state[0] *= y[1]
        state[1] += 1
    return state[0] * np.sum(np.ones(state[1]))


def blocks_that_are_merged(y):
    """Pool adjacent violators: a mean and how many it is of."""
    blocks = []
    for value in y:
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (b, m), (a, n) = blocks.pop(), blocks.pop()
            blocks.append([(a * n + b * m) / (n + m), n + m])
    fitted = np.concatenate([np.full(n, mean) for mean, n in blocks])
    return np.sum((y - fitted) ** 2) + np.sum(fitted**3)


def repeated_so_often(y):
    runs, out = [[value, 2] for value in y], []
    for value, count in runs:
        out.extend([value] * count)
    return np.sum((y[0] - np.array(out)) ** 3)


def words_beside_numbers(y):
    pairs = [["first", y[0]], ["second", y[1]]]
    return sum(value * (3.0 if word == "first" else 2.0) for word, value in pairs)


def lists_beside_numbers(y):
    rows = []
    for value in y:
        rows.append([value, [1.0, value]])
    return sum(value**2 * inner[1] for value, inner in rows)


def one_that_grows(y):
    held = [y[0], 2]
    held.append(3)
    held += [y[1]]
    return held[0] ** 2 * held[2] * held[3]


def one_that_is_repeated(y):
    held = [2, y[0]]
    twice = held * 2
    first, *rest = held
    return sum(twice) * twice[3] + first * rest[0]


def one_under_a_key(y):
    state = {"a": [y[0], 3]}
    state["a"][0] *= 2
    return np.sum(np.full(state["a"][1], state["a"][0]) * y[1])


class Holder:
    def __init__(self, value):
        self.pair = [value, 2]


def one_in_a_field(y):
    holders = [Holder(value) for value in y]
    for holder in holders:
        holder.pair[0] **= 2
        holder.pair[1] += 1
    return sum(np.sum(np.full(h.pair[1], h.pair[0])) for h in holders)


def as_arrays(*values):
    return [np.array(each) if isinstance(each, list) else each for each in values]


def vectors_beside_matrices(y):
    y, matrix, weights = as_arrays(y, np.outer(y, y), [1.0, 2.0, 3.0, 4.0, 5.0])
    made = as_arrays(matrix, weights)
    return np.linalg.norm(matrix @ weights - y) + np.sum(made[0].T @ made[1])


def an_array_before_a_tuple(x):
    for _ in range(3):
        x = x[0] * 2.0, x[1]
    return x[0] * x[1]


def a_tuple_before_a_list(x):
    for _ in range(3):
        x = [x[0] * 2.0, x[1]]
    return x[0] * x[1]


def a_list_or_what_is_handed_in(x):
    made = [x[0] * 2.0, x[1]]
    if x[0] > 0.5:
        made = x
    return made[0] * made[1]


def what_is_handed_in_before_a_list(x):
    for k in range(3):
        made = x if k == 0 else [made[0] * 2.0, made[1]]  # noqa: F821
    return made[0] * made[1]


def an_entry_that_becomes_a_tuple(x):
    entries = {"pair": x}
    for _ in range(3):
        entries["pair"] = (entries["pair"][0] * 2.0, entries["pair"][1])
    return entries["pair"][0] * entries["pair"][1]


def a_list_where_something_was_raised(x):
    made = x
    try:
        if x[0] > 0.5:
            raise ValueError
    except ValueError:
        made = [x[0] * 2.0, x[1]]
    return made[0] * made[1]


OF_SOME_KIND = (
    an_array_before_a_tuple,
    a_tuple_before_a_list,
    a_list_or_what_is_handed_in,
    what_is_handed_in_before_a_list,
    an_entry_that_becomes_a_tuple,
    a_list_where_something_was_raised,
)

PROGRAMS = (
    *(
        Entry(function, (args,), may_refuse=True, note=note, like_only=note == "tuple")
        for function in OF_SOME_KIND
        for note, args in (("array", np.array([0.7, 1.3])), ("tuple", (0.7, 1.3)))
    ),
    Entry(one_that_is_repeated, (numbers(5),), may_refuse=True),
    Entry(lists_beside_numbers, (numbers(5),), may_refuse=True),
    *(
        Entry(function, (numbers(5),))
        for function in (
            edges_with_weights,
            edges_in_order,
            a_queue_of_depths,
            the_best_and_its_place,
            a_value_and_its_count,
            blocks_that_are_merged,
            repeated_so_often,
            words_beside_numbers,
            one_that_grows,
            one_under_a_key,
            one_in_a_field,
            vectors_beside_matrices,
        )
    ),
)
