"""A name that stands twice on the left of one unpacking keeps what went there last, as in Python."""

import numpy as np
import pytest

import s2sad
from tests.cases.cases import verdict
from tests.oracles import standalone


def gain(a):
    P = np.exp(a)
    K = P * P
    return K, P, 2.0


def results_dropped(v):
    K, _, _ = gain(v * v)
    return K


def first_and_last_of_a_call(v):
    a, _, a = gain(v)
    return a * v


def first_and_last_of_a_display(v):
    a, b, a = np.exp(v), 3.0, v * v
    return a * b


def target_of_a_loop(v):
    t = 0.0
    for a, _, a in [(v, 1.0, v * v), (2 * v, 1.0, v**3)]:
        t = t + a
    return t


def nested_and_starred(v):
    (a, b), *a = (v, 2.0), v * v, v
    return a[0] * b


def both(v):
    a, a = v * v, v**3
    return a


def items_of_an_array(v):
    u = v * np.arange(1.0, 4.0)
    x, x, y = u
    return x * y


def target_of_a_generator(v):
    return sum(a for a, a in zip([v, v], [v * v, v**3]))


def read_and_bound(v):
    a = v
    a, _, a = a * a, a, a * a * a
    return a


def pair(v):
    return v, v * v


def blank_read(v):
    _, _ = pair(v)
    x, _ = pair(_)
    return x


def nested_in_a_loop(v):
    t = 0.0
    for i, (i, i) in enumerate([(v, v * v), (v, v**3)]):
        t = t + i
    return t


def last_of_two(first, last):
    a, a = first, last
    return a


# CPython 3.11.2 leaves the first value in the name: its own value is none to compare with
OF_DISPLAYS = [
    pytest.param(
        each,
        marks=pytest.mark.skipif(
            last_of_two(1, 2) != 2, reason="this interpreter binds displays in another order"
        ),
    )
    for each in (first_and_last_of_a_display, both, read_and_bound)
]
FUNCTIONS = (
    results_dropped,
    first_and_last_of_a_call,
    target_of_a_loop,
    nested_and_starred,
    items_of_an_array,
    target_of_a_generator,
    blank_read,
    nested_in_a_loop,
    *OF_DISPLAYS,
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_last_of_equal_targets_counts(function):
    assert verdict(function, (1.1,)) == "right"


def views_of_views(v):
    v = v * 2.0
    v[0] = v[1] * v[2]
    w = v[:]
    p = w[:]
    q = p[:]
    return np.sum(q)


def four_views_of_views(v):
    v = v * 2.0
    v[0] = v[1] * v[2]
    a = v[1:]
    b = a[::-1]
    c = b[:]
    d = c[:2]
    return np.sum(d * v[0])


@pytest.mark.parametrize("function", (views_of_views, four_views_of_views))
@pytest.mark.parametrize("settings", ({}, {"like": (np.array([1.0, 2.0, 3.0]),)}))
def test_a_name_that_takes_one_apart_and_is_taken_apart_is_bound(function, settings):
    x = np.array([1.0, 2.0, 3.0])
    value, gradient = s2sad.value_and_grad(function, **settings)(x)
    assert value == function(x)
    steps = 1e-30j * np.eye(3)
    np.testing.assert_allclose(gradient, [function(x + step).imag / 1e-30 for step in steps])


def columns_of_a_row_that_a_loop_binds(s, d, w):
    for _ in d:
        row = np.linspace(1.5, 0.5, 7)
        row.__setitem__(0, 1.3)
        w = row
    x = 0.1
    pairs = [(0.5, s), (0.5, w[-7])]
    p, q = zip(*pairs)
    x += sum(p)
    return x


def test_one_column_of_rows_taken_apart_has_a_tangent():
    function, w = columns_of_a_row_that_a_loop_binds, np.ones(7)
    df = s2sad.jvp(function, wrt="w")
    alone = standalone(df.source, df.__name__)
    value = 0.1 + 0.5 + 0.5
    assert alone(0.3, np.ones(2), w, w) == (value, 0.0)
    assert alone(0.3, np.ones(0), w, w) == (value, 0.0)
