"""A list of positions is made again in the reverse sweep; what has a shadow is one object."""

import numpy as np

import s2sad
from tests.oracles import compare, differences, flatten


def copied_rows(g, k):
    g = [row[:] for row in g]
    a, b = g[0][0], g[1][1]
    g[0][0], g[1][1] = a * k, b - a
    return g[0][0] * g[1][1]


def listed(u, k):
    total = 0.0
    for i in range(3):
        p = [i, i + 1]
        pair = [u[i] * k, u[i + 1]]
        total += np.sum(u[p] ** 2) * pair[0] * pair[1]
    return total


def _right(function, given):
    wrt = function.__code__.co_varnames[:2]
    found = flatten(s2sad.grad(function, wrt)(*given), given)
    return compare(found, differences(function, given, (0, 1), 1.0)) is None


def test_copies_of_rows_have_one_shadow():
    assert _right(copied_rows, ([[0.3, 0.7], [1.1, -0.4]], 1.4))


def test_a_list_of_positions_is_made_again():
    given = np.array([0.3, 0.7, 1.1, -0.4]), 1.4
    assert _right(listed, given)
    assert "p_saved" not in s2sad.grad(listed, ("u", "k"), like=given).source
