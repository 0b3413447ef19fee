"""Where the result is not finite if a value is not, nothing is asked; all else is asked as before."""

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([0.7, 1.3, -0.4, 2.1, 0.9])
ONES = np.array([1.0, 0.8, 2.0, 1.5, 0.5])
ZEROS = np.array([1.0, 0.0, 2.0, 0.0, 0.5])
pytestmark = pytest.mark.filterwarnings("ignore")


def read_beside_a_choice(x, d):
    u = np.sin(x) / d
    return np.sum(np.where(u > 0.3, u * x, 0.0)) + u @ u


def upwind(x, d):
    h, q = x**2 + 1.0, d * x
    for _ in range(3):
        u = q / h
        a = np.maximum(np.abs(u[1:]) + np.sqrt(h[1:]), np.abs(u[:-1]) + np.sqrt(h[:-1]))
        flow = 0.5 * (q[1:] + q[:-1]) - 0.5 * a * (h[1:] - h[:-1])
        force = 0.5 * (q[1:] * u[1:] + q[:-1] * u[:-1]) - 0.5 * a * (q[1:] - q[:-1])
        h[1:-1] -= 0.1 * (flow[1:] - flow[:-1])
        q[1:-1] -= 0.1 * (force[1:] - force[:-1])
    return np.sum(h**2)


def by_rows(x, d):
    f = np.outer(d + 2.0, x**2 + 1.0)
    for _ in range(2):
        rho = np.sum(f, axis=0)
        u = np.zeros_like(rho)
        for i in range(5):
            u += (i - 2) * f[i]
        u = u / rho
        new = np.empty_like(f)
        for i in range(5):
            new[i] = f[i] + 0.1 * rho * (1.0 + u) ** 2
        f = new
    return np.sum(u**2) + np.sum(f[1])


def parts_that_meet(x, d):
    y = np.cos(x) / d
    z = y[1:] * np.abs(y[:-1])
    return np.sum(np.maximum(y, 0.2)) + np.sum(z)


def braced(x, d):
    """Numbers are divided by, and all elements of a solution are of all of the load."""
    K, u, free = np.diag(d + 3.0), np.zeros(5), np.array([0, 2, 3])
    for k in range(4):
        pair = np.array([k, k + 1])
        length = np.sqrt(x[k] ** 2 + x[k + 1] ** 2)
        K[np.ix_(pair, pair)] += d[k] / length * np.array([[1.0, -1.0], [-1.0, 1.0]])
    u[free] = np.linalg.solve(K[np.ix_(free, free)], x[free])
    return x @ u


NEEDS_NOTHING = [read_beside_a_choice, upwind, by_rows, parts_that_meet, braced]


@pytest.mark.parametrize("function", NEEDS_NOTHING, ids=lambda f: f.__name__)
def test_what_the_result_shows_is_not_asked_for(function):
    derivative = s2sad.grad(function, ("x", "d"), like=(X, ONES))
    assert "!= 0.0" not in derivative.source, derivative.source
    found = oracles.flatten(derivative(X, ONES), (X, ONES))
    assert oracles.compare(found, oracles.differences(function, (X, ONES), (0, 1), 1.0)) is None


def one_element_of_what_changes(x, d):
    y, s = np.sin(x), 0.0
    for k in range(2):
        s += y[2 * k] ** 2 * np.sum(np.where(d > 0.0, y, 1.0))
        y = y * x / d
    return s


def in_one_arm(x, d):
    y = x**2 / d
    return np.sum(y) if np.all(d > 0) else np.sum(y[d > 0]) + np.sum(x)


def written_over_in_a_loop(x, d):
    y = x**2 / d
    for k in range(5):
        if d[k] == 0:
            y[k] = x[k]
    return np.sum(y)


def rows_that_are_written_over(x, d):
    y = np.zeros((2, 5))
    for i in range(2):
        for _ in range(3):
            y[i] = np.sin(x) * (i + 1.0)
            w = y[i] / d
        y[i] = np.where(d > 0.0, w, x)
    return np.sum(y)


def through_a_view(x, d):
    y = x**2 / d
    tail = y[1:2]
    tail[0] = 1.0
    y[3] = tail[0] * x[3]
    return np.sum(y)


def smaller_of_two(x, d):
    y = np.abs(x) / d
    return np.sum(np.minimum(y, 3.0) * np.where(d > 0, y, x))


