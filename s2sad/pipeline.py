"""From a request to the text of a derivative: every stage once, in this order.

parse normalise facts activity prepare reverse|forward checkpoint nest own verify emit
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from s2sad.added import using
from s2sad.assume import check_lines, rank_checks, without_own
from s2sad.called import called_forward, called_reverse
from s2sad.callee import Callees, Written, renamed_calls
from s2sad.calls import written_by
from s2sad.checkpoint import Plan
from s2sad.custom import Custom
from s2sad.derive import (
    Derived,
    Form,
    results_of,
    returns_tuple,
    reverse,
)
from s2sad.emit import function_text
from s2sad.errors import S2sadError, Span, Unsupported
from s2sad.facts import Fact
from s2sad.facts.device import on_device
from s2sad.files import file_text
from s2sad.foreign import messages as refused_operators
from s2sad.graph import Graph, graph_of
from s2sad.headers import called_header, header_of, matrix_header
from s2sad.hiding import around, refuse_checked, shown_names
from s2sad.likely import kind_checks
from s2sad.matrices import MATRICES, Matrix, Space, refuse_holders, refuse_written
from s2sad.modules import FUSED
from s2sad.modules.fused import fused
from s2sad.modules.lines import place_of
from s2sad.modules.moved import moved
from s2sad.naming import global_names, names_of
from s2sad.needs import Needs
from s2sad.normalise import normalise
from s2sad.parse import Source, source_of, span
from s2sad.primal import Primal, as_used
from s2sad.program import Call, Expr, Program, Ref
from s2sad.request import (
    Request,
    identifier,
    name_of,
    shown_beside,
    sweep_name,
)
from s2sad.rewrites import reassociating
from s2sad.rules import is_known
from s2sad.schedules.text import loop_texts, scheduled_needs
from s2sad.seeds import aux_of, refuse_no_number, seeds_apart, seeds_of, wants_scalar, with_aux
from s2sad.spelling import spelled
from s2sad.tangents import at_once, forward

STAGES = ("normalise", "facts", "activity", "prepare", "reverse", "checkpoint", "emit")


DEEPEST = 10_000


@dataclass(frozen=True)
class Derivative:
    """The text of a derivative, the function to call in it, and what it was made from."""

    source: str
    name: str
    bindings: Mapping[str, object]
    assumptions: frozenset[str]
    program: Program
    graph: Graph = field(compare=False)
    # constants that can be changed where they stand, which is where a call reads them; their texts
    live: Mapping[str, tuple[object, str]] = field(default_factory=dict)
    # derivatives of their own that copied functions were given
    customs: Mapping[str, Custom] = field(default_factory=dict)
    # which functions of the user's those are copies of for which there are rules
    copies: Mapping[str, Any] = field(default_factory=dict)
    # what is needed of the result is known: for a gradient, that it is a scalar
    checked: bool = True
    # the parameters that the primal writes to in place
    written: frozenset[str] = frozenset()


def derive(request: Request) -> Derivative:
    """Return the derivative that a request asks for."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))  # a sum of a thousand terms is a deep tree
    try:
        rounding = reassociating(request.reassociate)
        with on_device(request.arrays != "numpy"), using(request.rules), rounding:
            return _derive(request)
    finally:
        sys.setrecursionlimit(limit)


def _derive(request: Request) -> Derivative:
    given = dict(request.given or ())
    return as_used(
        request.function, request.wrt, given, lambda primal: _written_of(request, primal)
    )


