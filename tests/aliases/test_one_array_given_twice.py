"""One array that is given twice to a function which writes to it: the other name would see that."""

from __future__ import annotations

import copy
from types import SimpleNamespace as Namespace
from typing import Any

import numpy as np
import pytest

import s2sad

U = np.array([0.7, 0.31, 0.42])
A = np.arange(9.0).reshape(3, 3) + 0.5


def scaled(u, v):
    u *= 2.0
    return np.sum(u * v)


def overwritten_unread(u, v):
    u[0] = 5.0
    return np.sum(v**2)


def in_a_list(u, vs):
    u += 1.0
    return np.sum(u * vs[0])


def renamed_first(u, v):
    u = u * 2.0
    u += 1.0
    return np.sum(u * v)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (scaled, (U, U)),
        (scaled, (U, U[::-1])),
        (scaled, (A[0], A[:, 0])),
        (overwritten_unread, (U, U[:])),
        (in_a_list, (U, [U])),
    ],
)
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.value_and_grad, s2sad.hessian])
def test_the_same_memory_twice_is_refused(function: Any, args: Any, make: Any) -> None:
    with pytest.raises(s2sad.ArgumentError, match="are one array, and u is written to"):
        make(function)(*args)


def moved(d, each, vs, v):
    d["a"][0] = each[1]
    return np.sum(d["a"] * each) + np.sum(d["b"] * v) + np.sum(vs[0])


@pytest.mark.parametrize(
    ("function", "args", "shared"),
    [
        (scaled, (U, 2.0 * U), [(U, U), (U, U[::-1])]),
        (in_a_list, (U, [2.0 * U]), [(U, [U]), (U, [2.0 * U, U[:]])]),
        (
            moved,
            ({"a": U, "b": 2.0 * U}, U + 1.0, [U + 2.0], U + 3.0),
            [({"a": U, "b": U}, U + 1.0, [U + 2.0], U + 3.0)]
            + [({"a": U, "b": 2.0 * U}, each, [U + 2.0], U + 3.0) for each in (U, U[::-1])]
            + [({"a": U, "b": 2.0 * U}, U + 1.0, [U + 2.0, U], U + 3.0)],
        ),
    ],
)
def test_a_saved_text_refuses_it_too(function: Any, args: Any, shared: Any) -> None:
    for make, more in ((s2sad.grad, ()), (s2sad.value_and_grad, ()), (s2sad.jvp, args[:1])):
        made = make(function, like=args)
        space: dict[str, Any] = {}
        exec(made.source, space)
        text = space[f"{function.__name__}_{make.__name__}"]
        given, wanted = (f(*copy.deepcopy(args), *more) for f in (text, made))
        assert repr(given) == repr(wanted)
        for each in shared:
            with pytest.raises(ValueError, match="shares no memory with"):
                text(*each, *more)


def test_columns_of_a_matrix_lie_apart() -> None:
    space: dict[str, Any] = {}
    exec(s2sad.grad(scaled, (0, 1), like=(U, U)).source, space)
    u_bar, v_bar = space["scaled_grad"](A[:, 0], A[:, 1])
    assert np.array_equal(u_bar, 2.0 * A[:, 1]) and np.array_equal(v_bar, 2.0 * A[:, 0])


def test_so_it_is_at_second_order() -> None:
    with pytest.raises(s2sad.ArgumentError, match="are one array"):
        s2sad.jvp(s2sad.grad(scaled))(U, U, U)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (scaled, (U, U.copy())),
        (scaled, (A[:, 0], A[:, 1])),
        (scaled, (A.ravel()[::2], A.ravel()[1::2].repeat(2)[:5])),
        (renamed_first, (U, U)),
    ],
)
def test_what_is_apart_goes_through(function: Any, args: Any) -> None:
    found = s2sad.value_and_grad(function)(*args)
    apart = tuple(each.copy() for each in args)
    np.testing.assert_array_equal(found[1], s2sad.grad(function)(*apart))
    assert found[0] == function(*apart)


def test_a_tangent_may_be_the_argument() -> None:
    value, tangent = s2sad.jvp(scaled)(U, U + 1.0, U)
    assert value == pytest.approx(2.0 * np.sum(U * (U + 1.0)))
    assert tangent == pytest.approx(value)


class Held:
    def __init__(self, w: Any) -> None:
        self.w = w


def beside_an_object(u, held):
    u *= 2.0
    return np.sum(u * held.w)


