"""What a function raises comes through its derivatives: the same error, with the same words."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import standalone
from tests.programs.control_flow import try_and_with


def translated(u, i):
    try:
        v = u[i] * 2.0
    except IndexError as error:
        raise LookupError(f"no element {i}") from error
    return v * v


def not_handled(x, k):
    try:
        y = math.log(x) / k
    except ValueError:
        y = x
    return y


CASES: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (try_and_with.raised_anew, (-1.0,)),
    (try_and_with.one_raises, (-1.0, 2)),
    (try_and_with.checked, (6.0,)),
    (try_and_with.checked, (-6.0,)),
    (try_and_with.checked, (-1.0,)),
    (translated, (np.ones(3), 7)),
    (not_handled, (1.0, 0)),
)


def told(call) -> tuple[type, str, type]:
    with pytest.raises(Exception) as caught:
        call()
    return type(caught.value), str(caught.value), type(caught.value.__cause__)


@pytest.mark.parametrize(("function", "args"), CASES)
def test_errors_come_through(function, args):
    expected = told(lambda: function(*args))
    assert told(lambda: s2sad.grad(function)(*args)) == expected
    assert told(lambda: s2sad.jvp(function)(*args, np.ones(np.shape(args[0]))[()])) == expected
    df = s2sad.grad(function, like=args)
    assert told(lambda: standalone(df.source, df.__name__)(*args)) == expected


def test_filters_of_warnings_are_left_as_they_were():
    import warnings

    before = list(warnings.filters)
    s2sad.grad(try_and_with.silenced)(0.7)
    assert list(warnings.filters) == before


def asked_for_unbound(u, x, c):
    if c > 5.0:
        v = x * u
    if c > 2.0:
        x = x * np.sum(v)
    return x * u[0]


def asked_for_unbound_in_passes(u, x, c):
    if c > 5.0:
        v = [x * u[0], u[1]]
    for k in range(3):
        x = np.sin(x * u[k])
        if c > 2.0:
            x = x * sum(v)
    return x * u[0]


@pytest.mark.parametrize("f", [asked_for_unbound, asked_for_unbound_in_passes])
@pytest.mark.parametrize("schedule", [None, "sqrt"])
def test_no_number_comes_of_what_is_not_bound(f, schedule):
    args = np.array([0.3, 0.7, 0.9]), 0.4, 3.0
    with pytest.raises(UnboundLocalError):
        f(*args)
    made = s2sad.grad(f, "x", checkpoint=schedule)
    with suppress(UnboundLocalError, TypeError):
        assert np.isnan(made(*args))
    assert np.isfinite(made(*args[:2], 6.0))


def test_a_warning_that_is_an_error_takes_the_way_of_its_handler():
    derivative = s2sad.grad(try_and_with.warned)
    assert np.isclose(derivative(-0.7), 3.0 * 0.7**2)
    assert np.isclose(derivative(0.7), np.log(0.7) + 1.0)
