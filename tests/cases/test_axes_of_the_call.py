"""Sums and means of what is computed, along an axis that the caller chooses: all of their argument has a slope.

The slope of np.mean(x - w, axis=axis) had one element for the whole axis.
"""

import numpy as np
import pytest

import s2sad

X = np.array([[0.3, 1.4, 0.7], [2.2, 0.9, 0.4]])


def means(x, axis=0):
    return np.sum(np.mean(3.0 * x, axis=axis))


def differences(x, axis=0):
    return np.mean(x - 1.0, axis=axis)


def squares_of_sums(x, axis=0):
    return np.sum(np.sum(x - 1.0, axis=axis) ** 2)


def sums_that_keep_the_axis(x, axis=0):
    return np.sum(np.sum(x - 1.0, axis=axis, keepdims=True))


def mean_beside_the_argument(x, axis=0):
    return np.sum(np.mean(x - 1.0, axis=axis, keepdims=True) * x)


def averages(x, axis=0):
    return np.sum(np.average(-x, axis=axis))


ROWS = [means, squares_of_sums, sums_that_keep_the_axis, mean_beside_the_argument, averages]


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("function", ROWS, ids=lambda f: f.__name__)
def test_an_axis_of_the_call_is_stretched_again(function, axis):
    _agrees(function, X, axis)


@pytest.mark.parametrize("function", [differences, *ROWS], ids=lambda f: f.__name__)
def test_the_only_axis_of_a_vector_is_stretched_again(function):
    _agrees(function, X[0], 0)


def _agrees(function, x, axis):
    wanted = np.reshape([_slope(function, x, axis, i) for i in range(x.size)], x.shape)
    for made in (s2sad.grad(function, "x"), s2sad.grad(function, "x", like=(x, axis))):
        got = made(x, axis)
        assert got.shape == x.shape
        np.testing.assert_allclose(got, wanted, rtol=1e-7, atol=1e-9)


def _slope(function, x, axis, i):
    step = np.zeros(x.size, complex)
    step[i] = 1e-20j
    return np.imag(function(x + step.reshape(x.shape), axis)) / 1e-20
