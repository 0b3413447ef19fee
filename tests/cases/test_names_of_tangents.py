"""The tangent of w is w_dot whatever s2sad calls its own temporaries; signature and text agree."""

import inspect

import numpy as np
import pytest

import s2sad


def residuals_by_dot(w, X, y):
    resid = y - np.dot(X, w)
    return np.sum(resid**2)


def slopes_by_tan(w, X, y):
    w = np.tan(w)
    return np.sum((X @ w - y) ** 2)


def own_local(w, X, y):
    w_dot = 2.0 * w
    return np.sum((X @ w_dot - y) ** 2)


def own_loop(w, X, y):
    for w_dot in range(2):
        w = w * w + w_dot
    return np.sum((X @ w - y) ** 2)


W, X, Y = np.array([0.3, 0.8]), np.arange(6.0).reshape(3, 2), np.ones(3)
FUNCTIONS = (residuals_by_dot, slopes_by_tan, own_local, own_loop)


@pytest.mark.parametrize("like", (None, (W, X, Y)), ids=("any", "like"))
@pytest.mark.parametrize("make", (s2sad.jvp, s2sad.hvp))
@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_tangent_can_be_given_by_its_name(function, make, like):
    derivative = make(function, wrt="w", like=like)
    names = list(inspect.signature(derivative).parameters)
    assert f"def {derivative.__name__}({', '.join(names)})" in derivative.source
    by_place = derivative(W, X, Y, np.ones(2))
    by_name = derivative(W, X, Y, **{names[-1]: np.ones(2)})
    for a, b in zip(by_place, by_name, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("make", (s2sad.jvp, s2sad.hvp))
@pytest.mark.parametrize("function", (residuals_by_dot, slopes_by_tan))
def test_only_the_user_makes_it_give_way(function, make):
    assert list(inspect.signature(make(function, wrt="w")).parameters)[-1] == "w_dot"
