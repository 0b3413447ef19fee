"""What varies before a loop, checkpointed or not, and has another value behind it or in each pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten

STEP = 1e-6


def constant_in_each_pass(x: Any, n: int) -> Any:
    z = x * 2.0
    for k in range(n):
        z = 3.0 * k
        x = x * 1.1
    return z + x**2


def while_there_is_one(x: Any, n: int) -> Any:
    z, k = x * 2.0, 0
    while k < n:
        z = 3.0 * k
        x = np.sin(x)
        k += 1
    return z + x**2


def only_at_times(x: Any, n: int) -> Any:
    z, w = x * 2.0, x
    for k in range(n):
        if k % 2 == 0:
            z = 3.0 * k
        w = w * 1.01
    return z + w**2


def read_a_pass_later(x: Any, n: int) -> Any:
    z, q = x * 2.0, x
    for _ in range(n):
        q = z
        z = 3.0
        x = x * 1.1 + q
    return z * q + x**2


def left_early(x: Any, n: int) -> Any:
    z = x * 2.0
    for k in range(n):
        z = 3.0 * k
        if k == 1:
            break
        x = x * 1.1
    return z + x**2


def an_array(x: Any, n: int) -> Any:
    z = x * np.ones(3)
    for k in range(n):
        z = np.zeros(3)
        z[k % 3] = k
        x = x * 1.1
    return np.sum(z) * x


def loop_after_loop(x: Any, n: int) -> Any:
    z, y = 2.0 * x, x
    for _ in range(n):
        y = y + 0.1
        z = y
    for _ in range(n):
        z = 1.0
    return z + y


def name_of_the_items(x: Any, n: int) -> Any:
    z = x * 2.0
    for z in range(n):  # noqa: B007
        x = x * 1.1
    return z + x**2


def only_the_name_of_the_items(x: Any, n: int) -> Any:
    z = x * 2.0
    for z in np.linspace(0.5, 1.5, 5)[:n]:  # noqa: B007
        pass
    return z * x


def one_of_several_names(x: Any, n: int) -> Any:
    z, k = x * 2.0, x
    for k, z in enumerate(np.linspace(0.5, 1.5, 5)[:n]):  # noqa: B007
        x = np.sin(x)
    return z * x + k


def in_pairs(x: Any, n: int) -> Any:
    z = x * 2.0
    for (y, z), _ in zip([(0.5, 2.0)] * 5, range(n), strict=False):
        x = x + y * z
    return z * x


def left_at_the_first(x: Any, n: int) -> Any:
    z = x * 2.0
    for z in range(1, n + 1):
        if z * x > 2.0:
            break
    return z * x + z


def returned_from_inside(x: Any, n: int) -> Any:
    z = x * 2.0
    for z in range(2, n + 2):
        return z * x
    return z


def items_that_vary(x: Any, n: int) -> Any:
    z = x * 2.0
    for z in [x * 3.0, 4.0, x, x**2, 1.0][:n]:
        x = x + 0.1 * z
    return z * x


def named_by_a_case(x: Any, n: int) -> Any:
    z = x * 2.0
    for k in range(n):
        match k:
            case 0:
                pass
            case z:
                pass
    return z * x


def part_of_a_case(x: Any, n: int) -> Any:
    z = x * 2.0
    match [n, 3]:
        case [0, z]:
            y = 1.0
        case [1, _]:
            y = 3.0
        case _:
            y = 2.0
    return z * x * y


PROGRAMS = [
    constant_in_each_pass,
    while_there_is_one,
    only_at_times,
    read_a_pass_later,
    left_early,
    an_array,
    loop_after_loop,
    name_of_the_items,
    only_the_name_of_the_items,
    one_of_several_names,
    in_pairs,
    left_at_the_first,
    returned_from_inside,
    items_that_vary,
    named_by_a_case,
    part_of_a_case,
]


@pytest.mark.parametrize("schedule", [None, "sqrt", s2sad.Every(2), s2sad.Recompute()], ids=str)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_a_pass_overwrites_has_no_adjoint_before(
    function: Callable[..., Any], schedule: Any
) -> None:
    made = s2sad.grad(function, wrt="x", checkpoint=schedule)
    space: dict[str, Any] = {}
    exec(made.source, space)
    for n in (0, 1, 2, 5):
        ahead, behind = function(0.7 + STEP, n), function(0.7 - STEP, n)
        expected = (ahead - behind) / (2.0 * STEP)
        assert made(0.7, n) == pytest.approx(expected, rel=1e-6), made.source
        assert space[made.__name__](0.7, n) == pytest.approx(expected, rel=1e-6), made.source


# ---------------------------------------------------------------------------- parts of one array


def rows_of_what_is_written(u: Any, a: Any) -> Any:
    a[1, 0] = 0.5
    for v in a:
        u = u * v[0]
    return np.sum(u) + v[1]


def rows_of_a_copy(u: Any, a: Any) -> Any:
    a = a.copy()
    a[1] *= 0.5
    for k in range(len(a)):
        v = a[k]
        u = u * v[0] + v[1]
    return np.sum(u) + v[1] ** 2


def row_before(u: Any, a: Any) -> Any:
    a[0] *= u[0]
    for k in range(1, len(a)):
        v = a[k - 1]
        a[k] = a[k] * v[0] ** 2
    return np.sum(a * u) + v[0]


def turned_behind_the_loop(u: Any, a: Any) -> Any:
    y = a[0] * 1.0
    for k in range(1, len(u)):
        y[k] = u[k] * y[k - 1] ** 2
    y = y[::-1]
    return np.sum(y * a[1])


def another_row_behind_the_loop(u: Any, a: Any) -> Any:
    y = a * 1.0
    z = y[0]
    for k in range(1, len(u)):
        z[k] = u[k] * z[k - 1] ** 2
    z = y[1]
    return np.sum(y * y) + z[0]


ROWS = [
    rows_of_what_is_written,
    rows_of_a_copy,
    row_before,
    turned_behind_the_loop,
    another_row_behind_the_loop,
]
U = np.array([0.9, 0.7, 1.2, 1.1])
A = np.array([[0.8, 1.1, 0.7, 0.9], [1.3, 0.6, 0.4, 1.2], [0.5, 1.4, 0.9, 0.8]])


@pytest.mark.parametrize("like", [True, False])
@pytest.mark.parametrize("function", ROWS, ids=lambda f: f.__name__)
def test_a_name_that_holds_another_part_in_each_pass(
    function: Callable[..., Any], like: bool
) -> None:
    made = s2sad.grad(function, ("u", "a"), like=(U, A) if like else None)
    expected = differences(function, (U, A), (0, 1), 1.0)
    assert compare(flatten(made(U.copy(), A.copy()), (U, A)), expected) is None, made.source


def half_at_first(u: Any, _: Any) -> Any:
    u[0] = 0.5
    return u


def more_at_second(u: Any) -> None:
    u[1] += np.hypot(u[1], 3.0)


def written_behind_as_many_passes_as_elements(m: Any, u: Any) -> Any:
    if m[0] <= m[1]:
        u = half_at_first(u, u)
    for i in range(len(u)):
        if m[i] > 1.0:
            return half_at_first(u, u)
        m[i] += np.tanh(m[i])
    more_at_second(u)
    u[0] *= 0.3 * m.sum()
    return u


@pytest.mark.parametrize("m", [(0.1, 0.2), (0.2, 0.1), (0.1, 1.2), (1.2, 0.1)])
def test_a_length_outlives_what_is_written_to_on_one_side(m: Any) -> None:
    m, u = np.array(m), np.array([0.3, 0.4])
    seed = np.array([1.0, -0.5])
    found = s2sad.vjp(written_behind_as_many_passes_as_elements, wrt=("m", "u"))(m, u, seed)
    both = np.concatenate([m, u])

    def along(at: Any) -> Any:
        return seed @ written_behind_as_many_passes_as_elements(at[:2].copy(), at[2:].copy())

    slopes = [(along(both + step) - along(both - step)) / (2 * STEP) for step in STEP * np.eye(4)]
    assert np.allclose(np.concatenate(found), slopes, atol=1e-7)
