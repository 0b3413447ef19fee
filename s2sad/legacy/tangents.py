"""The way from a primal Program to that of its value and tangent, along one direction or many.

y = np.sin(x)     ->     return y, np.cos(x) * x_dot
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.legacy.assume import entry_checks
from s2sad.legacy.callee import Callees
from s2sad.legacy.contribute import ZEROS_LIKE
from s2sad.legacy.derive import Derived, consistent, lookup, results_of, returns_tuple
from s2sad.legacy.directions import with_directions
from s2sad.legacy.facts import Fact
from s2sad.legacy.forward import Tangents, tangent_program
from s2sad.legacy.layout import parts_of, put_together
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import Assign, Call, Const, Expr, Op, Param, Program, Ref, Stmt, Var, dot
from s2sad.legacy.returned import numeric_slots, own_results
from s2sad.legacy.zeroed import without_dead_slopes, zeroed_in


def forward(
    primal: Primal, name: str, callees: Callees, flat: bool = False, value: bool = True
) -> Derived:
    """Return the Program that gives value and tangent; `flat` gives all in one tuple.

    Without `value` it gives the tangent alone.
    """
    program, facts = primal.program, primal.facts
    block, state = tangent_program(program, facts, primal.active, primal.numbers, callees)
    known = lookup(facts, {**_given_tangents(primal, state), **state.known})
    out = list(without_dead_slopes(block, zeroed_in(program.body), known, of="~dot"))
    tangents = tuple(_result_dot(primal, state, each, out) for each in results_of(program))
    if callees.directions:
        tangents = tuple(_named(each, primal, state, out) for each in tangents)
    values = results_of(program)
    tangent = Op("tuple", tangents) if returns_tuple(program) else tangents[0]
    if flat:
        result: Expr = Op("tuple", (*values, *tangents))
    else:
        result = Op("tuple", (program.result, tangent)) if value else tangent
    params = with_dots(program.params, primal)
    whole = replace(program, name=name, body=tuple(out), result=result, params=params)
    if callees.directions:
        whole, known = with_directions(whole, known, primal.numbers)
    done = consistent(whole, known, primal.numbers)
    count = len(values) if flat else int(value)
    whole = own_results(done, known, count, numeric_slots(program), not flat)
    return Derived(_laid_out(whole, value), known, checks=entry_checks(program, facts))


def _laid_out(whole: Program, value: bool) -> Program:
    """Return a program that gives dicts and objects where the function does."""
    if whole.layout is None:
        return whole
    groups = parts_of(whole.result) if value else (whole.result,)
    made = tuple(put_together(whole.layout, group) for group in groups)
    return replace(whole, result=Op("tuple", made) if value else made[0])


def at_once(primal: Primal, name: str, callees: Callees) -> Derived | None:
    """Return the sweep along all unit vectors at once; None where an operation has no such form."""
    before, numbers = callees.noted(), primal.numbers.copy()
    callees.directions = True
    try:
        return forward(primal, name, callees, value=False)
    except Unsupported:
        callees.go_back(before)
        callees.directions = False
        primal.numbers.versions, primal.numbers.temps = numbers.versions, numbers.temps
        return None


def _result_dot(primal: Primal, state: Tangents, result: Expr, out: list[Stmt]) -> Expr:
    if primal.facts.expr(result).kind in ("str", "none"):
        return result  # what holds numbers may hold a text beside them
    if isinstance(result, Ref) and isinstance(result.value, np.ndarray):
        return Call(ZEROS_LIKE, (result,))
    if not isinstance(result, Var):
        return Const(0.0)
    return state.or_zero(result, out, primal.program.span)


def _given_tangents(primal: Primal, state: Tangents) -> Mapping[Var, Fact]:
    params = (param.var for param in primal.program.params if param.var.slot in primal.wrt)
    return {Var(dot(var.slot), 0): state.facts.of(var) for var in params}


def _named(tangent: Expr, primal: Primal, state: Tangents, out: list[Stmt]) -> Expr:
    """Return a tangent as a value with a name, also that of a constant."""
    if isinstance(tangent, Var):
        return tangent
    made = Var(dot(primal.numbers.temp("result").slot), 1)
    state.known[made] = primal.facts.expr(tangent)
    out.append(Assign((made,), tangent, primal.program.span))
    return made


def with_dots(params: tuple[Param, ...], primal: Primal) -> tuple[Param, ...]:
    positional = [p for p in params if p.kind != "keyword"]
    by_name = any(p.default is not None for p in positional)
    kind = "keyword" if by_name else "either"
    dots = [Param(Var(dot(slot), 0), kind) for slot in primal.wrt]
    named = [p for p in params if p.kind == "keyword"]
    return (*positional, *named, *dots) if by_name else (*positional, *dots, *named)
