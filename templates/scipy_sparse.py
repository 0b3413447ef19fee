"""Systems of SciPy's sparse matrices, and their exponentials.

A matrix that varies is seen where it is made of entries in known places; else it is refused.
"""

FAMILY = "linear"


def expm_multiply(A: sparse, B):
    y = sparse_linalg.expm_multiply(A, B)
    B_bar = sparse_linalg.expm_multiply(A.T, y_bar)


# ---------------------------------------------------------------------------- systems


def spsolve(A: sparse, b):
    y = sparse_linalg.spsolve(A, b)
    b_bar = sparse_linalg.spsolve(A.T.tocsc(), y_bar)


def solve_by_factors(lu: factored, b):
    y = lu.solve(b)
    b_bar = lu.solve(y_bar, "T")


def solve_transposed_by_factors(lu: factored, b):
    y = lu.solve(b, "T")
    y = lu.solve(b, trans="T")
    b_bar = lu.solve(y_bar)


# ---------------------------------------------------------------------------- entries that vary

FAMILY = "explicit"


def expm_multiply_dense(A: (small, shapes((3, 3), (3, 3))), B: shapes((3,), (3, 2))):
    """The derivative of the exponential along a matrix: Al-Mohy and Higham 2009."""
    y = sparse_linalg.expm_multiply(A, B)
    A_bar = linalg.expm_frechet(np.transpose(A), _outer(y_bar, B), compute_expm=False)
    B_bar = sparse_linalg.expm_multiply(np.transpose(A), y_bar)
    y_dot = np.dot(linalg.expm_frechet(A, A_dot, compute_expm=False), B)
    y_dot = sparse_linalg.expm_multiply(A, B_dot)


EACH = "csr_array csr_matrix csc_array csc_matrix coo_array coo_matrix"


def product_of_dense(a, x):
    """A matrix in a sparse format that is made of an array: no entry is left out for good."""
    y = sparse.each(a) @ x
    a_bar = _outer(y_bar, x)
    x_bar = sparse.csr_matrix(np.transpose(a)) @ y_bar
    y_dot = np.dot(a_dot, x)
    y_dot = sparse.csr_matrix(a) @ x_dot


def product_of_transposed_dense(a, x):
    y = sparse.csr_array(np.transpose(a)) @ x
    a_bar = _outer(x, y_bar)
    x_bar = sparse.csr_array(a) @ y_bar
    y_dot = np.dot(np.transpose(a_dot), x)
    y_dot = sparse.csr_array(np.transpose(a)) @ x_dot


def solution_of_transposed_dense(a, b):
    y = sparse_linalg.spsolve(sparse.csr_array(np.transpose(a)), b)
    back = sparse_linalg.spsolve(sparse.csr_array(a), y_bar)
    a_bar = -_outer(y, back)
    b_bar = back
    y_dot = -sparse_linalg.spsolve(
        sparse.csr_array(np.transpose(a)), np.dot(np.transpose(a_dot), y)
    )
    y_dot = sparse_linalg.spsolve(sparse.csr_array(np.transpose(a)), b_dot)


def solution_of_dense(a, b):
    y = sparse_linalg.spsolve(sparse.each(a), b)
    back = sparse_linalg.spsolve(sparse.csr_matrix(np.transpose(a)), y_bar)
    a_bar = -_outer(back, y)
    b_bar = back
    y_dot = -sparse_linalg.spsolve(sparse.csr_matrix(a), np.dot(a_dot, y))
    y_dot = sparse_linalg.spsolve(sparse.csr_matrix(a), b_dot)


def product_of_entries(data, i, j, x, *, shape=None):
    y = sparse.each((data, (i, j)), shape=shape) @ x
    y = sparse.each((data, (i, j)), shape=shape).dot(x)
    data_bar = _entries(y_bar, x, i, j)
    x_bar = sparse.csr_matrix((data, (i, j)), shape=shape).T @ y_bar
    y_dot = sparse.csr_matrix((data_dot, (i, j)), shape=shape) @ x
    y_dot = sparse.csr_matrix((data, (i, j)), shape=shape) @ x_dot


EACH = "csr_array csr_matrix"


