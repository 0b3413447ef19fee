"""Zeros that nobody reads are not stored: of a shadow that a loop goes through once.

for i in reversed(range(n)):            for i in reversed(range(n)):
    g = x_bar[i] / d[i]                     g = x_bar[i] / d[i]
    x_bar[i] = 0.0                ->        x_bar[i - 1] -= c[i] * g
    x_bar[i - 1] -= c[i] * g

Positions are compared as they are where it is decided what is saved: later passes read and store
other elements, and so does what follows the loop.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterator, Mapping

from s2sad.checkpoint.needs import Content, surely_apart
from s2sad.checkpoint.passes import (
    Counter,
    after_loop,
    are_apart_in_passes,
    counters,
    of_earlier_pass,
)
from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import Block, For, Function, If, Let, Return, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array
from s2sad.ir.walk import blocks, bound, bound_in, expressions, nodes, rewritten, statements
from s2sad.optimize.contributions import is_zero
from s2sad.optimize.memory import Memory, statement_changes, statement_reads

Around = tuple[tuple[Statement | None, Block], ...]


def without_idle_zeros(function: Function, memory: Memory) -> Function:
    """Return a function that stores no zeros which it does not read."""
    outside = {memory.content(p.variable) for p in function.parameters}
    idle = {
        id(store)
        for store, around in _zeros(function.body, ((None, function.body),))
        if outside.isdisjoint(memory.contents(store.target.args[0]))
        and _is_idle(store.target, around, memory)
    }
    body = rewritten(function.body, lambda s: None if id(s) in idle else s)
    return replace(function, body=body) if idle else function


def _zeros(block: Block, around: Around) -> Iterator[tuple[Store, Around]]:
    """Yield the zeros that loops store, with the rest of each block around, the innermost first."""
    for place, each in enumerate(block):
        rest = ((around[0][0], block[place + 1 :]), *around[1:])
        match each:
            case Store(Expr("subscript", (Expr("name", type=Array(), data=base), _)), "=", value):
                if base.role is Role.ADJOINT and is_zero(value):
                    yield each, rest
            case For() | If():
                for inner in blocks(each):
                    yield from _zeros(inner, ((each, inner), *rest))


def _is_idle(target: Expr, around: Around, memory: Memory) -> bool:
    """Tell whether nothing that runs after a store of zero touches the element."""
    every = [each for _, rest in around for each in statements(rest)]
    every += [owner for owner, _ in around if owner is not None]
    often = Counts(v for each in every for v in bound(each))
    known = {v: c for each in every for v, c in counters(each) if often[v] == 1}
    need = Content(("idle",), target.args[0].data, target.args[1])
    for owner, rest in around:
        if not _is_left_alone(need, rest, known, memory):
            return False
        if isinstance(owner, For):
            own = frozenset(bound(owner))
            need = of_earlier_pass(need, own | bound_in(owner.body), own)
            if not _is_left_alone(need, owner.body, known, memory):
                return False
            need = after_loop(need, own, known)
    return True


def _is_left_alone(
    need: Content, block: Block, known: Mapping[Variable, Counter], memory: Memory
) -> bool:
    """Tell whether no statement of a block reads, stores or hands on the elements."""
    if need.variable is None:  # all of it
        return False
    whole = {need.variable, memory.content(need.variable)}
    for each in statements(block):
        if whole.isdisjoint(statement_reads(each, memory) | statement_changes(each, memory)):
            continue
        parts = [n for expr in expressions(each) for n in nodes(expr) if _is_of(n, need.variable)]
        places = [Store(n, "=", n) for n in parts if n.op == "subscript"]
        is_plain = isinstance(each, Let | Store | Return) and 0 < len(parts) == 2 * len(places)
        apart = (surely_apart(need, p) or are_apart_in_passes(need, p, known) for p in places)
        if not is_plain or not all(apart):
            return False
    return True


def _is_of(expr: Expr, variable: Variable) -> bool:
    """Tell whether an expression is a variable, or a part of it."""
    base = expr.args[0] if expr.op == "subscript" else expr
    return base.op == "name" and base.data == variable
