"""Methods of an argument's class that are replaced: the derivative is made anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad

STRENGTH = 2.0


class Spring:
    unit = 1.0
    made = 0

    def __init__(self, a: Any) -> None:
        Spring.made += 1
        self.a = a

    def energy(self) -> Any:
        return self.unit * self.a**3

    def scaled(self) -> Any:
        return STRENGTH * self.energy()

    @property
    def half(self) -> Any:
        return 0.5 * self.a**2


def energy(p):
    return p.energy()


def of_two(ps, q):
    return ps["one"].energy() * q.half


def scaled(p):
    return p.scaled()


def test_a_method_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    df = s2sad.grad(energy)
    assert df(Spring(2.0)).a == pytest.approx(12.0)
    monkeypatch.setattr(Spring, "energy", lambda self: self.a**2)
    assert df(Spring(2.0)).a == pytest.approx(4.0)
    assert s2sad.grad(energy)(Spring(2.0)).a == pytest.approx(4.0)
    value, found = s2sad.value_and_grad(energy)(Spring(2.0))
    assert (value, found.a) == (pytest.approx(4.0), pytest.approx(4.0))
    monkeypatch.undo()
    assert df(Spring(2.0)).a == pytest.approx(12.0)
    assert s2sad.jvp(energy)(Spring(2.0), Spring(1.0)) == (8.0, 12.0)


def test_a_property_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    df = s2sad.grad(lambda q: q.half)
    assert df(Spring(2.0)).a == pytest.approx(2.0)
    monkeypatch.setattr(Spring, "half", property(lambda self: self.a**4))
    assert df(Spring(2.0)).a == pytest.approx(32.0)


def test_what_a_method_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    df = s2sad.grad(scaled)
    assert df(Spring(2.0)).a == pytest.approx(24.0)
    monkeypatch.setitem(globals(), "STRENGTH", 1.0)
    assert df(Spring(2.0)).a == pytest.approx(12.0)
    monkeypatch.setattr(Spring, "unit", 0.5)
    assert df(Spring(2.0)).a == pytest.approx(6.0)


def test_other_objects_of_the_class_do_not_have_it_made_anew() -> None:
    df = s2sad.grad(energy)
    df(Spring(2.0))
    before = df._every()
    np.testing.assert_allclose(df(Spring(3.0)).a, 27.0)
    assert df._every() == before
    assert before
