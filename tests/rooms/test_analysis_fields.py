"""Objects and dicts become names where nobody else holds them; all else keeps its numbers."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from s2sad.ir.errors import NotYet
from tests.oracles import compare, differences, flatten
from tests.rooms.derive import grad


class Body:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt):
        self.x = self.x + dt * self.v
        self.v = self.v - dt * np.sin(self.x)


class Pair(NamedTuple):
    x: np.ndarray
    m: float


U = np.array([0.3, 0.7, 1.1])


def steps_an_object(u, dt):
    body = Body(u, 2.0 * u)
    for _ in range(3):
        body.step(dt)
    return np.sum(body.x * body.v)


def made_in_every_pass(u, dt):
    total = 0.0
    for k in range(3):
        body = Body(u[k], dt)
        body.step(dt)
        total = total + body.x * body.v
    return total


def keeps_the_one_before(u, dt):
    last = Body(u[0], dt)
    for k in range(3):
        now = Body(u[k] * last.x, last.v)
        now.step(dt)
        last = now
    return last.x + last.v


def two_from_one_place(u, dt):
    def make(x):
        return Body(x, dt)

    a, b = make(u[0]), make(u[1])
    a.step(dt)
    return a.x * b.x + b.v


def one_of_two(u, dt):
    a, b = Body(u[0], dt), Body(u[1], dt)
    chosen = a if u[0] > u[1] else b
    chosen.step(dt)
    return a.x * b.x


def second_name(u, dt):
    a = Body(u, dt)
    b = a
    b.x = b.x * 2.0
    return np.sum(a.x) * dt


def nested(u, dt):
    outer = {"inner": {"u": u, "k": 2.0}, "dt": dt}
    outer["inner"]["k"] *= outer["dt"]
    return np.sum(outer["inner"]["u"]) * outer["inner"]["k"]


def key_called_items(u, dt):
    d = {"items": u[0], "keys": dt}
    total = 0.0
    for value in d.values():
        total = total * value + value
    return total + d["items"]


def bound_on_one_branch(u, dt):
    d = {"a": u[0]}
    if u[1] > 0.5:
        d["a"] = d["a"] * u[1]
        d["b"] = dt
    else:
        d["b"] = u[2]
    return d["a"] * d["b"]


def array_in_a_field_is_written(u, dt):
    body = Body(u.copy(), dt)
    row = body.x
    row[1] = body.v * row[0]
    return np.sum(body.x**2)


FUNCTIONS = [
    steps_an_object,
    made_in_every_pass,
    keeps_the_one_before,
    two_from_one_place,
    second_name,
    nested,
    key_called_items,
    bound_on_one_branch,
    array_in_a_field_is_written,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_through_objects_and_dicts(function):
    args = (U, 0.4)
    try:
        run = grad(function, args)
    except NotYet as fault:
        pytest.skip(f"not yet: {fault.reason}")
    run.checked(*args)
    fault = compare(flatten(run(*args), args), differences(function, args, (0, 1), 1.0))
    assert fault is None, f"{fault}\n{run.text}"


def test_an_object_leaves_nothing_but_names():
    text = grad(steps_an_object, (U, 0.4)).text
    assert "body_x" in text
    assert "SimpleNamespace" not in text and "body." not in text


def weighed(p, dt):
    p["w"][0] = dt
    p["c"] = p["a"] * dt
    return p["a"] * np.sum(p["w"]) + p["c"]


def test_a_dict_argument_gives_its_gradient_under_the_same_keys_and_is_not_written():
    p = {"a": 1.5, "w": np.array([1.0, 2.0])}
    made = grad(weighed, (p, 0.3), ("p", "dt"))(p, 0.3)
    expected = differences(weighed, (p, 0.3), (0, 1), 1.0)
    assert list(made[0]) == ["a", "w"] and list(p) == ["a", "w"] and p["w"][0] == 1.0
    assert compare(flatten(made, (p, 0.3)), expected) is None


@pytest.mark.parametrize("made", [SimpleNamespace(x=U, m=2.0), Pair(U, 2.0)])
def test_an_object_argument_gives_an_object_like_it(made):
    def energy(b):
        return b.m * np.sum(b.x**2)

    adjoint = grad(energy, (made,), ("b",))(made)
    assert type(adjoint) is type(made)
    np.testing.assert_allclose(adjoint.x, 4.0 * U)
    np.testing.assert_allclose(adjoint.m, np.sum(U**2))
