"""Second derivatives where a norm is 0, and what is computed of it is smooth."""

import math

import numpy as np
import pytest

import s2sad
from s2sad.api.answer import answer
from s2sad.api.request import Request

ZERO, ONES, ONE = np.zeros(2), np.eye(2), np.array([0.0, 1.0])


def norm(x):
    return np.linalg.norm(x) ** 2


def absolute(x):
    return np.sum(np.abs(x) ** 2)


def hypotenuse(x):
    return np.hypot(x[0], x[1]) ** 2


def deviation(x):
    return np.std(x) ** 2


def bell(x):
    return np.exp(-(np.linalg.norm(x) ** 2))


def under_a_name(x):
    r = np.linalg.norm(x)
    return r**2 + r**4


def times_itself(x):
    r = np.linalg.norm(x)
    s = r * r
    return np.exp(-s)


def in_a_loop(x):
    s = 0.0
    for i in range(len(x)):
        s += abs(x[i]) ** 2
    return s


def of_rows(x):
    return np.sum(np.linalg.norm(x.reshape(1, 2), axis=1) ** 2)


def by_square(x):
    return np.sum(np.square(np.abs(x)))


def huber(x):
    r = np.abs(x)
    return np.sum(np.where(r < 1, 0.5 * r**2, r - 0.5))


def overwritten_before(x):
    y = x.copy()
    r = np.linalg.norm(y)
    y[0] = 5.0 * y[1]
    return r**2 + np.sum(y)


def waves(x):
    return np.array([x[0] + 1j * x[1], x[1] - 2j * x[0]])


def probability(x):
    return np.sum(np.abs(waves(x)) ** 2)


def sizes_under_a_name(x):
    r = np.abs(waves(x))
    return np.sum(r * r) + np.sum(r**4)


def norm_of_complex_numbers(x):
    return np.exp(-(np.linalg.norm(waves(x)) ** 2))


def spectrum(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2)


CASES = (
    *((f, ZERO, np.diag([10.0, 4.0])) for f in (probability, sizes_under_a_name)),
    *((norm_of_complex_numbers, ZERO, -np.diag([10.0, 4.0])), (spectrum, ZERO, 4 * ONES)),
    *((norm, ZERO, 2 * ONES), (absolute, ONE, 2 * ONES), (hypotenuse, ZERO, 2 * ONES)),
    *((deviation, np.ones(2), ONES - 0.5), (bell, ZERO, -2 * ONES)),
    *((under_a_name, ZERO, 2 * ONES), (times_itself, ZERO, -2 * ONES), (in_a_loop, ZERO, 2 * ONES)),
    *((of_rows, ZERO, 2 * ONES), (by_square, ZERO, 2 * ONES), (huber, ZERO, ONES)),
)


@pytest.mark.parametrize("function, x, expected", CASES, ids=[c[0].__name__ for c in CASES])
def test_hessian_of_what_is_smooth(function, x, expected):
    np.testing.assert_allclose(s2sad.hessian(function)(x), expected)
    made = answer(Request(function, ("x",), "hvp", name="product"), {"x": x})
    space: dict = {}
    exec(made.source, space)
    found = [space["product"](x.copy(), direction) for direction in ONES]
    np.testing.assert_allclose(found, expected, err_msg=made.source)


def test_what_is_overwritten_after_its_norm_was_taken():
    """The square of the norm is that of the array as it was."""
    x = np.array([0.3, 0.4])
    np.testing.assert_allclose(s2sad.hessian(overwritten_before)(x), 2 * ONES, atol=1e-12)


def complex_size(x):
    return np.abs(x[0] + 1j * x[1]) ** 2 * x[0]


def test_absolute_values_of_complex_numbers_stay():
    x = np.array([0.3, 0.4])
    step = 1e-5 * ONES
    gradient = s2sad.grad(complex_size)
    expected = [(gradient(x + h) - gradient(x - h)) / 2e-5 for h in step]
    np.testing.assert_allclose(s2sad.hessian(complex_size)(x), expected, atol=1e-6)


def heading(x):
    turn = x[0] * x[1] - 0.3
    return np.arctan2(np.sin(turn), np.cos(turn)) ** 2


def heading_in_numbers(x):
    return math.atan2(float(x[0]), float(x[1])) ** 4


def size_in_numbers(x):
    return math.hypot(float(x[0]), float(x[1])) ** 4 + math.dist(x, [1.0, 2.0]) ** 2


def headings(x):
    angle = np.arctan2(x, x[::-1] + 1.0)
    return angle @ angle + np.sum(np.square(angle)) + np.sum(np.hypot(x, 2.0) ** 4)


def deviations(x):
    return np.std(x**2) ** 4 + np.sum(np.std(np.outer(x, x + 1.0), axis=0) ** 2)


@pytest.mark.parametrize(
    "function",
    [heading, heading_in_numbers, size_in_numbers, headings, deviations],
    ids=lambda each: each.__name__,
)
def test_second_derivatives_of_even_powers_away_from_kinks(function):
    x = np.array([0.7, 0.4])
    gradient = s2sad.grad(function)
    expected = [(gradient(x + h) - gradient(x - h)) / 2e-5 for h in 1e-5 * ONES]
    np.testing.assert_allclose(s2sad.hessian(function)(x), expected, rtol=1e-6, atol=1e-6)
