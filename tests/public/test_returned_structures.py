"""Functions that return dicts, named tuples and objects that they make: derivatives built alike."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2sad
from s2sad.api.structure import leaves
from tests import oracles
from tests.fuzz.case import Case
from tests.fuzz.score import score_function

X = np.array([0.7, -1.3])
E = np.array([0.4, 0.9])


@dataclasses.dataclass
class Pair:
    first: Any
    second: Any


class Named(NamedTuple):
    u: Any
    v: Any


@dataclasses.dataclass
class State:
    u: Any
    t: float

    def after(self, dt):
        return State(self.u * (1.0 - dt * self.u), self.t + dt)


@dataclasses.dataclass
class Checked:
    u: Any

    def __post_init__(self):
        assert np.all(self.u > 0.0)


def display(x):
    return {"a": x * x, "b": [x, np.sum(x)]}


def of_a_class(x):
    return Pair(x * 2.0, np.sum(x * x))


def named_tuple(x):
    n = Named(np.sin(x), x)
    return n


def one_in_another(x):
    d = {"a": x * 2.0, "name": "model"}
    d["c"] = Pair(Named(x, 1.0), {1: x**3})
    return d, np.sum(x)


def on_two_ways(x):
    if x[0] > 0.0:
        return {"a": x * x}
    return {"a": x}


def one_twice(x):
    return {"a": x, "b": x}


def list_or_nothing(x):
    if x[0] > 3.0:
        return None
    a, b = x
    return [a * b, b]


def tuple_or_nothing(x):
    if x[0] > 3.0:
        return None
    return x[0] * x[1], x**2


def dict_or_nothing(x):
    if x[0] > 3.0:
        return None
    return {"a": x[0] * x[1], "b": x**2}


def named_on_two_ways_or_nothing(x):
    if x[0] > 3.0:
        return None
    return Named(x[0], x[1]) if x[1] > 3.0 else Named(x[0] * x[1], x[0])


def nothing_twice(x):
    if x[0] > 3.0:
        return None, None
    return x * x[0], x[1]


def list_or_nothing_of_a_loop(x):
    for v in x:
        if v > 3.0:
            return None
    return [v * v for v in x]


def array_of_parts_or_nothing(x):
    n = np.linalg.norm(x)
    if not n > 0.0:
        return None
    a, b = x / n
    c = np.sqrt(1.0 - 0.5 * a**2)
    q = np.array([-a * b, (a - 1.0) * c + b])
    return q / np.linalg.norm(q)


OR_NOTHING = [
    *(list_or_nothing, tuple_or_nothing, dict_or_nothing, named_on_two_ways_or_nothing),
    *(nothing_twice, list_or_nothing_of_a_loop, array_of_parts_or_nothing),
]
FUNCTIONS = [display, of_a_class, named_tuple, one_in_another, on_two_ways, one_twice, *OR_NOTHING]


def numbers(value: Any) -> list[Any]:
    """Return the numbers and arrays that a result holds, in order."""
    return [leaf for _, leaf in leaves(value, "") if not isinstance(leaf, str)]


def differences(function: Any, x: Any, x_dot: Any) -> list[Any]:
    right, left = (numbers(function(x + h * x_dot)) for h in (1e-6, -1e-6))
    return [(a - b) / 2e-6 for a, b in zip(right, left, strict=True)]


@pytest.mark.parametrize("like", [None, (X,)], ids=["any", "like"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_tangent_is_built_like_the_result(function: Any, like: Any) -> None:
    value, tangent = s2sad.jvp(function, like=like)(X, E)
    expected = function(X)
    assert [p for p, _ in leaves(value, "")] == [p for p, _ in leaves(expected, "")]
    assert type(tangent) is type(value) is type(expected)
    for found, wanted in zip(numbers(value), numbers(expected), strict=True):
        np.testing.assert_array_equal(found, wanted)
    for found, wanted in zip(numbers(tangent), differences(function, X, E), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-8)


@pytest.mark.parametrize("like", [None, (X,)], ids=["any", "like"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_seed_is_built_like_the_result(function: Any, like: Any) -> None:
    seed = function(np.cos(X))
    derivative = s2sad.vjp(function, like=like)
    text = oracles.standalone(derivative.source) if function in OR_NOTHING else derivative
    x_bar = text(X, seed)
    tangents = differences(function, X, E)
    expected = sum(np.sum(a * b) for a, b in zip(numbers(seed), tangents, strict=True))
    np.testing.assert_allclose(np.sum(x_bar * E), expected, rtol=1e-7)


def test_results_are_apart() -> None:
    _, tangent = s2sad.jvp(one_twice)(X, E)
    assert not np.shares_memory(tangent["a"], tangent["b"])
    assert not np.shares_memory(tangent["a"], E)


def test_an_object_that_is_stepped_through_time() -> None:
    def run(s, dt):
        for _ in range(3):
            s = s.after(dt)
        return s

    tangent = s2sad.jvp(run, "dt")(State(X, 0.0), 0.1, 1.0)[1]
    right, left = (run(State(X, 0.0), 0.1 + h).u for h in (1e-6, -1e-6))
    np.testing.assert_allclose(tangent.u, (right - left) / 2e-6, rtol=1e-8)
    assert tangent.t == 3.0
    back = s2sad.vjp(run, "dt")(State(X, 0.0), 0.1, State(E, 2.0))
    np.testing.assert_allclose(back, np.sum(tangent.u * E) + 6.0, rtol=1e-12)


def test_second_order() -> None:
    found = s2sad.jvp(s2sad.jvp(of_a_class))(X, E, E)[1]
    np.testing.assert_allclose(found[1].second, 2.0 * np.sum(E * E))
    back = s2sad.vjp(s2sad.jvp(display))(X, E, (display(0.0 * X), display(X)))
    expected = s2sad.jvp(s2sad.vjp(display))(X, display(X), E)[1]
    np.testing.assert_allclose(back, expected, rtol=1e-12)


def test_many_directions() -> None:
    found = s2sad.directional(display)(X, np.eye(2))
    np.testing.assert_allclose(found["a"], np.diag(2.0 * X))
    np.testing.assert_allclose(found["b"][1], [1.0, 1.0])


def with_aux(x):
    aux = {}
    aux["twice"] = x * 2.0
    return np.sum(x * x), aux


def test_aux_is_as_the_function_gives_it() -> None:
    gradient, aux = s2sad.grad(with_aux, has_aux=True)(X)
    np.testing.assert_allclose(gradient, 2.0 * X)
    (value, again), _ = s2sad.value_and_grad(with_aux, has_aux=True)(X)
    assert list(aux) == list(again) == ["twice"]
    np.testing.assert_allclose([value, *aux["twice"]], [np.sum(X * X), *(2.0 * X)])


def with_checked(x):
    return np.sum(x * x), Checked(x * x)


def test_aux_of_a_class_that_does_more_is_refused() -> None:
    with pytest.raises(s2sad.Unsupported, match="returns a dict or an object that it makes"):
        s2sad.grad(with_checked, has_aux=True)(X)


# ---------------------------------------------------------------------------- refusals


def checked(x):
    return Checked(x * x)


def other_keys(x):
    if x[0] > 0.0:
        return {"a": x}
    return {"b": x}


@pytest.mark.parametrize(
    ("derive", "function", "told"),
    [
        (s2sad.grad, display, "returns a dict, and grad takes a real scalar"),
        (s2sad.grad, of_a_class, "returns a Pair, and grad takes a real scalar"),
        (s2sad.jacobian, display, "returns a dict, which is not one matrix"),
        (s2sad.jacobian, of_a_class, "returns a Pair, which is not one matrix"),
        (s2sad.sparse_jacobian, of_a_class, "returns a Pair, which is not one matrix"),
        (s2sad.elementwise_grad, display, "does not return one number for each"),
        (s2sad.jvp, checked, "returns a dict or an object that it makes"),
    ],
)
def test_what_is_not_built_alike_is_refused_with_its_line(
    derive: Any, function: Any, told: str
) -> None:
    given = (X, E) if derive is s2sad.jvp else (X,)
    with pytest.raises(s2sad.S2sadError, match=told) as caught:
        derive(function)(*given)
    assert caught.value.span is not None


def test_dicts_of_other_keys_have_tangents_of_the_same_keys() -> None:
    derivative = s2sad.jvp(other_keys)
    for made in (derivative, oracles.standalone(derivative.source)):
        for x in (X, -X):
            assert made(x, E)[1].keys() == other_keys(x).keys()


def test_a_seed_of_another_structure_is_refused() -> None:
    with pytest.raises(s2sad.ArgumentError, match="seed is not built like the result"):
        s2sad.vjp(display)(X, {"a": X})


def arguments_themselves(xs, u):
    return xs


def items_among_others(xs, u):
    return [u, [*xs, u * xs[1]]]


def items_beside_a_list(xs, u):
    xs[1] = u * xs[2]
    return {"xs": xs, "more": [*xs, u]}


@pytest.mark.parametrize(
    "function", [arguments_themselves, items_among_others, items_beside_a_list]
)
def test_items_of_several_kinds_that_are_given_are_returned(function: Any) -> None:
    args = ([np.array([0.3, 0.9]), np.array([0.7, 1.1]), 0.4], X)
    value = function(*copy.deepcopy(args))
    seed = oracles.unpack(np.cos(np.arange(oracles.pack(value).size)), value)
    case = Case(function.__name__, "", args, (0, 1), seed, "vjp")
    assert score_function(function, case, any_kind=False).verdict == "right"


def written_items(xs, c):
    xs[1] *= c
    return np.sum(xs[0] * xs[1])


def written_entries(xs, c):
    xs["a"] *= c
    return np.sum(xs["a"] * xs["b"])


def written_fields(xs, c):
    xs.first *= c
    return np.sum(xs.first * xs.second)


@pytest.mark.parametrize(
    "function, held",
    [
        (written_items, lambda a, b: [a, b]),
        (written_entries, lambda a, b: {"a": a, "b": b}),
        (written_fields, Pair),
    ],
)
def test_one_array_may_stand_twice_in_a_direction(function: Any, held: Any) -> None:
    derivative = s2sad.jvp(function, wrt=0)
    apart = derivative(held(X, E), 1.3, held(E.copy(), E.copy()))
    assert np.allclose(apart, derivative(held(X, E), 1.3, held(E, E)), atol=1e-12)


def test_one_array_that_a_list_holds_twice_has_one_tangent() -> None:
    value, tangent = s2sad.jvp(written_items, wrt=0)([X, X], 1.3, [E, E])
    assert np.isclose(value, 1.69 * X @ X)
    assert np.isclose(tangent, 2.0 * 1.69 * X @ E)


def in_words(x):
    kind = "steep" if x[0] > 0.5 else "flat"
    return kind, x**2, None


def test_texts_among_results_take_no_seed():
    for derivative in (s2sad.vjp(in_words, like=(X,)), s2sad.vjp(in_words)):
        for unused in ("steep", None):
            np.testing.assert_allclose(derivative(X, seed=(unused, E, None)), 2.0 * X * E)


def test_two_tangents_of_one_array_that_a_list_holds_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="twice has two tangents"):
        s2sad.jvp(written_items, wrt=0)([X, X], 1.3, [E, 2.0 * E])
