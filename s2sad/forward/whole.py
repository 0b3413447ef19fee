"""Tangents made whole: in the shape of their values, in memory of their own.

own([u, v + 1.0])      [u_dot, v_dot.copy()]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from s2sad.analysis.activity import Pairs, dependences, flows, spread
from s2sad.analysis.guards import (
    has_guards,
    holds_guard,
    is_partial,
    is_plain,
    run_by_test,
    takes_one_element,
)
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import first_name, stored_base
from s2sad.forward.world import Code, Dot
from s2sad.forward.zeros import full, zero
from s2sad.ir.expression import Expr, Variable, call, calls, keywords, positional
from s2sad.ir.program import Block, Function, Let, Store
from s2sad.ir.types import Array, Number, Numeric, Optional, Regions, Tuple, Unknown
from s2sad.ir.walk import closed, expressions, nodes, read_variables, statements, variables
from s2sad.operators.algebra import numpy_function
from s2sad.operators.table import calls_one
from s2sad.operators.trees import literal


def whole(expr: Expr, code: Code) -> Expr:
    """Return the tangent of an expression in its shape, zeros if it is zero."""
    return made_whole(code.push(expr), expr, code)


def made_whole(found: Dot | None, expr: Expr, code: Code) -> Expr:
    """Return a tangent that was found in the shape of its value."""
    if found is None:
        return zero(expr, code)
    return found.expr if found.full else full(found.expr, expr, code)


def _may_be_array(expr: Expr) -> bool:
    """Tell whether a value is computed, and a number or an array."""
    return isinstance(expr.type, Numeric) or (
        isinstance(expr.type, Unknown | Optional) and expr.op in ("binary", "unary")
    )


def _separated_number(dot: Expr, expr: Expr, code: Code) -> Expr:
    """Return a tangent, of a number or array, that is nobody else's where its value is new."""
    memory = code.world.memory
    if memory.sites(dot) <= memory.sites(code.with_values(expr)):
        return dot
    return Expr("binary", (literal(1.0), dot), "*", dot.type)


def moving_arguments(expr: Expr, code: Code) -> dict[int, Expr]:
    """Return the tangents of the arguments of a call that have one."""
    operands = (*positional(expr), *keywords(expr).values())
    found = {}
    for place, arg in enumerate(operands):
        if code.world.is_moving(arg) or _has_shadow(arg, code):
            found[place] = own(arg, code)
    return found


def _has_shadow(arg: Expr, code: Code) -> bool:
    """Tell whether a call is handed memory that has a shadow, though it is zero so far."""
    while arg.op in ("subscript", "attribute"):
        arg = arg.args[0]
    is_name = arg.op == "name" and code.world.has_tangent(arg.data)
    return is_name and not isinstance(arg.type, Number) and code.world.may_vary(arg.type)


def own(expr: Expr, code: Code) -> Expr:
    """Return a tangent that lasts: it shares memory with others only where its value does."""
    return separated(whole(expr, code), expr, code)


def in_rows(dot: Expr) -> Expr:
    """Return a tangent that lies in memory row by row."""
    if calls(dot, np.ascontiguousarray):
        return dot
    return call(numpy_function("ascontiguousarray"), dot, type_=dot.type)


def separated(dot: Expr, expr: Expr, code: Code) -> Expr:
    """Return a tangent copied where its value is new memory, and others are written."""
    if isinstance(expr.type, Number) and isinstance(dot.type, Array) and not dot.type.lengths:
        return code.world.algebra.part(dot, Expr("tuple", (), None, Tuple(())))
    if _may_be_array(expr) and not isinstance(expr.type, Array):
        return _separated_number(dot, expr, code)
    if not isinstance(expr.type, Array) or not isinstance(dot.type, Array):
        return dot
    memory = code.world.memory
    mine, its = memory.sites(code.with_values(expr)), memory.sites(dot)
    if not code.ends and (mine - its) & memory.written:
        raise code.refuse("a view whose tangent is none", expr)
    if its <= mine:
        return dot
    return code.world.algebra.call(Expr("attribute", (dot,), "copy"))


# ---------------------------------------------------------------------------- guards

Functions = Mapping[str, Function]


def guarded(
    function: Function,
    functions: Functions,
    memory: Memory,
    active: frozenset[Variable],
    regions: Regions,
) -> frozenset[Variable]:
    """Return the active variables whose tangents a guard may have made zero."""
    pairs = dependences(function.body, memory)
    still = _still(function.body, active, regions)
    return active & spread(pairs, (*_starts(function, functions, pairs), *still), memory, regions)


def _starts(function: Function, functions: Functions, pairs: Pairs) -> Iterator[Variable]:
    """Yield what is bound or written under a guard, or comes from a function that has some."""
    others = [each for each in functions.values() if each.name != function.name]
    if any(map(has_guards, others)):
        yield from (p.variable for p in function.parameters)
    for statement in statements(function.body):
        if isinstance(statement, Store) and is_partial(statement.target):
            yield from first_name(statement.target)
    for target, value in pairs:
        if holds_guard(value) or _calls_guarded(value, functions):
            yield target
    every = (expr for statement in statements(function.body) for expr in expressions(statement))
    taken = (n for expr in every for n in nodes(expr) if takes_one_element(n))
    asked = frozenset(v for n in taken for v in read_variables(n))
    feeding = closed(
        asked, lambda found: (v for t, e in pairs if t in found for v in read_variables(e))
    )
    yield from (t for t, value in pairs if t in feeding and not is_plain(value))


def _calls_guarded(value: Expr, functions: Functions) -> bool:
    called = (node.data for node in nodes(value) if node.op == "function")
    return any(has_guards(functions[name]) for name in called if name in functions)


def _still(body: Block, active: frozenset[Variable], regions: Regions) -> Iterator[Variable]:
    """Yield what a branch binds to what does not vary, and arrays of which parts alone vary."""

    def varies(value: Expr) -> bool:
        return any(v in active for v in flows(value, regions))

    for statement in statements(body):
        for each in run_by_test(statement):
            if not varies(each.value):
                yield from variables(each.target)
    made = {
        s.target
        for s in statements(body)
        if isinstance(s, Let) and isinstance(s.target, Variable) and calls_one(s.value, "zeros")
        if isinstance(s.value.type, Array)
    }
    for statement in statements(body):
        if isinstance(statement, Store) and statement.target.op == "subscript":
            yield from (v for v in first_name(stored_base(statement)) if v in made)
