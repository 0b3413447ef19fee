"""Positions that may name an element twice: what is added there at once would count once."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry

A = np.array([[1.0, 2.0, -1.0], [3.0, 4.0, 5.0], [-1.0, 2.0, 1.0]])
U = np.array([0.3, 0.5, 0.7])
ORDER = np.array([[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]])
TWICE = np.array([0, 0, 2])
ROWS_TWICE = [0, 0, 1]
TURNED = [0, 2, 1]
ENDS = (0, 2)


class Grid:
    """An object of the module that holds positions."""

    def __init__(self):
        self.rows = [2, 2, 0]


GRID = Grid()


def rows_of_a_triangle(u):
    return np.sum(u[np.tril_indices(len(u))[0]] ** 2)


def both_of_a_triangle(u):
    i, j = np.triu_indices(len(u), 1)
    return np.sum((u[i] - 2 * u[j]) ** 2)


def rows_of_what_is_large(u, a):
    return np.sum(u[np.where(a > 0)[0]] ** 2)


def places_of_what_is_large(u, a):
    return np.sum(u[np.argwhere(a > 0)] ** 2)


def order_of_each_row(u, a):
    order = np.argsort(a)
    return np.sum(u[order] ** 2 * order)


def order_of_each_column(u):
    return np.sum(u[np.argsort(ORDER, axis=0)] ** 2)


def halves_by_order_of_each_row(u, a):
    return np.sum(u[np.argpartition(a, 1, axis=1)] ** 3)


def block_of_rows(a, rows):
    return np.sum(a[np.ix_(rows, rows)] ** 2)


def block_of_rows_and_first_columns(a, rows):
    return np.sum(a[np.ix_(rows, [0, 1])] ** 2)


def elements_of_a_triangle(a):
    i, j = np.triu_indices(3)
    return np.sum(a[i, j] ** 2)


def first_of_a_triangle_twice(a):
    i, j = np.triu_indices(3)
    return np.sum(a[i, i] ** 2 * a[j, i])


def elements_that_are_large(a):
    large = np.nonzero(a > 0)
    return np.sum(a[large] ** 2)


def rows_bound_again(a):
    i, j = np.nonzero(a > 0)
    i = i % 2
    return np.sum(a[i, j] ** 2)


def rows_stored_to(a):
    i, j = np.triu_indices(3)
    i[1] = 2
    j[1] = 2
    return np.sum(a[i, j] ** 2)


def rows_stored_to_in_the_tuple(a):
    large = np.nonzero(a > 0)
    rows = large[0]
    rows[:] = 1
    return np.sum(a[large] ** 2)


def rows_stored_to_by_a_function(a):
    large = np.nonzero(a > 0)
    np.minimum(large[0], 0, out=large[0])
    return np.sum(a[large[0], large[1]] ** 2)


def order_stored_to_through_a_part(a):
    order = np.argsort(a[0])
    first = order[:2]
    first[:] = 1
    return np.sum(a[order] ** 2)


def order_bound_again_in_a_loop(a):
    order = np.argsort(a[0])
    for _ in range(2):
        b = a[order]
        order = order // 2
    return np.sum(a[order] ** 2 + b)


def tuple_in_a_list(a):
    large = list(np.nonzero(a > 0))
    large[0] = large[0] * 0
    return np.sum(a[large[0], large[1]] ** 2)


def elements_written_in_a_triangle(a):
    b = a.copy()
    i, j = np.nonzero(a > 0)
    b[i, j] = 2 * a[i, j]
    b[i, i] = 3 * a[i, i]
    return np.sum(b**2)


def neighbours_in_a_loop(a):
    b = np.zeros((3, 3))
    for k in range(2):
        ends = np.array([k, k + 1])
        b[np.ix_(ends, ends)] += a[k, k] * np.array([[1.0, -1.0], [-1.0, 2.0]])
        b[ends, [k + 1, k]] *= a[k, 1]
    return np.sum(b**2)


def neighbours_across_the_end(a):
    b = np.zeros(1)
    for k in range(-1, 0):
        b[[k, k + 1]] += a[0, 1:] ** 2
    return np.sum(b**2)


def the_same_twice_in_a_loop(a):
    s = 0.0
    for k in range(1, 3):
        s += np.sum(a[[k, k - 1, k]] ** 3) + np.sum(a[0, [k, k - 1]] ** 2)
    return s


def two_of_three_positions(a):
    i, j, _ = np.nonzero(np.stack([a, a[::-1]], axis=2) > 0)
    return np.sum(a[i, j] ** 2)


def positions_of_two_calls(a):
    b = a[0] > 0
    i = np.nonzero(np.outer(b, b))[0]
    b[2] = True
    b[0] = False
    j = np.nonzero(np.outer(b, b))[1]
    return np.sum(a[i, j] ** 2)


def positions_from_below_zero(a):
    a = a.copy()
    a[0, np.arange(-2, 3)] *= 2.0
    return np.sum(a[:, np.arange(-2, 3)] ** 2 * np.arange(5))


def positions_from_a_variable(a):
    n = len(a)
    return np.sum(a[np.arange(-n, n)] ** 3)


def positions_that_are_cut_off(a):
    return np.sum(a[np.arange(0, 2, 0.5, dtype=int)] ** 2)


def positions_down_and_from_a_counter(a):
    s = 0.0
    for k in range(2):
        s += np.sum(a[np.arange(k, 3)] ** 2 * a[np.arange(2, k - 1, -1)])
    return s


def rows_of_a_list_of_the_module(a):
    return np.sum(a[ROWS_TWICE] ** 2)


def rows_of_an_object_of_the_module(a):
    return np.sum(a[GRID.rows][:2] ** 2)


def part_of_rows_of_the_module(a):
    return np.sum(a[TURNED][:, [2, 0]] ** 2)


def rows_of_one_of_two_lists(a):
    return np.sum(a[ROWS_TWICE if a[0, 0] > 0.5 else TURNED][TURNED] ** 2)


def turned_back_at_walls(a):
    walls = np.array([True, False, True])
    f = 2.0 * a
    for _ in range(2):
        f[:, walls] = f[TURNED][:, walls]
    return np.sum(f**2 * np.arange(3.0))


def stored_in_turned_steps(a):
    v = 2.0 * a[0]
    v[TURNED] = v[::-1]
    v[TURNED] += a[1, ROWS_TWICE]
    return np.sum(v**2 * np.arange(3.0))


def columns_of_a_tuple(a):
    return np.sum(a[:, (0, 2)] ** 2) + np.sum(a[ENDS, :] ** 3)


def columns_of_a_tuple_of_the_module(a):
    f = 2.0 * a
    f[:, ENDS] *= f[1, ENDS]
    return np.sum(f**2)


def scaled_at_positions(a):
    b = a.copy()
    np.multiply.at(b, ([0, 0, 1], [1, 1, 2]), a[:, 0])
    np.maximum.at(b, [0, 0], a[1:])
    np.divide.at(b[2], [1, 1], a[0, 1] + 3.0)
    return np.sum(b**2)


OF_VECTORS = (rows_of_a_triangle, both_of_a_triangle, order_of_each_column)
OF_BOTH = (
    *(rows_of_what_is_large, places_of_what_is_large, order_of_each_row),
    halves_by_order_of_each_row,
)
OF_BLOCKS = (block_of_rows, block_of_rows_and_first_columns)
OF_MATRICES = (
    *(elements_of_a_triangle, first_of_a_triangle_twice, elements_that_are_large),
    *(rows_bound_again, rows_stored_to, rows_stored_to_in_the_tuple, rows_stored_to_by_a_function),
    *(order_stored_to_through_a_part, order_bound_again_in_a_loop, tuple_in_a_list),
    *(elements_written_in_a_triangle, neighbours_in_a_loop, neighbours_across_the_end),
    *(the_same_twice_in_a_loop, two_of_three_positions, positions_of_two_calls),
    *(positions_from_below_zero, positions_from_a_variable, positions_that_are_cut_off),
    *(positions_down_and_from_a_counter, scaled_at_positions),
    *(rows_of_a_list_of_the_module, rows_of_an_object_of_the_module, part_of_rows_of_the_module),
    *(rows_of_one_of_two_lists, turned_back_at_walls, stored_in_turned_steps),
    *(columns_of_a_tuple, columns_of_a_tuple_of_the_module),
)
PROGRAMS = (
    *(Entry(function, (U,)) for function in OF_VECTORS),
    *(Entry(function, (U, A), wrt=(0,)) for function in OF_BOTH),
    *(Entry(function, (A, TWICE), wrt=(0,)) for function in OF_BLOCKS),
    *(Entry(function, (A,)) for function in OF_MATRICES),
)
