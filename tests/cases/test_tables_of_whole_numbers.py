"""Arrays that are written out: of many large whole numbers, which are no lengths, and tables of many rows."""

import numpy as np
import pytest

import s2sad
from tests.cases.cases import verdict
from tests.texts import defined


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


def test_a_dict_of_tables_of_many_rows():
    """Its rows stand for one memory: it was begun again for each of them, until it was refused."""
    tables = [[[a + 0.5, k * 1.25, "x[0]"] for a in range(8)] for k in range(12)]
    text = ", ".join(f"'k{k}': {rows}" for k, rows in enumerate(tables)).replace("'x[0]'", "x[0]")
    function = defined(f"""
        def chosen(x, name):
            tables = {{{text}}}
            return np.sum(np.array(tables[name]) @ x)
    """)
    x = np.array([0.3, 0.5, 0.7])
    rows = np.array([[a + 0.5, 3 * 1.25, x[0]] for a in range(8)])
    expected = np.sum(rows, axis=0) + np.array([8 * x[2], 0.0, 0.0])
    np.testing.assert_allclose(s2sad.grad(function, "x")(x, "k3"), expected)
