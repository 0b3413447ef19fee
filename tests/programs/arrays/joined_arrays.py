"""Lists that are written out among arrays, and blocks of unlike rank, are joined as NumPy joins them."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def homogeneous(u):
    turn = np.outer(u, np.cos(u))
    pose = np.vstack([np.hstack([turn, u[:, None]]), [0, 0, 0, 1]])
    return np.sum(pose @ pose @ np.array([0.3, -0.2, 0.5, 1.0]))


def homogeneous_by_brackets(u):
    pose = np.r_[np.c_[np.outer(u, u), np.sin(u)], [[0, 0, 0, 1]]]
    return np.sum((pose @ pose)[:3] ** 2)


def homogeneous_by_blocks(u):
    pose = np.block([[np.outer(u, u), u[:, None] ** 2], [np.zeros((1, 3)), 1.0]])
    return np.sum((pose @ pose) ** 2)


def bordered(u):
    saddle = np.block([[np.outer(u, u) + np.eye(3), u.reshape(3, 1)], [u, 0.0]])
    return np.sum(np.linalg.solve(saddle, np.array([1.0, u[0], 0.5, u[1] * u[2]])))


def numbers_in_blocks(u):
    return np.sum(np.block([[u[0], u[1] * u[2]], [2.0, u[0] ** 2]]) ** 2 * [[1.0, 2.0], [3.0, 4.0]])


def numbers_before_vectors(u):
    return np.sum(np.block([[u[0], u], [u * u, u[2]], [3.0, np.sin(u)]]) ** 3)


def rows_that_vary(u):
    c, s = np.cos(u[0]), np.sin(u[0])
    turned = np.vstack(([c, -s, 0.0], [s, c, u[1]], np.outer(u, u)))
    return np.sum(turned**2 * np.arange(15.0).reshape(5, 3))


def rows_in_rows(u):
    joined = np.concatenate([np.outer(u, u), [[u[0], 0, 1], [2, u[1] ** 2, u[2]]]])
    return np.sum(joined**3)


def columns_written_out(u):
    table = np.column_stack((u, [1.0, u[0], 3.0], u * u))
    wide = np.hstack((table, [[0], [u[1]], [1.0]]))
    return np.sum(wide[:, 1:] * wide[:, :-1])


def layers_written_out(u):
    return np.sum(np.dstack((np.outer(u, u), [[1, 2, 3], [0, u[1], 0], [u[2], 0, 1]])) ** 2)


def stacked_with_a_list(u):
    return np.sum(np.stack([u, [u[1], 2.0, u[0] * u[2]], u * u], axis=1) ** 2 * u)


def matrices_in_brackets(u):
    A = np.outer(u, u)
    return np.sum(np.r_[A, A.T * 2.0, u[None, :]][2:] ** 3)


def joined_in_a_loop(u):
    A = np.outer(u, u)
    for k in range(3):
        A = np.vstack([A[1:], [u[k], 0.5, A[0, k]]])
    return np.sum(A**2)


def list_with_a_name(u):
    last = [0.0, u[1], 1.0]
    A = np.vstack([np.outer(u, u), last])
    last[0] = u[0] * 7.0
    return np.sum(A**2) + last[0]


def repeated_among_rows(u):
    A = np.vstack([np.outer(u, u), [u[0]] * 3, (0.5,) * 2 + (u[1],)])
    return np.sum(A**2 * np.arange(15.0).reshape(5, 3))


def repeated_as_long_as_another(u):
    n = u.shape[0]
    padded = np.hstack([u, [1.0] * n, [u[2]] * n, [0.0, u[1]] + [u[0] * u[1]] * 2])
    return np.sum(padded**3 * np.arange(len(padded)))


def numbers_in_brackets(u):
    row = np.c_[u[1], -u[0], 2.0]
    return np.sum((row.T @ row) ** 2 * np.arange(9.0).reshape(3, 3)) + np.sum(row)


def ranges_in_brackets(u):
    ends = np.r_[0 : len(u), u, u[0] * u[1], -1.0:1.0:0.5, [0.0] * 2]
    return np.sum(ends**3 * np.arange(len(ends))) + np.sum(np.c_[:3, u, u * u] ** 3)


def crossed_along_an_axis(u):
    v = u[::-1] * [1.0, 2.0, 3.0]
    return np.sum(np.cross(u, v, axis=0) ** 2) + np.sum(np.cross(u * u, v, axis=-1))


U = numbers(3)


def layers_of_a_list(u):
    layers = []
    for k in range(3):
        layers.append(u**k)
    return np.sum(np.dstack(layers)[0, :, 1:] ** 2) + np.sum(np.column_stack(layers) ** 3)


def chosen_by_lists_with_names(u):
    below, values = [], []
    for k in range(3):
        below.append(u < 0.3 * (k + 1))
        values.append(u ** (k + 1))
    edges = [u < edge for edge in (0.2, 0.4)]
    return np.sum(np.select(below, values, default=2.0) * np.select(edges, values[1:]))


def blocks_of_lists_with_names(u):
    a = np.outer(u, u)
    above, rows = [a, 2.0 * a], []
    for k in range(2):
        rows.append([a * (k + j) for j in range(2)])
    return np.sum(np.block([above, [a.T, a @ a]]) ** 2) + np.sum(np.block(rows) ** 3)


def multiplied_in_a_list_with_a_name(u):
    factors = [np.outer(u, u), np.diag(u), np.outer(u, u[::-1])]
    places = [u, u**2, np.sin(u)]
    return np.sum(np.linalg.multi_dot(factors)) + np.sum(np.choose(np.array([0, 2, 1]), places))


PROGRAMS = tuple(
    Entry(function, (U,))
    for function in (
        homogeneous,
        homogeneous_by_brackets,
        homogeneous_by_blocks,
        bordered,
        numbers_in_blocks,
        numbers_before_vectors,
        rows_that_vary,
        rows_in_rows,
        columns_written_out,
        layers_written_out,
        stacked_with_a_list,
        matrices_in_brackets,
        joined_in_a_loop,
        list_with_a_name,
        repeated_among_rows,
        repeated_as_long_as_another,
        numbers_in_brackets,
        ranges_in_brackets,
        crossed_along_an_axis,
        layers_of_a_list,
        chosen_by_lists_with_names,
        blocks_of_lists_with_names,
        multiplied_in_a_list_with_a_name,
    )
)
