"""What is computed as a loop goes through it, and whether the loop's body changes what that reads.

for y in (s * v for v in x):      y is computed when its turn comes, with s as it is then
    s += y
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from s2sad.ir.expression import Expr, called_object
from s2sad.ir.program import Let, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Number
from s2sad.ir.walk import bound_in, nodes, read_variables, statements
from s2sad.lowering.machine import Machine, mentioned, refusal
from s2sad.lowering.values import Data, Demand, Value, kept

ONE_BY_ONE = (zip, enumerate, map, filter, iter)


def parts(expr: Expr) -> Iterator[Expr]:
    """Yield the generators that are gone through where an expression is."""
    if expr.op == "comprehension" and expr.data == "generator":
        yield expr
    elif expr.op == "conditional":
        yield from (part for side in expr.args[1:] for part in parts(side))
    elif any(called_object(expr) is each for each in ONE_BY_ONE):
        yield from (part for arg in expr.args[1:] for part in parts(arg))


def watched(m: Machine, exprs: Sequence[Expr]) -> Callable[[], bool]:
    """Return what tells whether statements made from now on change what some expressions read."""
    read = {variable for expr in exprs for variable in read_variables(expr)}
    found = {
        (place, key): value
        for place, cell in m.heap.items()
        for key, value in cell.slots.items()
        if not read.isdisjoint(mentioned(value))
    }
    block, mark = m.block, len(m.block)

    def is_changed() -> bool:
        cells = ((m.heap.get(place), key, value) for (place, key), value in found.items())
        if any(cell is not None and cell.slots.get(key) is not value for cell, key, value in cells):
            return True
        made = tuple(block[mark:])
        if not read.isdisjoint(bound_in(made)):
            return True
        return any(map(reads_memory, exprs)) and any(map(writes, statements(made)))

    return is_changed


def writes(statement: Statement) -> bool:
    """Tell whether a statement writes to memory, itself."""
    if isinstance(statement, Let):
        return not replace(statement.effect, raises=False, draws=False).is_pure
    return isinstance(statement, Store | RegionOp)


def reads_memory(expr: Expr) -> bool:
    """Tell whether an expression may read memory."""
    return any(node.op == "name" and not isinstance(node.type, Number) for node in nodes(expr))


def opened(value: Value) -> Value:
    """Return generators as what is run pass by pass; other values as they are."""
    holds_one = isinstance(value, Data) and any(parts(value.expr))
    return kept(value) if holds_one else value


def is_pushed(m: Machine, site: Any) -> bool:
    """Tell whether the generators of a loop are run pass by pass."""
    return ("pushed", site) in m.choices


def pushed(m: Machine, site: Any) -> Exception:
    """Return what asks that the generators of a loop be run pass by pass, or else its refusal."""
    if is_pushed(m, site):
        return refusal(m, "a generator that reads what the loop over it changes")
    return Demand(("pushed", site))
