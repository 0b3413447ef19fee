"""What has to be numbers, as what a function returns is one.

for _ in range(n):                 n passes
    a = mu * (1.0 - x * x) - x     a is one if v is: mu, x
    v = v + h * a                  v, h, a
return v * v                       v
"""

from __future__ import annotations

from s2sad.analysis.exits import may_be_left
from s2sad.analysis.terms import elementwise_operands
from s2sad.ir.expression import Expr, Pattern, Variable
from s2sad.ir.program import Block, For, Function, If, Let, Return, Statement, While
from s2sad.ir.types import Numeric
from s2sad.ir.walk import bound_in
from s2sad.operators.table import calls_one

Names = frozenset[Variable]
NONE: Names = frozenset()


def implied_numbers(function: Function) -> Names:
    """Return the parameters that are numbers wherever what may be an array turns out to be one.

    A loop is taken to have a pass.
    """
    given = {p.variable for p in function.parameters if isinstance(p.type, Numeric)}
    return _before(function.body, NONE) & given


def _before(block: Block, numbers: Names) -> Names:
    """Return what has to be numbers before a block, for these to be numbers after it."""
    for statement in reversed(block):
        numbers = _before_statement(statement, numbers)
    return numbers


def _before_statement(statement: Statement, numbers: Names) -> Names:
    match statement:
        case Return(value):
            return _made_of(value)
        case Let(target, value):
            return (numbers - bound_in((statement,))) | _asked(target, value, numbers)
        case If(body=body, orelse=orelse):
            return _before(body, numbers) & _before(orelse, numbers)
        case For(body=body) | While(body=body) if not may_be_left(body):
            return _before_passes(statement, body, numbers)
    return numbers - bound_in((statement,))


def _before_passes(loop: Statement, body: Block, numbers: Names) -> Names:
    """Return what has to be numbers before a loop, however many passes it has."""
    taken = bound_in((loop,)) - bound_in(body)
    found = _before(body, numbers) - taken
    while True:
        fewer = found & _before(body, found)
        if fewer == found:
            return found
        found = fewer


def _asked(target: Pattern, value: Expr, numbers: Names) -> Names:
    """Return what has to be numbers for these names to be bound to numbers."""
    if isinstance(target, tuple) and value.op == "tuple" and len(target) == len(value.args):
        pairs = zip(target, value.args, strict=True)
        return NONE.union(*(_asked(part, each, numbers) for part, each in pairs))
    return _made_of(value) if isinstance(target, Variable) and target in numbers else NONE


def _made_of(value: Expr) -> Names:
    """Return the names that have to be numbers for a value to be one: it has their elements."""
    if not isinstance(value.type, Numeric):
        return NONE
    match value.op:
        case "name":
            return frozenset({value.data})
        case "conditional":
            return _made_of(value.args[1]) & _made_of(value.args[2])
    is_known = calls_one(value, "elementwise")
    operands = value.args[1:] if is_known else elementwise_operands(value)
    return NONE.union(*map(_made_of, operands))
