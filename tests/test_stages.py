"""What stands after each room is Python that runs: it gives what the function, or its gradient, gives."""

from __future__ import annotations

import copy
import inspect
import re
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.api.explain import STAGES
from s2sad.ir.errors import ArgumentError, NotYet, S2sadError
from tests.oracles import compare, differences
from tests.programs import primal
from tests.programs.dicts.computed_keys import every_pair
from tests.programs.entry import Entry
from tests.programs.table import ALL
from tests.texts import defined, run

OF_FUNCTION = ("lowering", "analysis", "reverse")
OF_GRADIENT = ("checkpoint", "optimize", "emit")
U = np.array([0.3, -0.4, 0.9, 0.2])
HELD = defined(
    """
    def part(y):
        return y * y if y > 0.0 else -y

    def f(x, n):
        held, total = [], 0.0
        for i in range(n):
            if x > 1.0:
                held.append(part(x))
            else:
                total -= x
            x = 0.8 * x
        return total + sum(held)
    """
)
CASES = [
    (primal.smooth, (U, 0.3)),
    (primal.newton_sqrt, (3.0, 1e-9)),
    (primal.first_crossing, (np.array([0.2, 0.6, 0.9]), 0.5, 0.1)),
    (primal.huber, (U, 0.35)),
    (HELD, (2.5, 6)),
]
NAMED = [pytest.param(*case, id=case[0].__name__) for case in CASES]


def shown(function: Any, after: str, args: tuple[Any, ...], name: str, **options: Any) -> Any:
    """Return a function of the text of a stage, run as it stands."""
    return run(s2sad.show(function, after, like=args, **options), name)


@pytest.mark.parametrize("stage", OF_FUNCTION)
@pytest.mark.parametrize(("function", "args"), NAMED)
def test_a_stage_of_the_function_gives_its_value(function: Any, args: Any, stage: str) -> None:
    again = shown(function, stage, args, function.__name__)
    assert again(*copy.deepcopy(args)) == function(*copy.deepcopy(args))


@pytest.mark.parametrize("stage", OF_GRADIENT)
@pytest.mark.parametrize(("function", "args"), NAMED)
def test_a_stage_of_the_gradient_gives_it(function: Any, args: Any, stage: str) -> None:
    gradient = shown(function, stage, args, f"{function.__name__}_grad")(*copy.deepcopy(args))
    assert compare(np.ravel(gradient), differences(function, args, (0,))) is None


@pytest.mark.parametrize("stage", ("forward", "optimize", "emit"))
@pytest.mark.parametrize(("function", "args"), NAMED)
def test_a_stage_of_the_tangent_gives_it(function: Any, args: Any, stage: str) -> None:
    name = f"{function.__name__}_jvp"
    along = np.ones_like(args[0]) if isinstance(args[0], np.ndarray) else 1.0
    value, tangent = shown(function, stage, args, name, mode="forward")(*args, along)
    assert value == function(*args)
    expected = differences(lambda step: function(args[0] + step * along, *args[1:]), (0.0,), (0,))
    assert compare(np.array([tangent]), expected) is None


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.label) for entry in ALL])
def test_programs_of_the_tables(entry: Entry) -> None:
    try:
        text = s2sad.show(entry.function, "lowering", like=entry.args, wrt=entry.wrt)
    except S2sadError as refused:
        assert entry.may_refuse or "cannot be shown" in str(refused)
        return
    last = re.findall(r"^def (\w+)", text, re.MULTILINE)[-1]
    expected = flat(entry.function(*copy.deepcopy(entry.args)))
    bound = inspect.signature(entry.function).bind(*copy.deepcopy(entry.args))
    bound.apply_defaults()  # of which the text may give none
    try:
        made = run(text, last)
        found = made(*bound.args[: len(inspect.signature(made).parameters)])
    except NameError as error:  # what no text gives is bound: a stage is printed, and does not run
        assert re.search(rf"\b{error.name}\b", inspect.getsource(inspect.getmodule(entry.function)))
        return
    assert flat(found) == pytest.approx(expected, rel=1e-12)


def flat(value: Any) -> list[float]:
    if isinstance(value, list | tuple):
        return [number for part in value for number in flat(part)]
    return [float(number) for number in np.ravel(value)]


def told(function: Any, after: str, **options: Any) -> list[str]:
    """Return the comments above a text."""
    text = s2sad.show(function, after, **options)
    return [line[2:] for line in text.splitlines() if line.startswith("# ")]


def test_memory_and_activity_stand_above_the_text() -> None:
    function = defined(
        """
        def f(u, c, y):
            v = c * u[1:-1]
            inner = v[1:]
            inner += y
            return np.sum(v) * y
        """
    )
    rows = told(function, "analysis", wrt="u", like=(U, 0.3, 0.5))
    assert [row.split() for row in rows] == [
        ["variable", "type", "memory", "written", "active"],
        ["u", "float64", "(n)", "argument", "u", "-", "yes"],
        ["c", "float64", "-", "-", "-"],
        ["y", "float64", "-", "-", "-"],
        ["v", "float64", "(n", "-", "2)", "statement", "1", "yes", "yes"],
        ["inner", "float64", "(n", "-", "3)", "statement", "1", "yes", "yes"],
    ]


def test_the_plan_stands_above_the_text() -> None:
    function = defined("def f(x, n):\n    for i in range(n):\n        x = np.sin(x)\n    return x")
    (row,) = [row for row in told(function, "checkpoint", like=(0.5, 3)) if " x " in row]
    assert "saved" in row and "8 * n" in row and "reads it" in row


def test_what_gives_an_empty_tuple_is_bound_to_one() -> None:
    text = s2sad.show(every_pair, "lowering", like=(U, U[:2]))
    assert "() = _pools_2()" in text
    assert run(text, "every_pair")(U, U[:2]) == every_pair(U, U[:2])


def test_without_examples() -> None:
    text = s2sad.show(primal.misfit, "optimize")
    W, m, d = np.ones((3, 2)), np.array([0.3, 0.4]), np.ones(3)
    made = run(text, "misfit_grad")(W, m, d)
    assert compare(np.ravel(made), differences(primal.misfit, (W, m, d), (0,))) is None


def test_what_the_rooms_cannot_take_is_refused_at_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise NotYet("a riddle")

    monkeypatch.setattr("s2sad.api.explain.lowered", fails)
    with pytest.raises(s2sad.Unsupported, match=r"huber cannot be shown after lowering: a riddle"):
        s2sad.show(primal.huber, "lowering")


@pytest.mark.parametrize("mode", STAGES)
def test_a_stage_that_does_not_exist(mode: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        s2sad.show(primal.huber, after="normalise", mode=mode)
    assert ", ".join([*STAGES[mode], "emit"]) in str(caught.value)
