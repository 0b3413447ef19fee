"""The smallest program behind each error that prototypes of this design made."""

import numpy as np
import pytest

from tests.rooms.derive import grad
from tests.rooms.differences import fresh, judge

VECTOR = np.array([0.35, 0.7, 1.1, 0.45])
MATRIX = np.arange(16.0).reshape(4, 4) / 17 + 0.2


def adjoint_that_is_primal_memory(u):
    v = u * 1.0
    v[0] = 0.5 * u[1]
    w = np.sum(v * u)
    v[1] = w
    return np.sum(v * u)


def temporary_of_a_shadow_view(A):
    A[1] = A[0] * A[1]
    return np.sum(A * A)


def filled_with_what_varies(u, c):
    return np.sum(np.full_like(u, c**2) * u) + np.sum(np.full_like(u, u[0] * c))


def gradient_of_what_is_exchanged(A, M, c):
    if c > 0.3:
        A = M.T
    A, M = M, A
    M[0, 1] *= c
    return np.sum(A * A[0]) + np.sum(M * M)


def root_bound_in_a_loop(u):
    for _ in range(2):
        u = (u * u) * u
    u[0] *= u[1]
    return np.sum(u * u)


def name_of_what_is_put_back(u, c):
    w = u * 1.0
    w[-1] = c * w[0]
    if c > 0.3:
        w = u * c
    return np.sum(w * w) + w[-1]


def view_of_a_new_value(u, w):
    v = np.tanh(w)[::-1]
    v[0] = 5.0 * u[1]
    return np.sum(v * v * w)


def row_of_another_pass(u):
    u = u * 1.0
    for i in range(2):
        row = u[i : i + 3]
        row[1] *= row[0]
        row[2] += row[1] * row[1]
    return np.sum(u * u)


def value_had_again_before_it_changes(u, c):
    for _ in range(3):
        lap = np.roll(u, 1) - 2.0 * u
        u = u + lap * c
    return np.sum(u * u)


def test_that_the_branch_changes(w):
    for i in range(3):
        w = w * w[0] if w[i] > 0.3 else w + 0.1
    return np.sum(w)


def rebound_only_sometimes(u, c):
    D = u
    for i in range(3):
        if i > 0:
            D = D * u
        else:
            D = u * c
    return np.sum(D)


def loop_variable_rebound(u):
    for i in range(2):
        i = i + 1
        u = u * u[i]
    return u[i]


def nothing_but_what_is_put_back(x):
    y = x
    for _ in range(3):
        x = np.sin(x) * x
    return x * y


def lazy_sums(u, a, b):
    return np.sum(a - (b - u)) + np.sum(u * a) + np.mean(a - u)


def shadow_owned_before_the_branch(u, M, c):
    w = u
    if c > 0.3:
        w *= 0.4 * c * M @ w
    w = M[:, 0]
    return np.sum(w * u)


def exchange_that_reads(u, w, c):
    for i in range(3):
        w, u = u, w * c
        w[i] *= u[0]
    return np.sum(u * w)


def bound_twice_in_a_pass(u):
    s = 0.0
    for i in range(3):
        y = u * u[i]
        b = np.tanh(y)
        y = y - u * b
        s = s + np.sum(y * y)
    return s


def exchanged_in_each_pass(u, c):
    old = u * 1.0
    new = np.zeros_like(u)
    for _ in range(3):
        new[1:-1] = old[2:] * old[:-2] * c
        new, old = old, new
    return np.sum(old * old) + np.sum(new)


def left_by_break(u, c):
    s = 0.0
    k = 0
    while k < 10:
        w = u * s
        s = s + np.sum(w * u) + c
        if s > 2.0:
            break
        k += 1
    return s * s


def returned_from_a_loop(u, c):
    x = 0.0
    for i in range(len(u)):
        x = x + c * u[i] * u[i]
        if x > 0.9:
            return x * x
    return x


def written_argument_of_a_helper(u, c):
    v = scaled(u[1:], c)
    return np.sum(v * u[1:]) + u[0]


def scaled(p, s):
    p[0] *= s
    p[1:] += 0.3 * p[:-1]
    return p


def pairs(u, v):
    s = 0.0
    for k, (x, y) in enumerate(zip(u, v, strict=True)):
        s = s + x * y * (k + 1)
    a, b = s, np.sum(u)
    a, b = b, a + b
    return a * b


def broadcast_column(A, u):
    B = A * u[:, None] + u
    return np.sum(B * A[:, :1])


def positions(u):
    where = np.array([0, 2, 2, 1])
    v = u[where]
    return np.sum(v * v)


def powers(u, c):
    return np.sum(u**3 + c**u + u**c + 2.0 / u)


def second_name_for_an_argument(u):
    v = u
    v += u * 1.0
    return np.sum(u * v)


def sum_of_what_positions_take(u, c):
    at = np.array([2, 0, 2])
    v = u[at] * 0.5  # full_like(at, c) would cut c off
    return np.sum(u[at]) * c + np.sum(v) + np.sum(u[at] ** 2)


CASES = [
    (adjoint_that_is_primal_memory, (VECTOR,)),
    (temporary_of_a_shadow_view, (MATRIX,)),
    (filled_with_what_varies, (MATRIX[0], 0.6)),
    (gradient_of_what_is_exchanged, (MATRIX, MATRIX * 0.7, 0.6)),
    (gradient_of_what_is_exchanged, (MATRIX, MATRIX * 0.7, 0.2)),
    (root_bound_in_a_loop, (VECTOR,)),
    (name_of_what_is_put_back, (VECTOR, 0.6)),
    (view_of_a_new_value, (VECTOR, VECTOR * 0.8)),
    (row_of_another_pass, (VECTOR,)),
    (value_had_again_before_it_changes, (VECTOR, 0.3)),
    (test_that_the_branch_changes, (VECTOR,)),
    (rebound_only_sometimes, (VECTOR, 0.6)),
    (loop_variable_rebound, (VECTOR,)),
    (nothing_but_what_is_put_back, (0.7,)),
    (lazy_sums, (VECTOR, VECTOR * 2, 0.4)),
    (shadow_owned_before_the_branch, (VECTOR, MATRIX, 0.6)),
    (exchange_that_reads, (VECTOR, VECTOR * 0.8, 0.6)),
    (bound_twice_in_a_pass, (VECTOR,)),
    (exchanged_in_each_pass, (VECTOR, 0.6)),
    (left_by_break, (VECTOR, 0.6)),
    (returned_from_a_loop, (VECTOR, 0.6)),
    (returned_from_a_loop, (VECTOR, 0.1)),
    (written_argument_of_a_helper, (VECTOR, 0.6)),
    (pairs, (VECTOR, VECTOR * 0.8)),
    (broadcast_column, (MATRIX, VECTOR)),
    (positions, (VECTOR,)),
    (sum_of_what_positions_take, (VECTOR, 0.7)),
    (powers, (VECTOR, 1.7)),
    (second_name_for_an_argument, (VECTOR,)),
]
test_that_the_branch_changes.__test__ = False


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda x: getattr(x, "__name__", ""))
def test_gradient_and_replay(function, args):
    run = grad(function, args)
    run.checked(*fresh(args))
    given = fresh(args)
    verdict, error = judge(function, args, range(len(args)), run)
    assert verdict == "right", f"{error}\n{run.text}"
    run(*given)
    for before, after in zip(args, given, strict=True):
        np.testing.assert_array_equal(before, after, err_msg="an argument was written to")
