"""A list of which nothing is known but that it grows is copied as a list."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

import s2sad


def by_default(x, kept=[]):  # noqa: B006
    kept.append(x)
    return x * len(kept)


def made_where_there_is_none(x, kept=None):
    kept = [] if kept is None else kept
    kept.append(x)
    return sum(kept) * len(kept)


def under_another_name(x, given):
    kept = given
    for _ in range(2):
        kept.append(x)
    return x * len(kept) * kept[0]


def from_the_end(x, given):
    return x * given.pop() * len(given)


@pytest.mark.parametrize(
    ("function", "args", "expected", "refused"),
    [
        (by_default, (1.3,), 1.0, "kept without an example"),
        (made_where_there_is_none, (1.3,), 1.0, ""),
        (under_another_name, (1.3, [2.0]), 6.0, "the attribute append of what may be"),
        (from_the_end, (1.3, [2.0, 3.0]), 3.0, "the attribute pop of what may be"),
    ],
)
def test_the_text_runs(function: Any, args: Any, expected: float, refused: str) -> None:
    """Of a list of which nothing is known some texts are refused where there is no example."""
    space: dict[str, Any] = {}
    if refused:
        with pytest.raises(s2sad.S2sadError, match=refused):
            s2sad.grad(function).source  # noqa: B018
    exec(s2sad.grad(function, like=args if refused else None).source, space)
    given = [part[:] if isinstance(part, list) else part for part in args]
    assert space[f"{function.__name__}_grad"](*given) == expected
    assert given == list(args)


# ---------------------------------------------------------------- by an operator, where it stands


def set_with_two_names(x):
    s = {1, 2}
    t = s
    t |= {3}
    return x * len(s)


def set_made_shorter(x):
    s = {1, 2}
    t = s
    t -= {1}
    return x * len(s)


def queue_with_two_names(x):
    s = deque([1.0])
    t = s
    t += [3.0]
    return x * len(s)


def set_given_to_a_function(x):
    def fill(v):
        v |= {3}

    s = {1, 2}
    fill(s)
    return x * len(s)


def set_in_a_dict(x):
    s = set()
    d = {"s": s}
    d["s"] |= {2}
    return x * len(s)


def list_in_a_list(x):
    s = [1.0]
    rows = [s]
    rows[0] += [2.0]
    return x * len(s)


def list_in_a_tuple(x):
    s = [1.0]
    pair = (s, x)
    a, _ = pair
    a += [2.0]
    return x * len(s)


@pytest.mark.parametrize(
    "function",
    [
        set_with_two_names,
        set_made_shorter,
        queue_with_two_names,
        set_given_to_a_function,
        set_in_a_dict,
        list_in_a_list,
        list_in_a_tuple,
    ],
)
def test_what_an_operator_makes_longer_is_right_or_refused(function: Any) -> None:
    """Under its other name, too."""
    try:
        slope = s2sad.grad(function)(1.3)
    except s2sad.Unsupported as error:
        assert "a set that is changed in place under two names" in str(error)
        return
    assert slope == pytest.approx((function(1.3 + 1e-6) - function(1.3 - 1e-6)) / 2e-6)


def list_with_two_names(x):
    s = [1.0]
    t = s
    t += [2.0]
    t *= 3
    return x * len(s)


def tuple_with_two_names(x):
    s = (1.0, 2.0)
    t = s
    t += (3.0,)
    return x * len(s)


def set_with_one_name(x):
    s = {1}
    for i in range(4):
        s |= {i}
    return x * len(s)


@pytest.mark.parametrize(
    ("function", "expected"),
    [(list_with_two_names, 6.0), (tuple_with_two_names, 2.0), (set_with_one_name, 4.0)],
)
def test_what_an_operator_makes_longer_is_followed(function: Any, expected: float) -> None:
    assert s2sad.grad(function)(1.3) == expected


def tuple_made_anew_in_a_loop(u):
    xs = (0.5, 0.5)
    for i in range(u.shape[0]):
        xs = (u[i] ** 2, u[i]) + xs  # noqa: RUF005
        if u[i] > 0.4:
            xs = tuple(e * 0.9 for e in xs)
    return sum(e**2 * (k + 1) for k, e in enumerate(xs))


@pytest.mark.parametrize("options", [{}, {"like": (np.ones(3),)}])
def test_a_tuple_that_grows_has_second_derivatives(options: dict[str, Any]) -> None:
    u, dot = np.array([0.2, 0.9, 0.5]), np.array([0.3, -0.2, 0.4])
    slope = s2sad.grad(tuple_made_anew_in_a_loop)
    apart = (slope(u + 1e-6 * dot) - slope(u - 1e-6 * dot)) / 2e-6
    found = s2sad.hvp(tuple_made_anew_in_a_loop, **options)(u, dot)
    np.testing.assert_allclose(found, apart, atol=1e-6)
