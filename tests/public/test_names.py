"""What a name means decides, not how it is spelt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
import numpy as np
import pytest
from scipy import interpolate

import s2sad
from tests.names import like_builtins, like_schedules
from tests.oracles import standalone
from tests.programs.entry import numbers


@dataclass
class Box:
    size: float
    shape: float


def of_fields(x, box):
    return x * box.size * box.shape


def volume(box):
    return box.size * box.shape


def of_fields_in_a_function(x, box):
    return x * volume(box) * box.size


def of_fields_made_here(x, ndim):
    box = Box(x * x, ndim)
    box.size = box.size * x
    return box.size * box.shape


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (like_builtins.of_builtins, (1.3,)),
        (like_builtins.of_numpy, (1.3,)),
        (like_builtins.of_constants, (1.3,)),
        (of_fields, (1.3, Box(2.0, 3.0))),
        (of_fields_in_a_function, (1.3, Box(2.0, 3.0))),
        (of_fields_made_here, (1.3, 0.7)),
    ],
)
def test_the_derivative_is_that_of_what_is_meant(function: Any, args: Any) -> None:
    assert s2sad.check_grad(function, args)


@pytest.mark.parametrize(
    "function", [like_builtins.of_builtins, like_builtins.of_numpy, like_builtins.of_constants]
)
def test_the_text_has_names_of_its_own(function: Any) -> None:
    derivative = s2sad.grad(function)
    space: dict[str, Any] = {}
    exec(derivative.source, space)
    assert space[f"{function.__name__}_grad"](1.3) == derivative(1.3)


# ---------------------------------------------------------------- parameters that hide names

U = np.array([0.7, 0.31, 0.42, 0.93])


def of_np(u, np):
    return numpy.sum(u**2 * np) * numpy.max(u)


def of_list_and_reversed(u, list, *, reversed=0.5):
    kept = [u[0] * list, u[1]]
    for i in range(3):
        kept.append(kept[-1] * kept[0] + reversed * u[i])
    return sum(kept)


def of_range_and_len(u, range, len):
    i, s = 0, 0.0
    while i < range:
        s = s * u[i] + u[i] * len
        i += 1
    return s


def of_printed(u, _sum_to, _zeros_of):
    return numpy.sum(u * _sum_to) ** 2 * _zeros_of


def inner(len, u):
    s = 0.0
    for x in u:
        s = s * x + len
    return s


def of_a_called_function(u, len):
    return inner(len, u) * inner(u[0], u)


HIDING = [
    (of_np, (U, 2.0)),
    (of_list_and_reversed, (U, 2.0)),
    (of_range_and_len, (U, 3, 2.0)),
    (of_printed, (U, 2.0, 3.0)),
    (of_printed, (U, U, 3.0)),
    (of_a_called_function, (U, 2.0)),
]


@pytest.mark.parametrize(("function", "args"), HIDING)
def test_a_parameter_may_hide_what_the_text_calls(function: Any, args: Any) -> None:
    assert s2sad.check_grad(function, args, wrt=0)
    derivative = s2sad.grad(function)
    space: dict[str, Any] = {}
    exec(derivative.source, space)
    np.testing.assert_array_equal(space[derivative.__name__](*args), derivative(*args))


def test_keywords_are_called_by_the_names_of_the_user() -> None:
    space: dict[str, Any] = {}
    exec(s2sad.grad(of_list_and_reversed).source, space)
    found = space["of_list_and_reversed_grad"](u=U, list=2.0, reversed=0.1)
    np.testing.assert_array_equal(found, s2sad.grad(of_list_and_reversed)(U, 2.0, reversed=0.1))


def test_fields_called_like_those_of_arrays_have_an_adjoint() -> None:
    found = s2sad.grad(of_fields, wrt="box")(1.5, Box(2.0, 4.0))
    assert (found.size, found.shape) == (6.0, 3.0)


def of_methods_of_builtins(x, words):
    table = dict.fromkeys(words, 2.0)
    total = 0.0
    for word in table:
        total += table[word]
    return x * total * int(bytes.fromhex("0a")[0])


SURFACE = interpolate.RectBivariateSpline(np.arange(5.0), np.arange(6.0), np.ones((5, 6)))


def test_methods_of_objects_of_the_module_are_called_on_them() -> None:
    def height(x: Any, y: Any) -> Any:
        return np.sum(SURFACE.ev(x, y) ** 2)

    source = s2sad.grad(height, ("x", "y"), like=(np.ones(2), np.ones(2))).source
    assert "2.0 * SURFACE.ev(x, y)" in source


def test_methods_of_builtins_are_named_by_their_type() -> None:
    """They are made anew each time they are read, and are still one object to a reader."""
    derivative = s2sad.grad(of_methods_of_builtins, wrt="x")
    assert derivative(1.5, ["a", "b"]) == 40.0
    assert 'bytes.fromhex("0a")' in derivative.source


TAKEN = (
    like_schedules.of_what_is_thrown_away,
    like_schedules.of_a_while_that_throws_away,
    like_schedules.of_what_a_schedule_calls,
    like_schedules.of_a_length,
    like_schedules.of_the_functions_of_the_text,
    like_schedules.of_what_a_check_calls,
)


@pytest.mark.parametrize("schedule", ["all", "sqrt", s2sad.Every(2), s2sad.Binomial(2)])
@pytest.mark.parametrize("function", TAKEN)
def test_what_the_text_calls_is_not_the_local_of_that_name(function: Any, schedule: Any) -> None:
    args = (numbers(7), 0.7)
    expected = s2sad.grad(function, wrt=(0, 1))(*args)
    assert s2sad.check_grad(function, args)
    derivative = s2sad.grad(function, wrt=(0, 1), checkpoint=schedule)
    alone = standalone(derivative.source, derivative.__name__)
    for got in (derivative(*args), alone(*args)):
        np.testing.assert_allclose(got[0], expected[0], rtol=1e-12)
        np.testing.assert_allclose(got[1], expected[1], rtol=1e-12)