def _written_of(request: Request, primal: Primal) -> Derivative:
    callees = _callees(request)
    name = sweep_name(request)
    callees.names |= {name, name_of(request), request.function.__name__}
    if request.form in MATRICES:
        refuse_holders(request.function, *_spaces(request, primal), primal.program.layout)
    make = _reverse if request.mode == "reverse" else _forward
    derived = make(request, primal, name, callees)
    request = replace(request, directions=callees.directions)
    if callees.schedules is not None:
        called_names = {written.function.__name__ for written, _, _ in callees.made.values()}
        callees.schedules.refuse_unmet(callees.loops, called_names)
    source = source_of(request.function)
    # without example arguments nothing is assumed of them
    checks = kind_checks(primal.kinds)
    if request.given is not None:
        checks |= {**rank_checks(primal.program, primal.facts, request.wrt), **derived.checks}
    checks = without_own(checks, derived.program)
    program = spelled(replace(derived.program, name=name))
    called = list(_called(callees))
    if request.arrays in FUSED:
        program, kernels = fused(program, request.function, derived.known, callees.fresh)
        called += [_Called(each.written, each.program, source, ()) for each in kernels]
    own = None
    needs = Needs({name, *callees.names} - shown_beside(request))
    needs.visit(program, source)
    if shown_beside(request):
        function = request.function
        own = needs.place_of_ref(Ref(identifier(function), function), source)
    for each in called:
        needs.visit(each.program, each.source)
    needs.settle()
    functions, same = _written_once(called, needs)
    functions += [text for steps in callees.steps for text in loop_texts(steps, same)]
    program = needs.renamed(renamed_calls(program, same), source)

    def described(names: Mapping[str, str]) -> list[str]:
        return header_of(request, primal, source, program, names)

    lines = check_lines(checks)
    functions += _public(program, source, described, lines, callees.fresh)
    matrix: list[str] = []
    if request.form in MATRICES:
        matrix = _matrix(request, primal, program, needs.named(own) if own else "")
        functions.append(matrix)
    text = file_text(
        needs, functions, "\n".join([*lines, *matrix, *scheduled_needs(callees.steps, needs)])
    )
    programs = [program, *(each.program for each in called)]
    return Derivative(
        moved(text, request.arrays, lambda name: place_of(name, programs)),
        name_of(request),
        needs.bindings(),
        _messages(checks, derived, callees),
        derived.program,
        graph_of(primal.program),
        needs.live() if request.arrays == "numpy" else {},  # elsewhere they are not the device's
        needs.customs(),
        {name: value for name, value in needs.copies() if is_known(Call(Ref(name, value)))},
        not wants_scalar(request) or _is_number(primal.facts.expr(_value(request, primal))),
        primal.written,
    )


def _callees(request: Request) -> Callees:
    asked = request.schedules
    if asked is not None:
        asked = replace(asked, path=source_of(request.function).path)
    return Callees(called_reverse, called_forward, schedules=asked)


def _value(request: Request, primal: Primal) -> Expr:
    """Return the result of which a gradient is taken."""
    return results_of(primal.program)[0] if request.aux else primal.program.result


def _is_number(fact: Fact) -> bool:
    """Tell whether a result is surely one number, which on a device is an array without axes."""
    return fact.is_scalar or (fact.is_array and fact.rank == 0 and fact.dtype.startswith("float"))


def _messages(checks: Mapping[str, str], derived: Derived, callees: Callees) -> frozenset[str]:
    """Return what the checks of a text say when they fail."""
    messages = {*checks.values(), *derived.assumed}
    messages |= {text for _, each, _ in callees.made.values() for text in each.checks.values()}
    programs = [derived.program, *(each.program for _, each, _ in callees.made.values())]
    messages |= {text for program in programs for text in refused_operators(program)}
    return frozenset(messages)


# ---------------------------------------------------------------- the two modes


def _reverse(request: Request, primal: Primal, name: str, callees: Callees) -> Derived:
    seeds, extra = seeds_of(request, primal)
    derived = reverse(
        primal,
        name,
        seeds,
        extra,
        callees,
        Form(
            value=request.value,
            single=request.single,
            assume=request.given is not None,
            aux=aux_of(primal.program) if request.aux else None,
        ),
    )
    params = seeds_apart(derived.program.params)
    whole = with_aux(derived.program, request.value) if request.aux else derived.program
    derived.program = replace(whole, params=params)
    return derived


def _forward(request: Request, primal: Primal, name: str, callees: Callees) -> Derived:
    refuse_no_number(request, primal)
    callees.directions = request.directions
    if request.form == "jacobian" and request.given is not None:
        found = at_once(primal, name, callees)
        if found is not None:
            return found
    try:
        return forward(primal, name, callees, value=request.value)
    except Unsupported as error:
        # many directions at once wait for the arguments; of examples more will not be known
        error.certain |= request.directions and request.given is not None
        raise


# ---------------------------------------------------------------- text


def _spaces(request: Request, primal: Primal) -> tuple[list[Space], list[Space]]:
    """Return the arguments and the results that the axes of a matrix belong to."""
    facts = primal.facts
    given = {p.var.slot: facts.of(p.var) for p in primal.program.params}
    wrt = [Space(name, given[name]) for name in request.wrt]
    return wrt, [Space("", facts.expr(result)) for result in results_of(primal.program)]


