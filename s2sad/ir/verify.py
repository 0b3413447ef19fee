"""What holds of every Program, whatever stage made it.

verify(program)   raises InternalError at the statement that breaks a rule
"""

from __future__ import annotations

from s2sad.ir.errors import InternalError, NotYet
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import (
    PURE,
    Block,
    Break,
    Continue,
    For,
    Function,
    If,
    Let,
    Program,
    Raise,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.spelling import expression
from s2sad.ir.types import Number
from s2sad.ir.walk import bound, bound_in, expressions, own_nodes, read_variables, statements

LEAVES = (Break, Continue, Return, Raise)
NEVER_BOUND = "is read and never bound"
Names = frozenset[Variable]


def verify(program: Program) -> Program:
    """Return a program whose rules hold; raise InternalError where one is broken."""
    for function in program.functions.values():
        _verify_function(function, program)
    return program


def refuse_unbound(program: Program) -> Program:
    """Return a program that reads no name which no way binds before; else raise NotYet."""
    try:
        return verify(program)
    except InternalError as error:
        if NEVER_BOUND not in error.problem:
            raise
        raise NotYet("a name that is read and never bound", error.span) from None


def _verify_function(function: Function, program: Program) -> None:
    bound_at_start = frozenset(p.variable for p in function.parameters)
    for statement in statements(function.body):
        for node in own_nodes(statement):
            if node.op == "function" and node.data not in program.functions:
                raise _broken(f"{node.data} is no function of the program", statement)
        place = statement.target.op if isinstance(statement, Store) else "name"
        if place not in ("name", "subscript", "attribute"):
            raise _broken("a store to what is no place", statement)
        if isinstance(statement, Store) and place == "name":
            if isinstance(statement.target.type, Number):
                raise _broken("a store to a number, which is bound anew", statement)
        if isinstance(statement, Let) and statement.effect != PURE and statement.value.op != "call":
            raise _broken("an effect of what is no call", statement)
    _bound_after(function.body, bound_at_start, False)
    _stacks_mirror(function.body)


def _bound_after(block: Block, names: Names, in_loop: bool) -> Names | None:
    """Return what may be bound after a block; None if its end is not reached.

    A name that no way binds before it is read is a mistake of the stage that made the program.
    """
    for place, statement in enumerate(block):
        _names_are_bound(statement, names)
        if isinstance(statement, LEAVES):
            if place + 1 < len(block):
                raise _broken("a statement that is never reached", block[place + 1])
            return None
        names = _after(statement, names, in_loop)
    return names


def _after(statement: Statement, names: Names, in_loop: bool) -> Names:
    match statement:
        case If():
            ends = [_bound_after(b, names, in_loop) for b in (statement.body, statement.orelse)]
            return names.union(*(end for end in ends if end is not None))
        case For() | While():
            inside = names | bound_in((statement,))
            _bound_after(statement.body, inside, True)
            return inside
        case With():
            return _bound_after(statement.body, names, in_loop) or names
        case Try():
            inner = bound_in(statement.body)
            _bound_after(statement.body, names, in_loop)
            for handler in statement.handlers:
                caught = frozenset() if handler.target is None else frozenset({handler.target})
                inner |= _bound_after(handler.body, names | inner | caught, in_loop) or frozenset()
            return names | inner
    return names | frozenset(bound(statement))


def _names_are_bound(statement: Statement, names: Names) -> None:
    for expr in expressions(statement):
        missing = read_variables(expr) - names
        if missing:
            raise _broken(f"{min(map(str, missing))} {NEVER_BOUND}", statement, expr)


def _stacks_mirror(block: Block) -> None:
    """Check that what is taken from a stack was put there somewhere."""
    made = statements(block)
    saved = {s.stack for s in made if isinstance(s, Save)}
    for statement in made:
        if isinstance(statement, Restore) and statement.stack not in saved:
            raise _broken(f"{statement.stack} is never saved to", statement)


def _broken(what: str, statement: Statement, expr: Expr | None = None) -> InternalError:
    where = "" if expr is None else f": {expression(expr)}"
    return InternalError(f"{what}{where}", getattr(statement, "span", None))
