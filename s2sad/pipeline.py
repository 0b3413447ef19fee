"""From a request to the text of a derivative: every stage once, in this order.

parse normalise facts activity prepare reverse|forward checkpoint nest own verify emit
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from s2sad.assume import check_lines, rank_checks
from s2sad.blocks import map_everywhere
from s2sad.called import called_forward, called_reverse
from s2sad.callee import Callees, Written
from s2sad.checkpoint import Plan
from s2sad.derive import (
    Derived,
    Form,
    forward,
    results_of,
    returns_tuple,
    reverse,
)
from s2sad.emit import function_text
from s2sad.errors import ArgumentError, S2sadError, Span
from s2sad.facts import Fact, describe
from s2sad.files import file_text
from s2sad.graph import Graph, graph_of
from s2sad.headers import header
from s2sad.likely import kind_checks
from s2sad.naming import global_names, names_of
from s2sad.needs import Needs
from s2sad.parse import Source, source_of, span
from s2sad.places import result_place
from s2sad.primal import Primal, as_used
from s2sad.program import Const, Expr, Op, Param, Program, Ref, Var, dot, transform
from s2sad.schedules.kinds import Schedules
from s2sad.schedules.text import loop_texts, scheduled_needs
from s2sad.spelling import spelled

STAGES = ("normalise", "facts", "activity", "prepare", "reverse", "checkpoint", "emit")


DEEPEST = 10_000


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
    schedules: Schedules | None = None
    # what else the docstring of the text says
    note: str = ""


@dataclass(frozen=True)
class Derivative:
    """The text of a derivative, the function to call in it, and what it was made from."""

    source: str
    name: str
    bindings: Mapping[str, object]
    assumptions: frozenset[str]
    program: Program
    graph: Graph = field(compare=False)
    # what is needed of the result is known: for a gradient, that it is a scalar
    checked: bool = True


def derive(request: Request) -> Derivative:
    """Return the derivative that a request asks for."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))  # a sum of a thousand terms is a deep tree
    try:
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
    name = name_of(request)
    callees.names |= {name, request.function.__name__}
    make = _reverse if request.mode == "reverse" else _forward
    derived = make(request, primal, name, callees)
    if callees.schedules is not None:
        callees.schedules.refuse_unmet(callees.loops)
    source = source_of(request.function)
    # without example arguments nothing is assumed of them
    checks = kind_checks(primal.kinds)
    if request.given is not None:
        checks |= {**rank_checks(primal.program, primal.facts, request.wrt), **derived.checks}
    program = spelled(replace(derived.program, name=name))
    called = list(_called(callees))
    needs = Needs({name, *callees.names})
    needs.visit(program, source)
    for each in called:
        needs.visit(each.program, each.source)
    needs.settle()
    functions, same = _written_once(called, needs)
    functions += [text for steps in callees.steps for text in loop_texts(steps, same)]
    program = needs.renamed(renamed_calls(program, same), source)

    def described(names: Mapping[str, str]) -> list[str]:
        return header_of(request, primal, source, program, names)

    lines = check_lines(checks)
    functions.append(_written(program, source, described, lines))
    return Derivative(
        file_text(needs, functions, "\n".join([*lines, *scheduled_needs(callees.steps, needs)])),
        name,
        needs.bindings(),
        _messages(checks, derived, callees),
        derived.program,
        graph_of(primal.program),
        not _wants_scalar(request) or primal.facts.expr(primal.program.result).is_scalar,
    )


def _callees(request: Request) -> Callees:
    asked = request.schedules
    if asked is not None:
        asked = replace(asked, path=source_of(request.function).path)
    return Callees(called_reverse, called_forward, schedules=asked)


