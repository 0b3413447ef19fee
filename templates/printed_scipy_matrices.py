"""More functions that right-hand sides for scipy.linalg call: blocks, spectra, equations."""

import numpy as np
import scipy.linalg


def _blocks(a, e):
    """Return the matrix of blocks [[a, e], [0, a]]."""
    return np.concatenate(
        (
            np.concatenate((a, e), axis=1),
            np.concatenate((np.zeros_like(a), a), axis=1),
        )
    )


def _corner(a):
    """Return the upper right block of four."""
    half = len(a) // 2
    return a[:half, half:]


def _real(a, like):
    """Return a matrix that is real but for rounding; complex ones are refused."""
    if np.iscomplexobj(a) and np.max(np.abs(a.imag)) > 1e-6 * np.max(np.abs(a)):
        raise ValueError("a function of a matrix is complex here: no derivative")
    return np.real(a).astype(like.dtype)


def _expm_twice(a, e, g):
    """Return the second derivative of scipy.linalg.expm at a, along e and g."""
    outer = _blocks(g, np.zeros_like(a))
    return _corner(_corner(scipy.linalg.expm(_blocks(_blocks(a, e), outer))))


def _spectrum_bar(w_bar, a, lower):
    """Return what a symmetric matrix receives from its eigenvalues."""
    _, v = scipy.linalg.eigh(a, lower=lower)
    return np.dot(v * w_bar, np.transpose(v))


def _spectrum_dot(a_dot, a, lower):
    """Return the tangent of the eigenvalues of a symmetric matrix."""
    _, v = scipy.linalg.eigh(a, lower=lower)
    return np.diag(np.dot(np.transpose(v), np.dot(a_dot, v)))


def _congruence_dot(a, a_dot, y):
    """Return the tangent of a y a.T, of a's."""
    half = np.dot(a_dot, np.dot(y, np.transpose(a)))
    return half + np.dot(a, np.dot(y, np.transpose(a_dot)))


def _care_dot(closed, rise):
    """Return the tangent of a continuous Riccati equation's solution."""
    rise = -0.5 * (rise + np.transpose(rise))
    return scipy.linalg.solve_continuous_lyapunov(np.transpose(closed), rise)


def _dare_dot(closed, rise):
    """Return the tangent of a discrete Riccati equation's solution."""
    rise = 0.5 * (rise + np.transpose(rise))
    return scipy.linalg.solve_discrete_lyapunov(np.transpose(closed), rise)


def _inverse_of(cov):
    """Return the inverse of a matrix of which the lower triangle is read."""
    unit = np.eye(len(cov), dtype=cov.dtype)
    return scipy.linalg.solve(cov, unit, lower=True, assume_a="pos")


def _spread_dot(pull, inverse, cov_dot):
    """Return how far cov_dot stretches each column of pull, less its average."""
    return np.sum(pull * np.dot(cov_dot, pull), axis=0) - np.sum(inverse * cov_dot)


def _turn(a_dot, u, p):
    """Return how the orthogonal factor of a = u p turns, a matrix that is skew."""
    across = np.dot(np.transpose(u), a_dot)
    return scipy.linalg.solve_sylvester(p, p, across - np.transpose(across))


def _turn_bar(inner, u, p):
    """Return what a = u p receives from the adjoint of how u turns."""
    return np.dot(u, scipy.linalg.solve_sylvester(p, p, inner - np.transpose(inner)))


def _beside(a, u, p):
    """Return what of a leads out of u, divided by p; 0 of a square u."""
    if len(u) == len(p):
        return np.zeros_like(a)
    if len(u) < len(p):
        raise ValueError("no polar factors of a matrix with more columns than rows")
    out = a - np.dot(u, np.dot(np.transpose(u), a))
    return np.transpose(np.linalg.solve(p, np.transpose(out)))


def _khatri_rao(a, b):
    """Twin of scipy.linalg.khatri_rao(a, b)."""
    return np.reshape(a[:, None, :] * b[None, :, :], (-1, a.shape[1]))


def _orthogonal_procrustes(a, b):
    """Twin of scipy.linalg.orthogonal_procrustes: the polar factors of a.T @ b."""
    turn, stretch = scipy.linalg.polar(np.dot(np.transpose(a), b))
    return turn, np.trace(stretch)


def _tridiagonal_values(d, e):
    """Twin of scipy.linalg.eigvalsh_tridiagonal(d, e)."""
    return np.linalg.eigvalsh(np.diag(d) + np.diag(e, -1))


def _hessenberg(a):
    """Twin of scipy.linalg.hessenberg(a)."""
    return _hessenberg_and_turn(a)[0]


def _hessenberg_and_turn(a):
    """Return Hessenberg's form of a matrix, and the reflections that turn it to it."""
    h, q = 1.0 * a, np.eye(len(a), dtype=a.dtype)
    for k in range(len(a) - 2):
        v = h[k + 1 :, k].copy()
        size = np.sqrt(np.dot(v, v))
        if np.all(v[1:] == 0.0):
            continue
        if v[0] >= 0.0:
            v[0] = v[0] + size
        else:
            v[0] = v[0] - size
        v = v * np.sqrt(2.0 / np.dot(v, v)).item()
        h[k + 1 :] -= np.outer(v, np.dot(v, h[k + 1 :]))
        h[:, k + 1 :] -= np.outer(np.dot(h[:, k + 1 :], v), v)
        q[:, k + 1 :] -= np.outer(np.dot(q[:, k + 1 :], v), v)
        h[k + 2 :, k] = 0.0
    return h, q
