"""What functions that move elements about make: reshape, transpose, roll, tile, ...

np.transpose(W)              (m, n)  ->  (n, m)
np.concatenate((u, v))       (n,), (2,)  ->  (n+2,)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from s2sad.legacy.facts.binding import OPEN, Bound
from s2sad.legacy.facts.context import Context, broadcast_of, fresh_shape
from s2sad.legacy.facts.elementwise import Table, may_have_shape
from s2sad.legacy.facts.fact import (
    ONE,
    UNKNOWN,
    Dim,
    Fact,
    Shape,
    array,
    constant,
    scalar,
    tuple_of,
)
from s2sad.legacy.facts.reductions import axes_of, flat_shape
from s2sad.legacy.facts.shapes import normal_axis, permuted, product_dim, summed_dim
from s2sad.legacy.program import Expr

Dims = tuple[Dim, ...]


def moved(shape_of: Callable[[Bound, Dims], Shape]) -> Callable[[Bound], Fact]:
    """Return the rule of a function whose result is an array of a shape made from the operand's."""

    def rule(b: Bound) -> Fact:
        a = b.array("a")
        if not may_have_shape(a):
            return UNKNOWN
        shape = shape_of(b, a.shape) if isinstance(a.shape, tuple) else None
        return _array_or_number(b, array(a.dtype, shape))

    return rule


def kept(b: Bound) -> Fact:
    """np.flip and all else that keeps the shape, known or not."""
    a = b.array("a")
    return array(a.dtype, a.shape) if may_have_shape(a) else UNKNOWN


def _array_or_number(b: Bound, made: Fact) -> Fact:
    """Return what may have no axes as what may be either: of a NumPy number it is a number."""
    if b.fact("a").is_array or (isinstance(made.shape, tuple) and made.shape):
        return made
    return Fact("unknown", made.dtype, made.shape)


def triangle(b: Bound) -> Fact:
    """np.tril, np.triu: of a vector, which becomes the rows of a matrix, as of a matrix."""
    m = b.array("m")
    if not may_have_shape(m):
        return UNKNOWN
    twice = isinstance(m.shape, tuple) and len(m.shape) == 1
    shape = (*m.shape, *m.shape) if twice and isinstance(m.shape, tuple) else m.shape
    return array(m.dtype, shape)


def reshape(b: Bound) -> Fact:
    """np.reshape, with -1 where a Dim can hold the length that it stands for."""
    a, shape = b.array("a"), b.shape("shape" if b.has("shape") else "newshape")
    made = resolved_shape(b.ctx, a, shape, b.name, b.call.args)
    return _array_or_number(b, array(a.dtype, made))


def resolved_shape(ctx: Context, a: Fact, shape: Shape, name: str, parts: Sequence[Expr]) -> Shape:
    """Return the shape that reshaping `a` to `shape` gives."""
    if not isinstance(shape, tuple):
        return shape
    minus = Dim("", -1)
    if minus not in shape:
        return tuple(dim if _is_length(dim) else _named(ctx, f"{name}.{i}", parts)
                     for i, dim in enumerate(shape))  # fmt: skip
    whole = a.shape if isinstance(a.shape, tuple) else None
    rest = tuple(dim for dim in shape if dim != minus)
    left = None if whole is None else _quotient(whole, rest)
    if left is None:
        left = _named(ctx, f"size({name})", parts)
    return tuple(left if dim == minus else dim for dim in shape)


def _is_length(dim: Dim) -> bool:
    # the value of an integer variable may be -1
    return (not dim.symbol.startswith("#") and dim.offset >= 0) or not dim.symbol


def _named(ctx: Context, name: str, parts: Sequence[Expr]) -> Dim:
    return ctx.fresh(name, parts)