def _messages(checks: Mapping[str, str], derived: Derived, callees: Callees) -> frozenset[str]:
    """Return what the checks of a text say when they fail."""
    messages = {*checks.values(), *derived.assumed}
    messages |= {text for _, each, _ in callees.made.values() for text in each.checks.values()}
    return frozenset(messages)


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
    _refuse_no_number(request, primal)
    if not _wants_scalar(request):
        seeds, extra = _seeds(primal, results)
    else:
        if returns_tuple(primal.program):
            count = f"{len(results)} values" if len(results) != 1 else "a tuple of one value"
            raise ArgumentError(
                f"{request.function.__name__} returns {count}, and grad takes a scalar",
                result_place(request.function),
                "Use s2sad.vjp, which takes a seed for every value, or return one number.",
            )
        _check_scalar(request, primal, results[0])
        one: Expr = Const(1.0)
        seeds = [(results[0], one)] if isinstance(results[0], Var) else []
    derived = reverse(
        primal,
        name,
        seeds,
        extra,
        callees,
        Form(value=request.value, single=request.single, assume=request.given is not None),
    )
    derived.program = replace(derived.program, params=_seeds_apart(derived.program.params))
    return derived


def _seeds_apart(params: tuple[Param, ...]) -> tuple[Param, ...]:
    """Return the parameters with seeds before those by name, themselves by name if need be."""
    seeds = [p for p in params if p.var.slot.startswith("seed&")]
    own = [p for p in params if p not in seeds]
    named = [p for p in own if p.kind == "keyword"]
    positional = [p for p in own if p not in named]
    if not any(p.default is not None for p in positional):
        return (*positional, *seeds, *named)
    return (*positional, *named, *(replace(p, kind="keyword") for p in seeds))


def _wants_scalar(request: Request) -> bool:
    return request.mode == "reverse" and not request.seed


def _check_scalar(request: Request, primal: Primal, result: Expr) -> None:
    fact = primal.facts.expr(result)
    if fact.kind == "complex" or fact.dtype.startswith("complex"):
        raise ArgumentError(
            f"{request.function.__name__} returns a complex number, and grad takes a real one",
            result_place(request.function),
            "Return its real part, np.real(...), or what you make of it.",
        )
    if fact.kind in ("list", "tuple", "dict", "none", "str") or (fact.is_array and fact.rank):
        kind = "nothing" if fact.kind == "none" else f"a {fact.kind}"
        shape = f"an array of rank {fact.rank}" if fact.is_array else kind
        raise ArgumentError(
            f"{request.function.__name__} returns {shape}, and grad takes a scalar",
            result_place(request.function),
            "Use s2sad.vjp with a seed of the result's shape, or sum the result.",
        )


def _seeds(
    primal: Primal, results: tuple[Expr, ...]
) -> tuple[list[tuple[Var, Expr]], tuple[Param, ...]]:
    seed = Var("seed&1", 0)
    if not returns_tuple(primal.program):
        seeds = [(results[0], seed)] if isinstance(results[0], Var) else []
        return seeds, (Param(seed),)  # type: ignore[return-value]
    found: list[tuple[Var, Expr]] = []
    for number, result in enumerate(results):
        if isinstance(result, Var):
            found.append((result, Op("index", (seed, Const(number)))))
    return found, (Param(seed),)


def _refuse_no_number(request: Request, primal: Primal) -> None:
    """Refuse a function that returns nothing, or a text: there is nothing to differentiate."""
    kind = primal.facts.expr(primal.program.result).kind
    if kind in ("none", "str"):
        what = "nothing" if kind == "none" else "a text"
        raise ArgumentError(
            f"{request.function.__name__} returns {what}: there is nothing to differentiate",
            result_place(request.function),
            "Return a number, an array, or a list or tuple of them.",
        )


def _forward(request: Request, primal: Primal, name: str, callees: Callees) -> Derived:
    _refuse_no_number(request, primal)
    return forward(primal, name, callees)


# ---------------------------------------------------------------- text


Describe = Callable[[Mapping[str, str]], list[str]]