def test_what_an_object_holds_is_seen_too() -> None:
    assert s2sad.check_grad(beside_an_object, (U, Held(U.copy())))
    with pytest.raises(s2sad.ArgumentError, match=r"u and held\.w are one array"):
        s2sad.grad(beside_an_object)(U, Held(U))


def of_any_number(u, *others):
    u += 1.0
    return np.sum(u * others[1])


def test_arguments_without_names_are_seen_too() -> None:
    with pytest.raises(s2sad.ArgumentError, match="are one array"):
        s2sad.grad(of_any_number)(U, 1.0, U)


def one_field_of_two(n):
    n.a[0] *= 3.0
    return np.sum(n.a * n.b)


def a_field_and_an_array(p, w):
    p.w[0] *= 3.0
    return np.sum(p.w * w)


def a_field_made_anew(p, q):
    p.a = p.a * 2.0
    return p.a * q.a


def appended(u, v):
    u.append(1.0)
    return sum(v) * u[0]


def a_key_made_anew(d, e):
    d["a"] = d["a"] * 2.0
    return d["a"] * e["a"]


def fields_of_fields(n):
    n.x.a *= 3.0
    return n.x.a * n.y.a


def by_a_method(p, q):
    p.double()
    return p.a * q.a


class Doubled:
    def __init__(self, a: float) -> None:
        self.a = a

    def double(self) -> None:
        self.a = 2.0 * self.a


@pytest.mark.parametrize(
    ("function", "shared", "apart"),
    [
        (one_field_of_two, lambda: (Namespace(a=U, b=U),), lambda: (Namespace(a=U, b=U + 0),)),
        (one_field_of_two, lambda: (Namespace(a=U, b=U[::-1]),), None),
        (a_field_and_an_array, lambda: (Namespace(w=U), U), lambda: (Namespace(w=U), U + 0)),
        (a_field_made_anew, lambda: (p := Namespace(a=1.5), p), None),
        (appended, lambda: (v := [1.0, 2.0], v), lambda: ([1.0, 2.0], [1.0, 2.0])),
        (a_key_made_anew, lambda: (d := {"a": 1.5}, d), lambda: ({"a": 1.5}, {"a": 1.5})),
        (fields_of_fields, lambda: (Namespace(x=(p := Namespace(a=1.5)), y=p),), None),
        (by_a_method, lambda: (p := Doubled(1.5), p), lambda: (Doubled(1.5), Doubled(1.5))),
    ],
)
def test_one_object_twice_is_refused(function: Any, shared: Any, apart: Any) -> None:
    with pytest.raises(s2sad.ArgumentError, match=r"are one (array|object), and .* is written to"):
        s2sad.value_and_grad(function)(*shared())
    if apart is not None and apart():
        value, _ = s2sad.value_and_grad(function)(*apart())
        assert value == pytest.approx(function(*copy.deepcopy(apart())))


def holds_it_twice(n):
    n.count = n.count + 1.0
    return np.sum(n.a * n.b) * n.count


def test_what_is_not_written_may_be_shared() -> None:
    found = s2sad.grad(holds_it_twice)(Namespace(a=U, b=U, count=1.0))
    np.testing.assert_allclose(found.a, 2.0 * U)
    np.testing.assert_allclose(found.b, 2.0 * U)


WEIGHTS = np.array([1.0, 2.0])


def reads_a_global(x):
    x[0] *= 3.0
    return np.sum(x * WEIGHTS)


def reads_a_default(x, y=WEIGHTS):
    x[0] *= 3.0
    return np.sum(x * y)


def reading_a_cell() -> tuple[Any, Any]:
    held = np.array([1.0, 2.0])

    def inside(x):
        y = x
        y += held
        return np.sum(x * held)

    return inside, held


class Reading:
    def __init__(self) -> None:
        self.w = np.array([1.0, 2.0])

    def weighted(self, x):
        x[0] *= 3.0
        return np.sum(x * self.w)


def bound_to_one() -> tuple[Any, Any]:
    owner = Reading()
    return owner.weighted, owner.w


@pytest.mark.parametrize(
    "made",
    [
        lambda: (reads_a_global, WEIGHTS),
        lambda: (reads_a_global, WEIGHTS[::-1]),
        lambda: (reads_a_default, WEIGHTS),
        reading_a_cell,
        bound_to_one,
    ],
)
def test_what_the_function_reads_outside_of_it_is_seen_too(made: Any) -> None:
    function, held = made()
    with pytest.raises(s2sad.ArgumentError, match="are one array, and x is written to"):
        s2sad.value_and_grad(function)(held)
    value, _ = s2sad.value_and_grad(function)(held + 0.5)
    assert value == pytest.approx(function(held + 0.5))
