"""What functions of scipy.linalg make.

linalg.solve(A, b)      (n, n), (n,)   ->  (n,)
linalg.eigh(A)          (n, n)         ->  tuple of (n,) and (n, n)
"""

from __future__ import annotations

from typing import Final

from s2sad.legacy.facts.binding import Bound
from s2sad.legacy.facts.context import fresh_shape
from s2sad.legacy.facts.elementwise import Rule, may_have_shape
from s2sad.legacy.facts.fact import (
    UNKNOWN,
    Dim,
    Fact,
    array,
    python_bool,
    python_int,
    scalar,
    tuple_of,
)
from s2sad.legacy.facts.reductions import reduced
from s2sad.legacy.facts.scipy_shapes import exact

Dims = tuple[Dim, ...]


def _dims(fact: Fact, rank: int = 2) -> Dims | None:
    shape = fact.shape
    return shape if isinstance(shape, tuple) and len(shape) == rank else None


def _square(b: Bound, name: str) -> Dims | None:
    """Return the shape of one square matrix, its two sides known to be equal."""
    dims = _dims(b.array(name))
    if dims is not None:
        b.ctx.imply(dims[0], dims[1])
    return dims


def matrix(name: str, real: bool = True) -> Rule:
    """Return the rule of a function that gives a matrix of the shape of `name`."""

    def rule(b: Bound) -> Fact:
        a = b.array(name)
        if not may_have_shape(a):
            return UNKNOWN
        _square(b, name)
        return array(exact((a,)) if real else "", a.shape)

    return rule


def solution(system: str, side: str) -> Rule:
    """Return the rule of a system of equations: the shape of its right-hand side."""

    def rule(b: Bound) -> Fact:
        a, right = b.array(system), b.array(side)
        dims = _square(b, system)
        if dims is None or right.rank not in (1, 2) or not isinstance(right.shape, tuple):
            return array(exact((a, right)), None)
        b.ctx.imply(dims[1], right.shape[0])
        return array(exact((a, right)), right.shape)

    return rule


def by_factors(name: str) -> Rule:
    """Return the rule of a system of which the factors are given, with something beside them."""

    def rule(b: Bound) -> Fact:
        factors, right = b.fact(name), b.array("b")
        dtypes = (*factors.items[:1], right) if factors.items else (Fact("unknown"), right)
        return array(exact(dtypes), right.shape if right.rank else None)

    return rule


def determinant(b: Bound) -> Fact:
    """linalg.det: a number of one matrix."""
    a = b.array("a")
    return scalar(exact((a,))) if _square(b, "a") is not None else Fact("unknown")


def norm(b: Bound) -> Fact:
    """linalg.norm."""
    return reduced(b, exact((b.array("a"),)))


def diagonals(b: Bound) -> Fact:
    """linalg.toeplitz and its kin: a column, and perhaps a row."""
    column = b.array("c")
    row = b.array("r") if b.has("r") else column
    if column.rank != 1 or row.rank != 1:
        return UNKNOWN
    assert isinstance(column.shape, tuple) and isinstance(row.shape, tuple)
    return array(column.dtype if row.dtype == column.dtype else "", column.shape + row.shape)


def side_by(name: str) -> Rule:
    """Return the rule of a system of a banded or Toeplitz matrix: the shape of b."""

    def rule(b: Bound) -> Fact:
        side = b.array("b")
        return array("", side.shape) if side.is_array and side.rank in (1, 2) else UNKNOWN

    return rule


def blocks(b: Bound) -> Fact:
    """linalg.block_diag: a matrix."""
    return array("", fresh_shape(b.ctx, b.name, 2, b.call.args))


# ---------------------------------------------------------------------------- distances


def across(b: Bound) -> Fact:
    """distance.cdist: a row and a column for each point."""
    first, second = _dims(b.array("XA")), _dims(b.array("XB"))
    shape = None if first is None or second is None else (first[0], second[0])
    return array("float64", shape)


def pairs(b: Bound) -> Fact:
    """distance.pdist: a vector."""
    return array("float64", fresh_shape(b.ctx, b.name, 1, b.call.args))


def turned_square(b: Bound) -> Fact:
    """distance.squareform: a matrix of a vector, a vector of a matrix."""
    x = b.array("X")
    if x.rank == 2:
        return array(x.dtype, fresh_shape(b.ctx, b.name, 1, b.call.args))
    side = b.ctx.fresh(b.name, b.call.args)
    return array(x.dtype, (side, side)) if x.rank == 1 else UNKNOWN