def _written(
    program: Program, source: Source, described: Describe, checks: Sequence[str]
) -> list[str]:
    names = names_of(program, global_names(program) | {program.name})
    comments = {line: c.text for line, c in source.comments.items() if c.alone}
    if source.path.startswith("<"):
        comments = {}  # those of an emitted derivative are its own
    step = program.span.line != span(source, source.tree).line
    returned = None if step else _return_span(source)
    return function_text(program, names, described(names), checks, comments, returned=returned)


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
        key = tuple(_written(program, each.source, lambda names: [], each.checks))
        same[name] = texts.setdefault((each.written.function.__qualname__, *key), name)
        if same[name] == name:
            program = replace(program, name=name)
            about = _called_header(each.written, program)
            functions.append(_written(program, each.source, lambda names: about, each.checks))  # noqa: B023
    return functions, same


def renamed_calls(program: Program, same: Mapping[str, str]) -> Program:
    """Return the program that calls one function where several are equal."""

    def one(expr: Expr) -> Expr:
        if isinstance(expr, Ref) and isinstance(expr.value, Written):
            return Ref(same.get(expr.text, expr.text), expr.value)
        return expr

    body = map_everywhere(program.body, lambda expr: transform(expr, one))
    return replace(program, body=body, result=transform(program.result, one))


def _called_header(written: Written, program: Program) -> list[str]:
    function = written.function
    if written.about:
        return [written.about]
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    params = ", ".join(code.co_varnames[:count])
    if written.name.startswith(f"{function.__name__}_jvp"):
        return [f"Value and tangent of {function.__name__}({params})."]
    if written.name.startswith(f"{function.__name__}_grad"):
        return [f"Gradient of {function.__name__}({params})."]
    if written.name.startswith(f"{function.__name__}_vjp"):
        return [f"Pull seed back through {function.__name__}({params})."]
    seeds = [p.var.slot for p in program.params if p.var.slot.startswith("out&")]
    bars = "out_bar" if sum("~bar" in s for s in seeds) <= 1 else "the adjoints of the results"
    return [f"Pull {bars} back through {function.__name__}({params})."]


def header_of(
    request: Request,
    primal: Primal,
    source: Source,
    program: Program,
    names: Mapping[str, str],
) -> list[str]:
    """Return the docstring of a derivative: what it is, where it comes from, what it assumes."""
    function = primal.program
    call = f"{function.name}({', '.join(param.var.slot for param in function.params)})"
    short = f"{function.name}(...)"
    wrt = ", ".join(request.wrt)
    if request.mode == "forward":
        dots = ", ".join(names.get(dot(name), f"{name}_dot") for name in request.wrt)
        first = f"Value of {{}} and its derivative along {dots}."
    elif request.seed:
        first = f"Adjoints of {wrt}, pulled back from seed through {{}}."
    else:
        what = "Value and gradient" if request.value else "Gradient"
        first = f"{what} of {{}} with respect to {wrt}."
    where = f"{Path(source.path).name}:{function.span.line}-{_last_line(source)}"
    origin = f"Differentiated in {request.mode} mode by s2sad from {where}"
    about = describe(primal.facts, function.params) if request.given else ""
    lines = header(first.format(call), first.format(short), origin, about, program)
    return [*lines, request.note] if request.note else lines


def _last_line(source: Source) -> int:
    return int(getattr(source.tree, "end_lineno", None) or source.tree.body[-1].end_lineno)


def derived_of(request: Request) -> tuple[Primal, Derived, Callees]:
    """Return what a request's reverse sweep is made from, and what else its file holds."""

    def made(primal: Primal) -> tuple[Primal, Derived, Callees]:
        callees = _callees(request)
        return primal, _reverse(request, primal, name_of(request), callees), callees

    return as_used(request.function, request.wrt, dict(request.given or ()), made)


def plan_of(request: Request) -> Plan:
    """Return how each value that the reverse sweep of a request reads is had again."""
    plan = derived_of(request)[1].plan
    assert plan is not None
    return plan


def stage(request: Request, after: str) -> str:
    """Return the function as it stands after a stage, as Python that runs."""
    from s2sad.stages import shown

    return shown(request, after)


__all__ = ["STAGES", "Derivative", "Request", "S2sadError", "derive", "stage"]
