"""What belongs to the module and is changed: kept where it remembers, left out where nobody reads it, else refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences

X = np.array([0.3, 0.5, 0.7])
STATE = np.ones(3)
ROWS = [np.ones(3), np.ones(3)]
D: dict[int, Any] = {}
LOG: list[Any] = []
level = 1.0


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the rooms answer alone, with a module in which nothing is remembered yet."""
    monkeypatch.setenv("S2SAD_ALONE", "1")
    D.clear()
    yield
    D.clear()


class Layer:
    def __init__(self) -> None:
        self.w, self.n, self.calls, self.seen = np.array([1.0, 2.0, 3.0]), 2, 0, None

    def run(self, x: Any) -> Any:
        y = 0.0
        for k in range(self.n):
            y = y + np.sum(self.w * x) ** (k + 1)
        return y

    def counted(self, x: Any) -> Any:
        self.calls += 1
        LOG.append(np.sum(x))
        return np.sum(self.w * x**2)

    def kept(self, x: Any) -> Any:
        self.seen = x * 2.0
        return np.sum(self.seen)

    def __call__(self, x: Any) -> Any:
        return np.sum(self.w * x**3)


LAYER = Layer()


def a_row_of_the_module() -> None:
    for row in ROWS:
        row *= 2.0


def by_a_row(x):
    y = x[0] * ROWS[0][0]
    a_row_of_the_module()
    return y * ROWS[0][0]


def under_a_second_name(x):
    s = STATE[:2]
    s += x[0]
    return np.sum(s * x[:2])


def by_how_many_it_has(x):
    if 1 not in D:
        D[1] = 2.0
    return x[0] * len(D)


def by_a_default(x):
    if 1 not in D:
        D[1] = 2.0
    return x[0] * D.get(1, 3.0)


def more_at_first(x):
    y = x[0]
    if 1 not in D:
        D[1] = 2.0
        y = y * x[1]
    return y * D[1]


def what_varies(x):
    if 1 not in D:
        D[1] = np.sum(x)
    return x[0] * D[1]


def what_is_drawn(x):
    if 1 not in D:
        D[1] = np.random.rand()
    return x[0] * D[1]


def what_is_taken_out(x):
    if 1 not in D:
        D[1] = 2.0
    return x[0] * D.pop(1)


def what_is_changed_later(x):
    if 1 not in D:
        D[1] = np.ones(3)
    v = D[1]
    v += x
    return np.sum(v * x)


def set_on_one_way(x):
    global level
    if x[0] > 0.4:
        level = x[0]
    return level * x[1]


def set_in_some_passes(x):
    global level
    for v in x:
        if v > 0.4:
            level = v
    return level * x[1]


REFUSED = [by_a_row, under_a_second_name, by_how_many_it_has, by_a_default, more_at_first]
REFUSED += [what_varies, what_is_drawn, what_is_taken_out, what_is_changed_later]
REFUSED += [set_on_one_way, set_in_some_passes, LAYER.kept]


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_hangs_on_earlier_calls_is_refused(function: Callable[..., Any], make: Any) -> None:
    with pytest.raises(s2sad.Unsupported, match="depends on how often it was called"):
        make(function, like=(X,))


def nodes(n):
    if n not in D:
        D[n] = np.polynomial.legendre.leggauss(n)
    return D[n]


def by_nodes(x):
    t, w = nodes(4)
    return np.sum(w * np.sin(x[0] * (t + 1.0))) * x[1]


def set_before_it_is_read(x):
    global level
    level = 0.0
    for v in x:
        level += v * v
    return level * x[1]


RIGHT = [by_nodes, set_before_it_is_read, LAYER.run, LAYER.counted, LAYER]


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: getattr(f, "__name__", "called"))
def test_what_gives_the_same_in_each_call_goes_through(function: Callable[..., Any]) -> None:
    gradient = s2sad.grad(function, like=(X,))
    before = len(LOG), LAYER.calls
    found, along = gradient(X), s2sad.jvp(function, like=(X,))(X, X)[1]
    assert (len(LOG), LAYER.calls) == before
    assert compare(found, differences(function, (X,), [0])) is None
    np.testing.assert_allclose(along, found @ X)


def test_a_method_follows_the_fields_of_its_object() -> None:
    layer = Layer()
    gradient = s2sad.grad(layer.run)
    changes = [lambda: None, lambda: setattr(layer, "n", 3), lambda: setattr(layer, "w", 2.0)]
    changes += [lambda: setattr(layer, "w", np.ones((2, 3))), lambda: layer.w.fill(3.0)]
    for change in changes:
        change()
        assert compare(gradient(X), differences(layer.run, (X,), [0])) is None
