"""One row of a table of programs: a function, what to call it with, and what is asked.

Entry(smooth, (u, 0.2), wrt=(0, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.fuzz.case import Case
from tests.fuzz.score import Score, score_function
from tests.oracles import Args


@dataclass(frozen=True, slots=True)
class Entry:
    """A program of a table; `may_refuse` where right and refused are both good answers.

    `gap` says what is known to be missing; the row must fail until it is there. `like_only`
    is for arguments that the text for any arguments is not made for: lists and dicts.
    """

    function: Callable[..., Any]
    args: Args
    wrt: tuple[int, ...] = (0,)
    seed: Any = 1.0
    mode: str = "grad"
    may_refuse: bool = False
    note: str = ""
    gap: str = ""
    like_only: bool = False

    @property
    def label(self) -> str:
        """Return the name of the row in a test report."""
        return self.function.__name__ + (f"-{self.note}" if self.note else "")


def judged(entry: Entry) -> Score:
    """Return the score of a row."""
    case = Case(entry.label, "", entry.args, entry.wrt, entry.seed, entry.mode)
    return score_function(entry.function, case, any_kind=not entry.like_only)


def assert_good(entry: Entry) -> None:
    """Fail unless the row's derivatives are right, or refused where that is allowed."""
    found = judged(entry)
    allowed = {"right", "refused"} if entry.may_refuse else {"right"}
    told = f"{found.verdict} at {found.stage}: {found.reason}\n{found.detail}\n{found.source}"
    assert found.verdict in allowed, told


def labels(entries: Iterable[Entry]) -> list[str]:
    """Return the names of rows."""
    return [entry.label for entry in entries]


def rows(entries: Iterable[Entry]) -> list[Any]:
    """Return rows as parameters of a test that goes as far as the emitted text."""
    return [pytest.param(entry, id=entry.label, marks=_marks(entry)) for entry in entries]


def _marks(entry: Entry) -> list[Any]:
    return [pytest.mark.xfail(reason=entry.gap, strict=True)] if entry.gap else []


def numbers(*shape: int, start: float = 0.3) -> np.ndarray:
    """Return numbers between -1 and 1 that are neither equal, nor round, nor sorted."""
    count = int(np.prod(shape))
    steps = start + 0.7548776662466927 * np.arange(1, count + 1)
    return (2.0 * (steps % 1.0) - 1.0).reshape(shape)
