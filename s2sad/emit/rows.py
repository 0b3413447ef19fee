"""Rows of which the reverse sweep takes several parts, or stores all, are taken and stored at once.

row = planets[k]
mass, angle = row[0], row[2]              ->      mass, period, angle, _ = planets[k]
...                                               ...
period = row[1]

row_bar = np.array([a, b + c, 0.0])       ->      planets_bar[k] = a, b + c, 0.0
planets_bar[k] = row_bar
"""

from __future__ import annotations

from functools import partial

import numpy as np

from s2sad.emit.layout import WIDTH
from s2sad.ir.expression import Expr, Pattern, Role, Variable, calls, root_of
from s2sad.ir.program import Block, For, Let, Restore, Save, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.spelling import pattern_text
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Number, Type
from s2sad.ir.walk import bound, in_blocks, read_counts, read_in, statements, with_statements
from s2sad.optimize.substitute import LINE
from s2sad.types.plain import tuple_of

FEWEST = 2  # parts of a row, and at least half of them


def rows_at_once(block: Block) -> Block:
    """Return a block of the reverse sweep in which rows are taken apart, and stored, by one statement each."""
    counts = read_counts(block)
    return _stored_at_once(_at_once(block, counts=counts), counts, 1)


def _stored_at_once(block: Block, counts: dict[Variable, int], depth: int) -> Block:
    """Return a block in which numbers go to a row of an adjoint as they are: no array is made of them."""
    made: list[Statement] = []
    for each in block:
        each = in_blocks(each, lambda inner: _stored_at_once(inner, counts, depth + 1))
        match (*made[-1:], each):
            case (
                Let(Variable() as row, array),
                Store(op="=", value=Expr("name", data=stored)) as store,
            ):
                is_ours = row.role in (Role.ADJOINT, Role.TANGENT)
                is_own = row == stored and counts[row] == 1 and is_ours
                whole = _whole(made[-1], store, array, depth) if is_own else None
                if whole is not None:
                    made[-1] = whole
                    continue
        made.append(each)
    return with_statements(block, made)


def _whole(let: Statement, store: Store, array: Expr, depth: int) -> Store | None:
    """Return a store of what had a name, where that takes no more lines."""
    items = _items(array)
    if items is None:
        return None
    fits = 4 * depth + len(simple(replace(store, value=items))) <= WIDTH
    is_long = 4 * depth + len(simple(let)) > WIDTH
    return replace(store, value=items if fits else array) if fits or is_long else None


def _items(array: Expr) -> Expr | None:
    """Return the numbers of np.array([a, b]) as a tuple."""
    is_array = calls(array, np.array) and not array.data and len(array.args) == 2
    items = array.args[1].args if is_array and array.args[1].op == "list" else ()
    if len(items) < 2 or not all(isinstance(each.type, Number) for each in items):
        return None
    return tuple_of(items)


def _at_once(block: Block, counts: dict[Variable, int]) -> Block:
    made: list[Statement] = [in_blocks(each, partial(_at_once, counts=counts)) for each in block]
    for place, each in enumerate(block):
        count = _length_of_row(each)
        if count is None or not isinstance(each, Let) or not isinstance(each.target, Variable):
            continue
        parts = _parts(each.target, made[place + 1 :], count)
        if len(parts) < max(FEWEST, count / 2) or len(parts) != counts[each.target]:
            continue
        target: Pattern = tuple(
            made[place + 1 + parts[k]].target if k in parts else None  # type: ignore[union-attr]
            for k in range(count)
        )
        if len(pattern_text(target)) <= LINE // 2:
            gone = {place + 1 + at for at in parts.values()}
            made[place] = replace(each, target=target)
            rest = [s for at, s in enumerate(made) if at not in gone]
            return _at_once(tuple(rest), counts)
    return with_statements(block, made)


def _length_of_row(statement: Statement) -> int | None:
    """Return how many elements a row has that a statement names."""
    match statement:
        case Let(
            Variable(role=Role.PRIMAL | Role.TANGENT), Expr("subscript", type=type_), spelled="="
        ):
            return _count(type_)
    return None


def _count(type_: Type) -> int | None:
    lengths = type_.lengths if isinstance(type_, Array) else ()
    is_known = len(lengths) == 1 and lengths[0] is not None and lengths[0].is_literal
    return lengths[0].constant if is_known else None  # type: ignore[union-attr]


def _parts(row: Variable, rest: list[Statement], count: int) -> dict[int, int]:
    """Return for each place of a row where it gets a name, if that can be had at once."""
    found: dict[int, int] = {}
    touched: set[Variable] = set()
    for at, each in enumerate(rest):
        place = _place_in(row, each, count)
        if place is not None and place not in found and touched.isdisjoint(bound(each)):
            found[place] = at
        elif row in bound(each) or not _leaves_rows(each):
            break
        touched |= {v for inner in statements((each,)) for v in (*read_in(inner), *bound(inner))}
    return found


def _place_in(row: Variable, statement: Statement, count: int) -> int | None:
    """Return the place of the element of a row that a statement gives a name."""
    match statement:
        case Let(Variable(), Expr("subscript", (Expr("name", data=base), at)), spelled="="):
            is_place = base == row and at.op == "constant" and type(at.data) is int
            return at.data if is_place and 0 <= at.data < count else None
    return None


def _leaves_rows(statement: Statement) -> bool:
    """Tell whether a statement changes no value of the user's but names."""
    match statement:
        case Let(effect=effect):
            return effect.is_pure
        case Restore(target=target):
            return not isinstance(target, Expr)
        case Store(target=target):
            root = root_of(target)
            return root is not None and root.role in (Role.ADJOINT, Role.TANGENT)
        case For(body=body):
            return all(map(_leaves_rows, body))
    return isinstance(statement, Save)
