"""What the functions that make arrays make.

np.zeros(3), np.zeros_like(x), np.linspace(0.0, 1.0, n)
"""

from __future__ import annotations

from typing import Final

import numpy as np

from s2sad.legacy.facts.binding import OPEN, Bound
from s2sad.legacy.facts.context import fresh_shape
from s2sad.legacy.facts.dtypes import floating, promoted
from s2sad.legacy.facts.elementwise import Rule, Table, may_have_shape
from s2sad.legacy.facts.fact import (
    UNKNOWN,
    Dim,
    Fact,
    Shape,
    array,
    begun_with_number,
    constant,
    python_int,
    tuple_of,
)
from s2sad.legacy.facts.shapes import product_dim


def filled(b: Bound) -> Fact:
    """np.zeros, np.ones, np.empty."""
    return array(b.dtype("float64"), b.shape("shape"))


def full(b: Bound) -> Fact:
    """np.full: the dtype of what it is filled with."""
    return array(b.dtype(b.array("fill_value").dtype), b.shape("shape"))


def like(b: Bound) -> Fact:
    """np.zeros_like and its kin: an array, also like a number."""
    model = b.array("a")
    if model.begun and not b.has("shape"):
        grown = model.begun
        return begun_with_number(array(b.dtype(grown.dtype), grown.shape))
    shape = b.shape("shape") if b.has("shape") else model.shape
    if not may_have_shape(model):
        shape = None
    return array(b.dtype(model.dtype), shape)


def from_object(b: Bound) -> Fact:
    """np.array, np.asarray: lists and tuples of numbers too."""
    found = b.array("a")
    least = b.constant("ndmin", 0)
    if not may_have_shape(found):
        return array(b.dtype(""), None)
    dtype = b.dtype(found.dtype)
    return array(dtype, found.shape if least == 0 else _padded(found.shape, least))


def _padded(shape: Shape, least: object) -> Shape:
    if not isinstance(shape, tuple) or not isinstance(least, int):
        return None
    return (constant(1),) * max(0, least - len(shape)) + shape


def contiguous(b: Bound) -> Fact:
    """np.ascontiguousarray: at least one axis."""
    found = b.array("a")
    if not may_have_shape(found):
        return array(b.dtype(""), None)
    return array(b.dtype(found.dtype), _padded(found.shape, 1) if found.shape == () else
                 found.shape if isinstance(found.shape, tuple) else None)  # fmt: skip


def arange(b: Bound) -> Fact:
    """np.arange: n elements of arange(n); any other count is not known."""
    names = [name for name in ("start", "stop", "step") if b.has(name)]
    facts = tuple(b.fact(name) for name in names)
    dtype = b.dtype(promoted(facts))
    whole = b.fact("start").kind == "int" and len(names) == 1
    if whole:
        return array(dtype, (_not_negative(b.length("start")),))
    return array(dtype, fresh_shape(b.ctx, b.name, 1, b.call.args))


def _not_negative(dim: Dim) -> Dim:
    return dim if dim.symbol else constant(max(0, dim.offset))


def spaced(b: Bound) -> Fact:
    """np.linspace, np.logspace, np.geomspace between numbers."""
    ends = (b.array("start"), b.array("stop"))
    count = b.length("num") if b.has("num") else constant(50)
    dtype = b.dtype(floating(promoted(ends)))
    if any(end.shape != () for end in ends) or b.has("retstep"):
        return UNKNOWN if b.has("retstep") else array(dtype, None)
    return array(dtype, (count,))


def eye(b: Bound) -> Fact:
    """np.eye, np.identity, np.tri."""
    rows = b.length("N")
    return array(b.dtype("float64"), (rows, b.length("M") if b.has("M") else rows))


def diag(b: Bound) -> Fact:
    """np.diag: a matrix of a vector, the diagonal of a matrix."""
    v, k = b.array("v"), b.constant("k", 0)
    if v.rank == 1 and isinstance(v.shape, tuple) and k == 0:
        return array(v.dtype, (v.shape[0], v.shape[0]))
    if v.rank == 1 and isinstance(v.shape, tuple):
        side = b.ctx.fresh(f"{b.name}.0", (*b.call.args,))
        return array(v.dtype, (side, side))
    if v.rank == 2 and isinstance(v.shape, tuple):
        square = k == 0 and v.shape[0] == v.shape[1]
        length = v.shape[0] if square else b.ctx.fresh(f"{b.name}.0", b.call.args)
        return array(v.dtype, (length,))
    return array(v.dtype, None) if may_have_shape(v) else UNKNOWN


def diagflat(b: Bound) -> Fact:
    """np.diagflat."""
    v = b.array("v")
    size = product_dim(v.shape) if isinstance(v.shape, tuple) else None
    if size is None or b.constant("k", 0) != 0:
        return array(v.dtype, fresh_shape(b.ctx, b.name, 2, b.call.args))
    return array(v.dtype, (size, size))


