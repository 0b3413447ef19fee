"""Products with sparse matrices, whoever has imported what else of SciPy; of entries that vary, too."""

FAMILY = "linear"


def matmul(a: sparse, b):
    y = a @ b
    y = a.dot(b)
    b_bar = a.T @ y_bar


def matmul_from_the_left(a, b: sparse):
    y = a @ b
    a_bar = y_bar @ b.T


# ---------------------------------------------------------------------------- entries that vary

FAMILY = "explicit"
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


def product_of_entries(data, i, j, x, *, shape=None):
    y = sparse.each((data, (i, j)), shape=shape) @ x
    y = sparse.each((data, (i, j)), shape=shape).dot(x)
    data_bar = _entries(y_bar, x, i, j)
    x_bar = sparse.csr_matrix((data, (i, j)), shape=shape).T @ y_bar
    y_dot = sparse.csr_matrix((data_dot, (i, j)), shape=shape) @ x
    y_dot = sparse.csr_matrix((data, (i, j)), shape=shape) @ x_dot


EACH = """
each:kind:row:column
csr_array:csr:_spelled_out(indptr):indices csr_matrix:csr:_spelled_out(indptr):indices
csc_array:csc:indices:_spelled_out(indptr) csc_matrix:csc:indices:_spelled_out(indptr)
"""


def product_of_each(data, indices, indptr, x, *, shape=None):
    y = sparse.each((data, indices, indptr), shape=shape) @ x
    y = sparse.each((data, indices, indptr), shape=shape).dot(x)
    data_bar = _entries(y_bar, x, row, column)
    x_bar = sparse.kind_matrix((data, indices, indptr), shape=shape).T @ y_bar
    y_dot = sparse.kind_matrix((data_dot, indices, indptr), shape=shape) @ x
    y_dot = sparse.kind_matrix((data, indices, indptr), shape=shape) @ x_dot


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
