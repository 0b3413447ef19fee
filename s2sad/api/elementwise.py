"""A function of each element by itself becomes that of their sum, whose gradient holds its slopes.

def waves(x, k):            def waves(x, k):
    return np.sin(k * x)        return np.sum(np.sin(k * x))

Of a text for any arguments the shape of the result is asked as it runs.
"""

from __future__ import annotations

import numpy as np

from s2sad import types
from s2sad.checkpoint.asking import asking_shape
from s2sad.ir.errors import ArgumentError, NotYet
from s2sad.ir.expression import Expr, global_, name
from s2sad.ir.program import Block, Let, Program, Return, Statement
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Length, Number, Numeric, Reference, Sequence, Tuple, Type
from s2sad.ir.walk import rewritten
from s2sad.types import Context


def summed(primal: Program, wrt: tuple[str, ...], context: Context) -> Program:
    """Return a program that gives the sum of what it gave, which has the shape of its argument."""
    function = primal.function
    (own,) = (p for p in function.parameters if p.variable.name in wrt)
    fresh = Fresh.of(function)

    def change(statement: Statement) -> Statement | Block:
        if not isinstance(statement, Return):
            return statement
        value = statement.value
        before: Block = ()
        if not _has_shape_of(value, own.type, context, function.name):
            result = fresh.variable("result")
            value = name(result, value.type, value.span)
            argument = name(own.variable, own.type)
            asked = asking_shape(value, argument, shape_message(primal, wrt))
            before = (Let(result, statement.value, statement.span), asked)
        if isinstance(own.type, Number) and isinstance(value.type, Number):
            return statement
        total = Expr("call", (global_("np.sum", np.sum), value), ())
        made = types.infer(total, context).at(statement.value.span)
        return (*before, replace(statement, value=made))

    made = replace(function, body=rewritten(function.body, change))
    return primal.with_first(made)


def shape_message(primal: Program, wrt: tuple[str, ...]) -> str:
    """Return what a text says where the result has another shape than its argument."""
    return f"made for arguments of which {primal.function.name} has the shape of {wrt[0]}"


def _has_shape_of(value: Expr, own: Type, context: Context, called: str) -> bool:
    """Tell whether a result surely has the shape of its argument; it is asked where it may have."""
    made = value.type
    if isinstance(made, Numeric) and isinstance(own, Numeric):
        return made.token is not None and made.token == own.token
    if isinstance(made, Numeric) or isinstance(own, Numeric):
        return False
    holds_several = isinstance(made, Reference | Sequence | Tuple)
    if holds_several or _lengths(made, context) != _lengths(own, context):
        raise ArgumentError.refused(
            f"{called} does not return one number for each of its argument",
            value.span,
            "Use s2sad.jacobian, or s2sad.vjp with a seed.",
        )
    return True


def _lengths(type_: Type, context: Context) -> tuple[Length | None, ...]:
    """Return the lengths of an array, none of a number."""
    if isinstance(type_, Number):
        return ()
    if not isinstance(type_, Array) or None in type_.lengths:
        raise NotYet("elements of what has no known shape")
    return tuple(context.assumptions.resolve(n) for n in type_.lengths if n is not None)
