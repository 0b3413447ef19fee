"""Generators that are kept: what they read must be the same where they are gone through.

xs = [(k * x for x in u)]
k = 2.0
sum(xs[0])                      refused: k is another one by now
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr
from s2sad.ir.program import Function, Let, RegionOp, Return, Statement, Store
from s2sad.ir.types import Code, Number, Other
from s2sad.ir.walk import bound, nodes, read_variables, statements
from s2sad.lowering.results import changes_something

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
    """Return the values that a statement names, stores or returns."""
    match statement:
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
    """Yield the generators that a statement keeps; a list that grows by one takes its items."""
    match statement:
        case Store(op="+") | RegionOp(method="extend"):
            return
    for value in named_values(statement):
        for part in held_in(value):
            if part.op == "comprehension" and part.data == "generator":
                yield part


def _is_memory(node: Expr) -> bool:
    return node.op in ("name", "global") and not isinstance(node.type, Number | Other | Code)
