"""The functions that a loop with a schedule becomes.

march_step       a pass                    march_step_rev    a pass backwards
march_loop       the loop, keeping states  march_loop_rev    the loop backwards, from the states
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping

import numpy as np

from s2sad.analysis.containers import is_container
from s2sad.checkpoint.drawing import drawn_as_before, sources_of, without_last_states
from s2sad.checkpoint.outline import Outline
from s2sad.checkpoint.passes import has_output, output_if, without_output
from s2sad.ir.errors import NotYet, Unsupported
from s2sad.ir.expression import Expr, Variable, call, constant, copy_of, deep_copy_of, global_, name
from s2sad.ir.program import (
    Block,
    Break,
    For,
    Function,
    If,
    Let,
    Parameter,
    Return,
    Statement,
    While,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import UNKNOWN, Array, Number, Optional, Other, Sequence, Tuple, Type
from s2sad.ir.walk import expressions, read_in, read_variables, rewritten, statements
from s2sad.operators import printed
from s2sad.operators.schedules import Binomial, Disk, Every, Recompute, Schedule, Sqrt
from s2sad.operators.statements import Word, body
from s2sad.reverse.structures import ZEROS
from s2sad.types.assumptions import depends_on_pass
from s2sad.types.plain import tuple_of

WHOLE = Number("int64")
TRUTH = Number("bool")
NUMBERS = "start stop stride number last ahead".split()
OWN = ("checkpoints", "steps", "states", "done", "scratch", "file", *NUMBERS)
Types = Mapping[Variable, Type]


@dataclass(frozen=True, slots=True)
class Names:
    """What the functions of a loop are called."""

    step: str = ""
    step_back: str = ""
    run: str = ""
    back: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A loop with its schedule, what of it has adjoints, and how its functions are called.

    `copied` is the part of the state that is copied where it is kept, `in_place` what holds arrays
    alone: a pass can add to adjoints of it that are there already.
    """

    outline: Outline
    schedule: Schedule
    types: Types
    active: frozenset[Variable]
    names: Names = Names()
    copied: frozenset[Variable] = frozenset()
    in_place: frozenset[Variable] = frozenset()

    @property
    def received(self) -> tuple[Variable, ...]:
        """Return the part of the state that passes take adjoints of and hand on."""
        return tuple(v for v in self.outline.found if v in self.active)

    @property
    def left(self) -> tuple[Variable, ...]:
        """Return the part of the state that has an adjoint after the last pass alone."""
        return tuple(v for v in self.outline.left if v in self.active)

    @property
    def varying_outside(self) -> tuple[Variable, ...]:
        """Return what passes read from outside, whose adjoints they take and hand on."""
        return tuple(v for v in self.outline.outside if v in self.active - self.in_place)

    @property
    def shadowed(self) -> tuple[Variable, ...]:
        """Return the containers that passes read from outside, whose adjoints they add to in place."""
        return tuple(v for v in self.outline.outside if v in self.active & self.in_place)

    @property
    def seeds(self) -> tuple[Variable, ...]:
        """Return what the adjoints belong to that the reverse of a pass is handed."""
        return (*self.received, *self.varying_outside, *self.left, *self.shadowed)

    @property
    def filed(self) -> tuple[Variable, ...]:
        """Return the part of the state that is kept in files."""
        if not isinstance(self.schedule, Disk):
            return ()
        return tuple(v for v in self.outline.found if isinstance(self.types[v], Array))

    @property
    def in_memory(self) -> tuple[Variable, ...]:
        """Return the part of the state that is kept in memory."""
        return tuple(v for v in self.outline.found if v not in self.filed)

    @property
    def given(self) -> tuple[Variable, ...]:
        """Return what a pass is handed."""
        target = self.outline.target
        own = (target,) if target is not None and self.reads_target else ()
        return (*self.outline.found, *own, *self.outline.outside)

    @property
    def reads_target(self) -> bool:
        """Tell whether a pass reads which one it is."""
        target, loop = self.outline.target, self.outline.loop
        inner = (e for s in (*statements(loop.body), *self.outline.views) for e in expressions(s))
        return target in self.outline.state or any(target in read_variables(e) for e in inner)

    @property
    def place(self) -> str:
        """Return where the loop stands: "the loop at heat.py:3"."""
        span = self.outline.loop.span
        assert span is not None
        return f"the loop at {span.path.rpartition('/')[2]}:{span.line}"


