"""Names that are one array on some ways only: writes reach the other name where they are one."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def by_a_conditional_expression(u, c):
    v = u * 2
    w = v if c > 0 else u * 3
    w[1] = w[0] ** 2
    return np.sum(v * u) + np.sum(w * w * w)


def bound_anew_on_one_side(u, c):
    v = u * 2
    w = v
    if c > 0:
        w = u * 3
    for k in range(3):
        w[k] = w[k - 1] ** 2 * v[k]
        v[0] += w[2]
    return np.sum(v * u) + np.sum(w * w * w)


def bound_anew_in_some_passes(u, c):
    h = u * 1.0
    r = h
    for t in range(3):
        if u[t] * c > 0.2:
            h -= np.tanh(r * u)
        else:
            r = np.sin(h)
        h *= 1.1
    return np.sum(h * r * u)


def named_in_some_passes(u, c):
    h = u * 1.0
    r = h * 2
    t = 0
    while t < 4:
        if u[t] * c > 0.1:
            r = h
        r[t] = r[0] * c
        h[1] = r[2] * h[0]
        t += 1
    return np.sum(h * r * u)


def a_row_or_a_copy(u, c):
    A = np.outer(u, u)
    if c > 0:
        row = A[1]
    else:
        row = A[0].copy()
    row *= u
    A[1, 2] = row[0] * c
    return np.sum(A * A) + row @ u


def copied_in_one_pass_and_named_in_another(u, c):
    a = u * 1.0
    b = a
    s = 0.0
    for i in range(4):
        s += np.sum(a * b)
        if i == 1:
            b = b.copy()
        a[i] = s * c
        if i == 2 and c > 0:
            b = a
    b *= 2
    return np.sum(a * b * u) + s


def branches_in_branches(u, c):
    a = u * 1.0
    w = a
    if c > 0:
        if u[0] > 0:
            w = u * 2
        w[0] = a[1]
    elif u[1] < 0:
        w = w * 1.0
    a[2] = w[0] * w[3]
    z = w
    z[1] = 3 * c
    return np.sum(a * u * w)


def as_many_passes_as_elements(u, c):
    a = u * 1.0
    w = a
    for _ in range(len(u)):
        w = w * 1.0
    w[0] = c
    return np.sum(a * w)


def one_or_the_other_in_every_pass(u, c):
    a = u * 1.0
    for i in range(3):
        w = a if u[i] * c > 0 else a * 2
        w[i] *= 1.5
        a = w
    w[0] = c
    return np.sum(a * w * u)


def turned_or_not(u, c):
    S = np.outer(u, u)
    T = S.T if c > 0 else S * 2
    T[0] = T[1] * c
    S[2] += T[0]
    return np.sum(S * S * T)


def maybe(x, c):
    if c > 0:
        return x
    return x * 2.0


def given_back_or_not(u, c):
    v = u * 1
    w = maybe(v, c)
    w[0] = 3 * c
    return np.sum(v * w)


def one_named_after_the_other_on_either_side(u, c):
    h, v = u * 1.0, u * 2.0
    if c > 0:
        h = v
    else:
        v = h
    h[0] = v[1] * 3.0
    v[2] *= h[0] * c
    return np.sum(h * v * u)


def exchanged_and_named_in_passes(u, c):
    h, v = u * 1.0, u * 2.0
    for i in range(3):
        h, v = v, h
        w = h
        w[i] = w[i - 1] * v[i] * c
        if c > u[i]:
            v = h
    return np.sum(h * v * w)


def a_number_that_grows_into_an_array(u, c):
    total, w = c, 0.0
    for i in range(2):
        total += u * (i + 1.0)
        total *= u
        w = w + c
    return np.sum(total) * w * c


def one_of_two_units(u, c):
    pose, step = np.eye(2), np.eye(2)
    for i in range(len(u)):
        step = np.eye(2)
        step[0, 1] = c * u[i]
        step[1, 0] = -u[i]
        pose = pose @ step
    return pose[0, 1] * pose[1, 1]


def parts_of_what_is_replaced(u, c):
    A = np.outer(u, u)
    v, w = A[1], A[1]
    if c > 0:
        A = np.cos(A)
    w[0] += 1.5 * w[-1]
    return np.sum(v * v) + np.mean(w) + np.sum(A)


def parts_of_what_passes_replace(u, c):
    A = np.outer(u, u)
    v, w = A[1], A[1]
    n = 0
    while n < 5 * c:
        n += 1
        A = np.cos(A - w * v)
    for _ in range(2):
        w[0] += 1.5 * w[-1]
    return np.sum(v * v) + np.mean(w) + np.sum(A)


def overlapping_parts_of_what_is_replaced(u, c):
    a = u * u
    v, w = a[:-1], a[1:]
    if c > 0:
        a = np.sin(a)
    v[1] = 3.0 * w[0]
    a[0] = 2.0 * a[1]
    return np.sum(v * v) + np.sum(w * c) + np.sum(a)


def other_names_of_what_is_replaced(u, c):
    a = u * u
    v = a
    w = a
    if c > 0:
        a = np.sin(a)
    v[1] = 3.0 * w[0]
    return np.sum(v * v) + np.sum(w * c) + np.sum(a)


def a_part_of_a_part_that_is_replaced(u, c):
    A = np.outer(u, u)
    v = A[1]
    w = v[1:]
    if c > 0:
        v = 2.0 * v
    w[0] = c * w[1]
    return np.sum(A * A) + np.sum(v)


def written_to_one_after_the_other(u, c):
    A = np.outer(u, u)
    v, w = A[1], A[1]
    if c > 0:
        A = np.cos(A)
    w[0] = c * w[1]
    A[1] = A[0] * 2.0
    v[1] = 3.0
    return np.sum(A * A) + np.sum(v * u) + np.sum(w)


def replaced_on_both_ways_to_one(u, c):
    A = np.outer(u, u)
    v = A[1]
    if c > 0:
        v = v * 2.0
    else:
        A = A * 2.0
    v[0] = c * v[1]
    A[1, 2] = 0.5
    return np.sum(A * A) + np.sum(v * u)


def exchanged_and_named_on_one_side(u, c):
    a, s = u * 1.0, 0.0
    v = a[:]
    w = np.cos(v)
    a = a * 1.1
    for _ in range(2):
        w, u = u, w
        if c > 0:
            v = u * 1.5
        else:
            u = v
        for _ in range(2):
            s += np.sin(w[1])
            v[-1] -= 0.3 * v[-1]
    return s


U = numbers(4) + 0.2

REPLACED = (
    *(parts_of_what_is_replaced, parts_of_what_passes_replace),
    *(overlapping_parts_of_what_is_replaced, other_names_of_what_is_replaced),
    *(a_part_of_a_part_that_is_replaced, written_to_one_after_the_other),
    *(replaced_on_both_ways_to_one, exchanged_and_named_in_passes),
    exchanged_and_named_on_one_side,
)


def left_in_a_branch_that_is_beside_a_second_name(u, M):
    for j in range(2):
        y = np.sqrt(1.5 + M[j, 5 - j] ** 2)
        for k in range(1):
            match k:
                case 0:
                    pass
                case 1 | 2:
                    y *= 0.5 * sum(u)
    u = np.sin(u)
    s = 0.0
    for i in range(6):
        s += u[i] ** 2
        if u[i] > 0.0:
            if i > 1:
                break
        else:
            x = 0.0
            y = x
    return s


def given_back_in_a_branch_that_is_beside_a_second_name(u, M):
    for j in range(2):
        y = np.sqrt(1.5 + M[j, 5 - j] ** 2)
        for k in range(1):
            match k:
                case 0:
                    pass
                case 1 | 2:
                    y *= 0.5 * sum(u)
    s = 0.0
    for i in range(6):
        s += np.sin(u[i]) ** 2
        u = u * 1.1
        if u[i] > 0.0:
            if i > 1:
                return s * u[0]
        else:
            x = 0.0
            y = x
    return s


LEFT = (
    left_in_a_branch_that_is_beside_a_second_name,
    given_back_in_a_branch_that_is_beside_a_second_name,
)


def ends_of_a_tuple_that_grows(u):
    held = (u,)
    for i in range(2):
        held += (np.sin(u) + i,)
        if u[i] > 0.4:
            held = (u, *held)
        else:
            held += (u,)
    return np.sum(held[-1] * held[0])


PROGRAMS = tuple(
    Entry(function, (U, c), (0, 1), note=note)
    for function in (
        by_a_conditional_expression,
        bound_anew_on_one_side,
        bound_anew_in_some_passes,
        named_in_some_passes,
        a_row_or_a_copy,
        copied_in_one_pass_and_named_in_another,
        branches_in_branches,
        as_many_passes_as_elements,
        one_or_the_other_in_every_pass,
        turned_or_not,
        given_back_or_not,
        one_named_after_the_other_on_either_side,
    )
    for c, note in ((0.5, ""), (-0.5, "other"))
)
PROGRAMS += tuple(
    Entry(function, (U, c), (0, 1), may_refuse=True, note=note)
    for function in REPLACED
    for c, note in ((0.5, ""), (-0.5, "other"))
)
PROGRAMS += (
    Entry(a_number_that_grows_into_an_array, (U, 0.7), (0, 1), like_only=True),
    Entry(one_of_two_units, (U, 0.7), (0, 1)),
    Entry(ends_of_a_tuple_that_grows, (0.1 * numbers(3),)),
)
PROGRAMS += tuple(
    Entry(function, (sign * numbers(6), numbers(2, 6)), note=note)
    for function in LEFT
    for sign, note in ((1.0, ""), (-1.0, "other"))
)
