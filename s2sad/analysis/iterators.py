"""Iterators that are gone through at once: lists in their place hold the same.

pairs = zip(u, v)           pairs = [(x, y) for x, y in zip(u, v)]
for x, y in pairs: ...      for x, y in pairs: ...

What an iterator gives is read as it is gone through. A list in its place is right where that is done
once, right after it was made, and nothing changes until it is done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import GeneratorType
from typing import TypeGuard

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Block, For, Function, Let, RegionOp, Statement, Store
from s2sad.ir.types import Reference, Region, Sequence, Site, Type
from s2sad.ir.walk import blocks, bound, expressions, name_nodes, nodes, statements

ITERATORS = frozenset({zip, map, filter, enumerate, reversed, GeneratorType})


def is_iterator(type_: Type) -> TypeGuard[Sequence]:
    """Tell whether a value gives its items once."""
    return isinstance(type_, Sequence) and type_.cls in ITERATORS


def taken_at_once(function: Function) -> frozenset[Variable]:
    """Return the iterators with a name that are gone through once, before anything changes."""
    every = tuple(statements(function.body))
    often = Counter(n.data for s in every for e in expressions(s) for n in name_nodes(e))
    often.update(variable for s in every for variable in bound(s))
    return frozenset(v for v in _taken(function.body) if often[v] == 2)


def _taken(block: Block) -> Iterator[Variable]:
    """Yield the iterators that the statements behind them go through."""
    waiting: set[Variable] = set()
    for statement in block:
        for inner in blocks(statement):
            yield from _taken(inner)
        read = {n.data for e in expressions(statement) for n in name_nodes(e)}
        if not any(_changes(each) for inner in blocks(statement) for each in statements(inner)):
            yield from waiting & read
        if _changes(statement) or blocks(statement):
            waiting.clear()
        elif isinstance(statement, Let) and isinstance(statement.target, Variable):
            if is_iterator(statement.value.type):
                waiting.add(statement.target)


def _changes(statement: Statement) -> bool:
    is_call = isinstance(statement, Let) and not statement.effect.is_pure
    return is_call or isinstance(statement, Store | RegionOp)


def refuse_changes_of_columns(loop: For, regions: Mapping[Site, Region]) -> None:
    """Refuse a loop over zip(*rows) that changes the rows: their items are read pass by pass."""
    rows = [arg.args[0] for node in nodes(loop.domain) for arg in _starred(node)]
    for each in statements(loop.body):
        if rows and isinstance(each, Store | RegionOp):
            if any(_may_change(each, held.type, regions) for held in rows):
                raise NotYet("rows that change while their columns are gone through", loop.span)


def _starred(node: Expr) -> tuple[Expr, ...]:
    is_zip = node.op == "call" and node.args[0].op == "global" and node.args[0].data.value is zip
    return tuple(a for a in node.args if a.op == "starred") if is_zip else ()


def _may_change(change: Store | RegionOp, rows: Type, regions: Mapping[Site, Region]) -> bool:
    """Tell whether a change may be one of some rows, or of what they hold."""
    base = change.base if isinstance(change, RegionOp) else change.target
    if isinstance(change, Store) and base.op != "name":
        base = base.args[0]
    if isinstance(base.type, Sequence):  # a list that was made for a comprehension
        return isinstance(rows, Sequence)
    if not isinstance(base.type, Reference) or not isinstance(rows, Reference):
        return True
    row = regions[rows.site].item if rows.site in regions else rows
    return base.type in (rows, row)