# ---------------------------------------------------------------------------- a pass


def step(kept: Kept) -> Function:
    """Return a pass as a function, which gives the state after it."""
    outline = kept.outline
    loop, done = outline.loop, _done(kept)
    ends = tuple(name(v, kept.types[v]) for v in outline.state)
    inner = loop.body
    if outline.breaks:
        inner = (Let(done, constant(False, TRUTH)), *_noting_exit(loop.body, done))
        ends = (*ends, name(done, TRUTH))
    parameters, doc = _parameters(kept.given, kept.types), f"One pass of {kept.place}."
    if has_output(inner):
        first = _fresh(kept).variable("first")
        inner, parameters = output_if(inner, first), (*parameters, Parameter(first, TRUTH))
        doc = f"{doc[:-1]}; its output comes the `{first}` time."
    made = (*_begun(kept), *inner, Return(tuple_of(ends), loop.span))
    return Function(kept.names.step, parameters, made, loop.span, doc)


def varying_step(kept: Kept) -> Function:
    """Return a pass as a function that gives all that has an adjoint, what it reads included."""
    outline = kept.outline
    ends = tuple(name(v, kept.types[v]) for v in kept.seeds)
    whole = Expr("tuple", ends, None, Tuple(tuple(e.type for e in ends)))
    inner = _noting_exit(without_output(without_last_states(outline.loop.body)), None)
    made = (*_begun(kept), *inner, Return(whole, outline.loop.span))
    return Function(kept.names.step, _parameters(kept.given, kept.types), made, outline.loop.span)


def _begun(kept: Kept) -> Iterator[Let]:
    """Yield what a pass begins with: copies of what it writes to, and the names of parts of it."""
    for variable in kept.outline.found:
        value = name(variable, kept.types[variable])
        if variable in kept.outline.deep:
            yield Let(variable, deep_copy_of(value))
        elif variable in kept.outline.written:
            yield Let(variable, copied(value))
    yield from kept.outline.views


def _noting_exit(block: Block, done: Variable | None) -> Block:
    """Return the body of a loop that tells whether it would leave the loop."""
    made: list[object] = []
    for statement in block:
        if isinstance(statement, Break):
            if done is not None:
                made.append(Let(done, constant(True, TRUTH), statement.span))
        elif isinstance(statement, If):
            arms = _noting_exit(statement.body, done), _noting_exit(statement.orelse, done)
            made.append(replace(statement, body=arms[0], orelse=arms[1]))
        else:
            made.append(statement)
    return tuple(made)  # type: ignore[arg-type]


def _done(kept: Kept) -> Variable:
    taken = {v.name for s in statements(kept.outline.loop.body) for v in read_in(s)}
    taken |= {v.name for v in (*kept.given, *kept.outline.state)}
    return Variable(next(w for w in ("done", "is_last", "done_") if w not in taken))


def _parameters(variables: tuple[Variable, ...], types: Types) -> tuple[Parameter, ...]:
    return tuple(Parameter(v, types[v]) for v in variables)


def copied(value: Expr) -> Expr:
    """Return a copy of an array, or of what may be one; a number is one."""
    if isinstance(value.type, Number):
        return value
    if isinstance(value.type, Array | Sequence):
        return copy_of(value)
    return call(global_("copy.copy", copy.copy), value, type_=value.type)


# ---------------------------------------------------------------------------- the loop


def loop(kept: Kept) -> Function:
    """Return the function that runs a loop and keeps states of it."""
    outline, words = kept.outline, _words(kept)
    template = "slots" if _has_slots(kept) else "strides"
    if outline.is_counted:
        template = "counted_for" if isinstance(outline.loop, For) else "counted_while"
    over = [] if isinstance(outline.loop, While) else [words["steps"]]
    over += [words["scratch"]] if kept.filed else []
    last = tuple(Parameter(each.data, each.type) for each in over if isinstance(each, Expr))
    own = (*outline.found, *outline.outside)
    parameters = (*_parameters(own, kept.types), *last)
    doc = f"Run {kept.place}, and keep states to run it backwards from.\n\n{_cost(kept)}"
    # unless a pass binds it; where none does, what surely reads it finds it unbound, as ever
    left = (v for v in outline.left if v not in outline.awaited)
    unbound = tuple(Let(v, constant(None)) for v in left)
    made = (*unbound, *body(template, words))
    return Function(kept.names.run, parameters, made, outline.loop.span, doc)


