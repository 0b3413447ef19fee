"""scipy.sparse: what makes sparse matrices, and what takes them, by their entries.

sparse.diags([a, b], [0, 1])     SparseMatrix((a, b), rows, columns, shape)    a and b one after the other
spsolve(K, b)                    that of a matrix of SciPy's, which is made of these entries
"""

# mypy: ignore-errors

from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad.prelude.sparse_matrices import (
    SparseMatrix,
    as_entries,
    filled,
    is_sparse,
    matrix_of,
    places_of,
)


def _typed(matrix, dtype):
    """Return a matrix of another dtype, where that is asked."""
    if dtype is None or dtype is float or np.dtype(dtype) == np.float64:
        return matrix
    return matrix._with(matrix._values.astype(dtype))


def _maker(by_rows, is_matrix):
    """Return what stands for a class of compressed rows or columns."""

    def made(arg1, shape=None, dtype=None, copy=False):
        return _typed(matrix_of(arg1, shape, by_rows, is_matrix), dtype)

    return made


def _filler(is_matrix):
    """Return what stands for a class of matrices that are filled in place by place."""

    def made(arg1, shape=None, dtype=None, copy=False):
        return filled(arg1, is_matrix)

    return made


def diags(diagonals, offsets=0, shape=None, format=None, dtype=None):
    """Return the matrix with these diagonals; one number fills a whole diagonal."""
    if not isinstance(offsets, int):
        return _typed(_of_diagonals(diagonals, offsets, shape), dtype)
    if isinstance(diagonals, tuple) and np.ndim(diagonals[0]) == 1:
        return _typed(_of_diagonals(diagonals, (offsets,), shape), dtype)
    return _typed(_of_diagonals((diagonals,), (offsets,), shape), dtype)


def dia_matrix(arg1, shape=None, dtype=None, copy=False):
    """Return the matrix of which each row of the data is a diagonal."""
    if isinstance(arg1, tuple) and np.ndim(arg1[0]) > 0:
        return _typed(spdiags(arg1[0], arg1[1], shape), dtype)
    return _typed(matrix_of(arg1, shape, True, True), dtype)


def _of_diagonals(diagonals, offsets, shape):
    if shape is None:
        size = len(diagonals[0]) + abs(offsets[0])
        shape = (size, size)
    elif isinstance(shape, int):
        shape = (shape, shape)
    parts, rows, columns = (), (), ()
    for diagonal, offset in zip(diagonals, offsets, strict=True):
        row, column = places_of(offset, shape)
        values = diagonal if isinstance(diagonal, np.ndarray) else np.asarray(diagonal)
        if np.ndim(values) == 0 or len(values) == 1:
            values = values * np.ones(len(row))
        parts = (*parts, values[: len(row)])
        rows, columns = (*rows, row), (*columns, column)
    return SparseMatrix(_row(parts), _row(rows), _row(columns), shape, True)


def _row(parts):
    """Return arrays as one, one after the other."""
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


def diags_array(diagonals, *, offsets=0, shape=None, format=None, dtype=None):
    return diags(diagonals, offsets, shape)._of_kind(False)


def spdiags(data, diags, m=None, n=None, format=None):
    """Return the matrix of which each row of data is a diagonal, beginning at the first column."""
    if n is None:
        m, n = m if m is not None else (len(data[0]), len(data[0]))
    if isinstance(diags, int):
        return _of_rows(np.atleast_2d(data), (diags,), m, n)
    return _of_rows(data, diags, m, n)


def _of_rows(data, offsets, m, n):
    parts, rows, columns = (), (), ()
    for k, offset in enumerate(offsets):
        column = np.arange(max(offset, 0), min(n, m + offset, len(data[k])))
        parts, rows = (*parts, data[k][column]), (*rows, column - offset)
        columns = (*columns, column)
    return SparseMatrix(_row(parts), _row(rows), _row(columns), (m, n), True)


def identity(n, dtype="d", format=None):
    return SparseMatrix(np.ones(n), np.arange(n), np.arange(n), (n, n), True)


def eye(m, n=None, k=0, dtype=float, format=None):
    shape = (m, m if n is None else n)
    row, column = places_of(k, shape)
    return SparseMatrix(np.ones(len(row)), row, column, shape, True)


def eye_array(m, n=None, *, k=0, dtype=float, format=None):
    return eye(m, n, k)._of_kind(False)


def kron(A, B, format=None):
    """Return the Kronecker product of two matrices."""
    a, b = as_entries(A), as_entries(B)
    (m, n), (p, q) = a.shape, b.shape
    data = np.ravel(np.outer(a._values, b._values))
    row = np.ravel(a._rows[:, None] * p + b._rows)
    col = np.ravel(a._columns[:, None] * q + b._columns)
    return SparseMatrix(data, row, col, (m * p, n * q), a._is_matrix and b._is_matrix)


