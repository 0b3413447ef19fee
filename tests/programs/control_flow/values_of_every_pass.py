"""Values that every pass of a loop computes alike are still there; others are not."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def first_pass_else(x, y):
    s = 0.0
    for t in range(3):
        b = a * 0.5 if t > 0 else x[0]  # noqa: F821
        a = b * b
        s = s + a * np.sum(x * y)
    return s


def zero_passes(x, y):
    s = np.sum(x)
    for _ in range(len(x) - 4):
        a, b = x[0], x[1]
        s = s * a * b + s**2
    return s


def param_changed_after(x, y):
    x = x.copy()
    s = 1.0
    for _ in range(3):
        a, b = x[0], x[1] * 2
        s = s * a * b + s**2
    x[0] = 3 * y[0]
    return s * x[0] * x[1]


def changed_in_outer(x, y):
    s = 1.0
    w = x.copy()
    for _ in range(3):
        for _ in range(2):
            a = w[0] * y[0]
            s = s * a + np.sin(s)
        w[0] = w[0] * 1.5
    return s


def rebound_outer(x, y):
    s = 1.0
    w = x
    for _ in range(3):
        for _ in range(2):
            a = np.sin(w) * y
            s = s * np.sum(a * a) + np.sin(s)
        w = w * y
    return s


def in_branch(x, y):
    s = 1.0
    for _ in range(4):
        if s < 2.0:
            a = np.exp(x[0]) * y
            s = s + np.sum(a * a * s)
        else:
            s = s * np.sin(s) * x[1]
    return s


def view_then_written(x, y):
    u = x.copy()
    s = 1.0
    for _ in range(3):
        v = u[1:]
        s = s * np.sum(v * v) * y[0]
        u[1:] = np.sin(u[1:])
    return s


def two_loops_one_name(x, y):
    s = 1.0
    for _ in range(3):
        a = x[0] * y[1]
        s = s * a + np.sin(s)
    for _ in range(2):
        a = x[1] * y[0]
        s = s * a + np.sin(s)
    return s


def counter_dep(x, y):
    s = 1.0
    for k in range(3):
        c = k * x[0]
        s = s * c + np.sin(s) + 0.3
    return s


def local_array(x, y):
    s = 1.0
    for _ in range(3):
        w = np.exp(x)
        w2 = w * y
        w2[0] = s
        s = np.sum(w2 * w) * 0.1
    return s


def rates(y, p):
    a, b = p[0], p[1]
    return np.array([a * y[0] - b * y[0] * y[1], a * y[0] * y[1] - b * y[1]])


def by_a_helper_that_unpacks(x, y):
    y = y[:2]
    s = 0.0
    while s < 2.0:
        k1 = rates(y, x)
        k2 = rates(y + 0.1 * k1, x)
        y = y + 0.05 * (k1 + k2)
        s = s + np.sum(y**2)
    return s


def broken(x, y):
    s = 1.0
    for _ in range(5):
        if s > 1.2:
            break
        a = np.exp(x)
        s = s + np.sum(a * a) * 0.1 * s
    return s


def list_item(x, y):
    ps = [x, y]
    s = 1.0
    for _ in range(3):
        a = ps[0]
        s = s * np.sum(a * a) * 0.5
        ps[0] = a * y
    return s


def stored_again_by_the_next_pass(x, y):
    u = x * y
    for i in range(1, len(x)):
        u[i] = u[i - 1] * y[i]
        u[i - 1] = x[i] * u[i]
    return np.sum(u**2)


def stored_from_either_end(x, y):
    n = len(x)
    u = np.zeros(n)
    for i in range(n):
        u[i] = x[i] * y[0] + u[-1]
        u[n - 1 - i] = y[i] * x[i] + u[i] ** 2
    return np.sum(u * y)


def stored_anew_by_an_outer_pass(x, y):
    u = np.zeros(len(x))
    total = 0.0
    for j in range(2):
        for i in range(1, len(x)):
            u[i] = u[i - 1] * y[j] + x[i]
        total += u[-1] ** 2
    return total


def stored_below_a_second_name(x, y):
    u = np.zeros(len(x))
    v = u[::-1]
    for i in range(1, len(x)):
        v[i] = u[i - 1] * y[i] + x[i]
        u[i] = v[i - 1] * x[i]
    return np.sum(u**2) + v[0]


def stored_before_a_slice_is_read(x, y):
    n = len(x)
    u = np.zeros(n)
    u[0] = x[0]
    for i in range(1, n):
        u[i] = np.sum(u[:i]) * y[i] + x[i]
        u[: i // 2] = y[i] * x[i]
    return np.sum(u**2)


def rebound_by_a_counter_of_its_own(x, y):
    s = x[0] * y[0]
    for _ in x[1:]:
        k = 0
        while k < 2:
            k += 1
            s = x[k]
    return s + np.sum(y * y)


def scaled_of_what_was_given(x, y, k):
    """In a loop that may not run the parameter is a number, in the next one it is changed in place."""
    while k < 0:
        k += 1
        y = 0.3 * np.sum(x)
    for _ in range(2):
        y *= np.tanh(y)
    return np.sum(x) * y


X, Y = 0.6 + 0.3 * numbers(4), 0.7 + 0.3 * numbers(4, start=0.1)

PROGRAMS = tuple(
    Entry(function, (X, Y), (0, 1))
    for function in (
        first_pass_else,
        zero_passes,
        param_changed_after,
        changed_in_outer,
        rebound_outer,
        in_branch,
        view_then_written,
        two_loops_one_name,
        counter_dep,
        local_array,
        by_a_helper_that_unpacks,
        broken,
        list_item,
        stored_again_by_the_next_pass,
        stored_from_either_end,
        stored_anew_by_an_outer_pass,
        stored_below_a_second_name,
        stored_before_a_slice_is_read,
        rebound_by_a_counter_of_its_own,
    )
)
PROGRAMS += (Entry(scaled_of_what_was_given, (X, 0.7, 0), (0, 1)),)