def vander(b: Bound) -> Fact:
    """np.vander."""
    x = b.array("x")
    if x.rank != 1 or not isinstance(x.shape, tuple):
        return UNKNOWN
    columns = b.length("N") if b.has("N") else x.shape[0]
    dtype = "int64" if x.dtype in ("bool", "int8", "int16", "int32", "int64") else x.dtype
    return array(dtype, (x.shape[0], columns))


def meshgrid(b: Bound) -> Fact:
    """np.meshgrid of two or three vectors."""
    facts = [b.array(name) for name in ("x1", "x2", "x3") if b.has(name)]
    if not all(fact.rank == 1 for fact in facts) or b.has("sparse"):
        return UNKNOWN
    dims = [fact.shape[0] for fact in facts if isinstance(fact.shape, tuple)]
    indexing = b.constant("indexing", "xy")
    if indexing is OPEN:
        return UNKNOWN
    if indexing == "xy" and len(dims) > 1:
        dims[0], dims[1] = dims[1], dims[0]
    parts = [array(fact.dtype, tuple(dims)) for fact in facts]
    made = tuple_of(parts)
    return made if int(np.__version__.split(".")[0]) >= 2 else Fact("list", items=(UNKNOWN,))


def indices_from(b: Bound) -> Fact:
    """np.nonzero: one vector of positions for each axis."""
    a = b.array("a")
    if not a.rank:
        return UNKNOWN
    length = b.ctx.fresh(f"count({b.name})", b.call.args or (b.call,))
    return tuple_of([array("int64", (length,))] * a.rank)


def pair_of_indices(b: Bound) -> Fact:
    """np.triu_indices and its like: a vector of rows, and one of columns."""
    length = b.ctx.fresh(f"count({b.name})", b.call.args or (b.call,))
    return tuple_of([array("int64", (length,))] * 2)


def flat_indices(b: Bound) -> Fact:
    """np.flatnonzero."""
    return array("int64", fresh_shape(b.ctx, b.name, 1, b.call.args))


def positions(b: Bound) -> Fact:
    """np.argwhere: a row of positions, one for each axis."""
    a = b.array("a")
    if not a.rank:
        return UNKNOWN
    length = b.ctx.fresh(f"count({b.name})", b.call.args or (b.call,))
    return array("int64", (length, constant(a.rank)))


def all_positions(b: Bound) -> Fact:
    """np.ndindex: tuples of positions, one for each axis."""
    shape = b.fact("shape")
    if b.has("more"):
        return UNKNOWN
    rank = shape.count if shape.kind == "tuple" else 1 if shape.kind == "int" else None
    if not rank:
        return UNKNOWN
    return Fact("object", items=(tuple_of((python_int(),) * rank),))


def diagonal_places(b: Bound) -> Fact:
    """np.diag_indices_from: one vector of positions for each axis."""
    a = b.array("arr")
    if not isinstance(a.shape, tuple) or len(a.shape) < 2:
        return UNKNOWN
    return tuple_of([array("int64", a.shape[:1])] * len(a.shape))


LIKE: Final[tuple[str, Rule]] = ("a dtype order subok shape device", like)
FILLED: Final[tuple[str, Rule]] = ("shape dtype order device like", filled)
OBJECT: Final[tuple[str, Rule]] = ("a dtype order device copy like", from_object)

TABLE: Final[Table] = {
    np.zeros: FILLED,
    np.ones: FILLED,
    np.empty: FILLED,
    np.ndarray: ("shape dtype buffer offset strides order", filled),
    np.full: ("shape fill_value dtype order device like", full),
    np.zeros_like: LIKE,
    np.ones_like: LIKE,
    np.empty_like: LIKE,
    np.full_like: ("a fill_value dtype order subok shape device", like),
    np.array: ("a dtype copy order subok ndmin like", from_object),
    np.asarray: OBJECT,
    np.asanyarray: OBJECT,
    np.copy: ("a order subok", from_object),
    np.ascontiguousarray: ("a dtype like", contiguous),
    np.arange: ("start stop step dtype device like", arange),
    np.linspace: ("start stop num endpoint retstep dtype axis device", spaced),
    np.logspace: ("start stop num endpoint base dtype axis", spaced),
    np.geomspace: ("start stop num endpoint dtype axis", spaced),
    np.eye: ("N M k dtype order device like", eye),
    np.identity: ("N dtype like", eye),
    np.tri: ("N M k dtype like", eye),
    np.diag: ("v k", diag),
    np.diagflat: ("v k", diagflat),
    np.vander: ("x N increasing", vander),
    np.meshgrid: ("x1 x2 x3 copy sparse indexing", meshgrid),
    np.nonzero: ("a", indices_from),
    np.triu_indices: ("n k m", pair_of_indices),
    np.tril_indices: ("n k m", pair_of_indices),
    np.triu_indices_from: ("arr k", pair_of_indices),
    np.tril_indices_from: ("arr k", pair_of_indices),
    np.flatnonzero: ("a", flat_indices),
    np.argwhere: ("a", positions),
    np.ndindex: ("shape more", all_positions),
    np.diag_indices_from: ("arr", diagonal_places),
}