def kronsum(A, B, format=None):
    a, b = as_entries(A), as_entries(B)
    return kron(identity(b.shape[0]), a) + kron(b, identity(a.shape[0]))


def bmat(blocks, format=None, dtype=None):
    """Return the matrix of blocks in rows; None is a block of zeros."""
    heights, widths = _sides(blocks)
    parts, rows, columns, is_matrix, top = (), (), (), True, 0
    for line, height in zip(blocks, heights, strict=True):
        left = 0
        for each, width in zip(line, widths, strict=True):
            if each is not None:
                made = _as_block(each)
                parts, rows = (*parts, made._values), (*rows, made._rows + top)
                columns = (*columns, made._columns + left)
                is_matrix = is_matrix and made._is_matrix
            left = left + width
        top = top + height
    shape = (sum(heights), sum(widths))
    return SparseMatrix(_row(parts), _row(rows), _row(columns), shape, is_matrix)


def _sides(blocks):
    """Return how high the rows of blocks are, and how wide their columns."""
    heights = tuple([_side(next(each for each in line if each is not None), 0) for line in blocks])
    columns = zip(*blocks, strict=True)
    widths = tuple([_side(next(each for each in line if each is not None), 1) for line in columns])
    return heights, widths


def _as_block(block):
    return as_entries(block) if is_sparse(block) else matrix_of(block, None, True, True)


def _side(block, axis):
    return block.shape[axis] if is_sparse(block) else np.shape(np.atleast_2d(block))[axis]


def hstack(blocks, format=None, dtype=None):
    return bmat((blocks,))


def vstack(blocks, format=None, dtype=None):
    return bmat(tuple([(each,) for each in blocks]))


def block_diag(mats, format=None, dtype=None):
    lines = ()
    for i, each in enumerate(mats):
        line = ()
        for k, _ in enumerate(mats):
            line = (*line, each if i == k else None)
        lines = (*lines, line)
    return bmat(lines)


# ---------------------------------------------------------------------------- what takes matrices


class Factors:
    """What solves systems with a matrix: splu, spilu is another one."""

    def __init__(self, matrix):
        self._matrix = matrix
        self.shape = matrix.shape

    def solve(self, rhs, trans="N"):
        matrix = self._matrix.T if trans in ("T", "H") else self._matrix
        return np.reshape(spsolve(matrix, rhs), np.shape(rhs))

    def __call__(self, rhs):
        return self.solve(rhs)


def spsolve(A, b, permc_spec=None, use_umfpack=True):
    """Return the solution of a system."""
    from scipy.sparse.linalg import spsolve

    return spsolve(as_entries(A).__as_library__(), b)


def splu(A, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None, options=None):
    """Return what solves systems with a matrix."""
    return Factors(as_entries(A))


def spsolve_triangular(A, b, lower=True, overwrite_A=False, overwrite_b=False, unit_diagonal=False):
    """Return the solution of a system, of which the matrix is a triangle."""
    matrix = as_entries(A).tocsr()
    if unit_diagonal:
        matrix.setdiag(1.0)
    return spsolve(matrix, b)


def norm(x, ord=None, axis=None):
    """Return the norm of a matrix as numpy.linalg.norm does."""
    summed = as_entries(x)._summed()
    if axis is None and (ord is None or ord == "fro"):
        return np.linalg.norm(summed._values)
    return np.linalg.norm(summed.toarray(), ord, axis)


def expm_multiply(A, B):
    """Return the exponential of a matrix times vectors."""
    from scipy.sparse.linalg import expm_multiply

    return expm_multiply(as_entries(A).toarray(), B)


def inv(A):
    """Return the inverse of a matrix, none of whose entries is left out."""
    return _as_block(np.linalg.inv(as_entries(A).toarray()))


def issparse(x):
    return is_sparse(x)


NAMES = """
    block_diag bmat dia_matrix diags diags_array expm_multiply eye eye_array hstack identity inv issparse
    kron kronsum norm spdiags splu spsolve spsolve_triangular vstack
    """
SPARSE = {name: globals()[name] for name in NAMES.split()}
SPARSE |= {"factorized": splu}
for _end, _is_matrix in (("array", False), ("matrix", True)):
    SPARSE |= {
        f"{word}_{_end}": _maker(word != "csc", _is_matrix) for word in ("csr", "csc", "coo")
    }
    SPARSE |= {f"{word}_{_end}": _filler(_is_matrix) for word in ("lil", "dok")}


def sparse_function(function: Any) -> Any:
    """Return what stands for a function or class of scipy.sparse, None of others."""
    is_sparse = str(getattr(function, "__module__", "")).startswith(
        ("scipy.sparse", "scipy._lib._sparse")
    )
    return SPARSE.get(getattr(function, "__name__", "")) if is_sparse else None


def is_of_sparse_module(module: Mapping[str, Any]) -> bool:
    """Tell whether a function is one of those of sparse matrices, by the names of its module."""
    return str(module.get("__name__")).startswith("s2sad.prelude.sparse_")
