"""SciPy's iterative solvers: the solution they approach has the derivative, not their steps.

It is found by the same solver, of the transpose, as far as the tolerances ask for.
"""

FAMILY = "parts"


def cg(A: sparse, b, *, rtol=1e-05, atol=0.0, maxiter=None):
    y = sparse_linalg.cg(A, b, rtol=rtol, atol=atol, maxiter=maxiter)
    b_bar = _cg(A.T, y_bar[0], rtol, atol, maxiter)
    y_dot[0] = _cg(A, b_dot, rtol, atol, maxiter)


EACH = "csr_array csr_matrix csc_array csc_matrix coo_array coo_matrix"


def cg_dense(A, b, *, rtol=1e-05, atol=0.0, maxiter=None):
    y = sparse_linalg.cg(A, b, rtol=rtol, atol=atol, maxiter=maxiter)
    y = sparse_linalg.cg(sparse.each(A), b, rtol=rtol, atol=atol, maxiter=maxiter)
    A_bar = -np.outer(_cg(np.transpose(A), y_bar[0], rtol, atol, maxiter), y[0])
    b_bar = _cg(np.transpose(A), y_bar[0], rtol, atol, maxiter)
    y_dot[0] = -_cg(A, np.dot(A_dot, y[0]), rtol, atol, maxiter)
    y_dot[0] = _cg(A, b_dot, rtol, atol, maxiter)


def gmres(A: sparse, b, *, rtol=1e-05, atol=0.0, restart=None, maxiter=None):
    y = sparse_linalg.gmres(A, b, rtol=rtol, atol=atol, restart=restart, maxiter=maxiter)
    b_bar = _gmres(A.T, y_bar[0], rtol, atol, restart, maxiter)
    y_dot[0] = _gmres(A, b_dot, rtol, atol, restart, maxiter)


def gmres_dense(A, b, *, rtol=1e-05, atol=0.0, restart=None, maxiter=None):
    y = sparse_linalg.gmres(A, b, rtol=rtol, atol=atol, restart=restart, maxiter=maxiter)
    y = sparse_linalg.gmres(
        sparse.each(A), b, rtol=rtol, atol=atol, restart=restart, maxiter=maxiter
    )
    A_bar = -np.outer(_gmres(np.transpose(A), y_bar[0], rtol, atol, restart, maxiter), y[0])
    b_bar = _gmres(np.transpose(A), y_bar[0], rtol, atol, restart, maxiter)
    y_dot[0] = -_gmres(A, np.dot(A_dot, y[0]), rtol, atol, restart, maxiter)
    y_dot[0] = _gmres(A, b_dot, rtol, atol, restart, maxiter)


def cg_of_entries(data, i, j, b, *, shape=None, rtol=1e-05, atol=0.0, maxiter=None):
    y = sparse_linalg.cg(
        sparse.each((data, (i, j)), shape=shape), b, rtol=rtol, atol=atol, maxiter=maxiter
    )
    back = _cg_of_entries(data, j, i, shape, y_bar[0], rtol, atol, maxiter)
    data_bar = -_entries(back, y[0], i, j)
    b_bar = back
    y_dot[0] = -_cg_of_entries(
        data,
        i,
        j,
        shape,
        sparse.csr_matrix((data_dot, (i, j)), shape=shape) @ y[0],
        rtol,
        atol,
        maxiter,
    )
    y_dot[0] = _cg_of_entries(data, i, j, shape, b_dot, rtol, atol, maxiter)


EACH = """
each:row:column
csr_array:_spelled_out(indptr):indices csr_matrix:_spelled_out(indptr):indices
csc_array:indices:_spelled_out(indptr) csc_matrix:indices:_spelled_out(indptr)
"""


def cg_of_each(data, indices, indptr, b, *, shape=None, rtol=1e-05, atol=0.0, maxiter=None):
    y = sparse_linalg.cg(
        sparse.each((data, indices, indptr), shape=shape),
        b,
        rtol=rtol,
        atol=atol,
        maxiter=maxiter,
    )
    back = _cg_of_entries(data, column, row, shape, y_bar[0], rtol, atol, maxiter)
    data_bar = -_entries(back, y[0], row, column)
    b_bar = back
    y_dot[0] = -_cg_of_entries(
        data,
        row,
        column,
        shape,
        sparse.csr_matrix((data_dot, (row, column)), shape=shape) @ y[0],
        rtol,
        atol,
        maxiter,
    )
    y_dot[0] = _cg_of_entries(data, row, column, shape, b_dot, rtol, atol, maxiter)


EACH = "csr_array csr_matrix csc_array csc_matrix coo_array coo_matrix"


def gmres_of_entries(
    data, i, j, b, *, shape=None, rtol=1e-05, atol=0.0, restart=None, maxiter=None
):
    y = sparse_linalg.gmres(
        sparse.each((data, (i, j)), shape=shape),
        b,
        rtol=rtol,
        atol=atol,
        restart=restart,
        maxiter=maxiter,
    )
    back = _gmres_of_entries(data, j, i, shape, y_bar[0], rtol, atol, restart, maxiter)
    data_bar = -_entries(back, y[0], i, j)
    b_bar = back
    y_dot[0] = -_gmres_of_entries(
        data,
        i,
        j,
        shape,
        sparse.csr_matrix((data_dot, (i, j)), shape=shape) @ y[0],
        rtol,
        atol,
        restart,
        maxiter,
    )
    y_dot[0] = _gmres_of_entries(data, i, j, shape, b_dot, rtol, atol, restart, maxiter)


EACH = """
each:row:column
csr_array:_spelled_out(indptr):indices csr_matrix:_spelled_out(indptr):indices
csc_array:indices:_spelled_out(indptr) csc_matrix:indices:_spelled_out(indptr)
"""


def gmres_of_each(
    data, indices, indptr, b, *, shape=None, rtol=1e-05, atol=0.0, restart=None, maxiter=None
):
    y = sparse_linalg.gmres(
        sparse.each((data, indices, indptr), shape=shape),
        b,
        rtol=rtol,
        atol=atol,
        restart=restart,
        maxiter=maxiter,
    )
    back = _gmres_of_entries(data, column, row, shape, y_bar[0], rtol, atol, restart, maxiter)
    data_bar = -_entries(back, y[0], row, column)
    b_bar = back
    y_dot[0] = -_gmres_of_entries(
        data,
        row,
        column,
        shape,
        sparse.csr_matrix((data_dot, (row, column)), shape=shape) @ y[0],
        rtol,
        atol,
        restart,
        maxiter,
    )
    y_dot[0] = _gmres_of_entries(data, row, column, shape, b_dot, rtol, atol, restart, maxiter)
