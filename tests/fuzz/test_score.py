"""The judge is judged: a right stand-in scores right, and each planted fault is caught."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2sad.ir.errors import InternalError, Unsupported
from tests import oracles
from tests.fuzz import generate, reference
from tests.fuzz.case import Case
from tests.fuzz.score import Score, score

# the stand-in differentiates once, and its text cannot define dataclasses
CASES = [
    replace(case, second=False)
    for case in (generate.program(11, number) for number in range(40))
    if "@dataclass" not in case.text
][:30]


def nontrivial(folder: Path) -> list[Case]:
    found = []
    for case in CASES:
        with oracles_of(case, folder) as known:
            first = oracles.pack(case.args[case.wrt[0]]).size
            if np.abs(known.value[:first]).max() > 1e-2 and np.isfinite(known.error).all():
                found.append(case)
    found = [case for case in found if _varies(case, folder)]
    return found[:4]


def _varies(case: Case, folder: Path) -> bool:
    """Tell whether the derivative is another one at other arguments."""
    smaller = tuple(0.9 * arg if not isinstance(arg, int) else arg for arg in case.args)
    with (
        oracles_of(case, folder) as here,
        oracles_of(replace(case, args=smaller), folder) as there,
    ):
        return bool(np.abs(here.value - there.value).max() > 1e-3)


class oracles_of:
    """Differences of a case."""

    def __init__(self, case: Case, folder: Path):
        self.case, self.folder = case, folder

    def __enter__(self) -> oracles.Estimate:
        from tests.fuzz.case import loaded

        with loaded(self.case, self.folder) as f:
            return oracles.differences(f, self.case.args, self.case.wrt, self.case.seed)

    def __exit__(self, *_: object) -> None:
        return None


def test_differences_judge_differences_right(tmp_path: Path) -> None:
    verdicts = [score(case, tmp_path, reference.derive) for case in CASES]
    # two sets of differences agree to 1e-6, not to the 1e-9 that is asked of the two modes
    assert {x.verdict for x in verdicts if x.stage != "modes"} <= {"right", "unscorable"}


@pytest.mark.parametrize("fault", [*reference.FAULTS, *reference.FORWARD_FAULTS])
def test_a_planted_fault_is_caught(fault: str, tmp_path: Path) -> None:
    cases = nontrivial(tmp_path)
    assert len(cases) == 4
    for case in cases:
        found = score(case, tmp_path, reference.faulty(fault))
        expected = {
            "bare": "internal",
            "foreign": "internal",
            "hidden": "internal",
        }
        assert found.verdict == expected.get(fault, "wrong"), (fault, found, case.text)


def test_refusals_and_internal_errors_are_told_apart(tmp_path: Path) -> None:
    def refuses(*_: Any, **__: Any) -> Any:
        raise Unsupported("cannot")

    def breaks(*_: Any, **__: Any) -> Any:
        raise InternalError("inconsistent")

    assert score(CASES[0], tmp_path, refuses).verdict == "refused"
    assert score(CASES[0], tmp_path, breaks).verdict == "internal"


def test_a_refused_text_does_not_hide_a_wrong_call(tmp_path: Path) -> None:
    def mixed(mode: str, f: Any, wrt: Any = 0, like: Any = None) -> Any:
        if mode == "jvp":
            raise Unsupported("cannot")
        return reference.faulty("sign")(mode, f, wrt)

    assert score(nontrivial(tmp_path)[0], tmp_path, mixed).verdict == "wrong"


KINK = "def f(x):\n    return max(x, 0.0)\n"
JUMP = "def f(x):\n    return x if x > 0.0 else x + 1.0\n"


@pytest.mark.parametrize("text", [KINK, JUMP, "def f(x):\n    return abs(x) * 2.0\n"])
def test_a_kink_is_not_scored(text: str, tmp_path: Path) -> None:
    case = Case("kink", text, (0.0,), (0,))
    assert score(case, tmp_path, reference.derive).verdict == "unscorable"
    away = replace(case, args=(0.5,))
    assert score(away, tmp_path, reference.derive).verdict == "right"


def test_a_primal_that_fails_is_invalid(tmp_path: Path) -> None:
    case = Case("bad", "def f(x):\n    return undefined\n", (0.0,), (0,))
    assert score(case, tmp_path, reference.derive).verdict == "invalid"


def test_a_text_that_changes_is_caught(tmp_path: Path) -> None:
    count = iter(range(100))

    def unstable(mode: str, f: Any, wrt: Any = 0, like: Any = None) -> Any:
        made = reference.derive(mode, f, wrt)
        made.source += f"\n# {next(count)}\n"
        return made

    found = score(CASES[0], tmp_path, unstable)
    assert (found.verdict, "differ in their text" in found.detail) == ("wrong", True)


# ---------------------------------------------------------------------------- emitted text

EDITS = {
    "sign": lambda text: re.sub(r"_bar(\[[^\n]*\])? \+= ", r"_bar\1 -= ", text, count=1),
    "dropped": lambda text: _without(text, r"\n *\w+_bar(\[[^\n]*\])? [+-]= [^\n]*"),
    "stale": lambda text: _without(text, r"\n *\w+ = \w+_saved\.pop\(\)"),
}

SWEEP = """import numpy as np


