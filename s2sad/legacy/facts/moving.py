"""What the rarer functions make that move elements about, and NumPy's second names.

np.delete(u, 1)               (n,)            ->  a new length
np.dstack((u, v))             (n,), (n,)      ->  (1, n, 2)
np.linalg.multi_dot([A, B])   (m, n), (n, k)  ->  (m, k)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from s2sad.legacy.facts import linear
from s2sad.legacy.facts.arranging import kept, moved
from s2sad.legacy.facts.binding import OPEN, Bound, as_array
from s2sad.legacy.facts.context import Context, broadcast_of, fresh_shape
from s2sad.legacy.facts.dtypes import promoted
from s2sad.legacy.facts.elementwise import Rule, Table, elementwise, may_have_shape
from s2sad.legacy.facts.fact import ONE, UNKNOWN, Dim, Fact, Shape, array, constant, scalar
from s2sad.legacy.facts.joining import joined_along, parts_of, raised
from s2sad.legacy.facts.linear import matmul, product
from s2sad.legacy.facts.numerics import vector
from s2sad.legacy.facts.shapes import normal_axis, permuted, summed_dim, without_axes
from s2sad.legacy.program import Call, Expr, Op, Ref

Dims = tuple[Dim, ...]

# ---------------------------------------------------------------------------- axes


def _last_two(b: Bound, dims: Dims) -> Shape:
    return (*dims[:-2], dims[-1], dims[-2]) if len(dims) > 1 else None


def _rollaxis(b: Bound, dims: Dims) -> Shape:
    axis, start = b.constant("axis"), b.constant("start", 0)
    if not isinstance(axis, int) or not isinstance(start, int):
        return fresh_shape(b.ctx, b.name, len(dims), b.call.args)
    at = normal_axis(axis, len(dims))
    if at is None or not 0 <= start <= len(dims):
        return None
    order = [i for i in range(len(dims)) if i != at]
    order.insert(start - (at < start), at)
    return permuted(dims, order)


def _at_least_3(b: Bound, dims: Dims) -> Shape:
    if len(dims) < 2:
        return (ONE, *dims, ONE) if dims else (ONE, ONE, ONE)
    return (*dims, ONE) if len(dims) == 2 else dims


def _rot90(b: Bound, dims: Dims) -> Shape:
    turns, axes = b.constant("k", 1), b.constant("axes", (0, 1))
    if not isinstance(turns, int) or not isinstance(axes, tuple) or len(dims) < 2:
        return fresh_shape(b.ctx, b.name, len(dims), b.call.args)
    i, j = (normal_axis(axis, len(dims)) for axis in axes)
    if i is None or j is None or turns % 2 == 0:
        return dims if turns % 2 == 0 else None
    order = list(range(len(dims)))
    order[i], order[j] = order[j], order[i]
    return permuted(dims, order)


# ---------------------------------------------------------------------------- lengths


def _one_axis_new(name: str) -> Rule:
    """Return the rule of what changes one length along axis=, of flat arrays without it."""

    def rule(b: Bound) -> Fact:
        a, axis = b.array(name), b.constant("axis")
        if axis is None:
            return array(a.dtype, fresh_shape(b.ctx, b.name, 1, b.call.args))
        if not isinstance(a.shape, tuple) or not isinstance(axis, int) or axis is OPEN:
            return array(a.dtype, None)
        at = normal_axis(axis, len(a.shape))
        if at is None:
            return UNKNOWN
        new = b.ctx.fresh(b.name, b.call.args or (b.call,))
        return array(a.dtype, (*a.shape[:at], new, *a.shape[at + 1 :]))

    return rule


def insert(b: Bound) -> Fact:
    """np.insert: one element more where one number is put before one position."""
    arr = b.array("arr")
    one = b.fact("obj").kind == "int" and b.array("values").is_scalar and not b.has("axis")
    if not one or not isinstance(arr.shape, tuple) or len(arr.shape) != 1:
        return _one_axis_new("arr")(b)
    total = summed_dim((arr.shape[0], constant(1)))
    return array(arr.dtype, (total,) if total is not None else None)


def resize(b: Bound) -> Fact:
    """np.resize: the shape that is asked for."""
    a = b.array("a")
    shape = b.shape("new_shape")
    return array(a.dtype, shape) if isinstance(shape, tuple) else array(a.dtype, None)


def windows(b: Bound) -> Fact:
    """sliding_window_view of constant windows over all axes, or over a vector."""
    x, window = b.array("x"), b.constant("window_shape")
    sizes = window if isinstance(window, tuple) else (window,)
    known = isinstance(x.shape, tuple) and all(isinstance(size, int) for size in sizes)
    if not known or b.has("axis") or len(sizes) != x.rank:
        return array(x.dtype, None)
    dims = x.shape if isinstance(x.shape, tuple) else ()
    left = (b.ctx.fresh(f"{b.name}.{i}", b.call.args) for i in range(len(dims)))
    return array(x.dtype, (*left, *(constant(size) for size in sizes)))


def pass_through(b: Bound) -> Fact:
    """np.astype: the array in another dtype."""
    x = b.array("x")
    dtype = b.dtype("", "dtype")
    return scalar(dtype) if x.is_scalar else replace(x, dtype=dtype)


# ---------------------------------------------------------------------------- joined


def dstack(b: Bound) -> Fact:
    """np.dstack: vectors and matrices are layers."""
    parts = parts_of(b, "tup")
    if parts is None or any(not isinstance(part.shape, tuple) for part in parts):
        return array("", None)
    return joined_along(b, [_as_layer(part) for part in parts], 2)


def _as_layer(part: Fact) -> Fact:
    dims = part.shape if isinstance(part.shape, tuple) else ()
    if len(dims) > 2:
        return part
    return array(part.dtype, (*(ONE,) * (2 - len(dims)), *dims, ONE))


def block(b: Bound) -> Fact:
    """np.block of matrices in rows of them."""
    expr = b.expr("arrays")
    if not isinstance(expr, Op) or expr.op not in ("list", "tuple"):
        return array("", None)
    rows = [_row_of(b, part) for part in expr.args]
    nested = [isinstance(part, Op) and part.op in ("list", "tuple") for part in expr.args]
    if any(row is None or row.rank != 2 for row in rows) or any(nested) != all(nested):
        return array("", None)
    found = [row for row in rows if row is not None]
    return joined_along(b, found, 0 if all(nested) else 1)


def _row_of(b: Bound, part: Expr) -> Fact | None:
    if not (isinstance(part, Op) and part.op in ("list", "tuple")):
        return as_array(part, b.fact_of(part, b.ctx), b.ctx)
    facts = [as_array(each, b.fact_of(each, b.ctx), b.ctx) for each in part.args]
    if not all(fact.rank in (0, 1, 2) for fact in facts):
        return None
    return joined_along(b, [raised(fact, 2, False) for fact in facts], 1)


def in_brackets(owner: Ref, facts: Sequence[Fact], exprs: Sequence[Expr], ctx: Context) -> Fact:
    """np.r_[a, b] of numbers and vectors, np.c_[a, b] of vectors and matrices."""
    b = Bound(ctx, Call(owner, tuple(exprs)), {}, lambda expr, context: UNKNOWN)
    ranks = {fact.rank for fact in facts}
    dtype = promoted(tuple(facts))
    if owner.text == "np.r_" and ranks == {2}:
        return replace(joined_along(b, facts, 0), dtype=dtype)
    if owner.text == "np.r_" and ranks <= {0, 1}:
        return replace(joined_along(b, [raised(fact, 1, False) for fact in facts], 0), dtype=dtype)
    if owner.text == "np.c_" and ranks <= {1, 2}:
        return replace(joined_along(b, [raised(fact, 2, True) for fact in facts], 1), dtype=dtype)
    return UNKNOWN


def choose(b: Bound) -> Fact:
    """np.choose between arrays that are written out: the common shape."""
    parts, index = parts_of(b, "choices"), b.array("a")
    if parts is None or not all(map(may_have_shape, (*parts, index))):
        return UNKNOWN
    dtype = promoted(tuple(replace(part, weak=False) for part in parts))
    shape = broadcast_of(b.ctx, [fact.shape for fact in (index, *parts)])
    return elementwise(b.ctx, (index, *parts), dtype) if shape is not None else UNKNOWN


# ---------------------------------------------------------------------------- products


def cross(b: Bound) -> Fact:
    """np.linalg.cross: of vectors with three components only."""
    x, y = b.array("a"), b.array("b")
    return elementwise(b.ctx, (x, y), promoted((x, y))) if x.rank and y.rank else UNKNOWN


def multi_dot(b: Bound) -> Fact:
    """np.linalg.multi_dot: a product of matrices, perhaps between vectors."""
    parts = parts_of(b, "arrays")
    if not parts:
        return UNKNOWN
    made = parts[0]
    for part in parts[1:]:
        made = matmul(b.ctx, made, part)
    return made


def vecdot(b: Bound) -> Fact:
    """np.vecdot: a sum over the last axes."""
    return _summed(b, 1, 1)


def matvec(b: Bound) -> Fact:
    """np.matvec."""
    return _summed(b, 2, 1)


def vecmat(b: Bound) -> Fact:
    """np.vecmat."""
    return _summed(b, 1, 2)


def _summed(b: Bound, left: int, right: int) -> Fact:
    x, y = b.array("x1"), b.array("x2")
    if not isinstance(x.shape, tuple) or not isinstance(y.shape, tuple) or b.has("axis"):
        return UNKNOWN
    if len(x.shape) < left or len(y.shape) < right:
        return UNKNOWN
    b.ctx.imply(x.shape[-1], y.shape[-right])
    stack = broadcast_of(b.ctx, (x.shape[:-left], y.shape[:-right]))
    own = (*x.shape[len(x.shape) - left : -1], *(y.shape[-1:] if right == 2 else ()))
    return product(promoted((x, y)), (*stack, *own)) if isinstance(stack, tuple) else UNKNOWN


def last_trace(b: Bound) -> Fact:
    """np.linalg.trace: of the last two axes."""
    a = b.array("a")
    if not isinstance(a.shape, tuple) or len(a.shape) < 2:
        return UNKNOWN
    return product(a.dtype, a.shape[:-2])


def last_diagonal(b: Bound) -> Fact:
    """np.linalg.diagonal: of the last two axes."""
    a = b.array("a")
    if not isinstance(a.shape, tuple) or len(a.shape) < 2:
        return array(a.dtype, None)
    rest = without_axes(a.shape, (len(a.shape) - 2, len(a.shape) - 1), False)
    return array(a.dtype, (*rest, b.ctx.fresh(b.name, b.call.args)))


def _named(names: str) -> dict[Any, str]:
    """Return the functions that this NumPy has, of some names."""
    found: dict[Any, str] = {}
    for name in names.split():
        owner = np.linalg if name.startswith("linalg.") else np
        function = getattr(owner, name.removeprefix("linalg."), None)
        if function is not None:
            found[function] = name
    return found


_RULES: Final[dict[str, tuple[str, Rule]]] = {
    "matrix_transpose": ("a", moved(_last_two)),
    "linalg.matrix_transpose": ("a", moved(_last_two)),
    "linalg.matmul": ("a b", linear.matmul_call),
    "linalg.outer": ("a b", linear.outer),
    "linalg.tensordot": ("a b axes", linear.tensordot),
    "linalg.cross": ("a b axis", cross),
    "linalg.trace": ("a offset dtype", last_trace),
    "linalg.diagonal": ("a offset", last_diagonal),
    "linalg.vecdot": ("x1 x2 axis", vecdot),
    "linalg.multi_dot": ("arrays out", multi_dot),
    "vecdot": ("x1 x2 axis", vecdot),
    "matvec": ("x1 x2", matvec),
    "vecmat": ("x1 x2", vecmat),
    "astype": ("x dtype copy device", pass_through),
    "rollaxis": ("a axis start", moved(_rollaxis)),
    "atleast_3d": ("a", moved(_at_least_3)),
    "rot90": ("a k axes", moved(_rot90)),
    "unwrap": ("a discont axis period", kept),
    "delete": ("arr obj axis", _one_axis_new("arr")),
    "insert": ("arr obj values axis", insert),
    "compress": ("condition a axis out", _one_axis_new("a")),
    "extract": ("condition arr", vector(lambda dtype: dtype, "arr")),
    "trim_zeros": ("filt trim axis", vector(lambda dtype: dtype, "filt")),
    "resize": ("a new_shape", resize),
    "dstack": ("tup", dstack),
    "block": ("arrays", block),
    "choose": ("a choices out mode", choose),
    "real_if_close": ("a tol", kept),
}

TABLE: Final[Table] = {
    **{function: _RULES[name] for function, name in _named(" ".join(_RULES)).items()},
    np.lib.stride_tricks.sliding_window_view: ("x window_shape axis subok writeable", windows),
}
