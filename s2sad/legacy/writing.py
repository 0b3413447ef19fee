"""A verified derivative becomes the text of a file: its functions, with what they need.

programs_of(...)     the derivative as it is spelled, and the functions that it calls
needed(...)          the imports, helpers and constants of all of them, under names that are free
text_of(...)         the text
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from s2sad.api.arrays import FUSED
from s2sad.api.request import MATRICES, Request, identifier, name_of, shown_beside
from s2sad.ir.errors import Span
from s2sad.legacy.assume import check_lines
from s2sad.legacy.callee import Callees, Written, renamed_calls
from s2sad.legacy.cut_off import seed_checks
from s2sad.legacy.derive import (
    Derived,
    results_of,
    returns_tuple,
)
from s2sad.legacy.emit import function_text
from s2sad.legacy.facts import Fact
from s2sad.legacy.files import file_text
from s2sad.legacy.headers import called_header, header_of, matrix_header
from s2sad.legacy.hiding import around, refuse_checked, shown_names
from s2sad.legacy.matrices import Matrix, Space, refuse_written
from s2sad.legacy.modules.fused import fused
from s2sad.legacy.naming import global_names, names_of
from s2sad.legacy.needed import Place
from s2sad.legacy.needs import Needs
from s2sad.legacy.normalise import normalise
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import Program, Ref, base, dot
from s2sad.legacy.schedules.text import loop_texts, scheduled_needs
from s2sad.legacy.spelling import spelled
from s2sad.legacy.written import written_by
from s2sad.source.text import Source, source_of, span


def programs_of(
    request: Request, derived: Derived, name: str, callees: Callees
) -> tuple[Program, list[Called]]:
    """Return the derivative as it is spelled, and the functions that it calls."""
    program = spelled(replace(derived.program, name=name))
    called = list(_called(callees))
    if request.arrays in FUSED:
        source = source_of(request.function)
        program, kernels = fused(program, request.function, derived.known, callees.fresh)
        called += [Called(each.written, each.program, source, ()) for each in kernels]
    return program, called


def needed(
    request: Request, program: Program, called: list[Called], names: set[str]
) -> tuple[Needs, Place | None]:
    """Return what a file needs to have, and the place of the function where that is shown."""
    source, function, own = source_of(request.function), request.function, None
    needs = Needs(names - shown_beside(request))
    needs.visit(program, source)
    if shown_beside(request):
        own = needs.place_of_ref(Ref(identifier(function), function), source)
    for each in called:
        needs.visit(each.program, each.source)
    needs.settle()
    return needs, own


def text_of(
    request: Request,
    primal: Primal,
    program: Program,
    called: list[Called],
    needs: Needs,
    own: Place | None,
    checks: dict[str, str],
    callees: Callees,
) -> tuple[Program, str]:
    """Return the derivative with the names of its file, and the text of that."""
    source = source_of(request.function)
    functions, same = _written_once(called, needs)
    functions += [text for steps in callees.steps for text in loop_texts(steps, same)]
    program = needs.renamed(renamed_calls(program, same), source)

    def described(names: Mapping[str, str]) -> list[str]:
        return header_of(request, primal, source, program, names)

    lines, given = check_lines(checks), _given(request, primal)

    def asked(names: Mapping[str, str]) -> list[str]:
        checks = {} if given is None else seed_checks(program, given, names)
        return [*lines, *check_lines(checks)]

    functions += _public(program, source, described, asked, callees.fresh)
    matrix: list[str] = []
    if request.form in MATRICES:
        matrix = _matrix(request, primal, program, needs.named(own) if own else "")
        functions.append(matrix)
    loops = scheduled_needs(callees.steps, needs)
    lines = asked(_plain_names(program))
    return program, file_text(needs, functions, "\n".join([*lines, *matrix, *loops]))


def _plain_names(program: Program) -> dict[str, str]:
    return {param.var.slot: base(param.var.slot) for param in program.params}


def _given(request: Request, primal: Primal) -> dict[str, Fact] | None:
    """Return what the seeds and tangents that are asked for belong to.

    None: matrices make their own.
    """
    if request.form in MATRICES:
        return None
    facts, layout = primal.facts, primal.program.layout
    given = {dot(param.var.slot): facts.of(param.var) for param in primal.program.params}
    if layout is None:
        return {**given, "seed&1": facts.expr(primal.program.result)}
    return {**given, "seed&1": Fact("dict" if layout.kind is dict else "record")}


def spaces(request: Request, primal: Primal) -> tuple[list[Space], list[Space]]:
    """Return the arguments and the results that the axes of a matrix belong to."""
    facts = primal.facts
    given = {p.var.slot: facts.of(p.var) for p in primal.program.params}
    wrt = [Space(name, given[name]) for name in request.wrt]
    return wrt, [Space("", facts.expr(result)) for result in results_of(primal.program)]


def _matrix(request: Request, primal: Primal, program: Program, own: str) -> list[str]:
    """Return the function that calls a sweep over unit vectors."""
    names = names_of(program, global_names(program) | {program.name})
    wrt, results = spaces(request, primal)
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
    asked: Callable[[Mapping[str, str]], list[str]],
    fresh: Callable[[str], str],
) -> list[list[str]]:
    """Return the text of the function that is asked for, in two where its parameters hide names."""
    names, hidden = shown_names(
        program, partial(_lines, program, source, [], []), asked(_plain_names(program))
    )
    checks = asked(names)
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


def _inner(program: Program, source: Source, about: list[str], each: Called) -> list[str]:
    """Return the text of the derivative of a called function."""
    names, hidden = shown_names(program, partial(_lines, program, source, [], []), each.checks)
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
class Called:
    """The derivative of a called function, ready to be written."""

    written: Written
    program: Program
    source: Source
    checks: Sequence[str]


def _called(callees: Callees) -> Iterator[Called]:
    for written, derived, _ in callees.made.values():
        program, source = spelled(derived.program), source_of(written.function)
        yield Called(written, program, source, check_lines(derived.checks))
    for steps in callees.steps:
        for written, derived in steps.functions:
            yield Called(written, spelled(derived.program), source_of(written.function), ())


def _written_once(called: Sequence[Called], needs: Needs) -> tuple[list[list[str]], dict[str, str]]:
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