def product_of_rows(data, indices, indptr, x, *, shape=None):
    y = sparse.each((data, indices, indptr), shape=shape) @ x
    y = sparse.each((data, indices, indptr), shape=shape).dot(x)
    data_bar = _entries(y_bar, x, _spelled_out(indptr), indices)
    x_bar = sparse.csr_matrix((data, indices, indptr), shape=shape).T @ y_bar
    y_dot = sparse.csr_matrix((data_dot, indices, indptr), shape=shape) @ x
    y_dot = sparse.csr_matrix((data, indices, indptr), shape=shape) @ x_dot


EACH = "csc_array csc_matrix"


def product_of_columns(data, indices, indptr, x, *, shape=None):
    y = sparse.each((data, indices, indptr), shape=shape) @ x
    y = sparse.each((data, indices, indptr), shape=shape).dot(x)
    data_bar = _entries(y_bar, x, indices, _spelled_out(indptr))
    x_bar = sparse.csc_matrix((data, indices, indptr), shape=shape).T @ y_bar
    y_dot = sparse.csc_matrix((data_dot, indices, indptr), shape=shape) @ x
    y_dot = sparse.csc_matrix((data, indices, indptr), shape=shape) @ x_dot


EACH = "csr_array csr_matrix csc_array csc_matrix coo_array coo_matrix"


def solution_of_entries(data, i, j, b, *, shape=None):
    y = sparse_linalg.spsolve(sparse.each((data, (i, j)), shape=shape), b)
    back = sparse_linalg.spsolve(sparse.csr_matrix((data, (i, j)), shape=shape).T, y_bar)
    data_bar = -_entries(back, y, i, j)
    b_bar = back
    y_dot = -sparse_linalg.spsolve(
        sparse.csc_matrix((data, (i, j)), shape=shape),
        sparse.csr_matrix((data_dot, (i, j)), shape=shape) @ y,
    )
    y_dot = sparse_linalg.spsolve(sparse.csc_matrix((data, (i, j)), shape=shape), b_dot)


EACH = "csr_array csr_matrix"


def solution_of_rows(data, indices, indptr, b, *, shape=None):
    y = sparse_linalg.spsolve(sparse.each((data, indices, indptr), shape=shape), b)
    back = sparse_linalg.spsolve(sparse.csr_matrix((data, indices, indptr), shape=shape).T, y_bar)
    data_bar = -_entries(back, y, _spelled_out(indptr), indices)
    b_bar = back
    y_dot = -sparse_linalg.spsolve(
        sparse.csr_matrix((data, indices, indptr), shape=shape),
        sparse.csr_matrix((data_dot, indices, indptr), shape=shape) @ y,
    )
    y_dot = sparse_linalg.spsolve(sparse.csr_matrix((data, indices, indptr), shape=shape), b_dot)


EACH = "csc_array csc_matrix"


def solution_of_columns(data, indices, indptr, b, *, shape=None):
    y = sparse_linalg.spsolve(sparse.each((data, indices, indptr), shape=shape), b)
    back = sparse_linalg.spsolve(sparse.csc_matrix((data, indices, indptr), shape=shape).T, y_bar)
    data_bar = -_entries(back, y, indices, _spelled_out(indptr))
    b_bar = back
    y_dot = -sparse_linalg.spsolve(
        sparse.csc_matrix((data, indices, indptr), shape=shape),
        sparse.csc_matrix((data_dot, indices, indptr), shape=shape) @ y,
    )
    y_dot = sparse_linalg.spsolve(sparse.csc_matrix((data, indices, indptr), shape=shape), b_dot)


def entries_of(a: shapes((3,)), b: shapes((4,)), i: sample([0, 2]), j: sample([1, 1])):
    """The printed function, for a derivative that is differentiated again."""
    y = _entries(a, b, i, j)
    a_bar = _spread_entries(y_bar, b, i, j, a)
    b_bar = _spread_entries(y_bar, a, j, i, b)
    y_dot = _entries(a_dot, b, i, j)
    y_dot = _entries(a, b_dot, i, j)


def spread_entries_of(
    g: shapes((2,)),
    b: shapes((4,)),
    i: sample([0, 2]),
    j: sample([1, 1]),
    a: (constant, shapes((3,))),
):
    """The printed function, for a derivative that is differentiated again."""
    y = _spread_entries(g, b, i, j, a)
    g_bar = _entries(y_bar, b, i, j)
    b_bar = _spread_entries(g, y_bar, j, i, b)
    y_dot = _spread_entries(g_dot, b, i, j, a)
    y_dot = _spread_entries(g, b_dot, i, j, a)
