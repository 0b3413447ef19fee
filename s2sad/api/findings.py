"""What the rooms found out of a gradient, for people: memory and activity, reverse code, the plan.

variable    type              memory        written  active
u_2         float64 (n)       statement 1   yes      yes
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.memory import returned
from s2sad.analysis.pointers import Site
from s2sad.api.display.explanation import explained, measure
from s2sad.api.display.tables import aligned
from s2sad.api.rounds import Derived
from s2sad.checkpoint.gradient import Derivation
from s2sad.ir.program import Block, Function, Note, Statement
from s2sad.ir.records import replace
from s2sad.ir.spelling import Names
from s2sad.ir.text import distinct, lines
from s2sad.ir.types import Array, Length, Type
from s2sad.ir.walk import with_blocks
from s2sad.reverse.sweep import Step, Steps, walk
from s2sad.types.checks import letters


def memory_table(made: Derived) -> str:
    """Return what each variable refers to, whether that is written, and whether it varies."""
    derivation = derivation_of(made)
    memory, active = derivation.prepared.memory, derivation.world.active
    called = letters(made.primal, made.context)
    rows: list[tuple[str, ...]] = [("variable", "type", "memory", "written", "active")]
    for variable, type_ in memory.types.items():
        if str(variable) != "_":
            sites = memory.points_to.get(variable, frozenset())
            told = ", ".join(sorted(map(_site, sites))) or "-"
            flags = _yes(bool(sites & memory.written)), _yes(variable in active)
            rows.append((str(variable), _kind(type_, called), told, *flags))
    return "\n".join([*aligned(rows), ""])


def derivation_of(made: Derived) -> Derivation:
    """Return how a gradient was made."""
    assert made.derivation is not None, "tangents have none"
    return made.derivation


def _yes(holds: bool) -> str:
    return "yes" if holds else "-"


def _kind(type_: Type, called: dict[str, str]) -> str:
    """Return a type in one word or two: float64, float64 (n)."""
    if not isinstance(type_, Array):
        return getattr(type_, "dtype", "") or type(type_).__name__.lower()
    lengths = ", ".join(_length(each, called) for each in type_.lengths)
    return f"{type_.dtype} ({lengths})"


def _length(length: Length | None, called: dict[str, str]) -> str:
    shorter = {symbol: Length.of(letter) for symbol, letter in called.items()}
    return "?" if length is None else str(length.replaced(shorter))


def _site(site: Site) -> str:
    """Return where memory comes from."""
    kind, what = site[:2]
    if kind == "parameter":
        return f"argument {what}"
    return f"statement {what[0] + 1}" if isinstance(what, tuple) else f"{kind} {what}"


# ---------------------------------------------------------------------------- reverse


def turned(made: Derived) -> Function:
    """Return the primal, each statement with its reverse below it as comments."""
    derivation = derivation_of(made)
    steps, ready = derivation.adjoint.steps, derivation.prepared.function
    code = tuple(each for _, step in walk(steps) for each in (*step.new, *step.old))
    names = distinct(replace(ready, body=(*ready.body, *code)))
    last = returned(ready)
    return replace(ready, body=(*_noted(steps, names), *([] if last is None else [last])))


def _noted(steps: Steps, names: Names) -> Block:
    return tuple(statement for step in steps for statement in _with_notes(step, names))


def _with_notes(step: Step, names: Names) -> Iterator[Statement]:
    if step.statement is not None:
        blocks = tuple(_noted(block, names) for block in step.blocks)
        yield with_blocks(step.statement, blocks) if blocks else step.statement
    for code in (step.new, step.old):
        yield from (Note(f"reverse: {line}") for line in (lines(code, names) if code else ()))


# ---------------------------------------------------------------------------- checkpoint


def plan_table(made: Derived) -> str:
    """Return how each value that the reverse sweep reads is had again."""
    told = explained(measure(made, made.program, {}, lettered=True))
    return "\n".join([*aligned(told.cells), ""]) if told.rows else ""
