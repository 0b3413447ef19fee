"""The order in which a program is made simpler: each function until nothing changes.

simplify(program)
"""

from __future__ import annotations

from math import frexp

import numpy as np

from s2sad.analysis.callees import without_twins
from s2sad.analysis.webs import webs
from s2sad.ir.expression import Expr, Role, calls, copy_of
from s2sad.ir.program import Function, Let, Program, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Numeric, is_float
from s2sad.ir.walk import called_in, reached, rebuilt, rewritten, with_expressions, with_nodes
from s2sad.operators.algebra import Algebra
from s2sad.operators.marks import without_mark
from s2sad.operators.spreading import unstretched
from s2sad.operators.table import calls_one
from s2sad.optimize.added import is_derived, signed
from s2sad.optimize.choices import with_choices, with_one_test
from s2sad.optimize.contributions import put_together
from s2sad.optimize.domains import loop_over_saved, over_items
from s2sad.optimize.factors import with_symmetric_adjoints
from s2sad.optimize.first import with_parts_assigned
from s2sad.optimize.gone_through import places_gone_through
from s2sad.optimize.lists import saved_together, with_late, with_plain_lists, with_shadows_at_once
from s2sad.optimize.liveness import without_dead
from s2sad.optimize.memory import Latest, given_back
from s2sad.optimize.numbering import number_values, with_repeated_named
from s2sad.optimize.one_sided import without_idle_slopes
from s2sad.optimize.one_sweep import with_passes_at_once
from s2sad.optimize.ranges import (
    of_adjoints,
    saved_before_anew,
    without_copies,
    without_idle_copies,
)
from s2sad.optimize.resets import without_dead_resets
from s2sad.optimize.restores import (
    restored_as_new,
    restored_by_name,
    restored_late,
    saved_before_branches,
)
from s2sad.optimize.results import without_idle_casts
from s2sad.optimize.seeds import elements_as_numbers, without_written_seeds
from s2sad.optimize.shape_only import (
    with_known_counts,
    with_lengths_by_name,
    with_zeros_late,
    without_values_for_shapes,
)
from s2sad.optimize.substitute import Build, inline_temporaries, is_place
from s2sad.optimize.wholes import saved_whole
from s2sad.types import Context, Fails, Mismatch, infer

ROUNDS = 8
OF_OURS = frozenset({Role.TERM, Role.PLACE})


def simplify(
    program: Program, context: Context | None = None, reassociate: bool = False
) -> Program:
    """Return a program with the same values and effects whose text is shorter.

    With `reassociate` what is of a derivative may be rounded in another way.
    """
    algebra = _algebra(context, reassociate)
    build = _builder(algebra)
    if reassociate:
        program = _built_anew(program, build)
    called = program.mapped(_as_it_runs).functions
    program = replace(program, functions=reached(called, program.entry))
    kept = dict(without_twins(_all_simplified(program, build), program.entry))
    kept[program.entry] = without_idle_casts(kept[program.entry])
    return _written_out(replace(program, functions=reached(kept, program.entry)), algebra)


def written_out(program: Program, context: Context) -> Program:
    """Return a program that says at length what rewrites know by a name: its derivative is shorter."""
    return _written_out(program, _algebra(context, False))


def _written_out(program: Program, algebra: Algebra | None) -> Program:
    if algebra is None:
        return program
    return program.mapped(lambda f: replace(f, body=with_nodes(f.body, algebra.written_out)))


def _all_simplified(program: Program, build: Build) -> dict[str, Function]:
    """Return the functions of a program made simpler; what those give back that they call is known."""
    latest = Latest(program)
    made: dict[str, Function] = {}
    for name in _callees_first(program):
        made[name] = _simplified(program.functions[name], latest, program, build)
        found = given_back(made[name], latest.of(made[name]))
        if found is not None:
            latest = replace(latest, given_back={**latest.given_back, name: found})
    return {name: made[name] for name in program.functions}


def _callees_first(program: Program) -> list[str]:
    """Return the names of functions, each after those that it calls but for recursion."""
    order: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name not in seen:
            seen.add(name)
            for inner in called_in(program.functions[name]):
                visit(inner)
            order.append(name)

    for name in program.functions:
        visit(name)
    return order


def _as_it_runs(function: Function) -> Function:
    """Return a function without what said how it is differentiated."""
    return replace(function, body=with_nodes(function.body, without_mark), custom=None)


def _built_anew(program: Program, build: Build) -> Program:
    """Return a program whose every expression was made by what makes a node anew."""

    def statement(each: Statement) -> Statement:
        new = with_expressions(each, lambda e: rebuilt(e, build))
        match each, new:
            case Let(_, before), Let(_, value) if is_place(value) and not is_place(before):
                if isinstance(value.type, Array):  # its memory is that of nothing else
                    return replace(new, value=copy_of(value))
                if isinstance(value.type, Numeric):  # a number has no copy
                    return each
        return new

    return program.mapped(lambda each: replace(each, body=rewritten(each.body, statement)))


def _algebra(context: Context | None, reassociate: bool) -> Algebra | None:
    """Return how expressions are made, with the types that they have; None where no types are known."""
    if context is None:
        return None

    def inferred(expr: Expr) -> Expr:
        try:
            return infer(expr, context)
        except (Fails, Mismatch):
            return expr

    return Algebra(inferred, reassociate)


