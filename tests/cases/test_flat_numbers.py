"""The one element of a number by `.flat`, as functions for arrays of any rank read it: its slope was lost."""

import numpy as np
import pytest

import s2sad


def by_a_mask(y):
    error = np.asarray(y) * 3.0
    there = np.ravel(error != 0)
    share = np.zeros_like(error)
    share.flat[there] = error.flat[there] ** 2 / np.asarray(y).flat[there]
    return np.sum(share)


def by_a_position(y):
    error = np.asarray(y) * 3.0
    kept = np.zeros(2)
    kept[0] = error.flat[0] ** 2
    return np.sum(kept)


def by_positions(y):
    error = np.asarray(y) * 3.0
    return np.sum(error.flat[[0]] * 2.0)


def as_a_whole(y):
    error = np.asarray(y) * 3.0
    return np.sum(error.flat) ** 2


@pytest.mark.parametrize(
    ("function", "slope"),
    [(by_a_mask, 9.0), (by_a_position, 12.6), (by_positions, 6.0), (as_a_whole, 12.6)],
)
def test_the_element_of_a_number_has_its_slope(function, slope):
    for made in (s2sad.grad(function), s2sad.grad(function, like=(0.7,))):
        assert made(0.7) == pytest.approx(slope)
    assert s2sad.jvp(function, "y")(0.7, y_dot=1.0)[1] == pytest.approx(slope)
