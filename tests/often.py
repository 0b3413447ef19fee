"""Of long tables some rows always run; the others run with the slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def often(rows: Iterable[Any], one_in: int) -> list[Any]:
    """Return rows as parameters of which `one_in` so many always runs."""
    return [
        pytest.param(*row if isinstance(row, tuple) else (row,), marks=_marks(place % one_in))
        for place, row in enumerate(rows)
    ]


def _marks(place: int) -> tuple[pytest.MarkDecorator, ...]:
    return (pytest.mark.slow,) if place else ()