def _builder(algebra: Algebra | None) -> Build:
    """Return what makes a node anew where a value was put into it: the table of rewrites."""
    if algebra is None:
        return lambda expr, before=None: expr

    def build(expr: Expr, before: Expr | None = None) -> Expr:
        if not _is_arithmetic(expr) or not is_derived(before or expr):
            return expr
        return replace(algebra.node(expr, expr.args), span=expr.span)

    return build


def _is_arithmetic(expr: Expr) -> bool:
    is_call = calls_one(expr, "rewritten", "linear")
    is_minus = expr.op == "unary" and expr.data == "-"
    is_part = expr.op == "subscript" and (
        expr.args[0].op in ("subscript", "unary") or calls(expr.args[0], np.full_like)
    )
    is_turned = expr.op == "attribute" and expr.data == "T"
    return is_call or is_minus or is_part or is_turned or expr.op in ("binary", "compare")


def _simplified(function: Function, latest: Latest, program: Program, build: Build) -> Function:
    """Return a function after rounds of the tables, until none finds anything."""
    function = restored_as_new(elements_as_numbers(function), latest.of(function))
    function = webs(with_zeros_late(function), OF_OURS)
    for _ in range(ROUNDS):
        before, function = function, _round(function, latest, build)
        if function is before:
            break
    before, function = function, without_idle_slopes(function, latest.of(function))
    if function is not before:
        function = _round(function, latest, build)
    before, function = function, with_passes_at_once(function, latest.of(function))
    if function is not before:
        function = _round(_round(function, latest, build), latest, build)
    before, function = function, without_values_for_shapes(function)
    if function is not before:
        function = without_dead(function, latest.of(function))
    before, function = function, with_lengths_by_name(function)
    if function.body != before.body:  # what was named for its length alone
        function = _round(function, latest, build)
    named = with_repeated_named(function, latest.of(function))
    if named is not function:
        function = _round(number_values(named, latest.of(named), build), latest, build)
    symmetric = with_symmetric_adjoints(function, latest.of(function))
    if symmetric is not function:
        function = _round(symmetric, latest, build)
    before = function
    function = with_known_counts(with_shadows_at_once(function, latest.of(function)))
    if function is not before:  # what was saved for its shape alone
        function = without_dead(function, latest.of(function))
    function = saved_whole(function, latest.of(function))
    function = restored_by_name(function, latest.of(function))
    function = saved_before_branches(function, latest.of(function))
    function = saved_together(function, latest.of(function))
    function = restored_late(function, latest.of(function))
    function = replace(function, body=rewritten(function.body, _spread_by_adding))
    # what is taken back is taken at once
    function = loop_over_saved(saved_before_anew(function), latest.of(function))
    memory = latest.of(function)
    function = replace(function, body=rewritten(function.body, lambda s: with_late(s, memory)))
    function = factors_in_order(without_dead(function, latest.of(function)))
    function = without_written_seeds(with_plain_lists(function, latest.of(function)))
    function = with_parts_assigned(with_one_test(function), latest.of(function))
    return places_gone_through(over_items(function, program), program)


def _spread_by_adding(statement: Statement) -> Statement:
    """Return a statement that adds to an array in place without what stretches the value to it."""
    match statement:
        case Store(Expr(type=Array()), "+" | "-", value) if calls(value, np.broadcast_to):
            return replace(statement, value=unstretched(value))
    return statement


def _round(function: Function, latest: Latest, build: Build) -> Function:
    """Return a function after each of the tables in turn."""
    memory = latest.of(function)
    before, function = function, without_idle_copies(without_dead(function, memory), memory)
    if function is not before:  # written memory has one more name
        memory = latest.of(function)
    before, function = function, without_copies(function, memory, of_adjoints)
    if function is not before:
        memory = latest.of(function)
    before, function = function, number_values(with_choices(function), memory, build)
    if function is not before:  # what was read under another name
        function = without_dead(function, memory)
    before, function = function, inline_temporaries(function, memory, build)
    if function is not before:  # what nobody reads would not keep two names apart
        function = without_dead(function, memory)
    function = without_copies(function, memory)
    return without_dead_resets(put_together(function, memory, build), memory)


# ---------------------------------------------------------------------------- products


def factors_in_order(function: Function) -> Function:
    """Return a function whose derived products have no brackets behind a literal or a sign."""
    return replace(function, body=with_nodes(function.body, _in_order))


def _in_order(expr: Expr) -> Expr | None:
    if expr.span is not None:  # the user's own
        return None
    if expr.op == "unary" and expr.data == "-":
        return signed(expr.args[0], expr.type)
    if not _is_product(expr) or not _is_of_factors(expr.args[1]):
        return None
    literal, inner = expr.args
    first, second = inner.args
    if literal.op != "constant" or first.op == "constant":
        return None
    if not is_float(first.type) or not is_float(second.type):
        return None
    if inner.data == "/" and not _is_power_of_two(literal.data):  # then no bit changes
        return None
    left = Expr("binary", (literal, first), "*", first.type)
    return Expr("binary", (_in_order(left) or left, second), inner.data, expr.type)


def _is_product(expr: Expr) -> bool:
    return expr.op == "binary" and expr.data == "*"


def _is_power_of_two(value: object) -> bool:
    return isinstance(value, float) and abs(frexp(value)[0]) == 0.5


def _is_of_factors(expr: Expr) -> bool:
    return expr.op == "binary" and expr.data in ("*", "/")