def loop_back(kept: Kept) -> Function:
    """Return the function that runs a loop backwards from the states that were kept."""
    outline, words = kept.outline, _words(kept)
    template = "slots_back" if _has_slots(kept) else "strides_back"
    bars = tuple(Parameter(b, kept.types[v]) for v, b in zip(kept.seeds, _bars(kept), strict=True))
    own = _parameters(outline.outside, kept.types)
    first, steps = words["checkpoints"], words["steps"]
    assert isinstance(first, Expr) and isinstance(steps, Expr)
    parameters = (Parameter(first.data), *own, Parameter(steps.data, steps.type), *bars)
    copies = tuple(
        Let(each.variable, copied(name(each.variable, each.type)))
        for each in bars
        if not (isinstance(each.type, Number) or is_container(each.type))
    )
    made = (*copies, *_ended(body(template, words), kept, bars))
    sources = sources_of(outline.loop.body)
    if sources:
        made = drawn_as_before(made, sources, _fresh(kept))
    named = ", ".join(each.variable.name for each in bars)
    doc = f"Pull {named} back through {kept.place}."
    return Function(kept.names.back, parameters, made, outline.loop.span, doc)


def _ended(block: Block, kept: Kept, bars: tuple[Parameter, ...]) -> Block:
    """Return the loop backwards in which what the last pass alone leaves has an adjoint once."""
    first = len(kept.received) + len(kept.varying_outside)
    left = bars[first : first + len(kept.left)]
    back = Expr("function", (), kept.names.step_back)
    if any(map(_may_be_of_another_length, left)):
        what = "a schedule for a loop that leaves an array whose length changes from pass to pass"
        raise NotYet(what, kept.outline.loop.span)
    zeros = tuple(Let(each.variable, _zero(each)) for each in left)

    def change(statement: Statement) -> Statement | Block:
        is_back = isinstance(statement, Let) and statement.value.args[:1] == (back,)
        return (statement, *zeros) if is_back else statement

    return rewritten(block, change) if left else block


def _may_be_of_another_length(bar: Parameter) -> bool:
    lengths = bar.type.lengths if isinstance(bar.type, Array) else ()
    return any(n is None or depends_on_pass(n) for n in lengths)


def _zero(bar: Parameter) -> Expr:
    if isinstance(bar.type, Number):
        return constant(0.0, Number("float64"))
    is_held = is_container(bar.type) or isinstance(bar.type, Optional)
    zeros = ZEROS if is_held else global_("np.zeros_like", np.zeros_like)
    return call(zeros, name(bar.variable), type_=bar.type)


def _has_slots(kept: Kept) -> bool:
    return isinstance(kept.schedule, Binomial | Recompute)


def _bars(kept: Kept) -> tuple[Variable, ...]:
    taken = {v.name for v in (*kept.outline.state, *kept.given)}  # a name of the user's, u_bar
    words = ("bar", "adj", "adjoint", "adjoint_of_pass")
    word = next(w for w in words if all(f"{v.name}_{w}" not in taken for v in kept.seeds))
    return tuple(Variable(f"{v.name}_{word}", v.number) for v in kept.seeds)


