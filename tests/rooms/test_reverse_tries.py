"""A try is run on trial; what failed and what did not have the derivatives of their ways."""

import math

import numpy as np
import pytest

from s2sad.ir.errors import NotYet
from tests.rooms.derive import grad
from tests.rooms.differences import fresh, judge


def root_or_square(x):
    try:
        y = math.log(x)
    except ValueError:
        y = x * x
    return y * x


def returned(x):
    try:
        if x > 2.0:
            return x**3
        return math.sqrt(x) * x
    except ValueError as error:
        return x * x * len(error.args)


def in_a_loop(x):
    s = 0.0
    for k in range(4):
        try:
            y = math.log(x - k)
        except ValueError:
            continue
        s += y * s + x
    return s


def raised_again(x):
    try:
        try:
            y = math.log(x)
        except ValueError:
            raise KeyError("no logarithm") from None
    except KeyError:
        y = x
    return x * y


def set_on_the_way_out(x):
    try:
        try:
            y = math.log(x)
        finally:
            x = x * 2.0
    except ValueError:
        y = x
    return x * y


def either_of_two(u, x):
    held = [u[0], u[1] * x]
    try:
        y = held[int(x)] / (x - 1.0)
    except IndexError:
        y = x * u[2]
    except ZeroDivisionError:
        y = u[1] * u[1]
    return y * x


CASES = [
    *((f, (x,)) for f in (root_or_square, returned, in_a_loop, raised_again) for x in (2.5, -1.5)),
    *((either_of_two, (np.array([0.3, 0.5, 0.7]), x)) for x in (0.4, 1.5, 3.0)),
]


@pytest.mark.parametrize(("f", "args"), CASES)
def test_both_ways_of_a_try(f, args):
    try:
        run = grad(f, args)
    except NotYet as error:
        pytest.skip(f"not yet: {error.reason}")
    run.checked(*fresh(args))
    found, why = judge(f, args, tuple(range(len(args))), run)
    assert found == "right", why


def seen_by_the_handler(x):
    y = 0.0
    try:
        y = x * 2.0
        y = math.log(x)
    except ValueError:
        y = y * x
    return y


def changes_an_array(u, x):
    v = u * 1.0
    try:
        v[0] = x
        v[1] = math.log(x)
    except ValueError:
        v[1] = 0.0
    return np.sum(v * u)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (seen_by_the_handler, (0.5,)),
        (set_on_the_way_out, (0.5,)),
        (changes_an_array, (np.ones(3), 0.5)),
    ],
)
def test_a_try_that_leaves_something_is_refused(f, args):
    with pytest.raises(NotYet, match="a try that"):
        grad(f, args)
