"""A function as it stands after each room on its way to its derivative, as Python that runs.

stage(request, "lowering")     what it was evaluated to
stage(request, "analysis")     ready to be differentiated, under a table of memory and activity
stage(request, "reverse")      each statement with its reverse below it, as comments
stage(request, "checkpoint")   both sweeps in one, under a table of how each value is had again
stage(request, "optimize")     the same values, shorter
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from s2sad.api.findings import memory_table, plan_table, turned
from s2sad.api.pipeline import gradient_of, lowered, tangent_of
from s2sad.api.request import Request
from s2sad.api.rounds import Derived
from s2sad.emit.text import file_of, header_of, spelled
from s2sad.ir.errors import ArgumentError, NotYet, Unsupported
from s2sad.ir.program import Function, Program
from s2sad.ir.records import replace
from s2sad.ir.text import distinct, function, with_checks
from s2sad.optimize import simplify


def stage(request: Request, after: str) -> str:
    """Return the function, or what became of it, as a file that runs.

    Raises ArgumentError for what is no stage, Unsupported where the rooms cannot go so far.
    """
    stages = STAGES[request.mode]
    if after not in stages:
        listed = ", ".join([*stages, "emit"])
        raise ArgumentError(f"there is no stage {after!r}", hint=f"Stages: {listed}.")
    try:
        return stages[after](request)
    except NotYet as fault:
        problem = f"{request.function.__name__} cannot be shown after {after}: {fault.reason}"
        hint = "Give examples of its arguments: like=(...)." if request.examples is None else ""
        raise Unsupported(problem, fault.span, hint) from None


def _file(program: Program, made: Derived, told: str = "") -> str:
    """Return a program as a file that runs, below what is told of it."""
    top = header_of(program, made.source)
    program = spelled(program, top)
    texts = [function(f, distinct(f)) for f in program.functions.values()]
    place = [*program.functions].index(program.entry)
    texts[place] = with_checks(texts[place], program.checks)
    comments = "".join(f"# {line}".rstrip() + "\n" for line in told.splitlines())
    return comments + file_of([text.rstrip("\n") for text in texts], top)


# ---------------------------------------------------------------------------- the rooms


def _lowering(request: Request) -> str:
    made = lowered(request.function, request.examples, request.wrt)
    return _file(made.primal, made)


def _analysis(request: Request) -> str:
    made = _gradient(request)
    ready = made.derivation.prepared  # type: ignore[union-attr]
    return _file(_with_entry(ready.function, made), made, memory_table(made))


def _reverse(request: Request) -> str:
    made = _gradient(request)
    return _file(_with_entry(turned(made), made), made)


def _checkpoint(request: Request) -> str:
    made = _gradient(request)
    return _file(made.program, made, plan_table(made))


def _forward(request: Request) -> str:
    made = _tangent(request)
    return _file(made.program, made)


def _optimized(derive: Callable[[Request], Derived], request: Request) -> str:
    made = derive(request)
    return _file(simplify(made.program, made.context), made)


def _gradient(request: Request) -> Derived:
    return gradient_of(request.function, request.examples, request.wrt, "grad", request.single)


def _tangent(request: Request) -> Derived:
    if request.examples is None:
        raise NotYet("tangents for any arguments")
    return tangent_of(request.function, request.examples, request.wrt, "jvp", request.single)


def _with_entry(entry: Function, made: Derived) -> Program:
    """Return a program with this entry, and the functions that are called."""
    return replace(made.primal, functions={**made.primal.functions, made.primal.entry: entry})


STAGES: Mapping[str, Mapping[str, Callable[[Request], str]]] = {
    "reverse": {
        "lowering": _lowering,
        "analysis": _analysis,
        "reverse": _reverse,
        "checkpoint": _checkpoint,
        "optimize": lambda request: _optimized(_gradient, request),
    },
    "forward": {
        "lowering": _lowering,
        "forward": _forward,
        "optimize": lambda request: _optimized(_tangent, request),
    },
}
