"""Lengths that differ from pass to pass: no sums to a shape where what is mixed is equally long."""

import copy
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

import s2sad
from tests import oracles

SIZES = (4, 5, 3, 6)
RNG = np.random.default_rng(3)
WS = [RNG.standard_normal((n, m)) / 2.0 for m, n in pairwise(SIZES)]
BS = [RNG.standard_normal(n) for n in SIZES[1:]]
X = RNG.standard_normal(SIZES[0])
ROWS = RNG.standard_normal((7, SIZES[0]))


def layers(Ws, bs, x):
    h = x
    for W, b in zip(Ws, bs, strict=True):
        h = np.tanh(W @ h + b)
    return np.sum(h**2)


def by_position(Ws, bs, x):
    h = x
    for k in range(len(Ws)):
        h = np.tanh(Ws[k] @ h + bs[k]) * bs[k]
    return np.sum(h**2)


def hidden_and_last(Ws, bs, x):
    h = x
    for W, b in zip(Ws[:-1], bs[:-1], strict=True):
        h = np.maximum(W @ h + b, 0.1 * b)
    return np.sum((Ws[-1] @ h + bs[-1]) ** 2)


def of_rows(Ws, bs, x):
    h = x
    for W, b in zip(Ws, bs, strict=True):
        h = np.tanh(h @ W.T + b)
    return np.sum(h**2)


def halved(Ws, bs, x):
    s = np.concatenate([x, 2.0 * x])
    total = 0.0
    for k in range(2):
        even, odd = s[0::2], s[1::2]
        d = odd - bs[0][k] * (even + np.roll(even, -1))
        s = even + bs[1][k] * d
        total += np.sum(np.log(1.0 + d**2))
    return total + np.sum(s**2)


def known_on_one_way(Ws, bs, x):
    """What a branch asks for is not known behind it: there a bias may be one number for all."""
    h = x
    for W, b in zip(Ws, bs, strict=True):
        z = W @ h
        if np.sum(z) > 1e9:
            z = z * b
        h = np.tanh(z + b[:1])
    return np.sum(h**2)


def while_it_shrinks(Ws, bs, x):
    k, h = 0, x
    while np.sum(h * h) > 0.2 and k < 3:
        h = 0.4 * np.tanh(Ws[k] @ h + bs[k])
        k += 1
    return np.sum(h**2)


def compared_with_the_pass_before(Ws, bs, x):
    before, total = np.zeros(1), 0.0
    for b in bs:
        total += np.sum(b * before)
        before = b[:1] * 2.0
    return total * np.sum(x**2) + np.sum(Ws[0])


CASES = [
    layers,
    by_position,
    hidden_and_last,
    of_rows,
    halved,
    known_on_one_way,
    while_it_shrinks,
    compared_with_the_pass_before,
]


def right(derivative, function, args, wrt):
    found = derivative(*copy.deepcopy(args))
    numbers = oracles.flatten(found, tuple(args[k] for k in wrt))
    return not oracles.compare(numbers, oracles.differences(function, args, wrt, 1.0))


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_values(function):
    args = (WS, BS, ROWS if function is of_rows else X)
    derivative = s2sad.grad(function, ("Ws", "bs", "x"), like=args)
    assert right(derivative, function, args, (0, 1, 2)), derivative.source


@pytest.mark.parametrize("function", CASES[:5], ids=lambda f: f.__name__)
def test_no_sums_to_a_shape(function):
    args = (WS, BS, ROWS if function is of_rows else X)
    text = str(s2sad.grad(function, ("Ws", "bs", "x"), like=args).source)
    assert "_sum_to" not in text
    assert ".shape" in text


def test_what_is_stretched_has_a_text_of_its_own():
    args = (WS, [BS[0], BS[1][:1], BS[2]], X)
    derivative = s2sad.grad(layers, ("Ws", "bs", "x"))
    assert right(derivative, layers, (WS, BS, X), (0, 1, 2))
    assert right(derivative, layers, args, (0, 1, 2))


def test_a_text_raises_where_lengths_differ():
    space = {}
    exec(str(s2sad.grad(layers, ("Ws", "bs"), like=(WS, BS, X)).source), space)
    with pytest.raises(ValueError, match=r"made for W\.shape\[0\] == b\.shape\[0\]"):
        space["layers_grad"](WS, [BS[0], BS[1][:1], BS[2]], X)


def test_longer_lists_are_taken_too():
    derivative = s2sad.grad(layers, ("Ws", "bs", "x"), like=(WS, BS, X))
    more = ([*WS, WS[0].T @ np.ones((5, 6))], [*BS, X], X)
    assert right(derivative, layers, more, (0, 1, 2))


@dataclass
class Layer:
    W: np.ndarray
    b: np.ndarray


