"""Adjoints of arrays that are written out at once, of all that is added to their parts.

p_bar = zeros; p_bar[1] += b; ...           p_bar = np.array([a, b])
p_bar = zeros; p_bar[1:] += b; ...          np.hstack([a, b])
P_bar = zeros; P_bar[:, 1] += b; ...        np.column_stack([a, b])
P_bar = zeros; P_bar[0, 1] += b; ...        np.array([[a, b], [c, d]])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import (
    EVERYTHING,
    Expr,
    Role,
    Variable,
    call,
    constant,
    global_,
    name,
    root_of,
)
from s2sad.ir.program import Let, Statement
from s2sad.ir.records import replace
from s2sad.ir.spelling import expression
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Length, Number, Type
from s2sad.ir.walk import read_variables
from s2sad.optimize.added import ADDED, Added, added_first, contribution, is_zero, kind_of
from s2sad.optimize.memory import read_tokens
from s2sad.optimize.order import Context, Slots, content_of, line_of, next_touching, span_of
from s2sad.optimize.substitute import LINE

MOST_ITEMS = 8  # of an array that is written out
WRITTEN = ("float64", "complex128")
NONE = constant(None)


def written_out(slots: Slots, place: int, context: Context) -> bool:
    """`p_bar = zeros; p_bar[1] += b; p_bar[0] += a` is `p_bar = np.array([a, b])`.

    With slices among them, that are all of it, too: `p_bar = np.hstack([a, b])`. Of columns it is
    `np.column_stack([a, b])`.
    """
    start, whole = slots[place], zeros_at(slots[place])
    kind = None if whole is None else whole.type
    if whole is None or not isinstance(kind, Array) or kind.dtype not in WRITTEN:
        return False
    terms, parts = _parts_of(slots, place, whole, kind, context)
    function = _joining(parts, kind)
    if function is None and kind.rank == 2 and None not in kind.lengths:
        columns = replace(kind, lengths=kind.lengths[::-1])
        terms, parts = _parts_of(slots, place, whole, columns, context, _of_column)
        function = None if _joining(parts, columns) is None else np.column_stack
    flat, width = _flattened(kind)
    if function is None and flat is not None:
        as_item = partial(_of_element, shape=(flat.lengths[0].constant // width, width))
        terms, parts = _parts_of(slots, place, whole, flat, context, as_item)
        function = np.array if _joining(parts, flat) is np.array else None
    if function is None or not isinstance(start, Let):
        return False
    last = terms[-1][0]
    for at, added in terms:
        ends = read_tokens(added.target, context.memory) - content_of(whole, context.memory)
        if slots.changes_between(at, last, ends | read_tokens(added.value, context.memory)):
            return False
    named: dict[int, Let] = {}
    is_display = function is not np.hstack and function is not np.vstack
    if is_display and len(terms) == len(parts):
        parts, named = _named_items(slots, terms, parts, context)
    display = Expr("list", tuple(parts))
    if function is np.array and flat is not None and len(parts) == flat.lengths[0].constant:
        rows = (tuple(parts[k : k + width]) for k in range(0, len(parts), width))
        display = Expr("list", tuple(Expr("list", row) for row in rows))
    made = call(global_(f"np.{function.__name__}", function), display, type_=kind)
    new = replace(start, value=made, span=span_of(slots[last]))
    # what an array is made of has a line of its own where the statement takes three
    is_short = len(terms) > 2 and len(parts) == len(terms)  # than as many statements
    if len(expression(display) if is_display or is_short else simple(new)) > LINE:
        return False
    for at in (place, *(at for at, _ in terms[:-1])):
        slots.replace(at, named[at]) if at in named else slots.remove(at)
    return slots.replace(last, new)


def _named_items(
    slots: Slots, terms: list[tuple[int, Added]], parts: list[Expr], context: Context
) -> tuple[list[Expr], dict[int, Let]]:
    """Return a display that fits on a line, with names for its longest items but the last made."""
    found: dict[int, Let] = {}
    parts = list(parts)
    places = {added_first(added, context): at for at, added in terms[:-1]}
    while len(expression(Expr("list", tuple(parts)))) > LINE:
        long = [part for part in parts if part in places and part.op != "name"]
        if not long or len(found) + 1 >= len(parts):
            break
        item = max(long, key=lambda part: len(expression(part)))
        at, position = places[item], parts.index(item)
        called = _of_item(terms[0][1].target, position, context)
        found[at] = Let(called, item, span_of(slots[at]))
        parts[position] = name(called, item.type)
    return parts, found


def _of_item(target: Expr, position: int, context: Context) -> Variable:
    """Return a variable for what is added to an item of an adjoint: p_2_bar."""
    whole = root_of(target)
    of = "x" if whole is None else whole.name.removesuffix("_bar")
    named = (Variable(f"{of}_{position}_bar", k, Role.TERM) for k in count())
    return next(variable for variable in named if variable not in context.counts)


def zeros_at(statement: Statement) -> Expr | None:
    """Return the adjoint that a statement begins with zeros, typed as these."""
    first = contribution(statement) if isinstance(statement, Let) else None
    return first.target if first is not None and first.op == "=" and is_zero(first.value) else None


def _parts_of(
    slots: Slots,
    place: int,
    target: Expr,
    kind: Array,
    context: Context,
    as_row: Callable[[Added], Added | None] = lambda added: added,
) -> tuple[list[tuple[int, Added]], list[Expr]]:
    """Return what is added to parts of an array, and the parts in the end if they are all of it.

    What is added to another axis, or to elements of it, is taken for what `as_row` gives.
    """
    found: dict[Any, tuple[Any, Expr]] = {}
    terms: list[tuple[int, Added]] = []
    parts: list[Expr] = []
    at = next_touching(slots, place, target)
    while at is not None and not (parts and line_of(slots[at]) != line_of(slots[terms[-1][0]])):
        added = contribution(slots[at])
        part = None if added is None else as_row(added)
        ends = None if part is None else _ends_of(part, target, kind)
        if added is None or ends is None or found.get(ends[0], (ends[1],))[0] != ends[1]:
            break
        start, end = ends
        value = added_first(added, context)
        if start in found:
            whole = Expr("binary", (found[start][1], added.value), added.op, added.value.type)
            value = context.build(whole)
        found[start] = (end, value)
        terms.append((at, added))
        parts = _end_to_end(found, kind)
        at = next_touching(slots, at, target)
    return terms, parts


def _of_column(added: Added) -> Added | None:
    """Return what is added to a column as if it were a row: to A_bar[2] for A_bar[:, 2]."""
    index = added.target.args[1] if added.target.op == "subscript" else NONE
    if index.op != "tuple" or len(index.args) != 2 or index.args[0] != EVERYTHING:
        return None
    if not isinstance(index.args[1].type, Number):
        return None
    return replace(added, target=added.target.with_args((added.target.args[0], index.args[1])))


def _flattened(kind: Array) -> tuple[Any, int]:
    """Return the type of the elements of a small matrix as a vector, and how long a row is."""
    if kind.rank != 2 or any(n is None or not n.is_literal for n in kind.lengths):
        return None, 1
    rows, width = (n.constant for n in kind.lengths if n is not None)
    return Array(kind.dtype, (Length((), rows * width),)), width


def _of_element(added: Added, shape: tuple[int, int]) -> Added | None:
    """Return what is added to an element of a matrix as if its rows were joined."""
    index = added.target.args[1] if added.target.op == "subscript" else NONE
    places = [literal_position(each) for each in index.args] if index.op == "tuple" else []
    if len(places) != 2 or None in places:
        return None
    row, column = (p % n for p, n in zip(places, shape, strict=True) if p is not None)
    at = constant(row * shape[1] + column, Number("int64"))
    return replace(added, target=added.target.with_args((added.target.args[0], at)))


def _ends_of(added: Added, target: Expr, whole: Array) -> tuple[Any, Any] | None:
    """Return where a part of an array starts and ends that something of its kind is added to."""
    if added.op not in ADDED or added.target.op != "subscript" or added.target.args[0] != target:
        return None
    index, kind = added.target.args[1], kind_of(added.value)
    if target.data in read_variables(added.value):
        return None
    if index.op == "slice":
        ends = [e if (n := literal_position(e)) is None else n for e in index.args]
        start, end, step = (None if each == NONE else each for each in ends)
        match kind:
            case Array(lengths=known) if kind == added.target.type and step is None:
                return None if None in known else (start or 0, end)
        return None
    position = literal_position(index)
    if not isinstance(index.type, Number) or not _is_item(kind, whole):
        return None
    return (index, None) if position is None else (position, position + 1 or None)


def _is_item(kind: Type, whole: Array) -> bool:
    rest = whole.lengths[1:]
    is_number = isinstance(kind, Number) and kind.dtype == whole.dtype
    return kind == Array(whole.dtype, rest) if rest else is_number


def _end_to_end(found: Mapping[Any, tuple[Any, Expr]], whole: Array) -> list[Expr]:
    """Return parts in their order, if they are all of an array, each once."""
    at, left, parts, total = 0, dict(found), list[Expr](), Length()
    while at in left:
        at, part = left.pop(at)
        parts.append(part)
        total = total + (1 if _is_item(kind_of(part), whole) else part.type.lengths[0])
    return parts if not left and total == whole.lengths[0] else []


def _joining(parts: Sequence[Expr], whole: Array) -> Callable[..., Any] | None:
    """Return what makes an array of its parts: of a few items; of numbers and vectors, or rows."""
    if all(_is_item(kind_of(each), whole) for each in parts):
        return np.array if 2 <= len(parts) <= MOST_ITEMS else None
    are_arrays = len(parts) > 1 and all(each.op != "constant" for each in parts)  # for a device
    return {1: np.hstack, 2: np.vstack}.get(whole.rank) if are_arrays else None
