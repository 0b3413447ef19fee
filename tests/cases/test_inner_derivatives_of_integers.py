"""A derivative taken inside with respect to integers is refused, as the function itself is."""

import numpy as np
import pytest

import s2sad

Y = np.array([0.3, -0.5, 0.9])


def loss(x, y):
    return np.sum((x[0] * y + x[1]) ** 2)


def cube(t, y):
    return t**3 * np.sum(y)


def descent_from_a_list(y):
    x = [1, 2]
    for _ in range(3):
        g = s2sad.grad(loss, "x")(x, y)
        x = [p - 0.1 * q for p, q in zip(x, g, strict=True)]
    return loss(x, y)


def descent_from_a_number(y):
    t = 1
    for _ in range(3):
        t = t - 0.1 * s2sad.grad(cube, "t")(t, y)
    return t * np.sum(y)


def gradient_at_a_tuple(y):
    a, b = s2sad.grad(loss, "x")((1, 2.0), y)
    return a * b


def gradient_at_an_array(y):
    return np.sum(s2sad.grad(loss, "x")(np.array([1, 2]), y) ** 2)


def value_and_gradient_at_counts(y):
    v, g = s2sad.value_and_grad(loss, "x")(np.arange(2), y)
    return v + np.sum(g**2)


def at_an_argument(y, x):
    return np.sum(s2sad.grad(loss, "x")(x, y) ** 2)


def from_floats(y):
    x = np.array([1.0, 2.0])
    for _ in range(3):
        x = x - 0.1 * s2sad.grad(loss, "x")(x, y)
    return loss(x, y)


def from_a_list(y):
    return s2sad.grad(loss, "x")([1.0, 2.0], y)[0]


def integers_beside(y):
    n = 2
    return s2sad.grad(lambda t: t**n * np.sum(y))(1.5)


REFUSED = (
    descent_from_a_list,
    descent_from_a_number,
    gradient_at_a_tuple,
    gradient_at_an_array,
    value_and_gradient_at_counts,
)


@pytest.mark.parametrize("function", REFUSED)
@pytest.mark.parametrize("derive", [s2sad.grad, s2sad.jvp])
def test_integers_are_refused(function, derive):
    with pytest.raises(s2sad.ArgumentError, match="integer"):
        derive(function)(Y, *([Y] if derive is s2sad.jvp else []))
    with pytest.raises(s2sad.ArgumentError, match="integer"):
        function(Y)


def test_an_argument_of_integers_is_refused_and_one_of_floats_is_not():
    with pytest.raises(s2sad.ArgumentError, match="integer"):
        s2sad.grad(at_an_argument)(Y, np.array([1, 2]))
    with pytest.raises(s2sad.ArgumentError, match="integer"):
        s2sad.grad(at_an_argument)(Y, [1, 2])
    x, step = np.array([1.0, 2.0]), 1e-6
    unit = np.eye(3)
    found = s2sad.grad(at_an_argument)(Y, x)
    ends = [(at_an_argument(Y + step * e, x) - at_an_argument(Y - step * e, x)) for e in unit]
    assert np.allclose(found, np.array(ends) / (2 * step))


@pytest.mark.parametrize("function", [from_floats, from_a_list, integers_beside])
def test_floats_go_through(function):
    step = 1e-6
    ends = [(function(Y + step * e) - function(Y - step * e)) / (2 * step) for e in np.eye(3)]
    assert np.allclose(s2sad.grad(function)(Y), ends)
