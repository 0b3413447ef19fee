"""Arguments that are objects, lists or dicts whose fields get new arrays: against differences of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import s2sad

FIELDS = ("mass", "pos", "vel")


@dataclass
class Body:
    mass: float
    pos: np.ndarray
    vel: np.ndarray


class Crate:
    def __init__(self, bodies):
        self.bodies = bodies


def attracted(bodies, dt):
    for _ in range(3):
        for a in bodies:
            force = np.zeros(2)
            for b in bodies:
                if b is not a:
                    d = b.pos - a.pos
                    force = force + b.mass * d / np.sqrt(d @ d + 0.1) ** 3
            a.vel = a.vel + dt * force
        for a in bodies:
            a.pos = a.pos + dt * a.vel
    return sum(0.5 * b.mass * (b.vel @ b.vel) for b in bodies)


def put_in_and_taken_out(bodies, dt):
    for a in bodies:
        a.vel = a.vel * dt + bodies[0].pos
        a.pos = a.vel * a.mass
    bodies.append(Body(2.0, bodies[0].pos, bodies[1].vel))
    bodies[0].pos = bodies[-1].vel * bodies[2].pos
    last = bodies.pop(1)
    return sum(b.pos @ b.vel * b.mass for b in bodies) + last.pos @ last.pos


def given_a_field(bodies, dt):
    for a in bodies:
        a.force = dt * a.pos
    return sum(b.mass * b.force @ b.vel for b in bodies)


def grown(bodies, dt):
    for a in bodies:
        a.pos = np.concatenate([a.pos, a.vel * dt])
    return sum(b.mass * b.pos @ b.pos for b in bodies)


def written_in_place(bodies, dt):
    for a in bodies:
        a.vel += dt * a.pos
        a.pos[0] = a.vel[1]
    return sum(b.pos @ b.vel * b.mass for b in bodies)


def given() -> list[Body]:
    rng = np.random.default_rng(5)
    return [Body(1.0 + k, rng.normal(size=2), rng.normal(size=2)) for k in range(3)]


def differences(function: Callable[..., Any], bodies: list[Body], of: Callable[..., Any]) -> Any:
    """Yield the slope along each field of each body, by Richardson differences."""

    def moved(k: int, name: str, step: Any) -> float:
        other = [Body(b.mass, b.pos.copy(), b.vel.copy()) for b in bodies]
        setattr(other[k], name, getattr(other[k], name) + step)
        return float(function(of(other), 0.1))

    def slope(k: int, name: str, h: Any) -> float:
        return (moved(k, name, h) - moved(k, name, -h)) / (2 * np.max(h))

    for k in range(len(bodies)):
        for name in FIELDS:
            whole = np.asarray(getattr(bodies[k], name))
            for at in np.ndindex(whole.shape):
                h = np.zeros(whole.shape)
                h[at] = 1e-3
                yield (4 * slope(k, name, h / 2) - slope(k, name, h)) / 3


def numbers_in(bodies: list[Body]) -> np.ndarray:
    return np.concatenate([np.ravel(getattr(b, name)) for b in bodies for name in FIELDS])


@pytest.mark.parametrize(
    "function", [attracted, put_in_and_taken_out, given_a_field, grown, written_in_place]
)
def test_every_field_has_its_derivative_and_stays_as_it_was(function: Any) -> None:
    bodies, before = given(), given()
    found = s2sad.grad(function, "bodies")(bodies, 0.1)
    wanted = list(differences(function, bodies, lambda each: each))
    np.testing.assert_allclose(numbers_in(found), wanted, rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(numbers_in(bodies), numbers_in(before))


def test_objects_that_hold_one_array_have_a_derivative_each() -> None:
    still = np.zeros(2)
    bodies = [Body(b.mass, b.pos, still) for b in given()]
    found = s2sad.grad(attracted, "bodies")(bodies, 0.1)
    wanted = list(differences(attracted, bodies, lambda each: each))
    np.testing.assert_allclose(numbers_in(found), wanted, rtol=1e-7, atol=1e-9)


def test_objects_in_an_object_that_hold_one_array_have_a_derivative_each() -> None:
    def within(crate, dt):
        return attracted(crate.bodies, dt)

    still = np.zeros(2)
    bodies = [Body(b.mass, b.pos, still) for b in given()]
    found = s2sad.grad(within, "crate")(Crate(bodies), 0.1).bodies
    wanted = list(differences(within, bodies, Crate))
    np.testing.assert_allclose(numbers_in(found), wanted, rtol=1e-7, atol=1e-9)


def test_items_that_are_one_array_have_a_derivative_each() -> None:
    def squared(xs, c):
        for k in range(len(xs)):
            xs[k] = c * xs[k] * xs[k]
        return sum((k + 1.0) * (x @ x) for k, x in enumerate(xs))

    x = np.array([1.0, 2.0])
    one, other = s2sad.grad(squared, "xs")([x, x], 0.5)
    np.testing.assert_allclose(one, x**3)  # of sum(k * c**2 * x**4)
    np.testing.assert_allclose(other, 2.0 * x**3)


@pytest.mark.parametrize("function", [attracted, written_in_place])
def test_a_text_refuses_a_list_that_holds_an_object_twice(function: Any) -> None:
    derivative = text_of(function)
    one = given()[0]
    with pytest.raises(ValueError, match="bodies of different objects"):
        derivative([one, one], 0.1)


def test_an_array_that_is_written_in_place_is_refused_under_two_names() -> None:
    bodies = given()
    bodies[1].vel = bodies[0].vel
    with pytest.raises(s2sad.ArgumentError, match="are one array, and it is written to"):
        s2sad.grad(written_in_place, "bodies")(bodies, 0.1)
    with pytest.raises(ValueError, match="bodies of different objects"):
        text_of(written_in_place)(bodies, 0.1)


def test_what_gets_new_arrays_is_read_as_by_hand() -> None:
    source = s2sad.grad(attracted, "bodies", like=(given(), 0.1)).source
    assert "_shadow_of" not in source and "_add_shadow" not in source
    assert source.count(".append(") == 1  # the velocities are read at their end alone


def text_of(function: Any) -> Any:
    made: dict[str, Any] = {}
    derivative = s2sad.grad(function, "bodies", like=(given(), 0.1))
    exec(compile(derivative.source, "<text>", "exec"), made)
    return made[derivative.__name__]


class Layer:
    def __init__(self):
        self.seen, self.weights, self.scale = [], {"W": np.full((3, 2), 0.5)}, 0.5
        self.state, self.axis = np.ones(2), -1

    def forward(self, x):
        self.seen.append(x)
        self.scale = self.scale * np.sum(x)
        self.state[0] *= x[0, 0]
        y = np.tanh(x @ self.weights["W"]) * self.scale + self.state
        return y / np.sum(np.exp(y), axis=self.axis, keepdims=True)


def remembers(layer, x, W):
    layer.weights["W"] = W
    once, twice = layer.forward(x), layer.forward(np.sin(x))
    return np.sum(once * twice) + np.sum(layer.seen[0] * layer.seen[1])


def makes(x, W):
    return remembers(Layer(), x, W)


X, W = np.linspace(-0.4, 1.3, 12).reshape(4, 3), np.linspace(0.9, -0.6, 6).reshape(3, 2)


def test_an_object_that_a_method_writes_to_has_a_tangent() -> None:
    report = s2sad.check_grad(remembers, (Layer(), X, W), ("x", "W"))
    assert report, report


def test_a_negative_axis_may_be_a_field_of_an_object() -> None:
    report = s2sad.check_grad(makes, (X, W), ("x", "W"))
    assert report, report
