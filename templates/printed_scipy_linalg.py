"""Functions that right-hand sides for scipy.linalg call, printed where they are used."""

import numpy as np
import scipy.linalg


def _folded(s, lower):
    """Return on one triangle of a matrix what both receive."""
    if lower:
        return np.tril(s) + np.tril(np.transpose(s), -1)
    return np.triu(s) + np.triu(np.transpose(s), 1)


def _unfolded(s, lower):
    """Return the symmetric matrix of which one triangle is that of s."""
    if lower:
        return np.tril(s) + np.transpose(np.tril(s, -1))
    return np.triu(s) + np.transpose(np.triu(s, 1))


def _triangle(s, lower, unit_diagonal):
    """Return a triangle of a matrix, less the diagonal if that is taken for ones."""
    if lower:
        return np.tril(s, -1 if unit_diagonal else 0)
    return np.triu(s, 1 if unit_diagonal else 0)


def _factor_bar(a_bar, c, lower):
    """Return what a Cholesky factor receives from the adjoint of its matrix."""
    if lower:
        return np.tril(np.dot(a_bar + np.transpose(a_bar), np.tril(c)))
    return np.triu(np.dot(np.triu(c), a_bar + np.transpose(a_bar)))


def _factor_dot(c, c_dot, lower):
    """Return the tangent of the matrix of a Cholesky factor."""
    if lower:
        half = np.dot(np.tril(c_dot), np.transpose(np.tril(c)))
    else:
        half = np.dot(np.transpose(np.triu(c_dot)), np.triu(c))
    return half + np.transpose(half)


def _cholesky_bar(y_bar, y, lower):
    """Return the adjoint of a in y = scipy.linalg.cholesky(a, lower)."""
    factor = y if lower else np.transpose(y)
    seed = np.tril(y_bar if lower else np.transpose(y_bar))
    half = np.tril(np.dot(np.transpose(factor), seed))
    half = half + np.transpose(np.tril(half, -1))
    half = scipy.linalg.solve_triangular(factor, half, trans="T", lower=True)
    half = np.transpose(half)
    half = scipy.linalg.solve_triangular(factor, half, trans="T", lower=True)
    return _folded(0.5 * half, lower)


def _cholesky_dot(a_dot, y, lower):
    """Return the tangent of y = scipy.linalg.cholesky(a, lower)."""
    factor = y if lower else np.transpose(y)
    half = scipy.linalg.solve_triangular(factor, _unfolded(a_dot, lower), lower=True)
    half = scipy.linalg.solve_triangular(factor, np.transpose(half), lower=True)
    half = np.tril(half) - 0.5 * np.diag(np.diag(half))
    y_dot = np.dot(factor, half)
    return y_dot if lower else np.transpose(y_dot)


def _swaps(piv):
    """Return the order of rows that pivots mean: row i comes from row order[i]."""
    order = np.arange(len(piv))
    for i, j in enumerate(piv):
        order[[i, j]] = order[[j, i]]
    return order


def _lu_factor_bar(a_bar, lu, piv):
    """Return what the factors in lu receive from the adjoint of their matrix."""
    rows = a_bar[_swaps(piv)]
    left = np.tril(lu, -1) + np.eye(len(lu), dtype=lu.dtype)
    below = np.tril(np.dot(rows, np.transpose(np.triu(lu))), -1)
    return below + np.triu(np.dot(np.transpose(left), rows))


def _lu_factor_dot(lu, lu_dot, piv):
    """Return the tangent of the matrix of which lu holds the factors."""
    left = np.tril(lu, -1) + np.eye(len(lu), dtype=lu.dtype)
    product = np.dot(np.tril(lu_dot, -1), np.triu(lu)) + np.dot(left, np.triu(lu_dot))
    return product[np.argsort(_swaps(piv))]


def _pinv_bar(g, a, y):
    """Return the adjoint of a in y = scipy.linalg.pinv(a) (Golub and Pereyra 1973)."""
    across, along = np.transpose(y), np.transpose(g)
    left = np.dot(along, np.dot(y, across))
    left = left - np.dot(a, np.dot(y, left))
    right = along - np.dot(along, np.dot(y, a))
    right = np.dot(np.dot(across, y), right)
    return left + right - np.dot(across, np.dot(g, across))


def _lu_bar(lu_bar, lu, piv):
    """Return the adjoint of a in lu, piv = scipy.linalg.lu_factor(a)."""
    lower, upper = np.tril(lu, -1) + np.eye(len(lu), dtype=lu.dtype), np.triu(lu)
    back = _factors_bar(np.tril(lu_bar, -1), np.triu(lu_bar), lower, upper)
    return back[np.argsort(_swaps(piv))]