# ---------------------------------------------------------------------------- several results


def with_flag(b: Bound) -> Fact:
    """linalg.cho_factor: the factor, and which triangle it is in."""
    return tuple_of((matrix("a")(b), python_bool()))


def with_pivots(b: Bound) -> Fact:
    """linalg.lu_factor: the factors in one matrix, and the pivots."""
    dims = _square(b, "a")
    made = array(exact((b.array("a"),)), dims)
    return tuple_of((made, array("int32", None if dims is None else dims[:1])))


def three_factors(b: Bound) -> Fact:
    """linalg.lu: three square matrices."""
    if b.has("permute_l") or b.has("p_indices"):
        return UNKNOWN
    made = matrix("a")(b)
    return tuple_of((made, made, made))


def polar_factors(b: Bound) -> Fact:
    """linalg.polar: one of the shape of a, and one that is square."""
    dims, dtype = _dims(b.array("a")), exact((b.array("a"),))
    if dims is None or len(dims) != 2 or b.constant("side", "right") != "right":
        return UNKNOWN
    return tuple_of((array(dtype, dims), array(dtype, (dims[1], dims[1]))))


def orthogonal(b: Bound) -> Fact:
    """linalg.qr of square matrices, and of others with the mode economic."""
    dims, mode = _dims(b.array("a")), b.constant("mode", "full")
    dtype = exact((b.array("a"),))
    if mode not in ("full", "economic") or b.has("pivoting"):
        return UNKNOWN
    if mode == "full":
        _square(b, "a")
    if dims is None:
        return tuple_of((array(dtype, None), array(dtype, None)))
    # as there are rows to spare: the derivative of others is refused
    return tuple_of((array(dtype, dims), array(dtype, (dims[1], dims[1]))))


def eigen(b: Bound) -> Fact:
    """linalg.eigh: eigenvalues, and eigenvectors unless they are not asked for."""
    values = eigenvalues(b)
    only = b.constant("eigvals_only", False)
    if only is False and values.is_array:
        return tuple_of((values, array(values.dtype, b.array("a").shape)))
    return values if only is True else UNKNOWN


def eig(b: Bound) -> Fact:
    """linalg.eig: complex eigenvalues, and eigenvectors that the numbers make real or complex."""
    dims = _square(b, "a")
    others = ("b", "left", "right", "homogeneous_eigvals")
    if dims is None or len(dims) != 2 or any(b.has(name) for name in others):
        return UNKNOWN
    return tuple_of((array("", dims[:1]), array("", dims)))


def eigenvalues(b: Bound) -> Fact:
    """linalg.eigvalsh."""
    dims = _square(b, "a")
    if any(b.has(name) for name in ("subset_by_index", "subset_by_value")):
        return UNKNOWN
    return array(exact((b.array("a"),)), None if dims is None else dims[:1])


def singular(b: Bound) -> Fact:
    """linalg.svd: of square matrices, of others without full matrices."""
    dims, dtype = _dims(b.array("a")), exact((b.array("a"),))
    apart = b.constant("compute_uv", True)
    if apart not in (True, False):
        return UNKNOWN
    if dims is None:
        made = array(dtype, None)
        return tuple_of((made, made, made)) if apart else made
    count = dims[0] if dims[0] == dims[1] else b.ctx.fresh(b.name, b.call.args)
    if not apart:
        return array(dtype, (count,))
    if b.constant("full_matrices", True) is not False:
        _square(b, "a")
        count = dims[0]
    parts = ((dims[0], count), (count,), (count, dims[1]))
    return tuple_of(tuple(array(dtype, part) for part in parts))


def singular_values(b: Bound) -> Fact:
    """linalg.svdvals."""
    return array(exact((b.array("a"),)), fresh_shape(b.ctx, b.name, 1, b.call.args))


def pseudo_inverse(b: Bound) -> Fact:
    """linalg.pinv: the sides change places."""
    dims = _dims(b.array("a"))
    shape = None if dims is None else (dims[1], dims[0])
    return UNKNOWN if b.has("return_rank") else array(exact((b.array("a"),)), shape)


def least_squares(b: Bound) -> Fact:
    """linalg.lstsq: solution, residues, rank, singular values."""
    dims, right = _dims(b.array("a")), b.array("b")
    dtype = exact((b.array("a"), right))
    shape = None
    if dims is not None and isinstance(right.shape, tuple):
        shape = (dims[1], *right.shape[1:])
    values = array(dtype, fresh_shape(b.ctx, b.name, 1, b.call.args))
    return tuple_of((array(dtype, shape), Fact("unknown", dtype), python_int(), values))


