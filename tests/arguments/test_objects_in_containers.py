"""Objects and named tuples inside lists, tuples and dicts that are arguments: right, or refused."""

from __future__ import annotations

import inspect
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace as Namespace
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles

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
    ("function", "slopes"),
    [
        (of_objects, [3.0, 2.0]),
        (of_objects_in_a_loop, [1.0, 1.0]),
        (of_objects_by_a_comprehension, [1.0, 1.0]),
    ],
)
def test_objects_in_a_list_have_objects_as_adjoints(function: Any, slopes: list[float]) -> None:
    found = s2sad.grad(function)([Body(2.0), Body(3.0)])
    assert [part.a for part in found] == slopes


def test_objects_in_a_field_have_objects_as_adjoints() -> None:
    assert s2sad.grad(of_objects_in_a_field)(Namespace(l=[Body(2.0)])).l[0].a == 1.0


def test_objects_in_a_dict_have_objects_as_adjoints() -> None:
    found = s2sad.grad(of_objects_in_a_dict)({"p": Body(2.0), "l": [3.0]})
    assert (found["p"].a, found["l"]) == (3.0, [2.0])


def test_objects_in_a_tuple_have_objects_as_adjoints() -> None:
    first, second = s2sad.grad(of_objects)((Body(2.0), Body(3.0)))
    assert (first.a, second.a) == (3.0, 2.0)


def appended_to_a_field(z):
    z.w.append(z.a)
    return sum(z.w) * z.w[0]


def an_item_of_a_field(z):
    z.w[0] *= z.a
    return z.w[0] ** 2


def a_key_of_a_field(z):
    z.d["k"] *= z.a
    return z.d["k"] ** 2


def an_array_in_a_list_in_a_field(z):
    z.w[0] = z.w[1] * z.a
    return np.sum(z.w[0] * z.w[1])


def taken_and_given_back(z):
    v = z.w.pop()
    z.w += [z.a * v]
    return sum(z.w) * z.w[-1]


def a_field_of_a_field(z):
    z.x.w.append(z.a)
    return sum(z.x.w) * z.a


@pytest.mark.parametrize(
    ("function", "make"),
    [
        (appended_to_a_field, lambda: Namespace(w=[2.0], a=3.0)),
        (an_item_of_a_field, lambda: Namespace(w=[2.0], a=3.0)),
        (a_key_of_a_field, lambda: Namespace(d={"k": 2.0}, a=3.0)),
        (taken_and_given_back, lambda: Namespace(w=[2.0, 4.0], a=3.0)),
        (a_field_of_a_field, lambda: Namespace(x=Namespace(w=[2.0]), a=3.0)),
    ],
)
def test_lists_and_dicts_in_fields_that_are_written_to(function: Any, make: Any) -> None:
    arg = make()
    for made in (s2sad.grad(function), s2sad.grad(function, like=(arg,))):
        np.testing.assert_allclose(_numbers(made(arg)), _slopes(function, make()), atol=1e-8)
        assert arg == make()
    tangent = s2sad.jvp(function)(arg, make())[1]
    along = np.dot(_numbers(make()), _slopes(function, make()))
    assert tangent == pytest.approx(along)


def test_arrays_in_a_list_in_a_field() -> None:
    made = s2sad.grad(an_array_in_a_list_in_a_field)
    found = made(Namespace(w=[np.ones(2), 2.0 * np.ones(2)], a=3.0))
    np.testing.assert_allclose(found.w, [[0.0, 0.0], [12.0, 12.0]])
    assert found.a == pytest.approx(8.0)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b


@dataclass(slots=True)
class SlottedData:
    a: float
    b: float


@dataclass(slots=True, frozen=True)
class FrozenData:
    a: float
    b: float


@pytest.mark.parametrize("kind", [Slotted, SlottedData, FrozenData])
def test_objects_with_slots(kind: Any) -> None:
    def of_both(s):
        return s.a**2 * s.b

    value, found = s2sad.value_and_grad(of_both)(kind(2.0, 3.0))
    assert type(found) is kind
    assert (value, found.a, found.b) == (12.0, 12.0, 4.0)
    assert s2sad.jvp(of_both)(kind(2.0, 3.0), kind(1.0, 0.5)) == (12.0, 14.0)


def of_a_list_beside_an_array(p):
    return np.sum(p[0]) * np.sum(p[1][0] ** 2) * p[1][1][0]


def of_a_list_unpacked(p):
    a, (b, c) = p
    return a * b * c[0]


LAYERS = [[np.ones(2), np.ones(3)], [np.ones(3), np.ones(1)]]


