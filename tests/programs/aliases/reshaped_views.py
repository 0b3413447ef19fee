"""Arrays of another shape are the same memory: what is written to one is seen in the other."""

from __future__ import annotations

from collections.abc import KeysView

import numpy as np

from tests.programs.entry import Entry, numbers


class Box:
    def __init__(self, m):
        self.m = m


def fill(v, w):
    v[:4] = w * w
    v[5] *= v[0]


def element_of_a_row(A):
    B = A * 2.0
    v = B.reshape(-1)
    v[3] = A[0, 0] ** 2
    return np.sum(B * B)


def raveled_and_back(A):
    B = A * 2.0
    v = B.ravel()
    v[3] = A[0, 0] ** 2
    B[1, 1] = v[3] * 2.0
    return np.sum(B * B * B) + np.sum(v * v)


def diagonal_of_raveled(A):
    n = len(A)
    B = A * 2.0
    B.ravel()[:: n + 1] += 1.0
    return np.sum(B * B)


def diagonal_by_flat(A):
    n = len(A)
    B = A * 2.0
    B.flat[:: n + 1] += 1.0
    return np.sum(B * B)


def diagonal_given_by_flat(A):
    n = len(A)
    B = A * 2.0
    B.flat[:: n + 1] = A[0]
    return np.sum(B * B)


def elements_by_flat(A):
    B = A * 2.0
    B.flat[3] = A[0, 0] ** 2
    B.flat[5] *= A[0, 1]
    return np.sum(B * B)


def vector_as_matrix(u):
    w = u * 2.0
    M = np.concatenate([w, u[:1]])
    N = M.reshape(2, 3)
    N[0] = N[1] * 2.0
    N[:, 1] += u[0]
    return np.sum(M * M)


def vector_as_matrix_of_any_width(u):
    M = np.zeros(6)
    N = M.reshape((2, -1))
    N[0, 0] = u[0]
    N[1] = u[:3] * u[1:4]
    return np.sum(M * M * np.arange(6))


def reshaped_by_a_function(u):
    M = np.zeros(6)
    N = np.reshape(M, (2, 3))
    N[0] += u[:3]
    N[1, 1:] = u[:2]
    return np.sum(M**2)


def raveled_by_a_function(A):
    B = A.copy()
    v = np.ravel(B)
    v *= A[1, 1]
    return np.sum(B)


def viewed(A):
    B = A.copy()
    v = B.view()
    v[0] = A[1] * 2
    return np.sum(B**2)


def axis_moved(A):
    B = A * 1.0
    C = np.moveaxis(B, 0, -1)
    C[0] = A[1] * A[2]
    return np.sum(B**2) + np.sum(C[1])


def turned_by_a_quarter(A):
    B = A * 1.0
    C = np.rot90(B)
    C[0] = A[1] * A[2]
    B[1] *= C[2]
    return np.sum(B**2) + np.sum(C[1])


def turned_by_a_half(A):
    B = A * 1.0
    C = np.rot90(B, 2)
    C[0] = A[1] * A[2]
    return np.sum(B**2) + np.sum(C[1])


def at_least_two_axes(u):
    w = u * 2.0
    m = np.atleast_2d(w)
    m[0, 1] = u[0] * u[1]
    return np.sum(w**2) + np.sum(m)


def squeezed(u):
    w = np.zeros((5, 1))
    m = np.squeeze(w, axis=1)
    m[1:] = u[:-1] * u[1:]
    return np.sum(w**2)


def expanded(u):
    w = u * 2.0
    m = np.expand_dims(w, 0)
    m[0, 1] = u[0] ** 2
    m *= 2.0
    return np.sum(w**2)


def new_axis_by_name(u):
    w = u * 2.0
    m = w[np.newaxis]
    m[0, 1:] += u[0] ** 2
    return np.sum(w**2)


def row_reshaped(A):
    B = A * 2
    v = B[1].reshape(2, 2)
    v[0] = v[1] * A[0, 0]
    return np.sum(B**2)


def rows_of_reshaped(A):
    B = A.copy()
    for row in B.reshape(8, 2):
        row *= row[0]
    return np.sum(B**2)


def part_reshaped_in_a_loop(u):
    y = u * 1.0
    for _ in range(3):
        m = y[:4].reshape(2, 2)
        m[0] += m[1] * 0.1
    return np.sum(y**2)


