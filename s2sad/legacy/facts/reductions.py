"""What functions that reduce axes make: a number of all axes, an array of fewer axes otherwise.

np.sum(W)          ->   number
np.sum(W, axis=0)  ->   (n,) of (m, n)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from s2sad.legacy.facts.binding import OPEN, Bound
from s2sad.legacy.facts.context import fresh_shape
from s2sad.legacy.facts.dtypes import floating, promoted, real_part, summed
from s2sad.legacy.facts.elementwise import Rule, Table, may_have_shape
from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact, Shape, Token, array, constant, scalar
from s2sad.legacy.facts.shapes import normal_axis, product_dim, without_axes


def keep(dtype: str) -> str:
    """The dtype of the operand."""
    return dtype


def reduced(b: Bound, dtype: str, name: str = "a") -> Fact:
    """Return what a reduction with axis= and keepdims= makes of an argument."""
    operand = b.array(name)
    if not may_have_shape(operand):
        return UNKNOWN
    axis = b.constant("axis")
    kept = b.constant("keepdims", False)
    if axis is None and kept in (None, False):
        return scalar(dtype)
    shape = _reduced_shape(operand.shape, axis, kept, b)
    if shape == ():
        return scalar(dtype)
    return array(dtype, shape) if shape is not None else Fact("unknown", dtype)


def _reduced_shape(shape: Shape, axis: Any, kept: Any, b: Bound) -> Shape:
    if not isinstance(shape, tuple) or kept is OPEN:
        return None
    if axis is OPEN:
        return _some_axis(shape, bool(kept), b)
    axes = axes_of(axis, len(shape))
    return None if axes is None else without_axes(shape, axes, bool(kept))


def _some_axis(shape: tuple[Dim, ...], kept: bool, b: Bound) -> Shape:
    if b.fact("axis").kind != "int":
        return None
    return fresh_shape(b.ctx, b.name, len(shape) - (not kept), b.call.args or (b.call,))


def axes_of(axis: Any, rank: int) -> Sequence[int] | None:
    """Return the axes that axis= means, counted from the front; None where there are none such."""
    if axis is None:
        return range(rank)
    given = axis if isinstance(axis, tuple) else (axis,)
    if not all(isinstance(each, int) for each in given):
        return None
    axes = [normal_axis(each, rank) for each in given]
    found = [each for each in axes if each is not None]
    return found if len(found) == len(given) else None


def reduction(dtype_of: Callable[[str], str], accepts_dtype: bool = True) -> Rule:
    """Return the rule of a reduction whose result has a dtype made from the operand's."""

    def rule(b: Bound) -> Fact:
        dtype = dtype_of(b.array("a").dtype)
        return reduced(b, b.dtype(dtype) if accepts_dtype else dtype)

    return rule


def to(dtype: str) -> Callable[[str], str]:
    """Return the rule that the dtype is always the same."""
    return lambda _: dtype


def _spread(dtype: str) -> str:
    return real_part(floating(dtype))


def average(b: Bound) -> Fact:
    """np.average: weights promote, at least to float64 with integers."""
    a = b.array("a")
    if not b.has("weights"):
        return reduced(b, floating(a.dtype))
    return reduced(b, floating(promoted((a, b.array("weights")))))


def percentile(b: Bound) -> Fact:
    """np.percentile, np.quantile: at one or at several places, which come first."""
    places = b.array("q")
    dtype = floating(b.array("a").dtype)
    inner = reduced(b, dtype if dtype == "float64" else "")
    if not isinstance(places.shape, tuple):
        return UNKNOWN
    if places.shape == ():
        return inner
    if not isinstance(inner.shape, tuple):
        return array(inner.dtype, None)
    return array(inner.dtype, (*places.shape, *inner.shape))


def accumulated(dtype_of: Callable[[str], str]) -> Rule:
    """Return the rule of np.cumsum and its kin: flat without an axis."""

    def rule(b: Bound) -> Fact:
        a = b.array("a")
        return _along(b, a, b.dtype(dtype_of(a.dtype)), b.constant("axis"))

    return rule


def _along(b: Bound, a: Fact, dtype: str, axis: Any) -> Fact:
    if not may_have_shape(a):
        return UNKNOWN
    if axis is None:
        return array(dtype, flat_shape(b, a))
    if isinstance(a.shape, Token) or axis is OPEN or a.rank:
        return array(dtype, a.shape)
    return array(dtype, None)


def flat_shape(b: Bound, a: Fact) -> Shape:
    """Return the shape of np.ravel(a)."""
    if not isinstance(a.shape, tuple):
        return (b.ctx.fresh(f"size({b.name})", b.call.args or (b.call,)),)
    if len(a.shape) == 1:
        return a.shape
    size = product_dim(a.shape)
    return (
        b.ctx.fresh(f"prod({', '.join(map(str, a.shape))})", a.shape) if size is None else size,
    )


def sorted_copy(dtype_of: Callable[[str], str]) -> Rule:
    """Return the rule of np.sort and np.argsort: the last axis by default."""

    def rule(b: Bound) -> Fact:
        a = b.array("a")
        if a.shape == ():
            return UNKNOWN
        return _along(b, a, dtype_of(a.dtype), b.constant("axis", -1))

    return rule


