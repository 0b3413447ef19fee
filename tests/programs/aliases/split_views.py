"""Parts that np.split and its kin cut off, taken at positions of the run, written to and exchanged;
grids of lists of axes.
"""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def beside_a_list_that_is_written(u, s):
    v = [np.zeros(2), np.zeros(2)]
    for k, f in zip(v, np.split(u, 3), strict=False):
        k += s * f**2
    return np.sum(v[0]) * np.sum(v[1])


def at_positions_of_the_run(u, s):
    v, p = [np.zeros(2), np.zeros(2)], np.split(u, 3)
    for k in range(2):
        v[k] = v[k] + s * p[k] ** 2
    return np.sum(v[0]) * np.sum(v[1])


def of_unequal_lengths(u, s):
    parts, more = np.split(u, [2, 3]), np.array_split(u, 4)
    total = 0.0
    for k in range(3):
        total += np.sum(parts[k]) ** 2 * (k + 1) + s * np.sum(more[k]) ** 2
    return total


def parts_are_written_to(u, s):
    w = u * s
    parts = np.split(w, 3)
    parts[0][:] = parts[1] * 2
    parts[2] *= 3.0
    for p in np.split(w, 3):
        p *= p[0]
    return np.sum(w**2)


def columns_of_a_product(u, s):
    parts, k, total = np.split(np.outer(u, u), 3, axis=1), 0, 0.0
    while k < 3:
        total += np.sum(parts[k] * parts[k - 1]) * s
        k += 1
    return total


def rows_in_one_piece(u, s):
    halves = np.vsplit(np.outer(u, u), 2)
    top = halves[0]
    top[0] = 0.0
    for k, p in enumerate(np.hsplit(u.reshape(2, 3), 3)):
        top[1] += k * np.sum(p**2) + p[0, 0]
    return np.sum(halves[0] * halves[1]) * s


def first_and_last_part_exchanged(u, s):
    parts = list(np.split(u, 3))
    parts[0], parts[2] = parts[2], parts[0]
    parts.append(parts[1] * s)
    return sum(np.sum(p**2) * k for k, p in enumerate(parts))


def of_two_views(u, s):
    left, right = np.split(u, 3), np.split(u[::-1], 3)
    return sum(np.dot(p, q) for p, q in zip(left, right, strict=True)) * s


def parts_held_by_a_dict(u, s):
    parts = np.split(u, 3)
    d = {"a": parts[0], "b": parts[1]}
    for k in d:
        d[k] = d[k] * s
    return np.sum(d["a"] ** 3) + np.sum(d["b"])


def grid_of_a_list_of_axes(u, v):
    axes = [u, v]
    grid = np.asarray(np.meshgrid(*axes, indexing="ij"), dtype=np.double)
    return np.sum(grid.reshape((len(axes), -1)) ** 3)


def grid_of_axes_handed_over(axes):
    return np.sum(np.asarray(np.meshgrid(*axes)).reshape(len(axes), -1) ** 3)


def grid_of_axes_that_are_appended(u, v):
    axes = []
    for k in range(3):
        axes.append(u * v[k])
    total = 0.0
    for a in np.meshgrid(*axes):
        total = total + np.sum(a * v[0]) ** 2
    axes.reverse()
    del_last = axes.pop()
    first, second = np.broadcast_arrays(*axes)
    return total + np.sum(first**2 * second * del_last)


def several_with_axes(u, v):
    a, b = np.atleast_1d(u[0] * 1.0, v)
    rows = np.atleast_2d(u, u * v[0], v[1])
    b = b * 2.0
    return np.sum(a * b) + np.sum(rows[0] * rows[1] * rows[2])


def of_what_has_no_name(u, s):
    a, b, c = np.split(np.sin(u) * s, 3)
    a[0] = s
    return a @ b * c[0]


def parts_of_what_has_no_name(u, s):
    parts = np.split(np.sin(u), 3)
    total = s
    for k in range(3):
        total += np.sum(parts[k] * parts[k - 1])
    for part in np.array_split(u * s, 4):
        total *= np.sum(part)
    return total + sum(np.sum(p) ** 2 for p in np.split(np.cos(u), 2))


GRIDS = (
    Entry(grid_of_axes_that_are_appended, (numbers(3), numbers(4)), (0, 1)),
    Entry(several_with_axes, (numbers(3), numbers(4)), (0, 1)),
    Entry(grid_of_a_list_of_axes, (numbers(3), numbers(4)), (0, 1)),
    Entry(grid_of_axes_handed_over, ([numbers(3), numbers(4)],), like_only=True),
)
PROGRAMS = GRIDS + tuple(
    Entry(each, (numbers(6), 0.7), (0, 1))
    for each in (
        beside_a_list_that_is_written,
        at_positions_of_the_run,
        of_unequal_lengths,
        parts_are_written_to,
        columns_of_a_product,
        rows_in_one_piece,
        first_and_last_part_exchanged,
        of_two_views,
        parts_held_by_a_dict,
        of_what_has_no_name,
        parts_of_what_has_no_name,
    )
)
