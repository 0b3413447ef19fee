"""What a decorator puts around a function takes what it takes itself, whatever it says that it is."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles


def in_another_order(function):
    @functools.wraps(function)
    def wrapper(a, b):
        return function(b, a) * 1.5

    return wrapper


def under_other_names(function):
    @functools.wraps(function)
    def wrapper(y, x=0.5):
        return function(x, y)

    return wrapper


def with_another_default(function):
    @functools.wraps(function)
    def wrapper(b, a=2.0):
        return function(b, a)

    return wrapper


def says_that_it_takes_one(function):
    def wrapper(*args, **keywords):
        return function(*args, **keywords)

    only = inspect.Parameter("b", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    wrapper.__signature__ = inspect.Signature([only])
    return wrapper


@in_another_order
def swapped(b, a):
    return b * b * a


@under_other_names
def named(x, y):
    return x * x * y


@with_another_default
def defaulted(b, a=3.0):
    return b * b * a


@says_that_it_takes_one
def told(b, a=3.0):
    return b * b * a


def calls_swapped(x):
    return swapped(x, 2.0 * x * x) + swapped(b=x, a=3.0)


def calls_named(x):
    return named(x) + named(0.3, x) + named(x=x, y=2.0)


def calls_defaulted(x):
    return defaulted(x) + defaulted(x, x)


def calls_told(x):
    return told(x) + told(x, a=x)


def hands_on(x):
    return sum(map(swapped, [x, 2.0 * x], [0.5, x]))


CALLERS = [calls_swapped, calls_named, calls_defaulted, calls_told, hands_on]


@pytest.mark.parametrize("function", CALLERS)
def test_a_call_of_what_is_wrapped(function: Any) -> None:
    assert s2sad.check_grad(function, (1.3,))
    expected = oracles.differences(function, (1.3,), (0,))
    assert oracles.compare(np.array([s2sad.grad(function)(1.3)]), expected) is None


@pytest.mark.parametrize("wrt", ["a", "b"])
def test_what_is_wrapped_itself(wrt: str) -> None:
    place = ("a", "b").index(wrt)
    expected = oracles.differences(swapped, (1.3, 0.7), (place,))
    assert oracles.compare(np.array([s2sad.grad(swapped, wrt)(1.3, 0.7)]), expected) is None


def counted(method):
    """A decorator that knows nothing of what it wraps, not even the object."""

    @functools.wraps(method)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        first = (args[0],)
        for each in args[1:]:
            first = (*first, each)
        return method(*first, **kwargs)

    return wrapper


class Spring:
    def __init__(self, stiffness: float) -> None:
        self.stiffness = stiffness

    @counted
    def energy(self, x: float, y: float, share: float = 0.5) -> float:
        return share * self.stiffness * x * y**2

    @counted
    def __call__(self, x: float, y: float) -> float:
        return self.stiffness * x**2 * y


@pytest.mark.parametrize("method", [Spring(1.5).energy, Spring(1.5)], ids=["method", "object"])
@pytest.mark.parametrize("like", [None, (1.3, 0.7)], ids=["none", "examples"])
def test_a_method_whose_wrapper_takes_its_object_among_others(method: Any, like: Any) -> None:
    expected = oracles.differences(lambda x, y: method(x, y), (1.3, 0.7), (0, 1))
    derivative = s2sad.grad(method, ("x", "y"), like=like)
    assert oracles.compare(np.array(derivative(1.3, 0.7)), expected) is None
    assert s2sad.jvp(method, "y")(1.3, 0.7, y_dot=1.0)[1] == pytest.approx(derivative(1.3, 0.7)[1])
