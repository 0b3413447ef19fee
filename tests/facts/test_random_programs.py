"""What is claimed of the values of random programs is true when they run."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from s2sad.ir.errors import S2sadError
from s2sad.legacy.facts import Facts, fact_of_value, infer
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Program, Var
from tests.facts.interpreter import Listener, NotRun, run
from tests.facts.oracle import wrong
from tests.fuzz.case import Case, loaded
from tests.fuzz.generate import program as random_program

SEED = 31
CHUNK = 50


class Claims(Listener):
    """Holds what is claimed against the values; lengths of a pass are forgotten after it."""

    def __init__(self, facts: Facts, lengths: dict[str, int]):
        self.facts = facts
        self.levels: list[tuple[dict[str, int], dict[str, Any]]] = [(lengths, {})]
        self.problems: list[str] = []
        self.seen = self.known = 0

    def value(self, var: Var, value: Any) -> None:
        fact = self.facts.of(var)
        self.seen += 1
        self.known += fact.kind != "unknown"
        problem = wrong(fact, value, *self.levels[-1])
        if problem:
            self.problems.append(f"{var.slot}@{var.version}: {problem}")

    def enter(self) -> None:
        lengths, shapes = self.levels[-1]
        self.levels.append((dict(lengths), dict(shapes)))

    def leave(self) -> None:
        self.levels.pop()


def assumptions_hold(facts: Facts, program: Program, args: tuple[Any, ...]) -> bool:
    values = {param.var: value for param, value in zip(program.params, args, strict=False)}
    return all(
        values[m.left].shape[m.left_axis]
        == (m.right_axis if m.right is None else values[m.right].shape[m.right_axis])
        for m in facts.meetings
    )


def claims_of(case: Case, folder: Path, given: bool) -> Claims | None:
    with loaded(case, folder) as function:
        try:
            program = normalise(function)
        except S2sadError:
            return None
        args = copy.deepcopy(case.args)
        slots = [param.var.slot for param in program.params]
        named = dict(zip(slots, args, strict=False))
        known = {slot: fact_of_value(value, slot) for slot, value in named.items()}
        facts = infer(program, known if given else {})
        if not assumptions_hold(facts, program, args):
            return None
        lengths = {
            f"{slot}@0.{axis}": length
            for slot, value in named.items()
            for axis, length in enumerate(getattr(value, "shape", ()))
        }
        claims = Claims(facts, lengths)
        try:
            run(program, args, claims)
        except NotRun:
            return None
        return claims


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("start", range(0, 200, CHUNK))
def test_what_is_claimed_of_random_programs_is_true(
    start: int, given: bool, tmp_path: Path
) -> None:
    checked = seen = known = 0
    for number in range(start, start + CHUNK):
        case = random_program(SEED, number)
        claims = claims_of(case, tmp_path, given)
        if claims is None:
            continue
        assert not claims.problems, f"{claims.problems[:3]}\n{case.text}"
        checked += 1
        seen += claims.seen
        known += claims.known
    assert checked > CHUNK // 2
    assert known > (0.95 if given else 0.2) * seen
