"""scipy.sparse: matrices whose entries vary, as their entries with the row and column of each.

sparse.diags([a, b], [0, 1])     SparseMatrix((a, b), rows, columns, shape)      a and b one after the other
K + 2.0 * M                      the entries of both: those of one place count together
K @ u, spsolve(K, b)             those of a matrix that is made of these entries

What is zero keeps its place: its derivative is none.
"""

# mypy: ignore-errors

import numpy as np


def is_sparse(value):
    """Tell whether a value is a sparse matrix, one of the library's or one of these."""
    return not isinstance(value, (list, tuple)) and hasattr(value, "tocoo")


class Matrix:
    """What numpy.matrix holds: two axes; only what does not depend on its operators is given."""

    def __init__(self, values):
        self.A = values

    def __array__(self):
        return self.A

    @property
    def A1(self):
        return np.ravel(self.A)


class SparseMatrix:
    """A sparse matrix; `is_matrix` of those whose `*` is a product of matrices."""

    ndim = 2

    def __init__(self, values, rows, columns, shape, is_matrix):
        self._values = values
        self._rows = rows
        self._columns = columns
        self.shape = shape
        self._is_matrix = is_matrix

    def __as_library__(self):
        """Return the matrix that a library is handed."""
        from scipy.sparse import csc_matrix

        m, n = self.shape
        return csc_matrix((self._values, (self._rows, self._columns)), shape=(m, n))

    def _with(self, values):
        return SparseMatrix(values, self._rows, self._columns, self.shape, self._is_matrix)

    def _of_kind(self, is_matrix):
        return SparseMatrix(self._values, self._rows, self._columns, self.shape, is_matrix)

    def _summed(self):
        """Return the matrix with one entry for each place."""
        places = self._rows * self.shape[1] + self._columns
        found, position = np.unique(places, return_inverse=True)
        values = np.zeros(len(found), self._values.dtype)
        np.add.at(values, position, self._values)
        rows, columns = found // self.shape[1], found % self.shape[1]
        return SparseMatrix(values, rows, columns, self.shape, self._is_matrix)

    def tocsr(self, copy=False):
        """Return a matrix of its own: a diagonal that is set in it is set in no other."""
        return self._with(self._values)

    tocsc = tocoo = todia = tobsr = tocsr

    def copy(self):
        return self.tocsr()

    def asformat(self, format, copy=False):
        return self.tocsr()

    def tolil(self, copy=False):
        return filled(self, self._is_matrix)

    todok = tolil

    def sum_duplicates(self):
        return None

    sort_indices = eliminate_zeros = sum_duplicates

    def transpose(self):
        m, n = self.shape
        return SparseMatrix(self._values, self._columns, self._rows, (n, m), self._is_matrix)

    T = property(transpose)

    def toarray(self):
        dense = np.zeros(self.shape, self._values.dtype)
        np.add.at(dense, (self._rows, self._columns), self._values)
        return dense

    def _as_dense(self, values):
        return Matrix(values) if self._is_matrix else values

    def todense(self):
        return self._as_dense(self.toarray())

    A = property(toarray)

    def diagonal(self, k=0):
        m, n = self.shape
        chosen = np.flatnonzero(self._columns - self._rows == k)
        found = np.zeros(min(m + min(k, 0), n - max(k, 0)), self._values.dtype)
        np.add.at(found, self._rows[chosen] - max(-k, 0), self._values[chosen])
        return found

    def trace(self, offset=0):
        return np.sum(self.diagonal(offset))

    def setdiag(self, values, k=0):
        kept = np.flatnonzero(self._columns - self._rows != k)
        row, column = places_of(k, self.shape)
        given = np.asarray(values)
        if np.ndim(given) == 0:
            given = given * np.ones(len(row))
        count = min(len(given), len(row))
        self._values = np.concatenate((self._values[kept], given[:count]))
        self._rows = np.concatenate((self._rows[kept], row[:count]))
        self._columns = np.concatenate((self._columns[kept], column[:count]))

    def sum(self, axis=None):
        if axis is None:
            return np.sum(self._values)
        along = axis % 2
        found = np.zeros(self.shape[1 - along], self._values.dtype)
        np.add.at(found, self._columns if along == 0 else self._rows, self._values)
        if self._is_matrix:
            return Matrix(np.array(found[None, :] if along == 0 else found[:, None]))
        return found

    def mean(self, axis=None):
        count = self.shape[0] * self.shape[1] if axis is None else self.shape[axis]
        if axis is not None and self._is_matrix:
            return Matrix(self.sum(axis).A / count)
        return self.sum(axis) / count

    def multiply(self, other):
        if is_sparse(other):
            return _elementwise(self._summed(), as_entries(other)._summed())
        if np.ndim(other) == 0:
            return self._with(self._values * other)
        factors = np.broadcast_to(np.asarray(other), self.shape)
        return self._with(self._values * factors[self._rows, self._columns])

    def power(self, n):
        summed = self._summed()
        return summed._with(summed._values**n)

    def __neg__(self):
        return self._with(-self._values)

    def __abs__(self):
        summed = self._summed()
        return summed._with(np.abs(summed._values))

    def __add__(self, other):
        if not is_sparse(other) and np.ndim(other) == 0:
            return self.tocsr()  # the only number that SciPy adds is 0
        if not is_sparse(other):
            return self._as_dense(self.toarray() + np.asarray(other))
        return _together(self, as_entries(other))

    __radd__ = __add__

    def __sub__(self, other):
        return self + (-as_entries(other) if is_sparse(other) else -other)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if not is_sparse(other) and np.ndim(other) == 0:
            return self._with(self._values * other)
        return self @ other if self._is_matrix else self.multiply(other)

    def __rmul__(self, other):
        if not is_sparse(other) and np.ndim(other) == 0:
            return self._with(other * self._values)
        return other @ self if self._is_matrix else self.multiply(other)

    def __truediv__(self, other):
        if np.ndim(other) == 0:
            return self._with(self._values / other)
        return self.multiply(1.0 / np.asarray(other))

    def __pow__(self, n):
        if not self._is_matrix:
            return self.power(n)
        product = _choosing(slice(None), self.shape[0], True)
        for _ in range(n):
            product = product @ self
        return product

    def __matmul__(self, other):
        if is_sparse(other):
            return _product(self, as_entries(other))
        return self.__as_library__() @ other

    dot = __matmul__

    def __rmatmul__(self, other):
        if is_sparse(other):
            return _product(as_entries(other), self)
        return np.transpose(self.T @ np.transpose(other))

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            key = (key, slice(None))
        m, n = self.shape
        i, j = key
        is_cut = isinstance(i, slice) or isinstance(j, slice)
        if not is_cut and np.ndim(i) == 0 and np.ndim(j) == 0:
            at = np.flatnonzero((self._rows == i % m) & (self._columns == j % n))
            return np.sum(self._values[at])
        rows, columns = _choosing(i, m, self._is_matrix), _choosing(j, n, self._is_matrix)
        return rows @ self @ columns.T

    def getrow(self, i):
        return self[[i], :]

    def getcol(self, i):
        return self[:, [i]]


