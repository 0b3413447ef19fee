"""A loop whose states are kept by a schedule becomes one call; its body becomes a step.

    for t in range(n):           ->      u, checkpoints = march_loop(u, dt, range(n))
        u = u + dt * f(u)                def march_step(u, dt): ...

A step takes what a pass finds and what it reads from outside, and gives what it hands on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from s2sad.ir.errors import Unsupported
from s2sad.legacy.blocks import all_defines, all_reads, map_blocks
from s2sad.legacy.callee import Callees, Written
from s2sad.legacy.conflicts import written_params
from s2sad.legacy.facts import Fact
from s2sad.legacy.prepare import LIST, RANGE, SEQUENCE_FUNCTIONS, passes_of
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import (
    NONE,
    Assign,
    Block,
    Call,
    Carried,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Param,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.schedules.acting import refuse_acting, tells, told_where, untold
from s2sad.legacy.schedules.draws import Drawn, drawn_from, draws_of
from s2sad.legacy.schedules.telling import told
from s2sad.legacy.traverse import flat_targets, reads, statements
from s2sad.operators.schedules import Schedule
from s2sad.source.fresh import free
from s2sad.source.text import MISSING

if TYPE_CHECKING:
    from s2sad.legacy.derive import Derived

NAMELESS = "checkpoints"
# lengths that are numbers, or those of arguments
OF_ARGUMENT = re.compile(r"(\w+@0\.\d+|#\w+@0)?")


@dataclass(frozen=True)
class Outline:
    """A loop seen from outside: what it hands from pass to pass, and what its passes read."""

    loop: Loop
    outside: tuple[Var, ...]
    active: frozenset[Var]
    # how many passes were run, where that is not known before, and whether a pass is the last
    passes: Var | None = None
    done: Var | None = None
    # what passes draw random numbers from
    drawn: tuple[Drawn, ...] = ()
    # whether a pass runs for the first time, where it then tells something
    first: Var | None = None

    @property
    def test(self) -> Expr | None:
        """Return what a while loop goes on for, where that is anything."""
        return None if self.loop.test == Const(True) else self.loop.test

    @property
    def state(self) -> tuple[Carried, ...]:
        """Return what is handed from pass to pass."""
        return self.loop.carried

    @property
    def found(self) -> tuple[Carried, ...]:
        """Return the part of the state that a pass finds: the rest it only leaves behind."""
        return tuple(each for each in self.state if each.init is not None)

    @property
    def targets(self) -> tuple[Var, ...]:
        """Return what is bound anew for each pass."""
        return tuple(flat_targets(self.loop.targets))

    @property
    def varying(self) -> tuple[Carried, ...]:
        """Return the part of the state that has an adjoint."""
        return tuple(
            each
            for each in self.state
            if not self.active.isdisjoint((each.head, each.end, each.exit))
        )

    @property
    def received(self) -> tuple[Carried, ...]:
        """Return the part of the state that hands an adjoint on to the pass before.

        What is bound anew in each pass has one in the last pass alone.
        """
        return tuple(each for each in self.varying if each.init is not None)

    @property
    def left(self) -> tuple[Carried, ...]:
        """Return what is read behind the loop, has an adjoint, and is bound anew in each pass."""
        return tuple(each for each in self.varying if each.init is None)

    @property
    def varying_outside(self) -> tuple[Var, ...]:
        """Return what is read from outside and has an adjoint."""
        return tuple(var for var in self.outside if var in self.active)


@dataclass(frozen=True, slots=True)
class Swept(Written):
    """The function that runs a loop and keeps states of it; `reverse` runs it backwards."""

    outline: Outline | None = field(default=None, compare=False)
    reverse: Written | None = field(default=None, compare=False)
    # whether the states that are kept are copies
    copies: bool = field(default=False, compare=False)
    # of states in files: the constant that names their folder, and the directory made in it
    folder: tuple[str, str] | None = field(default=None, compare=False)

    __hash__ = Written.__hash__


def swept_of(value: Expr) -> Swept | None:
    """Return the loop that a call stands for."""
    match value:
        case Call(Ref(_, Swept() as swept)):
            return swept
    return None


@dataclass(frozen=True)
class Steps:
    """A loop's functions: a pass and its reverse, and the two that call them by a schedule."""

    outline: Outline
    schedule: Schedule
    swept: Swept
    step: Written
    step_derived: Derived
    step_rev: Written
    rev_derived: Derived
    slots_name: str = ""
    # the function that tells whether a while loop goes on
    more: tuple[Written, Derived] | None = None

    @property
    def kept(self) -> tuple[Carried, ...]:
        """Return the part of the state that a pass or its reverse reads."""
        read = {param.var for param in self.step_derived.program.params}
        read |= {param.var for param in self.rev_derived.program.params}
        return tuple(each for each in self.outline.state if each.head in read)

    @property
    def written(self) -> frozenset[str]:
        """Return the slots of the adjoints that a reversed pass writes in place."""
        return written_adjoints(self.rev_derived)

    def with_copies(self) -> Steps:
        """Return these with a loop that copies the states it keeps: their memory is written."""
        return replace(self, swept=replace(self.swept, copies=True))

    @property
    def functions(self) -> tuple[tuple[Written, Derived], ...]:
        """Return a pass and its reverse, each with what it was derived to."""
        test = () if self.more is None else (self.more,)
        return *test, (self.step, self.step_derived), (self.step_rev, self.rev_derived)


