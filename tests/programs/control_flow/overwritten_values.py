"""Programs whose reverse sweep must read values that the primal has lost."""

from __future__ import annotations

import statistics

import numpy as np

from tests.programs.entry import Entry, numbers


def overwritten_after_use(x, u):
    y = np.sin(x)
    x = y * x
    x = x * np.cos(x) + np.sum(u)
    return x * y


def own_update_not_linear(u):
    u = u.copy()
    u = np.sin(u)
    u *= u
    u **= 2
    return np.sum(u)


def kept_view_is_overwritten(u):
    u = u.copy()
    u[1:] = u[:-1] * u[1:]
    return np.sum(u**2)


def kept_view_of_input_is_overwritten(u):
    v = u * 1.0
    w = v[:-1] * v[1:]
    v[0] = 3.0
    v[1:] = w * v[:-1]
    return np.sum(v * v)


def save_in_branch_and_body(u, c):
    q = c
    for i in range(len(u)):
        q = q * np.sin(q)
        if u[i] > 0.0:
            q = q * q + u[i]
        q = q * u[i] + 1.0
    return q


def save_in_both_branches(u, c):
    q = c
    for x in u:
        if x > 0.0:
            q = np.sin(q) * x
        else:
            q = q * q + x
            q = q * np.cos(q)
    return q


def two_loops_over_one_name(u):
    u = u.copy()
    for i in range(1, len(u)):
        u[i] = u[i] * u[i - 1]
    for i in range(len(u) - 1):
        u[i] = np.sin(u[i]) * u[i + 1]
    return np.sum(u)


def two_loops_saving_one_scalar(x, n):
    for _ in range(n):
        x = np.sin(x) * x + 0.5
    for _ in range(n):
        x = x * np.cos(x)
    return x


def two_pops_in_one_pass(u):
    u = u.copy()
    s = 0.5
    for i in range(1, len(u) - 1):
        s = s * np.sin(u[i])
        u[i + 1] = u[i + 1] * s
        u[i] = np.cos(u[i - 1] * u[i + 1]) * s
    return np.sum(u) + s


def carried_value_overwritten_after_the_loop(x, n):
    for _ in range(n):
        x = np.tanh(x * x + 0.3)
    y = x * x
    x = np.sin(x) * y
    return x * y


def pop_in_branch_overwrites_head(u, s):
    out = 0.0
    for i in range(len(u)):
        t = s * u[i]
        if t > 0.1:
            s = np.sin(s) * t
            s = s * s
        out = out + s * t
    return out * s


def exit_index_rebound_by_later_loop(u):
    for i in range(len(u)):
        if u[i] > 0.4:
            break
    x = u[i] * u[i]
    for i in range(2):
        x = x * u[i]
    return x * u[i + 1]


def exit_index_of_break_in_range(u, c):
    s = c
    for i in range(len(u)):
        s = s * u[i] + 0.5
        if s > 0.6:
            break
    for j in range(i + 1):
        s = s * np.sin(s) + u[j]
    for i in range(3):
        s = s * u[i]
    return s


def loop_variable_after_the_loop(u):
    for i in range(1, len(u) - 1):  # noqa: B007
        u = np.sin(u)
    return u[i] * u[i + 1]


def ping_pong_buffers(u, nu):
    old = u.copy()
    new = np.empty_like(u)
    for _ in range(3):
        new[1:-1] = old[1:-1] + nu * (old[2:] - 2.0 * old[1:-1] + old[:-2]) * old[1:-1]
        new[0] = old[-1]
        new[-1] = old[0] * old[1]
        old, new = new, old
    return np.sum(old**2)


def rebinding_buffers(u, c):
    for _ in range(3):
        v = np.zeros_like(u)
        for i in range(len(u)):
            v[i] = c * u[i] * u[i - 1] + u[i]
        u = v
    return np.sum(np.sin(u))


def swap_scalars_in_loop(a, b, n):
    for _ in range(n):
        a, b = b * np.sin(a), a + b
    return a * b


def list_saved_and_read_back(x, n):
    xs = []
    for _ in range(n):
        xs.append(x)
        x = np.sin(x) * x + 0.2
    s = 0.0
    while xs:
        s = s * 0.5 + xs.pop() * x
    return s


def list_read_by_index(u):
    parts = [u[0], u[1] * u[2]]
    parts.append(parts[0] * parts[1])
    return parts[-1] * parts[0] + parts[1]


def while_with_test_on_saved_value(x):
    k = 0
    while x * x > 0.2 and k < 20:
        x = 0.7 * np.sin(x)
        k += 1
    return x * k