@pytest.mark.parametrize(
    ("function", "arg", "apart"),
    [
        (of_a_list_beside_an_array, [np.ones(2), LAYERS[1]], (np.ones(2), tuple(LAYERS[1]))),
        (of_a_list_unpacked, [0.3, [0.4, np.ones(1)]], (0.3, (0.4, np.ones(1)))),
    ],
)
def test_lists_of_unlike_items_are_refused(function: Any, arg: Any, apart: Any) -> None:
    with pytest.raises(s2sad.ArgumentError, match=r"p\[1\] holds parts of several shapes"):
        s2sad.grad(function)(arg)
    assert s2sad.check_grad(function, (apart,))
    assert s2sad.jvp(function)(arg, arg)[0] == pytest.approx(function(arg))


def test_lists_of_like_lists_go_through() -> None:
    def of_layers(layers):
        return sum(np.sum(w) ** 2 * np.sum(b) for w, b in layers)

    assert s2sad.check_grad(of_layers, (LAYERS,))


def filtered(ys, a):
    m, total = a, 0.0
    for y in ys:
        e = y - 0.3 * m * a
        m = m + np.tanh(e)
        total += e @ e
    return total


def two_of_them(ys, a):
    return np.sum(ys[0] * a) + np.sum((ys[0] + ys[1]) ** 2)


def grown_lists(ys, a):
    ys = list(ys)
    ys[0] = np.concatenate([ys[0], a])
    return sum(np.sum(y * np.sin(y[0])) for y in ys)


def network(layers, a):
    h = a
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def _vectors(*lengths):
    return [np.sin(np.arange(1.0, n + 1.0) + k) for k, n in enumerate(lengths)]


def _layers(*shapes):
    return [(np.cos(np.arange(m * n) + m).reshape(m, n), 0.1 * np.ones(b)) for m, n, b in shapes]


@pytest.mark.parametrize(
    ("function", "like", "others"),
    [
        (
            filtered,
            _vectors(3, 3),
            [_vectors(3), _vectors(1, 3), _vectors(3, 1), _vectors(3, 3, 3)],
        ),
        (two_of_them, _vectors(3, 3), [_vectors(3, 3, 3), _vectors(1, 3), _vectors(3, 1)]),
        (grown_lists, _vectors(3, 3), [_vectors(3), _vectors(2, 4, 3)]),
        (
            network,
            _layers((3, 3, 3)),
            [_layers((2, 3, 2), (4, 2, 1)), _layers((3, 3, 3), (3, 3, 1))],
        ),
    ],
)
def test_lists_whose_items_are_of_one_length_or_of_several(function, like, others):
    """The text is made for items of the example's lengths, and another one for other lists."""
    a = np.array([0.3, 0.5, 0.9])
    wrt = tuple(inspect.signature(function).parameters)
    gradient = s2sad.grad(function, wrt, like=(like, a))
    for given in (like, *others):
        found = oracles.flatten(gradient(given, a), (given, a))
        assert not oracles.compare(found, oracles.differences(function, (given, a), (0, 1), 1.0))


def differences(ys, a):
    return sum(np.sum(y[2:] * y[:-2]) * a[0] for y in ys)


def test_how_long_items_have_to_be_is_asked_of_each() -> None:
    a, known = np.array([0.3, 0.5]), dict[str, Any]()
    source = s2sad.grad(differences, "ys", like=(_vectors(3, 3), a)).source
    exec(str(source), known)
    assert known["differences_grad"]([], a) == []
    with pytest.raises(ValueError, match=r"ys\[-1\].shape\[0\] >= 2"):
        known["differences_grad"](_vectors(1, 1), a)


def test_a_saved_text_asks_for_the_lengths_of_items() -> None:
    a, known = np.array([0.3, 0.5, 0.9]), dict[str, Any]()
    source = s2sad.grad(filtered, ("ys", "a"), like=(_vectors(3, 3), a)).source
    assert "_sum_to" not in source
    exec(str(source), known)
    known["filtered_grad"](_vectors(3, 3, 3), a)
    known["filtered_grad"]([], a)
    with pytest.raises(ValueError, match=r"arrays of shape a.shape in ys"):
        known["filtered_grad"](_vectors(3, 1), a)


# ---------------------------------------------------------------------------- any number of items


def gravity(bodies):
    total = 0.0
    for i in range(len(bodies)):
        for j in range(i):
            apart = np.linalg.norm(bodies[i].x - bodies[j].x)
            total -= bodies[i].m * bodies[j].m / apart
    return total


def perceptron(layers, x):
    for layer in layers:
        x = np.tanh(layer["W"] @ x + layer["b"])
    return np.sum(x)


def squares_of_rows(rows):
    return sum(x**2 for row in rows for x in row)


def products_of_pairs(pairs):
    total = 0.0
    for a, b in pairs:
        total += a**2 * b
    return total


RNG = np.random.default_rng(5)


