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


# ---------------------------------------------------------------------------- rows of loops


def in_a_loop(x, rows):
    total = 0.0
    for a, b in rows:
        total = total + a * np.sum(x) + b * np.sum(x**2)
    return total


def in_a_generator(x, rows):
    return sum(a * np.sum(x) * b for a, b in rows)


def first_part_alone(x, rows):
    total = 0.0
    for k, (a, _) in enumerate(rows):
        total = total + k * a * np.sum(x)
    return total


def beside_another(x, rows):
    return sum(a * each for (a, b), each in zip(rows, x, strict=True))


def as_an_array(x, rows):
    return np.sum(np.array([a * x for a, b in rows]))


def of_parts_of(x, rows):
    total = np.sum(x) if len(rows) else 0.0
    for a, b in [x[k : k + len(rows[0])] for k in range(2)]:
        total = total + a * b
    return total


OF_ROWS = (in_a_loop, in_a_generator, first_part_alone, beside_another, as_an_array, of_parts_of)
KINDS = {
    "array": np.array,
    "lists": lambda rows: [list(row) for row in rows],
    "arrays": lambda rows: [np.array(row) for row in rows],
    "tuples": lambda rows: [tuple(row) for row in rows],
}
PAIRS = ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))
OTHERS = {"three": [(*row, 1.0) for row in PAIRS], "one": [row[:1] for row in PAIRS]}
OTHERS["a long one"] = [(7.0, 8.0, 9.0), *PAIRS[1:]]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("function", OF_ROWS, ids=lambda f: f.__name__)
def test_rows_of_other_lengths_raise_in_loops(function, kind):
    x, good = np.array([0.3, 0.5, 0.7]), KINDS[kind](PAIRS)
    for like in ((x, good), None):
        derivative = s2sad.grad(function, "x", like=like)
        tangent = s2sad.jvp(function, "x", like=like)
        slopes = np.dot(derivative(x, good), [0.1, 0.2, 0.3])
        np.testing.assert_allclose(tangent(x, good, np.array([0.1, 0.2, 0.3]))[1], slopes)
        for name, rows in OTHERS.items():
            if kind == "array" and name == "a long one":
                continue
            bad = KINDS[kind](rows)
            with pytest.raises((ValueError, IndexError)):
                function(x, bad)
            with pytest.raises((ValueError, IndexError, s2sad.ArgumentError)):
                derivative(x, bad)
            with pytest.raises((ValueError, IndexError, s2sad.ArgumentError)):
                tangent(x, bad, np.ones(3))


def test_lists_in_a_list_are_asked_for_their_length_at_the_entry():
    like = (np.array([0.3, 0.5]), [[1.0, 2.0], [3.0, 4.0]])
    source = s2sad.grad(in_a_loop, "x", like=like).source
    assert "lists of 2 real numbers in rows" in source
    assert "expected" not in source
