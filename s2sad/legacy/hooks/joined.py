"""Arrays joined of a display of them: each receives its own part of y_bar.

np.stack((a, b))             ->    a_bar = y_bar[0] ; b_bar = y_bar[1]
np.concatenate((a, b))       ->    a_bar = y_bar[: len(a)] ; b_bar = y_bar[len(a) :]
np.block([[a, b], [c, d]])   ->    a_bar = y_bar[: len(a), : np.shape(a)[1]] ; ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from s2sad.legacy.filling import Match
from s2sad.legacy.hooks.making import (
    Ask,
    Making,
    Position,
    at_axis,
    axis_of,
    display_of,
    form_of,
    is_display,
    is_scalar,
    is_star,
    key_of,
    length_of,
    rank_of,
    rest_of,
    stretch,
)
from s2sad.legacy.program import NONE, Call, Const, Expr, Op, Ref
from s2sad.legacy.traverse import WHOLE

FLOATS = (float, np.float64, np.float32)

# ---------------------------------------------------------------------------- one more axis


def array(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.array of numbers, or of arrays of one shape."""
    given = rest_of(call, "dtype")
    dtype = None if given is None else given.get("dtype", NONE)
    if dtype is None or not _is_float_type(dtype):
        return None
    making = Making(fact)
    form = _nested(making, display_of(call), ())
    return None if form is None else making.match("array", form_of(call, form))


def _is_float_type(dtype: Expr) -> bool:
    return dtype == NONE or (isinstance(dtype, Ref) and dtype.value in FLOATS)


def _nested(making: Making, display: Op, path: tuple[Expr, ...]) -> Expr | None:
    parts = []
    for i, part in enumerate(display.args):
        where = (*path, Const(i))
        if is_star(part):
            return None
        if isinstance(part, Op) and is_display(part):
            form = _nested(making, part, where)
        else:
            form = making.leaf(part, key_of(where))
        if form is None:
            return None
        parts.append(form)
    return Op(display.op, tuple(parts))