def state_in_parts(u):
    y = np.concatenate([u, u[:1] * 2])
    pos = y[:4].reshape(2, 2)
    vel = y[4:]
    for _ in range(2):
        pos += 0.1 * vel
        vel *= 0.9
    return np.sum(y**2)


def slope_in_parts(u):
    dydt = np.empty_like(u)
    d2 = dydt[:4].reshape((2, 2))
    d2[0] = u[:2] ** 2
    d2[1] = u[2:4] * u[0]
    dydt[4] = u[4] ** 3
    return np.sum(dydt * u)


def reshaped_before_branches(A):
    B = A * 2
    v = B.reshape(-1)
    if A[0, 0] > -5:
        v[0] = A[1, 1] ** 2
    else:
        B[0] = 0.0
    return np.sum(B**2) * v[0]


def copy_of_the_transpose(A):
    B = A.T.copy()
    v = B.reshape(-1)
    v[1] = A[0, 0] ** 2
    return np.sum(B**2 * A)


def greatest_of_raveled(A):
    B = A * A
    m = max(np.ravel(B))
    k = np.max(B.reshape(-1) ** 2)
    B[1] = 0.0
    return m * k + np.sum(B)


def read_by_flat(A):
    B = A * 2.0
    return B.flat[3] * B.flat[5]


def gone_over_by_flat(A):
    s = 0.0
    for x in (A * 2.0).flat:
        s += x * x
    return s


def part_turned_in_a_loop(u):
    y = u * 1.0
    for _ in range(3):
        m = y[:4][::-1]
        m[0] += m[1] * 0.1
    return np.sum(y**2)


def slice_of_flat_is_a_copy(A):
    B = A * 2.0
    g = B.flat[::2]
    g[0] = 5.0 * A[0, 0]
    return np.sum(B * B) + np.sum(g * g)


def flat_unpacked(A):
    B = A[:2, :2] * 2.0
    a, b, c, d = B.flat
    first, *rest = B.T.flat
    B[0, 0] = 7.0
    return a * d - b * c + first * rest[0] + B.flat[0] * rest[-1]


def flat_all_at_once(A):
    B = A * A
    held, copied, biggest = list(B.flat), np.array(B.T.flat), max(B.flat)
    B[1] = 0.0
    held.append(2.0)
    return sum(held) * held[2] + np.sum(copied**3) + biggest + sum(B.flat)


def flat_beside_another(A):
    B, s = A * 2.0, 0.0
    for x, y in zip(B.flat, A.T.flat, strict=False):
        s += x * y
        B[3, 3] = s
    for k, x in enumerate(B.flat):
        s += k * x * x
    return s + sum(x * x for x in B.flat)


def flat_in_a_loop(A):
    B = A.copy()
    for k in range(3):
        B.flat[k] *= B.flat[k + 1]
        B.flat[-1] += B[k, k]
    return np.sum(B * B)


def written_while_gone_over(A):
    B = A.copy()
    s = 0.0
    for x in B.flat:
        B[3, 3] += x
        s += x * x
    return s + np.sum(B)


def written_without_a_name(A):
    B = A.copy()
    np.ravel(B)[3] = A[1, 1] ** 2
    B[1:].ravel()[2:4] *= A[0, 0]
    B[1].reshape(2, 2)[0] = A[0, 2:] ** 2
    B.reshape(2, 8)[0][1] += A[2, 2]
    return np.sum(B * B)


def field_raveled(A):
    box = Box(A * 2.0)
    box.m.ravel()[3] = A[0, 0] ** 2
    box.m.flat[::5] += 1.0
    box.m.T[0] *= 2.0
    return np.sum(box.m**2)


def jitter_on_the_diagonal(A):
    n = A.shape[0]
    K = A @ A.T
    K.flat[:: n + 1] += 0.1
    L = np.linalg.cholesky(K + 9 * np.eye(n))
    return np.sum(np.log(np.diag(L)))


def argument_raveled(A):
    for k in range(4):
        A.ravel()[k * 4] = A[k, 1] ** 2
        v = A.reshape(-1)
        v[1:] += 0.1 * v[:-1].copy()
    return np.sum(A**3)


def handed_on_raveled(A):
    B = A * 1.0
    fill(B.ravel(), A[0])
    return np.sum(B**2)