def _quotient(whole: Dims, rest: Dims) -> Dim | None:
    """Return the product of `whole` divided by that of `rest`."""
    left = list(whole)
    for dim in rest:
        if dim in left and dim.symbol:
            left.remove(dim)
        elif dim != ONE and dim.symbol:
            return None
    divisor = int(np.prod([dim.offset for dim in rest if not dim.symbol], dtype=int))
    numbers = int(np.prod([dim.offset for dim in left if not dim.symbol], dtype=int))
    symbols = tuple(dim for dim in left if dim.symbol)
    if divisor <= 0 or numbers % divisor:
        return None
    return product_dim((*symbols, constant(numbers // divisor)))


def ravel(b: Bound) -> Fact:
    """np.ravel."""
    a = b.array("a")
    return array(a.dtype, flat_shape(b, a) if may_have_shape(a) else None)


def transpose(b: Bound) -> Fact:
    """np.transpose, axes reversed or in a constant order."""
    a, axes = b.array("a"), b.constant("axes")
    if not may_have_shape(a):
        return UNKNOWN
    if not isinstance(a.shape, tuple):
        return _array_or_number(b, array(a.dtype, None))
    return _array_or_number(b, array(a.dtype, transposed(a.shape, axes, b.ctx, b.name)))


def transposed(dims: Dims, axes: Any, ctx: Context, name: str) -> Shape:
    """Return the lengths in the order of `axes`, reversed where that is None."""
    if axes is None:
        return tuple(reversed(dims))
    order = None if axes is OPEN else axes_of(axes, len(dims))
    if order is None or len(order) != len(dims):
        return fresh_shape(ctx, name, len(dims), dims)
    return permuted(dims, order)


def _swapaxes(b: Bound, dims: Dims) -> Shape:
    pair = axes_of((b.constant("axis1"), b.constant("axis2")), len(dims))
    if pair is None:
        return fresh_shape(b.ctx, b.name, len(dims), b.call.args)
    order = list(range(len(dims)))
    order[pair[0]], order[pair[1]] = pair[1], pair[0]
    return permuted(dims, order)


def _moveaxis(b: Bound, dims: Dims) -> Shape:
    source = axes_of(b.constant("source"), len(dims))
    target = axes_of(b.constant("destination"), len(dims))
    if source is None or target is None or len(source) != len(target):
        return fresh_shape(b.ctx, b.name, len(dims), b.call.args)
    order = [i for i in range(len(dims)) if i not in source]
    for to, at in sorted(zip(target, source, strict=True)):
        order.insert(to, at)
    return permuted(dims, order)


def _expand_dims(b: Bound, dims: Dims) -> Shape:
    axis = b.constant("axis")
    count = len(axis) if isinstance(axis, tuple) else 1
    axes = None if axis is OPEN else axes_of(axis, len(dims) + count)
    if axes is None:
        return fresh_shape(b.ctx, b.name, len(dims) + 1, b.call.args) if count == 1 else None
    rest = iter(dims)
    return tuple(ONE if i in axes else next(rest) for i in range(len(dims) + count))


def _squeeze(b: Bound, dims: Dims) -> Shape:
    axis = b.constant("axis")
    if axis is None:
        # an unknown length may be 1 as well
        return None if any(d.symbol for d in dims) else tuple(d for d in dims if d != ONE)
    axes = None if axis is OPEN else axes_of(axis, len(dims))
    return None if axes is None else tuple(d for i, d in enumerate(dims) if i not in axes)


def broadcast_to(b: Bound) -> Fact:
    """np.broadcast_to."""
    a = b.array("array")
    return array(a.dtype, b.shape("shape"))


def at_least(rank: int) -> Callable[[Bound], Fact]:
    """Return the rule of np.atleast_1d, np.atleast_2d."""

    def shape_of(b: Bound, dims: Dims) -> Shape:
        return (ONE,) * max(0, rank - len(dims)) + dims

    return moved(shape_of)


# ---------------------------------------------------------------------------- lengths change


def _tile(b: Bound, dims: Dims) -> Shape:
    times = b.constant("reps")
    if times is OPEN:
        return fresh_shape(b.ctx, b.name, len(dims), b.call.args) if _is_int(b, "reps") else None
    reps = times if isinstance(times, tuple) else (times,)
    rank = max(len(dims), len(reps))
    whole = (ONE,) * (rank - len(dims)) + dims
    return _multiplied(b, whole, (1,) * (rank - len(reps)) + reps)


def _is_int(b: Bound, name: str) -> bool:
    return b.fact(name).kind == "int"


def _multiplied(b: Bound, dims: Dims, times: Sequence[int]) -> Dims:
    made = []
    for dim, count in zip(dims, times, strict=True):
        found = product_dim((dim, constant(count)))
        made.append(b.ctx.fresh(f"({count} * {dim})", (dim,)) if found is None else found)
    return tuple(made)


def repeat(b: Bound) -> Fact:
    """np.repeat: flat without an axis."""
    a, times, axis = b.array("a"), b.constant("repeats"), b.constant("axis")
    if not isinstance(a.shape, tuple):
        return array(a.dtype, None)
    if axis is None:
        shape = flat_shape(b, a)
        dims, at = (shape if isinstance(shape, tuple) else ()), 0
    else:
        found = normal_axis(axis, len(a.shape)) if isinstance(axis, int) else None
        if found is None:
            return array(a.dtype, None)
        dims, at = a.shape, found
    if not isinstance(times, int):
        length = b.ctx.fresh(b.name, b.call.args)
    else:
        (length,) = _multiplied(b, (dims[at],), (times,))
    return array(a.dtype, (*dims[:at], length, *dims[at + 1 :]))


def _pad(b: Bound, dims: Dims) -> Shape:
    width = b.constant("pad_width")
    pairs = _pad_pairs(width, len(dims))
    if pairs is None:
        return fresh_shape(b.ctx, b.name, len(dims), b.call.args)
    made = []
    for dim, pair in zip(dims, pairs, strict=True):
        total = summed_dim((dim, constant(sum(pair))))
        made.append(b.ctx.fresh(f"({dim} + {sum(pair)})", (dim,)) if total is None else total)
    return tuple(made)


def _pad_pairs(width: Any, rank: int) -> list[tuple[int, int]] | None:
    if isinstance(width, int):
        return [(width, width)] * rank
    if not isinstance(width, tuple):
        return None
    if len(width) == 2 and all(isinstance(each, int) for each in width):
        return [(width[0], width[1])] * rank
    pairs = [each for each in width if isinstance(each, tuple) and len(each) == 2]
    ints = all(isinstance(each, int) for pair in pairs for each in pair)
    return pairs if len(pairs) == len(width) == rank and ints else None


def diagonal(b: Bound) -> Fact:
    """np.diagonal of a matrix."""
    a = b.array("a")
    if a.rank != 2 or not isinstance(a.shape, tuple):
        return array(a.dtype, None)
    square = b.constant("offset", 0) == 0 and a.shape[0] == a.shape[1]
    return array(a.dtype, (a.shape[0] if square else b.ctx.fresh(b.name, b.call.args),))


def take(b: Bound) -> Fact:
    """np.take: the positions' shape in the place of an axis."""
    a, places = b.array("a"), b.array("indices")
    if not isinstance(places.shape, tuple) or not may_have_shape(places):
        return UNKNOWN
    if not b.has("axis"):
        return array(a.dtype, places.shape) if places.shape else scalar(a.dtype)
    axis = b.constant("axis")
    if not isinstance(a.shape, tuple) or not isinstance(axis, int):
        return UNKNOWN
    at = normal_axis(axis, len(a.shape))
    if at is None:
        return UNKNOWN
    dims = (*a.shape[:at], *places.shape, *a.shape[at + 1 :])
    return array(a.dtype, dims) if dims else scalar(a.dtype)


def take_along_axis(b: Bound) -> Fact:
    """np.take_along_axis of arrays of one rank."""
    a, places = b.array("arr"), b.array("indices")
    same = a.rank is not None and a.rank == places.rank
    return array(a.dtype, fresh_shape(b.ctx, b.name, a.rank or 0, b.call.args) if same else None)


def gradient(b: Bound) -> Fact:
    """np.gradient: an array for a vector, one for each axis otherwise."""
    a = b.array("f")
    dtype = a.dtype if a.dtype in ("float32", "float64", "complex128") else ""
    one = array(dtype or ("float64" if "int" in a.dtype else ""), a.shape)
    if a.rank is None or a.rank == 0:
        return UNKNOWN
    if a.rank == 1 or isinstance(b.constant("axis"), int):
        return one
    axes = b.constant("axis")
    if isinstance(axes, tuple) and axes:
        return one if len(axes) == 1 else tuple_of([one] * len(axes))
    return tuple_of([one] * a.rank) if axes is None or not b.has("axis") else UNKNOWN


BROADCAST: Final = "x1 x2 x3 x4 x5 x6"


def broadcast_arrays(b: Bound) -> Fact:
    """np.broadcast_arrays of some arrays."""
    facts = [b.array(name) for name in BROADCAST.split() if b.has(name)]
    if not all(map(may_have_shape, facts)):
        return UNKNOWN
    shape = broadcast_of(b.ctx, [fact.shape for fact in facts])
    return tuple_of([array(fact.dtype, shape) for fact in facts])


def unique(b: Bound) -> Fact:
    """np.unique: a vector of unknown length."""
    a = b.array("ar")
    return array(a.dtype, fresh_shape(b.ctx, b.name, 1, b.call.args))


TABLE: Final[Table] = {
    np.reshape: ("a shape order newshape copy", reshape),
    np.ravel: ("a order", ravel),
    np.transpose: ("a axes", transpose),
    np.swapaxes: ("a axis1 axis2", moved(_swapaxes)),
    np.moveaxis: ("a source destination", moved(_moveaxis)),
    np.expand_dims: ("a axis", moved(_expand_dims)),
    np.squeeze: ("a axis", moved(_squeeze)),
    np.broadcast_to: ("array shape subok", broadcast_to),
    np.broadcast_arrays: (BROADCAST, broadcast_arrays),
    np.atleast_1d: ("a", at_least(1)),
    np.atleast_2d: ("a", at_least(2)),
    np.tile: ("a reps", moved(_tile)),
    np.repeat: ("a repeats axis", repeat),
    np.pad: ("a pad_width mode constant_values", moved(_pad)),
    np.roll: ("a shift axis", kept),
    np.flip: ("a axis", kept),
    np.fliplr: ("a", kept),
    np.flipud: ("a", kept),
    np.tril: ("m k", triangle),
    np.triu: ("m k", triangle),
    np.diagonal: ("a offset axis1 axis2", diagonal),
    np.take: ("a indices axis out mode", take),
    np.take_along_axis: ("arr indices axis", take_along_axis),
    np.gradient: ("f x1 x2 axis edge_order", gradient),
    np.unique: ("ar", unique),
}
