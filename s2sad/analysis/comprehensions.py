"""Comprehensions whose variables nobody else has; generators that are kept.

s = sum(body.x for body in bodies)      s = sum(body_2.x for body_2 in bodies)

xs = [(k * x for x in u)]
k = 2.0
sum(xs[0])                              refused: k is another one by now
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2sad.analysis.fresh import Fresh
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr
from s2sad.ir.program import Block, Function, Let, Program, RegionOp, Return, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.renaming import pattern_renamed, renamed_in
from s2sad.ir.types import Code, Number, Other
from s2sad.ir.walk import (
    bound,
    nodes,
    read_variables,
    rebuilt,
    rewritten,
    statements,
    variables,
    with_expressions,
)
from s2sad.lowering.results import changes_something


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


# ---------------------------------------------------------------------------- generators that are kept

HOLDING = frozenset({"tuple", "list", "set", "dict", "item", "conditional", "record"})


def refuse_kept_generators(function: Function) -> Function:
    """Return a function; refuse where a generator that is kept may see what is changed since."""
    every = list(statements(function.body))
    kept = [(s, generator) for s in every for generator in _kept(s)]
    if not kept:
        return function
    sets = Counter(v for s in every for v in bound(s)) + Counter(
        p.variable for p in function.parameters
    )
    writes = any(map(changes_something, every))
    for statement, generator in kept:
        rebound = any(sets[v] > 1 for v in read_variables(generator))
        if rebound or (writes and any(map(_is_memory, nodes(generator)))):
            raise NotYet("what is gone through later than it is named", statement.span)
    return function


def named_values(statement: Statement) -> tuple[Expr, ...]:
    """Return the values that a statement names, stores or returns.

    What is unpacked, or put into a list item by item, is gone through at once.
    """
    match statement:
        case Store(op="+") | RegionOp(method="extend"):
            return ()
        case Let(tuple(), value) if value.op not in ("tuple", "list"):
            return ()
        case Let() | Store() | Return():
            return (statement.value,)
        case RegionOp():
            return statement.args
    return ()


def held_in(value: Expr) -> Iterator[Expr]:
    """Yield what a value is, or what its displays hold."""
    if value.op not in HOLDING:
        yield value
        return
    for arg in value.args:
        yield from held_in(arg)


def _kept(statement: Statement) -> Iterator[Expr]:
    """Yield the generators that a statement keeps."""
    for value in named_values(statement):
        for part in held_in(value):
            if part.op == "comprehension" and part.data == "generator":
                yield part


def _is_memory(node: Expr) -> bool:
    return node.op in ("name", "global") and not isinstance(node.type, Number | Other | Code)
