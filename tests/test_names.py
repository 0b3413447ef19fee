"""What a name means decides, not how it is spelt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import s2sad
from tests.names import like_builtins


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


def test_fields_called_like_those_of_arrays_have_an_adjoint() -> None:
    found = s2sad.grad(of_fields, wrt="box")(1.5, Box(2.0, 4.0))
    assert (found.size, found.shape) == (6.0, 3.0)
