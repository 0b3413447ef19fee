"""Slices with names: of functions, of modules, of np.s_, and blocks that a loop goes through."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers

INNER = slice(1, -1)
LEFT = np.s_[:-2]
MIDDLE = np.s_[1:-1, 1:-1]


class Stencil:
    inner = slice(1, -1)


def named_neighbours(u):
    left, right = slice(None, -2), slice(2, None)
    return np.sum((u[right] - 2.0 * u[INNER] + u[LEFT]) * u[left])


def of_two_axes(A):
    key = (slice(1, -1), slice(None))
    return np.sum(A[MIDDLE] ** 2 * A[np.s_[2:, 1:-1]]) + np.sum(A[key] ** 3)


def an_index_of_numpy(A):
    row = np.index_exp[1, :2]
    alone = np.index_exp[2]
    return np.sum(A[row] ** 2) + A[alone][0] ** 3


def along_an_axis(A, axis):
    late = [slice(None)] * A.ndim
    early = [slice(None)] * A.ndim
    late[axis], early[axis] = slice(1, None), slice(None, -1)
    return np.sum((A[tuple(late)] - A[tuple(early)]) ** 2)


def blocks(u, k):
    out = np.zeros_like(u)
    for i in range(3):
        block = slice(i * k, (i + 1) * k)
        out[block] = u[block] ** 2 * i
    return np.sum(out * u)


def heads(X, W, h):
    n, d = X.shape
    width = d // h
    out = np.zeros((n, d))
    for i in range(h):
        head = slice(i * width, (i + 1) * width)
        scores = X @ W[:, head]
        out[:, head] = scores / np.sum(scores**2)
    return np.sum(out**3)


def layers_by_slices(weights, x):
    start = 0
    for rows, columns in ((2, 3), (3, 1)):
        stop = start + rows * columns
        x = np.tanh(x @ weights[slice(start, stop)].reshape(rows, columns))
        start = stop
    return np.sum(x)


def its_ends(u, i):
    chosen = slice(i, i + 3)
    return np.sum(u[chosen.start : chosen.stop] ** 2) * (chosen.stop - chosen.start)


def that_grows(u, n):
    v = u.copy()
    chosen = slice(0, n)
    while np.sum(v[chosen]) < 5:
        v[chosen] *= 1.5
        chosen = slice(0, chosen.stop + 1)
    return np.sum(v**2)


def either(u):
    chosen = slice(0, 2) if u[0] > 0.5 else slice(2, None)
    return np.sum(u[chosen] ** 2)


def ends_that_change(u, n):
    chosen = slice(0, n)
    n = n + 1
    return np.sum(u[chosen] ** 2) * u[n]


def of_a_class(u):
    return np.sum(u[Stencil.inner] * u[Stencil().inner])


def slices_in_a_dict(u):
    parts = {"head": slice(0, 2), "tail": slice(2, 6)}
    return np.sum(u[parts["head"]]) * np.prod(u[parts["tail"]])


def in_a_list(u):
    total = 0.0
    for part in [slice(0, 2), slice(2, 6)]:
        total += np.sum(u[part]) ** 2
    return total


def of_offsets(u, n):
    ends = np.cumsum([0, 2, n])
    parts = [slice(a, b) for a, b in zip(ends[:-1], ends[1:], strict=True)]  # noqa: RUF007
    return sum(np.sum(u[part]) ** 2 for part in parts)


U, A = numbers(6), numbers(5, 6)


def columns_by_a_list(A):
    first, both = A[1:, [0]], A[:, [1, 0]]
    return np.sum(np.hstack([first, both[1:] * first]) ** 2) + np.sum(np.block([[both, both**2]]))


def triangular_by_reflections(A):
    n, R = len(A), A.copy()
    for k in range(2):
        x = R[k:, [k]]
        side = np.zeros_like(x)
        side[0] = np.linalg.norm(x)
        v = x + side
        v /= np.linalg.norm(v)
        turn = np.eye(n - k) - 2.0 * v @ v.T
        R = np.block([[np.eye(k), np.zeros((k, n - k))], [np.zeros((n - k, k)), turn]]) @ R
    return np.sum(R[0] * R[1]) + R[0, 0] ** 3


PROGRAMS = [
    Entry(columns_by_a_list, (numbers(4, 2),)),
    Entry(triangular_by_reflections, (numbers(4, 3) + np.eye(4, 3),)),
    Entry(named_neighbours, (U,)),
    Entry(of_two_axes, (A,)),
    Entry(an_index_of_numpy, (A,)),
    Entry(along_an_axis, (A, 1)),
    Entry(blocks, (U, 2)),
    Entry(heads, (A, numbers(6, 6) + 2.0, 3), wrt=(0, 1)),
    Entry(layers_by_slices, (numbers(9), numbers(4, 2))),
    Entry(its_ends, (U, 1)),
    Entry(that_grows, (1.5 + U, 2)),
    Entry(either, (U,)),
    Entry(ends_that_change, (U, 2)),
    Entry(of_a_class, (U,)),
    Entry(slices_in_a_dict, (U,)),
    Entry(in_a_list, (U,)),
    Entry(of_offsets, (U, 4)),
]