class FilledMatrix(SparseMatrix):
    """A matrix that is filled in place by place: lil and dok."""

    def __init__(self, dense, places, is_matrix):
        self._dense = dense
        self._places = places
        self.shape = np.shape(dense)
        self._is_matrix = is_matrix

    def tocsr(self, copy=False):
        """Return the matrix of the places that have been stored to."""
        rows, columns = np.nonzero(self._places)
        values = self._dense[rows, columns]
        return SparseMatrix(values, rows, columns, self.shape, self._is_matrix)

    tocsc = tocoo = todia = tobsr = tocsr

    def copy(self):
        return FilledMatrix(self._dense.copy(), self._places.copy(), self._is_matrix)

    def __as_library__(self):
        return self.tocsr().__as_library__()

    def toarray(self):
        return self._dense.copy()

    def setdiag(self, values, k=0):
        row, column = places_of(k, self.shape)
        given = np.asarray(values)
        if np.ndim(given) > 0:
            count = min(len(given), len(row))
            row, column, given = row[:count], column[:count], given[:count]
        self._dense[row, column] = given
        self._places[row, column] = True

    def __setitem__(self, key, value):
        given = value.toarray() if is_sparse(value) else value
        self._dense[key] = given.A if isinstance(given, Matrix) else given
        self._places[key] = True

    def __getitem__(self, key):
        if isinstance(key, tuple):
            i, j = key
            is_cut = isinstance(i, slice) or isinstance(j, slice)
            if not is_cut and np.ndim(i) == 0 and np.ndim(j) == 0:
                return self._dense[key]
        return self.tocsr()[key]

    def __add__(self, other):
        return self.tocsr() + other

    def __sub__(self, other):
        return self.tocsr() - other

    def __neg__(self):
        return -self.tocsr()

    def __mul__(self, other):
        return self.tocsr() * other

    def __rmul__(self, other):
        return other * self.tocsr()

    def __matmul__(self, other):
        return self.tocsr() @ other

    dot = __matmul__

    def transpose(self):
        return FilledMatrix(self._dense.T.copy(), self._places.T.copy(), self._is_matrix)

    T = property(transpose)


