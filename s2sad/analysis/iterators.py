"""Iterators that are gone through where they are made: zip of the columns of rows."""

from __future__ import annotations

from collections.abc import Mapping
from types import GeneratorType
from typing import TypeGuard

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr
from s2sad.ir.program import For, RegionOp, Store
from s2sad.ir.types import Reference, Region, Sequence, Site, Type
from s2sad.ir.walk import nodes, statements

ITERATORS = frozenset({zip, map, filter, enumerate, reversed, GeneratorType})


def is_iterator(type_: Type) -> TypeGuard[Sequence]:
    """Tell whether a value gives its items once."""
    return isinstance(type_, Sequence) and type_.cls in ITERATORS


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
