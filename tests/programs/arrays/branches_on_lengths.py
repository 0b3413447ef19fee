"""Branches on how long an axis is, whose sides give arrays of other ranks and shapes."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def checked(x):
    x = np.atleast_1d(x)
    shape = np.shape(x)
    if len(shape) > 1:
        raise ValueError("a vector is needed")
    elif shape[0] == 1:
        x = x[0]
    return x, np.size(x)


def as_rows(x):
    x = np.atleast_2d(x)
    if x.shape[1] != 3:
        x = x.T
    count = x.shape[0]
    if count == 1:
        x = x.reshape(x.shape[1])
    return x, count


def a_number_alone(x, w):
    a, n = checked(x)
    b, m = checked(w)
    if n != m:
        raise ValueError("of other lengths")
    both = np.vstack((a * b, a)).T
    return np.sum(both.reshape(2) ** 2) if n == 1 else np.sum(both)


def one_row_alone(x, w):
    rows, count = as_rows(x)
    given, _ = as_rows(w)
    if count == 1:
        return np.dot(rows, given)
    return np.sum(rows * given)


def shape_that_is_compared(x, w):
    if x.shape == (3,) and w.shape == x.shape:
        w = w[:, None]
    return np.sum((x * w) @ np.ones(3))


def shape_taken_apart(x):
    pair = np.array([[x, x * x]])
    n, k = pair.shape
    if n == 1 and k > 1:
        pair = pair[0]
    return pair[0] * pair[1] * k


def part_of_a_shape(x):
    pair = np.array([[x, x * x]])
    if pair.shape[:1] == (1,):
        pair = pair[0]
    return pair[0] * pair[1] * len(pair)


V, W = numbers(3), numbers(3, start=0.1)
PROGRAMS = (
    Entry(a_number_alone, (0.7, 1.3), (0, 1), like_only=True),
    Entry(one_row_alone, (V, W), (0, 1), like_only=True),
    Entry(shape_that_is_compared, (V, W), (0, 1), like_only=True),
    Entry(shape_taken_apart, (0.7,), like_only=True),
    Entry(part_of_a_shape, (0.7,), like_only=True),
)
