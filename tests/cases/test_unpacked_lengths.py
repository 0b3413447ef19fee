"""What is unpacked to too few or too many names raises in a derivative as in the function."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad

X = np.linspace(0.1, 0.9, 12).reshape(4, 3)


def generator(W, x):
    q, k = (x @ w for w in W)
    return np.sum(q * k)


def comprehension(W, x):
    q, k = [x @ w for w in W]
    return np.sum(q * k)


def mapped(W, x):
    q, k = map(lambda w: x @ w, W)
    return np.sum(q * k)


def rows(W, x):
    q, k = W
    return np.sum((x @ q) * (x @ k))


def list_of_rows(W, x):
    q, k = list(W)
    return np.sum((x @ q) * (x @ k))


def one_not_read(W, x):
    _, k = [x @ w for w in W]
    return np.sum(k**2)


def in_order(W, x):
    low, high = sorted([np.sum(x @ w) for w in W])
    return low**2 * high


def from_behind(W, x):
    last, first = reversed([np.sum(x @ w) for w in W])
    return first**2 * last


def values(W, x):
    q, k = {i: x @ w for i, w in enumerate(W)}.values()
    return np.sum(q * k)


def read_later(W, x):
    q, k = [np.sum(x @ w) for w in W]
    total = 0.0
    for _ in range(3):
        total += q * k
        q = q * 0.5
    return total


FUNCTIONS = (
    generator,
    comprehension,
    mapped,
    rows,
    list_of_rows,
    one_not_read,
    in_order,
    from_behind,
    values,
    read_later,
)


def weights(count):
    return np.sin(np.arange(6.0 * count)).reshape(count, 3, 2)


def made(function, mode, of_examples):
    like = (weights(2), X) if of_examples else None
    if mode == "grad":
        return s2sad.grad(function, like=like)
    tangent = s2sad.jvp(function, like=like)
    return lambda W, x: tangent(W, x, W_dot=np.ones_like(W))


@pytest.mark.parametrize("of_examples", [True, False], ids=["examples", "none"])
@pytest.mark.parametrize("mode", ["grad", "jvp"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_other_lengths_raise(function, mode, of_examples):
    derivative = made(function, mode, of_examples)
    derivative(weights(2), X)
    for count in (1, 3):
        with pytest.raises(ValueError):
            function(weights(count), X)
        with pytest.raises((ValueError, s2sad.ArgumentError)):
            derivative(weights(count), X)


def test_the_unpacking_stands_as_it_was_written():
    source = s2sad.grad(comprehension, like=(weights(2), X)).source
    assert "q, k = made" in source
