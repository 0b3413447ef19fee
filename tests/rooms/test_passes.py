"""Lengths that depend on the number of a pass: known in the loop, and not after it."""

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([0.3, 0.7, 1.1])
A = np.linspace(0.2, 1.7, 9).reshape(3, 3)


def by_pairs(x, m):
    energy = 0.0
    for i in range(len(m) - 1):
        d = x[i + 1 :] - x[i]
        energy += m[i] * np.sum(m[i + 1 :] / (d**2 + 1.0))
    return energy


def before_the_diagonal(x, A):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += np.sum(A[i, i:j] * x[i:j]) * x[j]
    return total


def blocks(x):
    K = np.zeros((4, 4))
    for e in range(len(x)):
        K[e : e + 2, e : e + 2] += x[e] * np.array([[1.0, -1.0], [-1.0, 2.0]])
    return np.sum(K**2)


def enumerated(x):
    total = 0.0
    for k, v in enumerate(x):
        total = total + np.sum(x[:k] * v * x[:k])
    return total


def backwards(x):
    y = x.copy()
    for i in range(len(x) - 2, -1, -1):
        y[i] = y[i] - y[i + 1 :] @ x[i + 1 :]
    return np.sum(y**2)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (by_pairs, (X, X + 1.0)),
        (before_the_diagonal, (X, A)),
        (blocks, (X,)),
        (enumerated, (X,)),
        (backwards, (X,)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_slices_that_depend_on_the_pass_have_lengths(function, args):
    assert "_sum_to" not in str(_right(function, args).source)


def masked(x, y):
    good = y > 0.8
    u = x[good]
    e = np.exp(-0.3 * u)
    return np.sum((u * e - y[good]) ** 2)


def shorter_in_each_pass(x):
    v = x * x
    for _ in range(len(x) - 1):
        v = 0.3 * (0.5 * v[1:] + np.sin(v[:-1]))
    return np.sum(v)


@pytest.mark.parametrize(
    ("function", "args"), [(masked, (X, X + 0.5)), (shorter_in_each_pass, (X,))]
)
def test_values_of_unknown_lengths_have_one_shape_by_how_they_are_made(function, args):
    assert "_sum_to" not in str(_right(function, args).source)


def stretched_where_one_is_left(x, y):
    good = y > 0.8
    rest = y > 1.5
    return np.sum(np.sin(x[good]) * np.exp(x[rest])) + np.sum(x[good] * x[good][:1])


def test_what_is_stretched_as_it_runs_is_summed():
    _right(stretched_where_one_is_left, (X, X + 0.5))


def test_a_text_for_a_mask_is_right_for_another():
    derivative = s2sad.grad(masked, like=(X, X + 0.5))
    for y in (X + 0.3, X, X - 1.0, np.array([1.0, 0.1, 0.2])):
        slopes = oracles.differences(masked, (X, y), (0,), 1.0)
        assert not oracles.compare(derivative(X, y), slopes)


def of_the_first_pass(x):
    d = x
    for i in range(3):
        if i == 0:
            d = x[i:] * 2.0
    return np.sum(d * x[i:])


def set_in_one_pass(x):
    for i in range(3):
        if i == 0:
            d = x[i:] * 2.0
    return np.sum(d * x[i:])


def kept_in_a_list(x):
    kept = [x]
    for i in range(3):
        kept.append(x[i:] * x[i:])
    return np.sum(kept[1] * x[i:])


def of_the_pass_before(x):
    d = x[:1]
    total = 0.0
    for i in range(1, 3):
        total = total + np.sum(np.outer(d, x[:i]))
        d = x[:i] * x[i]
    return total + np.sum(d)


@pytest.mark.parametrize(
    "function", [of_the_first_pass, set_in_one_pass, kept_in_a_list, of_the_pass_before]
)
def test_after_a_pass_a_length_is_not_that_of_the_next(function):
    _right(function, (X,))


def test_what_slices_of_all_passes_need_is_asked_at_the_entry():
    assert "m.shape[0] != x.shape[0]" in str(s2sad.grad(by_pairs, like=(X, X)).source)


def _right(function, args):
    derivative = s2sad.grad(function, like=args)
    found = oracles.flatten((derivative(*args),), args[:1])
    assert not oracles.compare(found, oracles.differences(function, args, (0,), 1.0))
    return derivative
