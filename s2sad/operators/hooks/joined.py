"""Arrays joined of a display of them: each receives its own part of y_bar.

np.stack((a, b))             ->    a_bar = y_bar[0] ; b_bar = y_bar[1]
np.concatenate((a, b))       ->    a_bar = y_bar[: len(a)] ; b_bar = y_bar[len(a) :]
np.block([[a, b], [c, d]])   ->    a_bar = y_bar[: len(a), : np.shape(a)[1]] ; ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, constant, keywords, positional
from s2sad.ir.types import Array
from s2sad.operators.binding import is_starred
from s2sad.operators.guards import is_display, is_none
from s2sad.operators.hooks.making import (
    Making,
    Position,
    at_axis,
    axis_of,
    display,
    length_of,
    only_display,
    rank_of,
    rest_of,
    stretch,
    with_display,
)
from s2sad.operators.match import Match
from s2sad.operators.trees import literal

NONE = constant(None)
KINDS: tuple[Any, ...] = (float, np.float64, np.float32, complex, np.complex128, np.complex64)
Joined = tuple[Making, tuple[Expr, ...]]

# ---------------------------------------------------------------------------- one more axis


def array(expr: Expr) -> Match | None:
    """Return the rule of np.array of numbers, or of arrays of one shape."""
    given = rest_of(expr, "dtype")
    dtype = None if given is None else given.get("dtype", NONE)
    is_kept = dtype is not None and (
        is_none(dtype) or (dtype.op == "global" and dtype.data.value in KINDS)
    )
    return _nested_match(expr, "array") if is_kept else None


def _nested_match(expr: Expr, name: str) -> Match | None:
    making = Making(expr)
    form = _nested(making, expr.args[1], ())
    return None if form is None else making.match(name, f"np.{name}", with_display(expr, form))


def _nested(making: Making, whole: Expr, path: tuple[str, ...]) -> Expr | None:
    parts = []
    for place, part in enumerate(whole.args):
        where = (*path, str(place))
        if is_starred(part):
            return None
        is_inner = is_display(part)
        form = _nested(making, part, where) if is_inner else making.leaf(part, ", ".join(where))
        if form is None:
            return None
        parts.append(form)
    return display(whole.op, parts)


def stack(expr: Expr) -> Match | None:
    """Return the rule of np.stack."""
    axis = axis_of(expr)
    return None if axis is None else _stacked(expr, axis)


def _stacked(expr: Expr, axis: int) -> Match | None:
    if axis == 0:
        return _nested_match(expr, "stack")
    whole = expr.args[1]
    if any(is_display(part) or is_starred(part) for part in whole.args):
        return None
    making = Making(expr)
    leaves = [making.leaf(part, at_axis(axis, str(k))) for k, part in enumerate(whole.args)]
    return making.match("stack", "np.stack", with_display(expr, display(whole.op, leaves)))


# ---------------------------------------------------------------------------- end to end

# by rank, what a part without the joined axis has in y_bar: before and behind its place there
Flat = Mapping[int, tuple[str, str]]
ROWS: Flat = {0: ("", ", 0"), 1: ("", "")}
COLUMNS: Flat = {0: ("0, ", ""), 1: (":, ", "")}
LAYERS: Flat = {0: ("0, 0, ", ""), 1: ("0, :, ", ""), 2: (":, :, ", "")}
NUMBERS: Flat = {0: ("", "")}


def vstack(expr: Expr) -> Match | None:
    """Return the rule of np.vstack: vectors are rows."""
    if only_display(expr) and _ranks(expr.args[1].args) == {1}:
        return _stacked(expr, 0)
    return _simply_joined(expr, 0, ROWS)


def hstack(expr: Expr) -> Match | None:
    """Return the rule of np.hstack: along the second axis, of vectors the first."""
    axis = 0 if _ranks(expr.args[1].args) <= {0, 1} else 1
    return _simply_joined(expr, axis, NUMBERS)


def column_stack(expr: Expr) -> Match | None:
    """Return the rule of np.column_stack: vectors are columns."""
    return _simply_joined(expr, 1, COLUMNS)


def dstack(expr: Expr) -> Match | None:
    """Return the rule of np.dstack: vectors and matrices are layers."""
    return _simply_joined(expr, 2, LAYERS)


def concatenate(expr: Expr) -> Match | None:
    """Return the rule of np.concatenate; lists of numbers may be parts."""
    if is_none((rest_of(expr, "axis") or {}).get("axis", literal(0))):
        return _joined_flat(expr)
    axis = axis_of(expr)
    return None if axis is None else _finished(_joined(expr, expr.args[1].args, axis, NUMBERS))


def _joined_flat(expr: Expr) -> Match | None:
    """Return the rule of arrays of any shapes that are joined as rows of their elements."""
    making, start = Making(expr), Position()
    pieces = expr.args[1].args
    if any(is_starred(part) or is_display(part) for part in pieces):
        return None
    parts = []
    for place, part in enumerate(pieces):
        stop = start.after(f"np.size({making.next})")
        received = f"y_bar[{stretch(start, stop, place == len(pieces) - 1)}]"
        if rank_of(part) != 1:
            received = f"np.reshape({received}, np.shape({making.next}))"
        parts.append(making.operand(part, received))
        start = stop
    form = with_display(expr, display(expr.args[1].op, parts))
    return making.match("concatenate", "np.concatenate", form)


def in_brackets(expr: Expr, parts: Sequence[Expr]) -> Match | None:
    """Return the rule of np.r_[a, b] and np.c_[a, b]."""
    owner, key = expr.args
    axis, flat = (0, NUMBERS) if owner.data.value is np.r_ else (1, COLUMNS)
    ranks = _ranks(parts)
    is_known = ranks == {2} or ranks <= {0, 1, axis + 1}
    if not is_known or any(part.op == "slice" for part in parts):
        return None
    found = _joined(expr, parts, axis, flat)
    if found is None:
        return None
    making, leaves = found
    inside = display("tuple", leaves) if key.op == "tuple" else leaves[0]
    return making.match("brackets", owner.data.text, expr.with_args((owner, inside)))


def _simply_joined(expr: Expr, axis: int, flat: Flat) -> Match | None:
    ranks = _ranks(expr.args[1].args)
    if not only_display(expr) or None in ranks:
        return None
    least = 1 if axis == 0 and flat is NUMBERS else axis + 1
    if any(rank is None or (rank not in flat and rank < least) for rank in ranks):
        return None
    return _finished(_joined(expr, expr.args[1].args, axis, flat))


def _finished(found: Joined | None) -> Match | None:
    if found is None:
        return None
    making, leaves = found
    whole = making.expr.args[1]
    form = with_display(making.expr, display(whole.op, leaves))
    return making.match("concatenate", "np.concatenate", form)


def _ranks(parts: Sequence[Expr]) -> set[int | None]:
    return {rank_of(part) for part in parts}


def _joined(expr: Expr, pieces: Sequence[Expr], axis: int, flat: Flat) -> Joined | None:
    """Return the parts of arrays set one behind the other, each with its stretch of y_bar."""
    making, start = Making(expr), Position()
    parts: list[Expr] = []
    counts = [_count(part, axis, flat) for part in pieces]
    for place, part in enumerate(pieces):
        rank, count, rest = rank_of(part), counts[place], counts[place + 1 :]
        if is_starred(part):
            return None
        length = length_of(making.next, axis)
        stop = start.after(length) if count is None else start.moved(count)
        if is_display(part):
            if axis != 0 or rank != 1 or flat not in (NUMBERS, ROWS):
                return None
            is_row = flat is ROWS
            leaves = [
                making.leaf(item, f"{start}, {j}" if is_row else str(start.moved(j)))
                for j, item in enumerate(part.args)
            ]
            parts.append(display(part.op, leaves))
        elif rank is not None and rank in flat:
            before, behind = flat[rank]
            parts.append(making.leaf(part, f"{before}{start}{behind}"))
        else:
            first = _edge(start, counts[place:]) if place else ""
            last = _edge(stop, rest) if rest else ""
            parts.append(making.leaf(part, at_axis(axis, f"{first}:{last}")))
        start = stop
    return making, tuple(parts)


def _count(part: Expr, axis: int, flat: Flat) -> int | None:
    """Return how many places along an axis a part has, if that is known."""
    if is_display(part) or rank_of(part) in flat:
        return len(part.args) if is_display(part) and flat is not ROWS else 1
    length = part.type.lengths[axis] if isinstance(part.type, Array) else None
    return length.constant if length is not None and length.is_literal else None


def _edge(start: Position, behind: Sequence[int | None]) -> str:
    """Return where a part begins: counted from the end where what stands there is of known lengths."""
    known = [count for count in behind if count is not None]
    counts = start.lengths and len(known) == len(behind) and sum(known)
    return str(-counts if counts else start)


# ---------------------------------------------------------------------------- blocks


def block(expr: Expr) -> Match | None:
    """Return the rule of np.block of matrices, in rows of them or in one row, or of vectors."""
    rows = expr.args[1].args
    if not only_display(expr):
        return None
    if any(map(is_display, rows)):
        return _in_rows(expr, rows) if all(map(is_display, rows)) else None
    ranks = _ranks(rows)
    found = _joined(expr, rows, 1 if ranks == {2} else 0, NUMBERS)
    return _finished(found) if ranks == {2} or ranks <= {0, 1} else None


def block_diag(expr: Expr) -> Match | None:
    """Return the rule of linalg.block_diag: vectors and numbers are blocks of one row."""
    blocks = positional(expr)
    if keywords(expr) or any(rank_of(part) not in (0, 1, 2) or is_starred(part) for part in blocks):
        return None
    making, top, left = Making(expr), Position(), Position()
    made = []
    for place, part in enumerate(blocks):
        bottom, right = _corner(top, making.next, part, 2), _corner(left, making.next, part, 1)
        is_last = place == len(blocks) - 1
        made.append(_laid(making, part, (top, bottom, is_last), (left, right, is_last)))
        top, left = bottom, right
    return making.match("block_diag", "linalg.block_diag", expr.with_args((expr.args[0], *made)))


def _in_rows(expr: Expr, rows: Sequence[Expr]) -> Match | None:
    making, top = Making(expr), Position()
    made = []
    for at, row in enumerate(rows):
        if not _ranks(row.args) <= {0, 1, 2} or any(map(is_display, row.args)):
            return None
        leaves, left, bottom = [], Position(), _corner(top, making.next, row.args[0], 2)
        for k, part in enumerate(row.args):
            right = _corner(left, making.next, part, 1)
            down, across = (top, bottom, at == len(rows) - 1), (left, right, k == len(row.args) - 1)
            leaves.append(_laid(making, part, down, across))
            left = right
        made.append(display(row.op, leaves))
        top = bottom
    form = with_display(expr, display(expr.args[1].op, made))
    return making.match("block", "np.block", form)


def _corner(start: Position, param: str, part: Expr, least: int) -> Position:
    """Return where a block ends down (least: 2) or across (1), which counts from its last axis."""
    rank = rank_of(part) or 0
    return start.after(length_of(param, rank - least)) if rank >= least else start.moved(1)


def _laid(making: Making, part: Expr, *sides: tuple[Position, Position, bool]) -> Expr:
    """Make a parameter for a block from where to where down and across; vectors are one row."""
    rank = rank_of(part) or 0
    where = [
        stretch(*side) if rank >= least else str(side[0])
        for side, least in zip(sides, (2, 1), strict=True)
    ]
    return making.leaf(part, ", ".join(where))
