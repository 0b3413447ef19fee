"""Where a guard leaves a value out, its tangent is finite: 0 * inf is never computed."""

import math

import numpy as np
import pytest

import s2sad
from tests.rooms.forward import judged, jvp

X, S = np.array([-1.0, 0.5, 2.0]), 0.7
pytestmark = pytest.mark.filterwarnings("ignore")


def sum_of_guards(x, s):
    return s * np.sum(np.sqrt(np.maximum(x, 0.0) + np.maximum(x - 0.5, 0.0)))


def bare_root(v):
    r = np.sqrt(v)
    return r * 2.0


def guarded_before_a_call(x, s):
    return s * np.sum(bare_root(np.maximum(x, 0.0)))


def guarded_after_a_call(x, s):
    return s * np.sum(np.where(x > 0, bare_root(x), 0.0))


def put_out(x, s):
    r = np.empty(3)
    np.maximum(x, 0.0, out=r)
    return s * np.sum(np.sqrt(r))


def clamped(x, s):
    t = x[0]
    if t < 0:
        t = 0.0
    return s * np.sqrt(t) + np.sum(x)


def clamped_number_of_python(x, s):
    t = float(x[0])
    if t < 0:
        t = 0.0
    return s * math.sqrt(t) + np.sum(x)


def constant_on_one_way(x, s):
    if x[0] > 0:
        y = x[0]
    else:
        y = 0.0
    return s * y**0.5 + np.sum(x)


def reduced(x, s):
    return s * np.sqrt(np.maximum.reduce([x[0], 0.0, -1.0])) + np.sum(x)


def zeros_that_stay(x, s):
    r = np.zeros(3)
    for i in range(3):
        if x[i] > 0:
            r[i] = x[i]
    return s * np.sum(np.sqrt(r))


def selected(x, s):
    return s * np.sum(np.sqrt(np.select([x > 1, x > 0], [x, x * 2.0], 0.0)))


def in_an_expression(x, s):
    return s * sum(math.sqrt(max(v, 0.0)) for v in x)


FUNCTIONS = [
    sum_of_guards,
    guarded_before_a_call,
    guarded_after_a_call,
    put_out,
    clamped,
    clamped_number_of_python,
    constant_on_one_way,
    reduced,
    zeros_that_stay,
    selected,
    in_an_expression,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_tangents_are_finite_and_right(function):
    run = jvp(function, (X, S), (0, 1))
    assert judged(function, (X, S), (0, 1), run) is None, run.text


def guarded_elsewhere(x, s):
    y = np.sqrt(x + 3.0) / s
    return np.sum(y) + np.sum(np.maximum(x, 0.3))


def left_out(x, s):
    y = np.sqrt(x + 3.0) / s
    return np.sum(np.maximum(y, 0.3))


def test_what_no_guard_leads_to_gets_no_test():
    assert "np.where" not in jvp(guarded_elsewhere, (X, S), (0, 1)).text


def test_an_extreme_leaves_out_the_tangent_of_what_it_leaves_out():
    assert "np.where(y == maximum_y" in jvp(left_out, (X, S), (0, 1)).text
    tangent = s2sad.jvp(left_out, 0)(np.array([-3.0, 1.0]), 2.0, np.ones(2))[1]
    assert np.isclose(tangent, 0.5 / np.sqrt(4.0) / 2.0)
