"""What products of matrices and vectors make, and np.linalg.

np.dot(W, x)      (m, n), (n,)  ->  (m,)     and the two n are equal, or it raises
np.linalg.inv(A)  (n, n)        ->  (n, n)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from s2sad.legacy.facts import scipy_sparse
from s2sad.legacy.facts.binding import OPEN, Bound
from s2sad.legacy.facts.context import Context, broadcast_of, fresh_shape
from s2sad.legacy.facts.dtypes import floating, promoted, real_part, summed
from s2sad.legacy.facts.elementwise import Table, elementwise, may_have_shape
from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact, array, scalar, tuple_of
from s2sad.legacy.facts.reductions import axes_of
from s2sad.legacy.facts.shapes import normal_axis, product_dim, without_axes

Dims = tuple[Dim, ...]


def product(dtype: str, dims: Dims) -> Fact:
    """Return what a product makes: a number when no axis is left."""
    return array(dtype, dims) if dims else scalar(dtype)


def matmul(ctx: Context, a: Fact, b: Fact) -> Fact:
    """Return what `a @ b` makes."""
    if "sparse" in (a.kind, b.kind):
        return scipy_sparse.product(ctx, a, b)
    a, b = a.in_the_end, b.in_the_end  # of numbers there is no such product
    dtype = promoted((a, b))
    if not may_have_shape(a) or not may_have_shape(b):
        return UNKNOWN
    if not isinstance(a.shape, tuple) or not isinstance(b.shape, tuple):
        return Fact("unknown", dtype)
    if not a.shape or not b.shape:
        return UNKNOWN
    at = max(len(b.shape) - 2, 0)
    ctx.imply(a.shape[-1], b.shape[at])
    rows = a.shape[-2:-1]
    columns = b.shape[-1:] if len(b.shape) > 1 else ()
    stack = broadcast_of(ctx, (a.shape[:-2], b.shape[:-2]))
    if not isinstance(stack, tuple):
        return array(dtype, None)
    return product(dtype, (*stack, *rows, *columns))


def dot(b: Bound) -> Fact:
    """np.dot: a product of numbers, of vectors, of matrices."""
    x, y = b.array("a"), b.array("b")
    dtype = promoted((x, y))
    if not may_have_shape(x) or not may_have_shape(y):
        return UNKNOWN
    if x.shape == () or y.shape == ():
        return elementwise(b.ctx, (x, y), dtype)
    if not isinstance(x.shape, tuple) or not isinstance(y.shape, tuple):
        return Fact("unknown", dtype)
    at = max(len(y.shape) - 2, 0)
    contract(b, x, len(x.shape) - 1, y, at)
    return product(dtype, (*x.shape[:-1], *y.shape[:at], *y.shape[at + 1 :]))


def contract(b: Bound, x: Fact, i: int, y: Fact, j: int) -> None:
    """Note that two axes have one length."""
    if isinstance(x.shape, tuple) and isinstance(y.shape, tuple):
        b.ctx.imply(x.shape[i], y.shape[j])


def matmul_call(b: Bound) -> Fact:
    """np.matmul."""
    return matmul(b.ctx, b.array("a"), b.array("b"))


def inner(b: Bound) -> Fact:
    """np.inner: a sum over the last axes."""
    x, y = b.array("a"), b.array("b")
    if not x.shape or not y.shape:
        return dot(b)
    if not isinstance(x.shape, tuple) or not isinstance(y.shape, tuple):
        return Fact("unknown", promoted((x, y)))
    contract(b, x, len(x.shape) - 1, y, len(y.shape) - 1)
    return product(promoted((x, y)), (*x.shape[:-1], *y.shape[:-1]))


def vdot(b: Bound) -> Fact:
    """np.vdot: a number."""
    x, y = b.array("a"), b.array("b")
    if x.rank == 1 and y.rank == 1:
        contract(b, x, 0, y, 0)
    return scalar(promoted((x, y)))


def outer(b: Bound) -> Fact:
    """np.outer: a matrix of two flat arrays."""
    x, y = b.array("a"), b.array("b")
    if not may_have_shape(x) or not may_have_shape(y):
        return UNKNOWN
    dims = tuple(_flat(b, fact, i) for i, fact in enumerate((x, y)))
    return array(promoted((x, y)), dims)


def _flat(b: Bound, fact: Fact, number: int) -> Dim:
    found = product_dim(fact.shape) if isinstance(fact.shape, tuple) else None
    return b.ctx.fresh(f"{b.name}.{number}", b.call.args) if found is None else found


def kron(b: Bound) -> Fact:
    """np.kron of arrays of one rank."""
    x, y = b.array("a"), b.array("b")
    if not x.rank or x.rank != y.rank:
        return UNKNOWN
    if not isinstance(x.shape, tuple) or not isinstance(y.shape, tuple):
        return UNKNOWN
    dims = []
    for i, pair in enumerate(zip(x.shape, y.shape, strict=True)):
        found = product_dim(pair)
        dims.append(b.ctx.fresh(f"{b.name}.{i}", b.call.args) if found is None else found)
    return array(promoted((x, y)), tuple(dims))


def tensordot(b: Bound) -> Fact:
    """np.tensordot with constant axes."""
    x, y, axes = b.array("a"), b.array("b"), b.constant("axes", 2)
    if not isinstance(x.shape, tuple) or not isinstance(y.shape, tuple):
        return Fact("unknown", promoted((x, y)))
    pair = _axes_pair(axes, len(x.shape), len(y.shape))
    if pair is None or not may_have_shape(x) or not may_have_shape(y):
        return UNKNOWN
    left, right = pair
    for i, j in zip(left, right, strict=True):
        contract(b, x, i, y, j)
    dims = (*without_axes(x.shape, left, False), *without_axes(y.shape, right, False))
    return array(promoted((x, y)), dims)


def _axes_pair(axes: object, m: int, n: int) -> tuple[list[int], list[int]] | None:
    if isinstance(axes, int):
        if not 0 <= axes <= min(m, n):
            return None
        return list(range(m - axes, m)), list(range(axes))
    if not isinstance(axes, tuple) or len(axes) != 2:
        return None
    left, right = axes_of(axes[0], m), axes_of(axes[1], n)
    if left is None or right is None or len(left) != len(right):
        return None
    return list(left), list(right)


def einsum(b: Bound) -> Fact:
    """np.einsum of a constant string without an ellipsis."""
    spec = b.constant("subscripts")
    names = [name for name in ("x1", "x2", "x3", "x4") if b.has(name)]
    facts = tuple(b.array(name) for name in names)
    if not isinstance(spec, str) or "." in spec:
        return UNKNOWN
    inputs, output = _subscripts(spec)
    if len(inputs) != len(facts):
        return UNKNOWN
    known: dict[str, Dim] = {}
    for letters, fact in zip(inputs, facts, strict=True):
        if fact.rank != len(letters) or not isinstance(fact.shape, tuple):
            return UNKNOWN
        for letter, dim in zip(letters, fact.shape, strict=True):
            known[letter] = _letter(b.ctx, known.get(letter, dim), dim)
    if not set(output) <= set(known):
        return UNKNOWN
    return product(promoted(facts), tuple(known[letter] for letter in output))


def _subscripts(spec: str) -> tuple[list[str], str]:
    left, arrow, output = spec.replace(" ", "").partition("->")
    letters = left.replace(",", "")
    if not arrow:
        output = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return left.split(","), output


def _letter(ctx: Context, before: Dim, dim: Dim) -> Dim:
    # einsum lets a length of 1 stand for any other
    found = broadcast_of(ctx, ((before,), (dim,)))
    return found[0] if isinstance(found, tuple) else dim


def trace(b: Bound) -> Fact:
    """np.trace of a matrix: a number."""
    a = b.array("a")
    return scalar(summed(a.dtype)) if a.rank == 2 else UNKNOWN


def convolve(b: Bound) -> Fact:
    """np.convolve, np.correlate: a vector."""
    a, v = b.array("a"), b.array("v")
    return array(promoted((a, v)), fresh_shape(b.ctx, b.name, 1, b.call.args))


AXES_OF_CROSS: Final = ("axisa", "axisb", "axisc")


def cross(b: Bound) -> Fact:
    """np.cross of arrays of vectors with three components."""
    x, y, axis = b.array("a"), b.array("b"), b.constant("axis", -1)
    shapes = [fact.shape for fact in (x, y) if isinstance(fact.shape, tuple)]
    if len(shapes) < 2 or not isinstance(axis, int) or any(map(b.has, AXES_OF_CROSS)):
        return UNKNOWN
    if any(normal_axis(axis, len(dims)) is None for dims in shapes):
        return UNKNOWN
    if axis != -1 and len(shapes[0]) != len(shapes[1]):
        return UNKNOWN
    if any(dims[axis] != Dim("", 3) for dims in shapes):
        if axis == -1:
            return UNKNOWN
        # vectors of two components have no axis that is named any more
        return array(promoted((x, y)), fresh_shape(b.ctx, b.name, len(shapes[0]), b.call.args))
    return elementwise(b.ctx, (x, y), promoted((x, y)))


# ---------------------------------------------------------------------------- np.linalg


def _square(b: Bound, fact: Fact) -> Dims | None:
    """Return the shape of a (stack of) square matrices, its two sides known to be equal."""
    if not isinstance(fact.shape, tuple) or len(fact.shape) < 2:
        return None
    b.ctx.imply(fact.shape[-2], fact.shape[-1])
    return fact.shape


def inverse(b: Bound) -> Fact:
    """np.linalg.inv and what else keeps the shape of a square matrix."""
    a = b.array("a")
    dims = _square(b, a)
    return array(floating(a.dtype), dims)


def determinant(b: Bound) -> Fact:
    """np.linalg.det: a number of one matrix."""
    a = b.array("a")
    dims = _square(b, a)
    dtype = floating(a.dtype)
    return Fact("unknown", dtype) if dims is None else product(dtype, dims[:-2])


def slogdet(b: Bound) -> Fact:
    """np.linalg.slogdet: sign and logarithm."""
    a = b.array("a")
    dims = _square(b, a)
    if dims is None:
        return UNKNOWN
    dtype = floating(a.dtype)
    return tuple_of((product(dtype, dims[:-2]), product(real_part(dtype), dims[:-2])))


def solve(b: Bound) -> Fact:
    """np.linalg.solve: the shape of the right-hand side."""
    a, y = b.array("a"), b.array("b")
    dims = _square(b, a)
    dtype = floating(promoted((a, y)))
    if dims is None or not isinstance(y.shape, tuple) or len(dims) != 2 or len(y.shape) > 2:
        return array(dtype, None)
    if y.shape:
        contract(b, a, 1, y, 0)
    return array(dtype, y.shape)


def eigenvalues(b: Bound) -> Fact:
    """np.linalg.eigvalsh: real numbers."""
    a = b.array("a")
    dims = _square(b, a)
    return array(real_part(floating(a.dtype)), None if dims is None else dims[:-1])


def eigh(b: Bound) -> Fact:
    """np.linalg.eigh: eigenvalues and eigenvectors."""
    return tuple_of((eigenvalues(b), inverse(b)))


def pinv(b: Bound) -> Fact:
    """np.linalg.pinv: the sides change places."""
    a = b.array("a")
    if not isinstance(a.shape, tuple) or len(a.shape) < 2:
        return array(floating(a.dtype), None)
    return array(floating(a.dtype), (*a.shape[:-2], a.shape[-1], a.shape[-2]))


def matrix_power(b: Bound) -> Fact:
    """np.linalg.matrix_power: integers may stay integers."""
    a = b.array("a")
    dims = _square(b, a)
    return array(a.dtype if floating(a.dtype) == a.dtype else "", dims)


def number(dtype_of: Callable[[str], str]) -> Callable[[Bound], Fact]:
    """Return the rule of a function of one matrix that gives a number."""

    def rule(b: Bound) -> Fact:
        a = b.array("a")
        return scalar(dtype_of(a.dtype)) if a.rank == 2 else UNKNOWN

    return rule


# ---------------------------------------------------------------------------- np.fft


def fft(b: Bound) -> Fact:
    """np.fft.fft, ifft, fftn and their kin without n=: the shape stays."""
    a = b.array("a")
    if any(b.has(name) for name in ("n", "s")):
        return array(_complex(a.dtype), _any_shape(b, a))
    return array(_complex(a.dtype), a.shape if may_have_shape(a) else None)


def _complex(dtype: str) -> str:
    if int(np.__version__.split(".")[0]) < 2 and dtype:
        return "complex128"
    small = ("float32", "complex64", "float16")
    return "complex64" if dtype in small else "complex128" if dtype else ""


def _any_shape(b: Bound, a: Fact) -> Dims | None:
    if a.rank is None:
        return None
    made = fresh_shape(b.ctx, b.name, a.rank, b.call.args)
    return made if isinstance(made, tuple) else None


def half_fft(b: Bound) -> Fact:
    """np.fft.rfft, irfft: another length along one axis."""
    a, axis = b.array("a"), b.constant("axis", -1)
    name = getattr(b.call.func, "text", "")
    dtype = real_part(_complex(a.dtype)) if "irfft" in name else _complex(a.dtype)
    if not isinstance(a.shape, tuple) or not isinstance(axis, int) or axis is OPEN:
        return array(dtype, _any_shape(b, a))
    at = normal_axis(axis, len(a.shape))
    if at is None:
        return UNKNOWN
    made = b.ctx.fresh(b.name, b.call.args or (b.call,))
    return array(dtype, (*a.shape[:at], made, *a.shape[at + 1 :]))


def shifted(b: Bound) -> Fact:
    """np.fft.fftshift, ifftshift."""
    a = b.array("x")
    return array(a.dtype, a.shape) if may_have_shape(a) else UNKNOWN


def frequencies(b: Bound) -> Fact:
    """np.fft.fftfreq, rfftfreq."""
    name = getattr(b.call.func, "text", "")
    if "rfftfreq" in name:
        return array("float64", fresh_shape(b.ctx, b.name, 1, b.call.args))
    return array("float64", (b.length("n"),))


TABLE: Final[Table] = {
    np.dot: ("a b out", dot),
    np.matmul: ("a b out", matmul_call),
    np.inner: ("a b", inner),
    np.vdot: ("a b", vdot),
    np.outer: ("a b out", outer),
    np.kron: ("a b", kron),
    np.tensordot: ("a b axes", tensordot),
    np.einsum: ("subscripts x1 x2 x3 x4 optimize", einsum),
    np.cross: ("a b axisa axisb axisc axis", cross),
    np.trace: ("a offset axis1 axis2 dtype out", trace),
    np.convolve: ("a v mode", convolve),
    np.correlate: ("a v mode", convolve),
    np.linalg.inv: ("a", inverse),
    np.linalg.cholesky: ("a", inverse),
    np.linalg.det: ("a", determinant),
    np.linalg.slogdet: ("a", slogdet),
    np.linalg.solve: ("a b", solve),
    np.linalg.eigvalsh: ("a UPLO", eigenvalues),
    np.linalg.eigh: ("a UPLO", eigh),
    np.linalg.pinv: ("a rcond hermitian", pinv),
    np.linalg.matrix_power: ("a n", matrix_power),
    np.linalg.cond: ("a p", number(lambda dtype: real_part(floating(dtype)))),
    np.linalg.matrix_rank: ("a tol hermitian", number(lambda _: "int64")),
    np.fft.fft: ("a n axis norm out", fft),
    np.fft.ifft: ("a n axis norm out", fft),
    np.fft.fft2: ("a s axes norm out", fft),
    np.fft.ifft2: ("a s axes norm out", fft),
    np.fft.fftn: ("a s axes norm out", fft),
    np.fft.ifftn: ("a s axes norm out", fft),
    np.fft.rfft: ("a n axis norm out", half_fft),
    np.fft.irfft: ("a n axis norm out", half_fft),
    np.fft.fftshift: ("x axes", shifted),
    np.fft.ifftshift: ("x axes", shifted),
    np.fft.fftfreq: ("n d device", frequencies),
    np.fft.rfftfreq: ("n d device", frequencies),
}
