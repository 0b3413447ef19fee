"""Lists that loops fill and that are joined to arrays: how long they are is known, or it is not."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def rebound(x, y):
    hs = []
    for t in range(len(x)):
        hs = []
        hs.append(x[t] * y)
    return np.sum((np.array(hs) - y) ** 2)


def left_while_filling(x, y):
    hs = []
    for t in range(len(x)):
        hs.append(x[t] ** 2)
        if t == 1:
            break
    return np.sum((np.array(hs) * np.ones((3, 1))) ** 2)


def iterated(x, y):
    it = iter(x)
    first = next(it)
    hs = []
    for v in it:
        hs.append(v**2)
    return np.sum(np.array(hs) ** 2) * first


def second_name(x, y):
    hs = []
    other = hs
    for v in x:
        hs.append(v)
        other.append(v**2)
    return np.sum(np.array(hs) ** 2)


def popped(x, y):
    hs = [x[0]]
    for v in x:
        hs.append(v**2)
    hs.pop()
    return np.sum(np.array(hs) ** 2 * x)


def one_row(x, y):
    hs = []
    for t in range(1):
        hs.append(x * t + x)
    return np.sum((np.array(hs) - np.outer(y, x)) ** 2)


def skipping(x, y):
    hs = []
    for v in x:
        if v > 0.5:
            continue
        hs.append(v)
    return np.sum(np.array(hs) ** 2)


def nested(x, y):
    hs = [x[0]]
    for a in x:
        for b in y:
            hs.append(a * b)
    return np.sum((np.array(hs)[1:] - np.concatenate([x] * len(y))) ** 2)


def growing(x, y):
    hs = []
    for i in range(len(x)):
        for j in range(i):
            hs.append(x[i] * y[j])
    return np.sum(np.array(hs) ** 3)


def extended_beside_numbers(x, y):
    hs = []
    for a in x:
        hs.append(a)
        hs.extend([a * a, a])
    return np.sum(np.array(hs) ** 3)


def negative(x, y):
    hs = [x[0] * y[0]]
    for k in range(len(x) - 4):
        hs.append(x[k])
    return np.sum(np.array(hs) ** 2)


def add_square(hs, a):
    hs.append(a * a)


def by_helper(x, y):
    hs = []
    for a in x:
        hs.append(a)
        add_square(hs, a)
    return np.sum(np.array(hs) ** 3)


def item_stored(x, y):
    hs = []
    for a in x:
        hs.append(a * y)
    hs[0] = x * x
    return np.sum((np.array(hs) - x) ** 3)


def rows_shared(x, y):
    hs = []
    u = x * y
    for _ in x:
        hs.append(u)
    A = np.array(hs)
    for h in hs:
        h *= 2.0
    return np.sum(np.array(hs) ** 2 - A * y)


def stacked(x, y):
    hs = [x]
    for _ in range(3):
        hs.append(np.sin(hs[-1]) * y)
    return np.sum((np.stack(hs) - np.mean(hs, axis=0)) ** 2) + np.sum(np.max(hs, axis=0))


def zipped_beside_numbers(x, y):
    hs = []
    for a, b in zip(x, y, strict=True):
        hs.append([a * b, a])
    A = np.array(hs)
    return np.sum((A - np.mean(A, axis=0)) ** 2)


def in_while(x, y):
    hs = []
    k = 0
    while k < 2:
        hs.append(x[k] * y)
        k += 1
    return np.sum((np.array(hs) - x) ** 2)


def early(x, y):
    hs = []
    for a in x:
        if a > 1e9:
            return a
        hs.append(a * a)
    return np.sum((np.array(hs) - y) ** 2)


def filled_again(x, y):
    total = 0.0
    for k in range(2):
        hs = []
        for a in x:
            hs.append(a * y[k])
        total += np.sum((np.array(hs) - x) ** 2)
    return total


def outer_list(x, y):
    hs = []
    total = 0.0
    for a in x:
        hs.append(a * y)
        total += np.sum((np.array(hs) - x) ** 2)
    return total


def item_of_another_length(x, y):
    hs = [np.sin(x), np.cos(x)]
    hs[0] = hs[0][:1]
    return np.sum(hs[0] * y) + np.sum(hs[1])


def items_cut_in_passes(x, y):
    hs = [np.sin(x), np.cos(x)]
    for k in range(2):
        hs[k] = hs[k][1:] * y[1]
    return np.sum(hs[0] * y[1:]) + np.sum(hs[1] ** 2)


def items_scaled_by_their_own(x, y):
    hs = [np.sin(x), np.cos(x)]
    hs[0] = hs[0] * hs[0][1]
    hs[1] = hs[1][1:] - hs[1][:-1]
    return np.sum(hs[0] * y) + np.sum(hs[1] ** 2)


def items_cut_by_another_name(x, y):
    hs = [np.sin(x), np.cos(x)]
    same = hs
    hs[0] = same[0][:2] * y[0]
    same[1] = hs[0] + hs[1][2:]
    return np.sum(same[0] * same[1] ** 2)


def items_of_rows_that_are_cut(x, y):
    hs = [[np.sin(x)], [np.cos(x)]]
    for row in hs:
        row[0] = row[0][:-1] * row[0][1] + y[0]
    hs[0][0] = hs[0][0][:2]
    return np.sum(hs[0][0] ** 2) + np.sum(hs[1][0] * y[1:])


class Layers:
    def __init__(self, x):
        self.a = np.sin(x)
        self.both = [self.a, 2.0 * x]
        self.c = self.both[0] * self.a

    def shorten(self):
        self.a = self.a[1:] * self.a[:-1]
        self.both[0] = self.both[0][::2] + self.both[1][::2]


def fields_that_are_cut(x, y):
    layers = [Layers(x), Layers(y)]
    for layer in layers:
        layer.shorten()
    return sum(np.sum(m.a) + np.sum(m.both[0] * m.both[1][0]) + np.sum(m.c) for m in layers)


def fields_made_of_others_in_passes(x, y):
    layers = []
    for k in range(3):
        layer = Layers(x * k)
        layers.append(layer)
        y = y + layer.both[1] * layer.both[0] * layer.c
    return sum(np.sum(m.a) + np.sum(m.both[0] * m.both[1][0] * m.c * y) for m in layers)


def a_row_of_a_list_gets_longer(x, y):
    held = [[x * 1.0, np.sin(y)], [np.cos(x)]]
    held[0][0] = np.append(held[0][0], y[0] * 1.5)
    held[0][1] *= 0.9
    return np.sum(held[0][0] ** 2) + np.sum(held[0][0]) * np.sum(held[0][1] * held[1][0])


def items_of_one_value(x, y):
    held = {"a": x * x[1], "b": x * x[1]}
    held["b"] += held["b"][0]
    pair = [x * y[0], x * y[0]]
    pair[0] *= y
    return np.sum(held["a"]) * np.sum(held["b"]) + np.sum(pair[0] * pair[1])


def a_copy_takes_the_place_of_what_it_copies(x, y):
    w = np.cos(x)
    held = [w, np.sin(y)]
    held[0] = held[0].copy()
    for k in range(2):
        held[k] *= 0.9
    return np.sum(held[0]) + np.sum(w) * y[0] + np.sum(held[1])


class Pair:
    def __init__(self, x, y):
        self.first = x * 1.0
        self.second = y * x[1]

    def damp(self):
        self.second *= 0.9


def a_field_that_is_written_and_not_read(x, y):
    pair = Pair(x, y)
    pair.damp()
    return np.sum(pair.first * y)


def items_that_grow(x, y):
    hs = []
    for k in range(2):
        hs.append(np.sin(x * k))
    for k in range(3):
        hs[k % 2] = np.concatenate([hs[k % 2], y[:1]])
    return sum(np.sum(h * h[0]) for h in hs)


def items_that_change_places(x, y):
    hs = [np.sin(x), np.cos(x)]
    hs[0], hs[1] = hs[1][:1], hs[0][1:]
    return np.sum(hs[0] * y) + np.sum(hs[1])


# [None] * n, filled in later, is an array of numbers or arrays when all of it is there


def sums_in_places(x, y):
    sums, s = [None] * len(x), 0.0
    for i in reversed(range(len(x))):
        s = s + x[i] * y[i]
        sums[i] = s
    return np.sum(np.array(sums) ** 2) * sums[0]


def vectors_in_places(x, y):
    rows = [None, None, None]
    for i in range(3):
        rows[i] = x * y[i]
    return np.sum(np.stack(rows) ** 2) + np.sum(np.array(rows)[1])


def table_of_places(x, y):
    table = [[None] * len(x) for _ in y]
    for i in range(len(y)):
        for j in range(len(x)):
            table[i][j] = y[i] * x[j] ** 2
    return np.sum(np.array(table)) * table[0][1]


def numbers_that_arrays_replace(x, y):
    kept, states = 3 * [0.0], [0] * (len(x) + 1)
    for t in range(len(x)):
        states[t + 1] = 0.5 * states[t] + x[t] * y
    for k in range(3):
        kept[k] = states[k + 1] * y[k]
    return sum(np.sum(row**2) for row in kept) + np.sum(states[-1] ** 3)


X, Y = 0.6 + 0.4 * numbers(4), 0.7 + 0.3 * numbers(4, start=0.1)

PROGRAMS = tuple(
    Entry(function, (X, Y), (0, 1))
    for function in (
        rebound,
        left_while_filling,
        iterated,
        second_name,
        popped,
        one_row,
        skipping,
        nested,
        growing,
        extended_beside_numbers,
        negative,
        by_helper,
        item_stored,
        rows_shared,
        stacked,
        zipped_beside_numbers,
        in_while,
        early,
        filled_again,
        outer_list,
        item_of_another_length,
        items_cut_in_passes,
        a_copy_takes_the_place_of_what_it_copies,
        a_field_that_is_written_and_not_read,
        a_row_of_a_list_gets_longer,
        items_of_one_value,
        items_scaled_by_their_own,
        items_cut_by_another_name,
        items_of_rows_that_are_cut,
        fields_that_are_cut,
        fields_made_of_others_in_passes,
        items_that_grow,
        items_that_change_places,
        sums_in_places,
        vectors_in_places,
        table_of_places,
        numbers_that_arrays_replace,
    )
)
