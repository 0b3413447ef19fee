"""What a function or a class was given as attributes is read where it is, and not lost in a copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import Unsupported
from tests.oracles import standalone

U = np.array([0.7, 0.31, 0.42])


def square(v):
    return v * v


square.gain = 2.0
square.weights = np.array([1.0, 2.0, 3.0])


def of_another(u):
    return np.sum(square(u)) * square.gain


def of_its_own(u):
    return np.sum(u * u) * of_its_own.gain


def by_getattr(u):
    return np.sum(square(u)) * getattr(square, "gain")  # noqa: B009


def where_there_is_one(u):
    return np.sum(u * u) * getattr(square, "gain", 7.0) if hasattr(square, "gain") else u[0]


def in_a_loop(u):
    total = 0.0
    for i in range(3):
        total += u[i] ** 2 * square.weights[i] / square.weights[i] * square.gain
    return total


def through_another_name(u):
    f = square
    return np.sum(f(u)) * f.gain


@pytest.mark.parametrize(
    "function",
    [of_another, of_its_own, by_getattr, where_there_is_one, in_a_loop, through_another_name],
)
def test_attributes_of_functions_are_read(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    owner: Any = function if function is of_its_own else square
    monkeypatch.setattr(owner, "gain", 2.0, raising=False)
    slopes = s2sad.grad(function), s2sad.grad(function, like=(U,))
    for gain in (2.0, 5.0, np.float64(3.0)):
        owner.gain = gain
        for slope in slopes:
            np.testing.assert_allclose(slope(U), 2.0 * gain * U)
            np.testing.assert_allclose(s2sad.jvp(function)(U, U)[1], 2.0 * gain * (U @ U))


def test_what_is_read_of_a_function_stands_in_its_text() -> None:
    text = s2sad.grad(of_another, like=(U,)).source
    np.testing.assert_allclose(standalone(text, "of_another_grad")(U), 4.0 * U)


# ---------------------------------------------------------------- what is counted or kept there


def note():
    note.calls += 1.0


note.calls = 1.0


def counted_before(u):
    note()
    return u[0] * note.calls


def counted_between(u):
    before = note.calls
    note()
    return u[0] * note.calls * before


def counted_in_passes(u):
    for _ in range(2):
        note()
    return u[0] * note.calls


class Registry:
    entries: ClassVar[dict[str, Any]] = {}
    weights = np.ones(3)

    def __init__(self, key: str, value: Any) -> None:
        self.entries[key] = value


class Shared:
    weights = np.ones(3)


def registered(u):
    Registry("a", u[0])
    Registry("b", u[1])
    return Registry.entries["a"] * Registry.entries["b"]


def written_for_all(u):
    w = Shared().weights
    w[0] = 4.0
    return Shared.weights[0] * u[1]


def written_before_another_is_made(u):
    w = Shared().weights
    w += 1.0
    return Shared().weights[0] * u[1]


@pytest.mark.parametrize(
    "function",
    [
        counted_before,
        counted_between,
        counted_in_passes,
        registered,
        written_for_all,
        written_before_another_is_made,
    ],
)
def test_what_changes_attributes_that_are_read_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(Unsupported):
        s2sad.grad(function)(U)
    assert note.calls == 1.0 and np.array_equal(Shared.weights, np.ones(3))
