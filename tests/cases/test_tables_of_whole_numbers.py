"""An array that is written out of many large whole numbers has its rank: they are no lengths."""

import numpy as np
import pytest

from tests.cases.cases import verdict


def years(x):
    t = np.array([1900, 1910, 1920, 1930, 1940, 1950, 1960, 1970, 1980, 1990, 2000])
    return np.sum(np.exp(x * (t - 1900)))


def matrix(x):
    M = np.array([[100, 200, 300], [400, 500, 600], [700, 800, 900]])
    return np.sum(np.sin(M * x) @ np.array([365, 366, 400]))


def stored_into(x):
    w = np.array([6288774, 1274027, 658314, -185116, 58793, 57066, 53322, 45758, 15327, 0.5])
    out = w.copy()
    out[1] = x * w[0]
    return np.sum(out * w) * 1e-12


@pytest.mark.parametrize("function", (years, matrix, stored_into))
def test_large_whole_numbers_of_an_array(function):
    assert verdict(function, (0.012,)) == "right"
