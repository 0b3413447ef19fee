"""Values that functions hand to each other through their module: followed, and the module left alone."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, standalone

X = np.array([0.3, 0.5, 0.7])
kept = 2.0
unread = 0.0


def read_kept():
    return kept * 3.0


def read_deeper():
    return 1.0 + read_kept()


def keep(v):
    global kept
    kept = v
    return v


def keep_constant():
    global kept
    kept = 4.0


class Keeper:
    def __init__(self, v):
        global kept
        kept = v


class Spring:
    def configure(self, scale):
        global kept
        kept = scale

    @property
    def scale(self):
        return kept

    def energy(self, x):
        return kept * np.sum(x * x)

    def configured_energy(self, x):
        self.configure(3.0)
        return kept * np.sum(x * x)

    def energy_by_a_property(self, x):
        self.configure(3.0)
        return self.scale * np.sum(x * x)


def to_a_helper(x):
    global kept
    kept = np.sum(x)
    return read_kept()


def to_a_helper_deeper(x):
    global kept
    kept = np.sum(x)
    return read_deeper() * x[0]


def a_constant_to_a_helper(x):
    global kept
    kept = 5.0
    return np.sum(x) * read_kept()


def from_a_helper(x):
    y = keep(np.sum(x))
    return y * kept


def from_a_helper_for_its_effect(x):
    keep(np.sum(x * x))
    return x[0] * kept


def a_constant_from_a_helper(x):
    keep_constant()
    return np.sum(x) * kept


def from_helper_to_helper(x):
    keep(np.sum(x))
    return x[0] * read_kept()


def from_an_object(x):
    Keeper(np.sum(x))
    return x[0] * kept


def written_and_read(x):
    global kept
    kept = np.sum(x)
    return kept * x[0]


def written_in_a_loop(x):
    global kept
    for i in range(3):
        kept = x[i] * 2.0
        x = x * kept
    return np.sum(x)


def written_and_not_read(x):
    global unread
    unread = np.sum(x)
    return np.sum(x * x)


def written_in_a_branch(x):
    y = np.sum(x)
    if y > 0.0:
        global unread
        unread = y
    return y * y


HANDED_OVER = [
    Spring().configured_energy,
    Spring().energy_by_a_property,
    to_a_helper,
    to_a_helper_deeper,
    a_constant_to_a_helper,
    from_a_helper,
    from_a_helper_for_its_effect,
    a_constant_from_a_helper,
    from_helper_to_helper,
    from_an_object,
]
ITS_OWN = [written_and_read, written_in_a_loop, written_and_not_read, written_in_a_branch]
CASES = [(f, like) for f in ITS_OWN for like in (None, (X,))] + [(f, (X,)) for f in HANDED_OVER]


@pytest.mark.parametrize(("function", "like"), CASES)
def test_goes_through_and_leaves_the_module_alone(function, like):
    module = globals()
    expected = differences(function, (X,), [0])
    module["kept"], module["unread"] = before = 2.0, 0.0  # the differences have called it
    gradient = s2sad.grad(function, like=like)
    assert compare(gradient(X), expected) is None
    assert compare(standalone(gradient.source)(X), expected) is None
    tangent = s2sad.jvp(function, like=(X,))
    np.testing.assert_allclose(tangent(X, np.ones(3))[1], np.sum(gradient(X)))
    assert (module["kept"], module["unread"]) == before
    assert "global" not in gradient.source + tangent.source


def test_a_method_that_is_not_called_is_in_nobodys_way():
    assert compare(s2sad.grad(Spring().energy)(X), differences(Spring().energy, (X,), [0])) is None