def _factors_bar(lower_bar, upper_bar, lower, upper):
    """Return the adjoint of lower @ upper, of which these are the LU factors."""
    inner = np.tril(np.dot(np.transpose(lower), lower_bar), -1)
    inner = inner + np.triu(np.dot(upper_bar, np.transpose(upper)))
    inner = scipy.linalg.solve_triangular(lower, inner, trans="T", lower=True)
    return np.transpose(scipy.linalg.solve_triangular(upper, np.transpose(inner)))


def _below_and_above(rows_dot, lower, upper):
    """Return the two parts of lower**-1 @ rows_dot @ upper**-1, of LU factors."""
    inner = scipy.linalg.solve_triangular(lower, rows_dot, lower=True)
    inner = scipy.linalg.solve_triangular(upper, np.transpose(inner), trans="T")
    inner = np.transpose(inner)
    return np.tril(inner, -1), np.triu(inner)


def _lu_dot(a_dot, lu, piv):
    """Return the tangent of lu in lu, piv = scipy.linalg.lu_factor(a)."""
    lower, upper = np.tril(lu, -1) + np.eye(len(lu), dtype=lu.dtype), np.triu(lu)
    below, above = _below_and_above(a_dot[_swaps(piv)], lower, upper)
    return np.dot(lower, below) + np.dot(above, upper)


def _lu_apart_bar(lower_bar, upper_bar, order, lower, upper):
    """Return the adjoint of a in order, lower, upper = scipy.linalg.lu(a)."""
    return np.dot(order, _factors_bar(np.tril(lower_bar, -1), upper_bar, lower, upper))


def _moves_below(x, t):
    """Return L below, for which x + t (L - L^T) - (L - L^T) t is upper triangular."""
    lower = np.zeros_like(t)
    for j in range(len(t) - 1):
        moved = np.dot(lower[j + 1 :, :j], t[:j, j]) - x[j + 1 :, j]
        square = t[j + 1 :, j + 1 :] - t[j, j] * np.eye(len(t) - j - 1, dtype=t.dtype)
        lower[j + 1 :, j] = np.linalg.solve(square, moved)
    return lower


def _moves_below_bar(lower_bar, t):
    """Return the adjoint of x in _moves_below(x, t)."""
    x_bar = np.zeros_like(t)
    rest = lower_bar.copy()
    for j in reversed(range(len(t) - 1)):
        square = t[j + 1 :, j + 1 :] - t[j, j] * np.eye(len(t) - j - 1, dtype=t.dtype)
        back = np.linalg.solve(np.transpose(square), rest[j + 1 :, j])
        x_bar[j + 1 :, j] = -back
        rest[j + 1 :, :j] += np.outer(back, t[:j, j])
    return x_bar


def _of_real_values(t):
    """Return a real Schur form without blocks of complex eigenvalues."""
    if np.any(np.diag(t, -1)):
        raise ValueError("the derivative of a Schur form is that of real eigenvalues")
    return t


def _schur_bar(t_bar, z_bar, t, z):
    """Return the adjoint of a in t, z = scipy.linalg.schur(a)."""
    upper, t = np.triu(t_bar), np.triu(_of_real_values(t))
    turned = np.dot(np.transpose(z), z_bar) + np.dot(np.transpose(t), upper)
    turned = turned - np.dot(upper, np.transpose(t))
    inner = upper + _moves_below_bar(np.tril(turned - np.transpose(turned), -1), t)
    return np.dot(z, np.dot(inner, np.transpose(z)))


def _schur_dot(a_dot, t, z):
    """Return the tangents of t and z in t, z = scipy.linalg.schur(a)."""
    t = np.triu(_of_real_values(t))
    x = np.dot(np.transpose(z), np.dot(a_dot, z))
    lower = _moves_below(x, t)
    turn = lower - np.transpose(lower)
    return np.triu(x + np.dot(t, turn) - np.dot(turn, t)), np.dot(z, turn)


def _lu_permuted(a):
    """Twin of scipy.linalg.lu(a, permute_l=True)."""
    order, lower, upper = scipy.linalg.lu(a)
    return np.dot(order, lower), upper


def _qr_r(a):
    """Twin of scipy.linalg.qr(a, mode="r"), of at least as many rows as columns."""
    upper = scipy.linalg.qr(a, mode="economic")[1]
    return (np.concatenate((upper, np.zeros_like(a[len(upper) :]))),)


def _qr_bar(q_bar, r_bar, q, r):
    """Return the adjoint of a in q, r = qr(a) with a square q."""
    size = min(np.shape(r)[0], np.shape(r)[1])
    if np.any(q_bar[..., size:]):
        raise ValueError("columns of q beside those of a are free: mode='economic'")
    first, rows = q_bar[..., :size], r_bar[..., :size, :]
    return _qr_back(first, rows, q[..., :size], r[..., :size, :])


def _full_q_dot(a_dot, q, r):
    """Return the tangent of q in q, r = qr(a) with a square q, of a matrix not tall."""
    if np.shape(r)[0] > np.shape(r)[1]:
        raise ValueError("columns of q beside those of a are free: mode='economic'")
    return _q_move(a_dot, q, r)


