"""A saved text asks for whatever it relies on: called with the opposite it raises, or it is right."""

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([0.3, -0.7, 1.1, 0.4])
MASK = np.array([True, False, True, True])
TWICE = np.array([1, 1, 2])


def selected(x, m):
    return np.sum(x[m] ** 2)


def doubled_in_place(x, m):
    y = x.copy()
    y[m] *= 2.0
    return np.sum(y**2)


def of_a_kind(x, w):
    if isinstance(w, int):
        return np.sum(x) * w
    return np.sum(x**2) * w


def elements(x, _):
    s = 0.0
    for i in range(len(x)):
        s += np.sqrt(np.abs(x[i]))
    return s


def first_two(x, _):
    return np.sin(x[0]) * x[1] ** 2


def rank(x, w):
    return np.sum(w * x) if np.ndim(w) else w * np.sum(x**2)


def option(x, mode):
    return np.sum(x**2) if mode == "square" else np.sum(np.abs(x))


def none(x, w):
    return np.sum(x**2) if w is None else np.sum(w * x)


FACTS = (
    ("a mask", selected, MASK, TWICE),
    ("a mask that is written through", doubled_in_place, MASK, TWICE),
    ("one position", selected, 1, [1, 1, 2]),
    ("positions", selected, TWICE, MASK),
    ("an integer", of_a_kind, 2, 2.5),
    ("a float", of_a_kind, 2.5, 2),
    ("a number", rank, 2.0, X),
    ("an array", rank, X, 2.0),
    ("an option", option, "square", "other"),
    ("None", none, None, X),
    ("no None", none, X, None),
)


@pytest.mark.parametrize("fact, function, made, called", FACTS, ids=[f[0] for f in FACTS])
def test_a_text_with_examples_asks_for(fact, function, made, called):
    derivative = s2sad.grad(function, 0, like=(X, made))
    alone = oracles.standalone(derivative.source, derivative.__name__)
    expected = oracles.differences(function, (X, made), (0,))
    assert oracles.compare(alone(X.copy(), made), expected) is None
    try:
        found = alone(X.copy(), called)
    except (ValueError, TypeError, AttributeError) as error:
        assert str(error)
        return
    expected = oracles.differences(function, (X, called), (0,))
    assert oracles.compare(np.asarray(found), expected) is None, derivative.source


@pytest.mark.parametrize("like", (None, (X, 0)), ids=("any", "like"))
@pytest.mark.parametrize("function", (elements, first_two))
def test_integers_where_floats_were_given(function, like):
    derivative = s2sad.grad(function, 0, like=like)
    alone = oracles.standalone(derivative.source, derivative.__name__)
    np.testing.assert_array_equal(alone(X.copy(), 0), derivative(X, 0))
    for integers in (np.array([1, 2, 3, 4]), [1, 2, 3, 4]):
        try:
            found = alone(integers, 0)
        except (ValueError, AttributeError) as error:
            assert "made for" in str(error) or "list" in str(error)
        else:
            np.testing.assert_allclose(found, derivative(np.array(integers, float), 0))
