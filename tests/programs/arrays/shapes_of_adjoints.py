"""Programs whose adjoint arrays must have the right owner, shape and zeros."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.entry import Entry, numbers


def product_after_element_read(u, v):
    q = u[0]
    return np.sum(u * v) + q * q


def product_after_slice_read(u, v):
    q = u[1:] * 2.0
    return np.dot(u, v) + np.sum(q * q)


def adjoint_view_zeroed(u, v):
    u = u.copy()
    w = u[1:] * 1.0
    u[1:] = v[1:]
    return np.sum(u * v) + np.sum(w * u[1:])


def kept_term_is_an_adjoint(u, c):
    """The adjoint of v begins as v - u, which that of u reads when more was added to it."""
    v = u - np.cos(u)
    return 0.5 * np.sum((v - u) ** 2) + c * np.sum(np.abs(np.diff(v)))


def last_saved_is_an_adjoint(u, c):
    v = 0.0
    for _ in range(2):
        u = u.copy()
        v += np.hypot(u, c * u[-1])
    return np.sum(v) + 0.5 * np.sum(u**2)


def last_saved_is_an_adjoint_that_grows_before_the_loop(u, c):
    v = 0.0
    for _ in range(2):
        u = u.copy()
        v += np.sum(np.hypot(u, c * u[-1]))
    return np.sum(u[1:]) + v + 0.5 * np.sum(u**2)


def least_of_joined_or_constant(u, c):
    x = np.min(np.concatenate([u[1:], u[:1]]))
    return max(c, x) * np.sum(u)


def least_in_a_chain(u, c):
    x = np.maximum(np.min(u * u), 0.5 * np.sum(u))
    return np.sin(max(c, x)) + np.sum(u)


def clipped_sum_of_logs(u, c):
    return max(c, np.sum(np.log(u * u))) + min(c, np.sum(np.sqrt(u * u)))


def written_to_truths(u):
    v = u > 0.5
    v[0] = u[1]
    return np.sum(v * u)


def written_to_whole_numbers(u):
    v = np.full(len(u), 0)
    v[1] = 9.1 * u[1]
    w = np.arange(len(u))
    w[2:] += 1
    w[0] = 3.7 * u[0]
    return np.sum(v * u) + np.sum(w * u)


def written_to_zeros_like_positions(u):
    order = np.argsort(u)
    v = np.zeros_like(order)
    v[:] = 5.0 * u
    return np.sum(v * u)


def shift_right(u):
    u = u.copy()
    u[1:] = u[:-1]
    return np.sum(u**2)


def boundary_from_neighbour(u):
    u = u.copy()
    u[0] = u[1]
    u[-1] = u[-2]
    return np.sum(u**3)


def neighbour_is_the_element_itself(u):
    u = u.copy()
    for i in range(len(u)):
        u[i] = u[i - 1] * 0.5 + u[i]
    return np.sum(u**2)


def inactive_overwrites_active(c, s, n):
    q = c
    for _ in range(n):
        q = s
    return q * q


def inactive_overwrites_array(u, n):
    v = np.sin(u)
    for _ in range(n):
        v = np.ones(5)
    return np.sum(v * u)


def inactive_element_write(u):
    v = np.sin(u)
    v[1] = 2.0
    v[2:4] = 0.5
    return np.sum(v * u)


def adds_itself(x):
    q = np.sin(x)
    q += q
    return q * x


def adds_itself_array(u):
    q = np.sin(u)
    q += q
    q *= q
    return np.sum(q)


def subtracts_itself(u):
    q = u * 2.0
    q -= q
    return np.sum(q * u) + np.sum(u)


def square_by_product(x):
    return x * x + (x - 2.0) * (x - 2.0)


def one_name_many_places(u):
    return np.sum(u * u / (1.0 + u * u) - u + u * np.sin(u))


def broadcast_row_against_column(W, m, d):
    r = np.dot(W, m) - d
    return 0.5 * np.sum(r * r)


def broadcast_vector_over_rows(A, b):
    return np.sum(np.sin(A + b) * b)


def broadcast_column(A, b):
    return np.sum(A * b[:, None] - b[:, np.newaxis] ** 2)


def broadcast_scalar_to_array(x, u):
    return np.sum(x * u + x / (2.0 + u) - x)


def slice_of_scalar_value(u, x):
    u = u.copy()
    u[1:-1] = x
    u[:2] += x * x
    return np.sum(u**2)


def array_into_row(A, b):
    A = A.copy()
    A[1:] = b
    A[:, 0] *= b[0]
    return np.sum(A**2)


def mean_is_lazy(u):
    s = np.mean(np.roll(u, 1))
    return s * s + np.mean(u[1:])


def lazy_then_branches(u, c):
    v = u * 2.0
    if c > 0.0:
        s = np.sum(v)
    else:
        s = np.sum(v * v) + v[0]
    return s * c


def lazy_then_loop(u, n):
    s = 0.0
    for _ in range(n):
        u = np.sin(u)
        s = s + np.sum(u)
    return s


def alias_then_write(x):
    y = x * 1.0
    z = y
    z += 1.0
    z *= y
    return np.sum(y * z)


def alias_without_write(u):
    b = u
    c = b
    return np.sum(b * c) + np.sum(u)


def alias_rebound(u):
    b = u
    b = b * b
    return np.sum(b * u)


def alias_of_argument_written(u):
    b = u
    b[0] = b[1] * 2.0
    return np.sum(u**2)


def row_view_read(A):
    s = 0.0
    for i in range(A.shape[0]):
        row = A[i]
        s = s + np.sum(row * row) * row[0]
    return s


def row_view_written(A):
    A = A.copy()
    for i in range(A.shape[0]):
        row = A[i]
        row += 0.5 * row[0]
        row[1] = row[2] * row[1]
    return np.sum(A**2)


def slice_view_written(u):
    u = u.copy()
    inner = u[1:-1]
    inner *= inner
    return np.sum(u) + np.sum(inner**2)


def view_read_after_base_written(u):
    u = u.copy()
    v = u[1:]
    u[1] = 3.0 * u[0]
    return np.sum(v * v)


def view_dies_before_write(u):
    u = u.copy()
    v = u[:-1]
    s = np.sum(v * v)
    u[0] = s
    return np.sum(u)


def rows_by_iteration(A, b):
    s = b * 0.0
    for row in A:
        s = s + row * np.sin(b)
    return np.sum(s**2)


def transposed(A, x):
    return np.sum((A.T @ x) ** 2) + np.sum(A.T * A.T)


def none_of_too_short(u, c):
    if len(u) < 3:
        return None
    return np.array([c * u[0], u[1] * u[2]])


def number_or_array(c, u):
    if c < 0.5:
        return 0.0
    if c < 0.8:
        return c * u
    return c * u**2


def argument_is_written(u, c):
    u[0] = u[1] * c
    u *= u
    return np.sum(u)


def argument_is_written_in_a_loop(u, c):
    for _ in range(2):
        u -= 0.3 * u[::-1]
    u = u + np.tanh(c * u)
    return np.sum(u)


def gradient_is_an_input(u, v):
    return np.dot(u, v)


def negative_step(u):
    u = u.copy()
    u[::-1] = u * np.sin(u)
    u[::2] += u[1]
    return np.sum(u * u)


def integer_array_index(u):
    k = np.array([0, 2, 2, 1])
    return np.sum(u[k] ** 2 * np.arange(4.0))


def zeros_like_is_no_read(u):
    z = np.zeros_like(u)
    z[1:] = u[:-1] * u[1:]
    return np.sum(z) * u.size + u.shape[0] * np.sum(u)


def float_becomes_array(x, u):
    x = x * u
    x = np.sum(x * x)
    return x * 2.0


def list_of_arrays_rebound(u):
    parts = [u, u * u]
    total = 0.0
    for p in parts:
        total = total + np.sum(np.sin(p))
    return total


def same_array_twice_in_display(u):
    s = 0.0
    for a, b in [(u, u), (u * 2.0, u)]:
        s = s + np.dot(a, b) * a[0]
    return s


def plus(a, b):
    return a + b


def chosen(a, b):
    return np.where(a > 0.0, a + b, a - b)


def numbers_chosen(a, b, c):
    """What np.where makes of numbers is an array without axes, which `+=` writes to."""
    u = np.where(a > b, a + c, b)
    v = np.where(c > b, a * 1.0 + b, c)
    return u + 2.0 * v


def numbers_chosen_in_functions(a, b):
    u = chosen(a, b)
    v = chosen(b, a)
    w = plus(u, v)
    return np.where(w > 0.0, w + u, v) * 1.0


def numbers_handed_on_after_a_choice(a, b):
    p = chosen(a, b)
    q = plus(p, a)
    r = plus(q, p)
    return plus(r, q) + p


def numbers_selected(a, b):
    r = np.select([a > 0.0, b > 0.0], [a + b, a - b])
    return r + np.select([b > 0.0], [a + b])


def numbers_that_become_arrays(a, b, c):
    z = np.array(a + b)
    y = np.asarray(b + c)
    if a > 0.0:
        y = y + z
    return np.where(c > 0.0, y + z, a)


def angles_of_clipped(u):
    """Where np.clip holds it at 1 or -1 the slope of arccos is infinite, and nothing moves."""
    return np.sum(np.arccos(np.clip(np.tan(u) * u, -1, 1)) * u)


def angle_of_least(x):
    return math.acos(max(-1.0, min(1.0, 2.0 * x))) * x + np.arcsin(np.minimum(3.0 * x, 1.0))


def whole_number_among_numbers(a, b, n=0):
    """The list holds an array of whole numbers, and its adjoint is one of floats."""
    x, y, z = list(map(np.asarray, (a, b, n)))
    return x * y + (x - z) * y


def or_else(value, default):
    return default if value is None else value


def of_a_common_dtype(u):
    """The array that is filled has the dtype of several, asked for in the ways that NumPy has."""
    made = np.zeros(u.shape, dtype=np.promote_types(u.dtype, "float"))
    other = np.empty(u.shape, dtype=np.result_type(u, np.float32))
    third = np.zeros(u.shape, dtype=np.result_type(u.dtype, np.int64))
    is_small = np.abs(u) < 0.5
    made[is_small] = u[is_small] ** 2
    made[~is_small] = np.sin(u[~is_small])
    other[:] = u**3
    third[1:] = u[:-1]
    nodes = [np.asarray(each) for each in (u, made)]
    last = np.zeros((2, u.size), dtype=np.result_type(*nodes))
    for k in range(2):
        last[k, :] = nodes[k]
    return np.sum(made * other + third**2) + np.sum(np.cos(last))


def of_a_dtype(x, dtype=None):
    """The dtype comes through a helper, as libraries have it."""
    y = np.asarray(x, or_else(dtype, np.float64))
    return np.sum(np.array(y * x, np.common_type(y)) * y)


def through_whole_numbers(x, dtype):
    return np.sum(x.astype(dtype) * x)


def diagonal_of_what_was_written(x, a):
    """The adjoint of y is a diagonal, which NumPy gives as a view that cannot be written to."""
    y = x * 2.0
    y[0] = 0.1
    return np.sum((a + np.diag(y)) ** 2 * a)


def weighted_without_axes_of_one(x, A):
    return np.sum((x.squeeze() @ A) ** 2)


def weighted_in_rows_as_long_as_told(x, A, n):
    return np.sum((x.reshape(-1, n).squeeze() @ A) ** 2)


def one_of_a_train(x, trains):
    """Of lengths that are not known, those of 1 may go."""
    v = np.ones(1)
    for train, t in zip(trains, x, strict=True):
        v = np.tensordot(v, np.tensordot(train, np.array([1.0, t]), axes=(1, 0)), axes=1)
    return float(v.squeeze()) ** 2 + np.squeeze(v) * 2.0


U = numbers(5)
V = numbers(5, start=0.11)
A34 = numbers(3, 4)

PROGRAMS = (
    Entry(diagonal_of_what_was_written, (numbers(3), numbers(3, 3)), (0, 1)),
    Entry(product_after_element_read, (U, V), (0, 1)),
    Entry(product_after_slice_read, (U, V), (0, 1)),
    Entry(adjoint_view_zeroed, (U, V), (0, 1)),
    Entry(shift_right, (U,)),
    Entry(boundary_from_neighbour, (U,)),
    Entry(boundary_from_neighbour, (numbers(2),), note="two"),
    Entry(neighbour_is_the_element_itself, (U,)),
    Entry(neighbour_is_the_element_itself, (numbers(1),), note="one"),
    Entry(inactive_overwrites_active, (0.7, 0.4, 2)),
    Entry(inactive_overwrites_active, (0.7, 0.4, 0), note="no-trips"),
    Entry(inactive_overwrites_array, (U, 2)),
    Entry(inactive_overwrites_array, (U, 0), note="no-trips"),
    Entry(inactive_element_write, (U,)),
    Entry(adds_itself, (0.7,)),
    Entry(adds_itself_array, (U,)),
    Entry(subtracts_itself, (U,)),
    Entry(square_by_product, (0.7,)),
    Entry(one_name_many_places, (U,)),
    Entry(one_name_many_places, (0.7,), note="scalar"),
    Entry(one_name_many_places, (A34,), note="matrix"),
    Entry(broadcast_row_against_column, (numbers(1, 3), numbers(3), numbers(4)), (0, 1, 2)),
    Entry(
        broadcast_row_against_column,
        (numbers(4, 3), numbers(3), numbers(4)),
        (0, 1, 2),
        note="full",
    ),
    Entry(broadcast_row_against_column, (numbers(4, 3), numbers(3), 0.3), (0, 1, 2), note="scalar"),
    Entry(broadcast_vector_over_rows, (A34, numbers(4)), (0, 1)),
    Entry(broadcast_vector_over_rows, (A34, numbers(3, 1)), (0, 1), note="column"),
    Entry(broadcast_vector_over_rows, (numbers(1, 4), A34), (0, 1), note="wide"),
    Entry(broadcast_vector_over_rows, (A34, 0.3), (0, 1), note="scalar"),
    Entry(broadcast_column, (A34, numbers(3)), (0, 1)),
    Entry(broadcast_scalar_to_array, (0.7, U), (0, 1)),
    Entry(broadcast_scalar_to_array, (0.7, A34), (0, 1), note="matrix"),
    Entry(broadcast_scalar_to_array, (numbers(1), U), (0, 1), note="one"),
    Entry(slice_of_scalar_value, (U, 0.7), (0, 1)),
    Entry(array_into_row, (A34, numbers(4)), (0, 1)),
    Entry(mean_is_lazy, (U,)),
    Entry(lazy_then_branches, (U, 0.7), (0, 1)),
    Entry(lazy_then_branches, (U, -0.7), (0, 1), note="else"),
    Entry(lazy_then_loop, (U, 3)),
    Entry(alias_then_write, (U,), may_refuse=True),
    Entry(alias_then_write, (0.7,), may_refuse=True, note="scalar"),
    Entry(alias_without_write, (U,)),
    Entry(alias_rebound, (U,)),
    Entry(alias_of_argument_written, (U,), may_refuse=True),
    Entry(row_view_read, (A34,)),
    Entry(row_view_written, (A34,), may_refuse=True),
    Entry(slice_view_written, (U,), may_refuse=True),
    Entry(view_read_after_base_written, (U,), may_refuse=True),
    Entry(view_dies_before_write, (U,), may_refuse=True),
    *(
        Entry(each, (U, c), note=f"{c}")
        for each in (least_of_joined_or_constant, least_in_a_chain, clipped_sum_of_logs)
        for c in (-50.0, 50.0)
    ),
    *(
        Entry(each, (U,))
        for each in (written_to_truths, written_to_whole_numbers, written_to_zeros_like_positions)
    ),
    Entry(rows_by_iteration, (A34, numbers(4)), (0, 1)),
    Entry(transposed, (A34, numbers(3)), (0, 1)),
    *(
        Entry(none_of_too_short, (u, 0.7), (0, 1), np.ones(2), "vjp", note=str(u.size))
        for u in (U, U[:4])
    ),
    *(
        Entry(number_or_array, (c, U), (0, 1), np.ones_like(c * U), "vjp", note=str(c))
        for c in (0.7, 0.9)
    ),
    Entry(argument_is_written, (U, 0.7), (0, 1)),
    Entry(argument_is_written_in_a_loop, (U, 0.7), (0, 1)),
    Entry(gradient_is_an_input, (U, V), (0, 1)),
    Entry(negative_step, (U,)),
    Entry(integer_array_index, (U,)),
    Entry(zeros_like_is_no_read, (U,)),
    Entry(float_becomes_array, (0.7, U), (0, 1)),
    Entry(list_of_arrays_rebound, (U,)),
    Entry(same_array_twice_in_display, (U,), may_refuse=True),
    Entry(numbers_chosen, (0.9, 0.3, 0.8), (0, 1, 2)),
    Entry(numbers_chosen_in_functions, (0.9, 0.3), (0, 1)),
    Entry(numbers_handed_on_after_a_choice, (0.9, 0.3), (0, 1)),
    Entry(
        numbers_handed_on_after_a_choice,
        (0.9, 0.3),
        (0, 1),
        np.array(1.0),
        "vjp",
        note="seed without axes",
    ),
    Entry(numbers_selected, (0.9, 0.3), (0, 1)),
    Entry(numbers_that_become_arrays, (0.9, 0.3, 0.8), (0, 1, 2)),
    Entry(of_a_dtype, (U,)),
    Entry(of_a_common_dtype, (U,)),
    Entry(of_a_dtype, (0.7,), note="scalar"),
    Entry(through_whole_numbers, (10.0 * U, int), may_refuse=True),
    Entry(angles_of_clipped, (np.array([0.3, 1.4, -1.2, 2.5]),)),
    *(Entry(angle_of_least, (x,), note=str(x)) for x in (0.2, 0.8)),
    Entry(whole_number_among_numbers, (0.4, 0.5), (0, 1), may_refuse=True),
    Entry(last_saved_is_an_adjoint, (U, 0.7), (0, 1)),
    Entry(kept_term_is_an_adjoint, (U, 0.7), (0, 1)),
    Entry(last_saved_is_an_adjoint_that_grows_before_the_loop, (U, 0.7), (0, 1)),
    Entry(one_of_a_train, (U[:2], [numbers(1, 2, 3), numbers(3, 2, 1)]), (0, 1)),
    Entry(weighted_without_axes_of_one, (U[None], np.outer(U, V)), (0, 1)),
    Entry(weighted_in_rows_as_long_as_told, (U, np.outer(U, V), len(U)), (0, 1)),
    Entry(weighted_in_rows_as_long_as_told, (U[:4], A34[:2], 2), (0, 1), note="rows"),
)