def _bodies(count):
    return [Namespace(x=RNG.normal(size=3), m=1.0 + k) for k in range(count)]


def _layers(count):
    return [{"W": RNG.normal(size=(3, 3)), "b": RNG.normal(size=3)} for _ in range(count)]


@pytest.mark.parametrize(
    ("function", "made_for", "others"),
    [
        (gravity, (_bodies(2),), [(_bodies(k),) for k in (1, 3, 4)]),
        (perceptron, (_layers(2), RNG.normal(size=3)), [(_layers(k), np.ones(3)) for k in (1, 4)]),
        (squares_of_rows, ([[0.3], [0.5, 0.7]],), [([],), ([[0.2, 0.1], [], [0.4]],)]),
        (products_of_pairs, ([[0.3, 0.4]],), [([],), ([[0.2, 0.1], [0.7, 0.4]],)]),
    ],
)
def test_a_saved_text_takes_any_number_of_items_that_are_alike(function, made_for, others) -> None:
    known = dict[str, Any]()
    exec(str(s2sad.grad(function, like=made_for).source), known)
    for args in (made_for, *others):
        found = known[f"{function.__name__}_grad"](*args)
        wanted = oracles.differences(function, args, (0,))
        assert oracles.compare(oracles.flatten(found, args[0]), wanted) is None


def test_what_a_text_takes_of_an_item_is_asked_of_each() -> None:
    known = dict[str, Any]()
    exec(str(s2sad.grad(perceptron, like=(_layers(2), np.ones(3))).source), known)
    others = _layers(3)
    others[1]["b"] = RNG.normal(size=(3, 3))
    with pytest.raises(ValueError, match="made for items"):
        known["perceptron_grad"](others, np.ones(3))
    with pytest.raises(ValueError, match="made for items"):
        known["perceptron_grad"]([{**each, "c": 1.0} for each in _layers(2)], np.ones(3))


@dataclass
class Spring:
    i: int
    j: int
    k: float
    rest: float
    name: str = "steel"


def stretched(springs, x):
    total = 0.0
    for s in springs:
        d = x[s.i] - x[s.j]
        total += 0.5 * s.k * (np.sqrt(d @ d) - s.rest) ** 2
    return total


def test_fields_without_an_adjoint_stay_in_the_object() -> None:
    springs, x = [Spring(0, 1, 2.0, 1.0), Spring(2, 1, 0.7, 0.5)], RNG.normal(size=(3, 2))
    known, source = dict[str, Any](), s2sad.grad(stretched, like=(springs, x)).source
    assert "SimpleNamespace(k=0.0, rest=0.0)" in source and "_shadow_of" not in source
    exec(str(source), known)
    springs.append(Spring(0, 2, 1.3, 0.4))
    found = known["stretched_grad"](springs, x)
    assert [(each.i, each.j, each.name) for each in found] == [
        (0, 1, "steel"),
        (2, 1, "steel"),
        (0, 2, "steel"),
    ]

    def of_numbers(k, rest, x):
        return stretched([Spring(s.i, s.j, *n) for s, *n in zip(springs, k, rest, strict=True)], x)

    numbers = [np.array([getattr(each, name) for each in springs]) for name in ("k", "rest")]
    wanted = oracles.differences(of_numbers, (*numbers, x), (0, 1))
    mine = [np.array([getattr(each, name) for each in found]) for name in ("k", "rest")]
    assert oracles.compare(oracles.flatten(mine, numbers), wanted) is None
    with pytest.raises(ValueError, match=r"real numbers each\.i, each\.j"):
        known["stretched_grad"]([Spring(np.array([0, 1]), 1, 1.0, 1.0)], x)


def stepped(us, c):
    for _ in range(2):
        new = [np.sin(c * u) for u in us]
        us = new
    return sum(np.sum(u) for u in us)


def test_a_list_that_is_handed_over_may_be_replaced_by_a_new_one() -> None:
    args = (_vectors(3, 3), 0.7)
    found = s2sad.grad(stepped, ("us", "c"))(*args)
    wanted = oracles.differences(stepped, args, (0, 1))
    assert oracles.compare(oracles.flatten(found, args), wanted) is None


def test_an_argument_may_be_called_as_the_items_of_a_list_are_in_a_test():
    def weighted(items, each):
        return sum(np.sum(item * each) for item in items)

    u = np.array([0.5, 1.5, -2.0])
    for examples in (([u, u], u), ([2.0 * u], u)):
        text = oracles.standalone(s2sad.grad(weighted, like=examples).source)
        assert all(np.array_equal(bar, u) for bar in text([u, 2.0 * u], u))
        with pytest.raises(ValueError, match="made for"):
            text([u[:1], 2.0 * u], u)  # would be stretched
