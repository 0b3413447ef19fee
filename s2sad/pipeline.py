"""From a request to the text of a derivative: every stage once, in this order.

    parse normalise facts activity prepare reverse|forward checkpoint nest own verify emit
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from s2sad.callee import Callees
from s2sad.derive import (
    Derived,
    Primal,
    called_forward,
    called_reverse,
    forward,
    prepared,
    results_of,
    reverse,
)
from s2sad.emit import function_text
from s2sad.errors import ArgumentError, S2sadError, Span
from s2sad.facts import Fact, describe
from s2sad.files import File, gather_globals
from s2sad.graph import Graph, graph_of
from s2sad.naming import global_names, names_of
from s2sad.parse import Source, source_of, span
from s2sad.program import Const, Expr, Param, Program, Var
from s2sad.spelling import spelled

STAGES = ("normalise", "facts", "activity", "prepare", "reverse", "checkpoint", "emit")


@dataclass(frozen=True)
class Request:
    """What is asked for: a function, a mode, with respect to what, and what is known."""

    function: Any
    mode: str
    wrt: tuple[str, ...]
    single: bool
    value: bool
    seed: bool
    given: tuple[tuple[str, Fact], ...] | None


@dataclass(frozen=True)
class Derivative:
    """The text of a derivative, the function to call in it, and what it was made from."""

    source: str
    name: str
    bindings: Mapping[str, object]
    assumptions: frozenset[str]
    program: Program
    graph: Graph = field(compare=False)


def derive(request: Request) -> Derivative:
    """Return the derivative that a request asks for."""
    callees = Callees(called_reverse, called_forward)
    name = name_of(request)
    callees.names |= {name, request.function.__name__}
    given = dict(request.given or ())
    primal = prepared(request.function, request.wrt, given, callees)
    make = _reverse if request.mode == "reverse" else _forward
    derived = make(request, primal, name, callees)
    source = source_of(request.function)
    file = File()
    functions = [
        _written(each, written.name, source_of(written.function), file, _called_header(written, each))
        for written, each, _ in callees.made.values()
    ]
    checks, messages = checks_of(primal, request)
    header = header_of(request, primal, source)
    functions.append(_written(derived, name, source, file, header, checks))
    return Derivative(
        file.text(functions),
        name,
        dict(file.bindings),
        messages,
        derived.program,
        graph_of(primal.program),
    )


def name_of(request: Request) -> str:
    """Return the name of the derivative's function."""
    ending = "jvp" if request.mode == "forward" else "grad"
    if request.seed:
        ending = "vjp"
    elif request.mode == "reverse" and request.value:
        ending = "value_and_grad"
    name = request.function.__name__
    return f"{'f' if not name.isidentifier() else name}_{ending}"


# ---------------------------------------------------------------- the two modes


def _reverse(request: Request, primal: Primal, name: str, callees: Callees) -> Derived:
    results = results_of(primal.program)
    extra: tuple[Param, ...] = ()
    if request.seed:
        seeds, extra = _seeds(primal, results)
    else:
        if len(results) != 1:
            raise ArgumentError(
                f"{request.function.__name__} returns {len(results)} values, and grad takes one",
                primal.program.span,
                "Use s2sad.vjp, which takes a seed for every value, or return one number.",
            )
        _check_scalar(request, primal, results[0])
        one: Expr = Const(1.0)
        seeds = [(results[0], one)] if isinstance(results[0], Var) else []
    return reverse(
        primal, name, seeds, extra, callees, value=request.value, single=request.single
    )


def _check_scalar(request: Request, primal: Primal, result: Expr) -> None:
    fact = primal.facts.expr(result)
    if fact.kind in ("list", "tuple", "dict", "none", "str") or (fact.is_array and fact.rank):
        shape = f"an array of rank {fact.rank}" if fact.is_array else f"a {fact.kind}"
        raise ArgumentError(
            f"{request.function.__name__} returns {shape}, and grad takes a scalar",
            primal.program.span,
            "Use s2sad.vjp with a seed of the result's shape, or sum the result.",
        )


