"""What a table of a library takes a name for, and a number or an array does not: pvlib's idiom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import S2sadError


class Open:
    """Takes any field."""

    def __init__(self, v: Any) -> None:
        self.v = v


class Full:
    """Takes no other field."""

    __slots__ = ("v",)

    def __init__(self, v: Any) -> None:
        self.v = v


@dataclass(frozen=True)
class Frozen:
    """Takes no field at all."""

    v: Any


def named(x: Any) -> Any:
    power = 2.0 * np.clip(x, -1.0, 1.0)
    try:  # noqa: SIM105
        power.name = "power"
    except AttributeError:
        pass
    return np.sum(power**2)


def an_argument(x: Any) -> Any:
    try:
        x.name = "x"
    except AttributeError:
        return 3.0 * np.sum(x)
    return np.sum(x**2)


def an_object(x: Any) -> Any:
    held = Open(x)
    try:
        held.name = "ab"  # type: ignore[attr-defined]
    except AttributeError:
        return 3.0 * np.sum(x)
    return np.sum(held.v**2) * len(held.name)  # type: ignore[attr-defined]


@pytest.mark.parametrize("x", [0.3, np.array([0.2, 0.4])], ids=["number", "array"])
def test_a_name_is_given_where_there_is_room(x: Any) -> None:
    assert s2sad.grad(named)(x) == pytest.approx(8.0 * x)
    assert s2sad.grad(an_argument)(x) == pytest.approx(3.0 * np.ones_like(x))
    assert s2sad.grad(an_object)(x) == pytest.approx(4.0 * x)


def held_by(kind: Any) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        held = kind(x)
        try:
            held.name = "a"
        except AttributeError:
            return 3.0 * np.sum(x)
        return np.sum(held.v**2)

    return function


@pytest.mark.parametrize("kind", [Full, Frozen, Open])
def test_an_object_without_room_raises(kind: Any) -> None:
    assert s2sad.grad(held_by(kind))(0.3) == pytest.approx(0.6 if kind is Open else 3.0)

    def outside(x: Any) -> Any:
        held = kind(x)
        held.name = "a"
        return held.v

    if kind is not Open:
        with pytest.raises(S2sadError, match=r"outside does not take .*Error: .*'name'"):
            s2sad.grad(outside)(0.3)