def _full_r_dot(a_dot, q, r):
    """Return the tangent of r in q, r = qr(a) with a square q."""
    size = min(np.shape(r)[0], np.shape(r)[1])
    upper = _r_move(a_dot, q[..., :size], r[..., :size, :])
    return np.concatenate((upper, np.zeros_like(r[..., size:, :])), axis=-2)


def _vectors_bar(v_bar, w, v):
    """Return what a symmetric matrix receives from its eigenvectors v."""
    flow = np.dot(np.transpose(v), v_bar)
    inner = _over_gaps(flow, w, flow)
    return np.dot(v, np.dot(0.5 * (inner + np.transpose(inner)), np.transpose(v)))


def _vectors_dot(a_dot, w, v):
    """Return the tangent of the eigenvectors v of a symmetric matrix."""
    flow = np.dot(np.transpose(v), np.dot(a_dot, v))
    return np.dot(v, _over_gaps(flow, w, flow))


def _vectors_metric_bar(v_bar, w, v):
    """Return what b receives from the eigenvectors v of a v = w b v."""
    flow = np.dot(np.transpose(v), v_bar)
    inner = _over_gaps(flow, w, flow) * w + 0.5 * np.diag(np.diag(flow))
    return -np.dot(v, np.dot(0.5 * (inner + np.transpose(inner)), np.transpose(v)))


def _vectors_metric_dot(b_dot, w, v):
    """Return the tangent of the eigenvectors v of a v = w b v along b."""
    flow = np.dot(np.transpose(v), np.dot(b_dot, v))
    return -np.dot(v, _over_gaps(flow * w, w, flow) + 0.5 * np.diag(np.diag(flow)))


def _general_values_bar(w_bar, a, b, lower):
    """Return what a receives from the eigenvalues of a v = w b v."""
    v = scipy.linalg.eigh(a, b, lower=lower)[1]
    return np.dot(v * w_bar, np.transpose(v))


def _general_values_dot(a_dot, a, b, lower):
    """Return the tangent of the eigenvalues of a v = w b v along a."""
    v = scipy.linalg.eigh(a, b, lower=lower)[1]
    return np.diag(np.dot(np.transpose(v), np.dot(a_dot, v)))


def _lstsq_bar(x_bar, a, b, x):
    """Return the adjoint of a in x = scipy.linalg.lstsq(a, b)[0]."""
    inverse = scipy.linalg.pinv(a)
    back = np.dot(np.transpose(inverse), x_bar)
    a_bar = _outer(b - np.dot(a, x), np.dot(inverse, back)) - _outer(back, x)
    rest = x_bar - np.dot(np.transpose(a), back)
    return a_bar + _outer(np.dot(np.transpose(inverse), x), rest)


def _lstsq_dot(a_dot, a, b, x):
    """Return the tangent of x = scipy.linalg.lstsq(a, b)[0], of a's."""
    inverse, across = scipy.linalg.pinv(a), np.transpose(a_dot)
    x_dot = np.dot(np.transpose(inverse), np.dot(across, b - np.dot(a, x)))
    x_dot = np.dot(inverse, x_dot - np.dot(a_dot, x))
    rest = np.dot(across, np.dot(np.transpose(inverse), x))
    return x_dot + rest - np.dot(inverse, np.dot(a, rest))


def _residues_bar(g, a, b, x):
    """Return what b receives from the residues of x = scipy.linalg.lstsq(a, b)[0]."""
    rest = b - np.dot(a, x)
    return 2.0 * g * rest if np.size(g) else np.zeros_like(rest)


def _residues_dot(residues, a, b, x, b_dot):
    """Return the tangent of the residues, if any, of x = lstsq(a, b)[0]."""
    if not np.size(residues):
        return np.zeros_like(residues)
    return 2.0 * np.sum((b - np.dot(a, x)) * b_dot, axis=0)


def _singular_bar(s_bar, a):
    """Return what a matrix receives from its singular values."""
    u, _, vh = scipy.linalg.svd(a, full_matrices=False)
    return np.dot(u * s_bar, vh)


def _singular_dot(a_dot, a):
    """Return a matrix whose diagonal is the tangent of the singular values of a."""
    u, _, vh = scipy.linalg.svd(a, full_matrices=False)
    return np.dot(np.transpose(u), np.dot(a_dot, np.transpose(vh)))


def _expm_of_stack(A):
    """Twin of scipy.linalg.expm(A) of a stack of matrices."""
    rows = np.reshape(A, (-1, *np.shape(A)[-2:]))
    return np.reshape(np.stack([scipy.linalg.expm(row) for row in rows]), np.shape(A))


def _expm_and_frechet(A, E):
    """Twin of scipy.linalg.expm_frechet(A, E)."""
    return scipy.linalg.expm(A), scipy.linalg.expm_frechet(A, E, compute_expm=False)