def written_adjoints(backward: Derived) -> frozenset[str]:
    """Return the slots of the adjoints that a reversed pass writes in place."""
    program = backward.program
    owned = {param.var.slot for param in program.params if param.owned}
    return written_params(program) & owned


def outlined(primal: Primal, loop: Loop, live: tuple[Carried, ...]) -> Outline:
    """Return a loop as seen from outside, or refuse it; only `live` is handed from pass to pass."""
    mine = {*all_defines(loop)}
    passes = passes_of(loop)
    body = _uncounted(loop.body)
    done = None
    if loop.breaks:
        body, done = told(body, primal.numbers)
    carried = tuple(each for each in live if each.exit != passes)
    # what a pass only leaves behind comes last: it is not handed in
    carried = tuple(sorted(carried, key=lambda each: each.init is None))
    loop = replace(loop, carried=carried, body=body)
    _refuse_shape(loop, primal)
    draws = draws_of((loop,), primal.facts.of)
    refuse_acting(loop, draws)
    mine |= {*all_defines(loop)}
    read = dict.fromkeys(var for stmt in body for var in all_reads(stmt))
    read.update(dict.fromkeys(each.end for each in carried))
    read.update(dict.fromkeys(reads(loop.test or NONE)))
    outside = tuple(var for var in read if var not in mine)
    drawn = drawn_from((loop,), draws)
    telling = any(map(tells, statements(body)))
    first = Var(unused(primal.program, "first"), 0) if telling else None
    return Outline(loop, outside, primal.active, passes, done, drawn, first)


def unused(program: Program, wanted: str, taken: Iterable[str] = ()) -> str:
    """Return a name that nothing in a function has."""
    used = {base(var.slot) for stmt in program.body for var in all_defines(stmt)} | {*taken}
    used |= {param.var.slot for param in program.params}
    return free(wanted, used)


def _uncounted(body: Block) -> Block:
    """Return a loop's body without the count of its passes: who runs them counts them."""
    first = body[0] if body else None
    counts = isinstance(first, Update) and first.new.slot.startswith("passes%")
    return body[1:] if counts else body


def _refuse_shape(loop: Loop, primal: Primal) -> None:
    if any(var in primal.active for var in flat_targets(loop.targets)):
        raise Unsupported(
            "a loop over a list that is differentiated is not checkpointed",
            loop.span,
            "Loop over range(len(...)) and read the items by index.",
        )
    read = found_by_passes(loop)
    for each in loop.carried:
        varies = not primal.active.isdisjoint((each.head, each.end))
        lasting = not varies or is_lasting(primal.facts.of(each.end))
        unknown = primal.facts.of(each.end).kind == "unknown"
        if each.init is None and (not lasting or each.head in read):
            refusal = Unsupported(
                f"{_called(each.head)} has no value before this loop, which is to be checkpointed",
                loop.span,
                f"Give {_called(each.head)} a value before the loop"
                + (", or example arguments: like=." if unknown else "."),
            )
            refusal.certain = not unknown
            raise refusal


