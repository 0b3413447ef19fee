"""Comprehensions whose variables nobody else has.

s = sum(body.x for body in bodies)      s = sum(body_2.x for body_2 in bodies)
"""

from __future__ import annotations

from s2sad.analysis.fresh import Fresh
from s2sad.ir.expression import Expr, Pattern, Star, Variable
from s2sad.ir.program import Block, Program, Statement
from s2sad.ir.records import replace
from s2sad.ir.walk import nodes, rebuilt, rewritten, variables, with_expressions


def with_own_names(program: Program) -> Program:
    """Return a program in which no comprehension binds a name that something else has."""
    fresh = Fresh()
    for function in program.functions.values():
        fresh.numbers |= {
            name: max(number, fresh.numbers.get(name, -1))
            for name, number in Fresh.of(function).numbers.items()
        }

    def changed(block: Block) -> Block:
        return rewritten(block, lambda s: _statement(s, fresh))

    functions = {
        name: replace(function, body=changed(function.body))
        for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


def _statement(statement: Statement, fresh: Fresh) -> Statement:
    return with_expressions(statement, lambda e: _renamed(e, fresh))


def _renamed(expr: Expr, fresh: Fresh) -> Expr:
    if not any(node.op == "comprehension" for node in nodes(expr)):
        return expr

    def change(node: Expr) -> Expr | None:
        return own_names(node, fresh) if node.op == "comprehension" else None

    return rebuilt(expr, change)


def own_names(comprehension: Expr, fresh: Fresh) -> Expr:
    """Return a comprehension with variables that nobody else has.

    What the first generator goes over is read outside of it.
    """
    element, *generators = comprehension.args
    own = [v for g in generators for v in variables(g.data)]
    renamed = {v: fresh.variable(v.name) for v in own}
    made = []
    for position, generator in enumerate(generators):
        domain, *tests = generator.args
        if position:
            domain = _with(domain, renamed)
        inner = (domain, *(_with(test, renamed) for test in tests))
        made.append(replace(generator, args=inner, data=_pattern(generator.data, renamed)))
    return replace(comprehension, args=(_with(element, renamed), *made))


def _with(expr: Expr, renamed: dict[Variable, Variable]) -> Expr:
    def change(node: Expr) -> Expr | None:
        is_own = node.op == "name" and node.data in renamed
        return replace(node, data=renamed[node.data]) if is_own else None

    return rebuilt(expr, change)


def _pattern(pattern: Pattern, renamed: dict[Variable, Variable]) -> Pattern:
    match pattern:
        case Variable():
            return renamed[pattern]
        case Star(variable):
            return Star(renamed[variable])
        case tuple():
            return tuple(_pattern(part, renamed) for part in pattern)
    return pattern
