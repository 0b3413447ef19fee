"""The header sentence, and tests whose outcome is known at generation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sad.legacy.facts import Fact, Facts, describe, fact_of_value, infer, static
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Var
from tests.facts.oracle import expression
from tests.facts.samples import misfit, stepped

W, u, d = np.zeros((3, 4)), np.zeros(4), np.zeros(3)


def facts_for(function: Any, *args: Any) -> tuple[Facts, Any]:
    program = normalise(function)
    slots = [param.var.slot for param in program.params]
    given = {s: fact_of_value(v, s) for s, v in zip(slots, args, strict=True)}
    return infer(program, given), program.params


def test_equal_lengths_have_one_letter() -> None:
    assert describe(*facts_for(misfit, W, u, d)) == "for float64 arrays W (m, n), m (n,), d (m,)"


def test_a_vector_has_n_elements() -> None:
    found = describe(*facts_for(stepped, u, u, 3))
    assert found == "for float64 arrays u (n,), f (n,)"


def test_kinds_and_numbers_are_told_apart() -> None:
    params = [Var(name, 0) for name in ("a", "x", "y", "z", "s", "n", "r")]
    values = (1.0, u, np.zeros(3, "float32"), d, 2.0, 3, np.zeros((1, 2)))
    given = {v.slot: fact_of_value(x, v.slot) for v, x in zip(params, values, strict=True)}
    assert describe(given, params) == (
        "for float64 array x (n,), float32 array y (m,), float64 arrays z (k,), r (1, p), "
        "floats a, s"
    )


def test_nothing_known_says_nothing() -> None:
    assert describe({}, [Var("x", 0)]) == ""
    assert describe({"n": fact_of_value(3, "n")}, [Var("n", 0)]) == ""


VALUES: dict[str, Any] = {
    "x": np.zeros((2, 3)), "i": np.zeros(2, int), "s": 2.0, "k": 3, "t": (u, u), "p": [u],
    "none": None, "flag": True, "name": "full", "zero": np.zeros(()), "f32": np.float32(1),
}  # fmt: skip

KNOWN = {
    True: [
        "isinstance(x, np.ndarray)", "isinstance(t, (tuple, list))", "isinstance(p, list)",
        "isinstance(s, float)", "none is None", "x is not None", "x.ndim == 2", "np.isscalar(s)",
        "np.ndim(x) > 0", "i.dtype.char in '?bBhHiIlLqQpP'", "flag", "name == 'full'", "not none",
        "x.ndim == 2 and flag", "none is None or k > 2", "not isinstance(x, float)", "len(t) == 2",
        "len(x.shape) == 2", "np.ndim(s) == 0", "x.dtype.kind == 'f'", "flag is True", "2 > 1",
        "np.iscomplexobj(x) or np.isrealobj(x)", "np.ndim(zero) == 0", "1 < x.ndim",
    ],
    False: [
        "isinstance(x, (tuple, list))", "isinstance(k, float)", "s is None", "x.ndim > 2",
        "np.isscalar(x)", "np.ndim(s) > 0", "x.dtype.char in '?bBhHiIlLqQpP'", "not flag", "none",
        "name == 'valid'", "flag and none", "isinstance(f32, float)", "np.isscalar(zero)",
        "x is None and k > 2", "t is None",
    ],
    None: [
        "s > 1.0", "k == 3", "len(x) == 2", "x.shape[0] == 2", "x.shape == (2, 3)", "np.all(x > 0)",
        "flag and s > 1.0", "s > 0.0 or none", "len(p) == 1", "k", "s", "x", "unknown is None",
        "unknown.ndim == 1", "isinstance(unknown, float)", "np.isscalar(unknown)", "p",
        "x.shape[0] == x.shape[0]", "isinstance(total, int)",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("test", "outcome"), [(test, outcome) for outcome, tests in KNOWN.items() for test in tests]
)
def test_outcomes_known_at_generation(test: str, outcome: bool | None) -> None:
    known = {Var(name, 0): fact_of_value(value, name) for name, value in VALUES.items()}
    # an int that stands for a float before the first `total += x`
    known[Var("total", 0)] = Fact("float", "float64", (), weak=None)
    names = {name: Var(name, 0) for name in (*VALUES, "unknown", "total")}
    assert static(expression(test, names), Facts(known)) is outcome
