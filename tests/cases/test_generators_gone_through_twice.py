"""A generator that is gone through has nothing left: going through it twice is refused."""

import inspect

import numpy as np
import pytest

from tests.cases.cases import verdict

FACTORS = [1.0, 2.0, 3.0]


def expression_summed_twice(x):
    g = (x * k for k in FACTORS)
    a = sum(g)
    b = sum(g)
    return a + 10 * b + x


def gen(x):
    for k in FACTORS:
        yield x * k


def function_summed_twice(x):
    g = gen(x)
    a = sum(g)
    b = sum(g)
    return a + 10 * b + x * x


def map_summed_twice(x):
    g = map(lambda k: k * x, FACTORS)
    a = sum(g)
    b = sum(g)
    return a + 10 * b + x * x


def zip_in_two_loops(x):
    g = zip(FACTORS, [x, x * x, 2 * x])
    t = 0.0
    for k, v in g:
        t += k * v
    for k, v in g:
        t += 100 * k * v
    return t


def iter_summed_twice(x):
    g = iter([x, x * x])
    t = sum(g)
    u = sum(g)
    return t + 10 * u + x


def filter_twice(x):
    g = filter(lambda k: k > 1.5, FACTORS)
    t = sum(k * x for k in g)
    u = sum(k * x for k in g)
    return t + 10 * u + x


def enumerate_twice(x):
    g = enumerate([x, x * x])
    t = 0.0
    for i, v in g:
        t += v * i
    for i, v in g:
        t += 100 * v
    return t + x


def reversed_twice(x):
    g = reversed([x, 3 * x])
    a = list(g)
    b = list(g)
    return a[0] * 2 + len(b) * x * x + x


def left_early_then_summed(x):
    g = (x * k for k in FACTORS)
    t = 0.0
    for v in g:
        t += v
        break
    return t + 10 * sum(g) + x


def two_names(x):
    g = (x * k for k in FACTORS)
    h = g
    return sum(g) + 10 * sum(h) + x


def two(g):
    return sum(g) + 10 * sum(g)


def handed_to_a_function_that_sums_twice(x):
    return two(x * k for k in FACTORS) + x


def summed_in_every_pass(x):
    g = (x * k for k in FACTORS)
    t = 0.0
    for _ in range(2):
        t = t + sum(g)
    return t + x * x


def unpacked_then_summed(x):
    g = (x * k for k in FACTORS)
    a, b, c = g
    return a * b + sum(g) + c


def searched_then_summed(x):
    g = (x * k for k in FACTORS)
    if 2.0 * x in g:
        pass
    return sum(g) + x


def largest_then_summed(x):
    g = (x * k for k in FACTORS)
    m = max(g)
    return m + sum(g) + x


def two_lists_of_it(x):
    g = (x * k for k in FACTORS)
    a = np.array(list(g))
    b = np.array(list(g))
    return np.sum(a) + 10 * np.sum(b) + x


def name_bound_again(x):
    g = (x * k for k in FACTORS)
    a = sum(g)
    g = (x * x * k for k in FACTORS)
    return a + sum(g)


def either_branch(x):
    g = (x * k for k in FACTORS)
    if x > 0:
        return sum(g)
    else:
        return 2 * sum(g)


def made_in_every_pass(x):
    t = 0.0
    for i in range(3):
        g = (x * k * i for k in FACTORS)
        t += sum(g)
    return t


def loops_of_their_own(x):
    t = 0.0
    for v in (x * k for k in FACTORS):
        t += v * v
    g = map(lambda k: k * x, FACTORS)
    for v in g:
        t += v
    return t


def made_of_the_one_before(x):
    g = (x * k for k in FACTORS)
    g = (v * v for v in g)
    return sum(g)


def total(g):
    return sum(g)


def handed_to_a_function(x):
    return total(x * k for k in FACTORS)


def told_from_a_list(x):
    items = (x * k for k in FACTORS)
    return sum(items) if inspect.isgenerator(items) else x


TWICE = (
    expression_summed_twice,
    function_summed_twice,
    map_summed_twice,
    zip_in_two_loops,
    iter_summed_twice,
    filter_twice,
    enumerate_twice,
    reversed_twice,
    left_early_then_summed,
    two_names,
    handed_to_a_function_that_sums_twice,
    summed_in_every_pass,
    unpacked_then_summed,
    searched_then_summed,
    largest_then_summed,
    two_lists_of_it,
)
ONCE = (
    name_bound_again,
    either_branch,
    made_in_every_pass,
    loops_of_their_own,
    made_of_the_one_before,
    handed_to_a_function,
    told_from_a_list,
)


@pytest.mark.parametrize("function", TWICE)
def test_going_through_twice_is_refused_or_right(function):
    assert verdict(function, (1.1,)) in ("refused", "right")


@pytest.mark.parametrize("function", ONCE)
def test_going_through_once_is_supported(function):
    assert verdict(function, (1.1,)) == "right"
