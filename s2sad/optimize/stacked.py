"""The adjoint of an array that is made of a list of rows of numbers is taken apart at once.

path_bar.append([0.0, 0.0])                              (no shadow beside the list)
...
for i in range(len(path_bar)):                    ->     path_bar = p_bar.tolist()
    for j in range(len(path_bar[i])):
        path_bar[i][j] += p_bar[i][j]

Before these loops the shadow holds zeros alone, and nobody reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from s2sad.ir.expression import Expr, Role, Variable, attribute, call, calls, name
from s2sad.ir.program import Block, For, Function, Let, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array
from s2sad.ir.walk import bound, expressions, mentions, rewritten, statements


def with_rows_at_once(function: Function) -> Function:
    """Return a function in which shadows of lists of rows are made where they are added to."""
    for place, loop in enumerate(function.body):
        store = _added_row_by_row(loop)
        if store is None:
            continue
        shadow, rows = (each.args[0].args[0] for each in (store.target, store.value))
        before = tuple(statements(function.body[:place]))
        zeros = {id(each) for each in before if _makes_zeros(each, shadow.data)}
        if any(_touches(each, shadow.data) and id(each) not in zeros for each in before):
            continue
        made = Let(shadow.data, call(attribute(rows, "tolist"), type_=shadow.type), store.span)
        kept = _without(zeros, function.body[:place])
        rest = function.body[place + 1 :]
        return with_rows_at_once(replace(function, body=(*kept, made, *rest)))
    return function


def _without(left_out: Set[int], block: Block) -> Block:
    return rewritten(block, lambda statement: None if id(statement) in left_out else statement)


def _added_row_by_row(loop: Statement) -> Store | None:
    """Return the store of two loops that add the elements of an array of rank 2 to a shadow."""
    match loop:
        case For(Variable() as i, outer, (For(Variable() as j, inner, (Store(op="+") as store,)),)):
            place, value = _of(store.target, i, j), _of(store.value, i, j)
            if place is None or value is None or not isinstance(value.type, Array):
                return None
            is_shadow = place.data.role is Role.ADJOINT and not isinstance(place.type, Array)
            goes_over = counts_items(outer, place) and counts_items(inner, store.target.args[0])
            return store if is_shadow and goes_over and value.type.rank == 2 else None
    return None


def _of(element: Expr, i: Variable, j: Variable) -> Expr | None:
    """Return the name of which an element stands in row i, column j."""
    match element:
        case Expr("subscript", (Expr("subscript", (Expr(op="name") as base, row)), column)):
            return base if (row, column) == (name(i), name(j)) else None
    return None


def counts_items(domain: Expr, held: Expr) -> bool:
    """Tell whether a loop goes over range(len(held))."""
    if not calls(domain, range) or len(domain.args) != 2:
        return False
    return calls(domain.args[1], len) and domain.args[1].args[1:] == (held,)


def _makes_zeros(statement: Statement, shadow: Variable) -> bool:
    """Tell whether a statement makes an empty shadow, or appends a row of zeros to it."""
    match statement:
        case Let(target, Expr("list", ())):
            return bool(target == shadow)
        case RegionOp(None, Expr("name", data=base), "append", (row,)):
            return base == shadow and row.op in ("list", "tuple") and _are_zeros(row.args)
    return False


def _are_zeros(items: Iterable[Expr]) -> bool:
    return all(item.op == "constant" and item.data == 0.0 for item in items)


def _touches(statement: Statement, shadow: Variable) -> bool:
    return shadow in bound(statement) or any(mentions(e, shadow) for e in expressions(statement))
