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


def flipped(S):
    C = S * 2.0
    D = np.flip(C)
    D[0] = D[1] * D[2]
    C[1] -= C[0]
    return np.sum(C * C) + np.sum(D * D * D)


def flipped_along_axes(S):
    C = S * 2.0
    D, E = np.flip(C, axis=-1), np.flipud(C)
    D[0] *= E[1]
    E[2] -= D[0] * C[1]
    F = np.fliplr(E)
    F[0, 0] = C[1, 1]
    return np.sum(C * D) + np.sum(E * F)


def axes_exchanged(S):
    C = S * 2.0
    D = np.swapaxes(C, 0, 1)
    D[0] = D[1] * 3.0
    C[1] -= C[0]
    D = C.transpose()
    D[2] *= 0.5
    E = C.swapaxes(0, 1)
    E[1] += D[0]
    return np.sum(C * C) + np.sum(D * D * D)


def written_to(v, w):
    v[0] *= w[1]
    v[1:] += w[0] * v[:-1]
    return v


def flipped_on_the_way(S):
    C = S * 2.0
    h = written_to(np.flip(C[-1]), C[0])
    h[1] = np.sum(C)
    C[2] *= h
    return np.sum(C * C * h)


def axes_put_in_order(S):
    C = np.stack([S, 2.0 * S])
    D = np.transpose(C, (1, 0, 2))
    E = D * 2.0
    return np.sum(E[0] * D[1])


def parts_without_a_name(S):
    C = S * 2.0
    a, b = C[0], C[1]
    a[0] = b[1] * 3.0
    b[1:] -= a[0] * C[2][::-1][1:]
    h = C[-1][::-1]
    h[1] *= a[0]
    return np.sum(C * C * h)


def parts_of_parts_in_loops(S):
    C = S * 2.0
    for i in range(3):
        a, b = C[i], C[:, i]
        a[0] = b[1] * 3.0
        if i > 0:
            h = C[i][1:]
            h *= a[0]
            written_to(C[i - 1][::-1], b)
    return np.sum(C * C)


def parts_exchanged(S):
    C = S * 2.0
    a, b = C[0], C[1]
    a, b = b, a
    a[0] = b[1] * 3.0
    C, b = C * 2.0, C[2].copy()
    b *= a
    return np.sum(C * C * a) + np.sum(b)


def axes_in_another_order(S):
    B = np.stack([S, S * S]) * 1.0
    C = B.transpose(2, 0, 1)
    C[1] *= S[0, 0]
    D = np.transpose(B, (1, 2, 0))
    D[0, 1] += C[0, :, 2]
    E = np.transpose(B, axes=[0, 2, 1])
    E[1, 0] = D[2, 2, 0]
    B[0] *= 2.0
    return np.sum(B * B) + np.sum(C * 3.0) + np.sum(D * D * D)


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
        flipped,
        flipped_along_axes,
        axes_exchanged,
        flipped_on_the_way,
        axes_put_in_order,
        parts_without_a_name,
        parts_of_parts_in_loops,
        parts_exchanged,
        axes_in_another_order,
    )
)
