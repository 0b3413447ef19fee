"""Arguments that hold functions, or objects of several classes, are put in as what they are."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Sequence  # noqa: UP035

import numpy as np
import pytest
from scipy.integrate import trapezoid

import s2sad
from s2sad.api.texts import text_for
from tests.oracles import compare, differences

DRAW = np.random.default_rng(11).normal
X, W = DRAW(size=(5, 3)), DRAW(size=4)


class Linear:
    def __init__(self, size: tuple[int, int]):
        self.W = DRAW(size=size)

    def forward(self, x: Any) -> Any:
        return x @ self.W

    __call__ = forward


class Tanh:
    def forward(self, x: Any) -> Any:
        return np.tanh(x)

    __call__ = forward


class Model:
    def __init__(self, *layers: Any):
        self.layers = list(layers)

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer.forward(x)
        return x


class Held:
    def __init__(self, function: Any, w: Any):
        self.functions, self.w = [function], w


def model() -> Model:
    return Model(Linear((3, 4)), Tanh(), Linear((4, 2)))


def by_methods(x: Any, net: Any) -> Any:
    return np.sum(net.forward(x) ** 2)


def by_calls(x: Any, layers: Any) -> Any:
    for layer in layers:
        x = layer(x)
    return np.sum(x**2)


def by_names(x: Any, table: Any) -> Any:
    return sum(np.sum(table[name](x)) * len(name) for name in table)


def by_settings(x: Any, settings: Any) -> Any:
    return np.sum(settings["act"](x) * settings["scale"])


def by_default(x: Any, held: Any = Held(np.cos, np.ones(3))) -> Any:  # noqa: B008
    return np.sum(held.functions[0](x) * held.w)


def written(x: Any, held: Any) -> Any:
    x[0] = 2.0 * x[1]
    return np.sum(held.functions[0](x) * held.w)


def square(v: Any) -> Any:
    return v * v


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (by_methods, (X, model())),
    (by_calls, (X, model().layers)),
    (by_calls, (X, tuple(model().layers))),
    (by_calls, (X, [Linear((3, 3)), Linear((3, 2))])),
    (by_calls, (X, [np.sin, square])),
    (by_calls, (X, (np.sin, lambda v: v * v, np.exp))),
    (by_names, (X, {"a": np.sin, "bc": square})),
    (by_settings, (X, {"act": np.tanh, "scale": 2.0})),
    (by_default, (X,)),
    (by_default, (X, Held(np.sin, DRAW(size=3)))),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_what_holds_functions_is_put_in(function: Any, args: tuple[Any, ...]) -> None:
    expected = differences(function, args, [0])
    assert compare(s2sad.grad(function, 0)(*args).ravel(), expected) is None
    along = np.cos(X)
    value, tangent = s2sad.jvp(function, 0)(*args, x_dot=along)
    assert value == pytest.approx(function(*args), rel=1e-14)
    assert tangent == pytest.approx(np.sum(s2sad.grad(function, 0)(*args) * along))


def test_each_model_has_its_own() -> None:
    gradient = s2sad.grad(by_methods, 0)
    first, second = model(), model()
    for net in (first, second, first, *(model() for _ in range(20)), second):
        assert compare(gradient(X, net).ravel(), differences(by_methods, (X, net), [0])) is None


def test_lists_and_dicts_are_known_by_what_they_hold() -> None:
    gradient = s2sad.grad(by_settings, 0)
    settings = {"act": np.tanh, "scale": 2.0}
    first = gradient(X, settings)
    assert np.array_equal(gradient(X, {"act": np.tanh, "scale": 2.0}), first)
    assert np.allclose(gradient(X, {"act": np.tanh, "scale": 3.0}), 1.5 * first)
    settings["scale"] = 5.0
    assert np.allclose(gradient(X, settings), 2.5 * first)
    assert np.array_equal(gradient(X, {"act": np.tanh, "scale": 2.0}), first)


def test_a_model_that_has_changed_is_looked_at_again() -> None:
    gradient, net = s2sad.grad(by_methods, 0), model()

    def is_right() -> bool:
        return compare(gradient(X, net=net).ravel(), differences(by_methods, (X, net), [0])) is None

    assert is_right()
    net.layers[0].W *= 1.5
    assert is_right()
    net.layers[0].W = DRAW(size=(3, 4))
    assert is_right()
    net.layers.append(Tanh())
    assert is_right()
    net.layers[1] = Linear((4, 4))
    assert is_right()
    net.layers = model().layers
    assert is_right()


@pytest.mark.parametrize(
    ("function", "args"),
    [(by_methods, (X, model())), (by_calls, (X, [np.sin, square])), (by_settings, CASES[7][1])],
)
def test_second_derivatives(function: Any, args: tuple[Any, ...]) -> None:
    along, step = np.sin(X), 1e-5
    gradient = s2sad.grad(function, 0)
    up, down = gradient(X + step * along, args[1]), gradient(X - step * along, args[1])
    expected = (up - down) / (2.0 * step)
    assert np.allclose(s2sad.hvp(function, 0)(*args, along), expected, atol=1e-6)
    assert np.allclose(s2sad.jvp(gradient, 0)(*args, x_dot=along)[1], expected, atol=1e-6)


def by_function(x: Any, g: Any) -> Any:
    return np.sum(g(x) ** 2)


def test_second_derivatives_of_what_is_given_a_function() -> None:
    along = np.array([1.0, 2.0, 3.0, 0.5])
    expected = 2.0 * np.cos(2.0 * W) * along
    assert np.allclose(s2sad.hvp(by_function, 0)(W, np.sin, along), expected)
    assert np.allclose(s2sad.hessian(by_function, 0)(W, np.sin) @ along, expected)
    assert np.allclose(s2sad.jvp(s2sad.grad(by_function), 0)(W, np.sin, x_dot=along)[1], expected)


def test_an_argument_that_is_written_to_is_no_part_of_what_is_held() -> None:
    held = Held(np.sin, DRAW(size=4))
    expected = differences(lambda x, h: written(x.copy(), h), (W, held), [0])
    assert compare(s2sad.grad(written, 0)(W.copy(), held), expected) is None
    with pytest.raises(s2sad.S2sadError, match=r"x and held\.w are one array"):
        s2sad.grad(written, 0)(W, Held(np.sin, W))


def test_gradient_of_a_model_has_its_parts() -> None:
    net = model()
    found = s2sad.grad(by_methods, "net")(X, net)
    for k in (0, 2):

        def of_weights(weights: Any, k: int = k) -> Any:
            other = copy.deepcopy(net)
            other.layers[k].W = weights
            return by_methods(X, other)

        expected = differences(of_weights, (net.layers[k].W,), [0])
        assert compare(found.layers[k].W.ravel(), expected) is None


def test_what_is_refused_otherwise_is_refused_as_before() -> None:
    def unknown(x: Any, held: Any) -> Any:
        return np.sum(np.union1d(held.functions[0](x), 1.0))

    with pytest.raises(s2sad.NoRule, match="union1d") as refusal:
        s2sad.grad(unknown, 0)(W, Held(np.sin, W))
    assert refusal.value.span is not None


def counted(x: Any, held: Any) -> Any:
    held.w = held.w + 1.0
    return np.sum(held.functions[0](x) * held.w)


def lengthened(x: Any, held: Any) -> Any:
    held.functions.append(np.cos)
    return sum(np.sum(each(x)) for each in held.functions)


def taken(x: Any, held: Any) -> Any:
    return np.sum(held.functions[0](x) * held.w.pop())


@pytest.mark.parametrize("function", [counted, lengthened, taken])
def test_what_is_held_and_changed_is_right_or_refused(function: Any) -> None:
    held = Held(np.sin, [1.0, 2.0] if function is taken else np.ones(4))
    expected = differences(lambda x, h: function(x, copy.deepcopy(h)), (W, held), [0])
    try:
        found = s2sad.grad(function, 0)(W, held)
    except s2sad.S2sadError as refusal:
        assert refusal.span is not None
    else:
        assert compare(found, expected) is None
    assert len(held.functions) == 1 and np.sum(held.w) in (3.0, 4.0)


def test_layers_that_change_to_and_fro_are_derived_once_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []

    def counted(request: Any, examples: Any) -> Any:
        calls.append(examples)
        return text_for(request, examples)

    monkeypatch.setattr("s2sad.api.callable.text_for", counted)
    one, other = Model(Linear((3, 2)), Tanh()), Model(Tanh(), Linear((3, 2)))
    derivative = s2sad.grad(by_methods)
    for net in (one, other, one, other, one):
        slopes = differences(lambda x, net=net: by_methods(x, net), (X,), (0,))
        assert compare(derivative(X, net).ravel(), slopes) is None
    assert len(calls) == 2


# ---------------------------------------------------------------------------- defaults that are code


def windowed(x: Any, window: Any = lambda n: np.hanning(n) + 0.5) -> Any:
    return np.sum(x**2 * window(len(x)))


def integrated(x: Any, rule: Any = trapezoid) -> Any:
    return rule(x**2)


def of_a_module(x: Any, backend: Any = math) -> Any:
    return backend.sin(x[0]) * x[1]


def of_its_function(x: Any, f: Any = math.sin) -> Any:
    return f(x[0]) * x[1]


def of_arrays(x: Any, xp: Any = np) -> Any:
    return xp.sum(xp.sin(x))


@pytest.mark.parametrize(
    "function", [windowed, integrated, of_a_module, of_its_function, of_arrays]
)
def test_a_text_that_is_saved_takes_code_that_is_a_default(function: Any, tmp_path: Path) -> None:
    made = s2sad.grad(function, "x", like=(W,))
    made.save(tmp_path / "made.py")
    space: dict[str, Any] = {}
    exec((tmp_path / "made.py").read_text(), space)
    expected = differences(function, (W,), [0])
    assert compare(space[f"{function.__name__}_grad"](W), expected) is None
    assert compare(made(W), expected) is None


def test_a_default_without_a_name_is_asked_to_be_left_out() -> None:
    made = s2sad.grad(windowed, "x", like=(W,))
    space: dict[str, Any] = {}
    exec(made.source, space)
    with pytest.raises(ValueError, match="made for window left out"):
        space["windowed_grad"](W, np.ones)
    expected = differences(windowed, (W, np.ones), [0])
    assert compare(made(W, np.ones), expected) is None


def first_or_all(x: Any) -> Any:
    return x[0] ** 2 if isinstance(x, (int, Sequence)) else np.sum(x**3)


def test_a_class_may_be_named_by_its_alias_of_the_module_typing() -> None:
    assert compare(s2sad.grad(first_or_all)(W), differences(first_or_all, (W,), [0])) is None
    assert s2sad.grad(first_or_all)([0.5, 1.0]) == [1.0, 0.0]
