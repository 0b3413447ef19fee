"""A list of which nothing is known but that it grows is copied as a list."""

from __future__ import annotations

from typing import Any

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
    ("function", "args", "expected"),
    [
        (by_default, (1.3,), 1.0),
        (made_where_there_is_none, (1.3,), 1.0),
        (made_where_there_is_none, (1.3, [2.0]), 2.0),
        (under_another_name, (1.3, [2.0]), 6.0),
        (from_the_end, (1.3, [2.0, 3.0]), 3.0),
    ],
)
def test_the_text_for_any_arguments_runs(function: Any, args: Any, expected: float) -> None:
    space: dict[str, Any] = {}
    exec(s2sad.grad(function).source, space)
    given = [part[:] if isinstance(part, list) else part for part in args]
    assert space[f"{function.__name__}_grad"](*given) == expected
    assert given == list(args)
