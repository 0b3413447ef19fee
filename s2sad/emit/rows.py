"""Rows of which the reverse sweep takes several parts, or stores all, are taken and stored at once.

row = planets[k]
mass, angle = row[0], row[2]              ->      mass, period, angle, _ = planets[k]
...                                               ...
period = row[1]

cold = units[k][1]                        ->      hot, cold = units[k]
hot = units[k][0]

row_bar = np.array([a, b + c, 0.0])       ->      planets_bar[k] = a, b + c, 0.0
planets_bar[k] = row_bar
"""

from __future__ import annotations

from functools import partial

import numpy as np

from s2sad.emit.layout import WIDTH
from s2sad.ir.expression import Expr, Pattern, Role, Variable, calls, name, root_of
from s2sad.ir.program import Block, For, Let, Restore, Save, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.spelling import pattern_text
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Number, Tuple, Type
from s2sad.ir.walk import (
    bound,
    bound_in,
    in_blocks,
    read_counts,
    read_in,
    read_variables,
    statements,
    with_statements,
)
from s2sad.optimize.substitute import LINE, is_place
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
    for place, each in enumerate(made):
        row = _row(each)
        count = None if row is None else _count(row.type)
        if row is None or count is None or not isinstance(each, Let):
            continue
        is_named = row.op == "name" and row.data == each.target
        first = place + is_named
        parts = _parts(row, made[first:], count)
        is_enough = len(parts) >= max(FEWEST, count / 2)
        if not is_enough or (is_named and len(parts) != counts[row.data]):
            continue
        target: Pattern = tuple(
            made[first + parts[k]].target if k in parts else None  # type: ignore[union-attr]
            for k in range(count)
        )
        if len(pattern_text(target)) <= LINE // 2:
            gone = {first + at for at in parts.values()} - {place}
            made[place] = replace(each, target=target, value=each.value if is_named else row)
            rest = [s for at, s in enumerate(made) if at not in gone]
            return _at_once(tuple(rest), counts)
    return with_statements(block, made)


def _row(statement: Statement) -> Expr | None:
    """Return the row that a statement names, or that of which it names an element."""
    match statement:
        case Let(
            Variable(role=Role.PRIMAL | Role.TANGENT) as target,
            Expr("subscript", (base, at)) as value,
            spelled="=",
        ):
            if _count(value.type) is not None:
                return name(target, value.type)
            is_element = at.op == "constant" and type(at.data) is int
            return base if is_element and is_place(base) and base.op != "name" else None
    return None


def _count(type_: Type) -> int | None:
    """Return how many elements a row has: one of an array, or a tuple of numbers and others."""
    if isinstance(type_, Tuple):
        return len(type_.items) if type_.cls is None else None
    lengths = type_.lengths if isinstance(type_, Array) else ()
    is_known = len(lengths) == 1 and lengths[0] is not None and lengths[0].is_literal
    return lengths[0].constant if is_known else None  # type: ignore[union-attr]


def _parts(row: Expr, rest: list[Statement], count: int) -> dict[int, int]:
    """Return for each place of a row where it gets a name, if that can be had at once."""
    found: dict[int, int] = {}
    touched: set[Variable] = set()
    of_row = read_variables(row)
    for at, each in enumerate(rest):
        place = _place_in(row, each, count)
        if place is not None and place not in found and touched.isdisjoint(bound(each)):
            found[place] = at
        elif not _leaves_rows(each, getattr(root_of(row), "role", None)):
            break
        if not of_row.isdisjoint(bound_in((each,))):
            break
        touched |= {v for inner in statements((each,)) for v in (*read_in(inner), *bound(inner))}
    return found


def _place_in(row: Expr, statement: Statement, count: int) -> int | None:
    """Return the place of the element of a row that a statement gives a name."""
    match statement:
        case Let(Variable(), Expr("subscript", (base, at)), spelled="="):
            is_place = base == row and at.op == "constant" and type(at.data) is int
            return at.data if is_place and 0 <= at.data < count else None
    return None


def _leaves_rows(statement: Statement, role: Role | None) -> bool:
    """Tell whether a statement changes no value of the user's but names, and no row of a role."""
    match statement:
        case Let(effect=effect):
            return effect.is_pure
        case Restore(target=target):
            return not isinstance(target, Expr)
        case Store(target=target):
            root = root_of(target)
            return root is not None and root.role in {Role.ADJOINT, Role.TANGENT} - {role}
        case For(body=body):
            return all(_leaves_rows(each, role) for each in body)
    return isinstance(statement, Save)
