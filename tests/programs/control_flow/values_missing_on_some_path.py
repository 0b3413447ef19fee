"""Programs with values that some path does not make, overwrites, or leaves before they are read."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def length_of_what_is_filled(v, y):
    m = 0
    while m < 3:
        filled = np.empty_like(v)
        for i in range(4):
            filled[i] = np.tanh(v[i])
        y = 2.0 + np.sin(len(filled) * 0.1 * y)
        while y > 0.77:
            y = 0.6 * y
            if filled[(m + 1) % 4] > 0.1:
                break
        m += 1
    return np.sum(v * v) + y


def written_after_one_return(y, r, h):
    for _ in range(3):
        r = r / (1.5 + np.cos(h) ** 2)
        h = h * y
    if y > 0.5:
        return 1.0 / (2.0 + np.cos(y)) + np.sum(h)
    r += 0.5
    return np.sum(h) + y + np.sum(r)


def written_on_both_sides(u, c):
    u = u * c
    if c > 0.5:
        u -= 1.0
    else:
        u += 1.0
    s = 0.0
    if c > 0.2:
        s = np.sum(u * u)
    return s + c


def element_written_after_one_return(u, c):
    u[:2] = 0.5
    if c > 0.5:
        return 1.0
    u[0] += 0.3
    return np.sum(u * u) * c


def elements_written_in_a_loop_after_one_return(u, c):
    u = u * c
    if c > 0.5:
        return np.sum(u * u)
    for i in range(2):
        u[i] += u[i + 1]
        if u[i] > 0.6:
            u[i] = c
    return np.sum(u * u) * c


def return_of_what_is_bound_inside(w, c):
    if c > 0.0:
        p = w[1]
        if c > 1.0:
            return p * w[0]
    return w[2] * c


def bound_by_the_pass_before(x, n):
    s = 0.5
    for i in range(n):
        if i > 0:
            s = s + np.sum(w * x)  # noqa: F821
        w = x * x * s  # noqa: F841
    return s * x[0]


def written_by_the_pass_before(x, n):
    s = 0.5
    for i in range(n):
        if i > 0:
            s = s + np.sum(w * x)  # noqa: F821
        w = x * x * s
        w[0] = s
    return s * x[0]


def bound_in_the_first_pass(x, n):
    s = 0.5
    for i in range(n):
        if i == 0:
            w = x * x * s
        s = s + np.sum(w * x)
    return s


def bound_in_every_other_pass(x, n):
    s = 0.5
    for i in range(n):
        if i % 2 == 0:
            w = x * x * s
            k = s * 2.0
        s = s + np.sum(w * x) * k
    return s * k


def bound_by_a_pass_of_a_loop_inside(x, n):
    s = 0.5
    for j in range(2):
        for i in range(n):
            if i + j > 0:
                s = s + np.sum(w * x)  # noqa: F821
            w = x * x * s  # noqa: F841
    return s


def item_written_after_pop(w, h):
    hist = []
    hist.append(np.sin(w) * h)
    w = hist.pop()
    w[1:] += 0.3
    return np.sum(w * w) + np.mean(h)


def left_by_an_inner_loop(u, c):
    for i in range(4):
        c = c * u[i]
        if c < 0.9:
            for _ in range(3):
                c = c * c
                if c < 0.01:
                    return c * u[0]
        c = np.sin(c)
    return c


def exchanged_on_a_way_not_taken(u, x):
    for _ in range(3):
        if x > u[0]:
            x = x * 0.5
        else:
            total = 0.0
            for _ in range(2):
                total += 0.5 * np.cos(u)
                kept = total.copy()
            for _ in range(3):
                u, kept = kept * 1.5, np.sin(u)
    return np.sum(np.tanh(u)) * x


U = np.abs(numbers(4)) + 0.2

PROGRAMS = (
    Entry(length_of_what_is_filled, (U, 0.4), (0, 1)),
    Entry(written_after_one_return, (0.7, U, U[::-1].copy()), (0, 1, 2), note="first"),
    Entry(written_after_one_return, (0.4, U, U[::-1].copy()), (0, 1, 2), note="second"),
    Entry(written_on_both_sides, (U, 0.7), (0, 1), note="then"),
    Entry(written_on_both_sides, (U, 0.3), (0, 1), note="else"),
    Entry(written_on_both_sides, (U, 0.1), (0, 1), note="unread"),
    Entry(element_written_after_one_return, (U, 0.7), (0, 1), note="first"),
    Entry(element_written_after_one_return, (U, 0.3), (0, 1), note="second"),
    Entry(elements_written_in_a_loop_after_one_return, (U, 0.7), (0, 1), note="first"),
    Entry(elements_written_in_a_loop_after_one_return, (U, 0.3), (0, 1), note="second"),
    Entry(return_of_what_is_bound_inside, (U, 1.7), note="inside"),
    Entry(return_of_what_is_bound_inside, (U, 0.7), note="bound"),
    Entry(return_of_what_is_bound_inside, (U, -0.7), note="unbound"),
    Entry(bound_in_the_first_pass, (U, 3)),
    Entry(bound_in_every_other_pass, (U, 3)),
    Entry(bound_by_a_pass_of_a_loop_inside, (U, 2)),
    *(Entry(bound_by_the_pass_before, (U, n), note=f"{n}-passes") for n in (0, 1, 3)),
    *(Entry(written_by_the_pass_before, (U, n), note=f"{n}-passes") for n in (0, 1, 3)),
    Entry(exchanged_on_a_way_not_taken, (U, 50.0), (0, 1), note="never"),
    Entry(exchanged_on_a_way_not_taken, (U, 0.1), (0, 1), note="taken"),
    Entry(item_written_after_pop, (U, U[::-1].copy()), (0, 1)),
    Entry(left_by_an_inner_loop, (U, 0.7), (0, 1), note="left"),
    Entry(left_by_an_inner_loop, (U + 1.5, 0.7), (0, 1), note="through"),
)
