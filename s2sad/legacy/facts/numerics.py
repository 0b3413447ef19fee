"""What functions of numerics make: polynomials, covariances, counts, methods of ufuncs.

np.polyfit(x, y, 2)    (n,), (n,)  ->  (3,)
np.cov(m)              (n, k)      ->  (n, n)
np.add.reduce(W)       (n, m)      ->  (m,)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from s2sad.legacy.facts.binding import OPEN, Bound
from s2sad.legacy.facts.context import fresh_shape
from s2sad.legacy.facts.dtypes import promoted, summed
from s2sad.legacy.facts.elementwise import Rule, Table, elementwise, may_have_shape
from s2sad.legacy.facts.fact import ONE, UNKNOWN, Dim, Fact, array, constant, scalar, tuple_of
from s2sad.legacy.facts.reductions import percentile, reduced
from s2sad.legacy.program import Const

# ---------------------------------------------------------------------------- polynomials


def vector(dtype_of: Callable[[str], str], *names: str) -> Rule:
    """Return the rule of a function that makes a vector of a length of its own."""

    def rule(b: Bound) -> Fact:
        facts = tuple(b.array(name) for name in names if b.has(name))
        return array(dtype_of(promoted(facts)), fresh_shape(b.ctx, b.name, 1, b.call.args))

    return rule


def unsure(dtype: str) -> str:
    """A dtype that is only kept where it is the usual one."""
    return dtype if dtype == "float64" else ""


def polyfit(b: Bound) -> Fact:
    """np.polyfit: one coefficient more than the degree."""
    degree = b.constant("deg")
    if b.has("full") or b.has("cov") or not isinstance(degree, int) or degree is OPEN:
        return UNKNOWN if b.has("full") or b.has("cov") else vector(unsure, "x", "y")(b)
    dims: tuple[Dim, ...] = (constant(degree + 1),)
    values = b.array("y")
    if isinstance(values.shape, tuple) and len(values.shape) == 2:
        dims = (*dims, values.shape[1])
    return array("float64", dims) if isinstance(values.shape, tuple) else UNKNOWN


def polyval_ascending(b: Bound) -> Fact:
    """np.polynomial.polynomial.polyval(x, c): the shape of x."""
    x, c = b.array("x"), b.array("c")
    if not may_have_shape(x) or c.rank != 1:
        return UNKNOWN
    return elementwise(b.ctx, (replace(x, weak=False),), promoted((c, replace(x, weak=False))))


# ---------------------------------------------------------------------------- statistics


def covariance(b: Bound) -> Fact:
    """np.cov, np.corrcoef: a matrix, of one row or vector a number without axes."""
    m = b.array("m" if b.has("m") else "x")
    other = b.array("y")
    if not isinstance(m.shape, tuple) or b.constant("rowvar", True) not in (True, False):
        return UNKNOWN
    if b.has("y") and (other.rank != 1 or m.rank != 1):
        return UNKNOWN
    dtype = b.dtype("float64" if m.dtype in ("float64", "float32") else "")
    if b.has("y"):
        return array(dtype, (constant(2), constant(2)))
    if len(m.shape) != 2:
        # an array without axes, of a vector: np.corrcoef makes a number of it
        return Fact("unknown", dtype, ()) if len(m.shape) == 1 else UNKNOWN
    side = m.shape[0] if b.constant("rowvar", True) else m.shape[1]
    return array(dtype, (side, side) if side != ONE else None)


def bincount(b: Bound) -> Fact:
    """np.bincount: as many as the largest place asks for."""
    length = fresh_shape(b.ctx, b.name, 1, b.call.args)
    return array("float64" if b.has("weights") else "int64", length)


def histogram(b: Bound) -> Fact:
    """np.histogram: counts and edges."""
    weights = b.array("weights")
    dtype = unsure(weights.dtype) if b.has("weights") else "int64"
    if b.has("density"):
        dtype = "float64"
    count = b.constant("bins", 10)
    if not isinstance(count, int):
        made = fresh_shape(b.ctx, b.name, 2, b.call.args)
        dims = made if isinstance(made, tuple) else ()
        return tuple_of((array(dtype, dims[:1]), array("", dims[1:])))
    return tuple_of((array(dtype, (constant(count),)), array("", (constant(count + 1),))))


def places(b: Bound) -> Fact:
    """np.digitize: a place for each x."""
    x = b.array("x")
    made = elementwise(b.ctx, (x,), "int64") if may_have_shape(x) else UNKNOWN
    return made


def lexsort(b: Bound) -> Fact:
    """np.lexsort of vectors."""
    return array("int64", fresh_shape(b.ctx, b.name, 1, b.call.args))


# ---------------------------------------------------------------------------- methods of ufuncs


def along_first(dtype_of: Callable[[str], str]) -> Rule:
    """Return the rule of np.add.reduce and its kin: along the first axis by default."""

    def rule(b: Bound) -> Fact:
        a = b.array("a")
        dtype = b.dtype(dtype_of(a.dtype))
        if a.rank == 0:
            return scalar(dtype)
        given = {"axis": Const(0), **b.exprs}
        return reduced(replace(b, exprs=given), dtype)

    return rule


def running(dtype_of: Callable[[str], str]) -> Rule:
    """Return the rule of np.add.accumulate and its kin: the shape stays."""

    def rule(b: Bound) -> Fact:
        a = b.array("a")
        return array(b.dtype(dtype_of(a.dtype)), a.shape) if a.rank else UNKNOWN

    return rule


def in_stretches(b: Bound) -> Fact:
    """np.add.reduceat of a vector."""
    a = b.array("a")
    if a.rank != 1 or b.has("axis"):
        return array(summed(a.dtype), None)
    places_ = b.array("indices")
    dims = places_.shape if isinstance(places_.shape, tuple) else None
    return array(summed(a.dtype), dims)


def every_pair(b: Bound) -> Fact:
    """np.multiply.outer and its kin: the axes of both."""
    x, y = b.array("A"), b.array("B")
    if not isinstance(x.shape, tuple) or not isinstance(y.shape, tuple):
        return UNKNOWN
    dims = (*x.shape, *y.shape)
    return array(promoted((x, y)), dims) if dims else scalar(promoted((x, y)))


def cumulative(b: Bound) -> Fact:
    """np.cumulative_sum: the shape stays unless it starts with the initial value."""
    x = b.array("x")
    if b.constant("include_initial", False) is not False or not x.rank:
        return array(b.dtype(summed(x.dtype)), None)
    return array(b.dtype(summed(x.dtype)), x.shape)


def keep(dtype: str) -> str:
    """The dtype of the operand."""
    return dtype


REDUCE: Final = "a axis dtype out keepdims initial where"
RUNNING: Final = "a axis dtype out"
RANKED: Final = "a q axis out overwrite_input method keepdims weights interpolation"
LATER: Final[dict[str, tuple[str, Rule]]] = {
    "cumulative_sum": ("x axis dtype out include_initial", cumulative),
    "cumulative_prod": ("x axis dtype out include_initial", cumulative),
}

TABLE: Final[Table] = {
    np.polyder: ("p m", vector(unsure, "p")),
    np.polyint: ("p m k", vector(unsure, "p")),
    np.polyadd: ("a1 a2", vector(keep, "a1", "a2")),
    np.polysub: ("a1 a2", vector(keep, "a1", "a2")),
    np.polymul: ("a1 a2", vector(keep, "a1", "a2")),
    np.poly: ("seq_of_zeros", vector(unsure, "seq_of_zeros")),
    np.roots: ("p", vector(lambda dtype: "", "p")),
    np.polyfit: ("x y deg rcond full w cov", polyfit),
    np.polynomial.polynomial.polyval: ("x c tensor", polyval_ascending),
    np.ediff1d: ("ary to_end to_begin", vector(keep, "ary")),
    np.cov: ("m y rowvar bias ddof fweights aweights dtype", covariance),
    np.corrcoef: ("x y rowvar dtype", covariance),
    np.bincount: ("x weights minlength", bincount),
    np.histogram: ("a bins range density weights", histogram),
    np.digitize: ("x bins right", places),
    np.lexsort: ("keys axis", lexsort),
    np.nanpercentile: (RANKED, percentile),
    np.nanquantile: (RANKED, percentile),
    np.add.reduce: (REDUCE, along_first(summed)),
    np.multiply.reduce: (REDUCE, along_first(summed)),
    np.maximum.reduce: (REDUCE, along_first(keep)),
    np.minimum.reduce: (REDUCE, along_first(keep)),
    np.logaddexp.reduce: (REDUCE, along_first(keep)),
    np.add.accumulate: (RUNNING, running(summed)),
    np.multiply.accumulate: (RUNNING, running(summed)),
    np.maximum.accumulate: (RUNNING, running(keep)),
    np.minimum.accumulate: (RUNNING, running(keep)),
    np.add.reduceat: ("a indices axis dtype out", in_stretches),
    np.add.outer: ("A B", every_pair),
    np.subtract.outer: ("A B", every_pair),
    np.multiply.outer: ("A B", every_pair),
    **{getattr(np, name): entry for name, entry in LATER.items() if hasattr(np, name)},
}
