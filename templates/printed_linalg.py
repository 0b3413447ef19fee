"""Functions for np.linalg that a right-hand side may call; all take stacks of matrices."""

import numpy as np


def _across(a):
    """Return a with its last two axes swapped."""
    return np.swapaxes(a, -1, -2)


def _on_triangle(s, UPLO):
    """Return on the triangle that is read what both of a symmetric matrix receive."""
    if UPLO in ("L", "l"):
        return np.tril(s) + np.tril(_across(s), -1)
    return np.triu(s) + np.triu(_across(s), 1)


def _symmetric(a, UPLO):
    """Return the symmetric matrix of which a triangle is that of a."""
    if UPLO in ("L", "l"):
        return np.tril(a) + _across(np.tril(a, -1))
    return np.triu(a) + _across(np.triu(a, 1))


def _solve_back(y_bar, a, y):
    """Return what the right-hand sides of y = np.linalg.solve(a, b) receive."""
    if np.ndim(y) < np.ndim(a):
        return np.linalg.solve(_across(a), np.expand_dims(y_bar, -1))[..., 0]
    return np.linalg.solve(_across(a), y_bar)


def _solve_bar_a(back, a, y):
    """Return the adjoint of a in y = np.linalg.solve(a, b), of what b receives."""
    if np.ndim(y) < np.ndim(a):
        return -_sum_to(np.expand_dims(back, -1) * np.expand_dims(y, -2), np.shape(a))
    return -_sum_to(np.matmul(back, _across(y)), np.shape(a))


def _solve_dot(a, a_dot, y):
    """Return the tangent of y = np.linalg.solve(a, b) where a moves."""
    if np.ndim(y) < np.ndim(a):
        moved = np.matmul(a_dot, np.expand_dims(y, -1))
        return -np.linalg.solve(a, moved)[..., 0]
    return -np.linalg.solve(a, np.matmul(a_dot, y))


def _cofactors(a):
    """Return the cofactors of a square matrix, which may be singular."""
    u, s, vh = np.linalg.svd(a)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    rest = _others(s, -1) * np.expand_dims(sign, -1)
    return np.matmul(u * np.expand_dims(rest, -2), vh)


def _cofactors_bar(y_bar, a, y):
    """Return the adjoint of a in its cofactors y; a may be singular."""
    u, s, vh = np.linalg.svd(a)
    if np.all(s[..., -1] > 1e-4 * s[..., 0]):
        back = _across(np.linalg.inv(a))
        whole = np.sum(y_bar * y, axis=(-1, -2), keepdims=True)
        return whole * back - np.matmul(y, np.matmul(_across(y_bar), back))
    one = np.eye(s.shape[-1])
    sign = np.expand_dims(np.linalg.det(u) * np.linalg.det(vh), (-1, -2))
    others = _others(np.where(one == 1.0, 1.0, np.expand_dims(s, -2)), -1)
    others = others * (1.0 - one) * sign
    turned = np.matmul(_across(u), np.matmul(y_bar, _across(vh)))
    level = np.matmul(others, np.sum(one * turned, axis=-1, keepdims=True))
    return np.matmul(u, np.matmul(one * level - others * _across(turned), vh))


def _inverse_bar(y_bar, a, y):
    """Return the adjoint of a in its pseudoinverse y (Golub and Pereyra 1973)."""
    back, along = _across(y), _across(y_bar)
    left = np.matmul(np.matmul(along, y), back)
    left = left - np.matmul(a, np.matmul(y, left))
    right = np.matmul(back, np.matmul(y, along))
    right = right - np.matmul(np.matmul(right, y), a)
    return left + right - np.matmul(back, np.matmul(y_bar, back))


def _power_sum(x, g, n):
    """Return the derivative of np.linalg.matrix_power(x, n) along g."""
    if n < 0:
        x, n = np.linalg.inv(x), -n
        g = -np.matmul(x, np.matmul(g, x))
    total = np.zeros_like(x)
    power = total + np.eye(np.shape(x)[-1], dtype=x.dtype)
    for _ in range(n):
        total = np.matmul(x, total) + np.matmul(g, power)
        power = np.matmul(power, x)
    return total


def _lower_half(s):
    """Return the lower triangle of s with half of the diagonal."""
    return 0.5 * (np.tril(s) + np.tril(s, -1))