def found_by_passes(loop: Loop) -> set[Var]:
    """Return what passes read, the tests of their loop and what they hand on included."""
    read = {var for stmt in loop.body for var in all_reads(stmt)}
    return read | {*reads(loop.test or NONE), *(each.end for each in loop.carried)}


def is_lasting(fact: Fact) -> bool:
    """Tell whether a value has one shape in all passes: that of arguments, or none."""
    if fact.is_scalar:
        return True
    known = fact.is_array and isinstance(fact.shape, tuple)
    return known and all(OF_ARGUMENT.fullmatch(dim.symbol) for dim in fact.shape)  # type: ignore[union-attr]


def _called(var: Var) -> str:
    return "a temporary" if is_temp(var.slot) else base(var.slot)


def step_program(outline: Outline, name: str, forward: bool = False) -> Program:
    """Return the body of a loop as a function of what a pass finds.

    `forward`, it gives as well whether the pass is the last, and tells what it tells if it is run
    for the first time.
    """
    params = (*(each.head for each in outline.found), *outline.targets, *outline.outside)
    ends = tuple(each.end for each in outline.state)
    body = outline.loop.body
    if forward and outline.done is not None:
        ends = (*ends, outline.done)
    if outline.first is not None:
        params = (*params, outline.first) if forward else params
        body = told_where(outline.first, body) if forward else untold(body)
    result: Expr = ends[0] if len(ends) == 1 else Op("tuple", ends)
    return Program(name, tuple(map(Param, params)), body, result, outline.loop.span)


def sequence(iterable: Expr) -> Expr:
    """Return what a loop goes over as something that can be cut and read twice."""
    match iterable:
        case Call(Ref(text)) if text in SEQUENCE_FUNCTIONS - {"range"}:
            return Call(LIST, (iterable,))
    return iterable


def called_loop(outline: Outline, swept: Swept, primal: Primal) -> Assign:
    """Return the statement that stands for the loop."""
    loop = outline.loop
    kept = primal.numbers.temp(NAMELESS)
    inits = tuple(each.init for each in outline.state if each.init is not None)
    over = () if loop.iterable is None else (sequence(loop.iterable),)
    scratch = () if swept.folder is None else (Ref(swept.folder[1], MISSING),)
    call = Call(Ref(swept.name, swept), (*inits, *outline.outside, *over, *scratch))
    counted = () if outline.passes is None else (outline.passes,)
    exits = (each.exit for each in outline.state)
    return Assign((*exits, *counted, kept), call, loop.span, unpack=True)


def steps_run(outline: Outline) -> Expr:
    """Return what the passes that were run went over, as the reverse sweep has it."""
    loop, passes = outline.loop, outline.passes
    if loop.iterable is None:
        assert passes is not None
        return Call(RANGE, (passes,))
    if passes is None:
        return sequence(loop.iterable)
    return Op("index", (sequence(loop.iterable), Op("slice", (NONE, passes, NONE))))


def exchanged(program: Program, old: Stmt, *new: Stmt) -> Program:
    """Return the program with statements in the place of another."""

    def block(inner: Block) -> Block:
        return tuple(part for each in inner for part in one(each))

    def one(each: Stmt) -> Block:
        return new if each is old else (map_blocks(each, block),)

    return replace(program, body=block(program.body))


def with_function(call: Expr, swept: Swept) -> Expr:
    """Return a call of another function."""
    assert isinstance(call, Call)
    return replace(call, func=Ref(swept.name, swept))


def loops_of(block: Block) -> Iterator[Loop]:
    """Yield the loops of a block, outer ones first."""
    for stmt in block:
        if isinstance(stmt, If):
            yield from loops_of(stmt.then)
            yield from loops_of(stmt.orelse)
        elif isinstance(stmt, Loop):
            yield stmt
            yield from loops_of(stmt.body)


__all__ = ["Callees", "Outline", "Steps", "Swept", "outlined"]