def stack(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.stack."""
    axis = axis_of(call)
    return None if axis is None else _stacked(call, fact, axis)


def _stacked(call: Call, fact: Ask, axis: int) -> Match | None:
    display = display_of(call)
    making = Making(fact)
    if axis == 0:
        form = _nested(making, display, ())
    elif any(is_display(part) or is_star(part) for part in display.args):
        return None
    else:
        keys = (at_axis(axis, Const(i)) for i in range(len(display.args)))
        leaves = zip(display.args, keys, strict=True)
        form = Op(display.op, tuple(making.leaf(part, key) for part, key in leaves))
    return None if form is None else making.match("stack", form_of(call, form))


# ---------------------------------------------------------------------------- end to end

# by rank, what a part without the joined axis has in y_bar: before and behind its place there
Flat = Mapping[int, tuple[tuple[Expr, ...], tuple[Expr, ...]]]
ZERO = Const(0)
ROWS: Flat = {0: ((), (ZERO,)), 1: ((), ())}
COLUMNS: Flat = {0: ((ZERO,), ()), 1: ((WHOLE,), ())}
LAYERS: Flat = {0: ((ZERO, ZERO), ()), 1: ((ZERO, WHOLE), ()), 2: ((WHOLE, WHOLE), ())}
NUMBERS: Flat = {0: ((), ())}


def vstack(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.vstack: vectors are rows."""
    parts = display_of(call).args
    if not call.keywords and len(call.args) == 1 and _ranks(parts, fact) == {1}:
        return _stacked(call, fact, 0)
    return _simply_joined(call, fact, 0, ROWS)


def hstack(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.hstack: along the second axis, of vectors the first."""
    ranks = _ranks(display_of(call).args, fact)
    return _simply_joined(call, fact, 0 if ranks <= {0, 1} else 1, NUMBERS)


def column_stack(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.column_stack: vectors are columns."""
    return _simply_joined(call, fact, 1, COLUMNS)


def dstack(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.dstack: vectors and matrices are layers."""
    return _simply_joined(call, fact, 2, LAYERS)


def concatenate(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.concatenate; lists of numbers may be parts."""
    axis = axis_of(call)
    display = display_of(call)
    form = None if axis is None else _joined(Making(fact), display.args, axis, NUMBERS)
    return _finished(form, call, display)


def in_brackets(value: Op, parts: Sequence[Expr], fact: Ask) -> Match | None:
    """Return the rule of np.r_[a, b] and np.c_[a, b]."""
    owner, key = value.args
    assert isinstance(owner, Ref)
    ranks = _ranks(parts, fact)
    if owner.value is np.r_ and ranks <= {0, 1}:
        form = _joined(Making(fact), parts, 0, NUMBERS)
    elif owner.value is np.r_ and ranks == {2}:
        form = _joined(Making(fact), parts, 0, {})
    elif owner.value is np.c_ and ranks <= {1, 2}:
        form = _joined(Making(fact), parts, 1, COLUMNS)
    else:
        return None
    if form is None:
        return None
    making, leaves = form
    inside = Op("tuple", leaves) if isinstance(key, Op) and key.op == "tuple" else leaves[0]
    return making.match("brackets", Op("index", (owner, inside)))


def _simply_joined(call: Call, fact: Ask, axis: int, flat: Flat) -> Match | None:
    display = display_of(call)
    known = None not in _ranks(display.args, fact)
    if call.keywords or len(call.args) > 1 or not known:
        return None
    least = 1 if axis == 0 and flat is NUMBERS else axis + 1
    if any(rank not in flat and rank < least for rank in _ranks(display.args, fact)):  # type: ignore[operator]
        return None
    return _finished(_joined(Making(fact), display.args, axis, flat), call, display)


def _finished(form: _Form | None, call: Call, display: Op) -> Match | None:
    if form is None:
        return None
    making, leaves = form
    return making.match("concatenate", form_of(call, Op(display.op, leaves)))


def _ranks(parts: Sequence[Expr], fact: Ask) -> set[int | None]:
    return {rank_of(part, fact) for part in parts}


_Form = tuple[Making, tuple[Expr, ...]]


def _joined(making: Making, pieces: Sequence[Expr], axis: int, flat: Flat) -> _Form | None:
    """Return the parts of arrays set one behind the other, each with its stretch of y_bar."""
    parts: list[Expr] = []
    start = Position()
    for i, part in enumerate(pieces):
        rank = rank_of(part, making.fact)
        match part:
            case Op("tuple" | "list", elements):
                if axis != 0 or rank != 1 or flat is not NUMBERS:
                    return None
                leaves = (making.leaf(e, start.moved(j).expr()) for j, e in enumerate(elements))
                parts.append(Op(part.op, tuple(leaves)))
                start = start.moved(len(elements))
            case _ if rank is not None and rank in flat:
                before, behind = flat[rank]
                parts.append(making.leaf(part, key_of((*before, start.expr(), *behind))))
                start = start.moved(1)
            case _:
                stop = start.behind(length_of(making.next, axis))
                place = stretch(start, stop, i == 0, i == len(pieces) - 1)
                parts.append(making.leaf(part, at_axis(axis, place)))
                start = stop
    return making, tuple(parts)


# ---------------------------------------------------------------------------- blocks


def block(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.block of matrices, in rows of them or in one row, or of vectors."""
    rows = display_of(call).args
    if call.keywords or len(call.args) > 1:
        return None
    if not any(map(is_display, rows)):
        ranks = _ranks(rows, fact)
        whole = None
        if ranks == {2}:
            whole = _joined(Making(fact), rows, 1, {})
        elif ranks <= {0, 1}:
            whole = _joined(Making(fact), rows, 0, NUMBERS)
        return _finished(whole, call, display_of(call))
    if not all(isinstance(row, Op) and is_display(row) for row in rows):
        return None
    return _in_rows(call, [row for row in rows if isinstance(row, Op)], fact)


def _in_rows(call: Call, rows: Sequence[Op], fact: Ask) -> Match | None:
    making = Making(fact)
    made = []
    top = Position()
    for i, row in enumerate(rows):
        if not _ranks(row.args, fact) <= {0, 1, 2} or any(map(is_display, row.args)):
            return None
        # numbers and vectors are one row
        tall = rank_of(row.args[0], fact) == 2
        bottom = top.behind(length_of(making.next, 0)) if tall else top.moved(1)
        across = stretch(top, bottom, i == 0, i == len(rows) - 1)
        made.append(Op(row.op, _blocks_of(making, row, across, top.expr())))
        top = bottom
    return making.match("block", form_of(call, Op(display_of(call).op, tuple(made))))


def _blocks_of(making: Making, row: Op, across: Expr, top: Expr) -> tuple[Expr, ...]:
    leaves = []
    left = Position()
    for j, part in enumerate(row.args):
        rank = rank_of(part, making.fact)
        right = left.behind(length_of(making.next, rank - 1)) if rank else left.moved(1)
        place = stretch(left, right, j == 0, j == len(row.args) - 1) if rank else left.expr()
        at = across if rank == 2 else top
        leaves.append(making.leaf(part, Op("tuple", (at, place))))
        left = right
    return tuple(leaves)


def is_bracket(value: Expr) -> bool:
    """Tell whether a value is np.r_ or np.c_."""
    return isinstance(value, Ref) and (value.value is np.r_ or value.value is np.c_)


__all__ = [
    "array",
    "block",
    "column_stack",
    "concatenate",
    "dstack",
    "hstack",
    "in_brackets",
    "is_bracket",
    "is_scalar",
    "stack",
    "vstack",
]
