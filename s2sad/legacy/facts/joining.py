"""What functions that join arrays, or take them apart, make.

np.concatenate((u, v))   (n,), (2,)   ->   (n+2,)
np.stack((u, v))         (n,), (n,)   ->   (2, n)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from s2sad.legacy.facts.binding import Bound, as_array
from s2sad.legacy.facts.context import Context, fresh_shape
from s2sad.legacy.facts.dtypes import promoted
from s2sad.legacy.facts.elementwise import Table
from s2sad.legacy.facts.fact import ANY, ONE, UNKNOWN, Dim, Fact, Shape, array, constant
from s2sad.legacy.facts.joins import element
from s2sad.legacy.facts.shapes import normal_axis, product_dim, summed_dim
from s2sad.legacy.program import Op

Dims = tuple[Dim, ...]


def parts_of(b: Bound, name: str) -> list[Fact] | None:
    """Return the arrays of a tuple or list that is written out or of known length."""
    expr = b.expr(name)
    if isinstance(expr, Op) and expr.op in ("tuple", "list"):
        if any(isinstance(arg, Op) and arg.op == "star" for arg in expr.args):
            return None
        return [as_array(arg, b.fact_of(arg, b.ctx), b.ctx) for arg in expr.args]
    fact = b.fact(name)
    if fact.kind == "tuple" and fact.shape is not None and expr is not None:
        return [as_array(expr, item, b.ctx) for item in fact.items]
    return None


def _elements(b: Bound, name: str) -> Fact | None:
    """Return what is known of every array of a list of unknown length."""
    fact = b.fact(name)
    if fact.kind != "list" or not fact.items:
        return None
    return element(fact.items[0], lambda path: b.ctx.fresh(b.name + path, b.call.args))


def concatenate(b: Bound) -> Fact:
    """np.concatenate along a constant axis."""
    parts, axis = parts_of(b, "arrays"), b.constant("axis", 0)
    if parts is None:
        return _joined_list(b, axis, extra=False)
    return joined_along(b, parts, axis)


def joined_along(b: Bound, parts: Sequence[Fact], axis: Any) -> Fact:
    """Return what joining arrays along one of their axes gives."""
    dtype = b.dtype(promoted(tuple(parts)))
    shapes = [part.shape for part in parts if isinstance(part.shape, tuple)]
    if len(shapes) != len(parts) or not parts or len({len(s) for s in shapes}) != 1:
        return array(dtype, None)
    at = normal_axis(axis, len(shapes[0])) if isinstance(axis, int) else None
    if at is None:
        return array(dtype, None)
    return array(dtype, _along(b.ctx, shapes, at))


def _along(ctx: Context, shapes: Sequence[Dims], at: int) -> Dims:
    along = [shape[at] for shape in shapes]
    total = summed_dim(along)
    if total is None:
        total = ctx.fresh(f"({' + '.join(map(str, along))})", along)
    first, *others = shapes
    for other in others:
        for i, (x, y) in enumerate(zip(first, other, strict=True)):
            if i != at and x != y:
                ctx.imply(x, y)
    return (*first[:at], total, *first[at + 1 :])


def _joined_list(b: Bound, axis: Any, extra: bool) -> Fact:
    """Return what joining the arrays of a list of unknown length gives."""
    one = _elements(b, "arrays")
    if one is None or not isinstance(one.shape, tuple) or not isinstance(axis, int):
        return array("", None)
    at = normal_axis(axis, len(one.shape) + extra)
    if at is None:
        return array("", None)
    count = b.ctx.fresh(b.name, b.call.args)
    return array(one.dtype, (*one.shape[:at], count, *one.shape[at + (not extra) :]))


def stack(b: Bound) -> Fact:
    """np.stack: one axis more."""
    parts, axis = parts_of(b, "arrays"), b.constant("axis", 0)
    if parts is None:
        return _joined_list(b, axis, extra=True)
    dtype = b.dtype(promoted(tuple(parts)))
    shapes = [part.shape for part in parts if isinstance(part.shape, tuple)]
    if len(shapes) != len(parts) or not parts or len({len(s) for s in shapes}) != 1:
        return array(dtype, None)
    at = normal_axis(axis, len(shapes[0]) + 1) if isinstance(axis, int) else None
    if at is None:
        return array(dtype, fresh_shape(b.ctx, b.name, len(shapes[0]) + 1, b.call.args))
    for other in shapes[1:]:
        for x, y in zip(shapes[0], other, strict=True):
            b.ctx.imply(x, y)
    return array(dtype, (*shapes[0][:at], constant(len(parts)), *shapes[0][at:]))


def stacked(rank: int, axis_of: Callable[[int], int], column: bool = False) -> Any:
    """Return the rule of vstack, hstack, column_stack: parts brought to a rank, then joined."""

    def rule(b: Bound) -> Fact:
        parts = parts_of(b, "tup")
        one = _elements(b, "tup") if parts is None else None
        if one is not None and isinstance(one.shape, tuple):
            dims = _dims(raised(one, rank, column))
            at = axis_of(len(dims))
            count = b.ctx.fresh(b.name, b.call.args)
            return array(one.dtype, (*dims[:at], count, *dims[at + 1 :]))
        if parts is None or any(not isinstance(part.shape, tuple) for part in parts):
            return array("", None)
        whole = [raised(part, rank, column) for part in parts]
        return joined_along(b, whole, axis_of(len(_dims(whole[0])) if whole else 0))

    return rule


def _dims(fact: Fact) -> Dims:
    assert isinstance(fact.shape, tuple)
    return fact.shape


def raised(part: Fact, rank: int, column: bool) -> Fact:
    """Return an array of at least a rank, a vector as a column or as a row."""
    dims = _dims(part)
    missing = (ONE,) * max(0, rank - len(dims))
    return array(part.dtype, dims + missing if column and dims else missing + dims)


def append(b: Bound) -> Fact:
    """np.append: flat without an axis."""
    parts = [b.array("arr"), b.array("values")]
    if not b.has("axis"):
        parts = [array(part.dtype, _flattened(part)) for part in parts]
        return joined_along(b, parts, 0)
    return joined_along(b, parts, b.constant("axis"))


def _flattened(fact: Fact) -> Shape:
    size = product_dim(fact.shape) if isinstance(fact.shape, tuple) else None
    return None if size is None else (size,)


def split(b: Bound) -> Fact:
    """np.split, np.array_split: a list of arrays of one rank."""
    a = b.array("ary")
    if not isinstance(a.shape, tuple):
        return Fact("list", items=(UNKNOWN,))
    axis = b.constant("axis", 0)
    at = normal_axis(axis, len(a.shape)) if isinstance(axis, int) else None
    dims = tuple(ANY if at is None or i == at else d for i, d in enumerate(a.shape))
    return Fact("list", items=(array(a.dtype, dims),))


def split_along(axis_of: Callable[[int], int]) -> Any:
    """Return the rule of np.hsplit and its kin: a list of arrays of one rank."""

    def rule(b: Bound) -> Fact:
        a = b.array("ary")
        if not isinstance(a.shape, tuple) or not a.shape:
            return Fact("list", items=(UNKNOWN,))
        at = axis_of(len(a.shape))
        dims = tuple(ANY if i == at else d for i, d in enumerate(a.shape))
        return Fact("list", items=(array(a.dtype, dims),))

    return rule


TABLE: Final[Table] = {
    np.concatenate: ("arrays axis out dtype casting", concatenate),
    np.stack: ("arrays axis out dtype casting", stack),
    np.vstack: ("tup dtype casting", stacked(2, lambda rank: 0)),
    np.hstack: ("tup dtype casting", stacked(1, lambda rank: 0 if rank == 1 else 1)),
    np.column_stack: ("tup", stacked(2, lambda rank: 1, column=True)),
    np.append: ("arr values axis", append),
    np.split: ("ary indices_or_sections axis", split),
    np.hsplit: ("ary indices_or_sections", split_along(lambda rank: min(rank - 1, 1))),
    np.vsplit: ("ary indices_or_sections", split_along(lambda rank: 0)),
    np.dsplit: ("ary indices_or_sections", split_along(lambda rank: 2)),
    np.array_split: ("ary indices_or_sections axis", split),
}
