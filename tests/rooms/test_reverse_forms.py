"""Values beside gradients, and seeds of arrays and tuples."""

import numpy as np
import pytest

from tests.rooms.derive import grad
from tests.rooms.differences import differences, fresh

VECTOR = np.array([0.35, 0.7, 1.1, 0.45])
rng = np.random.default_rng(3)


def energy(u, c):
    u = u.copy()
    u[1:] += c * u[:-1] ** 2
    return np.sum(u * u)


def filtered(u, c):
    v = np.zeros_like(u)
    for i in range(1, len(u)):
        v[i] = c * v[i - 1] + u[i] * u[i - 1]
    return v


def kept(u, c):
    v = u * c
    v[0] *= v[1]
    w = v
    w[1] += c
    return w, np.sum(v), u


def passed_on(u, c):
    return u


def row_of(A, c):
    A[0] *= c
    return A[0]


def test_value_and_gradient():
    run = grad(energy, (VECTOR, 0.3), form="value_and_grad")
    value, (u_bar, c_bar) = run(VECTOR, 0.3)
    assert value == energy(VECTOR.copy(), 0.3)
    np.testing.assert_allclose(u_bar, differences(energy, (VECTOR, 0.3), 0, 1e-3), rtol=1e-7)
    np.testing.assert_allclose(c_bar, differences(energy, (VECTOR, 0.3), 1, 1e-3), rtol=1e-7)


def weighted(function, seed):
    """Return the sum of a function's results times a seed: its gradient is the vjp."""

    def total(*args):
        results = function(*args)
        if not isinstance(results, tuple):
            return np.sum(results * seed)
        return sum(np.sum(r * s) for r, s in zip(results, seed, strict=True))

    return total


@pytest.mark.parametrize("function", [filtered, passed_on, kept, row_of])
def test_seeds(function):
    args = (rng.uniform(0.2, 0.9, (3, 4)) if function is row_of else VECTOR, 0.3)
    like = function(*fresh(args))
    parts = like if isinstance(like, tuple) else (like,)
    seeds = tuple(rng.uniform(0.5, 1.5, np.shape(p)) for p in parts)
    seed = seeds if isinstance(like, tuple) else seeds[0]
    run = grad(function, args, form="vjp")
    before = [np.copy(s) for s in seeds]
    bars = run(*fresh(args), seed)
    for k, bar in enumerate(bars):
        want = differences(weighted(function, seed), args, k, 1e-3)
        np.testing.assert_allclose(bar, want, rtol=1e-7, atol=1e-9, err_msg=run.text)
    for s, b in zip(seeds, before, strict=True):
        np.testing.assert_array_equal(s, b, err_msg="the seed was written to")
    bars[0][...] = 7.0
    for s, b in zip(seeds, before, strict=True):
        np.testing.assert_array_equal(s, b, err_msg="the result is the seed")
