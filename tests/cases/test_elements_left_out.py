"""What a test, a part or a store leaves out has the derivative 0, also where its slope is infinite."""

import warnings

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([0.7, 1.3, -0.4, 2.1, 0.9])
D = np.array([1.0, 0.0, 2.0, 0.0, 0.5])  # two divisors are zero
STEPS = np.arange(5.0)  # the first is


def divided_in_place(x, d):
    y = x.copy()
    y /= d
    y[d == 0] = 1.0
    return np.sum(y**2)


def divided_in_place_as_a_whole(x, d):
    y = x.copy()
    y[:] /= d
    return np.sum(np.where(d != 0, y, 0.0))


def scaled_by_what_a_loop_filled(x, d):
    w = np.zeros(len(d))
    for i in range(len(d)):
        w[i] = 1.0 / d[i]
    y = x * w
    y[d == 0] = 0.0
    return np.sum(y**2)


def skipped_by_a_loop(x, d):
    y = x / d
    s = 0.0
    for i in range(len(d)):
        if d[i] != 0:
            s += y[i] ** 2
    return s


def skipped_where_a_loop_filled(x, d):
    y = np.empty_like(x)
    for i in range(len(d)):
        y[i] = x[i] / d[i]
    s = 0.0
    for v, e in zip(y, d, strict=True):
        if e != 0:
            s += v**2
    return s


def chosen_by_positions(x, d):
    y = x / d
    return np.sum(y[np.nonzero(d)[0]] ** 2)


def taken_by_positions(x, d):
    return np.sum(np.take(x / d, [0, 2, 4]) ** 2)


def a_part(x, d):
    y = x / STEPS
    return np.sum((y[2:] - y[1:-1]) ** 2)


def single_elements(x, d):
    y = x / d
    return y[0] + y[2] * y[4]


def read_from_the_second_on(x, d):
    y = x / STEPS
    z = np.zeros(5)
    z[0] = x[0]
    for k in range(1, 5):
        z[k] = y[k] + z[k - 1]
    return np.sum(z**2)


def written_over_at_one_place(x, d):
    y = np.sin(2.0 * x) / STEPS
    y[0] = x[0]
    return np.sum(y**2)


def written_over_by_a_loop(x, d):
    A = d / (x[:, None] - x[None, :])
    for i in range(5):
        A[i, i] = 0.0
    return np.sum(A**2)


def pairs(x, d):
    P = np.stack([x, d], axis=1)
    R = np.sqrt(np.sum((P[:, None, :] - P[None, :, :]) ** 2, axis=-1))
    s = 0.0
    for i in range(5):
        for j in range(i + 1, 5):
            s += 1.0 / R[i, j]
    return s


def all_others(x, d):
    P = np.stack([x, d], axis=1)
    s = 0.0
    for i in range(5):
        r = np.sqrt(np.sum((P - P[i]) ** 2, axis=1))
        s += np.sum(1.0 / r[:i]) + np.sum(1.0 / r[i + 1 :])
    return s


def nearest(x, d):
    P = np.stack([x, d], axis=1)
    R = np.sqrt(np.sum((P[:, None] - P[None]) ** 2, axis=-1))
    k = np.argsort(R, axis=1)[:, 1]
    return np.sum(R[np.arange(5), k])


def above_the_diagonal(x, d):
    return np.sum(np.tril(1.0 / (x[:, None] - x[None, :]) ** 2, -1))


def shortest_step(x, d):
    t = x**2 / np.abs(d)
    return t[np.argmin(t)] + np.median(t)


def in_a_branch(x, d):
    y = x / d
    s = np.sum(x)
    if np.all(d > 0):
        s += np.sum(y)
    return s


def every_other(x, d):
    y = x / d[::-1]
    z = x[1:] / d[1:]
    return np.sum(y[::2] ** 2) + np.sum(z[::-2])


def some_and_the_last(x, d):
    y = x[1:] / d[1:]
    return y[-1] + 2.0 * np.sum(y[1:2])


FUNCTIONS = (
    *(divided_in_place, divided_in_place_as_a_whole, scaled_by_what_a_loop_filled),
    *(skipped_by_a_loop, skipped_where_a_loop_filled, chosen_by_positions, taken_by_positions),
    *(a_part, single_elements, read_from_the_second_on, written_over_at_one_place),
    *(written_over_by_a_loop, pairs, all_others, nearest, above_the_diagonal, shortest_step),
    *(in_a_branch, every_other, some_and_the_last),
)


@pytest.mark.parametrize("has_examples", (True, False), ids=("examples", "any arguments"))
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_derivative_is_zero_there(function, has_examples):
    options = {"like": (X, D)} if has_examples else {}
    derivative = s2sad.grad(function, wrt="x", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = derivative(X, D)
        expected = oracles.differences(function, (X, D), (0,))
    assert oracles.compare(found, expected) is None


@pytest.mark.parametrize(
    "read",
    (
        "y[1:] @ y[:-1]",
        "np.sum(y[:2]) + np.sum(y[2:])",
        "sum(y[k] for k in range(len(y)))",
        "np.sum(y[::-1])",
        "y[...] @ x",
        "y[-1] * np.sum(y[:-1])",
        "y[0] * np.sum(y[1:])",
        "np.sum(y[::2]) * np.sum(y[1::2])",
    ),
)
def test_nothing_is_asked_where_all_is_read(read, tmp_path):
    source = f"import numpy as np\n\n\ndef f(x, d):\n    y = x / d\n    return {read}\n"
    path = tmp_path / "read_whole.py"
    path.write_text(source)
    space = {}
    exec(compile(source, str(path), "exec"), space)
    text = str(s2sad.grad(space["f"], wrt="x", like=(X, D + 1.0)).source)
    assert "!=" not in text.split("reverse sweep")[1]
