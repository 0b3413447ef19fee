"""Programs that call functions of the user's own."""

from __future__ import annotations

import math

import numpy as np

from tests.programs import library
from tests.programs.entry import Entry, numbers
from tests.programs.library import damped

RATE = 0.8
WEIGHTS = np.array([0.3, -0.2, 0.9, 0.5, -0.7])


def product(x, y):
    return x * y + np.sin(x)


def pair(x, y):
    return x * y, x - y


def root(a, c):
    x = c
    for _ in range(6):
        x = 0.5 * (x + a / x)
    return x


def scale_in_place(u, c):
    u *= c
    u[0] = u[1] * u[0]


def scale_and_return(u, c):
    u[1:] *= c
    return u


def same(u):
    return u


def several_returns(x, y):
    if x > y:
        return x * y
    if x > 0.0:
        return y * y
    return x + y


def no_tail(x):
    for _ in range(3):
        x = np.sin(x) * x
        if x > 0.6:
            return x * x
    return x


def norm2(u):
    s = 0.0
    for x in u:
        s += x * x
    return s


def same_argument_twice(x):
    return product(x, x)


def same_array_twice(u):
    return np.sum(product(u, u) * u)


def mutated_argument_twice(u):
    v = u.copy()
    scale_and_return(v, v[0])
    return np.sum(v * v)


def two_activities(a):
    s = root(a, 2.0)
    return root(s + a, 1.3) * root(3.0, a)


def two_results(x, y):
    p, q = pair(x, y)
    q, p = pair(p, q)
    return p * q


def two_results_of_one_array(u):
    p, q = pair(u, u)
    return np.sum(p * p) + np.sum(q * u)


def one_result_unused(x, y):
    p, _ = pair(x, y)
    return p * x


def helper_with_returns(x, y):
    return several_returns(x, y) * several_returns(y, x) + several_returns(-x, y)


def helper_with_loop_return(x):
    return no_tail(x) * no_tail(x * x)


def helper_in_loop(u, c):
    s = c
    for x in u:
        s = product(s, x) + 0.2
    return s


def helper_with_loop_in_loop(A):
    s = 0.5
    for row in A:
        s = s * norm2(row) + 0.1 * s
    return s


def mutating_helper(u, c):
    u = u.copy()
    scale_in_place(u, c)
    scale_in_place(u, u[2])
    return np.sum(u**2)


def mutating_helper_after_read(u, c):
    v = u * 2.0
    w = np.sin(v) * v
    scale_in_place(v, c)
    return np.sum(v * w)


def mutating_helper_returns_it(u, c):
    v = u * 1.0
    w = scale_and_return(v, c)
    return np.sum(w * w)


def mutating_helper_alias(u, c):
    v = u * 1.0
    w = scale_and_return(v, c)
    w[0] = w[1] * c
    return np.sum(w * v)


def passed_through(u):
    v = same(u)
    return np.sum(v * u)


def passed_through_then_written(u):
    u = u.copy()
    v = same(u)
    v[0] = v[1] * v[2]
    return np.sum(v * u)


def nested_calls(x, y):
    return product(product(x, y), several_returns(product(y, x), x))


def defaults_and_keywords(x, y):
    return damped(x) + damped(y, rate=x) + damped(x, y, shift=y) * library.damped(shift=x, x=y)


def from_other_module(v):
    return np.sum(library.normalised(v) ** 3) * library.GAIN


def module_constants(u):
    return np.sum(u * WEIGHTS) * RATE + math.pi * np.sum(u**2) * math.sqrt(2.0)


def helper_takes_row(A):
    s = 0.0
    for i in range(A.shape[0]):
        s = s + norm2(A[i]) * A[i, 0]
    return s


def helper_result_stored(u):
    out = np.zeros_like(u)
    for i in range(len(u)):
        out[i] = product(u[i], u[i - 1])
    return np.sum(out**2)


def inactive_call(u, n):
    k = root(4.0, 1.0) * n
    return np.sum(u * k)


def own_default(x, y=0.6):
    return x * y * y


def raised(x, /, *, k=2.0, shift):
    return x**k * k + shift * x


def arguments_by_name_only(x, y):
    return raised(x, shift=y) * raised(2.0, k=y, shift=1.0) + raised(y, k=x, shift=x)


def both_in_a_list(u, x):
    return [u * x, u + x * x]


def a_tuple_of_one(u):
    return (u * u,)


def nested_results(u, x):
    return np.sum(u) * x, (u * x, [x, u])


def results_kept_together(u, x):
    out = pair(u, x)
    return np.sum(out[0] * out[1])


def results_kept_in_a_list(u, x):
    out = both_in_a_list(u, x)
    return np.sum(out[0]) * out[1][0]


def list_of_results_unpacked(u, x):
    p, q = both_in_a_list(u, x)
    return np.sum(p * q)


def one_of_a_list_of_results(u, x):
    _, q = both_in_a_list(u, x)
    return np.sum(q * q)


def one_result_unpacked(u):
    (p,) = a_tuple_of_one(u)
    return np.sum(p * u)


def one_result_kept(u):
    p = a_tuple_of_one(u)
    return np.sum(p[0] * u)


def nested_results_unpacked(u, x):
    s, (p, (y, q)) = nested_results(u, x)
    return s * np.sum(p * q) * y


def nested_results_kept(u, x):
    out = nested_results(u, x)
    return out[0] * np.sum(out[1][0] * out[1][1][1]) * out[1][1][0]


U = numbers(5)


def shrinks(u):
    u[1] *= 0.3
    return 0.5 * u[0]


