"""What is changed where only a call shows it: followed, or refused, never overlooked.

Each function reads a position, lets something change it, and reads it again. What the reverse
sweep reads is the position as it was.
"""

from __future__ import annotations

import contextlib
import functools

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences

X, PLACES = np.array([0.3, 0.5, 0.7]), np.array([2, 0, 1])


def swap(k):
    k[0], k[1] = k[1], k[0]


def swap_where_it_is_not_followed(k):
    class Swapper:
        def go(self, places):
            places[0], places[-1] = places[-1], places[0]

    Swapper().go(k)


def swapped_one_by_one(k):
    for i in range(3):
        k[0] = i
        yield i


class Counting:
    def __init__(self):
        self.k = 0

    def __iter__(self):
        for i in range(3):
            self.k = i
            yield i

    def steps(self):
        for i in range(3):
            self.k = i
            yield i

    @property
    def many(self):
        for i in range(3):
            self.k = i
            yield i


COUNTING = Counting()


def _counting():
    COUNTING.__init__()
    return COUNTING


def in_a_try(x, k):
    s = x[k[0]] ** 2
    try:
        swap(k)
    except ValueError:
        done = False
    else:
        done = True
    return s * x[k[0]] * (2.0 if done else 1.0)


def under_a_with(x, k):
    s = x[k[0]] ** 2
    with contextlib.suppress(ValueError):
        swap(k)
    return s * x[k[0]]


def in_an_assertion(x, k):
    s = x[k[0]] ** 2
    assert swap(k) is None
    return s * x[k[0]]


def by_what_is_not_followed(x, k):
    s = x[k[0]] ** 2
    swap_where_it_is_not_followed(k)
    return s * x[k[0]]


def in_a_comprehension(x, k):
    s = x[k[0]] ** 2
    done = [swap(k) for _ in range(1)]
    return s * x[k[0]] * len(done)


def for_its_effect(x, k):
    s = x[k[0]] ** 2
    any(k.sort() for _ in range(1))
    return s * x[k[0]]


def by_a_method_with_a_name(x, k):
    s = x[k[0]] ** 2
    arrange = k.sort
    arrange()
    return s * x[k[0]]


def by_a_method_that_is_asked_for(x, k):
    s = x[k[0]] ** 2
    getattr(k, "sort")()  # noqa: B009
    return s * x[k[0]]


def turned_or_not(k, fails):
    k[0], k[1] = k[1], k[0]
    if fails:
        raise ValueError
    k[2] = k[0]


def again_and_again(x, k):
    s = x[k[0]] ** 2
    for i in range(3):
        try:
            turned_or_not(k, k[1] == i)
        except ValueError:
            s = s * x[k[2]]
            k[2] = 0
        s = s * x[k[1]] + x[k[0]]
    return s


def under_another_name(x, k):
    s = x[k[0]] ** 2
    try:
        same = k
        swap(same)
    except ValueError:
        pass
    return s * x[k[0]]


GO_THROUGH = [
    in_a_try,
    again_and_again,
    under_a_with,
    in_an_assertion,
    by_what_is_not_followed,
    in_a_comprehension,
    for_its_effect,
    by_a_method_with_a_name,
    by_a_method_that_is_asked_for,
    under_another_name,
]


def in_a_text(x, k):
    s = x[k[0]] ** 2
    return s * x[k[0]] * len(f"{swap(k)}")


def mapped(x, k):
    s = x[k[0]] ** 2
    done = list(map(swap, [k]))
    return s * x[k[0]] * len(done)


def mapped_for_its_effect(x, k):
    s = x[k[0]] ** 2
    list(map(swap, [k]))
    return s * x[k[0]]


def in_a_loop_over_a_map(x, k):
    s = x[k[0]] ** 2
    for _ in map(swap, [k]):
        pass
    return s * x[k[0]]


def by_a_key(x, k):
    s = x[k[0]] ** 2
    order = sorted([k], key=lambda a: swap(a) or 1)
    return s * x[k[0]] * len(order)


def along_an_axis(x, k):
    s = x[k[0]] ** 2
    np.apply_along_axis(swap, 0, k)
    return s * x[k[0]]


def by_a_lambda(x, k):
    s = x[k[0]] ** 2
    (lambda: swap(k))()
    return s * x[k[0]]


def by_a_partial_that_is_handed_on(x, k):
    s = x[k[0]] ** 2
    go = functools.partial(swap, k)
    done = [each() for each in (go,)]
    return s * x[k[0]] * len(done)


def by_a_generator(x, k):
    s = 1.0
    for _ in swapped_one_by_one(k):
        s = s * x[k[0]]
    return s


def by_a_generator_in_a_sum(x, k):
    return sum(x[k[0]] * i for i in swapped_one_by_one(k))


def by_a_generator_with_a_name(x, k):
    s, steps = 0.0, swapped_one_by_one(k)
    for i in steps:
        s = s + x[k[0]] * i
    return s


