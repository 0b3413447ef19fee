"""The largest element that is taken off and put back has no adjoint; where it stays, it has one."""

import numpy as np
import pytest

import s2sad
from tests import oracles

Z = np.array([[0.3, 0.9, 0.1], [1.2, 0.4, 0.8]])
V = np.array([0.3, 0.9, 0.1])


def softmax_of_rows(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return np.sum(p**2)


def log_of_a_sum(z):
    m = np.max(z)
    return m + np.log(np.sum(np.exp(z - m)))


def log_of_sums(z):
    m = z.max(axis=0)
    s = np.exp(z - m[None, :]).sum(axis=0)
    return np.sum(np.log(s) + m)


def weighted_in_a_loop(z):
    total = 0.0
    for k in range(2):
        m = np.max(z[k])
        e = np.exp(z[k] - m)
        total = total + np.sum(e * z[k]) / np.sum(e)
    return total


def stored_in_a_table(z):
    """Dynamic time warping with a soft minimum, whose largest element is put back where it is stored."""
    D = np.full((3, 4), 50.0)
    D[0, 0] = 0.0
    for i in range(1, 3):
        for j in range(1, 4):
            s = np.array([-D[i - 1, j], -D[i, j - 1], -D[i - 1, j - 1]]) / 0.7
            m = np.max(s)
            D[i, j] = z[i - 1, j - 1] ** 2 - 0.7 * (m + np.log(np.sum(np.exp(s - m))))
    return D[2, 3]


def at_a_temperature(z):
    heat = np.sum(np.cos(z)) + 3.0
    m = np.max(z)
    return m + heat * np.log(np.sum(np.exp((z - m) / heat)))


def smallest_of_numbers(z):
    """A soft minimum of names, as dynamic programs take it."""
    a, b, c = z
    low = min(a, b, c)
    total = np.exp((low - a) / 0.7) + np.exp((low - b) / 0.7) + np.exp((low - c) / 0.7)
    return (low - 0.7 * np.log(total)) ** 2


def larger_of_two_rows(z):
    m = np.maximum(z[0], z[1])
    return np.sum((m + np.log(np.exp(z[0] - m) + np.exp(z[1] - m))) ** 2)


@pytest.mark.parametrize(
    ("function", "z"),
    [
        (at_a_temperature, V),
        (smallest_of_numbers, V),
        (larger_of_two_rows, Z),
        (softmax_of_rows, Z),
        (log_of_a_sum, V),
        (log_of_sums, Z),
        (weighted_in_a_loop, Z),
        (stored_in_a_table, Z),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_shift_that_cancels_has_no_adjoint(function, z):
    assert "==" not in _right(function, z)


def not_put_back(z):
    m = np.max(z)
    return np.log(np.sum(np.exp(z - m)))


def read_besides(z):
    m = np.max(z)
    e = np.exp(z - m)
    return np.sum(e / np.sum(e) * z) + m


def summed_over_the_other_axis(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return np.sum((e / np.sum(e, axis=0)) ** 2)


def put_back_twice(z):
    m = np.max(z)
    return m + m + np.log(np.sum(np.exp(z - m)))


def squared(z):
    e = np.exp(z - np.max(z))
    return np.sum(e**2) / np.sum(e)


def of_the_pass_before(z):
    m = 0.0
    total = 0.0
    for k in range(2):
        total = total + m + np.log(np.sum(np.exp(z[k] - m)))
        m = np.max(z[k])
    return total * m


def stored_unchanged(z):
    s = np.zeros(2)
    for k in range(2):
        m = np.max(z[k])
        s[k] = m + np.log(np.sum(np.exp(z[k] - m)))
        s[k] += m
    return np.sum(s**2)


def stored_at_what_it_gives(z):
    e = np.exp(z - np.max(z))
    e[0] = z[1]
    return np.sum(e * z) / np.sum(e)


def at_two_temperatures(z):
    m = np.max(z)
    return m + 2.0 * np.log(np.sum(np.exp((z - m) / 3.0)))


def at_another_temperature(z):
    heat = 2.0
    m = np.max(z)
    e = np.sum(np.exp((z - m) / heat))
    heat = z[0] + 3.0
    return m + heat * np.log(e)


def times_what_varies_along_it(z):
    m = np.max(z)
    return m + np.sum(z * np.log(np.sum(np.exp((z - m) / z))))


def smallest_of_numbers_alone(z):
    a, b, c = z
    low = min(a, b, c)
    return low * np.log(np.exp(low - a) + np.exp(low - b) + np.exp(low - c))


@pytest.mark.parametrize(
    ("function", "z"),
    [
        (at_two_temperatures, V),
        (at_another_temperature, V),
        (times_what_varies_along_it, V),
        (smallest_of_numbers_alone, V),
        (stored_unchanged, Z),
        (stored_at_what_it_gives, V),
        (not_put_back, V),
        (read_besides, V),
        (summed_over_the_other_axis, Z),
        (put_back_twice, V),
        (squared, V),
        (of_the_pass_before, Z),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_shift_that_stays_has_its_adjoint(function, z):
    assert "==" in _right(function, z)


def _right(function, z):
    derivative = s2sad.grad(function, like=(z,))
    found = oracles.flatten((derivative(z),), (z,))
    assert not oracles.compare(found, oracles.differences(function, (z,), (0,), 1.0))
    text = str(derivative.source)
    return text[text.index('"""', text.index('"""') + 3) :]
