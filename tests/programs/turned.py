"""The transpose of an array is the same memory: what is written to one is seen in the other."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def written_both_ways(S):
    C = S * 1.0
    D = C.T
    D[0] = D[1] * D[2]
    C[1] -= C[0]
    return np.sum(C * C) + np.sum(D * D * D)


def turned_twice_in_a_loop(S):
    C = S * 2.0
    D = C.T
    E = D.T
    for i in range(3):
        E[i] *= D[i]
        D[:, i] += E[0] * C[i]
    return np.sum(C * E) + np.sum(D[0])


def columns_gone_over(S):
    C = S * 2.0
    for column in C.T:
        column += np.sum(C) * column[0]
    return np.sum(C * C)


def row_of_the_transpose(S):
    C = S * 2.0
    D = C.T
    r = D[1]
    r *= C[0]
    C[0, 0] = 3.0
    r[0] = C[2, 2]
    return np.sum(D * C) + np.sum(r)


def of_one_axis(S):
    v = S[0] * 2.0
    w = v.T
    w[0] = v[1] * 2.0
    return np.sum(v * w)


def first_name_given_away(S):
    C = S * 2.0
    D = C.T
    C = C * D
    D[0] = 1.0
    return np.sum(C * D)


def transpose_copied(S):
    C = S * 2.0
    D = C.T.copy()
    D[0] = C[1]
    C[2] = D[0] * D[1]
    return np.sum(C * D)


def turned_in_every_pass(S):
    C = S * 2.0
    for k in range(3):
        D = C.T
        D[k] = D[k] * C[k]
        C += D
    return np.sum(C * D)


def turned_on_one_side(S):
    C = S * 2.0
    i = 0
    while i < 3:
        if S[i, 0] > 0.2:
            D = C.T
            D += 1.0 * S
        else:
            D = C * 2.0
        i += 1
    return np.sum(C * D)


def whole_added(S):
    C = S * 2.0
    D = C.T
    D += D * C
    D *= C
    return np.sum(C)


def argument_turned(S):
    D = S.T
    D[0] = 2.0 * D[1] * D[1]
    return np.sum(S * S)


def without_a_name(S):
    C = S * 1.0
    C.T[0] = C[1] ** 2
    C.T[1:] *= C[0]
    C[:2].T[0] = C[1][:2] ** 2
    C[1].T[1] += 2.0 * C[0, 0]
    return np.sum(C * C)


S = numbers(3, 3)
PROGRAMS = tuple(
    Entry(function, (S,))
    for function in (
        written_both_ways,
        turned_twice_in_a_loop,
        columns_gone_over,
        row_of_the_transpose,
        of_one_axis,
        first_name_given_away,
        transpose_copied,
        turned_in_every_pass,
        turned_on_one_side,
        whole_added,
        argument_turned,
        without_a_name,
    )
)
