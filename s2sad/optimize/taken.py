"""What is put into a list that the reverse sweep takes it out of again is not saved beside it.

row_bar_saved.append(row_bar)
A_bar.append(row_bar)               A_bar.append(row_bar)
...                                 ...
A_bar.pop()                         row_bar = A_bar.pop()
row_bar = row_bar_saved.pop()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard

from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Block, Function, RegionOp, Restore, Save, Statement
from s2sad.ir.walk import blocks, bound_in, expressions, read_variables, rewritten, statements


@dataclass(frozen=True, slots=True)
class _Pair:
    """A value that is saved and put into a list: what stands at one place of the sweep."""

    stack: Variable
    held: Expr


def taken_from_lists(function: Function) -> Function:
    """Return a function that takes from lists what they give back, and saves it no more."""
    put = {pair.stack: pair for block in _every_block(function.body) for pair in _puts(block)}
    often = Counter(s.stack for s in statements(function.body) if isinstance(s, Save | Restore))
    found: dict[int, RegionOp] = {}
    gone: set[Variable] = set()
    for block in _every_block(function.body):
        for stack, position, pop in _takes(block):
            is_one = stack in put and often[stack] == 2 and stack not in gone
            if is_one and put[stack].held == pop.base and position not in found:
                found[position] = pop
                gone.add(stack)
    if not gone:
        return function

    def change(statement: Statement) -> Statement | None:
        if isinstance(statement, Save | Restore) and statement.stack in gone:
            return None
        return found.get(id(statement), statement)

    return replace(function, body=rewritten(function.body, change))


def _every_block(block: Block) -> Iterator[Block]:
    yield block
    for statement in block:
        for inner in blocks(statement):
            yield from _every_block(inner)


def _puts(block: Block) -> Iterator[_Pair]:
    """Yield what a block saves and puts into a list of its own accord, under one name."""
    for place, each in enumerate(block):
        if not isinstance(each, Save) or each.value.op != "name":
            continue
        for other, put in enumerate(block):
            if not _is_change(put, "append") or put.args != (each.value,):
                continue
            first, last = sorted((place, other))
            is_same = each.value.data not in bound_in(block[first + 1 : last])
            if is_same and _is_only(put, block):
                yield _Pair(each.stack, put.base)


def _takes(block: Block) -> Iterator[tuple[Variable, int, RegionOp]]:
    """Yield the values that a block takes back, with what takes them from a list in its place."""
    for place, each in enumerate(block):
        if not isinstance(each, Restore) or not isinstance(each.target, Variable):
            continue
        for other, taken in enumerate(block):
            if not _is_change(taken, "pop") or taken.args or taken.target is not None:
                continue
            first, last = sorted((place, other))
            if not _mentions(block[first + 1 : last], each.target) and _is_only(taken, block):
                yield each.stack, id(taken), replace(taken, target=each.target)


def _is_change(statement: Statement, method: str) -> TypeGuard[RegionOp]:
    if not isinstance(statement, RegionOp) or statement.method != method:
        return False
    return statement.base.op == "name"


def _is_only(change: RegionOp, block: Block) -> bool:
    """Tell whether a block changes a list once, or its shadow, which may be another list."""
    mine = [s for s in statements(block) if isinstance(s, RegionOp) and s.base == change.base]
    return len(mine) == 1


def _mentions(block: Block, variable: Variable) -> bool:
    if variable in bound_in(block):
        return True
    return any(variable in read_variables(e) for s in statements(block) for e in expressions(s))
