"""A long bad program becomes a short one that is bad in the same way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from s2sad.ir.errors import Unsupported
from tests.fuzz import reference
from tests.fuzz.case import Case
from tests.fuzz.score import Score, score
from tests.fuzz.shrink import shrink, size

LONG = """import numpy as np

SCALE = 2.0


def unused(x):
    return x


def f(u, c, d):
    total = 0.0
    for i in range(len(u)):
        if u[i] > 100.0:
            total += d
        total += np.sin(u[i]) * c
    v = np.roll(u, 1) * u
    return total + np.sum(v) * SCALE
"""


def test_a_program_shrinks_to_what_matters(tmp_path: Path) -> None:
    """The stand-in is wrong wherever np.roll is called."""

    def judge(case: Case) -> Score:
        fault = "sign" if "np.roll" in case.text else ""
        return score(case, tmp_path, reference.faulty(fault), generic=False)

    case = Case("long", LONG, (np.array([0.3, -0.5, 0.9]), 0.4, 0.1), (0, 1))
    bad = judge(case)
    assert bad.verdict == "wrong"
    small = shrink(case, bad, judge, seconds=30)
    assert judge(small).kind == bad.kind
    assert "np.roll" in small.text
    assert "for" not in small.text and "unused" not in small.text
    assert len(small.args) == 1
    assert size(small) < 0.4 * size(case)


def test_a_refusal_shrinks_to_the_same_refusal(tmp_path: Path) -> None:
    def refuses(mode: str, f: Any, wrt: Any = 0, like: Any = None) -> Any:
        import inspect

        if "if " in inspect.getsource(f):
            raise Unsupported("no branches")
        return reference.derive(mode, f, wrt)

    def judge(case: Case) -> Score:
        return score(case, tmp_path, refuses, generic=False)

    case = Case("long", LONG, (np.array([0.3, -0.5, 0.9]), 0.4, 0.1), (0,))
    small = shrink(case, judge(case), judge, seconds=30)
    assert judge(small).reason == "Unsupported: no branches"
    assert small.text.count("\n") < LONG.count("\n") / 2
