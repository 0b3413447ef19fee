"""Lists and dicts that hold nothing yet where they are read: what has no items has a total all the same."""

import numpy as np
import pytest

import s2sad
from tests.programs.entry import Entry, assert_good, numbers


def taken_or_else(u):
    d, t = {}, 1.0
    for k in range(2):
        t = d.pop(k, u * 3.0) + t
    return np.sum(t * u)


def taken_if_it_was_put(u):
    d, t = {}, 1.0
    for k in range(3):
        t = d.pop(k - 1, 0.5) * t + np.sum(u)
        d[k] = u * t
    return np.sum(t * u)


def largest_or_another(u):
    xs, t = [], u
    for k in range(3):
        t = max(xs, default=u[1]) if k == 1 else t * 2.0
    return np.sum(t * u)


def asked_for_in_vain(u):
    d, t = {}, u
    for k in range(3):
        v = d.get(k)
        t = t * u if v is None else v
    return np.sum(t)


def joined_to_others(u):
    xs, t = [], u
    for y in xs + [u * u]:  # noqa: RUF005
        t = t + y
    return np.sum(t)


def total_by_python(u):
    xs, t = [], u
    for k in range(3):
        t = sum(xs) if k == 1 else t * u
    return np.sum(t * u + u)


@pytest.mark.parametrize(
    "program",
    [
        taken_or_else,
        taken_if_it_was_put,
        largest_or_another,
        asked_for_in_vain,
        joined_to_others,
        total_by_python,
    ],
)
def test_gradients(program):
    assert_good(Entry(program, (numbers(3),)))


def total_by_numpy(u):
    xs = []
    t = u * u if u[0] > 100.0 else np.sum(xs)
    return np.sum(t * u) + np.sum(u**2)


def test_the_total_of_nothing_is_a_number():
    u = numbers(3)
    np.testing.assert_allclose(s2sad.grad(total_by_numpy, like=(u,))(u), 2.0 * u)
    above = u + 200.0
    np.testing.assert_allclose(s2sad.grad(total_by_numpy)(above), 3.0 * above**2 + 2.0 * above)
    _, slope = s2sad.jvp(total_by_numpy, like=(u,))(u, np.ones(3))
    np.testing.assert_allclose(slope, 2.0 * np.sum(u))


def filled_up_with_zeros(u, k=[], m=2):  # noqa: B006
    k = list(k) + [0] * (m - len(k))
    for i in range(m):
        u = u * (k[i] - u[1])
    return np.sum(u)


def ends_of(u, first=(), last=[]):  # noqa: B006
    t = u * u
    for x in [*first, 2.0, *last]:
        t = t * x + u
    return np.sum(t)


def of_what_is_given_in_a_dict(u, given):
    left = list(given["before"])
    left.append(u[0])
    return np.sum(u * left[-1]) * (given["after"][0] if given["after"] else u[1])


GIVEN = (
    *((filled_up_with_zeros, more) for more in ((), ([],), ([0.3],), ([0.3, 2],), ([], 3))),
    *((ends_of, more) for more in ((), ((), [0.3]), ((0.3,), []), ((0.3, 2.0), [0.4, 2.0]))),
    *(
        (of_what_is_given_in_a_dict, ({"before": a, "after": b},))
        for a in ([], [0.3])
        for b in ([], [0.7])
    ),
)


@pytest.mark.parametrize("program, more", GIVEN)
def test_lists_that_the_caller_gives_may_be_empty(program, more):
    assert_good(Entry(program, (numbers(3), *more)))


def area(u):
    return np.trapezoid(u)


def test_the_area_below_no_points_has_no_slope():
    for like in (None, (np.ones(3),)):
        assert s2sad.grad(area, like=like)(np.zeros(0)).shape == (0,)