def _words(kept: Kept) -> dict[str, Word]:
    """Return what stands for the names of the templates."""
    outline = kept.outline
    fresh = _fresh(kept)
    words: dict[str, Word] = {w: name(fresh.variable(w), _type_of(w, outline.loop)) for w in OWN}
    bars = tuple(name(b, kept.types[v]) for v, b in zip(kept.seeds, _bars(kept), strict=True))

    def names(variables: tuple[Variable, ...]) -> tuple[Expr, ...]:
        return tuple(name(v, kept.types[v]) for v in variables)

    target = outline.target if kept.reads_target else None
    words |= {
        "state": names(outline.state),
        "found": names(outline.found),
        "kept": _as_kept(kept, words),
        "held": (*names(kept.in_memory), *((words["file"],) if kept.filed else ())),
        "filed": names(kept.filed),
        "given": names(kept.given),
        "given_back": (*names(kept.given), *bars),
        "back": bars[: len(kept.received) + len(kept.varying_outside)],
        "target": target or Variable("_"),
        "here": target,
        "step": Expr("function", (), kept.names.step),
        "step_back": Expr("function", (), kept.names.step_back),
        "STRIDE": _stride(kept, words["steps"]),
        "SLOTS": _slots(kept),
        "MOST": _most(kept, words["stride"]),
        "GOES_ON": outline.loop.test if isinstance(outline.loop, While) else None,
    }
    prints = has_output(outline.loop.body)
    words["first"] = (constant(True, TRUTH),) if prints else ()
    words["again"] = (constant(False, TRUTH),) if prints else ()
    words["ignored"] = Variable("_") if outline.breaks else None
    if not outline.breaks:
        words["done"] = None
    if not kept.filed:
        words["file"] = None
    return words


def _type_of(word: str, loop: For | While) -> Type:
    """Return what is known of what stands for a name of the templates."""
    if word == "steps" and isinstance(loop, For):
        return loop.domain.type
    if word == "scratch":
        return Other(str)
    return WHOLE if word in NUMBERS else UNKNOWN


def _fresh(kept: Kept) -> Fresh:
    """Return the names that the functions of a loop use."""
    fresh = Fresh()
    fresh.know((*kept.outline.state, *kept.given, *_bars(kept)))
    return fresh


def _as_kept(kept: Kept, words: Mapping[str, Word]) -> tuple[Expr, ...]:
    """Return the state before a pass, as it is kept for long: arrays may go to a file."""
    states = [name(v, kept.types[v]) for v in kept.in_memory]
    made = tuple(copied(e) if e.data in kept.copied else e for e in states)
    if not kept.filed:
        return made
    write = global_("_to_disk", printed.function("_to_disk"))
    scratch = words["scratch"]
    assert isinstance(scratch, Expr)
    return (*made, call(write, scratch, *(name(v, kept.types[v]) for v in kept.filed)))


def _stride(kept: Kept, steps: Word) -> Expr:
    """Return after how many passes a state is kept; 1 at first where that grows on the way."""
    schedule = kept.schedule
    if isinstance(schedule, Every):
        return constant(schedule.passes, WHOLE)
    if isinstance(schedule, Disk) and schedule.every is not None:
        return constant(schedule.every, WHOLE)
    if isinstance(schedule, Disk) and kept.outline.is_counted:
        raise Unsupported.refused(
            "how often this loop runs is not known before, so it is not known which states to write",
            kept.outline.loop.span,
            "Tell after how many passes: s2sad.Disk(folder, every=100).",
        )
    if kept.outline.is_counted or not isinstance(steps, Expr):
        return constant(1, WHOLE)
    root = call(global_("math.isqrt", math.isqrt), call(global_("len", len), steps))
    return call(global_("max", max), constant(1, WHOLE), root, type_=WHOLE)


def _most(kept: Kept, stride: Word) -> Word:
    """Return how many states are kept at most where it is not known how often a loop runs."""
    if isinstance(kept.schedule, Sqrt):
        return stride
    return _slots(kept) if _has_slots(kept) else None


def _slots(kept: Kept) -> Expr:
    """Return how many states are kept at a time: a constant of the file, which may be edited."""
    slots = kept.schedule.slots if isinstance(kept.schedule, Binomial) else 1
    name_ = f"{kept.names.run.removesuffix('_loop').upper()}_SLOTS"
    return global_(name_, slots).typed(WHOLE)


def _cost(kept: Kept) -> str:
    match kept.schedule:
        case Every(passes):
            return f"Keeps n / {passes} + {passes} states for n passes, and runs each pass twice."
        case Binomial(slots) if kept.outline.is_counted:
            return f"Keeps {slots} states at most: every second is dropped where there are more."
        case Binomial(slots):
            return f"Keeps {slots} states at a time, by Griewank and Walther's schedule."
        case Disk(every=every):
            far = every or "sqrt(n)"
            return f"Keeps n / {far} states in files, {far} in memory, and runs each pass twice."
        case Recompute():
            return "Keeps the first state, and runs n * n / 2 passes more for n passes."
    return "Keeps about 2 * sqrt(n) states for n passes, and runs each pass twice."