def _matrix(request: Request, primal: Primal, program: Program, own: str) -> list[str]:
    """Return the function that calls a sweep over unit vectors."""
    names = names_of(program, global_names(program) | {program.name})
    wrt, results = _spaces(request, primal)
    written = written_by(request.function, normalise) if own else frozenset()
    refuse_written(request.function, primal, written)
    made = Matrix(
        request.form,
        name_of(request),
        program.name,
        request.mode == "reverse",
        own,
        program.params,
        names,
        wrt,
        results,
        request.single,
        not returns_tuple(primal.program),
        written,
        request.directions,
    )
    return made.text(matrix_header(request, primal))


Describe = Callable[[Mapping[str, str]], list[str]]


def _public(
    program: Program,
    source: Source,
    described: Describe,
    checks: Sequence[str],
    fresh: Callable[[str], str],
) -> list[list[str]]:
    """Return the text of the function that is asked for, in two where its parameters hide names."""
    names, hidden = shown_names(program, partial(_lines, program, source, [], []))
    if not hidden:
        return [_lines(program, source, described(names), checks, names)]
    refuse_checked(hidden, checks, program)
    own = {**names, **{name: name for name in hidden}}
    sweep = replace(program, name=fresh(f"{program.name}_sweep"))
    about = [f"Compute {program.name}: {', '.join(f'{h} is {names[h]} here' for h in hidden)}."]
    return [
        _lines(sweep, source, about, checks, names),
        around(program, own, (sweep.name, names), described(own)),
    ]


def _inner(program: Program, source: Source, about: list[str], each: _Called) -> list[str]:
    """Return the text of the derivative of a called function."""
    names, hidden = shown_names(program, partial(_lines, program, source, [], []))
    refuse_checked(hidden, each.checks, program)
    rulers = not each.written.decorator
    return _lines(program, source, about, each.checks, names, rulers)


def _lines(
    program: Program,
    source: Source,
    header: list[str],
    checks: Sequence[str],
    names: Mapping[str, str],
    rulers: bool = True,
) -> list[str]:
    comments = {line: c.text for line, c in source.comments.items() if c.alone}
    if source.path.startswith("<"):
        comments = {}  # those of an emitted derivative are its own
    step = program.span.line != span(source, source.tree).line
    returned = None if step else _return_span(source)
    return function_text(program, names, header, checks, comments, rulers, returned)


def _return_span(source: Source) -> Span | None:
    """Return the place of the one `return` of a function that ends with it."""
    last = source.tree.body[-1]
    return span(source, last) if type(last).__name__ == "Return" else None


@dataclass(frozen=True)
class _Called:
    """The derivative of a called function, ready to be written."""

    written: Written
    program: Program
    source: Source
    checks: Sequence[str]


def _called(callees: Callees) -> Iterator[_Called]:
    for written, derived, _ in callees.made.values():
        program, source = spelled(derived.program), source_of(written.function)
        yield _Called(written, program, source, check_lines(derived.checks))
    for steps in callees.steps:
        for written, derived in steps.functions:
            yield _Called(written, spelled(derived.program), source_of(written.function), ())


def _written_once(
    called: Sequence[_Called], needs: Needs
) -> tuple[list[list[str]], dict[str, str]]:
    """Return the derivatives of called functions, and which name stands for equal ones."""
    same: dict[str, str] = {}
    texts: dict[tuple[str, ...], str] = {}
    functions = []
    for each in called:
        name = each.written.name
        program = needs.renamed(renamed_calls(replace(each.program, name="_"), same), each.source)
        key = tuple(_inner(program, each.source, [], each))
        same[name] = texts.setdefault((each.written.function.__qualname__, *key), name)
        if same[name] == name:
            program = replace(program, name=name)
            about = called_header(each.written, program)
            lines = [each.written.decorator] if each.written.decorator else []
            lines += _inner(program, each.source, about, each)
            functions.append(lines)
    return functions, same


def derived_of(request: Request) -> tuple[Primal, Derived, Callees]:
    """Return what a request's reverse sweep is made from, and what else its file holds."""

    def made(primal: Primal) -> tuple[Primal, Derived, Callees]:
        callees = _callees(request)
        return primal, _reverse(request, primal, name_of(request), callees), callees

    with using(request.rules):
        return as_used(request.function, request.wrt, dict(request.given or ()), made)


def plan_of(request: Request) -> Plan:
    """Return how each value that the reverse sweep of a request reads is had again."""
    plan = derived_of(request)[1].plan
    assert plan is not None
    return plan


def stage(request: Request, after: str) -> str:
    """Return the function as it stands after a stage, as Python that runs."""
    from s2sad.stages import shown

    with using(request.rules):
        return shown(request, after)


__all__ = ["STAGES", "Derivative", "Request", "S2sadError", "derive", "stage"]