def _cholesky_back(y_bar, y):
    """Return the adjoint of a in y = np.linalg.cholesky(a) (Murray 2016)."""
    back = np.linalg.inv(y)
    inner = np.tril(np.matmul(np.swapaxes(y, -1, -2), np.tril(y_bar)))
    inner = 0.5 * (inner + np.tril(inner, -1))
    s = np.matmul(np.swapaxes(back, -1, -2), np.matmul(inner, back))
    return np.tril(s) + np.tril(np.swapaxes(s, -1, -2), -1)


def _cholesky_move(a_dot, y):
    """Return the tangent of y = np.linalg.cholesky(a)."""
    half = np.linalg.solve(y, _symmetric(a_dot, "L"))
    return np.matmul(y, _lower_half(np.linalg.solve(y, _across(half))))


def _over_gaps(inner, w, flow):
    """Return inner / (w[j] - w[i]), 0 between equal values: no flow may be there."""
    gaps = np.expand_dims(w, -2) - np.expand_dims(w, -1)
    size = np.sum(np.abs(w) ** 2, axis=-1, keepdims=True) ** 0.5
    eps = np.finfo(w.dtype).eps
    equal = np.abs(gaps) <= 4.0 * eps * np.expand_dims(size, -1)
    between = np.abs(flow) * equal * (1.0 - np.eye(np.shape(w)[-1]))
    whole = np.sum(np.abs(flow) ** 2, axis=(-2, -1), keepdims=True) ** 0.5
    if np.any(between > eps**0.5 * whole):
        raise ValueError("vectors of equal eigen- or singular values: no derivative")
    return np.where(equal, 0.0, inner / np.where(equal, 1.0, gaps))


def _eigenvectors_bar(v_bar, w, v):
    """Return what a symmetric matrix receives from its eigenvectors (Giles 2008)."""
    flow = np.matmul(_across(v), v_bar)
    return np.matmul(np.matmul(v, _over_gaps(flow, w, flow)), _across(v))


def _eigenvectors_dot(a_dot, w, v):
    """Return the tangent of the eigenvectors of a symmetric matrix."""
    flow = np.matmul(_across(v), np.matmul(a_dot, v))
    return np.matmul(v, _over_gaps(flow, w, flow))


def _eigenvalues_dot(a_dot, v):
    """Return the tangent of the eigenvalues of a symmetric matrix."""
    return np.sum(v * np.matmul(a_dot, v), axis=-2)


def _on_diagonal(values):
    """Return the diagonal matrix of some values, or a stack of them."""
    return np.expand_dims(values, -1) * np.eye(np.shape(values)[-1])


def _eig_bar(inner, v, a):
    """Return what a receives from the adjoint of v^-1 a v, v its vectors."""
    a_bar = np.matmul(_across(np.linalg.inv(v)), np.matmul(inner, _across(v)))
    return a_bar if np.iscomplexobj(a) else np.real(a_bar)


def _eigenvalue_dots(a_dot, v):
    """Return the tangents of the eigenvalues of a matrix, symmetric or not."""
    inner = np.matmul(np.linalg.inv(v), np.matmul(a_dot, v))
    return np.diagonal(inner, axis1=-2, axis2=-1)


def _largest(v):
    """Return, as ones and zeros, the largest element of each column."""
    size = np.abs(v)
    rows = np.expand_dims(np.arange(np.shape(v)[-2]), -1)
    return 1.0 * (rows == np.expand_dims(np.argmax(size, axis=-2), -2))


def _eig_inner(v_bar, w, v):
    """Return the adjoint of v^-1 a v from vectors of length 1, their largest real."""
    along = np.sum(v_bar * v, axis=-2, keepdims=True)
    top = _largest(v)
    height = np.sum(top * np.real(v), axis=-2, keepdims=True)
    own = np.real(along) * np.conj(v) + 1j * top * np.imag(along) / height
    flow = np.matmul(_across(v), v_bar - own)
    return _over_gaps(flow, w, flow)


def _eigenvector_dots(a_dot, w, v):
    """Return the tangents of eigenvectors, which keep length 1, the largest real."""
    inner = np.matmul(np.linalg.inv(v), np.matmul(a_dot, v))
    dot = np.matmul(v, _over_gaps(inner, w, inner))
    top = _largest(v)
    height = np.sum(top * np.real(v), axis=-2, keepdims=True)
    turn = np.sum(top * np.imag(dot), axis=-2, keepdims=True) / height
    longer = np.real(np.sum(np.conj(v) * dot, axis=-2, keepdims=True))
    moved = dot - (longer + 1j * turn) * v
    return moved if np.iscomplexobj(v) else np.real(moved)