def _seeds(
    primal: Primal, results: tuple[Expr, ...]
) -> tuple[list[tuple[Var, Expr]], tuple[Param, ...]]:
    seed = Var("seed&1", 0)
    if len(results) == 1:
        seeds = [(results[0], seed)] if isinstance(results[0], Var) else []
        return seeds, (Param(seed),)  # type: ignore[return-value]
    from s2sad.program import Op

    found: list[tuple[Var, Expr]] = []
    for number, result in enumerate(results):
        if isinstance(result, Var):
            found.append((result, Op("index", (seed, Const(number)))))
    return found, (Param(seed),)


def _forward(request: Request, primal: Primal, name: str, callees: Callees) -> Derived:
    return forward(primal, name, callees)


# ---------------------------------------------------------------- text


def _written(
    derived: Derived,
    name: str,
    source: Source,
    file: File,
    header: list[str],
    checks: list[str] | None = None,
) -> list[str]:
    program = spelled(replace(derived.program, name=name))
    gather_globals(file, program, source)
    names = names_of(program, global_names(program) | {name})
    comments = {line: c.text for line, c in source.comments.items() if c.alone}
    returned = _return_span(source)
    return function_text(program, names, header, checks or (), comments, returned=returned)


def _return_span(source: Source) -> Span | None:
    """Return the place of the one `return` of a function that ends with it."""
    last = source.tree.body[-1]
    return span(source, last) if type(last).__name__ == "Return" else None


def _called_header(written: Any, derived: Derived) -> list[str]:
    function = written.function
    params = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
    if written.name.endswith("jvp"):
        return [f"Value and tangent of {function.__name__}({params})."]
    seeds = [p.var.slot for p in derived.program.params if p.var.slot.startswith("out&")]
    bars = "out_bar" if sum("~bar" in s for s in seeds) <= 1 else "the adjoints of the results"
    return [f"Pull {bars} back through {function.__name__}({params})."]


def header_of(request: Request, primal: Primal, source: Source) -> list[str]:
    """Return the docstring of a derivative: what it is, where it comes from, what it assumes."""
    program = primal.program
    call = f"{program.name}({', '.join(param.var.slot for param in program.params)})"
    wrt = ", ".join(request.wrt)
    if request.mode == "forward":
        dots = ", ".join(f"{name}_dot" for name in request.wrt)
        first = f"Value of {call} and its derivative along {dots}."
    elif request.seed:
        first = f"Adjoints of {wrt}, pulled back from seed through {call}."
    else:
        what = "Value and gradient" if request.value else "Gradient"
        first = f"{what} of {call} with respect to {wrt}."
    where = f"{Path(source.path).name}:{program.span.line}-{_last_line(source)}"
    lines = [first, "", f"Differentiated in {request.mode} mode by s2sad from {where}"]
    about = describe(dict(request.given), program.params) if request.given else ""
    if about:
        lines[-1] += ","
        lines.append(about + ".")
    else:
        lines[-1] += "."
    return lines


def _last_line(source: Source) -> int:
    return int(getattr(source.tree, "end_lineno", None) or source.tree.body[-1].end_lineno)


def checks_of(primal: Primal, request: Request) -> tuple[list[str], frozenset[str]]:
    """Return the lines that check what specialised text assumes, and their messages."""
    if request.given is None:
        return [], frozenset()
    params = {param.var for param in primal.program.params}
    lines: list[str] = []
    messages: list[str] = []
    for meeting in primal.facts.meetings:
        if meeting.left not in params or meeting.right not in params:
            continue
        a, b = meeting.left.slot, meeting.right.slot
        test = f"{a}.shape[{meeting.left_axis}] != {b}.shape[{meeting.right_axis}]"
        message = f"made for {a} and {b} of equal length"
        if f"    if {test}:" not in lines:
            lines += [f"    if {test}:", f'        raise ValueError("{message}")']
            messages.append(message)
    return lines, frozenset(messages)


def stage(request: Request, after: str) -> str:
    """Return the function as it stands after a stage, as Python that runs."""
    from s2sad.stages import shown

    return shown(request, after)


__all__ = ["STAGES", "Derivative", "Request", "S2sadError", "derive", "stage"]
