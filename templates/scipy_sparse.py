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


EACH = """
each:kind:row:column
csr_array:csr:_spelled_out(indptr):indices csr_matrix:csr:_spelled_out(indptr):indices
csc_array:csc:indices:_spelled_out(indptr) csc_matrix:csc:indices:_spelled_out(indptr)
"""


def solution_of_each(data, indices, indptr, b, *, shape=None):
    y = sparse_linalg.spsolve(sparse.each((data, indices, indptr), shape=shape), b)
    back = sparse_linalg.spsolve(sparse.kind_matrix((data, indices, indptr), shape=shape).T, y_bar)
    data_bar = -_entries(back, y, row, column)
    b_bar = back
    y_dot = -sparse_linalg.spsolve(
        sparse.kind_matrix((data, indices, indptr), shape=shape),
        sparse.kind_matrix((data_dot, indices, indptr), shape=shape) @ y,
    )
    y_dot = sparse_linalg.spsolve(sparse.kind_matrix((data, indices, indptr), shape=shape), b_dot)
