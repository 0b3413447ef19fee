"""Objects and named tuples inside lists, tuples and dicts that are arguments: right, or refused."""

from __future__ import annotations

from collections import namedtuple
from types import SimpleNamespace as Namespace
from typing import Any

import numpy as np
import pytest

import s2sad

Pair = namedtuple("Pair", "p q")


class Body:
    def __init__(self, a: float) -> None:
        self.a = a


def by_place(t):
    return t[0].p * t[0].q * t[1].p


def unpacked(t):
    a, b = t
    return a.p * b.q + b.p**2


def in_a_loop(t):
    return sum(e.p**2 * e.q for e in t)


def beside_a_number(t):
    return t[0].p * t[1]


def under_a_key(d):
    return d["a"].p * d["a"][1]


def in_a_field(m):
    return m.t[0].p * m.n.q


PAIRS = [Pair(2.0, 3.0), Pair(4.0, 5.0)]


@pytest.mark.parametrize(
    ("function", "arg"),
    [
        (by_place, PAIRS),
        (by_place, tuple(PAIRS)),
        (unpacked, PAIRS),
        (in_a_loop, PAIRS),
        (beside_a_number, (Pair(2.0, 3.0), 4.0)),
        (under_a_key, {"a": Pair(2.0, 3.0)}),
        (in_a_field, Namespace(t=PAIRS, n=Pair(6.0, 7.0))),
    ],
)
def test_named_tuples_that_an_argument_holds(function: Any, arg: Any) -> None:
    for made in (s2sad.grad(function), s2sad.grad(function, like=(arg,))):
        found = np.array(_numbers(made(arg)))
        np.testing.assert_allclose(found, _slopes(function, arg), atol=1e-8)


def _numbers(value: Any) -> list[float]:
    """Return the numbers that a structure holds, in order."""
    if isinstance(value, float):
        return [value]
    parts = vars(value) if isinstance(value, Namespace) else value
    parts = parts.values() if isinstance(parts, dict) else parts
    return [number for part in parts for number in _numbers(part)]


def _slopes(function: Any, arg: Any) -> Any:
    """Return derivatives with respect to the numbers of an argument, by complex steps."""
    count = len(_numbers(arg))
    return [
        np.imag(function(_stepped(arg, iter(1e-20j * np.eye(count)[n])))) / 1e-20
        for n in range(count)
    ]


def _stepped(value: Any, steps: Any) -> Any:
    if isinstance(value, float):
        return value + next(steps)
    if isinstance(value, dict):
        return {key: _stepped(part, steps) for key, part in value.items()}
    if isinstance(value, Namespace):
        return Namespace(**_stepped(vars(value), steps))
    parts = [_stepped(part, steps) for part in value]
    return type(value)(*parts) if isinstance(value, Pair) else type(value)(parts)


def of_objects(ps):
    return ps[0].a * ps[1].a


def of_objects_in_a_dict(d):
    return d["p"].a * d["l"][0]


def of_objects_in_a_field(m):
    return m.l[0].a


def of_objects_in_a_loop(ps):
    s = 0.0
    for p in ps:
        s += p.a
    return s


def of_objects_by_a_comprehension(ps):
    return sum(p.a for p in ps)


@pytest.mark.parametrize(
    ("function", "arg"),
    [
        (of_objects, [Body(2.0), Body(3.0)]),
        (of_objects, (Body(2.0), Body(3.0))),
        (of_objects_in_a_dict, {"p": Body(2.0), "l": [3.0]}),
        (of_objects_in_a_field, Namespace(l=[Body(2.0)])),
        (of_objects_in_a_loop, [Body(2.0), Body(3.0)]),
        (of_objects_by_a_comprehension, [Body(2.0), Body(3.0)]),
    ],
)
def test_objects_that_an_argument_holds_are_refused(function: Any, arg: Any) -> None:
    with pytest.raises(s2sad.NoRule, match=r"the attribute \.a has no derivative rule"):
        s2sad.grad(function)(arg)
