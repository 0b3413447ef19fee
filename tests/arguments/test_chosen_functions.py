"""Which function is meant is known when the derivative is called: an option, or one that stands in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import s2sad

X = np.array([0.3, 0.5, 0.7])
STEP = 1e-6
TABLE = {"sin": np.sin, "cos": np.cos}
FLOAT = np.float64


def optional(value: Any, default: Any) -> Any:
    """Stand in for what is not given."""
    if value is None:
        return default
    return value


def optional_at_once(value: Any, default: Any) -> Any:
    return default if value is None else value


def pick(kind: str) -> Any:
    if kind == "sin":
        return np.sin
    return np.cos


def looked_up(kind: str) -> Any:
    return TABLE[kind]


def cube(v: Any) -> Any:
    return v**3


def kernel_of(a: Any, b: Any, s: float = 1.0) -> Any:
    return np.exp(-((a - b) ** 2) / s)


def or_another(x: Any, f: Any = None) -> Any:
    f = f or np.sin
    return np.sum(f(x) ** 2)


def one_or_another(x: Any, f: Any = None) -> Any:
    f = np.sin if f is None else f
    return np.sum(f(x) ** 2)


def by_a_helper(x: Any, f: Any = None) -> Any:
    f = optional(f, np.sin)
    return np.sum(f(x) ** 2)


def by_a_short_helper(x: Any, f: Any = None) -> Any:
    f = optional_at_once(f, cube)
    return np.sum(f(x) ** 2)


def by_a_lambda(x: Any, f: Any = None) -> Any:
    g = (lambda v: v**3) if f is None else f
    return np.sum(g(x) ** 2)


def by_its_name(x: Any, kind: str = "sin") -> Any:
    f = pick(kind)
    return np.sum(f(x) * looked_up(kind)(x))


def by_a_name_that_stands_in(x: Any, kind: Any = None) -> Any:
    kind = kind or "sin"
    return np.sum(TABLE[kind.lower()](x) ** 2) + np.sum(TABLE.get(kind, np.tan)(x))


def by_a_name_that_is_missing(x: Any, kind: str = "tanh") -> Any:
    return np.sum(TABLE.get(kind, np.tanh)(x))


def a_type(x: Any, dtype: Any = None) -> Any:
    dtype = optional(dtype, FLOAT)
    return np.sum(dtype(x) ** 2)


def another_type(x: Any, dtype: Any = None) -> Any:
    if dtype is None:
        dtype = float
    return sum([dtype(v) ** 2 for v in x])


def as_numbers(x: Any, dtype: Any) -> Any:
    return sum([dtype(v) ** 2 for v in x])


def as_array(a: Any, dtype: Any = None) -> Any:
    if dtype is None:
        dtype = FLOAT
    return np.asarray(a, dtype)


def a_type_of_arrays(x: Any) -> Any:
    return np.sum(as_array([x, 2.0 * x]) ** 2) + np.sum(as_array([x[0], 1.0], float) ** 2)


def called_or_not(x: Any, f: Any = None) -> Any:
    f = f if callable(f) else cube
    return np.sum(f(x) ** 2)


def word_or_function(x: Any, f: Any = "mean") -> Any:
    f = getattr(np, f) if isinstance(f, str) else f
    return f(x**2)


def a_partial(x: Any, kernel: Any = None, s: float = 0.5) -> Any:
    kernel = kernel or partial(kernel_of, s=s)
    return kernel(x[0], x[1]) * x[2]


class Layer:
    """Holds a function that stands in for one that is not given."""

    def __init__(self, act: Any = None) -> None:
        self.act = act or np.tanh

    def run(self, x: Any) -> Any:
        return np.sum(self.act(x) ** 2)


def in_an_object(x: Any, f: Any = None) -> Any:
    return Layer(f).run(x)


def a_module(x: Any, xp: Any = None) -> Any:
    xp = np if xp is None else xp
    y = xp.zeros(3)
    y[:] = xp.linalg.norm(x)
    return xp.sum(y * xp.sin(x))


def a_given_module(x: Any, xp: Any = np) -> Any:
    return xp.sum(xp.sin(x))


def an_imported_module(x: Any, xp: Any = None) -> Any:
    if xp is None:
        import numpy as xp
    return xp.sum(xp.sin(x))


QUAD: Any = None


def imported_when_first_called(x: Any) -> Any:
    global QUAD
    if QUAD is None:
        from scipy.integrate import quad as QUAD
    return QUAD(lambda t: np.sum(np.sin(t * x)), 0.0, 1.0)[0]


def test_what_a_call_has_imported_into_the_module() -> None:
    expected = differences(imported_when_first_called)
    made = s2sad.grad(imported_when_first_called)
    assert made(X) == pytest.approx(expected, rel=1e-6)
    assert "global" not in made.source


PROGRAMS = [
    or_another,
    one_or_another,
    by_a_helper,
    by_a_short_helper,
    by_a_lambda,
    by_its_name,
    by_a_name_that_stands_in,
    by_a_name_that_is_missing,
    a_type,
    another_type,
    a_type_of_arrays,
    called_or_not,
    word_or_function,
    a_partial,
    in_an_object,
    a_module,
    a_given_module,
    an_imported_module,
]


def differences(f: Callable[..., Any], *rest: Any) -> np.ndarray:
    steps = STEP * np.eye(3)
    return np.array([(f(X + e, *rest) - f(X - e, *rest)) / (2.0 * STEP) for e in steps])


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_stands_in(function: Callable[..., Any]) -> None:
    expected = differences(function)
    made = s2sad.grad(function, wrt=0)
    assert made(X) == pytest.approx(expected, rel=1e-6)
    ahead = s2sad.jvp(function, wrt=0)(X, x_dot=np.ones(3))[1]
    assert ahead == pytest.approx(np.sum(expected), rel=1e-6)


GIVEN = [or_another, one_or_another, by_a_helper, by_a_short_helper, called_or_not, in_an_object]


@pytest.mark.parametrize("function", GIVEN, ids=lambda f: f.__name__)
@pytest.mark.parametrize("given", [np.cos, cube, np.exp], ids=lambda f: f.__name__)
def test_what_is_given(function: Callable[..., Any], given: Any) -> None:
    made = s2sad.grad(function, wrt=0)
    made(X)  # the text for what stands in must not be taken for it
    assert made(X, given) == pytest.approx(differences(function, given), rel=1e-6)


def module_with(sine: Any) -> ModuleType:
    made = ModuleType("made")
    made.sum, made.sin = np.sum, sine  # type: ignore[attr-defined]
    return made


def test_another_module_has_another_text() -> None:
    one, other = module_with(np.sin), module_with(np.cos)
    made = s2sad.grad(a_given_module, wrt=0)
    for module in (one, other, one):
        assert made(X, module) == pytest.approx(differences(a_given_module, module), rel=1e-6)


def test_a_type_that_is_given() -> None:
    made = s2sad.grad(a_type, wrt=0)
    assert made(X) == pytest.approx(2.0 * X)
    assert made(X, np.float64) == pytest.approx(2.0 * X)
    assert s2sad.grad(as_numbers, wrt=0)(X, float) == pytest.approx(2.0 * X)


@pytest.mark.parametrize("kind", ["sin", "cos"])
def test_a_name_that_is_given(kind: str) -> None:
    for function in (by_its_name, by_a_name_that_stands_in, by_a_name_that_is_missing):
        expected = differences(function, kind)
        assert s2sad.grad(function, wrt=0)(X, kind) == pytest.approx(expected, rel=1e-6)


def test_a_choice_by_a_branch_is_in_the_text() -> None:
    source = s2sad.grad(or_another, wrt=0, like=(X,)).source
    assert "np.cos(x)" in source
    assert 'raise ValueError("made for f=None' in source


def loads_in_a_branch(x: Any) -> Any:
    if np.sum(x) > 100.0:
        import nobody_has_loaded_this

        return nobody_has_loaded_this.twice(x)
    return np.sum(x**2)


def loads_where_it_is_asked_for(x: Any, fast: Any = False) -> Any:
    if fast:
        import nobody_has_loaded_this

        return nobody_has_loaded_this.twice(x)
    return np.sum(x**2)


def loads_of_the_standard_library(x: Any) -> Any:
    if np.sum(x) > 0.0:
        import colorsys

        return np.sum(x * len(colorsys.__name__))
    return np.sum(x**2)


def test_a_branch_that_may_not_run_loads_nothing(tmp_path: Any, monkeypatch: Any) -> None:
    (tmp_path / "nobody_has_loaded_this.py").write_text("def twice(x):\n    return x.sum() * 2.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    x = np.array([0.3, 0.5])
    with pytest.raises(s2sad.Unsupported, match="cannot be imported in a branch"):
        s2sad.grad(loads_in_a_branch)(x)
    assert s2sad.check_grad(loads_where_it_is_asked_for, (x,))
    assert "nobody_has_loaded_this" not in sys.modules
    assert s2sad.check_grad(loads_of_the_standard_library, (x,))
