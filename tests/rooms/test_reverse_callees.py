"""Functions of the user's that are called several times, or call themselves, have derivatives."""

import numpy as np
import pytest

from tests.rooms import fuzz, fuzz_calls
from tests.rooms.derive import grad
from tests.rooms.differences import fresh, judge

U = np.array([0.4, 0.7, 0.3, 0.8])


def growth(s, v, a, b):
    ds = a * s - b * s * v
    dv = b * s * v - a * v + np.sin(s)
    both = ds * dv
    return ds + both, dv - both


def stepped_by_three_stages(s, v, a, b, h):
    for _ in range(4):
        ds, dv = growth(s, v, a, b)
        es, ev = growth(s + h / 2 * ds, v + h / 2 * dv, a, b)
        fs, fv = growth(s + h / 2 * es, v + h / 2 * ev, a, b)
        s = s + h / 3 * (ds + es + fs)
        v = v + h / 3 * (dv + ev + fv)
    return np.sum(s * v)


def advanced(x, v, h):
    force = -np.sin(x) - 0.1 * v
    v = v + h * force
    x = x + h * v
    drag = np.exp(-v)
    return x * drag, v * drag


def state_goes_round(x, v, h):
    x, v = advanced(x, v, h)
    for _ in range(3):
        x, v = advanced(x, v, h)
    x, _ = advanced(x, v, 2.0 * h)
    return np.sum(x)


def chebyshev(x, n):
    if n == 0:
        return 1.0
    if n == 1:
        return x
    return 2.0 * x * chebyshev(x, n - 1) - chebyshev(x, n - 2)


def series(x):
    return chebyshev(x, 5) + 0.5 * chebyshev(x * x, 3)


def up(x, n):
    return x if n == 0 else np.sin(down(x, n - 1))


def down(x, n):
    return x * x if n == 0 else 2.0 * up(x, n - 1)


def each_other(x):
    return up(1.5 * x, 7)


def halved(a, n):
    if n == 0:
        return np.tanh(a)
    left = halved(0.5 * a, n - 1)
    right = halved(a * a, n - 1)
    return left + right * a


def halves_of_an_array(a):
    return np.sum(halved(a, 3))


def calls_itself(x, n):
    return x if n < 1 else np.cos(x) * calls_itself(x * 0.9, n - 1)


def first_written_then_handed(u):
    ds, dv = growth(u[:2], u[2:], 0.3, 0.4)
    ds[0] = dv[1] * 2.0
    es, ev = growth(ds, dv, 0.3, 0.4)
    fs, fv = growth(es, ds, 0.3, 0.4)
    return np.sum(fs * ev * fv)


CASES = [
    (stepped_by_three_stages, (0.5, 0.6, 0.7, 0.8, 0.1)),
    (stepped_by_three_stages, (U, 0.5 * U, 0.7, 0.8, 0.1)),
    (state_goes_round, (U, 0.3 * U, 0.2)),
    (series, (0.4,)),
    (each_other, (0.3,)),
    (halves_of_an_array, (U,)),
    (calls_itself, (0.7, 4)),
    (first_written_then_handed, (U,)),
]


@pytest.mark.parametrize(("f", "args"), CASES)
def test_gradient_of_a_function_that_calls_others(f, args):
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    run = grad(f, args)
    run.checked(*fresh(args))
    found, why = judge(f, args, wrt, run)
    assert found == "right", why


def test_a_function_that_is_called_three_times_is_written_once():
    run = grad(stepped_by_three_stages, (0.5, 0.6, 0.7, 0.8, 0.1))
    assert run.text.count("np.sin(") == 2  # in the function, and in its derivative
    assert run.text.count("_rev(") == 4


def test_a_function_that_calls_itself_has_one_derivative_that_does():
    run = grad(each_other, (0.3,))
    assert run.text.count("_rev(x, n, out_bar):") == 2


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_that_call_functions(seed):
    assert fuzz_calls.Calls
    found, why = fuzz.verdict(seed, "calls")
    assert found in ("right", "not yet", "unfit"), why
