"""Shares of a whole, e / np.sum(e), pulled back to the exponent at once, though e has a name.

e = np.exp(z - np.max(z))
p = e / np.sum(e)               z_bar = p * (p_bar - p_bar @ p)
"""

from __future__ import annotations

import numpy as np

from s2sad.ir.expression import Expr, called, calls, keywords
from s2sad.ir.program import Let
from s2sad.ir.types import Number, is_float
from s2sad.ir.walk import bound_in, operands, read_variables, statements
from s2sad.operators.guards import is_none, literal, rank_of, value_of
from s2sad.reverse.calculus import is_literal, number
from s2sad.reverse.fitting import fit
from s2sad.reverse.indices import new_axes
from s2sad.reverse.world import Code


def adjoint_of_shares(expr: Expr, g: Expr, code: Code) -> tuple[Expr, Expr] | None:
    """Return the exponent of e in c * e / np.sum(e), with its adjoint; None of no such quotient."""
    part, whole = expr.args
    calculus, scale = code.world.calculus, number(1.0)
    factor, part = _without_number(part, code)
    exponent = _exponent(part, code)
    if exponent is None or not _is_sum_of(whole, part):
        return None
    if factor is not None:
        g, expr = calculus.multiply(factor, g), expr.with_args((part, whole))
    if g.op == "binary" and g.data == "*" and is_literal(g.args[0]):
        scale, g = g.args
    g = code.temporary(g)
    share = code.value(expr)
    total = fit(calculus.multiply(g, share), expr, whole, code)
    value = calculus.multiply(share, calculus.subtract(g, total))
    return exponent, calculus.multiply(scale, value)


def _without_number(part: Expr, code: Code) -> tuple[Expr | None, Expr]:
    """Return the number in front of a value that does not vary, and the value."""
    if part.op == "binary" and part.data == "*" and isinstance(part.args[0].type, Number):
        factor, inner = part.args
        if not code.world.is_active(factor) and is_float(factor.type):
            return factor, inner
    return None, part


def _exponent(part: Expr, code: Code) -> Expr | None:
    """Return z of e, which the block before the statement binds to np.exp(z), and changes no more."""
    memory, block = code.world.memory, code.world.block
    before = block[: next((k for k, s in enumerate(block) if s is code.world.statement), 0)]
    if part.op != "name" or memory.is_memory(part.data):
        return None
    for place in reversed(range(len(before))):
        let = before[place]
        if isinstance(let, Let) and let.target is part.data:
            is_power = calls(let.value, np.exp) and len(let.value.args) == 2
            changed = memory.changed_by(statements(before[place + 1 :]))
            held = read_variables(let.value)
            is_there = changed.isdisjoint(held.union(*map(memory.reach, held)))
            return let.value.args[1] if is_power and is_there else None
        if part.data in bound_in((let,)):
            return None
    return None


def _is_sum_of(whole: Expr, part: Expr) -> bool:
    """Tell whether a value is a sum of another one, spread over what it is the sum of."""
    added: tuple[int, ...] = ()
    if whole.op == "subscript":
        added, whole = new_axes(whole), whole.args[0]
        if not added:
            return False
    rank, named = rank_of(part.type), keywords(whole) if whole.op == "call" else {}
    if whole.op != "call" or called(whole) != "sum" or not named.keys() <= {"axis", "keepdims"}:
        return False
    summed, *rest = operands(whole)[: len(operands(whole)) - len(named)]
    axis = named.get("axis", rest[0] if rest else None)
    if summed != part or rank is None or len(rest) > 1:
        return False
    if axis is None or is_none(axis):
        return not added and "keepdims" not in named
    place = literal(axis)
    if "keepdims" in named:
        return not added and value_of(named["keepdims"]) is True and place is not None
    return type(place) is int and (place % rank,) == (added or (0,))
