"""Lists of numbers as arguments: parts of them, and what becomes an array by an operator."""

import copy

import numpy as np
import pytest

import s2sad
from tests import oracles

V = np.array([0.3, -0.2, 0.8, 1.1])


def every_second(u, v):
    return sum(u[::2]) * v[0]


def from_the_end(u, v):
    p = u[::-1]
    p[0] *= 3.0
    return p[0] * p[1] ** 2 + np.sum(np.array(p) * v)


def without_the_first(u, v):
    p = u[1:]
    p.pop()
    return sum(a * a for a in p) * v[1]


def a_part_times_an_array(u, v):
    return np.sum(u[1:3] * v[:2])


def the_whole_of_it(u, v):
    p = u[:]
    p[0] *= 3.0
    return p[0] * p[1] ** 2 * v[0]


def times_an_array(u, v):
    u *= v
    return np.sum(u * v)


def an_array_added(u, v):
    w = u
    u += v * 2.0
    return np.sum(u * v) + sum(w) * w[0]


def a_display_times_an_array(u, v):
    found = [v[0], v[1] ** 2, v[2] * u[0], v[3]]
    found *= v
    return np.sum(found * v)


def an_array_added_to_what_was_appended(u, v):
    found = []
    for k in range(len(v)):
        found.append(v[k] * u[k])
    found += v
    return np.sum(found * v)


def repeated(u, v):
    w = u
    u *= 2
    u[-1] = 3.0 * v[0]
    return sum(w) * w[0]


FUNCTIONS = (
    every_second,
    from_the_end,
    without_the_first,
    a_part_times_an_array,
    the_whole_of_it,
    times_an_array,
    an_array_added,
    a_display_times_an_array,
    an_array_added_to_what_was_appended,
    repeated,
)


@pytest.mark.parametrize("wrt", (0, 1))
@pytest.mark.parametrize("function", FUNCTIONS)
def test_both_modes_agree_with_differences(function, wrt):
    args = ([0.4, 0.9, -0.7, 1.3], V)
    expected = oracles.differences(function, args, (wrt,))
    for known in ({}, {"like": args}):
        found = s2sad.grad(function, wrt, **known)(*copy.deepcopy(args))
        assert oracles.compare(oracles.flatten(found, args[wrt]), expected) is None
        along = [1.0, 2.0, -1.0, 0.5] if wrt == 0 else np.array([1.0, 2.0, -1.0, 0.5])
        tangent = s2sad.jvp(function, wrt, **known)(*copy.deepcopy(args), along)[1]
        assert np.isclose(tangent, expected.value @ np.array(along), rtol=1e-5)


def multiplied_in_place(A, x):
    x = x.copy()
    x @= A
    return np.sum(x**2)


def test_a_product_of_matrices_in_place_needs_no_examples():
    A, x = np.outer(V, V) + np.eye(4), np.outer(V, V**2)
    text = s2sad.grad(multiplied_in_place, (0, 1)).source
    found = oracles.standalone(text)(A, x)
    expected = oracles.differences(multiplied_in_place, (A, x), (0, 1))
    assert oracles.compare(oracles.flatten(found, (A, x)), expected) is None


def made_an_array_and_written(u):
    a = np.asarray(u)
    a[0] *= 3.0
    return np.sum(a**2) + np.sum(u[0])


def a_part_is_written(u):
    p = u[:2]
    p[0] *= 3.0
    return np.sum(p[0] * p[1]) + np.sum(u[0])


def items_are_exchanged(u):
    u[0], u[1] = u[1], u[0]
    return np.sum(u[0] ** 2 * u[1])


def an_item_is_replaced(u):
    first = u[0]
    u[0] = u[1] * 2.0
    return np.sum(first**2 * u[0])


def items_are_scaled(u):
    for each in u:
        each *= 2.0
    return np.sum(u[0] ** 2 * u[1])


def held_by_a_dict(u):
    held = {"first": u[0], "all": u}
    held["all"][0] = held["first"] * 2.0
    return np.sum(held["first"] * u[0])


ROWS = [V[:2], V[2:]]


@pytest.mark.parametrize("derive", (s2sad.grad, s2sad.jvp))
@pytest.mark.parametrize("given", (ROWS, tuple(ROWS), V.tolist()), ids=("rows", "tuple", "numbers"))
@pytest.mark.parametrize(
    "function",
    (
        made_an_array_and_written,
        a_part_is_written,
        items_are_exchanged,
        an_item_is_replaced,
        items_are_scaled,
        held_by_a_dict,
    ),
)
def test_a_text_for_a_list_does_not_take_the_array_of_its_items(function, given, derive):
    """What is cut off an array is a view, and what is stored in it is copied."""
    try:
        derivative = derive(function, like=(copy.deepcopy(given),))
        alone = oracles.standalone(derivative.source, derivative.__name__)
    except s2sad.S2sadError:
        return
    array = np.array(given)
    before = array.copy()
    expected = oracles.differences(function, (array,), (0,))
    try:
        found = alone(array) if derive is s2sad.grad else alone(array, np.ones_like(array))[1]
    except ValueError as error:
        assert "made for" in str(error)
        return
    assert np.array_equal(array, before)
    wanted = expected.value if derive is s2sad.grad else np.sum(expected.value)
    assert np.allclose(np.ravel(found), wanted, rtol=1e-5)
