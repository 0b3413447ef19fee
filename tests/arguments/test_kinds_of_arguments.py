"""What a text is made for: arguments of one kind have one text, those of two kinds have two."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.types.kinds import kind_of
from tests.oracles import standalone
from tests.texts import defined

U = np.ones(3)
ALIKE = [
    (2.5, 7.0),
    (3, 4),
    (U, np.zeros(5)),
    (np.ones((1, 4)), np.zeros((1, 2))),
    ([U, 2.0 * U], [U]),
    ([1.0, 2.0], [3.0]),
    (["a", "b"], ["c", "d", "e"]),
    ([("a", U), ("b", U)], [("c", U), ("d", U)]),
    ({"k": U}, {"k": np.ones(2)}),
    (SimpleNamespace(k=1.0), SimpleNamespace(k=2.0)),
]
APART = [
    (2.5, 3),
    (2.5, np.float64(2.5)),
    (np.float32(1), np.float64(1)),
    (True, False),
    (True, np.bool_(True)),
    ("a", "b"),
    (None, 0.0),
    (U, np.ones(1)),
    (U, np.ones((3, 2))),
    (U, U.astype("float32")),
    ([U, 1.0], [U]),
    ((U, U), (U,)),
    ((U,), [U]),
    ({"k": U}, {"j": U}),
    (SimpleNamespace(k=1.0), SimpleNamespace(k=U)),
    (["a", "a"], ["a", "b"]),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_arguments_of_one_kind(one: Any, other: Any) -> None:
    assert kind_of(one) == kind_of(other)
    assert hash(kind_of(one)) == hash(kind_of(other))


@pytest.mark.parametrize(("one", "other"), APART)
def test_arguments_of_two_kinds(one: Any, other: Any) -> None:
    assert kind_of(one) != kind_of(other)


def test_what_holds_itself_has_a_kind() -> None:
    held: list[Any] = [1.0]
    held.append(held)
    assert kind_of(held) == (list, frozenset({float, list}))


def powers(n: int) -> Any:
    if n == 2:

        def power(x: Any) -> Any:
            return x**2
    else:

        def power(x: Any) -> Any:
            return x**3

    return power


@pytest.mark.parametrize("held", [lambda f: {"power": f}, lambda f: SimpleNamespace(power=f)])
def test_functions_of_one_name_in_what_is_handed_over_are_told_apart(held: Any) -> None:
    """The second one was taken for the first: only their names were compared."""

    def applied(x: Any, by: Any) -> Any:
        return by["power"](x) if isinstance(by, dict) else by.power(x)

    derivative = s2sad.grad(applied)
    assert derivative(2.0, held(powers(2))) == 4.0
    assert derivative(2.0, held(powers(3))) == 12.0


def test_a_text_for_each_kind() -> None:
    df = s2sad.grad(lambda x, flag: x * x if flag else x)
    assert (df(2.0, True), df(3.0, True), df(3.0, False)) == (4.0, 6.0, 1.0)


@pytest.mark.parametrize(
    "test",
    [
        "np.isrealobj(x)",
        "not np.iscomplexobj(x)",
        "np.issubdtype(x.dtype, np.floating)",
        "not np.issubdtype(x.dtype, np.complexfloating)",
        "np.can_cast(x.dtype, np.float64)",
    ],
)
def test_what_kind_of_numbers_an_array_holds_is_known(test: str) -> None:
    """The way for complex numbers made the result complex, though it is never taken."""
    function = defined(
        f"""
def f(x):
    if {test}:
        made = np.zeros(2)
    else:
        made = np.zeros(2, dtype=complex)
    made[0] = x[0] * x[1]
    return np.sum(made)
"""
    )
    x = np.array([2.0, 3.0])
    np.testing.assert_array_equal(s2sad.grad(function)(x), [3.0, 2.0])
    np.testing.assert_array_equal(s2sad.grad(function, like=(x,))(x), [3.0, 2.0])


def test_a_text_for_real_numbers_is_not_run_for_complex_ones() -> None:
    """A number that is not differentiated decides by its kind, too."""

    def scaled(x: Any, c: Any) -> Any:
        return np.sum(x) * (2.0 if np.iscomplexobj(c) else 3.0)

    x, derivative = np.ones(2), s2sad.grad(scaled, "x")
    given = (1.0, np.ones(3), 1j, np.ones(3) * 1j, 2)
    assert [derivative(x, c)[0] for c in given] == [3.0, 3.0, 2.0, 2.0, 3.0]
    run = standalone(s2sad.grad(scaled, "x", like=(x, np.ones(3))).source, "scaled_grad")
    with pytest.raises(ValueError, match="made for"):
        run(x, np.ones(3) * 1j)
