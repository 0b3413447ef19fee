"""A function as it stands after each room on its way to its derivative, as Python that runs.

stage(request, "lowering")     what it was evaluated to
stage(request, "analysis")     ready to be differentiated, under a table of memory and activity
stage(request, "reverse")      each statement with its reverse below it, as comments
stage(request, "checkpoint")   both sweeps in one, under a table of how each value is had again
stage(request, "optimize")     the same values, shorter
"""

from __future__ import annotations

from s2sad.api.findings import derivation_of, memory_table, plan_table, turned
from s2sad.api.pipeline import gradient_of, lowered, tangent_of
from s2sad.api.request import Request
from s2sad.api.rounds import Derived
from s2sad.emit.text import file_of, header_of, spelled
from s2sad.ir.errors import ArgumentError, NotYet, Unsupported
from s2sad.ir.program import Function, Program
from s2sad.ir.records import replace
from s2sad.ir.text import distinct, function, with_checks
from s2sad.optimize import simplify

STAGES = {
    "reverse": ("lowering", "analysis", "reverse", "checkpoint", "optimize"),
    "forward": ("lowering", "forward", "optimize"),
}


def stage(request: Request, after: str) -> str:
    """Return the function, or what became of it, as a file that runs.

    Raises ArgumentError for what is no stage, Unsupported where the rooms cannot go so far.
    """
    if after not in STAGES[request.mode]:
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
    what = request.function, request.examples, request.wrt
    if after == "lowering":
        return lowered(*what)
    if request.mode == "reverse":
        return gradient_of(*what, "grad", request.single)
    if request.examples is None:
        raise NotYet("tangents for any arguments")
    return tangent_of(*what, "jvp", request.single)


def _after(after: str, made: Derived) -> tuple[Program, str]:
    """Return a program as it stands after a room, and what is told above it."""
    match after:
        case "lowering":
            return made.primal, ""
        case "analysis":
            return _with_entry(derivation_of(made).prepared.function, made), memory_table(made)
        case "reverse":
            return _with_entry(turned(made), made), ""
        case "checkpoint":
            return made.program, plan_table(made)
        case "optimize":
            return simplify(made.program, made.context), ""
    return made.program, ""


def _file(program: Program, told: str, made: Derived) -> str:
    """Return a program as a file that runs, below what is told of it."""
    top = header_of(program, made.source)
    program = spelled(program, top)
    texts = [function(f, distinct(f)) for f in program.functions.values()]
    place = [*program.functions].index(program.entry)
    texts[place] = with_checks(texts[place], program.checks)
    comments = "".join(f"# {line}".rstrip() + "\n" for line in told.splitlines())
    return comments + file_of([text.rstrip("\n") for text in texts], top)


def _with_entry(entry: Function, made: Derived) -> Program:
    """Return a program with this entry, and the functions that are called."""
    return replace(made.primal, functions={**made.primal.functions, made.primal.entry: entry})
