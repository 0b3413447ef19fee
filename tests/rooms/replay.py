"""The replay verifier: both sweeps run, and every read of the reverse sweep is compared.

    forward    note(7, x, u[k])         before x = x + u[k] ** 2
    reverse    check(7, x, u[k])        before the code that reads x and u[k] as they were there

A value that is lost, put back too late or under the wrong name is found at the line that reads it,
whatever the gradient comes out as.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from s2sad.analysis.containers import stepped
from s2sad.checkpoint.gradient import Derivation, Tools, joined, with_own_calls
from s2sad.checkpoint.join import may_leave
from s2sad.checkpoint.needs import Content, Forward, Needs, forward_variables
from s2sad.ir.errors import InternalError
from s2sad.ir.expression import Expr, Variable, call, constant, global_, name
from s2sad.ir.program import Let, Program
from s2sad.ir.records import replace
from s2sad.ir.spelling import expression
from s2sad.ir.types import UNKNOWN, Type
from s2sad.reverse.sweep import Path, Step, Steps


@dataclass(slots=True)
class Tape:
    """What the forward sweep noted at each point, to be compared from the last to the first."""

    values: dict[int, list[tuple[Any, ...]]] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)

    def note(self, point: int, *values: Any) -> None:
        """Keep the values that reverse code is going to read."""
        kept = tuple(_kept(v) for v in values)
        self.values.setdefault(point, []).append(kept)

    def check(self, point: int, *values: Any) -> None:
        """Compare the values that reverse code reads with those that it was made for."""
        noted = self.values[point].pop()
        for before, now in zip(noted, values, strict=True):
            if not _is_same(before, now):
                raise InternalError(f"replay: {self.texts[point]} was {before!r} and is {now!r}")


def _kept(value: Any) -> Any:
    """Return a value as it is now, whatever is done to it later."""
    if isinstance(value, np.ndarray):
        return np.copy(value)
    if isinstance(value, list | tuple):
        return [_kept(part) for part in value]
    if isinstance(value, dict):
        return {key: _kept(part) for key, part in value.items()}
    if isinstance(value, SimpleNamespace):
        return _kept(vars(value))
    return value


def _is_same(before: Any, now: Any) -> bool:
    if isinstance(now, list | tuple | dict | SimpleNamespace):
        now = _kept(now)
        if type(before) is not type(now) or len(before) != len(now):
            return False
        if isinstance(before, dict):
            return list(before) == list(now) and all(_is_same(before[k], now[k]) for k in now)
        return all(map(_is_same, before, now))
    try:
        return bool(np.shape(before) == np.shape(now) and np.array_equal(before, now, True))
    except TypeError:
        return bool(before == now) if not isinstance(before, np.ndarray) else False


@dataclass(slots=True)
class Replay:
    """Steps with the calls that note and compare what their reverse code reads."""

    forward: Forward
    types: dict[Variable, Type]
    shadows: frozenset[Variable]
    tape: Tape = field(default_factory=Tape)
    points: int = 0

    def steps(self, steps: Steps) -> Steps:
        """Return steps that note and compare; not behind what may break, where no note is made."""
        made: list[Step] = []
        for position, step in enumerate(steps):
            if any(may_leave(s) for s in steps[:position]):
                made.append(step)
            else:
                made += self.step(step)
        return tuple(made)

    def step(self, step: Step) -> Steps:
        inner = tuple(self.steps(block) for block in step.blocks)
        made: list[Step] = []
        old, before = self.compared(step.old, self.forward.of_code(step.old))
        if before is not None:
            made.append(Step(before))
        new, after = self.compared(step.new, self.forward.of_code(step.new))
        if may_leave(step):
            new = step.new
        made.append(replace(step, blocks=inner, old=old, new=new))
        if after is not None and not may_leave(step):
            made.append(Step(after))
        return tuple(made)

    def compared(self, code: tuple[Any, ...], needs: Needs) -> tuple[tuple[Any, ...], Let | None]:
        reads = self.reads(needs)
        if not reads:
            return code, None
        point = self.points
        self.points += 1
        self.tape.texts[point] = ", ".join(expression(read) for read in reads)
        note = self.hook("note", self.tape.note, point, reads)
        check = self.hook("check", self.tape.check, point, reads)
        return (check, *code), note

    def reads(self, needs: Needs) -> tuple[Expr, ...]:
        contents = {n.variable for n in needs if isinstance(n, Content)}
        made: dict[Expr, None] = {}
        for need in sorted(needs, key=str):
            if isinstance(need, Variable):
                if need not in contents and need not in self.shadows:
                    if not self.forward.memory.is_memory(need):
                        made[name(need, self.types.get(need, UNKNOWN))] = None
            elif need.variable is not None and need.variable not in self.shadows:
                whole = name(need.variable, self.types.get(need.variable, UNKNOWN))
                made[whole if need.index is None else stepped(whole, need.index)] = None
        return tuple(made)

    def hook(
        self, called: str, function: Callable[..., None], point: int, reads: tuple[Expr, ...]
    ) -> Let:
        value = call(global_(f"_{called}", function), constant(point), *reads)
        return Let(None, value)


__all__ = ["Path", "Replay", "Tape"]


def replayed(program: Program, derivation: Derivation, tools: Tools) -> Program:
    """Return the same gradient with every read of its reverse sweep compared as it runs."""
    tools = with_own_calls(tools, program)
    ready, world = derivation.prepared, derivation.world
    parameters = tuple(p.variable for p in ready.function.parameters)
    steps = derivation.adjoint.steps
    forward = Forward(ready.memory, forward_variables(steps, parameters))
    replay = Replay(forward, dict(ready.memory.types), frozenset(world.bars.values()))
    checked = replay.steps(steps)
    made = joined(program, ready, checked, world, derivation.arguments, derivation.single, tools)
    return replace(made, functions={**derivation.program.functions, **made.functions})
