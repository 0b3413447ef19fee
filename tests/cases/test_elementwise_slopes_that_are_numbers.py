"""elementwise_grad gives one slope for each element, also where the slope is the same everywhere."""

import numpy as np
import pytest

import s2sad

X = np.array([0.3, 0.8, 1.1, -0.4])


def triple(t):
    return 3.0 * t


def scaled(t, w):
    return w * t


def shifted(t, w):
    return t + w


def half_and_one(t):
    return t / 2 + 1


def same(t):
    return t


def minus(t):
    return -t


def item_of_weights(t, w):
    return w[0] * t + w[1]


def summed_up(t, w):
    return w * t + t**3


def chosen(t, w):
    return np.where(t > 0, t, w * t)


def through_a_matrix(t):
    return (2.0 * t.reshape(2, 2)).ravel()


def in_a_loop(t, w):
    for _ in range(3):
        t = t * w
    return t


def called(t, w):
    return scaled(t, w) - triple(t)


CASES = (
    (triple, ()),
    (scaled, (1.3,)),
    (shifted, (1.3,)),
    (half_and_one, ()),
    (same, ()),
    (minus, ()),
    (item_of_weights, (np.array([2.0, 1.0]),)),
    (summed_up, (1.3,)),
    (scaled, (X + 1.0,)),
    (chosen, (0.5,)),
    (through_a_matrix, ()),
    (in_a_loop, (1.1,)),
    (called, (1.3,)),
)


def run_alone(derivative, function, args):
    """Return what the text gives outside of s2sad."""
    space = {}
    exec(derivative.source, space)
    return space[f"{function.__name__}_elementwise_grad"](*args)


@pytest.mark.parametrize(("function", "others"), CASES)
@pytest.mark.parametrize("shape", [(4,), (2, 2), ()])
def test_each_element_has_its_slope(function, others, shape):
    x = X.reshape(shape) if shape else np.float64(0.7)
    others = tuple(np.reshape(w, shape) if np.size(w) == x.size > 1 else w for w in others)
    if function is through_a_matrix and shape != (4,):
        pytest.skip("made for four in a row")
    if np.size(others) == 4 and not shape:
        pytest.skip("an array of another shape")
    expected = (function(x + 1e-6, *others) - function(x - 1e-6, *others)) / 2e-6
    args = (x, *others)
    for known in ({}, {"like": args}):
        derivative = s2sad.elementwise_grad(function, **known)
        for found in (derivative(*args), run_alone(derivative, function, args)):
            assert np.shape(found) == np.shape(x)
            assert np.allclose(found, expected, atol=1e-8)


def test_second_derivative_and_single_precision():
    def square(t):
        return t * t

    twice = s2sad.elementwise_grad(s2sad.elementwise_grad(square))
    assert np.array_equal(twice(X), [2.0] * 4)
    single = s2sad.elementwise_grad(scaled)(X.astype(np.float32), 1.3)
    assert single.dtype == np.float32 and np.allclose(single, 1.3)


def test_taken_inside():
    def penalty(w, x):
        return np.sum(s2sad.elementwise_grad(lambda t: w * t**2)(x) ** 2)

    def constant_slope(c, x):
        return np.sum(c * s2sad.elementwise_grad(lambda t: 3.0 * t)(x))

    assert np.isclose(s2sad.grad(penalty)(1.3, X), np.sum(2 * 1.3 * (2 * X) ** 2))

    def of_a_sum(c, x):
        return np.sum(c * s2sad.elementwise_grad(lambda t: np.sum(t**2))(x))

    assert np.isclose(s2sad.grad(constant_slope)(1.3, X), 12.0)
    with pytest.raises(s2sad.ArgumentError, match="one number for each"):
        s2sad.grad(of_a_sum)(1.3, X)
