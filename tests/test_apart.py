"""With nothing kept or saved where it is lost, values in slots of their own make up for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import s2sad
import s2sad.legacy.checkpoint
import s2sad.legacy.derive
from s2sad.legacy.apart import kept_apart
from s2sad.legacy.blocks import all_defines
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Op, Var
from s2sad.legacy.scope import numbers_after
from s2sad.legacy.verify import verify
from tests.programs.entry import Entry, assert_good
from tests.programs.table import ALL
from tests.texts import defined, dump, lines

ROWS = [entry for entry in ALL if not entry.gap]


@pytest.fixture
def careless(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Let every name seem to last, and what `verify` finds lost be kept apart alone."""
    mended: list[Any] = []

    def counted(program: Any, lost: Any, numbers: Any) -> Any:
        mended.append(lost)
        return kept_apart(program, lost, numbers)

    monkeypatch.setattr(s2sad.legacy.checkpoint, "_lasts", lambda home, writes: True)
    monkeypatch.setattr(s2sad.legacy.derive, "_primal_of", lambda lost, plan: frozenset())
    monkeypatch.setattr(s2sad.legacy.derive, "kept_apart", counted)
    return mended


# `del left[0]` is copied, and has one name for what it reads and what it leaves
COPIED = frozenset({"deleted_and_cleared"})
SOME = [
    pytest.param(entry, id=entry.label, marks=[pytest.mark.slow] if place % 15 else [])
    for place, entry in enumerate(ROWS)
    if entry.label not in COPIED
]


@pytest.mark.parametrize("entry", SOME)
def test_right_though_nothing_is_kept(entry: Entry, careless: list[Any]) -> None:
    assert_good(entry)


def test_names_of_what_is_kept_apart(careless: list[Any]) -> None:
    source = "def f(x):\n    y = np.sin(x)\n    y = y * y * x\n    y = y * y\n    return y"
    text = s2sad.grad(defined(source)).source
    assert len(careless) == 1
    assert "y_own" in text


def test_a_value_that_is_overwritten() -> None:
    program = normalise(defined("def f(x):\n    y = x * x\n    y = y + x\n    return y"))
    program = replace(program, result=Op("*", (Var("y", 1), Var("y", 2))))
    program = kept_apart(program, verify(program).lost, numbers_after(program))
    assert dump(program) == lines(
        """
        f(x@0)
          y@1 = x@0 * x@0
          y~own1@1 = y@1
          y@2 = y~own1@1 + x@0
          return y~own1@1 * y@2
        """
    )
    assert verify(program).problems == []


LOST = {
    "after a loop": """
        def f(x, n):
            y = x * x
            z = y
            for i in range(n):
                y = y * x
            return z
        """,
    "after a branch": """
        def f(x, n):
            y = x * x
            if n > 2:
                y = x
            else:
                y = y + 1.0
            return y
        """,
    "after a break": """
        def f(x, n):
            y = x * x
            for i in range(n):
                if y > 3.0:
                    y = x
                    break
                y = y * x
            return y
        """,
}


@pytest.mark.parametrize("source", LOST.values(), ids=LOST.keys())
def test_what_merges_and_loops_take_is_put_back(source: str) -> None:
    """Whatever is kept apart, though it is not lost, the program stays consistent."""
    program = normalise(defined(source))
    numbers = numbers_after(program)
    program = replace(program, result=Op("*", (program.result, Var("y", 1))))
    made = [var for stmt in program.body for var in all_defines(stmt)]
    for var in made:
        assert verify(kept_apart(program, [var, Var("y", 1)], numbers)).problems == []
    assert verify(kept_apart(program, made, numbers)).problems == []
