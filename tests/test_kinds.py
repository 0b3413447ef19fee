"""What a text is made for: arguments of one kind have one text, those of two kinds have two."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.types.kinds import kind_of

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
    assert kind_of(held).parts == (kind_of(1.0), kind_of(object()))


def test_a_text_for_each_kind() -> None:
    df = s2sad.grad(lambda x, flag: x * x if flag else x)
    assert (df(2.0, True), df(3.0, True), df(3.0, False)) == (4.0, 6.0, 1.0)
