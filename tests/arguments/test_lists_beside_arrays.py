"""Lists beside arrays: operands that NumPy makes arrays of, and positions, which give copies."""

import numpy as np
import pytest
from scipy import fft, integrate, linalg, ndimage, signal, special, stats

import s2sad
from tests.oracles import slope
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


def lists_for_rules_of_scipy(u):
    a, b, m = [1.0, -0.3 * u[0]], [u[1], 1.0 - u[1]], [[2.0 + u[0], u[2]], [0.1, 3.0]]
    y = signal.lfilter(b, a, u) + signal.fftconvolve(u, b, mode="same")
    return y @ u + special.logsumexp(b) + fft.dct(a)[0] + linalg.solve(m, b)[0]


def lists_for_twins_of_scipy(u):
    values = []
    for x in u:
        values.append(x * x + 1.0)
    smooth = ndimage.convolve1d(u, values)
    return integrate.simpson(values, dx=0.1) * stats.gmean(values) + smooth @ smooth


@pytest.mark.parametrize("program", [lists_for_rules_of_scipy, lists_for_twins_of_scipy])
def test_scipy_makes_arrays_of_lists_that_have_a_name(program):
    assert_good(Entry(program, (numbers(5),)))


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
def test_a_text_for_an_empty_list_of_the_caller_takes_no_other(function):
    u, names = numbers(3), {}
    made = s2sad.grad(function, wrt="u", like=([], u))
    np.testing.assert_allclose(made([], u), np.ones(3))
    np.testing.assert_allclose(made([u + 1.0], u), u + 1.0)
    exec(made.source, names)
    with pytest.raises(ValueError, match="no items in factors"):
        names[made.__name__]([u + 1.0], u)


def distances_to(x, y):
    return np.sqrt(np.sum((x - y) ** 2, axis=1))


def nearest_of_each_row(x):
    """Each is at no distance of itself, which is left out."""
    rows = np.array([np.sqrt(np.sum((x - x[i]) ** 2, axis=1)) for i in range(len(x))])
    for i in range(len(x)):
        rows[i, i] = np.inf
    return np.sum(np.min(rows, axis=1))


def distances_that_are_not_zero(x):
    rows = np.array([distances_to(x, x[i]) for i in range(len(x))])
    return np.sum(np.log(rows[np.where(rows != 0.0)]))


@pytest.mark.parametrize("program", [nearest_of_each_row, distances_that_are_not_zero])
def test_what_is_left_out_of_an_array_of_a_list_has_no_slope(program):
    """Its slope was nan: 0 * inf, where a row of the list, or a call, gave it."""
    x = np.random.default_rng(4).standard_normal((4, 2))
    expected, _ = slope(lambda h: program(x + h * np.sin(x)), program(x), 1.0)
    assert np.sum(s2sad.grad(program)(x) * np.sin(x)) == pytest.approx(expected, rel=1e-7)
    assert s2sad.jvp(program)(x, np.sin(x))[1] == pytest.approx(expected, rel=1e-7)
