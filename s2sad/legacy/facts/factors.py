"""What factorisations and norms of matrices make.

np.linalg.qr(A)     (m, n)  ->  (m, k), (k, n)      np.linalg.svd(A)   ->  three arrays
np.linalg.lstsq     (m, n), (m,)  ->  (n,), ...     np.linalg.svdvals  ->  (k,)
"""

from __future__ import annotations

from typing import Final

import numpy as np

from s2sad.legacy.facts.binding import OPEN, Bound
from s2sad.legacy.facts.dtypes import floating, promoted, real_part
from s2sad.legacy.facts.elementwise import Rule, Table
from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact, array, scalar, tuple_of
from s2sad.legacy.facts.linear import product
from s2sad.legacy.facts.reductions import reduced
from s2sad.legacy.facts.shapes import without_axes

Dims = tuple[Dim, ...]


def _sides(b: Bound, name: str = "a") -> tuple[Dims, Dim, Dim, Dim] | None:
    """Return the lengths of a stack, those of its matrices, and the shorter of these."""
    dims = b.array(name).shape
    if not isinstance(dims, tuple) or len(dims) < 2:
        return None
    *stack, rows, columns = dims
    if not rows.symbol and not columns.symbol:
        least = min(rows, columns, key=lambda dim: dim.offset)
    else:
        least = rows if rows == columns else b.ctx.fresh(f"min({rows}, {columns})", (rows, columns))
    return tuple(stack), rows, columns, least


_ANY = array("", None)


def _of_any_rank(count: int) -> Fact:
    """Return what is known of several arrays that are made of one of which nothing is."""
    return tuple_of((_ANY,) * count)


def svd(b: Bound) -> Fact:
    """np.linalg.svd: vectors, values, vectors; or the values alone."""
    sides = _sides(b)
    alone, full = b.constant("compute_uv", True), b.constant("full_matrices", True)
    if alone is OPEN or full is OPEN:
        return UNKNOWN
    if sides is None:
        return _of_any_rank(3) if alone else _ANY
    stack, rows, columns, least = sides
    dtype = floating(b.array("a").dtype)
    values = array(real_part(dtype), (*stack, least))
    if not alone:
        return values
    left = array(dtype, (*stack, rows, rows if full else least))
    return tuple_of((left, values, array(dtype, (*stack, columns if full else least, columns))))


def singular_values(b: Bound) -> Fact:
    """np.linalg.svdvals."""
    sides = _sides(b, "x")
    if sides is None:
        return UNKNOWN
    return array(real_part(floating(b.array("x").dtype)), (*sides[0], sides[3]))


def qr(b: Bound) -> Fact:
    """np.linalg.qr: reduced, or r alone."""
    sides, mode = _sides(b), b.constant("mode", "reduced")
    if mode not in ("reduced", "r", "complete"):
        return UNKNOWN
    if sides is None:
        return _ANY if mode == "r" else _of_any_rank(2)
    stack, rows, columns, least = sides
    inner = rows if mode == "complete" else least
    dtype = floating(b.array("a").dtype)
    right = array(dtype, (*stack, inner, columns))
    return right if mode == "r" else tuple_of((array(dtype, (*stack, rows, inner)), right))


def lstsq(b: Bound) -> Fact:
    """np.linalg.lstsq: solution, squares that are left, rank, singular values."""
    sides, right = _sides(b), b.array("b")
    if sides is None or not isinstance(right.shape, tuple) or not right.shape:
        return tuple_of((_ANY, _ANY, scalar("int32"), _ANY))
    _, rows, columns, least = sides
    b.ctx.imply(rows, right.shape[0])
    dtype = floating(promoted((b.array("a"), right)))
    squares = b.ctx.fresh(f"{b.name}.1", b.call.args)
    solution = array(dtype, (columns, *right.shape[1:]))
    parts = (solution, array(real_part(dtype), (squares,)), scalar("int32"))
    return tuple_of((*parts, array(real_part(dtype), (least,))))


def eig(b: Bound) -> Fact:
    """np.linalg.eig: real or complex, which the values decide."""
    sides = _sides(b)
    if sides is None:
        return _of_any_rank(2)
    stack, rows, columns, _ = sides
    b.ctx.imply(rows, columns)
    return tuple_of((array("", (*stack, rows)), array("", (*stack, rows, rows))))


def eigvals(b: Bound) -> Fact:
    """np.linalg.eigvals: real or complex, which the values decide."""
    whole = eig(b)
    return whole.items[0] if whole.items else UNKNOWN


def matrix_norm(b: Bound) -> Fact:
    """np.linalg.matrix_norm: over the last two axes."""
    x = b.array("x")
    if not isinstance(x.shape, tuple) or len(x.shape) < 2:
        return UNKNOWN
    kept = b.constant("keepdims", False)
    last = (len(x.shape) - 2, len(x.shape) - 1)
    dims = without_axes(x.shape, last, bool(kept))
    return product(real_part(floating(x.dtype)), dims) if kept is not OPEN else UNKNOWN


def vector_norm(b: Bound) -> Fact:
    """np.linalg.vector_norm."""
    return reduced(b, real_part(floating(b.array("x").dtype)), "x")


def tensorsolve(b: Bound) -> Fact:
    """np.linalg.tensorsolve: the axes of a that b does not have."""
    a, right = b.array("a"), b.array("b")
    if a.rank is None or right.rank is None or b.has("axes") or not isinstance(a.shape, tuple):
        return UNKNOWN
    return array(floating(promoted((a, right))), a.shape[right.rank :])


def tensorinv(b: Bound) -> Fact:
    """np.linalg.tensorinv: the axes change places."""
    a, ind = b.array("a"), b.constant("ind", 2)
    if not isinstance(a.shape, tuple) or not isinstance(ind, int):
        return UNKNOWN
    return array(floating(a.dtype), (*a.shape[ind:], *a.shape[:ind]))


_RULES: Final[dict[str, tuple[str, Rule]]] = {
    "svd": ("a full_matrices compute_uv hermitian", svd),
    "svdvals": ("x", singular_values),
    "qr": ("a mode", qr),
    "lstsq": ("a b rcond", lstsq),
    "eig": ("a", eig),
    "eigvals": ("a", eigvals),
    "matrix_norm": ("x keepdims ord", matrix_norm),
    "vector_norm": ("x axis keepdims ord", vector_norm),
    "tensorsolve": ("a b axes", tensorsolve),
    "tensorinv": ("a ind", tensorinv),
}
TABLE: Final[Table] = {
    getattr(np.linalg, name): entry for name, entry in _RULES.items() if hasattr(np.linalg, name)
}