def frechet(b: Bound) -> Fact:
    """linalg.expm_frechet: of real matrices always in double precision."""
    a, along = b.array("A"), b.array("E")
    real = all(fact.dtype.startswith("float") for fact in (a, along))
    made = array("float64" if real else "", a.shape if a.rank == 2 else None)
    return made if b.constant("compute_expm", True) is False else tuple_of((made, made))


def two_sided(b: Bound) -> Fact:
    """linalg.solve_sylvester and its kin: the shape of q."""
    q = b.array("q")
    return array(exact((b.array("a"), q)), q.shape) if may_have_shape(q) else UNKNOWN


FINITE: Final = "overwrite_a check_finite"
SPECTRUM: Final = (
    "a b lower eigvals_only overwrite_a overwrite_b type check_finite subset_by_index "
    "subset_by_value driver"
)

TABLE: Final[dict[str, tuple[str, Rule]]] = {
    "linalg.solve": (
        "a b lower overwrite_a overwrite_b check_finite assume_a transposed",
        solution("a", "b"),
    ),
    "linalg.solve_triangular": (
        "a b trans lower unit_diagonal overwrite_b check_finite",
        solution("a", "b"),
    ),
    "linalg.cho_solve": ("c_and_lower b overwrite_b check_finite", by_factors("c_and_lower")),
    "linalg.lu_solve": ("lu_and_piv b trans overwrite_b check_finite", by_factors("lu_and_piv")),
    "linalg.inv": (f"a {FINITE} assume_a lower", matrix("a")),
    "linalg.pinv": ("a atol rtol return_rank check_finite", pseudo_inverse),
    "linalg.det": (f"a {FINITE}", determinant),
    "linalg.norm": ("a ord axis keepdims check_finite", norm),
    "linalg.cholesky": (f"a lower {FINITE}", matrix("a")),
    "linalg.cho_factor": (f"a lower {FINITE}", with_flag),
    "linalg.lu_factor": (f"a {FINITE}", with_pivots),
    "linalg.lu": ("a permute_l overwrite_a check_finite p_indices", three_factors),
    "linalg.polar": ("a side", polar_factors),
    "linalg.qr": ("a overwrite_a lwork mode pivoting check_finite", orthogonal),
    "linalg.svd": ("a full_matrices compute_uv overwrite_a check_finite lapack_driver", singular),
    "linalg.svdvals": (f"a {FINITE}", singular_values),
    "linalg.eig": ("a b left right overwrite_a overwrite_b check_finite homogeneous_eigvals", eig),
    "linalg.eigh": (SPECTRUM, eigen),
    "linalg.eigvalsh": (SPECTRUM.replace("eigvals_only ", ""), eigenvalues),
    "linalg.lstsq": (
        "a b cond overwrite_a overwrite_b check_finite lapack_driver",
        least_squares,
    ),
    **{f"linalg.{name}": ("A", matrix("A"))
       for name in ("signm", "expm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm")},
    "linalg.expm_frechet": ("A E method compute_expm check_finite", frechet),
    "linalg.logm": ("A disp", matrix("A", real=False)),
    "linalg.sqrtm": ("A disp blocksize", matrix("A", real=False)),
    "linalg.toeplitz": ("c r", diagonals),
    "linalg.hankel": ("c r", diagonals),
    "linalg.circulant": ("c", diagonals),
    "linalg.block_diag": ("a b c d e f", blocks),
    "linalg.solve_toeplitz": ("c_or_cr b check_finite", side_by("c_or_cr")),
    "linalg.solve_banded": (
        "l_and_u ab b overwrite_ab overwrite_b check_finite",
        side_by("ab"),
    ),
    "linalg.solveh_banded": ("ab b overwrite_ab overwrite_b lower check_finite", side_by("ab")),
    "spatial.distance.cdist": ("XA XB metric out", across),
    "spatial.distance.pdist": ("X metric out", pairs),
    "spatial.distance.squareform": ("X force checks", turned_square),
    "linalg.solve_sylvester": ("a b q", two_sided),
    "linalg.solve_continuous_lyapunov": ("a q", two_sided),
    "linalg.solve_lyapunov": ("a q", two_sided),
    "linalg.solve_discrete_lyapunov": ("a q method", two_sided),
    "linalg.solve_continuous_are": ("a b q r e s balanced", two_sided),
    "linalg.solve_discrete_are": ("a b q r e s balanced", two_sided),
}  # fmt: skip
