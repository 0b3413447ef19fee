"""Gradients have the dtypes of their arguments, and no less precision than these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles

W, X = np.array([0.3, -0.6, 1.1]), np.array([0.9, 0.2, -0.4])
A = np.arange(1.0, 7.0).reshape(2, 3) / 7.0
TABLE, SMALL = np.array([1.0, -2.0, 3.0]), np.array([1.0, -2.0, 3.0], np.float32)
SCALE = np.float64(0.1)


def helper(u, c):
    return np.tanh(u * c)


def looped(w):
    s = 0.0
    for x in w:
        s += x * x * 0.1
    return s


def begun_with_a_number(w):
    s = 0.0
    for k in range(3):
        s = s + w * (w + 0.1 * k)
    return np.sum(s)


def written(w):
    v = np.zeros(3)
    v[0] = w[1] * 2.0
    v[1:] = w[:-1]
    return np.sum(v * v)


def stepped(w):
    for _ in range(3):
        w = w + 0.1 * np.sin(w) * SCALE
    return np.sum(w)


def branched(w):
    if w[0] > 0.0:
        return np.sum(w) * np.pi
    return np.sum(w * w)


def widened(w):
    h = w * 2
    return np.sum(np.float_power(np.abs(h) + 1, np.arange(3))) + np.sum(h * h)


ONE: list[Callable[..., Any]] = [
    lambda w: np.sum(1.0 * w),
    lambda w: np.mean(w),
    lambda w: 0.5 * np.sum(w**2),
    lambda w: np.sum(w[1:]) * 0.1,
    lambda w: np.max(w),
    lambda w: np.sum(np.where(w > 0, w, 2.0 * w)),
    lambda w: np.sum(np.clip(w, -0.5, 0.5)),
    lambda w: np.sum(np.maximum(w, 0.0)),
    lambda w: np.sum(abs(w)),
    lambda w: np.sum(np.cumsum(w)),
    lambda w: np.sum(w * TABLE),
    lambda w: np.dot(w, TABLE),
    lambda w: np.sum(w * SMALL),
    lambda w: np.sum(w * SCALE),
    lambda w: np.sum(np.concatenate((w, TABLE)) ** 2),
    lambda w: np.sum(np.interp(w, np.array([-1.0, 0.0, 2.0]), TABLE)),
    lambda w: np.sum(np.outer(w, w)),
    lambda w: np.linalg.norm(w),
    lambda w: w[0] * w[1] * SCALE,
    lambda w: np.sum(helper(w, TABLE)),
    lambda w: np.sum(np.roll(w, 1) * np.arange(3)),
    looped,
    begun_with_a_number,
    written,
    stepped,
    branched,
    widened,
]  # fmt: skip
TWO: list[Callable[..., Any]] = [
    lambda w, x: np.sum(0.1 * (w * x)),
    lambda w, x: np.dot(w, x),
    lambda w, x: np.sum((w - x) ** 2),
    lambda w, x: np.sum(helper(w, x) * helper(x, w)),
    lambda w, x: np.sum(np.where(w > x, w, x * 0.1)),
    lambda w, x: np.sum(w) * 0.1,
    lambda w, x: np.sum(np.stack((w, x)) * 0.1),
]  # fmt: skip


def assert_like(bars: Any, args: Any, function: Any) -> None:
    """Fail unless adjoints have the dtypes of the arguments, and the digits."""
    exact = tuple(np.asarray(arg, np.float64) for arg in args)
    expected = oracles.differences(function, exact, range(len(args)))
    got = 0
    for bar, arg in zip(bars, args, strict=True):
        assert bar.dtype == arg.dtype
        assert type(bar) is type(arg)
        known = expected.value[got : got + np.size(arg)]
        got += np.size(arg)
        np.testing.assert_allclose(np.ravel(bar), known, rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("number", range(len(ONE)))
def test_one_argument(number: int, dtype: Any) -> None:
    function, w = ONE[number], W.astype(dtype)
    for df in (s2sad.grad(function), s2sad.grad(function, like=(w,))):
        assert_like((df(w),), (w,), function)
    value, w_bar = s2sad.value_and_grad(function)(w)
    assert type(value) is type(function(w)) and value == function(w)
    assert w_bar.dtype == dtype


@pytest.mark.parametrize("dtypes", [(np.float32, np.float64), (np.float64, np.float32)])
@pytest.mark.parametrize("number", range(len(TWO)))
def test_two_arguments_of_two_dtypes(number: int, dtypes: Any) -> None:
    function = TWO[number]
    args = tuple(x.astype(dtype) for x, dtype in zip((W, X), dtypes, strict=True))
    for df in (s2sad.grad(function, (0, 1)), s2sad.grad(function, (0, 1), like=args)):
        assert_like(df(*args), args, function)


def test_double_precision_is_kept_beside_single() -> None:
    def weighted(w, x):
        return np.sum(0.1 * (w * x))

    w, x = W.astype(np.float32), X
    x_bar = s2sad.grad(weighted, "x")(w, x)
    np.testing.assert_allclose(x_bar, 0.1 * w.astype(float), rtol=1e-15)


@pytest.mark.parametrize("kind", [np.float32, np.float64, float])
def test_numbers(kind: Any) -> None:
    def decay(c, w):
        return np.sum(w * np.exp(-c * TABLE)) * SCALE

    for w in (W.astype(np.float32), W):
        c_bar, w_bar = s2sad.grad(decay, ("c", "w"))(kind(0.3), w)
        assert w_bar.dtype == w.dtype
        assert isinstance(c_bar, float | np.floating) and (kind is float or type(c_bar) is kind)


@pytest.mark.parametrize("kind", [np.float32, lambda x: np.array(x, np.float32)])
def test_a_gradient_that_is_a_number_of_the_text(kind: Any) -> None:
    """Of an array without axes too: `x_bar = 3.0` has no dtype to be cast from."""
    gradient = s2sad.grad(lambda x: 3.0 * x)(kind(0.5))
    assert gradient == 3.0 and gradient.dtype == np.float32


def summed(w, v):
    s = 0.0
    for i in range(w.size):
        s = s + v[i] * w[i] ** 2
    return s * np.sum(w)


def test_a_sum_that_begins_with_a_number_is_a_number() -> None:
    single = np.float32([0.3, -0.6, 1.1]), np.float32([0.5, 0.2, -0.1])
    text = s2sad.grad(summed, like=single).source
    double = s2sad.grad(summed, like=(W, X)).source
    assert text.replace("float32", "float64") == double
    found = s2sad.grad(summed, wrt=(0, 1))(*single)
    assert [each.dtype for each in found] == [np.float32, np.float32]
    expected = s2sad.grad(summed, wrt=(0, 1))(*(a.astype(float) for a in single))
    np.testing.assert_allclose(np.array(found), np.array(expected), rtol=1e-5)


def layered(layers, x):
    for layer in layers:
        x = np.tanh(layer["W"] @ x + layer["b"])
    return np.sum(x) * layers[0]["scale"]


def test_parameters_in_dicts_and_lists_keep_their_precision() -> None:
    layers = [
        {"W": np.float32(A), "b": np.float32([0.1, 0.2]), "scale": np.float32(0.5)},
        {"W": np.float32(A[:, :2]), "b": np.float32([0.3, 0.2]), "scale": np.float32(0.5)},
    ]
    found = s2sad.grad(layered)(layers, np.float32(W))
    wide = [{key: np.float64(value) for key, value in layer.items()} for layer in layers]
    expected = s2sad.grad(layered)(wide, W)
    for mine, other in zip(found, expected, strict=True):
        for key, value in other.items():
            np.testing.assert_allclose(mine[key], value, rtol=1e-5)
            assert np.asarray(mine[key]).dtype == np.float32 or key == "scale"


def test_adjoints_for_a_seed() -> None:
    def model(A, w):
        return A @ (w * TABLE)

    A32, w = A.astype(np.float32), W.astype(np.float32)
    for seed in (np.ones(2, np.float32), np.ones(2)):
        A_bar, w_bar = s2sad.vjp(model, (0, 1))(A32, w, seed)
        assert A_bar.dtype == w_bar.dtype == np.float32


@pytest.mark.parametrize("number", range(len(ONE)))
def test_the_text_for_any_argument_keeps_single_precision_alone(number: int) -> None:
    function = ONE[number]
    free = set(function.__code__.co_names) | set(function.__code__.co_consts)
    if free & {"TABLE", "SCALE", "arange", "zeros"}:
        pytest.skip("the function itself calculates in double precision")
    df = s2sad.grad(function)
    alone = oracles.standalone(df.source, df.__name__)
    assert alone(W.astype(np.float32)).dtype == np.float32


def stored_like_an_argument(u, counts):
    w = np.zeros_like(counts)
    w[1:] = u[1:]
    return np.sum(w * u)


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
def test_a_text_for_any_arguments_refuses_integers_that_cut_what_is_stored(make) -> None:
    u, counts = np.array([0.3, -1.4, 2.9]), np.array([1, 2, 3])
    made = make(stored_like_an_argument, wrt="u")
    given = (u,) if make is s2sad.jvp else ()
    space: dict = {}
    exec(made.source, space)
    alone = space[made.__name__]
    found, expected = alone(u, counts * 1.0, *given), made(u, counts * 1.0, *given)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    with pytest.raises(ValueError, match=r"arrays of floats .*counts"):
        alone(u, counts, *given)
    truncated = s2sad.grad(stored_like_an_argument, wrt="u")(u, counts)
    np.testing.assert_array_equal(truncated, [0.0, -1.0, 2.0])


@pytest.mark.parametrize("reduced", [np.add.reduce, np.maximum.reduce])
def test_a_float_seed_that_gets_axes_keeps_single_precision(reduced: Any) -> None:
    def largest(a: Any) -> Any:
        return reduced(a, (0, 1))

    a = np.random.default_rng(1).random((2, 3)).astype(np.float32)
    assert s2sad.vjp(largest, like=(a,))(a, 0.75).dtype == np.float32
