"""Functions that Numba compiles, and functions of NumPy and SciPy that are given themselves."""

import math
import operator
import sys
import types

import numpy as np
import pytest
import scipy.linalg
import scipy.special
import scipy.stats

import s2sad

X = np.array([0.5, -0.3, 1.7])


# ---------------------------------------------------------------------------- Numba


@pytest.fixture(scope="module")
def compiled():
    """Return functions of a module that Numba compiled."""
    try:
        import numba
    except Exception as error:  # it asks what modules beside the tests are called, too
        pytest.skip(f"numba cannot be imported: {error}")
    module = types.ModuleType("kernels_of_numba")
    module.drag = numba.njit(drag)
    module.total = numba.njit(fastmath=True)(total)
    module.bent = numba.vectorize(bent)
    module.typed = numba.vectorize(["float64(float64, float64)"])(blended)
    module.chosen = numba.vectorize(["float64(float64, float64, int64)"])(chosen)
    sys.modules["kernels_of_numba"] = module
    yield module
    del sys.modules["kernels_of_numba"]


def drag(v):
    return v * v + np.sin(v)


def total(x, k):
    found = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            found += k * x[i] ** 3
        else:
            found -= x[i] ** 2
    return found


def bent(v):
    if v > 1.0:
        return v * v
    return 0.5 * v


def blended(v, w):
    return v * w if v < w else v - w


def chosen(v, w, kind):
    if kind == 1:
        return v * w**2
    return np.sin(v) - w


def called(call):
    """Return functions of x that call a compiled one in several ways."""

    class Model:
        def __init__(self):
            self.law = call

        def energy(self, x):
            return np.sum(self.law(x) ** 2)

    table = {"law": call}

    def direct(x):
        return np.sum(2.0 * call(x))

    def from_a_table(x):
        return np.sum(table["law"](x) * x)

    def handed(f, x):
        return np.sum(f(x))

    def as_an_argument(x):
        return handed(call, x)

    return direct, from_a_table, as_an_argument, Model().energy


@pytest.mark.parametrize("name", ["drag", "bent"])
def test_compiled_functions_are_called(compiled, name):
    for function in called(getattr(compiled, name)):
        assert s2sad.check_grad(function, (X,)), function
        assert s2sad.check_grad(function, (X,)), function


def test_compiled_functions_are_given(compiled):
    assert np.isclose(s2sad.grad(compiled.drag)(2.0), 4.0 + math.cos(2.0), rtol=1e-14)
    assert np.array_equal(s2sad.elementwise_grad(compiled.bent)(X), [0.5, 0.5, 3.4])
    assert s2sad.check_grad(compiled.total, (X, 0.7), ("x", "k"))

    def handed(f, x):
        return np.sum(f(x))

    found = s2sad.grad(handed, "x")(compiled.drag, X)
    np.testing.assert_allclose(found, 2.0 * X + np.cos(X), rtol=1e-14)


def test_compiled_ufuncs_broadcast(compiled):
    call = compiled.typed

    def spread(x, w):
        return np.sum(call(x[:, None], w) ** 2)

    assert s2sad.check_grad(spread, (X, np.array([0.1, 0.9])), ("x", "w"))


def test_compiled_ufuncs_of_whole_numbers_too(compiled):
    """What is chosen by is no float: they were broadcast together, which had no rule."""

    def priced(x, w):
        return np.sum(compiled.chosen(x, w, np.array([1, 2, 1])) * x) + compiled.chosen(w, 0.5, 1)

    assert s2sad.check_grad(priced, (X, 0.7), ("x", "w"))
    found = s2sad.grad(compiled.chosen, ("v", "w"))(0.3, 0.7, 1)
    np.testing.assert_allclose(found, (0.49, 0.42))


def test_a_module_of_compiled_functions(compiled):
    def through_the_module(x):
        return compiled.total(x, 2.0) * compiled.drag(x[0])

    assert s2sad.check_grad(through_the_module, (X,))
    text = s2sad.grad(through_the_module, like=(X,)).source
    assert "numba" not in text
    compile(text, "text", "exec")


# ---------------------------------------------------------------------------- given themselves

SQUARE = np.array([[2.0, 0.3], [0.1, 1.5]])
GIVEN = [
    (np.median, (X,)),
    (np.sum, (X,)),
    (np.std, (X,)),
    (np.linalg.norm, (X,)),
    (np.linalg.det, (SQUARE,)),
    (np.dot, (X, 2.0 * X)),
    (np.trapezoid if hasattr(np, "trapezoid") else np.trapz, (X,)),
    (np.hypot, (0.3, 0.4)),
    (scipy.special.logsumexp, (X,)),
    (scipy.special.gammaln, (2.5,)),
    (scipy.linalg.det, (SQUARE,)),
    (scipy.stats.norm.logpdf, (0.7,)),
    (math.sin, (0.5,)),
    (abs, (-0.5,)),
    (max, (X,)),
]


@pytest.mark.parametrize(
    ("function", "args"), GIVEN, ids=lambda each: getattr(each, "__name__", "")
)
def test_functions_of_libraries_are_given_themselves(function, args):
    def calls(*given):
        return function(*given)

    found = s2sad.grad(function)(*args)
    step = 1e-6 * np.ones_like(args[0])
    moved = [calls(args[0] + s * step, *args[1:]) for s in (1.0, -1.0)]
    assert np.isclose(np.sum(found), (moved[0] - moved[1]) / 2e-6, rtol=1e-6, atol=1e-8)
    assert s2sad.check_grad(function, args)
    text = s2sad.grad(function, like=args).source
    known = {}
    exec(compile(text, "text", "exec"), known)
    assert np.array_equal(known[f"{function.__name__}_grad"](*args), found)


def test_slopes_and_jacobians_of_functions_of_libraries():
    np.testing.assert_allclose(s2sad.elementwise_grad(np.tanh)(X), 1.0 - np.tanh(X) ** 2)
    np.testing.assert_allclose(s2sad.jacobian(np.cumsum)(X), np.tri(3))
    np.testing.assert_allclose(s2sad.hessian(np.prod)(X)[0, 1], X[2])


@pytest.mark.parametrize("function", [len, np.add.reduce, "text".upper])
def test_what_has_neither_text_nor_rule_is_refused(function):
    with pytest.raises(s2sad.S2sadError):
        s2sad.grad(function)(X)


def test_a_function_of_a_library_without_a_rule_is_refused_at_its_call():
    with pytest.raises(s2sad.NoRule, match="union1d has no derivative rule"):
        s2sad.vjp(np.union1d)(X, X, X)


def test_operators_are_functions_of_python():
    assert s2sad.grad(lambda x: operator.mul(x, x))(3.0) == 6.0