def f(u, c):
    u = u.copy()
    x = c
    for i in range(1, len(u)):
        u[i] = u[i] * np.sin(u[i - 1]) + x
        x = x * np.cos(u[i]) + c
    return np.sum(u**2) + x * c
"""


def _without(text: str, pattern: str) -> str:
    found = re.search(pattern, text)
    if not found or found[0].count("(") != found[0].count(")"):
        return text
    indent = re.match(r"\n *", found[0])
    return text[: found.start()] + (indent[0] if indent else "\n") + "pass" + text[found.end() :]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_emitted_text_is_caught(edit: str, tmp_path: Path) -> None:
    """A sign, a contribution, or a restored value taken from what s2sad itself emits."""
    from tests.fuzz.score import s2sad_derive

    case = Case("sweep", SWEEP, (np.array([0.3, -0.8, 1.1, 0.4]), 0.7), (0, 1))

    def edited(mode: str, f: Any, wrt: Any = 0, like: Any = None) -> Any:
        df = s2sad_derive(mode, f, wrt=wrt, like=like)
        text = EDITS[edit](df.source) if mode != "jvp" else df.source
        made: Any = oracles.standalone(text, df.__name__)
        made.source = text
        edited.changes += text != df.source  # type: ignore[attr-defined]
        return made

    edited.changes = 0  # type: ignore[attr-defined]
    found: Score = score(case, tmp_path, edited)
    assert edited.changes, "the emitted text has nothing of this kind to edit"  # type: ignore[attr-defined]
    assert found.verdict in ("wrong", "internal"), ast.unparse(ast.parse(found.source))


# its passes write no history, of which no schedule would keep less
MARCH = """import numpy as np


def f(u, c):
    x = c
    for _ in range(5):
        u = u * np.sin(u) + x
        x = x * np.cos(u[0]) + c
    return np.sum(u**2) + x * c
"""


@pytest.mark.parametrize("mode", ["grad", "value_and_grad", "vjp"])
@pytest.mark.parametrize("fault", ["", "second", "schedule"])
def test_faults_of_what_is_asked_besides_are_caught(mode: str, fault: str, tmp_path: Path) -> None:
    """A Hessian, and a gradient whose loop keeps few states, are a little off."""
    from tests.fuzz.score import s2sad_derive

    args = (np.array([0.3, -0.8, 1.1, 0.4]), 0.7)
    case = Case("march", MARCH, args, (0, 1), 1.0, mode, schedule="every:2", second=True)

    def derive(mode: str, f: Any, **options: Any) -> Any:
        if fault == "second" and mode == "hvp":
            good = s2sad_derive(mode, f, **options)
            off: Any = lambda *args: good(*args) * 1.001  # noqa: E731
            off.source = good.source
            return off
        if fault == "schedule" and options.get("checkpoint"):
            text = s2sad_derive(mode, f, **options).source.replace(
                "stop = start", "stop = start - 1"
            )
            made: Any = oracles.standalone(text)
            made.source = text
            return made
        return s2sad_derive(mode, f, **options)

    assert score(case, tmp_path, derive).verdict == ("wrong" if fault else "right")
