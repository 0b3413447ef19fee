"""Shares of a whole over two statements are pulled back at once, to what their exponentials are of."""

import numpy as np
import pytest

import s2sad
from tests import oracles

RNG = np.random.default_rng(5)
Z, Y = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3))


def of_a_vector(z, y):
    e = np.exp(z[0] - np.max(z[0]))
    p = e / np.sum(e)
    return p @ y[0] + np.sum(p**3)


def of_rows(z, y):
    e = np.exp(z @ y)
    p = e / e.sum(axis=1, keepdims=True)
    return np.sum(p**2 * y)


def of_rows_by_an_axis(z, y):
    e = np.exp(z - y)
    p = e / np.sum(e, axis=-1)[:, None]
    return np.sum(p**2 * y)


def of_columns(z, y):
    e = np.exp(z * y)
    p = e / np.sum(e, 0)
    return np.sum(p**2 * y)


def of_a_state(z, y):
    w = np.zeros(3)
    for row in y:
        w = w + row * z[0]
    e = np.exp(w)
    p = e / np.sum(e)
    return np.sum(p**2)


def read_elsewhere(z, y):
    e = np.exp(z)
    return np.sum(e / np.sum(e) * y) + np.sum(e * y)


AT_ONCE = [of_a_vector, of_rows, of_rows_by_an_axis, of_columns, of_a_state]


def by_the_other_axis(z, y):
    e = np.exp(z)
    return np.sum(e / np.sum(e, axis=1) * y)


def of_a_part(z, y):
    e = np.exp(z)
    return np.sum(e / np.sum(e[1:]) * y)


def exponent_changes(z, y):
    z = z.copy()
    e = np.exp(z)
    z *= y
    return np.sum(e / np.sum(e) * z)


def exponentials_change(z, y):
    e = np.exp(z)
    e[0] = y[0]
    return np.sum(e / np.sum(e) * y)


def name_is_bound_again(z, y):
    e = np.exp(z)
    for k in range(2):
        e = e / np.sum(e) + y[k] ** 2
    return np.sum(e * y)


OTHERS = [
    *(read_elsewhere, by_the_other_axis, of_a_part, exponent_changes, exponentials_change),
    name_is_bound_again,
]


@pytest.mark.parametrize("function", AT_ONCE, ids=lambda f: f.__name__)
def test_exponentials_and_their_sum_have_no_adjoint(function):
    text = s2sad.grad(function, ("z", "y"), like=(Z, Y)).source.split("reverse sweep")[1]
    code = "\n".join(line.partition("#")[0] for line in text.splitlines())
    assert "e_bar" not in code and "/" not in code, text


@pytest.mark.parametrize("has_examples", (True, False), ids=("examples", "any arguments"))
@pytest.mark.parametrize("function", [*AT_ONCE, *OTHERS], ids=lambda f: f.__name__)
def test_values(function, has_examples):
    derivative = s2sad.grad(function, ("z", "y"), **({"like": (Z, Y)} if has_examples else {}))
    found = oracles.flatten(derivative(Z, Y), (Z, Y))
    expected = oracles.differences(function, (Z, Y), (0, 1), 1.0)
    assert oracles.compare(found, expected) is None, derivative.source
