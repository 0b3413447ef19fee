"""Functions for the entries of sparse matrices that right-hand sides call."""

import numpy as np
import scipy.sparse.linalg


def _entries(a, b, i, j):
    """Return a[i] * b[j], of matrices the sums over their columns."""
    products = a[i] * b[j]
    return products if np.ndim(products) == 1 else np.sum(products, axis=1)


def _spread_entries(g, b, i, j, a):
    """Return what a receives from the entries a[i] * b[j]."""
    a_bar = np.zeros_like(a)
    np.add.at(a_bar, i, np.transpose(g * np.transpose(b[j])))
    return a_bar


def _spelled_out(indptr):
    """Return the row of each entry of a matrix in rows that start at indptr."""
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def _cg(a, b, rtol, atol, maxiter):
    """Return the solution that scipy.sparse.linalg.cg finds, or raise."""
    x, info = scipy.sparse.linalg.cg(a, b, rtol=rtol, atol=atol, maxiter=maxiter)
    if info != 0:
        raise ValueError("conjugate gradients did not converge in the derivative")
    return x


def _gmres(a, b, rtol, atol, restart, maxiter):
    """Return the solution that scipy.sparse.linalg.gmres finds, or raise."""
    x, info = scipy.sparse.linalg.gmres(
        a, b, rtol=rtol, atol=atol, restart=restart, maxiter=maxiter
    )
    if info != 0:
        raise ValueError("gmres did not converge in the derivative")
    return x


def _cg_of_entries(data, i, j, shape, b, rtol, atol, maxiter):
    """Return what cg finds for a matrix of these entries, or raise."""
    x, info = scipy.sparse.linalg.cg(
        scipy.sparse.csr_matrix((data, (i, j)), shape=shape),
        b,
        rtol=rtol,
        atol=atol,
        maxiter=maxiter,
    )
    if info != 0:
        raise ValueError("conjugate gradients did not converge in the derivative")
    return x


def _gmres_of_entries(data, i, j, shape, b, rtol, atol, restart, maxiter):
    """Return what gmres finds for a matrix of these entries, or raise."""
    x, info = scipy.sparse.linalg.gmres(
        scipy.sparse.csr_matrix((data, (i, j)), shape=shape),
        b,
        rtol=rtol,
        atol=atol,
        restart=restart,
        maxiter=maxiter,
    )
    if info != 0:
        raise ValueError("gmres did not converge in the derivative")
    return x


def _solved_by_factors(A, b):
    """Twin of scipy.sparse.linalg.splu(A).solve(b)."""
    return np.reshape(scipy.sparse.linalg.spsolve(A, b), np.shape(b))