def _singular_values_bar(s_bar, a):
    """Return what a matrix receives from its singular values."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.matmul(u * np.expand_dims(s_bar, -2), vh)


def _singular_values_dot(a, a_dot):
    """Return the tangent of the singular values of a."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(u * np.matmul(a_dot, _across(vh)), axis=-2)


def _singular_vectors_bar(u_bar, vh_bar, u, s, vh):
    """Return what a matrix receives from its singular vectors (Townsend 2016)."""
    v, v_bar = _across(vh), _across(vh_bar)
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    of_u, of_v = np.matmul(_across(u), u_bar), np.matmul(vh, v_bar)
    inner = (of_u - _across(of_u)) * row + column * (of_v - _across(of_v))
    flow = np.abs(of_u) + np.abs(of_v)
    a_bar = np.matmul(u, np.matmul(_over_gaps(inner, s**2, flow), vh))
    if np.shape(u)[-2] > np.shape(s)[-1]:
        a_bar = a_bar + np.matmul((u_bar - np.matmul(u, of_u)) / row, vh)
    if np.shape(vh)[-1] > np.shape(s)[-1]:
        a_bar = a_bar + np.matmul(u, _across((v_bar - np.matmul(v, of_v)) / row))
    return a_bar


def _left_vectors_dot(a_dot, u, s, vh):
    """Return the tangent of the left singular vectors of a matrix."""
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    inner = np.matmul(_across(u), np.matmul(a_dot, _across(vh)))
    turn = _over_gaps(inner * row + column * _across(inner), s**2, inner)
    u_dot = np.matmul(u, turn)
    if np.shape(u)[-2] > np.shape(s)[-1]:
        u_dot = u_dot + (np.matmul(a_dot, _across(vh)) - np.matmul(u, inner)) / row
    return u_dot


def _right_vectors_dot(a_dot, u, s, vh):
    """Return the tangent of the right singular vectors of a matrix, which are rows."""
    return _across(_left_vectors_dot(_across(a_dot), _across(vh), s, _across(u)))


def _all_vectors_bar(u_bar, vh_bar, u, s, vh):
    """Return what a matrix receives from all singular vectors, in excess or not."""
    size = np.shape(s)[-1]
    left, right = u[..., :size], vh[..., :size, :]
    left_bar, right_bar = u_bar[..., :size], vh_bar[..., :size, :]
    a_bar = _singular_vectors_bar(left_bar, right_bar, left, s, right)
    if np.shape(u)[-1] > size:
        a_bar = a_bar - _excess_bar(u_bar[..., size:], u[..., size:], left, s, right)
    if np.shape(vh)[-2] > size:
        rest, rest_bar = _across(vh[..., size:, :]), _across(vh_bar[..., size:, :])
        excess_bar = _excess_bar(rest_bar, rest, _across(right), s, _across(left))
        a_bar = a_bar - _across(excess_bar)
    return a_bar


def _excess_bar(rest_bar, rest, u, s, vh):
    """Return what a matrix takes from vectors in excess, known but for a turn."""
    turn = np.matmul(_across(rest), rest_bar)
    if np.any(np.abs(turn - _across(turn)) > 1e-6 * np.max(np.abs(rest_bar))):
        raise ValueError("pass full_matrices=False: vectors in excess are arbitrary")
    inner = np.matmul(_across(rest_bar), u) / np.expand_dims(s, -2)
    return np.matmul(rest, np.matmul(inner, vh))


def _all_left_vectors_dot(a_dot, u, s, vh):
    """Return the tangent of all left singular vectors, with at most one in excess."""
    size = np.shape(s)[-1]
    own, rest = u[..., :size], u[..., size:]
    own_dot = _left_vectors_dot(a_dot, own, s, vh[..., :size, :])
    if np.shape(rest)[-1] > 1:
        raise ValueError("pass full_matrices=False: vectors in excess are arbitrary")
    inner = np.matmul(_across(own_dot), rest)
    return np.concatenate((own_dot, -np.matmul(own, inner)), axis=-1)


def _all_right_vectors_dot(a_dot, u, s, vh):
    """Return the tangent of all right singular vectors, which are rows."""
    return _across(_all_left_vectors_dot(_across(a_dot), _across(vh), s, _across(u)))


