"""What is zero on one side of a bound needs no slope that is zero there, too.

over = np.maximum(t, 0.0)
t_bar = 2.0 * over * w * ((t > 0.0) + 0.5 * (t == 0.0))    ->    t_bar = 2.0 * over * w
x_bar = 3.0 * (np.clip(x, 0, None) ** 2 * (x >= 0))        ->    x_bar = 3.0 * np.clip(x, 0, None) ** 2
d_bar = 2.0 * max(0, d) if d > 0 else 0.0                  ->    d_bar = 2.0 * max(0, d)

Such a slope is 1 wherever the part is not zero: no bit of the product changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from s2sad.ir.expression import Expr, Variable, calls, name, positional
from s2sad.ir.program import Block, Function, Let, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.walk import blocks, in_blocks, nodes_in, read_variables, rebuilt, with_expressions
from s2sad.operators.guards import is_none, spelled
from s2sad.optimize.added import is_derived
from s2sad.optimize.memory import Memory, Tokens, changes_of, read_tokens

ABOVE, BELOW = ">", "<"
EXTREMES = {np.maximum: ABOVE, max: ABOVE, np.minimum: BELOW, min: BELOW}
OTHER = {ABOVE: BELOW, BELOW: ABOVE}


@dataclass(frozen=True, slots=True)
class Side:
    """Where a value may differ from zero: where `of` is above, or below zero."""

    of: Expr
    sign: str


@dataclass(frozen=True, slots=True)
class Sided:
    """What is known of a name: on which side it differs from zero, and if it is 1 there, or a part."""

    side: Side
    is_slope: bool
    is_part: bool


Known = Mapping[Variable, Sided]


def without_idle_slopes(function: Function, memory: Memory) -> Function:
    """Return a function without slopes that multiply what vanishes where they do."""
    if all(_part(each) is None for each in nodes_in(function.body)):
        return function
    body = _block(function.body, {}, memory)
    return replace(function, body=body) if body != function.body else function


def _block(block: Block, known: Known, memory: Memory) -> Block:
    """Rewrite a block; `known` are the names that are zero on one side, and are what they were."""
    made: list[Statement] = []
    for each in block:
        changed = changes_of(each, memory)
        if blocks(each):
            known = _unchanged(known, changed, memory)
        change = partial(rebuilt, change=partial(_without_slope, known=known))
        new = with_expressions(each, change)
        made.append(in_blocks(new, partial(_block, known=known, memory=memory)))
        found = _named(new, known)
        known = _unchanged(known, changed, memory) | found
    return tuple(made)


def _named(statement: Statement, known: Known) -> dict[Variable, Sided]:
    """Return what is known of the name that a statement binds."""
    match statement:
        case Let(Variable() as target, value):
            slope = _side_of_slope(value, known)
            side = slope or _side(value, known)
            if side is not None and target not in read_variables(side.of):
                return {target: Sided(side, slope is not None, _part(value) is not None)}
    return {}


def _unchanged(known: Known, changed: Tokens, memory: Memory) -> dict[Variable, Sided]:
    """Return the names whose values, and what decides where they are zero, have not changed."""
    return {
        variable: each
        for variable, each in known.items()
        if changed.isdisjoint(read_tokens(name(variable), memory))
        and changed.isdisjoint(read_tokens(each.side.of, memory))
    }


def _without_slope(expr: Expr, known: Known) -> Expr | None:
    """Return a product without its slope, a choice without its test; None of what needs them, or is the user's."""
    if expr.op not in ("binary", "conditional", "call") or not is_derived(expr):
        return None
    match expr:
        case Expr("binary", (a, b), "*"):
            for part, slope in ((a, b), (b, a)):
                side = _side_of_slope(slope, known)
                if side is not None and part.type == expr.type and side == _side(part, known):
                    return part
        case Expr("conditional", (test, a, b)) | Expr("call", (_, test, a, b)):
            if expr.op == "conditional" or calls(expr, np.where):
                side = _side_of_slope(test, known)
                return None if side is None else _chosen(expr, side, a, b, known)
    return None


def _chosen(choice: Expr, side: Side, a: Expr, b: Expr, known: Known) -> Expr | None:
    """Return what is chosen on one side, if it is zero on the other anyway, as the other choice is."""
    value, other = (a, b) if _is_zero(b) else (b, a)
    side = side if value is a else Side(side.of, OTHER[side.sign])
    is_multiple = _is_multiple(value, known) and _side(value, known) == side
    return value if is_multiple and _is_zero(other) and value.type == choice.type else None


def _is_multiple(expr: Expr, known: Known) -> bool:
    """Tell whether a value is a part times a literal: it is finite where the part is zero."""
    match expr:
        case Expr("binary", (a, b), "*") if spelled(a) is not None:
            return _is_multiple(b, known)
        case Expr("unary", (a,), "-"):
            return _is_multiple(a, known)
        case Expr("name", data=variable) if variable in known:
            return known[variable].is_part
    return _part(expr) is not None


def _side(expr: Expr, known: Known) -> Side | None:
    """Return the side on which alone a value may differ from zero; None if it may on both."""
    match expr:
        case Expr("name", data=variable) if variable in known:
            return known[variable].side
        case Expr("binary", (a, b), "*"):
            return _side(a, known) or _side(b, known)
        case Expr("binary", (a, b), "/"):
            return _side(a, known)
        case Expr("binary", (a, b), "**"):
            exponent = spelled(b)
            return _side(a, known) if exponent is not None and exponent > 0 else None
        case Expr("binary", (a, b), "+" | "-"):
            first, second = _side(a, known), _side(b, known)
            return first if first == second else None
        case Expr("unary", (a,), "-"):
            return _side(a, known)
    return _part(expr)


def _part(expr: Expr) -> Side | None:
    """Return on which side a call of an extreme is not zero: np.maximum(t, 0.0), np.clip(t, 0, None)."""
    if expr.op != "call" or expr.data:
        return None
    match positional(expr):
        case (a, lower, upper) if calls(expr, np.clip):
            if _is_zero(lower) and is_none(upper):
                return Side(a, ABOVE)
            return Side(a, BELOW) if _is_zero(upper) and is_none(lower) else None
        case (a, b):
            sign = next((s for called, s in EXTREMES.items() if calls(expr, called)), None)
            if sign is not None and _is_zero(a) != _is_zero(b):
                return Side(a if _is_zero(b) else b, sign)
    return None


def _side_of_slope(expr: Expr, known: Known) -> Side | None:
    """Return the side on which a value is 1, where it is 0 on the other: t > 0, half at a tie or not."""
    match expr:
        case Expr("name", data=variable) if variable in known:
            return known[variable].side if known[variable].is_slope else None
        case Expr(
            "binary", (a, Expr("binary", (_, Expr("compare", data=("==",)) as tie), "*")), "+"
        ):
            side = _compared(a)
            return side if side is not None and side.of in tie.args else None
    return _compared(expr)


def _compared(expr: Expr) -> Side | None:
    """Return the side of zero that a comparison asks for."""
    if expr.op != "compare" or len(expr.data) != 1 or expr.data[0][0] not in OTHER:
        return None
    (a, b), sign = expr.args, expr.data[0][0]
    if _is_zero(b):
        return Side(a, sign)
    return Side(b, OTHER[sign]) if _is_zero(a) else None


def _is_zero(expr: Expr) -> bool:
    value = spelled(expr)
    return value == 0 and value is not False