def owner_given_away(A):
    B = A * 2.0
    v = B.reshape(-1)
    B = B.T.copy()
    v[1] = 3.0 * A[0, 0]
    return np.sum(B * A) + np.sum(v)


def two_shapes_of_one(A):
    B = A * 2.0
    v = B.reshape(-1)
    w = B.reshape(2, 8)
    v[0] = A[1, 1] ** 2
    w[1] *= v[0]
    B[0] += w[1, :4]
    return np.sum(v**2) + np.sum(w * B.reshape(2, 8))


def raveled_in_a_while(A):
    B = A * 2.0
    v = B.ravel()
    i = 0
    while i < 8:
        v[i] = B[0, 1] * v[i + 1]
        i += 3
    return np.sum(B**2)


def left_after_a_write(A):
    B = A * 2.0
    v = B.ravel()
    for i in range(9):
        if v[i] > 0.9:
            v[i + 1] = B[1, 1] ** 2
            break
        B[0] *= 1.1
    return np.sum(B**2) * v[3]


A, U = numbers(4, 4), numbers(5)
OF_MATRICES = (
    element_of_a_row,
    raveled_and_back,
    diagonal_of_raveled,
    diagonal_by_flat,
    diagonal_given_by_flat,
    elements_by_flat,
    raveled_by_a_function,
    viewed,
    axis_moved,
    turned_by_a_quarter,
    turned_by_a_half,
    row_reshaped,
    rows_of_reshaped,
    reshaped_before_branches,
    copy_of_the_transpose,
    greatest_of_raveled,
    read_by_flat,
    gone_over_by_flat,
    slice_of_flat_is_a_copy,
    flat_unpacked,
    flat_all_at_once,
    flat_beside_another,
    flat_in_a_loop,
    written_while_gone_over,
    written_without_a_name,
    field_raveled,
    jitter_on_the_diagonal,
    argument_raveled,
    handed_on_raveled,
    owner_given_away,
    two_shapes_of_one,
    raveled_in_a_while,
    left_after_a_write,
)


def weights_under_names(u):
    params, start = {}, 0
    for k in range(2):
        params[f"W{k}"] = u[start : start + 2].reshape(2, 1)
        params[f"b{k}"] = u[start : start + 1]
        start = start + 1
    h = np.array([0.3, -0.4])
    for k in range(2):
        h = np.tanh(h @ params[f"W{k}"] + params[f"b{k}"]) * h
    return np.sum(h)


def weights_in_pairs(u):
    pairs, start = [], 0
    for m, n in [(2, 1), (1, 2)]:
        pairs.append((np.reshape(u[start : start + m * n], (m, n)), u[start : start + n]))
        start = start + 1
    h = np.array([[0.3, -0.4]])
    for w, b in pairs:
        h = np.tanh(h @ w + b)
    return np.sum(h)


def weights_in_a_list(u):
    made = []
    for k in range(2):
        made.append(u[k : k + 2].reshape(2, 1))
    return np.sum(np.tanh(made[0]) @ made[1].T)


OF_VECTORS = (
    weights_under_names,
    weights_in_pairs,
    weights_in_a_list,
    vector_as_matrix,
    vector_as_matrix_of_any_width,
    reshaped_by_a_function,
    at_least_two_axes,
    squeezed,
    expanded,
    new_axis_by_name,
    part_reshaped_in_a_loop,
    state_in_parts,
    slope_in_parts,
    part_turned_in_a_loop,
)


def computed_from_rows_from_the_end(A):
    B = A * 1.0
    for v in (1.0, 2.0):
        W = 0.8 * np.reshape(B[::-1], (B.shape[1], B.shape[0]))
        B -= np.tanh(np.reshape(B[::-1], B.shape) * v)
    L = [np.reshape(B[::-1], B.shape) * 2, np.reshape(B.T, B.shape) + 0.0]
    B[0] *= 2.0
    return np.sum(W**3) + np.sum(L[0] ** 2) + np.sum(L[1] ** 3) + np.sum(B)


def of_a_rebound_argument(A):
    A = A * 1.5
    W = np.reshape(A, -1)
    A[0] = 2.0 * W[3]
    return np.sum(W**2)


def copied_without_axes(x):
    return np.asarray(np.asarray(x, float).copy()) * np.array(3.0).copy() * x


