"""What a subscript chooses by: positions, slices, arrays of positions that may name one twice.

u[k]           an array, if k is one: a copy of the elements
u[order]       each element once, where np.argsort gave the order
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2sad.analysis.containers import is_field_step
from s2sad.ir.expression import EVERYTHING, Expr, calls, index_parts
from s2sad.ir.types import ONE, Array, Number, Other, Tuple
from s2sad.operators.guards import rank_of
from s2sad.reverse.calculus import is_array
from s2sad.reverse.distinct import are_distinct, defined, gives, origin
from s2sad.reverse.world import World


def has_array(index: Expr) -> bool:
    """Tell whether a subscript chooses by an array, so that it gives a copy."""
    parts = index_parts(index)
    return any(is_array(part) or part.op == "list" or is_unknown(part) for part in parts)


def is_unknown(index: Expr) -> bool:
    """Tell whether a subscript may be a number or an array."""
    if index.op in ("slice", "constant", "unary") or isinstance(index.type, Number | Array):
        return False
    is_slice = isinstance(index.type, Other) and index.type.cls is slice
    return not is_slice and not is_field_step(index)


def new_axes(expr: Expr) -> tuple[int, ...]:
    """Return the axes that a subscript adds, if it does nothing else: (1,) of x[:, None]."""
    parts = index_parts(expr.args[1], rank_of(expr.args[0].type))
    added = [part.op == "constant" and part.data is None for part in parts]
    if not all(new or part == EVERYTHING for new, part in zip(added, parts, strict=True)):
        return ()
    return tuple(axis for axis, new in enumerate(added) if new)


def has_mask(index: Expr) -> bool:
    """Tell whether a subscript chooses by truth: u[u > 0.0]."""
    parts = index_parts(index)
    return any(is_array(part) and getattr(part.type, "dtype", "?") == "bool" for part in parts)


def has_positions(index: Expr) -> bool:
    """Tell whether a subscript chooses by an array of integers, which may name an element twice."""
    parts = index_parts(index)
    return any(
        (is_array(part) and getattr(part.type, "dtype", "?")[0] in "iu?")
        or part.op == "list"
        or is_unknown(part)
        for part in parts
        if getattr(part.type, "dtype", "") != "bool"
    )


def names_once(index: Expr, world: World) -> bool:
    """Tell whether no element is named twice by an index."""
    chosen = [part for part in index_parts(index) if has_positions(part)]
    if _are_together(index, world) or _are_crossed(chosen, world):
        return True
    return any(
        _is_distinct(part, world) and all(_is_no_longer(other, part) for other in chosen)
        for part in chosen
    )


def _are_together(index: Expr, world: World) -> bool:
    """Tell whether an index is all that one call gives: A[np.nonzero(B)], or i, j and A[i, j].

    Two of three positions may name an element twice; so may those of two calls that are alike.
    """
    if index.op != "tuple":
        made, place = origin(index, world)
        return place is None and gives(made, "distinct_together")
    origins = [origin(part, world) for part in index.args]
    first, _ = origins[0]
    places = {place for made, place in origins if made is first}
    count = len(first.type.items) if isinstance(first.type, Tuple) else 0
    return (
        count == len(origins) and places == set(range(count)) and gives(first, "distinct_together")
    )


def _is_no_longer(other: Expr, part: Expr) -> bool:
    """Tell whether positions do not stretch others along the same axis: A[np.arange(n), labels]."""
    if other is part:
        return True
    if not (isinstance(other.type, Array) and isinstance(part.type, Array)):
        return False
    mine, length = other.type.lengths, part.type.lengths
    return len(mine) == len(length) == 1 and length[0] is not None and mine[0] in (ONE, length[0])


def _are_crossed(chosen: Sequence[Expr], world: World) -> bool:
    """Tell whether distinct positions stretch along an axis each: K[i[:, None], i[None, :]]."""
    shapes = [part.type.lengths if isinstance(part.type, Array) else () for part in chosen]
    along = [[k for k, n in enumerate(each) if n != ONE] for each in shapes]
    ranks, axes = {len(each) for each in shapes}, {each[0] for each in along if len(each) == 1}
    is_crossed = len(chosen) == len(axes) and len(ranks) == 1
    return is_crossed and all(are_distinct(part, world) for part in chosen)


def _is_distinct(part: Expr, world: World) -> bool:
    made = defined(part, world)
    if calls(made, np.ix_):
        return all(are_distinct(arg, world) or has_mask(arg) for arg in made.args[1:])
    return are_distinct(part, world)
