"""The random programs themselves: repeatable, valid, varied, with derivatives that are not 0."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests import oracles
from tests.fuzz import generate
from tests.fuzz.case import Case, loaded
from tests.fuzz.statements import FEATURES

CASES = [generate.program(5, number) for number in range(120)]

CONSTRUCTS = (
    *("For", "While", "If", "Break", "Continue", "IfExp", "AugAssign", "Slice", "Lambda"),
    *("BoolOp", "Assert", "Tuple", "List", "Return"),
)


def test_a_number_always_gives_the_same_program(tmp_path: Path) -> None:
    again = generate.program(5, 3)
    assert (again.text, again.wrt, again.mode) == (CASES[3].text, CASES[3].wrt, CASES[3].mode)
    assert not oracles.changed(again.args, CASES[3].args)


def test_a_program_does_not_depend_on_hashes() -> None:
    code = "from tests.fuzz import generate; print(generate.program(5, 3).text)"
    root = Path(__file__).resolve().parents[2]
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            cwd=root,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert texts == {CASES[3].text + "\n"}


def test_every_program_runs_and_returns_what_its_seed_fits(tmp_path: Path) -> None:
    for case in CASES:
        with loaded(case, tmp_path) as f:
            value = f(*oracles.snapshot(case.args))
        assert np.shape(value) == np.shape(case.seed), case.text


def test_programs_use_the_whole_language() -> None:
    seen = {type(node).__name__ for case in CASES for node in ast.walk(ast.parse(case.text))}
    assert set(CONSTRUCTS) - {"Lambda"} <= seen
    text = "\n".join(case.text for case in CASES)
    for piece in (".append(", ".pop()", "empty_like", ".copy()", "range(-1, -4, -1)", "np.where("):
        assert piece in text
    assert len(FEATURES) >= 20


def _gradient(case: Case, folder: Path) -> np.ndarray:
    with loaded(case, folder) as f:
        return oracles.differences(f, case.args, case.wrt, case.seed).value


def test_most_gradients_are_not_zero(tmp_path: Path) -> None:
    nonzero = [np.abs(_gradient(case, tmp_path)).max() > 1e-8 for case in CASES]
    assert np.mean(nonzero) > 0.7
