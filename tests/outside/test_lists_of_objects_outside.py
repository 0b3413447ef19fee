"""Lists of objects that stand outside of a function: their methods are called with each item."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles


class Link:
    def __init__(self, length: float, twist: float) -> None:
        self.length, self.twist = length, twist

    def matrix(self, angle: Any) -> Any:
        c, s = np.cos(angle + self.twist), np.sin(angle + self.twist)
        return np.array([[c, -s, self.length * c], [s, c, self.length * s], [0.0, 0.0, 1.0]])


class Sled(Link):
    def matrix(self, angle: Any) -> Any:
        return np.array([[1.0, 0.0, angle], [0.0, 1.0, self.length], [0.0, 0.0, 1.0]])


class Arm:
    def __init__(self, links: list[Link]) -> None:
        self.links = links

    def reach(self, q: Any) -> Any:
        T = np.eye(3)
        for link, angle in zip(self.links, q, strict=True):
            T = T @ link.matrix(angle)
        return T[:2, 2]


LINKS = [Link(0.5, 0.1), Link(0.3, -0.2)]
ARM = Arm(LINKS)


def reached(q):
    return np.sum((ARM.reach(q) - np.array([0.3, 0.4])) ** 2)


def by_number(q):
    T = np.eye(3)
    for k in range(len(LINKS)):
        link = LINKS[k]
        T = T @ link.matrix(q[k])
    return T[0, 2] * T[1, 2]


def counted_backwards(q):
    total = 0.0
    for k, link in enumerate(reversed(LINKS)):
        total = total * 0.5 + link.matrix(q[k])[0, 2]
    return total + sum(link.matrix(a)[1, 2] ** 2 for link, a in zip(LINKS, q, strict=True))


Q = np.array([0.3, 0.7])


@pytest.mark.parametrize("function", [reached, by_number, counted_backwards])
def test_methods_of_items_of_a_list(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = s2sad.grad(function)
    along = np.array([0.4, -0.9])

    def agrees() -> bool:
        expected = oracles.differences(function, (Q,), (0,), 1.0)
        tangent = s2sad.jvp(function)(Q, along)[1]
        return oracles.compare(gradient(Q), expected) is None and np.isclose(
            tangent, expected.value @ along, rtol=1e-6
        )

    assert agrees()
    monkeypatch.setattr(Link, "matrix", lambda self, a: np.eye(3) * a * self.length)
    assert agrees()
    monkeypatch.undo()
    kept = list(LINKS)
    try:
        LINKS[:] = [Sled(0.5, 0.1), Sled(0.3, 0.2)]
        assert agrees()
    finally:
        LINKS[:] = kept


def test_a_file_holds_the_fields_of_objects_whose_methods_it_calls() -> None:
    found = s2sad.grad(reached, like=(Q,))
    alone: dict[str, Any] = {}
    exec(found.source, alone)
    assert np.array_equal(alone["reached_grad"](Q), found(Q))


def test_items_of_several_classes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tests.outside.test_lists_of_objects_outside.LINKS", [LINKS[0], Sled(0.3, 0.2)]
    )
    with pytest.raises(s2sad.S2sadError):
        s2sad.grad(by_number)(Q)
