"""Copies of what NumPy gives to be read alone, which are written to: np.broadcast_to(u, shape).copy()."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.programs.entry import Entry, numbers

U = numbers(4)


def stretched_and_copied(u):
    a = np.broadcast_to(u * 2.0, (3, 4))
    a = a.copy()
    np.add.at(a, ([0, 1, 0], [1, 2, 1]), u[0])
    return np.sum(a**2)


def a_part_of_what_is_stretched(u):
    a = np.broadcast_to(u * 2.0, (3, 4))
    b = a[1:]
    b = b.copy()
    b[0] *= u
    return np.sum(b**2)


def windows(u):
    w = sliding_window_view(u, 2)
    w = w.copy()
    w[0] *= 3.0
    return np.sum(w**2)


def a_diagonal(u):
    d = np.diagonal(np.outer(u, u))
    d = d.copy()
    d[1:] *= u[0]
    return np.sum(d**2)


def stretched_to_each_other(u):
    a, b = np.broadcast_arrays(u, u[:, None])
    a = a.copy()
    a[0] *= u[1]
    return np.sum(a * b)


def stretched_and_turned(u):
    a = np.broadcast_to(u, (2, 4)).T
    a = a.copy()
    a[0, 0] = u[1] ** 2
    a[1:, 1] *= 2.0
    return np.sum(a**2)


def stretched_and_copied_in_each_pass(u):
    a = np.broadcast_to(u * 2.0, (3, 4))
    for k in range(2):
        a = a.copy()
        a[k] *= u
    return np.sum(a**2)


def a_name_that_held_what_was_written(u, v, c):
    """The tangent of h is a copy of that of w, and was one that is read nowhere before it."""
    s = c * 1.5
    w = u * c
    h = u * 0.8
    u = h.astype(h.dtype, copy=False)
    h[1:] += np.sum(h * (u > 0.4))
    h = w * 1
    return s + np.sum(w) + np.sum(v * h)


PROGRAMS = (
    Entry(a_name_that_held_what_was_written, (U, U + 0.4, 0.3), (0, 1, 2)),
    *(
        Entry(function, (U,))
        for function in (
            stretched_and_copied,
            a_part_of_what_is_stretched,
            windows,
            a_diagonal,
            stretched_to_each_other,
            stretched_and_turned,
            stretched_and_copied_in_each_pass,
        )
    ),
)