def whole_without_axes(x):
    y = np.asarray(x)[...]
    return np.asarray(y)[()] * y[None][0] * x


def axis_for_a_number(x):
    return np.sum(np.asarray(x)[None] * x + np.asarray(x)[np.newaxis, None] ** 3)


def number_by_an_empty_subscript(x):
    y = np.sin(x)
    return y.squeeze()[()] * y[()] * np.asarray(x)[()] + y[...] * x


def number_by_a_flag(x):
    y = np.sqrt(x**2)
    bad = np.isclose(y, 0.0) | (y < 0.0)
    return np.sum(y[~bad] ** 3) + np.sum(y[bad]) + np.asarray(x)[~bad][0] * x


def one_element_by_a_flag(x):
    y = np.sin(x)
    z = np.array(y)
    z[y > 0.0] = y[y > 0.0] ** 2
    z[y <= 0.0] += 1.0
    return z


def told_from_a_view(x):
    y = np.asarray(x, float).copy()
    if isinstance(y * x, KeysView):
        y = list(y)
    return np.where(y > 0.5, y * x, x)


# ---------------------------------------------------------------------------- never read again


def patches_of(x, kh, kw):
    high, wide = x.shape[0] - kh + 1, x.shape[1] - kw + 1
    patches = np.empty((kh, kw, high, wide))
    for i in range(kh):
        for j in range(kw):
            patches[i, j] = x[i : i + high, j : j + wide]
    return patches.transpose(2, 3, 0, 1).reshape(high * wide, -1)


def patches_as_rows(A):
    rows = patches_of(A, 2, 1)
    return np.sum((rows @ np.array([0.5, -1.5])) ** 2 * np.arange(1.0, len(rows) + 1.0))


def turned_and_written_to(A):
    B = 2.0 * A
    B[0] *= A[1, 0]
    v = B.T.reshape(-1)
    v[1:3] *= A[0, 1]
    return np.sum(v**2 * np.arange(v.size))


def turned_twice_and_written_between(A):
    B = 2.0 * A
    v = B.T.reshape(-1)
    B[1] += A[0]
    w = B.T.reshape(-1)
    return np.sum(v**2 * np.arange(v.size)) + np.sum(w**3)


def still_held_by_a_list(A):
    held = [np.sin(A), 2.0 * A]
    held[0].reshape(-1)[1:] *= A[0, 1]
    return np.sum(held[0] ** 2) + np.sum(held[1])


def raveled_after_a_product(A, v):
    B = 2.0 * A
    C = B * A
    B.ravel()[1] += v[1]
    return np.sum(B * C)


def turned_after_a_product(A, v):
    B = np.sin(A)
    C = B @ B.T
    np.transpose(B)[1] *= v[0]
    return np.sum(C * C) + np.sum(B * A)


def squeezed_after_a_choice(A, v):
    B = 2.0 * A
    C = np.where(B > 0.0, B, A)
    B[:, None].squeeze()[0] -= v[1]
    return np.sum(C * B * B)


def copy_of_a_stretched_vector(A, v):
    B = np.broadcast_to(v, A.shape)
    C = B * A
    B = B.copy()
    B.ravel()[1] = v[0] ** 2
    return np.sum(B * C)


OF_NUMBERS = (
    *(copied_without_axes, whole_without_axes, axis_for_a_number, told_from_a_view),
    *(number_by_an_empty_subscript, number_by_a_flag, one_element_by_a_flag),
)
PROGRAMS = (
    Entry(patches_as_rows, (A,)),
    Entry(turned_and_written_to, (A,)),
    *(
        Entry(function, (A, numbers(A.shape[1])), (0, 1))
        for function in (
            *(raveled_after_a_product, turned_after_a_product),
            *(squeezed_after_a_choice, copy_of_a_stretched_vector),
        )
    ),
    Entry(turned_twice_and_written_between, (A,), may_refuse=True),
    Entry(still_held_by_a_list, (A,), may_refuse=True),
    *(Entry(function, (0.8,)) for function in OF_NUMBERS),
    Entry(computed_from_rows_from_the_end, (A,)),
    Entry(of_a_rebound_argument, (A,)),
    # of what an object holds forward mode does not know how it lies in memory
    *(Entry(f, (A,), may_refuse=f is field_raveled) for f in OF_MATRICES),
    *(Entry(function, (U,)) for function in OF_VECTORS),
)
