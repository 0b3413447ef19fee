"""Numbers that may be arrays without axes: a seed, tangent or argument that is one is not written
to by the derivative's own names, and its element is taken only where there is one.

x_bar = seed           x_bar = seed
x_bar += b_bar   ->    x_bar = x_bar + b_bar

x_bar = (2.0 * y_bar)[()]   ->    x_bar = 2.0 * y_bar      NumPy computes numbers
x_bar = seed[()]            ->    x_bar = float(seed)      a number, or an array without axes
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from s2sad.ir.expression import Expr, Role, Variable, call, global_
from s2sad.ir.program import Function, Let, Parameter, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import closed, rewritten, statements, with_nodes
from s2sad.operators.guards import rank_of
from s2sad.operators.table import has


def without_written_seeds(function: Function) -> Function:
    """Return a function in which nothing that may be a seed or a number is changed where it stands.

    The user's own `y += 1.0` stays as it is.
    """
    seeds = frozenset(p.variable for p in function.parameters if _may_have_no_axes(p))
    held = {v for v in _held(function, seeds) if v.role is not Role.PRIMAL}

    def change(statement: Statement) -> Statement:
        if not isinstance(statement, Let) or isinstance(statement.value.type, Array):
            return statement
        return replace(statement, spelled="=") if statement.target in held else statement

    return replace(function, body=rewritten(function.body, change)) if held else function


def elements_as_numbers(function: Function) -> Function:
    """Return a function that takes the one element, u[()], only of what surely is an array."""
    bound: dict[Variable, list[Expr]] = {}
    stored = (s.target for s in statements(function.body) if isinstance(s, Store))
    arrays = {t.args[0].data for t in stored if t.args and t.args[0].op == "name"}
    for each in statements(function.body):
        if isinstance(each, Let) and isinstance(each.target, Variable) and each.spelled == "=":
            bound.setdefault(each.target, []).append(each.value)

    def as_number(expr: Expr) -> Expr:
        if not _is_element(expr) or expr.args[0].data in arrays:
            return expr  # what is stored to is an array
        array = expr.args[0]
        kinds = _kinds(array, bound, frozenset())
        if kinds == {Array}:
            return expr
        if kinds == {Number}:
            return array.typed(expr.type)
        cast = complex if isinstance(expr.type, Number) and expr.type.dtype[0] == "c" else float
        return call(global_(cast.__name__, cast), array, type_=expr.type)

    return replace(function, body=with_nodes(function.body, as_number))


def _is_element(expr: Expr) -> bool:
    """Tell whether an expression is the one element of what has no axes."""
    if expr.op != "subscript" or not isinstance(expr.type, Number):
        return False
    base, index = expr.args
    is_whole = index.op in ("tuple", "constant") and not index.args and index.data in (None, ())
    return is_whole and isinstance(base.type, Array) and base.type.lengths == ()


def _kinds(
    expr: Expr, bound: Mapping[Variable, list[Expr]], seen: frozenset[Variable]
) -> set[type]:
    """Return whether what has no axes is a number, an array, or may be either."""
    match expr.op:
        case "constant" | "binary" | "unary":
            return {Number}
        case "conditional":
            return set().union(*(_kinds(arm, bound, seen) for arm in expr.args[1:]))
        case "name" if expr.data in seen:
            return set()
        case "name" if expr.data in bound:
            seen |= {expr.data}
            return set().union(*(_kinds(value, bound, seen) for value in bound[expr.data]))
        case "call" if expr.args[0].op == "global":
            function = expr.args[0].data.value
            if isinstance(function, np.ufunc):
                return {Number}
            is_array = has(function, "filled", "like", "converts")
            return {Array} if is_array else {Array, Number}
    return {Array, Number}


def _may_have_no_axes(parameter: Parameter) -> bool:
    """Tell whether a parameter is a seed, or has no axes: a number, its tangent or its adjoint."""
    return parameter.variable.role is Role.SAVED or rank_of(parameter.type) == 0


def _held(function: Function, held: frozenset[Variable]) -> frozenset[Variable]:
    """Return the variables that may be bound to what some are bound to."""
    lets = (s for s in statements(function.body) if isinstance(s, Let))
    pairs = [(s.target, _may_be(s.value)) for s in lets if isinstance(s.target, Variable)]
    return closed(held, lambda found: {target for target, of in pairs if not found.isdisjoint(of)})


def _may_be(expr: Expr) -> set[Variable]:
    """Return the variables that an expression may be one of."""
    match expr.op:
        case "name":
            return {expr.data}
        case "conditional":
            return _may_be(expr.args[1]) | _may_be(expr.args[2])
        case "subscript" | "tuple":
            return set().union(*map(_may_be, expr.args))
    return set()
