"""Lists whose length is a part of what is computed, and changes while it is."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def times_what_is_left(u):
    left, s = list(u), 1.0
    while left:
        x = left.pop()
        s = s * 0.5 + x * len(left)
    return s


def times_what_is_left_of_some(u):
    left, s = list(u), 1.0
    for _ in range(3):
        x = left.pop()
        if x < 0.2:
            continue
        s = s + x * len(left)
    return s


def times_what_is_there(u):
    kept, s = [], 0.0
    for x in u:
        s = s + x * len(kept)
        kept.append(x * s)
        s = s * len(kept)
    return s + sum(kept)


def lengthened_by_a_list(u):
    kept, s = [u[0]], 1.0
    for x in u:
        kept += [x, x]
        s = s * 0.9 + x * len(kept) * kept[-1]
    return s


def shortened_by_a_slice(u):
    left, s = list(u), 1.0
    while len(left) > 1:
        left[-2:] = [left[-1] * left[-2]]
        s = s + len(left) * left[0] * u[0]
    return s


def before_and_after(u):
    left = list(u)
    y = u[0] * len(left)
    left.pop()
    return y * u[1] * len(left)


def deleted_and_cleared(u):
    left = list(u)
    y = u[0] * len(left)
    del left[0]
    z = y * len(left)
    left.clear()
    return y * z + len(left)


def numbers_of_its_own(u):
    v, s = [3.0, 1.0, 2.0], 0.0
    for i in range(3):
        s = s * v[0] + u[i] * v[-1]
        v.sort()
        v.reverse()
        v.extend([1.0 * i])
    return s


def deleted_while_a_copy_is_gone_through(u):
    left, s = [u[0], 1.5 * u[1], u[2] ** 2], 0.0
    for x in list(left):
        s = s + x * len(left)
        del left[0]
    return s


def lengthened_while_a_copy_is_gone_through(u):
    kept = [u[0], u[1] * u[2]]
    for x in kept[:]:
        kept.insert(1, 0.5 * x * x)
    return sum(kept) * kept[1]


def a_copy_of_what_was_deleted(u):
    left = [u[0], u[1] * u[2], u[3]]
    before = left.copy()
    del left[-2]
    left[0] = left[1] * before[1]
    return before[0] * left[0] + before[2]


def exchanged_after_a_slice_was_deleted(u):
    ends = [0.5, 0.1, 0.9]
    del ends[1:2]
    ends[0], ends[-1] = ends[-1], ends[0]
    return ends[0] * np.sum(u**2) + ends[1]


def arrays_deleted_from_a_list(u):
    rows = [u[:2], u[1:3], u * 2.0]
    for row in list(rows):
        del rows[0]
        row += u[0]
    return np.sum(u * u) + len(rows)


def grown_under_its_owner(u):
    bins = [[u[0]], [u[1]]]
    s = len(bins[1]) * u[2]
    bins[1].append(u[2])
    return s * u[0] + sum(bins[1])


def grown_unseen(u):
    first, s = [1.0], 0.5
    bins = [first, [2.0]]
    s = s + len(first) * u[0]
    bins[0].append(3.0)
    return s * u[1]


def counted_before_it_grows(u):
    bins, s = [[], []], 0.0
    for i, x in enumerate(u):
        n = len(bins[0])
        bins[i % 2].append(i)
        s += (n + 1) * x * x
    return s


def grown_unseen_in_passes(u):
    first, s = [1.0], 0.5
    bins = [first, [2.0]]
    for x in u:
        n = len(first)
        s = s * x if n > 2 else s + n * x * x
        bins[0].append(3.0)
    return s * u[1]


def asked_before_and_after(u):
    first = [1.0]
    bins = [first, [2.0]]
    s = 0.5 + len(first) * u[0] * u[0]
    for _ in u:
        bins[0].append(3.0)
    for k in range(len(first)):
        s = s * (1 + u[k % 3])
    return s * u[1]


def grown_on_one_way(u):
    first = [1.0]
    bins = {"a": first}
    s = 0.5 + len(first) * u[0] * u[0]
    if s > 0.1:
        bins["a"].append(3.0)
    return s * u[1]


def last_of(xs):
    return xs.pop()


def taken_by_a_function(u):
    left = [u[0], u[1] ** 2, 3.0 * u[2]]
    y, z = last_of(left), last_of(left)
    return y * z * left[-1] + len(left)


def item_of_what_gets_shorter(u):
    for _ in range(4):
        u = 0.4 * u[1:] + 0.6 * u[:-1] ** 2
        np.maximum(u, 0.1, out=u)
    return u.item() ** 2


U = abs(numbers(5))


def filled_longer_in_each_pass(u):
    s = u[0]
    for i in range(2):
        v = np.full(1 + 3 * i, s)
        s = s + np.sum(v * v) * 0.1
    return np.sum(v * v) * s


def cut_shorter_in_each_pass(u):
    s = u[0]
    for i in range(len(u)):
        v = s * u[i:]
        s = s + np.sum(v * v) * 0.1
    return np.sum(v * v) * s


def _first_or_all(x, c):
    if c > 0.0:
        return x[:1] * 2.0
    return x * 3.0


def _number_or_all(x, c):
    if c > 0.0:
        return x[0] * 2.0
    return x * 3.0


def one_or_all_by_an_early_return(x, y, c):
    return np.sum((_first_or_all(x, c) * y) ** 2)


def number_or_all_by_an_early_return(x, y, c):
    return np.sum((_number_or_all(x, c) * y) ** 2)


def both_by_early_returns(x, y, c):
    """What one call gives has one axis of length 1, what the other gives has all."""
    r = _first_or_all(x, c) + y
    return np.sum(r * r * _number_or_all(y, -c))


def parts_of_a_chosen_pair(x, y, c):
    a, b = (x[:1], y) if c > 0.0 else (x, y[:1])
    return np.sum(a * b * x) + np.sum(a) * b[0]


def a_pair_of_one_or_the_other(x, y, c):
    """Of the one that is not taken the gradient is an array of zeros."""
    a, b = (x, 2.0 * x) if c > 0.0 else (y, 3.0 * y)
    return np.sum(a * b)


PROGRAMS = tuple(
    Entry(function, (U,))
    for function in (
        *(times_what_is_left, times_what_is_left_of_some, times_what_is_there),
        *(lengthened_by_a_list, shortened_by_a_slice, before_and_after, deleted_and_cleared),
        *(numbers_of_its_own, taken_by_a_function, deleted_while_a_copy_is_gone_through),
        *(lengthened_while_a_copy_is_gone_through, a_copy_of_what_was_deleted),
        *(exchanged_after_a_slice_was_deleted, item_of_what_gets_shorter),
    )
)
PROGRAMS += tuple(
    Entry(function, (U,), may_refuse=True)
    for function in (
        arrays_deleted_from_a_list,
        grown_under_its_owner,
        grown_unseen_in_passes,
        asked_before_and_after,
    )
)
PROGRAMS += tuple(
    Entry(function, (U,)) for function in (counted_before_it_grows, grown_unseen, grown_on_one_way)
)
PROGRAMS += tuple(
    Entry(function, (U,)) for function in (filled_longer_in_each_pass, cut_shorter_in_each_pass)
)
PROGRAMS += tuple(
    Entry(function, (U, numbers(len(U)), c), (0, 1), note=str(c))
    for c in (-1.0, 1.0)
    for function in (
        *(one_or_all_by_an_early_return, number_or_all_by_an_early_return),
        *(both_by_early_returns, parts_of_a_chosen_pair, a_pair_of_one_or_the_other),
    )
)
assert np.all(U > 0.0)
