"""Operands of one element that others stretch, and equations of one unknown."""

import numpy as np
import pytest
from scipy.integrate import odeint, solve_ivp

import s2sad
from tests import oracles
from tests.cases.cases import verdict

R = np.random.default_rng(0).standard_normal


def product_of_vectors(x, y):
    return np.einsum("i,i->", x, y)


def matrix_and_number(A, v):
    return np.sum(np.einsum("ij,j->i", A, v) ** 2)


def product_of_matrices(A, B):
    return np.sum(np.einsum("ij,kj->ik", A, B) ** 2)


def rows(A, B):
    return np.sum(np.einsum("...i,...i->...", A, B) ** 2)


STRETCHED = (
    *((product_of_vectors, (R(4), R(1))), (matrix_and_number, (R((3, 4)), R(1)))),
    *((product_of_matrices, (R((2, 4)), R((3, 1)))), (rows, (R((3, 4)), R((3, 1))))),
)


@pytest.mark.parametrize("wrt", (0, 1))
@pytest.mark.parametrize("function, args", STRETCHED, ids=[f.__name__ for f, _ in STRETCHED])
def test_einstein_sums_stretch_operands_of_one_element(function, args, wrt):
    assert verdict(function, args, wrt) == "right"


@pytest.mark.parametrize("wrt", (0, 1))
@pytest.mark.parametrize("function, args", STRETCHED, ids=[f.__name__ for f, _ in STRETCHED])
def test_the_text_for_any_arguments_stretches_them_or_asks_for_one_length(function, args, wrt):
    """One letter is taken for one length: that is asked; behind dots nothing tells the ranks."""
    derivative = s2sad.grad(function, wrt)
    alone = oracles.standalone(derivative.source, derivative.__name__)
    if function is not rows:
        with pytest.raises(ValueError, match="made for "):
            alone(*args)
        return
    found = alone(*args)
    assert np.shape(found) == np.shape(args[wrt])
    np.testing.assert_allclose(found, derivative(*args), rtol=1e-12)


def fall(c, v0):
    def rate(v, t):
        return -c * v[0] * v[0]

    return odeint(rate, [v0], np.linspace(0.0, 1.0, 5))[-1, 0]


def fall_by_solve_ivp(c, v0):
    def rate(t, y):
        return -c * y[0] ** 2

    return solve_ivp(rate, (0.0, 1.0), [v0], rtol=1e-9, atol=1e-9).y[0, -1]


def fall_at_listed_times(c, v0):
    return odeint(lambda v, t: -c * v[0] * v[0], v0, [0.0, 0.25, 0.5, 0.75, 1.0])[-1, 0]


def fall_by_solve_ivp_at_listed_times(c, v0):
    return solve_ivp(
        lambda t, y: -c * y[0] ** 2, [0.0, 1.0], [v0], t_eval=[0.5, 1.0], rtol=1e-9, atol=1e-9
    ).y[0, -1]


FALLS = (fall, fall_by_solve_ivp, fall_at_listed_times, fall_by_solve_ivp_at_listed_times)


@pytest.mark.parametrize("function", FALLS)
def test_the_slope_of_one_unknown_may_be_a_number(function):
    """The speed is v0 / (1 + c * v0) after one second."""
    np.testing.assert_allclose(s2sad.grad(function, ("c", "v0"))(0.5, 2.0), (-1.0, 0.25), rtol=1e-6)