def by_a_generator_beside_another(x, k):
    s = 0.0
    for i, v in zip(swapped_one_by_one(k), x):  # noqa: B905
        s = s + x[k[0]] * i * v
    return s


def by_an_object_that_is_gone_through(x, k):
    s, counting = 1.0, _counting()
    for _ in counting:
        s = s * x[counting.k]
    return s


def by_a_method_that_yields(x, k):
    s, counting = 1.0, _counting()
    for _ in counting.steps():
        s = s * x[counting.k]
    return s


def by_a_property_that_yields(x, k):
    s, counting = 1.0, Counting()
    for _ in counting.many:
        s = s * x[counting.k]
    return s


def by_an_object_of_the_module(x, k):
    s = 1.0
    for _ in COUNTING.steps():
        s = s * x[COUNTING.k]
    return s


def by_a_view_of_its_buffer(x, k):
    s = x[k[0]] ** 2
    same = np.frombuffer(k, dtype=k.dtype)
    same[0] = 1
    return s * x[k[0]]


MAY_BE_REFUSED = [
    by_a_view_of_its_buffer,
    in_a_text,
    mapped,
    mapped_for_its_effect,
    in_a_loop_over_a_map,
    by_a_key,
    along_an_axis,
    by_a_lambda,
    by_a_partial_that_is_handed_on,
    by_a_generator,
    by_a_generator_in_a_sum,
    by_a_generator_with_a_name,
    by_a_generator_beside_another,
    by_an_object_that_is_gone_through,
    by_a_method_that_yields,
    by_a_property_that_yields,
    by_an_object_of_the_module,
]


def by_two_that_call_each_other(x, k):
    s = x[k[0]] ** 2

    def even(n):
        k[0] = 1
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    try:
        found = even(2)
    except ValueError:
        found = False
    return s * x[k[0]] if found else s


@pytest.mark.parametrize("made", [s2sad.grad, s2sad.jvp], ids=["grad", "jvp"])
def test_functions_that_call_each_other_are_followed(made):
    assert _is_right(by_two_that_call_each_other, made)


def positive(k):
    if k[0] < 0:
        raise ValueError
    return k[0]


def set_where_it_fails(x, k):
    s = x[0] ** 2
    t = s * x[1]
    try:
        j = positive(k)
    except ValueError:
        j, s = 0, 2.0
    return s * t * x[j]


def set_where_it_does_not_fail(x, k):
    s = x[0] ** 2
    t = s * x[1]
    with contextlib.suppress(ValueError):
        positive(k)
        s = 3.0
    return s * t


def set_after_what_fails(x, k):
    s = x[0] ** 2
    try:
        positive(k)
    except ValueError:
        t = x[1]
    else:
        s, t = 2.0, x[2]
    return s * t


def a_position_where_it_fails(x, k):
    n = 2
    try:
        positive(k)
    except ValueError:
        n = 1
    return x[n] ** 2


BOUND_PERHAPS = [
    set_where_it_fails,
    set_where_it_does_not_fail,
    set_after_what_fails,
    a_position_where_it_fails,
]


@pytest.mark.parametrize("places", [PLACES, -1 - PLACES], ids=["goes", "fails"])
@pytest.mark.parametrize("function", BOUND_PERHAPS, ids=lambda function: function.__name__)
def test_what_a_copied_statement_may_bind_keeps_its_value(function, places):
    expected = differences(function, (X, places), [0])
    assert compare(s2sad.grad(function)(X, places), expected) is None


def _is_right(function, made):
    """Tell whether a derivative, called anew, agrees with differences."""
    plain = lambda x: function(x, PLACES.copy())  # noqa: E731
    expected = differences(plain, (X,), [0])
    if made is s2sad.grad:
        return compare(made(function)(X, PLACES.copy()), expected) is None
    along = np.array([1.0, 2.0, 3.0])
    _, tangent = made(function)(X, PLACES.copy(), along)
    step = 1e-6
    slope = (plain(X + step * along) - plain(X - step * along)) / (2.0 * step)
    return abs(tangent - slope) < 1e-7


@pytest.mark.parametrize("made", [s2sad.grad, s2sad.jvp], ids=["grad", "jvp"])
@pytest.mark.parametrize("function", GO_THROUGH, ids=lambda function: function.__name__)
def test_is_followed(function, made):
    assert _is_right(function, made)


@pytest.mark.parametrize("made", [s2sad.grad, s2sad.jvp], ids=["grad", "jvp"])
@pytest.mark.parametrize("function", MAY_BE_REFUSED, ids=lambda function: function.__name__)
def test_is_right_or_refused(function, made):
    try:
        assert _is_right(function, made)
    except s2sad.S2sadError as refusal:
        assert refusal.span is not None
        assert refusal.page


def test_a_method_bound_to_a_name_is_called_as_one():
    def collected(u):
        squares = []
        keep = squares.append
        for x in u:
            keep(x * x)
        return sum(squares)

    assert np.allclose(s2sad.grad(collected)(X), 2.0 * X)
