"""What sparse matrices make: products with arrays are arrays.

A @ x       sparse, (n,)        ->  a vector
A.T         sparse              ->  sparse
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from s2sad.legacy.facts.binding import Bound
from s2sad.legacy.facts.context import Context
from s2sad.legacy.facts.elementwise import Rule
from s2sad.legacy.facts.fact import UNKNOWN, Fact, array, tuple_of
from s2sad.legacy.facts.scipy_linalg import side_by
from s2sad.legacy.facts.scipy_shapes import exact

SPARSE: Final = Fact("sparse")
KEEPING: Final = frozenset(
    "T transpose tocsr tocsc tocoo copy multiply power conj conjugate astype real".split()
)


def product(ctx: Context, a: Fact, b: Fact) -> Fact:
    """Return what `a @ b` makes where one of both is sparse."""
    if a.kind == b.kind:
        return SPARSE
    dense, other = (a, b) if b.kind == "sparse" else (b, a)
    if not dense.rank or not isinstance(dense.shape, tuple):
        return Fact("array", exact((dense, other))) if dense.is_array else UNKNOWN
    made = ctx.fresh("@", ())
    kept = dense.shape[:-1] if dense is a else dense.shape[1:]
    return array(exact((dense, other)), (*kept, made) if dense is a else (made, *kept))


def part(fact: Fact, name: str) -> Fact:
    """Return what an attribute of a sparse matrix, or a method without arguments, gives."""
    if name in KEEPING:
        return SPARSE
    return array(fact.dtype, None) if name in ("toarray", "data", "diagonal") else UNKNOWN


def matrix(b: Bound) -> Fact:
    """sparse.csr_matrix and its kin."""
    return SPARSE


def approximate(b: Bound) -> Fact:
    """sparse.linalg.cg and its kin: a solution, and how it went."""
    return tuple_of((side_by("A")(b), Fact("int", "int64", (), weak=None)))


def moved(b: Bound) -> Fact:
    """sparse.linalg.expm_multiply without times: the shape of B."""
    b_fact = b.array("B")
    times = any(b.has(name) for name in ("start", "stop", "num"))
    known = b_fact.is_array and bool(b_fact.rank) and not times
    return array(exact((b.fact("A"), b_fact)), b_fact.shape) if known else UNKNOWN


CLASSES: Final = tuple(
    f"{form}_{kind}" for form in ("csr", "csc", "coo") for kind in ("matrix", "array")
)
SOLVERS: Final = ("cg", "gmres", "bicgstab")
GIVEN: Final = "A b x0 rtol atol restart maxiter M callback callback_type"

TABLE: Final[Mapping[str, tuple[str, Rule]]] = {
    **{f"sparse.{name}": ("arg1 shape dtype copy", matrix) for name in CLASSES},
    "sparse.diags": ("diagonals offsets shape format dtype", matrix),
    "sparse.eye": ("m n k dtype format", matrix),
    "sparse.linalg.spsolve": ("A b permc_spec use_umfpack", side_by("A")),
    **{f"sparse.linalg.{name}": (GIVEN, approximate) for name in SOLVERS},
    "sparse.linalg.expm_multiply": ("A B start stop num endpoint traceA", moved),
}
