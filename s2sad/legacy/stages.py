"""Every stage of the pipeline as Python that runs, for looking at and for testing.

print(s2sad.show(f, after="normalise"))
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from s2sad.ir.errors import ArgumentError
from s2sad.legacy.checkpoint import table
from s2sad.legacy.emit import function_text
from s2sad.legacy.facts import Dim, Fact, Facts, infer
from s2sad.legacy.files import file_text
from s2sad.legacy.naming import global_names, names_of
from s2sad.legacy.needs import Needs
from s2sad.legacy.normalise import normalise
from s2sad.legacy.primal import Primal, as_used
from s2sad.legacy.program import Program, Var, base, is_temp
from s2sad.source.text import source_of

if TYPE_CHECKING:
    from s2sad.api.request import Request

STAGES = ("normalise", "facts", "activity", "prepare", "checkpoint", "emit")


def shown(request: Request, after: str) -> str:
    """Return what a stage leaves: a file that runs, or what stands above the derivative's text."""
    if after not in STAGES:
        raise ArgumentError(f"there is no stage {after!r}", hint=f"Stages: {', '.join(STAGES)}.")
    return _table(request) if after == "checkpoint" else _primal_stage(request, after)


def _primal_stage(request: Request, after: str) -> str:
    given = dict(request.given or ())
    if after in ("normalise", "facts"):
        program = normalise(request.function)
        facts = infer(program, given)
        return _file(request, program, _facts_told(program, facts) if after == "facts" else [])
    return as_used(
        request.function, request.wrt, given, lambda primal: _prepared(request, primal, after)
    )


def _prepared(request: Request, primal: Primal, after: str) -> str:
    active = [_name(var) for var in _made(primal.program) if var in primal.active]
    notes = [f"active: {', '.join(dict.fromkeys(active))}"]
    return _file(request, primal.program, notes if after == "activity" else [])


def _facts_told(program: Program, facts: Facts) -> list[str]:
    """Return a line for each of the user's names, with what its values are."""
    told: dict[str, dict[str, None]] = {}
    for var in _made(program):
        if not is_temp(var.slot):
            told.setdefault(_name(var), {})[_told(facts.of(var))] = None
    return [f"{name}: {' or '.join(kinds)}" for name, kinds in told.items()]


def _told(fact: Fact) -> str:
    """Return a fact in words: `array of float64 (u.0 - 2, 3)`."""
    words = fact.kind
    if fact.is_array:
        words += f" of {fact.dtype}" if fact.dtype else ""
        if isinstance(fact.shape, tuple):
            words += f" ({', '.join(map(_length, fact.shape))})"
    elif fact.items:
        words += f" of {', '.join(map(_told, fact.items))}"
    return words


def _length(dim: Dim) -> str:
    name = re.sub(r"@\d+", "", dim.symbol)
    if not name:
        return str(dim.offset)
    return f"{name} {'+-'[dim.offset < 0]} {abs(dim.offset)}" if dim.offset else name


def _file(request: Request, program: Program, notes: list[str]) -> str:
    source = source_of(request.function)
    program = replace(program, name=request.function.__name__)
    needs = Needs({program.name})
    needs.visit(program, source)
    needs.settle()
    program = needs.renamed(program, source)
    names = names_of(program, global_names(program) | {program.name})
    lines = function_text(program, names, [], rulers=False)
    head = "".join(f"# {note}\n" for note in notes)
    return head + file_text(needs, [lines])


def _table(request: Request) -> str:
    """Return a table of what happens to each value that the derivative reads."""
    from s2sad.legacy.pipeline import plan_of

    rows = [
        f"{_name(var)}: {decision.how} ({decision.why})"
        for var, decision in table(plan_of(request))
    ]
    return "".join(f"# {row}\n" for row in rows)


def _made(program: Program) -> list[Var]:
    from s2sad.legacy.blocks import all_defines

    params = [param.var for param in program.params]
    return params + [var for stmt in program.body for var in all_defines(stmt)]


def _name(var: Var) -> str:
    return f"{base(var.slot)}_term" if is_temp(var.slot) else f"{base(var.slot)}"
