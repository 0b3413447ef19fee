"""An iterator that is asked in two places: the second goes on where the first ended, or is refused."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences

X = np.array([0.3, 0.5, 0.7])


def left_and_gone_on_with(x):
    places, y = iter([0, 1, 2]), 1.0
    for k in places:
        y *= x[k]
        break
    for k in places:
        y *= x[k] ** 2
    return y


def left_and_summed(x):
    places, y = iter([0, 1, 2]), 1.0
    for k in places:
        y *= x[k]
        if k == 1:
            break
    return y * x[sum(places)]


def left_in_pairs(x):
    pairs, y = zip([0, 1, 2], [1, 2, 0]), 1.0  # noqa: B905
    for k, j in pairs:
        y *= x[k] * x[j]
        if k == 1:
            break
    return y * x[len(list(pairs))]


def a_generator_left(x):
    places, y = (k for k in (0, 1, 2)), 1.0
    for k in places:
        y *= x[k]
        if k == 1:
            break
    return y * x[sum(places)]


def gone_through_twice(x):
    places, y = iter([0, 1, 2]), 1.0
    for k in places:
        y *= x[k]
    for k in places:
        y *= x[k]
    return y


def in_each_pass(x):
    places, y = reversed([0, 1, 2]), 1.0
    for _ in range(2):
        for k in places:
            y *= x[k]
            if k == 1:
                break
    return y


def of_an_argument(x, places):
    y = 1.0
    for k in places:
        y *= x[k]
        if k == 1:
            break
    for k in places:
        y *= x[k] ** 2
    return y


def once(x):
    pairs, y = zip([0, 1, 2], [1, 2, 0]), 1.0  # noqa: B905
    for k, j in pairs:
        y *= x[k] + x[j]
    return y


def asked_and_gone_through(x):
    places = iter([0, 1, 2])
    y = x[next(places)] ** 2
    for k in places:
        y *= x[k]
    return y


def asked_through_a_zip(x):
    places = iter(x)
    pairs = zip(places, 2.0 * x)  # noqa: B905
    first, second = next(pairs)
    return first * second + next(places)


def asked_for_a_pair(x):
    places = iter(x)
    pairs = zip(places, places)  # noqa: B905
    first, second = next(pairs)
    return first * second + sum(places)


def asked_through_a_generator(x):
    places = iter(x)
    squares = (y * y for y in places)
    return next(squares) + sum(places)


def numbered_over_an_iterator(x):
    numbered = enumerate(iter(x))
    first, second = next(numbered), next(numbered)
    return first[1] * second[1] * second[0] + sum(k * y for k, y in numbered)


def mapped_over_an_iterator(x):
    places = iter(x)
    squares = map(np.square, places)
    y = next(squares) * next(places) ** 3
    return y * next(squares)


def pairs_left_at_a_break(x):
    places, y = iter(x), 0.0
    for a, b in zip(places, 2.0 * x):  # noqa: B905
        y += a * b
        if y > 1.0:
            break
    return y + sum(v**3 for v in places)


def first_of_a_zip_is_asked_once_more(x):
    places, y = iter(x), 0.0
    for a, b in zip(places, x[:1]):  # noqa: B905
        y += a * b
    return y + sum(v**3 for v in places)


def last_of_a_zip_is_not_asked_once_more(x):
    places, y = iter(x), 0.0
    for a, b in zip(x[:1], places):  # noqa: B905
        y += a * b
    return y + sum(v**3 for v in places)


def mapped_side_by_side(x):
    places, y = iter(x), 0.0
    for a in map(lambda u, v: u * v**2, x[:2], places):
        y += a
    return y * next(places)


def groups_left_at_a_break(x):
    places, y = iter(np.concatenate((x, x**2))), 0.0
    for a, b in zip(places, places):  # noqa: B905
        y += a * b
        if y > 0.0:
            break
    return y + sum(v**3 for v in places)


def an_element_asks_for_the_next(x):
    places = iter(np.concatenate((x, x**2)))
    products = (v * next(places) ** 2 for v in places)
    return next(products) + next(products) * next(places)


def a_function_asks_for_the_next(x):
    places = iter(np.concatenate((x, x**2)))
    products = map(lambda v: v * next(places) ** 2, places)  # noqa: C417
    return next(products) * next(products) + next(places)


def squares_of_groups(x):
    places = iter(np.concatenate((x, x**2)))
    pairs = zip(places, places)  # noqa: B905
    first, second = next(pairs)
    return first * second**2 + sum(a * b**3 for a, b in pairs)


def with_an_else(x):
    places, y = iter(x), 1.0
    for a, b in zip(places, x[:1]):  # noqa: B905
        y *= a * b
    else:
        y += next(places)
    return y


GONE_ON_WITH = [
    left_and_gone_on_with,
    left_and_summed,
    left_in_pairs,
    gone_through_twice,
    in_each_pass,
    asked_through_a_zip,
    asked_for_a_pair,
    asked_through_a_generator,
    numbered_over_an_iterator,
    mapped_over_an_iterator,
    pairs_left_at_a_break,
    first_of_a_zip_is_asked_once_more,
    last_of_a_zip_is_not_asked_once_more,
    mapped_side_by_side,
    groups_left_at_a_break,
    an_element_asks_for_the_next,
    a_function_asks_for_the_next,
    squares_of_groups,
    with_an_else,
]


@pytest.mark.parametrize("function", GONE_ON_WITH, ids=lambda function: function.__name__)
def test_what_is_left_of_an_iterator_is_gone_on_with(function):
    gradient = s2sad.grad(function)(X)
    assert compare(gradient, differences(function, (X,), [0])) is None
    assert np.isclose(s2sad.jvp(function)(X, X)[1], gradient @ X)


def shared_by_two(x):
    places, y = iter(x), 0.0
    for a, b in zip(places, map(np.sin, places)):  # noqa: B905
        y += a * b
    return y


NOT_KNOWN = [a_generator_left, shared_by_two]


@pytest.mark.parametrize("made", [s2sad.grad, s2sad.jvp], ids=["grad", "jvp"])
@pytest.mark.parametrize("function", NOT_KNOWN, ids=lambda function: function.__name__)
def test_what_is_left_is_not_known(function, made):
    with pytest.raises(s2sad.S2sadError, match="iterator"):
        made(function)(X, X) if made is s2sad.jvp else made(function)(X)


def test_an_argument_is_refused():
    with pytest.raises(s2sad.S2sadError, match="iterator"):
        s2sad.grad(of_an_argument)(X, iter([0, 1, 2]))


@pytest.mark.parametrize("function", [once, asked_and_gone_through])
def test_goes_through(function):
    assert compare(s2sad.grad(function)(X), differences(function, (X,), [0])) is None


def test_a_list_may_be_gone_through_twice():
    expected = differences(of_an_argument, (X, [0, 1, 2]), [0])
    assert compare(s2sad.grad(of_an_argument)(X, [0, 1, 2]), expected) is None
