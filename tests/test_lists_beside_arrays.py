"""Lists beside arrays: operands that NumPy makes arrays of, and positions, which give copies."""

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import Unsupported
from tests.programs.entry import Entry, assert_good, numbers


def lists_beside_written_arrays(a):
    b = a.copy()
    b[0] = 2.0 * a[1]
    w = []
    for k in range(4):
        w.append(k + 1)
    c = w * b[0]
    c[1] *= 3.0
    c *= w
    return np.sum(b * [[1], [2], [3]]) + np.sum(c**2) + np.sum((w - b[1]) ** 2) + len(2 * w)


def parts_at_a_list_of_positions(a):
    p = [2, 0, 1]
    p[0], p[1] = p[1], p[0]
    q = sorted(range(4), key=lambda k: a[0, k])
    rows, columns, pairs, row = a[p], a[:, q], a[p, q[:3]], a[0][q]
    rows[0] *= 3.0
    columns[:, 1] *= a[0, 0]
    pairs[2] *= 2.0
    row[0] = row[1] ** 2
    return np.sum(rows * columns[p] ** 2) + np.sum(pairs) * row[0] + row @ a[1]


@pytest.mark.parametrize("program", [lists_beside_written_arrays, parts_at_a_list_of_positions])
def test_lists_count_as_arrays(program):
    assert_good(Entry(program, (numbers(3, 4),)))


def scaled_by_all(factors, u):
    t = 1.0
    for factor in factors:
        t = t * factor
    return np.sum(t * u)


def scaled_by_what_is_left(factors, u):
    left, t = list(factors), 1.0
    while left:
        t = t * left.pop()
    return np.sum(t * u)


@pytest.mark.parametrize("function", [scaled_by_all, scaled_by_what_is_left])
def test_what_an_empty_list_of_the_caller_will_hold_is_not_known(function):
    u = numbers(3)
    with pytest.raises(Unsupported, match="may give a number"):
        s2sad.grad(function, wrt="u", like=([], u))([], u)
    slope = s2sad.grad(function, wrt="u")([u + 1.0], u)
    np.testing.assert_allclose(slope, u + 1.0)