def added_to_what_the_call_changes(u):
    u[1] += shrinks(u)
    return np.sum(u)


def multiplied_with_what_the_call_gives(u):
    u[1] *= shrinks(u)
    return np.sum(u)


def subtracted_at_a_position_the_call_changes(u, n):
    where = np.array([n, n + 1])

    def moves(v):
        where[0] = 2
        return v[0] * 2.0

    u[where[0]] -= moves(u)
    return np.sum(u**2)


def scaled_sum(d, c):
    d[0] *= c
    return d[1] + d[0]


def called_in_a_test(u):
    d = u.copy()
    if scaled_sum(d, 2.0) >= 0.0:
        s = d[0] * d[1]
    else:
        s = d[0]
    return s + d[2]


def called_in_a_second_test(u):
    d = u.copy()
    if d[0] < scaled_sum(d, 2.0) and d[1] > 3.0:
        return d[0]
    elif scaled_sum(d, 3.0) > 0.0:
        return d[0] * d[1]
    return np.sum(d)


def called_in_the_test_of_a_loop(u):
    d = abs(u)
    n = 0
    while scaled_sum(d, 0.5) > 0.8 and n < 7:
        n += 1
    return d[0] + d[1]


def called_in_a_conditional_expression(u):
    return u[1] if scaled_sum(u, 2.0) > 0.1 else u[0]


def read_before_and_after_the_call(u):
    return u[1] * shrinks(u) + u[1]


def listed_around_the_call(u):
    v = [u[1], shrinks(u), u[1]]
    return v[0] * v[1] + v[2]


def rate(k=None, mass=None, period=None, length=None):
    if k is not None and mass is not None:
        return np.sqrt(k / mass)
    elif period is not None and length is not None:
        return period * length
    elif period is not None:
        return 1.0 / period
    raise ValueError("too little is known of it")


def what_is_known_decides(x, y):
    return rate(k=x, mass=y) * y + rate(period=x)


class Measured:
    value = 2.0


def perhaps_of_a_class(x, u):
    phase = x * u + 0.3
    if isinstance(phase, Measured):
        phase = phase.value
    return np.sum(np.sin(phase) + np.zeros_like(phase, subok=False))


PROGRAMS = (
    Entry(added_to_what_the_call_changes, (U,)),
    Entry(multiplied_with_what_the_call_gives, (U,)),
    Entry(subtracted_at_a_position_the_call_changes, (U, 1), may_refuse=True),
    Entry(read_before_and_after_the_call, (U,)),
    Entry(called_in_a_test, (U,)),
    Entry(called_in_a_test, (-U,), note="negative"),
    Entry(called_in_a_second_test, (U,)),
    Entry(called_in_a_second_test, (-U,), note="negative"),
    Entry(called_in_the_test_of_a_loop, (5.0 * U,)),
    Entry(called_in_a_conditional_expression, (U,)),
    Entry(called_in_a_conditional_expression, (-U,), note="negative"),
    Entry(listed_around_the_call, (U,)),
    Entry(same_argument_twice, (0.7,)),
    Entry(same_array_twice, (U,)),
    Entry(mutated_argument_twice, (U,)),
    Entry(two_activities, (0.7,)),
    Entry(two_results, (0.7, 0.4), (0, 1)),
    Entry(two_results_of_one_array, (U,)),
    Entry(one_result_unused, (0.7, 0.4), (0, 1)),
    Entry(helper_with_returns, (0.7, 0.4), (0, 1)),
    Entry(helper_with_loop_return, (0.9,)),
    Entry(helper_in_loop, (U, 0.7), (0, 1)),
    Entry(helper_with_loop_in_loop, (numbers(3, 4),)),
    Entry(mutating_helper, (U, 0.7), (0, 1), may_refuse=True),
    Entry(mutating_helper, (U, 0.7), (1,), may_refuse=True, note="factor"),
    Entry(mutating_helper_after_read, (U, 0.7), (0, 1), may_refuse=True),
    Entry(mutating_helper_returns_it, (U, 0.7), (0, 1), may_refuse=True),
    Entry(mutating_helper_alias, (U, 0.7), (0, 1), may_refuse=True),
    Entry(passed_through, (U,)),
    Entry(passed_through_then_written, (U,), may_refuse=True),
    Entry(nested_calls, (0.7, 0.4), (0, 1)),
    Entry(defaults_and_keywords, (0.7, 0.4), (0, 1)),
    Entry(from_other_module, (U,)),
    Entry(from_other_module, (0.7,), note="scalar"),
    Entry(module_constants, (U,)),
    Entry(helper_takes_row, (numbers(3, 4),)),
    Entry(helper_result_stored, (U,)),
    Entry(inactive_call, (U, 2)),
    Entry(arguments_by_name_only, (0.7, 0.4), (0, 1)),
    Entry(results_kept_together, (U, 0.7), (0, 1)),
    Entry(results_kept_in_a_list, (U, 0.7), (0, 1)),
    Entry(list_of_results_unpacked, (U, 0.7), (0, 1)),
    Entry(one_of_a_list_of_results, (U, 0.7), (0, 1)),
    Entry(one_result_unpacked, (U,)),
    Entry(one_result_kept, (U,)),
    Entry(nested_results_unpacked, (U, 0.7), (0, 1)),
    Entry(nested_results_kept, (U, 0.7), (0, 1)),
    Entry(what_is_known_decides, (0.7, 0.4), (0, 1)),
    Entry(perhaps_of_a_class, (0.7, U), (0, 1)),
    Entry(own_default, (0.7,)),
    Entry(own_default, (0.7, 0.3), (0, 1), note="given"),
)