def _choosing(index, size, is_matrix):
    """Return the matrix that takes rows: one entry in each."""
    if isinstance(index, slice):
        chosen = np.arange(size)[index]
    elif np.ndim(index) == 0:
        chosen = np.array([index % size])
    else:
        chosen = np.arange(size)[np.ravel(index)]
    count = len(chosen)
    return SparseMatrix(np.ones(count), np.arange(count), chosen, (count, size), is_matrix)


def as_entries(matrix):
    """Return a sparse matrix as its entries."""
    if isinstance(matrix, SparseMatrix):
        return matrix.tocsr()
    from scipy.sparse import spmatrix

    found = matrix.tocoo()
    is_matrix = isinstance(matrix, spmatrix)
    return SparseMatrix(found.data, found.row, found.col, found.shape, is_matrix)


def _together(one, other):
    """Return the sum of two matrices."""
    return SparseMatrix(
        np.concatenate((one._values, other._values)),
        np.concatenate((one._rows, other._rows)),
        np.concatenate((one._columns, other._columns)),
        one.shape,
        one._is_matrix and other._is_matrix,
    )


def _elementwise(one, other):
    """Return the product entry by entry: places that either lacks are zero."""
    count = one.shape[1]
    places, others = one._rows * count + one._columns, other._rows * count + other._columns
    _, left, right = np.intersect1d(places, others, assume_unique=True, return_indices=True)
    values = one._values[left] * other._values[right]
    is_matrix = one._is_matrix and other._is_matrix
    return SparseMatrix(values, one._rows[left], one._columns[left], one.shape, is_matrix)


def _product(one, other):
    """Return the product of two matrices: an entry meets all those of the row that is its column."""
    order = np.argsort(other._rows, kind="stable")
    starts = np.searchsorted(other._rows[order], one._columns, side="left")
    counts = np.searchsorted(other._rows[order], one._columns, side="right") - starts
    left = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts)
    right = order[starts[left] + within]
    values = one._values[left] * other._values[right]
    shape = (one.shape[0], other.shape[1])
    is_matrix = one._is_matrix and other._is_matrix
    return SparseMatrix(values, one._rows[left], other._columns[right], shape, is_matrix)


def matrix_of(given, shape, by_rows, is_matrix):
    """Return the matrix that a class of SciPy's makes of what it is given."""
    if is_sparse(given):
        return as_entries(given)._of_kind(is_matrix)
    if isinstance(given, tuple) and len(given) == 3:
        data, along, starts = given
        across = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        row, col = (across, along) if by_rows else (along, across)
    elif isinstance(given, tuple) and isinstance(given[1], (tuple, list, np.ndarray)):
        data, (row, col) = given
    elif isinstance(given, tuple):
        nowhere = np.zeros(0, dtype=int)
        return SparseMatrix(np.zeros(0), nowhere, nowhere, given, is_matrix)
    else:
        dense = np.atleast_2d(given)
        m, n = np.shape(dense)
        row, col = np.repeat(np.arange(m), n), np.tile(np.arange(n), m)
        return SparseMatrix(dense.flatten(), row, col, (m, n), is_matrix)
    if shape is None:
        shape = (np.max(row) + 1, np.max(col) + 1)
    return SparseMatrix(np.asarray(data), np.asarray(row), np.asarray(col), shape, is_matrix)


def filled(given, is_matrix):
    """Return a matrix of lists of rows, or of keys, that is filled in."""
    if isinstance(given, tuple):
        return FilledMatrix(np.zeros(given), np.zeros(given, dtype=bool), is_matrix)
    if is_sparse(given):
        found = as_entries(given)
        places = np.zeros(found.shape, dtype=bool)
        places[found._rows, found._columns] = True
        return FilledMatrix(found.toarray(), places, is_matrix)
    dense = np.atleast_2d(given)
    return FilledMatrix(dense.copy(), np.ones(np.shape(dense), dtype=bool), is_matrix)


def places_of(offset, shape):
    """Return the rows and columns of a diagonal."""
    m, n = shape
    if offset == 0:
        row = np.arange(min(m, n))
        return row, row
    if offset < 0:
        column = np.arange(min(m + offset, n))
        return column - offset, column
    row = np.arange(min(m, n - offset))
    return row, row + offset
