"""Comprehensions whose variables nobody else has.

s = sum(body.x for body in bodies)      s = sum(body_2.x for body_2 in bodies)
"""

from __future__ import annotations

from s2sad.analysis.fresh import Fresh
from s2sad.ir.expression import Expr
from s2sad.ir.program import Block, Program, Statement
from s2sad.ir.records import replace
from s2sad.ir.renaming import pattern_renamed, renamed_in
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
            domain = renamed_in(domain, renamed)
        inner = (domain, *(renamed_in(test, renamed) for test in tests))
        made.append(replace(generator, args=inner, data=pattern_renamed(generator.data, renamed)))
    return replace(comprehension, args=(renamed_in(element, renamed), *made))