def part_of_a_triangle(x, d):
    y, s = x**2 / d[::-1], 0.0
    for i in range(2):
        for j in range(i):
            s += y[j] + x[i]
    return s


def until_a_break(x, d):
    y, s = x**2 / d, 0.0
    for k in range(5):
        if d[k] == 0.0:
            break
        s += y[k]
    return s


def while_it_holds(x, d):
    y, s, k = x**2 / d, np.sum(x), 9
    while k < 5:
        s += np.sum(y)
        k += 1
    return s


def by_positions(x, d):
    y = np.zeros(5)
    keep = np.flatnonzero(d)
    w = x**2 / d
    y[keep] += w[keep]
    return np.sum(y)


def solved_where_a_test_says(x, d):
    a = np.sum(x) / d[1]
    load = x * a if d[1] != 0.0 else np.cos(x)
    u = np.zeros(5)
    u[np.arange(5)] = np.linalg.solve(np.diag(x**2 + 1.0), load)
    return np.sum(u)


ASKS = [
    solved_where_a_test_says,
    *(one_element_of_what_changes, in_one_arm),
    *(written_over_in_a_loop, rows_that_are_written_over, through_a_view, by_positions),
    *(smaller_of_two, part_of_a_triangle, until_a_break, while_it_holds),
]


@pytest.mark.parametrize("has_examples", (True, False), ids=("examples", "any arguments"))
@pytest.mark.parametrize("function", ASKS, ids=lambda f: f.__name__)
def test_what_the_result_may_hide_is_asked_for(function, has_examples):
    derivative = s2sad.grad(function, "x", **({"like": (X, ZEROS)} if has_examples else {}))
    assert np.isfinite(function(X, ZEROS))
    expected = oracles.differences(function, (X, ZEROS), (0,), 1.0)
    assert oracles.compare(derivative(X, ZEROS), expected) is None, derivative.source


@pytest.mark.parametrize(
    "function", [f for f in ASKS if f is not smaller_of_two], ids=lambda f: f.__name__
)
def test_so_are_tangents(function):
    slopes = oracles.differences(function, (X, ZEROS), (0,), 1.0).value
    tangent = s2sad.jvp(function, "x", like=(X, ZEROS))(X, ZEROS, np.cos(X))[1]
    assert np.isclose(tangent, slopes @ np.cos(X), rtol=1e-6)


def shares(x, d):
    for _ in range(2):
        z = x[:, None] * d - x[:, None] ** 2 / d
        e = np.exp(z - np.max(z, axis=1, keepdims=True))
        share = e / np.sum(e, axis=1, keepdims=True)
        load = np.sum(share, axis=0)
        x = share.T @ x / load + 0.1 * x
    return np.sum(x**2 / load)


SECONDS = [read_beside_a_choice, upwind, parts_that_meet, braced, shares]


@pytest.mark.parametrize("function", SECONDS, ids=lambda f: f.__name__)
def test_second_derivatives_are_asked_nothing_either(function):
    product = s2sad.hvp(function, "x", like=(X, ONES))
    assert "!= 0.0" not in product.source, product.source
    gradient, step = s2sad.grad(function, "x"), 1e-5 * np.cos(X)
    slopes = (gradient(X + step, ONES) - gradient(X - step, ONES)) / 2e-5
    np.testing.assert_allclose(product(X, ONES, np.cos(X)), slopes, rtol=1e-6, atol=1e-8)


def largest_of_a_table(x, d):
    table = np.stack([x, np.zeros_like(x), -d])
    table = table * 2.0
    return np.sum(np.sqrt(np.max(table, axis=0)))


def largest_in(table):
    return np.max(table, axis=0)


def largest_by_a_call(x, d):
    return np.sum(np.sqrt(largest_in(np.stack([x, np.zeros_like(x)]))) * d)


@pytest.mark.parametrize("function", [largest_of_a_table, largest_by_a_call])
def test_the_largest_element_of_what_varies_in_part_is_asked_for(function):
    found = s2sad.jvp(function, "x", like=(X, ONES))(X, ONES, np.cos(X))[1]
    slopes = oracles.differences(function, (X, ONES), (0,), 1.0).value
    assert np.isclose(found, slopes @ np.cos(X), rtol=1e-6)