def restored_then_read(u):
    u = u.copy()
    n = len(u)
    for i in range(1, n - 1):
        u[i] = 0.3 * (u[i - 1] * u[i] + np.sin(u[i + 1]))
    return np.sum(u**2)


def matrix_rows_overwritten(A):
    A = A.copy()
    for i in range(1, A.shape[0]):
        A[i] = A[i] * A[i - 1] + np.sin(A[i])
        A[i, 0] = A[i, 1] * A[i, 0]
    return np.sum(A * A)


def value_of_the_result_kept(u):
    s = np.exp(np.tanh(u))
    s[0] = 1.0
    return np.sum(s * u)


def index_rebound_after_use(u):
    k = 1
    x = u[k] * u[k]
    k = 2
    x = x * u[k]
    k = 0
    return x * x + u[k]


def tested_flag_rebound_after_use(x, y):
    t = x > 0.0
    if t:
        y = y * x
    t = False
    x = x * y
    return x + y if not t else y


def chained_position_then_its_name(u, k):
    v = u * 1.0
    v[k] = k = 2
    return v[k] * v[0]


def chained_name_then_what_it_names(u, v):
    w = v[1:] = u[1:]
    v[2] *= 2.0
    return np.sum(w) * np.sum(v)


def chained_elements_only(u):
    v = u.copy()
    v[0] = v[1] = v[2] = u[0] * u[1]
    return np.sum(v**2)


def chained_both_triangles(u):
    r = np.eye(4)
    for i in range(3):
        r[i + 1 :, i] = r[i, i + 1 :] = u[i] * u[i + 1 : 4]
    return np.sum(r**3)


def chained_pair_with_a_position(u, i):
    v = u.copy()
    i, v[i] = pair = (1, u[0] * u[1])
    return pair[1] * v[i] * np.sum(v)


def unpacked_row(points, i):
    x, y, z = points[i]
    return x * x * y + z


def unpacked_operations(u, m):
    x, y = m @ u
    x, y, z = np.sin(u[:3]) * x * y
    (a, b), c = u[:2], y * z
    a, b = np.array([a * b, a - b])
    return a * b * c * x


def unpacked_rows_of_a_matrix(m):
    top, middle, low = m * 2.0
    first, second, third = m.T
    return np.dot(top * low, second) + np.dot(first, third * middle)


def unpacked_in_a_loop(points):
    total = 0.0
    for i in range(len(points)):
        x, y, z = points[i]
        x, y = x * y, y * total
        total += x * z - y
    return total


def loop_over_a_slice(u):
    total = u[0]
    for x in u[1:]:
        total = total * x + x
    return total


def loop_over_a_slice_backwards(u):
    for x in u[::-1]:
        u = u * x
    return np.sum(u)


def loop_over_slices_together(u, v):
    total = 0.0
    for k, (x, y) in enumerate(zip(u[1:], reversed(v[:-1]), strict=True)):
        total += (x * y) ** k
    return total


def loop_over_a_slice_that_is_written(u):
    v = u * 1.0
    for k, x in enumerate(v[1:]):
        v[k] = x * v[k + 1]
    return np.sum(v)


def loop_over_a_display(x, y):
    total = 0.5
    for each in (x, y * 2.0):
        total += each**2 * total + np.sin(each)
    return total


def loop_over_a_list_of_arrays(u, v):
    total = 0.5
    for each in [u, v * 2.0, u]:
        total += np.sum(each**2) * total
    return total


def loop_over_what_an_operation_makes(m):
    total = 1.0
    for column in m.T:
        total *= np.sum(column) + 2.0
    for row in m * 2.0:
        total *= np.sum(row) + 3.0
    return total


U = numbers(5)
X = 0.7


def list_of_pairs(u, x):
    pairs = []
    for i in range(3):
        pairs.append((x, u[i] * x))
        x = np.sin(x) * u[i]
    s = 0.0
    for k in range(len(pairs)):
        s = s + pairs[k][0] * pairs[k][1] * (k + 1.0)
    return s * x


def stored_where_there_are_no_axes(a):
    c = np.empty(())
    c[()] = a * a
    d = np.empty_like(c)
    d[...] = c * a
    return c * 2.0 + float(d) * c[()]


def array_without_axes(a):
    c = a.copy()
    c[...] = a**2
    c += 1.0
    return c[()] * a


