"""SciPy's iterative solvers: the solution they approach has the derivative, not their steps.

It is found by the same solver, of the transpose, as far as the tolerances ask for.
"""

FAMILY = "parts"


def cg(A: sparse, b, *, rtol=1e-05, atol=0.0, maxiter=None):
    y = sparse_linalg.cg(A, b, rtol=rtol, atol=atol, maxiter=maxiter)
    b_bar = _cg(A.T, y_bar[0], rtol, atol, maxiter)
    y_dot[0] = _cg(A, b_dot, rtol, atol, maxiter)


def cg_dense(A, b, *, rtol=1e-05, atol=0.0, maxiter=None):
    y = sparse_linalg.cg(A, b, rtol=rtol, atol=atol, maxiter=maxiter)
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
    A_bar = -np.outer(_gmres(np.transpose(A), y_bar[0], rtol, atol, restart, maxiter), y[0])
    b_bar = _gmres(np.transpose(A), y_bar[0], rtol, atol, restart, maxiter)
    y_dot[0] = -_gmres(A, np.dot(A_dot, y[0]), rtol, atol, restart, maxiter)
    y_dot[0] = _gmres(A, b_dot, rtol, atol, restart, maxiter)
