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


def last_of(xs):
    return xs.pop()


def taken_by_a_function(u):
    left = [u[0], u[1] ** 2, 3.0 * u[2]]
    y, z = last_of(left), last_of(left)
    return y * z * left[-1] + len(left)


U = abs(numbers(5))

PROGRAMS = tuple(
    Entry(function, (U,))
    for function in (
        *(times_what_is_left, times_what_is_left_of_some, times_what_is_there),
        *(lengthened_by_a_list, shortened_by_a_slice, before_and_after, deleted_and_cleared),
        *(numbers_of_its_own, taken_by_a_function),
    )
)
assert np.all(U > 0.0)