def _square_qr_bar(q_bar, r_bar, q, r):
    """Return the adjoint of a in q, r = np.linalg.qr(a), where r is square."""
    inner = np.matmul(r, _across(r_bar)) - np.matmul(_across(q_bar), q)
    inner = np.tril(inner) + _across(np.tril(inner, -1))
    return _across(np.linalg.solve(r, _across(q_bar + np.matmul(q, inner))))


def _qr_back(q_bar, r_bar, q, r):
    """Return the adjoint of a in q, r = np.linalg.qr(a) (Walter and Lehmann 2012)."""
    size = np.shape(r)[-2]
    rest, rest_bar = r[..., size:], r_bar[..., size:]
    q_bar = q_bar + np.matmul(q, np.matmul(rest, _across(rest_bar)))
    first = _square_qr_bar(q_bar, r_bar[..., :size], q, r[..., :size])
    return np.concatenate((first, np.matmul(q, rest_bar)), axis=-1)


def _q_move(a_dot, q, r):
    """Return the tangent of q in q, r = np.linalg.qr(a)."""
    size = np.shape(r)[-2]
    square, first_dot = r[..., :size], a_dot[..., :size]
    scaled = _across(np.linalg.solve(_across(square), _across(first_dot)))
    inner = np.matmul(_across(q), scaled)
    turned = np.tril(inner, -1) - _across(np.tril(inner, -1))
    return scaled - np.matmul(q, inner - turned)


def _r_move(a_dot, q, r):
    """Return the tangent of r in q, r = np.linalg.qr(a)."""
    moved = np.matmul(_across(_q_move(a_dot, q, r)), np.matmul(q, r))
    return np.triu(moved + np.matmul(_across(q), a_dot))


def _least_squares_bar(x_bar, a, b, x):
    """Return the adjoint of a in x = lstsq(a, b)[0] (Golub and Pereyra 1973)."""
    inverse = np.linalg.pinv(a)
    back = np.dot(inverse.T, x_bar)
    a_bar = _outer(b - np.dot(a, x), np.dot(inverse, back)) - _outer(back, x)
    return a_bar + _outer(np.dot(inverse.T, x), x_bar - np.dot(a.T, back))


def _least_squares_dot(a_dot, a, b, x):
    """Return the tangent of x = np.linalg.lstsq(a, b)[0] where a moves."""
    inverse = np.linalg.pinv(a)
    moved = np.dot(inverse.T, np.dot(a_dot.T, b - np.dot(a, x)))
    moved = np.dot(inverse, moved - np.dot(a_dot, x))
    rest = np.dot(a_dot.T, np.dot(inverse.T, x))
    return moved + rest - np.dot(inverse, np.dot(a, rest))


def _unit_of(rest, size):
    """Return the direction of what is size long, 0 where that is 0."""
    return rest / (size + (size == 0.0))


def _of_full_rank(a, rank):
    """Return a matrix of which np.linalg.lstsq has cut nothing off."""
    if rank < min(np.shape(a)):
        raise ValueError("lstsq has cut singular values off: that has no derivative")
    return a


def _squares_bar(g, a, b, x):
    """Return what b receives from the sums of squares that np.linalg.lstsq leaves."""
    rest = b - np.dot(a, x)
    return 2.0 * g * rest if np.size(g) else np.zeros_like(rest)


def _squares_dot(squares, a, b, x, moved):
    """Return the tangent of the sums of squares, if any, for residues that move."""
    if not np.size(squares):
        return np.zeros_like(squares)
    total = 2.0 * np.sum((b - np.dot(a, x)) * moved, axis=0)
    return np.reshape(total, np.shape(squares))


def _steepest(x):
    """Return the derivative of the largest singular value of x."""
    u, _, vh = np.linalg.svd(x, full_matrices=False)
    return np.matmul(u[..., :1], vh[..., :1, :])


def _flattest(x):
    """Return the derivative of the smallest singular value of x."""
    u, _, vh = np.linalg.svd(x, full_matrices=False)
    return np.matmul(u[..., -1:], vh[..., -1:, :])


def _directions(x):
    """Return the derivative of the sum of the singular values of x."""
    u, _, vh = np.linalg.svd(x, full_matrices=False)
    return np.matmul(u, vh)


def _norm_slope(x, y, p):
    """Return the derivative of y = np.linalg.norm(x, p); at 0 that is taken as 0."""
    share = np.abs(x) / np.where(y == 0.0, 1.0, y)
    return np.sign(x) * np.where(y == 0.0, 1.0, share) ** (p - 1)
