"""What users call to see how a derivative is made, and what it takes.

print(s2sad.explain(misfit, like=(W, m, d)))
print(s2sad.show(misfit, "lowering"))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from s2sad.analysis.memory import returned
from s2sad.analysis.pointers import Site
from s2sad.api.answer import tests_alone
from s2sad.api.derive import request_for
from s2sad.api.display.explanation import Explanation, explained, measure, measured
from s2sad.api.display.markup import aligned
from s2sad.api.display.short import short
from s2sad.api.pipeline import gradient_of, lowered, tangent_of
from s2sad.api.request import Like, Request, Wrt
from s2sad.api.rounds import Derived
from s2sad.api.rules import Rules
from s2sad.api.texts import text_for
from s2sad.checkpoint.gradient import Derivation
from s2sad.emit.comments import joined, lines_of
from s2sad.emit.constants import constant_text
from s2sad.emit.text import file_of, header_of, spelled
from s2sad.ir.errors import ArgumentError, NotYet, Unsupported
from s2sad.ir.program import Block, Function, Note, Program, Statement
from s2sad.ir.records import replace
from s2sad.ir.remedies import refusal
from s2sad.ir.spelling import Names
from s2sad.ir.text import distinct, function, lines, with_checks
from s2sad.ir.types import Array, Length, Type
from s2sad.ir.walk import with_blocks
from s2sad.operators.schedules import Checkpoint
from s2sad.optimize import simplify
from s2sad.reverse.sweep import Step, Steps, walk
from s2sad.source.read import signature_of
from s2sad.types.checks import letters


@short
def explain(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: Like = None,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
    arrays: str = "numpy",
    rules: Rules = None,
) -> Explanation:
    """Return what the gradient keeps, saves and computes again for arguments, and its peak.

    Printed it is a table; `rows` and `peak` (in bytes, None where a loop's passes are not known
    before it runs, or no `like` is given) are for programs. What the arguments take is left out.
    For a text of another array module, `waits` are the lines that wait for the device.

    Raises:
        ArgumentError: an argument that is no float, a parameter that is not there, or arguments that do
            not fit.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def steps(u):
        ...     for _ in range(100):
        ...         u = u + 0.1 * np.sin(u)
        ...     return np.sum(u)
        >>> s2sad.explain(steps, like=(np.ones(1000),)).peak > 100 * 8000
        True
        >>> s2sad.explain(steps, like=(np.ones(1000),), checkpoint="sqrt").peak < 40 * 8000
        True
    """
    kept: dict[str, Any] = {"checkpoint": checkpoint, "memory": memory}
    request = request_for("grad", function, wrt, like, rules=rules, arrays=arrays, **kept)
    try:
        found = measured(request, request.examples)
        told = explained(found)
    except NotYet as fault:
        raise refusal(fault) from None
    return replace(told, notes=tuple(said for said, _ in tests_alone(found.made)))


@short
def show(
    function: Callable[..., Any],
    after: str,
    *,
    wrt: Wrt = None,
    mode: str = "reverse",
    like: Like = None,
    rules: Rules = None,
) -> str:
    """Return the function as it stands after a room on its way to its derivative.

    Rooms are "lowering", "analysis", "reverse", "checkpoint", "optimize" and "emit", which gives the
    text of the derivative; with `mode="forward"` they are "lowering", "forward", "optimize" and
    "emit". What comes back is a file that runs: of the function until its derivative is made.

    Raises:
        ArgumentError: a room that there is not.
        Unsupported: a function that the rooms do not take so far.

    Example:
        >>> def squares(x):
        ...     return np.sum(x * x)
        >>> print(s2sad.show(squares, "optimize", like=(np.ones(3),)))
        def squares_grad(x):
            # reverse sweep
            x_bar = 2.0 * x
            return x_bar
        <BLANKLINE>
    """
    form = "jvp" if mode == "forward" else "grad"
    request = request_for(form, function, wrt, like, mode=mode, rules=rules)
    if isinstance(after, str) and after == "emit":
        return text_for(request, request.examples).source
    return stage(request, after)


# ---------------------------------------------------------------------------- stages

STAGES = {
    "reverse": ("lowering", "analysis", "reverse", "checkpoint", "optimize"),
    "forward": ("lowering", "forward", "optimize"),
}


def stage(request: Request, after: str) -> str:
    """Return the function, or what became of it, as a file that runs.

    Raises ArgumentError for what is no stage, Unsupported where the rooms cannot go so far.
    """
    if not isinstance(after, str) or after not in STAGES[request.mode]:
        listed = ", ".join([*STAGES[request.mode], "emit"])
        raise ArgumentError(f"there is no stage {after!r}", hint=f"Stages: {listed}.")
    try:
        made = _made(request, after)
        return _file(*_after(after, made), made)
    except NotYet as fault:
        problem = f"{request.function.__name__} cannot be shown after {after}: {fault.reason}"
        hint = "Give examples of its arguments: like=(...)." if request.examples is None else ""
        raise Unsupported(problem, fault.span, hint) from None


def _made(request: Request, after: str) -> Derived:
    """Return what is shown: the function itself, or its derivative."""
    if after == "lowering":
        return lowered(request.function, request.examples, request.wrt)
    if request.mode == "reverse":
        return gradient_of(request, request.examples)
    if request.examples is None:
        raise NotYet("tangents for any arguments")
    return tangent_of(request, request.examples)


def _after(after: str, made: Derived) -> tuple[Program, str]:
    """Return a program as it stands after a room, and what is told above it."""
    match after:
        case "lowering":
            return made.primal, ""
        case "analysis":
            return made.primal.with_first(derivation_of(made).prepared.function), memory_table(made)
        case "reverse":
            return made.primal.with_first(turned(made)), ""
        case "checkpoint":
            return made.program, plan_table(made)
        case "optimize":
            return simplify(made.program, made.context), ""
    return made.program, ""


def _file(program: Program, told: str, made: Derived) -> str:
    """Return a program as a file that runs, below what is told of it."""
    top = header_of(program, made.source)
    program = spelled(program, top)
    texts = []
    for word, each in program.functions.items():
        is_entry = word == program.entry
        text = function(each, distinct(each), _defaults(made) if is_entry else None)
        texts.append(with_checks(text, program.checks) if is_entry else text)
    comments = "".join(f"# {line}".rstrip() + "\n" for line in told.splitlines())
    return comments + joined(file_of([lines_of(text.rstrip("\n")) for text in texts], top))


def _defaults(made: Derived) -> dict[str, str]:
    """Return the defaults of the user's function that have a text, by its parameters."""
    parameters = signature_of(made.source.function).parameters.values()
    texts = {p.name: constant_text(p.default) for p in parameters if p.default is not p.empty}
    return {name: text for name, text in texts.items() if text is not None}


# ---------------------------------------------------------------------------- what was found


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