def number_in_an_array(a):
    c, d = np.array(a), np.zeros(())
    c[()] += a**2
    c[()] = c * a
    d[...] += c[...] * a
    return float(c) + d.item()


def number_with_a_subscript(a):
    return np.sum(a[None] ** 2) * a[()] + a[...] ** 3


PROGRAMS = (
    Entry(list_of_pairs, (numbers(5), 0.7), (0, 1)),
    Entry(overwritten_after_use, (X, U), (0, 1)),
    Entry(own_update_not_linear, (U,)),
    Entry(kept_view_is_overwritten, (U,)),
    Entry(kept_view_of_input_is_overwritten, (U,)),
    Entry(save_in_branch_and_body, (U, X), (0, 1)),
    Entry(save_in_both_branches, (U, X), (0, 1)),
    Entry(two_loops_over_one_name, (U,)),
    Entry(two_loops_saving_one_scalar, (X, 3)),
    Entry(two_loops_saving_one_scalar, (X, 0), note="no-trips"),
    Entry(two_pops_in_one_pass, (U,)),
    Entry(carried_value_overwritten_after_the_loop, (X, 3)),
    Entry(carried_value_overwritten_after_the_loop, (X, 0), note="no-trips"),
    Entry(pop_in_branch_overwrites_head, (U, X), (0, 1)),
    Entry(exit_index_rebound_by_later_loop, (U,)),
    Entry(exit_index_of_break_in_range, (U, X), (0, 1)),
    Entry(loop_variable_after_the_loop, (U,)),
    Entry(ping_pong_buffers, (U, 0.2), (0, 1), may_refuse=True),
    Entry(rebinding_buffers, (U, X), (0, 1)),
    Entry(swap_scalars_in_loop, (X, 0.3, 3), (0, 1)),
    Entry(list_saved_and_read_back, (X, 3), may_refuse=True),
    Entry(list_saved_and_read_back, (X, 0), may_refuse=True, note="no-trips"),
    Entry(list_read_by_index, (U,)),
    Entry(while_with_test_on_saved_value, (1.1,)),
    Entry(while_with_test_on_saved_value, (0.1,), note="no-trips"),
    Entry(restored_then_read, (U,)),
    Entry(matrix_rows_overwritten, (numbers(3, 4),)),
    Entry(value_of_the_result_kept, (U,)),
    Entry(index_rebound_after_use, (U,)),
    Entry(tested_flag_rebound_after_use, (X, 0.4), (0, 1)),
    Entry(tested_flag_rebound_after_use, (-X, 0.4), (0, 1), note="else"),
    Entry(chained_position_then_its_name, (U, 1)),
    Entry(chained_name_then_what_it_names, (U, U + 0.4), (0, 1)),
    Entry(chained_elements_only, (U,)),
    Entry(chained_both_triangles, (numbers(5),)),
    Entry(chained_pair_with_a_position, (U, 0)),
    Entry(unpacked_row, (numbers(4, 3), 2)),
    Entry(unpacked_operations, (U, numbers(2, 5)), (0, 1)),
    Entry(unpacked_rows_of_a_matrix, (numbers(3, 3),)),
    Entry(unpacked_in_a_loop, (numbers(4, 3),)),
    Entry(loop_over_a_slice, (U,)),
    Entry(loop_over_a_slice, (U[:1],), note="no-trips"),
    Entry(loop_over_a_slice_backwards, (U,)),
    Entry(loop_over_slices_together, (U, U + 0.4), (0, 1)),
    Entry(loop_over_a_slice_that_is_written, (U,), may_refuse=True),
    Entry(loop_over_a_display, (X, 0.3), (0, 1)),
    Entry(loop_over_a_list_of_arrays, (U, U + 0.4), (0, 1)),
    Entry(loop_over_what_an_operation_makes, (numbers(3, 4),)),
    Entry(array_without_axes, (np.array(0.7),), may_refuse=True),
    Entry(stored_where_there_are_no_axes, (0.7,)),
)


# on a device numbers are arrays without axes, which are summed out of place
def mean_and_spread(x):
    squares = []
    for v in x:
        squares.append(v * v)
    spread = statistics.stdev(squares) * statistics.pvariance(squares)
    return statistics.mean(squares) + statistics.fmean((x[0], x[1])) + spread


ON_THE_HOST = (
    Entry(mean_and_spread, (numbers(3),)),
    Entry(number_in_an_array, (0.7,)),
    Entry(number_with_a_subscript, (np.float64(0.7),), may_refuse=True),
    Entry(number_with_a_subscript, (np.array(0.7),), note="array"),
)
