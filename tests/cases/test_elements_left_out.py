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


# ---------------------------------------------------------------------------- data with gaps

GAPS = np.array([1.0, np.nan, 2.0, 0.3, np.nan])


def likelihood_of_what_is_there(x, d):
    s = x[0]
    there = np.isfinite(d)
    return -0.5 * np.sum((((d - x) / s)[there]) ** 2)


def masked_products(x, d):
    return np.sum(((d * x) ** 2)[~np.isnan(d)])


def masked_logarithms(x, d):
    return np.sum(np.log1p(np.exp(d * x))[~np.isnan(d)])


def filled_in(x, d):
    y = d * x
    y *= x[0]
    y[np.isnan(d)] = x[1]
    return np.sum(y**3)


def copied_to(x, d):
    y = d * x
    np.copyto(y, 0.0, where=np.isnan(d))
    return np.sum(y**2)


def of_what_is_computed(x, d):
    y = np.tanh(d * x)
    return np.nansum(y * y) + np.nanvar(d * x) + np.nanstd(d * x) + np.nanmedian(d * x)


def extremes_of_what_is_there(x, d):
    table = np.stack([d * x, x * x])
    return np.nanmax(d * x) + np.sum(np.nanmin(table, axis=0)) + np.nanpercentile(d * x, 40.0)


def gaps_of_the_module(x, d):
    return np.sum(((GAPS * x) ** 2)[~np.isnan(GAPS)]) + d[0]


@pytest.mark.parametrize(
    "function",
    [
        likelihood_of_what_is_there,
        masked_products,
        masked_logarithms,
        filled_in,
        copied_to,
        of_what_is_computed,
        extremes_of_what_is_there,
        gaps_of_the_module,
    ],
)
def test_what_is_missing_has_the_derivative_0(function):
    slopes = oracles.differences(function, (X, GAPS), (0,), 1.0).value
    for derivative in (s2sad.grad(function, "x"), s2sad.grad(function, "x", like=(X, GAPS))):
        assert np.allclose(derivative(X, GAPS), slopes, rtol=1e-6, atol=1e-8)
    tangent = s2sad.jvp(function, "x")(X, GAPS, np.cos(X))[1]
    assert np.isclose(tangent, slopes @ np.cos(X), rtol=1e-6)


def test_where_all_are_asked_to_be_numbers_nothing_is_left_out():
    def checked(x, d):
        if not np.all(np.isfinite(d)):
            return 0.0
        return np.sum((d * x)[d > 0.5] ** 2)

    assert "!= 0.0" not in s2sad.grad(checked, "x", like=(X, D)).source