def network(layers, x):
    h = x
    for layer in layers[:-1]:
        h = np.tanh(layer.W @ h + layer.b)
    last = layers[-1]
    return np.sum((last.W @ h + last.b) ** 2)


def table(layers, x):
    h = x
    for layer in layers:
        h = np.tanh(layer["W"] @ h + layer["b"])
    return np.sum(h**2)


@pytest.mark.parametrize("function", [network, table])
def test_layers_of_objects_and_dicts(function):
    made = [Layer(W, b) for W, b in zip(WS, BS, strict=True)]
    held = [vars(each).copy() for each in made] if function is table else made
    derivative = s2sad.grad(function, like=(held, X))
    assert "_sum_to" not in str(derivative.source)
    found = derivative(held, X)
    for each, got in zip(made, found, strict=True):
        got = got if isinstance(got, dict) else vars(got)
        for word, array in vars(each).items():
            at = (0,) * array.ndim
            sides = []
            for step in (1e-6, -1e-6):
                array[at] += step
                sides.append(function([vars(e) for e in made] if function is table else made, X))
                array[at] -= step
            assert np.isclose(got[word][at], (sides[0] - sides[1]) / 2e-6, rtol=1e-6, atol=1e-8)


def test_second_derivatives():
    args = (WS, BS, X)
    product = s2sad.hvp(layers, "x", like=args)
    along = np.array([0.3, -0.2, 0.5, 0.1])
    gradient = s2sad.grad(layers, "x", like=args)
    sides = [gradient(WS, BS, X + step * along) for step in (1e-5, -1e-5)]
    assert np.allclose(product(*args, along), (sides[0] - sides[1]) / 2e-5, rtol=1e-6, atol=1e-8)


# ---------------------------------------------------------------------------- masks


def pairs_within(x, y, c):
    energy = 0.0
    for i in range(len(x) - 1):
        r = np.sqrt(np.sum((x[i + 1 :] - x[i]) ** 2, axis=1))
        near = r < c
        energy += np.sum(y[i] * y[i + 1 :][near] * np.exp(-r[near]) / r[near])
    return energy


def columns_chosen(x, y, c):
    total = 0.0
    for k in range(2):
        chosen = y > 0.1 * k
        total += np.sum(x[chosen, 0] * x[chosen, 1] * y[chosen] + np.sum(x[chosen] ** 2, axis=1))
    return total


def chosen_by_a_test(x, y, c):
    return np.sum(x[y < c, 2] * np.exp(-y[y < c]) / y[y < c])


def mask_that_is_changed(x, y, c):
    total = 0.0
    for k in range(2):
        chosen = y < c
        first = y[chosen]
        chosen[k] = True
        total += np.sum(first) * np.sum(y[chosen] * x[chosen, 0])
    return total


def chosen_in_the_pass_before(x, y, c):
    kept, total = x[y < c, 0], 0.0
    for k in range(3):
        chosen = y < 0.3 * k + 0.1
        total += np.sum(kept) * np.sum(y[chosen])
        kept = x[chosen, k] * y[chosen]
    return total


def positions_beside_a_mask(x, y, c):
    total = 0.0
    for k in range(2):
        chosen = y <= np.min(y) + 0.0 * k
        total += np.sum(x[chosen, [0, 2]] * y[chosen] * np.exp(x[chosen, [0, 1]]))
    return total


MASKED = (pairs_within, columns_chosen, chosen_by_a_test)


OTHERS = (mask_that_is_changed, chosen_in_the_pass_before, positions_beside_a_mask)


@pytest.mark.parametrize("function", [*MASKED, *OTHERS])
def test_what_one_mask_chooses_is_equally_long(function):
    rng = np.random.default_rng(7)
    args = rng.random((6, 3)), rng.random(6), 0.6
    derivative = s2sad.grad(function, ("x", "y"), like=args)
    assert function not in MASKED or "_sum_to" not in str(derivative.source)
    expected = oracles.differences(function, args, (0, 1), 1.0)
    assert not oracles.compare(oracles.flatten(derivative(*args), args[:2]), expected)


def exercised_early(x, y, c):
    s, v = x[:, 0], y
    for _ in range(3):
        v = c * (v[:-1] + v[1:])
        s = s[:-1] * c
        v = np.maximum(v, s)
    return v[0] + np.sum(v)


def test_what_is_asked_in_a_pass_is_called_as_the_user_calls_it():
    args = np.linspace(0.1, 2.0, 12).reshape(6, 2), np.linspace(1.0, 0.3, 6), 0.6
    derivative = s2sad.grad(exercised_early, ("x", "y"), like=args)
    assert 'raise ValueError("made for v.shape == s.shape")' in str(derivative.source)
