"""Value and tangent, statement by statement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import differences, standalone
from tests.texts import defined, run

U = np.array([0.3, -0.4, 0.9, 0.5])


HARD = {
    "a loop with a break": (
        """
        def f(x, n):
            y = 1.0
            for i in range(n):
                y = y * x + i
                if y > 3.0:
                    break
                x = np.sin(x)
            return y * x
        """,
        (0.8, 5),
    ),
    "an active value on one side of a branch": (
        """
        def f(x, n):
            y = 2.0
            if n > 1:
                y = x * x
            return y * x
        """,
        (0.8, 2),
    ),
    "a branch whose other side is inactive": (
        """
        def f(x, n):
            y = x * x
            if n > 1:
                y = 3.0
            return y * x
        """,
        (0.8, 2),
    ),
    "a swap": (
        """
        def f(x, n):
            y = 2.0
            for i in range(n):
                x, y = y, x * y
            return x - y * y
        """,
        (0.8, 3),
    ),
    "a while": (
        """
        def f(x, tol):
            y = x
            while abs(y * y - x) > tol:
                y = 0.5 * (y + x / y)
            return y
        """,
        (2.0, 1e-12),
    ),
    "an early return": (
        """
        def f(x, n):
            for i in range(n):
                x = x * x + 0.3
                if x > 1.2:
                    return x * i
            return -x
        """,
        (0.9, 5),
    ),
    "a list": (
        """
        def f(x, n):
            s = []
            for i in range(n):
                s.append(x)
                x = x * x
            y = s.pop()
            return y * x
        """,
        (0.9, 3),
    ),
    "lists of complex numbers and of complex arrays": (
        """
        def f(x, n):
            u = [x + 1j * x**k for k in range(n)]
            v = [np.array([x, n]) * np.exp(1j * x * k) for k in range(n)]
            y = abs(np.mean(u)) + abs(sum(u)) + np.var(u) + abs(np.dot(u, u))
            y = y + np.sum(np.abs(np.stack(v, axis=1))) + np.sum(np.abs(np.array(v)))
            return y + np.abs(np.sum(np.concatenate(v))) + np.abs(np.sum(np.sum(v, axis=0)))
        """,
        (0.8, 3),
    ),
}


@pytest.mark.parametrize("source, like", HARD.values(), ids=HARD.keys())
def test_against_differences_and_reverse(source: str, like: tuple[Any, ...]) -> None:
    function = defined(source)
    expected = differences(function, like, (0,)).value[0]
    for given in (like, None):
        derivative = s2sad.jvp(function, like=given)
        value, tangent = derivative(*like, 1.0)
        assert value == function(*like)
        assert tangent == pytest.approx(expected, rel=1e-8), derivative.source
        assert tangent == pytest.approx(s2sad.grad(function)(*like), rel=1e-12)


def test_tangents_are_linear_in_what_they_are_given() -> None:
    function = defined("def f(u):\n    v = np.sin(u)\n    v[1:] *= u[:-1]\n    return v @ u")
    derivative = s2sad.jvp(function)
    a, b = np.array([1.0, 2.0, -1.0, 0.5]), np.array([0.3, -2.0, 0.1, 4.0])
    both = derivative(U, 2.0 * a + b)[1]
    assert both == pytest.approx(2.0 * derivative(U, a)[1] + derivative(U, b)[1])


def test_arguments_and_tangents_are_left_alone() -> None:
    function = defined("def f(u):\n    v = u\n    v = v + 1.0\n    v[0] = 3.0\n    return v")
    u, dot = U.copy(), np.ones(4)
    value, tangent = s2sad.jvp(function)(u, dot)
    assert np.array_equal(u, U) and np.array_equal(dot, np.ones(4))
    assert np.array_equal(tangent, [0.0, 1.0, 1.0, 1.0])
    assert not np.shares_memory(tangent, dot)


METHODS = (
    "copy() sum() mean() conj() conjugate() max() min() prod() astype(float) item() flatten()[0] "
    "ravel()[0] reshape(1)[0] reshape(()) squeeze() clip(-1,1) cumsum()[0] tolist() repeat(2)[0] "
    "take(0) view()"
)


@pytest.mark.parametrize("method", METHODS.split())
@pytest.mark.parametrize("known", [True, False])
def test_a_method_of_a_numpy_number_takes_a_tangent_that_is_a_float(
    method: str, known: bool
) -> None:
    """u[k] - p has methods; its tangent, -p_dot, is a float of Python's."""
    f = defined(f"def f(u, k, p):\n    y = u[k] - p\n    z = y.{method}\n    return z * p")
    args = (np.ones(3), 2, 0.8)
    made = s2sad.jvp(f, wrt="p", like=args) if known else s2sad.jvp(f, wrt="p")
    assert made(*args, 1.0)[1] == pytest.approx(1.0 - 2 * 0.8)


def test_the_tangent_of_a_number_may_be_written_to() -> None:
    # where nothing is known of arguments it is spread to the shape of what the number was made of
    text = "def f(w):\n    x = float(0.5 * w[0] - max(w[1], w[2]))\n    x -= 0.3 * x\n    return np.sin(x)"
    alone = run(s2sad.jvp(defined(text)).source, "f_jvp")
    direction = np.array([0.5, 1.0, -2.0, 0.0])
    expected = differences(defined(text), (U,), (0,)).value
    assert np.isclose(alone(U, direction)[1], np.sum(expected * direction))


def test_hessian_of_a_derivative_of_as_many_coefficients_as_stand_here() -> None:
    """How many are left is not known of a number of derivatives that is not: it is 1 of many alone."""

    def slope(c, x):
        return np.polynomial.Polynomial(c[:4]).deriv()(x[0])

    c, x, dot, step = np.array([0.5, 1.5, -0.7, 0.4]), np.array([0.7]), np.array([1.0]), 1e-5
    pull = s2sad.grad(slope, wrt=("c", "x"))
    ahead, behind = (np.concatenate(pull(c, x + h * dot)) for h in (step, -step))
    made = s2sad.hvp(slope, wrt=("c", "x"))(c, x, c_dot=0.0 * c, x_dot=dot)
    assert np.allclose(np.concatenate(made), (ahead - behind) / (2.0 * step))


def test_how_many_parts_an_array_is_cut_into_is_not_guessed() -> None:
    """Without examples a number of parts was taken for 1: the rest of them was lost."""
    text = (
        "def f(x, n):\n    parts, y = np.array_split(x, n), 0.0\n"
        "    for k, p in enumerate(parts):\n        q = p - p.mean()\n"
        "        y += q @ q * (k + 1.0)\n    return y + sum(p[0] for p in parts)"
    )
    direction = np.array([0.5, 1.0, -2.0, 0.3])
    expected = differences(defined(text), (U, 2), (0,)).value
    made = s2sad.jvp(defined(text), wrt="x")
    assert np.isclose(made(U, 2, direction)[1], np.sum(expected * direction))
    for count in (2, 3):
        expected = differences(defined(text), (U, count), (0,)).value
        tangent = standalone(made.source)(U, count, direction)[1]
        assert np.isclose(tangent, np.sum(expected * direction))
