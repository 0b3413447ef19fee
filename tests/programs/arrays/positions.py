"""Loops over positions, and additions at positions of every kind."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def where_it_is_large(a):
    s = 0.0
    for i, j in np.argwhere(a > 0.5):
        s += a[i, j] ** 2
    return s


def over_all_positions(a):
    s = 0.0
    for at in np.ndindex(a.shape):
        s += a[at] ** 2
    return s


def over_all_positions_by_axis(a):
    b = np.zeros_like(a)
    for i, j in np.ndindex(*a.shape):
        b[i, j] = a[i, j] * a[i - 1, j]
    return np.sum(b**2)


def added_at_a_mesh(a):
    b = np.zeros((3, 4))
    np.add.at(b, np.ix_([0, 2], [1, 3]), a[:2, :2] ** 2)
    return np.sum(b**2 * a)


def added_at_pairs(a):
    b = np.zeros((3, 4))
    np.add.at(b, ([0, 1, 0], [0, 2, 0]), a[0, :3] ** 2)
    return np.sum(b**2 * a)


def added_in_columns(a):
    i = np.array([0, 1, 0])
    b = np.zeros((3, 4))
    np.add.at(b, np.s_[:, i], a[:, :3] ** 2)
    return np.sum(b**2 * a)


def added_in_the_first_column(a):
    b = np.zeros((3, 4))
    np.add.at(b, (..., 0), a[:, 0] ** 2)
    return np.sum(b**2 * a)


def read_in_a_triangle(a):
    return np.sum(a[:, :3][np.tril_indices(3)] ** 2)


def elements_written_behind_an_ellipsis(a):
    p = a[0] * a[1, 0]
    t = a[1, 1] * a[1, 2]
    q = p * p
    p[..., 0] += t
    p[1, ...] += t
    p[..., 2] = t
    return np.sum(p * q * a[2])


def elements_behind_an_ellipsis_in_a_loop(a):
    p, t = a[0] * a[1, 0], a[1, 1]
    for k in range(3):
        t = t * a[1, 2]
        p[..., k] += t
        p[k, ...] = t * p[..., k]
    return np.sum(p * p) * t


def gone_through_as_it_is_made(a):
    s = 0.0
    for slope in np.gradient(a):
        s += np.sum(slope**2)
    return s


def running_sums_along_axes(a):
    a, sums = a.copy(), []
    for axis in range(2):
        sums.append(np.cumsum(a, axis=axis))
    sums[0][0, 0] = sums[1][1, 1] ** 2
    return np.sum(a**2) + np.sum(sums[0] ** 3)


def views_along_axes(a):
    a, views = a.copy(), []
    for axis in range(2):
        views.append(np.moveaxis(a, axis, 0))
    views[0][0, 0] = views[1][1, 1] ** 2
    return np.sum(a**2) + np.sum(views[0] ** 3)


A = numbers(3, 4)


def chosen_by_flags_of_a_list(a):
    flags = [e > 0.5 for e in a[0]]
    b = a[0].copy()
    b[flags] = b[flags] ** 2
    b[[not flag for flag in flags]] *= a[1, 0]
    b[[i + 1 for i in range(2)]] *= 3.0
    return np.sum(a[:, flags]) + b @ a[1] + np.sum(a[[True, False, True]] ** 2) * len(b[flags])


def sum_over_positions(a):
    u, s = a[0] * 2.0, 0.0
    for i, j, k in np.ndindex(2, *a.shape):
        s += u[i] * a[j, k] * (k + 1)
    for at in np.ndindex((*a.shape[:1], 2)):
        s += u[at[0]] * u[at[1]] ** 2
    for (i, _), v in np.ndenumerate(a):
        s += v * u[i]
    return s


def taken_off_by_what_it_holds(a, u):
    u = u.copy()
    np.subtract.at(u, np.array([0, 2]), 2.0 * u[:2] + a[0, :2])
    return np.sum(u**2)


def taken_off_by_products_of_what_it_holds(a, u):
    u = u.copy()
    np.subtract.at(u, np.array([0, 1, 0]), u[1:4] * u[0:3] + a[0, :3])
    return np.sum(u**2)


def taken_off_a_part_by_another(a, u):
    u = u.copy()
    v = u[1:]
    np.subtract.at(v, np.array([0, 1]), u[0:2] * a[1, :2] - v[:2])
    return np.sum(u**2)


def added_to_a_part_by_another(a, u):
    u = u.copy()
    np.add.at(u, slice(0, 3), u[1:4] * a[0, :3])
    return np.sum(u**2)


def each_of_equal_ones_once(a):
    return np.sum(np.unique(np.concatenate([a[0], a[0, :2]])) ** 3 * a[1])


def one_of_equal_ones(a):
    return np.sum(np.unique([a[0, 0], a[0, 0]]) ** 3)


def whole_numbers_filled_with_what_is_none(a):
    return np.sum((np.full_like(np.arange(3), 9.7 * a[0, 0]) * a[1, 1]) ** 2)


def along_the_axis_of_a_vector(a):
    products = np.apply_along_axis(lambda r: r * r[0], 0, a[0])
    total = np.apply_along_axis(np.sum, -1, a[1])
    return np.sum(products[1] ** 2) * total


def largest_of_each_column(a):
    b = a * 2.0
    for _ in range(2):
        b[np.argmax(b, axis=0), np.arange(b.shape[1])] *= a[0, 0]
    return np.sum(b * b)


def ends_read_from_the_array(a):
    b = a * 2.0
    b[int(b[0, 1] > -9.0), 1:] *= a[0, 0]
    b[int(b[1, 1] > -9.0) :, 1] *= a[0, 1]
    return np.sum(b * b)


def chosen_in_a_list(a):
    held = [a * 2.0, a * 3.0]
    for i in range(2):
        held[i][held[i] > 0.5] *= 0.13
        held[i][np.argmax(held[i], axis=0), np.arange(a.shape[1])] *= a[0, 0]
    held[1][held[1] < 0.3] = a[1, 0]
    return np.sum(held[0] * held[1]) + np.sum(held[1] ** 2)


def positions_first_then_a_mask(a):
    angle, share = a.ravel(), 0.3 * np.tanh(a.ravel())
    solved = angle.copy()
    todo, left = np.where(np.abs(angle) > 0.0)[0], angle.size
    while left > 0:
        now = solved[todo]
        miss = now - share[todo] * np.sin(now) - angle[todo]
        solved[todo] = now - miss / (1.0 - share[todo] * np.cos(now))
        todo = np.abs(solved - share * np.sin(solved) - angle) > 1e-12
        left = np.count_nonzero(todo)
    return np.sum(solved**2)


def an_axis_added_by_a_list_of_slices(a):
    u, total = a.ravel(), 0.0
    for each, axis in ((u, -1), (a, -1), (a, 0)):
        key = [slice(None)] * each.ndim
        key[axis] = np.newaxis
        centred = each - each.mean(axis)[tuple(key)]
        lengths = [slice(n) for n in each.shape]
        lengths[axis] = np.newaxis
        total = total + np.sum(centred**3 / each.std(axis)[tuple(lengths)])
    return total


OF_ITSELF = (
    *(taken_off_by_what_it_holds, taken_off_by_products_of_what_it_holds),
    *(taken_off_a_part_by_another, added_to_a_part_by_another),
)
FUNCTIONS = (
    *(where_it_is_large, over_all_positions, over_all_positions_by_axis, added_at_a_mesh),
    *(added_at_pairs, added_in_columns, added_in_the_first_column, read_in_a_triangle),
    *(gone_through_as_it_is_made, running_sums_along_axes, views_along_axes),
    *(sum_over_positions, chosen_by_flags_of_a_list),
    *(elements_written_behind_an_ellipsis, elements_behind_an_ellipsis_in_a_loop),
    *(each_of_equal_ones_once, one_of_equal_ones, whole_numbers_filled_with_what_is_none),
    *(along_the_axis_of_a_vector, largest_of_each_column, ends_read_from_the_array),
    *(chosen_in_a_list, positions_first_then_a_mask, an_axis_added_by_a_list_of_slices),
)
PROGRAMS = (
    *(Entry(function, (A, numbers(4)), wrt=(0, 1)) for function in OF_ITSELF),
    *(Entry(function, (A,)) for function in FUNCTIONS),
)