def diff(b: Bound) -> Fact:
    """np.diff of first order: one element less."""
    a, axis = b.array("a"), b.constant("axis", -1)
    order = b.constant("n", 1)
    if not a.rank or not isinstance(a.shape, tuple) or not isinstance(axis, int):
        return UNKNOWN
    at = normal_axis(axis, len(a.shape))
    # a number counts as an array: float64, or int64, which makes float64 of float32 as well
    parts = [replace(b.array(name), weak=False) for name in ("prepend", "append") if b.has(name)]
    if at is None or not isinstance(order, int) or parts:
        dtype = promoted((a, *parts))
        return array(dtype, fresh_shape(b.ctx, b.name, len(a.shape), b.call.args))
    dim = a.shape[at]
    left = (
        Dim(dim.symbol, dim.offset - order) if dim.symbol else constant(max(0, dim.offset - order))
    )
    return array(a.dtype, (*a.shape[:at], left, *a.shape[at + 1 :]))


def trapezoid(b: Bound) -> Fact:
    """np.trapezoid: the axis -1 by default."""
    y = b.array("y")
    axis = b.constant("axis", -1)
    if not y.rank or not isinstance(y.shape, tuple) or not isinstance(axis, int):
        return UNKNOWN
    operands = [y, b.array("x") if b.has("x") else y, b.array("dx") if b.has("dx") else y]
    dtype = floating(promoted(tuple(operands)))
    axes = axes_of(axis, len(y.shape))
    shape = None if axes is None else without_axes(y.shape, axes, False)
    return scalar(dtype) if shape == () else array(dtype, shape)


def norm(b: Bound) -> Fact:
    """np.linalg.norm."""
    dtype = real_part(floating(b.array("x").dtype))
    return reduced(b, dtype, "x")


def size(b: Bound) -> Fact:
    """np.count_nonzero: a Python int of all axes."""
    return reduced(b, "int64")


def searchsorted(b: Bound) -> Fact:
    """np.searchsorted: a position for each value."""
    v = b.array("v")
    if not may_have_shape(v):
        return UNKNOWN
    if v.shape == ():
        return scalar("int64")
    return array("int64", v.shape) if v.rank else Fact("unknown", "int64", v.shape)


REDUCE: Final = "a axis dtype out keepdims initial where"
ORDER: Final = "a axis out keepdims initial where"
MEAN: Final = "a axis dtype out keepdims where"
SPREAD: Final = "a axis dtype out ddof keepdims where mean correction"
TEST: Final = "a axis out keepdims where"
RANKED: Final = "a q axis out overwrite_input method keepdims weights interpolation"

TABLE: Final[Table] = {
    np.sum: (REDUCE, reduction(summed)),
    np.prod: (REDUCE, reduction(summed)),
    np.nansum: (REDUCE, reduction(summed)),
    np.nanprod: (REDUCE, reduction(summed)),
    np.mean: (MEAN, reduction(floating)),
    np.nanmean: (MEAN, reduction(floating)),
    np.std: (SPREAD, reduction(_spread)),
    np.var: (SPREAD, reduction(_spread)),
    np.nanstd: (SPREAD, reduction(_spread)),
    np.nanvar: (SPREAD, reduction(_spread)),
    np.median: ("a axis out overwrite_input keepdims", reduction(floating, False)),
    np.nanmedian: ("a axis out overwrite_input keepdims", reduction(floating, False)),
    np.average: ("a axis weights returned keepdims", average),
    np.percentile: (RANKED, percentile),
    np.quantile: (RANKED, percentile),
    np.max: (ORDER, reduction(keep, False)),
    np.min: (ORDER, reduction(keep, False)),
    np.amax: (ORDER, reduction(keep, False)),
    np.amin: (ORDER, reduction(keep, False)),
    np.nanmax: (ORDER, reduction(keep, False)),
    np.nanmin: (ORDER, reduction(keep, False)),
    np.ptp: ("a axis out keepdims", reduction(keep, False)),
    np.all: (TEST, reduction(to("bool"), False)),
    np.any: (TEST, reduction(to("bool"), False)),
    np.argmax: ("a axis out keepdims", reduction(to("int64"), False)),
    np.argmin: ("a axis out keepdims", reduction(to("int64"), False)),
    np.count_nonzero: ("a axis keepdims", size),
    np.cumsum: ("a axis dtype out", accumulated(summed)),
    np.cumprod: ("a axis dtype out", accumulated(summed)),
    np.nancumsum: ("a axis dtype out", accumulated(summed)),
    np.nancumprod: ("a axis dtype out", accumulated(summed)),
    np.sort: ("a axis kind order stable", sorted_copy(keep)),
    np.argsort: ("a axis kind order stable", sorted_copy(to("int64"))),
    np.partition: ("a kth axis kind order", sorted_copy(keep)),
    np.argpartition: ("a kth axis kind order", sorted_copy(to("int64"))),
    np.diff: ("a n axis prepend append", diff),
    np.linalg.norm: ("x ord axis keepdims", norm),
    np.searchsorted: ("a v side sorter", searchsorted),
    getattr(np, "trapezoid", getattr(np, "trapz", None)): ("y x dx axis", trapezoid),
}
