"""Partial objects, methods, decorated functions and functions of *args are differentiated as given."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import s2sad
from tests.oracles import standalone

WEIGHTS = np.array([0.5, -1.5, 2.0])


def bent(a, x, b=2.0):
    return a * x**2 + b * np.sin(x)


def weighted(w, u, p=2):
    return np.sum(w * u**p)


def poly(x, *coefficients):
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y


def several(*args):
    total = 0.0
    for i in range(len(args)):
        total = total + (i + 1) * np.sin(args[i])
    return total * args[-1]


def rebound(x, *rest):
    rest = list(rest)
    rest.append(x)
    return sum(r * r for r in rest) * x


def optional(x, **options):
    return x * options["scale"] + options.get("shift", 0.0) * x**2


def clash(x, **options):
    scale = options["scale"] * x
    return scale * x


def all_options(x, **options):
    return x * sum(value**2 for value in options.values())


def doubled(function):
    @functools.wraps(function)
    def inner(*args, **keywords):
        return 2.0 * function(*args, **keywords)

    return inner


@doubled
def decorated(x, y=0.5):
    return x * np.sin(y * x)


@functools.lru_cache
def cached(x, n):
    return x**n


class Model:
    rate = 2.0

    def __init__(self, a):
        self.a = a

    def energy(self, x):
        return self.a * x**2 + self.rate * np.cos(x)

    def __call__(self, x, *more):
        return self.a * x**3 + sum(more) * x

    @staticmethod
    def plain(x, y):
        return x * np.sin(y)

    @classmethod
    def scaled(cls, x):
        return cls.rate * x**3


MODEL = Model(1.3)
CASES = {
    "partial": (functools.partial(bent, 1.5), (0.7,), {}),
    "partial-by-name": (functools.partial(bent, 1.5, b=0.3), (0.7,), {}),
    "partial-of-partial": (functools.partial(functools.partial(bent, 1.5), b=0.3), (0.7,), {}),
    "partial-array": (functools.partial(weighted, WEIGHTS), (WEIGHTS + 0.1,), {}),
    "partial-method": (functools.partial(Model.energy, MODEL), (0.7,), {}),
    "partial-varying": (functools.partial(poly, 0.7), (1.2, 0.4), {}),
    "args": (poly, (0.7, 1.0, 2.0, 0.3), {}),
    "args-none": (rebound, (0.7,), {}),
    "args-only": (several, (0.7, 0.2, 0.4), {}),
    "args-rebound": (rebound, (0.7, 0.2, 0.4), {}),
    "kwargs": (optional, (0.7,), {"scale": 2.0, "shift": 0.4}),
    "kwargs-less": (optional, (0.7,), {"scale": 2.0}),
    "kwargs-clash": (clash, (0.7,), {"scale": 2.0}),
    "kwargs-view": (all_options, (0.7,), {"a": 2.0, "b": 0.3}),
    "decorated": (decorated, (0.7,), {}),
    "decorated-all": (decorated, (0.7, 0.4), {}),
    "decorated-by-name": (decorated, (0.7,), {"y": 0.4}),
    "method": (MODEL.energy, (0.7,), {}),
    "class-method": (Model.scaled, (0.7,), {}),
    "static-method": (Model.plain, (0.7, 0.3), {}),
    "object": (MODEL, (0.7, 0.2, 0.3), {}),
}

TANGENTS = {
    "args-only": "args_1_dot",
    "partial-array": "u_dot",
    "partial-varying": "coefficients_1_dot",
}


def slope(function, args, keywords):
    step = 1e-6
    first = np.asarray(args[0], dtype=float)
    found = np.zeros(first.shape)
    for at in np.ndindex(first.shape):
        moved = np.zeros(first.shape)
        moved[at] = step
        up, down = (function(first + s * moved, *args[1:], **keywords) for s in (1, -1))
        found[at] = (up - down) / (2 * step)
    return found


@pytest.mark.parametrize("label", CASES)
def test_both_modes_agree_with_differences(label):
    function, args, keywords = CASES[label]
    expected = slope(function, args, keywords)
    np.testing.assert_allclose(s2sad.grad(function)(*args, **keywords), expected, rtol=1e-7)


@pytest.mark.parametrize("label", CASES)
def test_forward_mode_agrees_with_differences(label):
    function, args, keywords = CASES[label]
    expected = np.sum(slope(function, args, keywords))
    df = s2sad.jvp(function, 0)
    tangent = {TANGENTS.get(label, "x_dot"): np.ones(np.shape(args[0]))}
    value, dot = df(*args, **keywords, **tangent)
    np.testing.assert_allclose(value, function(*args, **keywords))
    np.testing.assert_allclose(dot, expected, rtol=1e-7)


def test_elements_are_named_by_position_or_key():
    args = (0.7, 1.0, 2.0, 0.3)
    assert s2sad.grad(poly, wrt=2)(*args) == pytest.approx(0.7)
    assert s2sad.grad(poly, wrt="coefficients[1]")(*args) == pytest.approx(0.7)
    x_bar, first = s2sad.grad(poly, wrt=("x", "coefficients[0]"))(*args)
    assert (x_bar, first) == (pytest.approx(3.4), pytest.approx(0.49))
    assert s2sad.grad(optional, wrt="scale")(0.7, scale=2.0) == pytest.approx(0.7)
    assert s2sad.vjp(optional)(0.7, scale=2.0, seed=3.0) == pytest.approx(6.0)
    assert s2sad.grad(functools.partial(bent, 1.5, b=0.3), wrt="b")(0.7) == pytest.approx(
        np.sin(0.7)
    )


def test_what_a_partial_object_gives_by_name_may_be_given_again():
    function = functools.partial(bent, 1.5, b=0.3)
    assert s2sad.grad(function)(0.7, b=1.0) == pytest.approx(2.1 + np.cos(0.7))


@pytest.mark.parametrize("label", ["partial", "method", "args", "decorated-all", "object"])
def test_check_grad_takes_them_too(label):
    function, args, _ = CASES[label]
    assert s2sad.check_grad(function, args)


def test_a_method_reads_its_object_when_it_is_called():
    model = Model(1.0)
    df = s2sad.grad(model.energy)
    before = df(0.7)
    model.a = 3.0
    assert df(0.7) - before == pytest.approx(2 * 2.0 * 0.7)


def test_cached_functions_are_what_they_wrap():
    assert s2sad.grad(cached)(0.7, 3) == pytest.approx(3 * 0.49)


def test_text_for_an_example_stands_alone_and_points_at_the_users_lines():
    df = s2sad.grad(poly, like=(0.7, 1.0, 2.0))
    assert "from test_methods_and_partials.py" in df.source and "return y" in df.source
    assert standalone(df.source, df.__name__)(0.7, 1.0, 2.0) == pytest.approx(1.0)
    df = s2sad.grad(functools.partial(weighted, WEIGHTS), like=(WEIGHTS,))
    np.testing.assert_allclose(standalone(df.source, df.__name__)(WEIGHTS), 2 * WEIGHTS**2)


def with_function(x, f=np.sin):
    return f(x) * x


def test_functions_are_arguments():
    df = s2sad.grad(with_function)
    assert df(0.7) == pytest.approx(np.sin(0.7) + 0.7 * np.cos(0.7))
    assert df(0.7, np.cos) == pytest.approx(np.cos(0.7) - 0.7 * np.sin(0.7))
    assert df(0.7, f=functools.partial(bent, 1.5)) == pytest.approx(
        slope(lambda x: (1.5 * x**2 + 2.0 * np.sin(x)) * x, (0.7,), {})
    )
    for a in (1.0, 3.0):  # two methods of one kind are two functions
        model = Model(a)
        expected = slope(lambda x, m=model: m.energy(x) * x, (0.7,), {})
        assert df(0.7, model.energy) == pytest.approx(expected)
    assert s2sad.jvp(with_function)(0.7, np.cos, x_dot=1.0)[1] == pytest.approx(df(0.7, np.cos))
    with pytest.raises(s2sad.ArgumentError, match="a text of its own"):
        s2sad.grad(with_function, like=(0.7, np.cos))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: s2sad.grad(poly).source, "depends on how many arguments"),
        (lambda: s2sad.grad(poly, wrt="coefficients")(0.7, 1.0), "stands for several arguments"),
        (lambda: s2sad.grad(poly, wrt=7)(0.7, 1.0), "no parameter at position 7"),
        (lambda: s2sad.grad(poly)(), "missing a required argument"),
        (lambda: s2sad.grad(functools.partial(np.sin)), "not a function of its own"),
        (lambda: s2sad.grad(functools.partial(bent, 1.0, c=2.0)), "unexpected keyword"),
        (lambda: s2sad.grad(functools.partial(poly, 1.0, 2.0)), r"\*args or \*\*kwargs"),
    ],
)
def test_what_does_not_fit_is_refused(make, problem):
    with pytest.raises(s2sad.S2sadError, match=problem):
        make()
