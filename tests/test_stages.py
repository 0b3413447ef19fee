"""Every stage prints as Python that runs and gives what the function gives."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import ArgumentError, InternalError, S2sadError
from s2sad.legacy.normalise import normalise
from s2sad.legacy.stages import STAGES
from tests.programs import primal
from tests.programs.entry import Entry
from tests.programs.table import ALL
from tests.texts import defined, run

PRIMAL = ("normalise", "facts", "activity", "prepare")


def once() -> Iterator[Entry]:
    """Yield one row for each function of the tables."""
    seen = set()
    for entry in ALL:
        if entry.function not in seen:
            seen.add(entry.function)
            yield entry


def has_stages(entry: Entry) -> bool:
    """Tell whether a program that may be refused is not refused as it is read."""
    try:
        normalise(entry.function)
    except S2sadError:
        return not entry.may_refuse
    return True


def read_by(function: Any) -> Iterator[Any]:
    """Yield what a function, and the functions that it reads, read of their module."""
    space, codes, seen = function.__globals__, [function.__code__], {function.__code__}
    while codes:
        code = codes.pop()
        values = [space[name] for name in code.co_names if name in space]
        yield from values
        inner = [each for each in code.co_consts if isinstance(each, CodeType)]
        called = [value.__code__ for value in values if of_the_module(value, space)]
        codes += [each for each in (*inner, *called) if each not in seen]
        seen.update(codes)


def of_the_module(value: Any, space: dict[str, Any]) -> bool:
    return isinstance(value, FunctionType) and value.__globals__ is space


def holds_no_text(entry: Entry) -> bool:
    """Tell whether a function reads a class of its module, or a wrapped function."""
    return any(
        isinstance(value, type) or hasattr(value, "__wrapped__")
        for value in read_by(entry.function)
    )


# a table of functions, a class or a wrapper with a memory is in no text; what has these is
# refused later, and what is raveled or added to itself is taken to be a number without examples
NO_TEXT = frozenset(
    "from_a_table calls_counted looked_up looked_up_later looked_up_by_texts looked_up_among_lambdas "
    "same_array_again asked_twice of_a_while_left_early without_end "
    "deviation_of_two raveled_in_a_while written_in_a_tuple added_to_itself_twice "
    "cached_reads_through_another written_through_a_second_dict between best_of_a_table "
    "by_choice an_argument settings_by_default other_made_later".split()
)
EVERY = tuple(
    entry
    for entry in once()
    if entry.function.__name__ not in NO_TEXT and has_stages(entry) and not holds_no_text(entry)
)
LABELS = [entry.label for entry in EVERY]
# one in four always runs, all with the slow tests; those that are to fail elsewhere go through
SOME = [
    pytest.param(entry, id=entry.label, marks=[pytest.mark.slow] if place % 4 else [])
    for place, entry in enumerate(EVERY)
]


# of these, half with example arguments and half without
WAYS = [
    pytest.param(
        entry,
        known,
        id=f"{entry.label}-{'example' if known else 'generic'}",
        marks=[pytest.mark.slow] if place % 4 or known == bool(place // 4 % 2) else [],
    )
    for place, entry in enumerate(EVERY)
    for known in (True, False)
]


def flat(value: Any) -> list[float]:
    if isinstance(value, list | tuple):
        return [number for part in value for number in flat(part)]
    return [float(number) for number in np.ravel(value)]


def gives(function: Any, args: tuple[Any, ...]) -> list[float]:
    return flat(function(*copy.deepcopy(args)))


@pytest.mark.parametrize("entry", SOME)
def test_normalise_runs_and_gives_the_same(entry: Entry) -> None:
    """To the last bit: the same operations in the same order."""
    text = s2sad.show(entry.function, after="normalise", wrt=entry.wrt)
    shown = run(text, entry.function.__name__)
    if entry.may_refuse and gives(shown, entry.args) != gives(entry.function, entry.args):
        # what is seen under another name is refused once the facts are known
        with pytest.raises(s2sad.AliasError):
            _ = s2sad.vjp(entry.function, entry.wrt, like=entry.args).source
        return
    assert gives(shown, entry.args) == gives(entry.function, entry.args), text


@pytest.mark.parametrize(("entry", "known"), WAYS)
def test_prepare_runs_and_gives_the_same(entry: Entry, known: bool) -> None:
    like = entry.args if known else None
    try:
        text = s2sad.show(entry.function, after="prepare", wrt=entry.wrt, like=like)
    except InternalError:
        raise
    except S2sadError:
        try:
            made = s2sad.vjp(entry.function, entry.wrt, like=like)
            _ = made.source
        except S2sadError:
            return
        assert made.core == "rooms"  # the stages are those of the first core
        return
    shown = run(text, entry.function.__name__)
    assert gives(shown, entry.args) == gives(entry.function, entry.args), text


@pytest.mark.parametrize("stage", PRIMAL)
def test_stages_of_the_targets(stage: str) -> None:
    u = np.array([0.3, -0.4, 0.9, 0.2])
    text = s2sad.show(primal.smooth, after=stage, wrt="u", like=(u, 0.3))
    shown = run(text, "smooth")
    assert gives(shown, (u, 0.3)) == gives(primal.smooth, (u, 0.3))


def test_facts_stand_above_the_text() -> None:
    function = defined(
        """
        def f(u, c, n):
            v = c * u[1:-1]
            A = np.outer(v, v)
            for i in range(n):
                c = c * A
            return c
        """
    )
    text = s2sad.show(function, after="facts", like=(np.array([0.3, -0.4, 0.9]), 0.3, 2))
    assert [line for line in text.splitlines() if line.startswith("# ")] == [
        "# u: array of float64 (u.0)",
        "# c: float or unknown or array of float64",
        "# n: int",
        "# v: array of float64 (u.0 - 2)",
        "# A: array of float64 (u.0 - 2, u.0 - 2)",
        "# i: int",
    ]


def test_active_names_stand_above_the_text() -> None:
    function = defined("def f(x, y):\n    a = x * y\n    b = y * y\n    return a * b")
    text = s2sad.show(function, after="activity", wrt="x")
    first = text.splitlines()[0]
    assert first.startswith("# active:")
    names = first.partition(":")[2].replace(" ", "").split(",")
    assert "x" in names and "a" in names
    assert "y" not in names and "b" not in names


def test_checkpoint_is_the_derivative_under_a_table() -> None:
    function = defined("def f(x, n):\n    for i in range(n):\n        x = np.sin(x)\n    return x")
    text = s2sad.show(function, after="checkpoint", like=(0.5, 3))
    derivative = s2sad.grad(function, like=(0.5, 3)).source
    assert text.endswith(derivative)
    table = text[: -len(derivative)].splitlines()
    assert table and all(line.startswith("# ") for line in table)
    assert any("saved" in line for line in table)


def test_emit_is_the_derivative() -> None:
    shown = s2sad.show(primal.newton_sqrt, after="emit", like=(3.0, 1e-9))
    assert shown == s2sad.grad(primal.newton_sqrt, like=(3.0, 1e-9)).source


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_every_stage_is_python(stage: str, mode: str) -> None:
    u = np.array([0.3, -0.4, 0.9, 0.2])
    text = s2sad.show(primal.first_crossing, after=stage, mode=mode, like=(u, 0.5, 0.1))
    compile(text, "<stage>", "exec")


def test_user_names_and_helpers_stay() -> None:
    source = """
        def square(y):
            return y * y

        def f(x, left):
            for k in range(3):
                if x > left:
                    return square(x)
                x = 2.0 * x
            return x
        """
    function = defined(source)
    text = s2sad.show(function, after="normalise")
    assert "left" in text and "square" in text


def test_a_stage_that_does_not_exist() -> None:
    with pytest.raises(ArgumentError) as caught:
        s2sad.show(primal.huber, after="optimise")
    assert "normalise" in str(caught.value)
