"""A branch that chooses one value is the expression that the user wrote; branches within branches are one.

if n > k:                                 if test:                    if test and other:
    z = c * p[n]                              if other:                   x_bar += g
else:                  z = c * p[n] if            x_bar += g
    z = 0.0                n > k else 0.0
"""

from __future__ import annotations

from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import REVERSE_SWEEP, Function, If, Let, Statement
from s2sad.ir.records import replace
from s2sad.ir.spelling import expression
from s2sad.ir.text import simple
from s2sad.ir.types import Number, Type
from s2sad.ir.walk import rewritten, with_statements
from s2sad.optimize.substitute import LINE


def with_choices(function: Function) -> Function:
    """Return a function whose conditional expressions of one line are no branches."""
    body = rewritten(function.body, _as_expression)
    return replace(function, body=body) if body != function.body else function


def _as_expression(statement: Statement) -> Statement:
    match statement:
        case If(test, (Let(Variable() as chosen, a) as one,), (Let(target, b) as other,), span):
            is_pure = one.effect.is_pure and other.effect.is_pure
            is_of_one = span is not None and span == one.span == other.span and target == chosen
            type_ = _type_of_either(a.type, b.type)
            if is_of_one and is_pure and type_ is not None:
                made = replace(one, value=Expr("conditional", (test, a, b), None, type_))
                return made if len(simple(made)) <= LINE else statement
    return statement


def _type_of_either(a: Type, b: Type) -> Type | None:
    """Return the type of what is one of two values, if it is known."""
    if isinstance(a, Number) and isinstance(b, Number) and a.dtype == b.dtype:
        return a if a == b else Number(a.dtype)
    return a if a == b else None


def with_one_test(function: Function) -> Function:
    """Return a function whose reverse sweep asks two tests of one block at once."""
    if REVERSE_SWEEP not in function.body:
        return function
    start = function.body.index(REVERSE_SWEEP)
    body = rewritten(function.body[start:], _asked_at_once)
    return replace(function, body=with_statements(function.body, (*function.body[:start], *body)))


def _asked_at_once(statement: Statement) -> Statement:
    match statement:
        case If(test, (If(other, _, ()) as branch,), ()):
            both = Expr("and", (test, other), None, Number("bool"))
            return replace(branch, test=both) if len(expression(both)) <= LINE else statement
    return statement
