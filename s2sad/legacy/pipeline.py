"""From a request to the text of a derivative: every stage once, in this order.

parse normalise facts activity prepare reverse|forward checkpoint nest own verify emit
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from s2sad.api.derivative import Derivative
from s2sad.api.request import MATRICES, Request, name_of, sweep_name
from s2sad.emit.modules.moved import moved
from s2sad.ir.errors import Unsupported
from s2sad.legacy.assume import (
    float_test,
    has_rank,
    index_checks,
    like_parameters,
    rank_checks,
    without_own,
)
from s2sad.legacy.called import called_forward, called_reverse
from s2sad.legacy.callee import Callees
from s2sad.legacy.derive import (
    Derived,
    Form,
    results_of,
    reverse,
)
from s2sad.legacy.facts import Fact
from s2sad.legacy.facts.device import on_device
from s2sad.legacy.foreign import messages as refused_operators
from s2sad.legacy.likely import float_checks, kind_checks, list_checks
from s2sad.legacy.matrices import refuse_holders
from s2sad.legacy.modules.lines import place_of
from s2sad.legacy.object_checks import object_checks
from s2sad.legacy.primal import Primal, as_used
from s2sad.legacy.program import Call, Expr, Ref
from s2sad.legacy.rewrites import reassociating
from s2sad.legacy.rules import is_known
from s2sad.legacy.seeds import (
    aux_of,
    refuse_no_number,
    seeds_apart,
    seeds_of,
    wants_scalar,
    with_aux,
)
from s2sad.legacy.tangents import at_once, forward
from s2sad.legacy.writing import needed, programs_of, spaces, text_of
from s2sad.operators.in_force import using
from s2sad.source.places import signature_place
from s2sad.source.text import source_of

DEEPEST = 10_000


def derive(request: Request) -> Derivative:
    """Return the derivative that a request asks for."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))  # a sum of a thousand terms is a deep tree
    try:
        rounding = reassociating(request.reassociate)
        with on_device(request.arrays != "numpy"), using(request.rules), rounding:
            return _derive(request)
    except RecursionError:
        raise Unsupported(
            f"{request.function.__name__} is nested too deeply, or calls itself",
            signature_place(request.function),
            hint="Split long expressions over several statements, and write recursion as a loop.",
        ) from None
    finally:
        sys.setrecursionlimit(limit)


def _derive(request: Request) -> Derivative:
    given = dict(request.given or ())
    return as_used(
        request.function, request.wrt, given, lambda primal: _written_of(request, primal)
    )


def _written_of(request: Request, primal: Primal) -> Derivative:
    callees, name = _callees(request), sweep_name(request)
    callees.names |= {name, name_of(request), request.function.__name__}
    derived = _derived(request, primal, name, callees)
    request = replace(request, directions=callees.directions)
    checks = _checks(request, primal, derived)
    program, called = programs_of(request, derived, name, callees)
    needs, own = needed(request, program, called, {name, *callees.names})
    program, text = text_of(request, primal, program, called, needs, own, checks, callees)
    programs = [program, *(each.program for each in called)]
    return Derivative(
        moved(text, request.arrays, lambda name: place_of(name, programs)),
        name_of(request),
        needs.bindings(),
        _messages(checks, derived, callees),
        derived.program,
        needs.live() if request.arrays == "numpy" else {},  # elsewhere they are not the device's
        needs.customs(),
        {name: value for name, value in needs.copies() if is_known(Call(Ref(name, value)))},
        not wants_scalar(request) or _is_number(primal.facts.expr(_value(request, primal))),
        primal.written,
        frozenset(derived.assumed),
    )


def _derived(request: Request, primal: Primal, name: str, callees: Callees) -> Derived:
    """Return the derivative as a Program; what was asked of loops and calls is met in it."""
    if request.form in MATRICES:
        refuse_holders(request.function, *spaces(request, primal), primal.program.layout)
    make = _reverse if request.mode == "reverse" else _forward
    derived = make(request, primal, name, callees)
    if callees.schedules is not None:
        called_names = {written.function.__name__ for written, _, _ in callees.made.values()}
        callees.schedules.refuse_unmet(callees.loops, called_names)
    return derived


def _bottom(request: Request) -> Any:
    """Return the user's function below a derivative of whatever order."""
    while request.inner is not None:
        request = request.inner.request
    return request.function


def _checks(request: Request, primal: Primal, derived: Derived) -> dict[str, str]:
    """Return what the text checks of its arguments: without examples nothing is assumed of them."""
    checks, facts = kind_checks(primal.kinds), primal.facts
    floats = like_parameters(derived.program, facts, request.wrt)
    if request.given is None:
        checks |= list_checks(primal.program, facts.of)
        checks |= float_checks(
            primal.program, lambda var: facts.of(var).dtype, primal.active, request.wrt
        )
    if request.given is not None:
        source = source_of(request.function)
        checks |= rank_checks(primal.program, facts, request.wrt, floats)
        checks |= index_checks(primal.program, facts, source)
        checks |= object_checks(primal.program, facts, _bottom(request), request.wrt)
        checks |= derived.checks
        floats = [name for name in floats if not has_rank(primal.program, facts, name)]
    checks |= dict(map(float_test, floats))
    return without_own(checks, derived.program)


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
            assume=request.assume and request.given is not None,
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


def derived_of(request: Request) -> tuple[Primal, Derived, Callees]:
    """Return what a request's reverse sweep is made from, and what else its file holds."""

    def made(primal: Primal) -> tuple[Primal, Derived, Callees]:
        callees = _callees(request)
        return primal, _reverse(request, primal, name_of(request), callees), callees

    with using(request.rules):
        return as_used(request.function, request.wrt, dict(request.given or ()), made)
