"""Parts of Hermitian and other complex matrices; an adjoint is dL/dRe - i dL/dIm.

`lower` is the triangle that is read, in NumPy's word or SciPy's. Vectors are known but for a turn, a factor exp(i t): LAPACK makes the first or last row of them real.
"""

import numpy as np


def _hermitian(a, lower):
    """Return the Hermitian matrix of which a triangle is that of a."""
    part = np.tril(a, -1) if lower in ("L", "l", True) else np.triu(a, 1)
    diagonal = np.eye(np.shape(a)[-1], dtype=a.dtype) * np.real(a)
    return part + np.conj(_across(part)) + diagonal


def _on_hermitian_triangle(s, lower):
    """Return on the triangle that is read what both of a Hermitian matrix receive."""
    both = s + np.conj(_across(s))
    part = np.tril(both, -1) if lower in ("L", "l", True) else np.triu(both, 1)
    return part + np.eye(np.shape(s)[-1], dtype=s.dtype) * np.real(s)


def _log_det_dot(a_dot, a):
    """Return the tangent of the logarithm of the determinant of a."""
    return np.sum(np.linalg.inv(a) * _across(a_dot), axis=(-1, -2))


def _complex_inverse_bar(y_bar, a, y):
    """Return the adjoint of a complex a in its pseudoinverse (Golub, Pereyra 1973)."""
    back, along = np.conj(_across(y)), _across(y_bar)
    left = np.matmul(np.matmul(along, y), back)
    left = left - np.matmul(a, np.matmul(y, left))
    right = np.matmul(back, np.matmul(y, along))
    right = right - np.matmul(np.matmul(right, y), a)
    return np.conj(left + right) - np.matmul(_across(y), np.matmul(y_bar, _across(y)))


def _complex_inverse_dot(a_dot, a, y):
    """Return the tangent of the pseudoinverse y of a complex matrix."""
    back, along = np.conj(_across(y)), np.conj(_across(a_dot))
    left = np.matmul(np.matmul(y, back), along)
    left = left - np.matmul(np.matmul(left, a), y)
    right = np.matmul(np.matmul(along, back), y)
    right = right - np.matmul(y, np.matmul(a, right))
    return left + right - np.matmul(y, np.matmul(a_dot, y))


def _hermitian_cholesky_bar(y_bar, y):
    """Return the adjoint of a complex a in y = np.linalg.cholesky(a) (Murray 2016)."""
    back = np.linalg.inv(y)
    inner = _lower_half(np.matmul(_across(y), np.tril(y_bar)))
    whole = np.matmul(_across(back), np.matmul(inner, np.conj(back)))
    return _on_hermitian_triangle(whole, "L")


def _hermitian_cholesky_dot(a_dot, y):
    """Return the tangent of y = np.linalg.cholesky(a) of a complex a."""
    half = np.conj(_across(np.linalg.solve(y, _hermitian(a_dot, "L"))))
    return np.matmul(y, _lower_half(np.linalg.solve(y, half)))


def _real_row(v, top):
    """Return the row of v that is real, and where it tells of its columns' turns."""
    height = np.take(v, [top], axis=-2)
    eps = np.finfo(v.dtype).eps
    is_real = np.abs(np.imag(height)) <= 8.0 * eps
    return np.real(height), is_real & (np.abs(height) > 8.0 * eps)


def _turned_back(v_bar, along, v, top):
    """Return the adjoint of vectors with a real row from that of ones that may turn."""
    height, told = _real_row(v, top)
    turn = np.imag(along)
    eps = np.finfo(v.dtype).eps
    if np.any(~told & (np.abs(turn) > eps**0.5 * np.max(np.abs(v_bar)))):
        raise ValueError("complex vectors known but for a turn: no derivative")
    share = np.where(told, -1j * turn / np.where(told, height, 1.0), 0.0)
    rows = np.expand_dims(np.arange(np.shape(v)[-2]), -1)
    return v_bar + (rows == top % np.shape(v)[-2]) * share


def _column_turns(v_dot, v, top):
    """Return how far vectors turn as they move that keep a row real."""
    height, told = _real_row(v, top)
    if not np.all(told):
        raise ValueError("complex vectors known but for a turn: no derivative")
    return np.imag(np.take(v_dot, [top], axis=-2)) / height


def _hermitian_values_bar(w_bar, v):
    """Return what a Hermitian matrix receives from its eigenvalues."""
    return np.matmul(np.conj(v) * np.expand_dims(w_bar, -2), _across(v))


def _hermitian_values_dot(a_dot, v):
    """Return the tangent of the eigenvalues of a Hermitian matrix."""
    return np.real(np.sum(np.conj(v) * np.matmul(a_dot, v), axis=-2))


def _hermitian_vectors_bar(v_bar, w, v, lower):
    """Return what a Hermitian matrix receives from its eigenvectors."""
    top = 0 if lower in ("L", "l", True) else -1
    back = _turned_back(v_bar, np.sum(v_bar * v, axis=-2, keepdims=True), v, top)
    flow = np.matmul(_across(v), back)
    return np.matmul(np.matmul(np.conj(v), _over_gaps(flow, w, flow)), _across(v))


def _hermitian_vectors_dot(a_dot, w, v, lower):
    """Return the tangent of the eigenvectors of a Hermitian matrix."""
    flow = np.matmul(np.conj(_across(v)), np.matmul(a_dot, v))
    dot = np.matmul(v, _over_gaps(flow, w, flow))
    return dot - 1j * _column_turns(dot, v, 0 if lower in ("L", "l", True) else -1) * v


def _unitary_factors_bar(u_bar, vh_bar, u, s, vh):
    """Return a complex matrix's adjoint of singular vectors (Wan and Zhang 2019)."""
    v, v_bar = np.conj(_across(vh)), np.conj(_across(vh_bar))
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    turn_u = np.sum(u_bar * u, axis=-2, keepdims=True)
    turn_v = np.sum(v_bar * v, axis=-2, keepdims=True)
    if np.shape(u)[-2] >= np.shape(vh)[-1]:
        v_bar = _turned_back(v_bar, turn_u + turn_v, v, 0)
        between = np.imag(turn_u)
    else:
        u_bar = _turned_back(u_bar, turn_u + turn_v, u, 0)
        between = -np.imag(turn_v)
    of_u, of_v = np.matmul(_across(u), u_bar), np.matmul(_across(v), v_bar)
    left, right = of_u - np.conj(_across(of_u)), of_v - np.conj(_across(of_v))
    inner = left * row + column * right
    inner = _over_gaps(inner, s**2, np.abs(of_u) + np.abs(of_v))
    inner = inner + 1j * np.eye(np.shape(s)[-1], dtype=s.dtype) * (between / row)
    a_bar = np.matmul(np.conj(u), np.matmul(inner, np.conj(vh)))
    if np.shape(u)[-2] > np.shape(s)[-1]:
        outside = u_bar - np.matmul(np.conj(u), of_u)
        a_bar = a_bar + np.matmul(outside / row, np.conj(vh))
    if np.shape(vh)[-1] > np.shape(s)[-1]:
        rest = np.conj(_across((v_bar - np.matmul(np.conj(v), of_v)) / row))
        a_bar = a_bar + np.matmul(np.conj(u), rest)
    return a_bar


def _unitary_factors_dot(a_dot, u, s, vh):
    """Return the tangents of the singular vectors of a complex matrix."""
    v = np.conj(_across(vh))
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    image, back = np.matmul(a_dot, v), np.matmul(np.conj(_across(a_dot)), u)
    inner, turned = np.matmul(np.conj(_across(u)), image), np.matmul(vh, back)
    u_dot = np.matmul(u, _over_gaps(inner * row + column * turned, s**2, inner))
    v_dot = np.matmul(v, _over_gaps(column * inner + turned * row, s**2, inner))
    if np.shape(u)[-2] > np.shape(s)[-1]:
        u_dot = u_dot + (image - np.matmul(u, inner)) / row
    if np.shape(vh)[-1] > np.shape(s)[-1]:
        v_dot = v_dot + (back - np.matmul(v, turned)) / row
    between = np.imag(np.sum(np.conj(u) * image, axis=-2, keepdims=True)) / row
    if np.shape(u)[-2] >= np.shape(vh)[-1]:
        turn_v = -_column_turns(v_dot, v, 0)
        turn_u = turn_v + between
    else:
        turn_u = -_column_turns(u_dot, u, 0)
        turn_v = turn_u - between
    return u_dot + 1j * turn_u * u, np.conj(_across(v_dot + 1j * turn_v * v))


def _complex_singular_values_bar(s_bar, a):
    """Return what a complex matrix receives from its singular values."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.conj(np.matmul(u * np.expand_dims(s_bar, -2), vh))


def _complex_singular_values_dot(a, a_dot):
    """Return the tangent of the singular values of a complex matrix."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.real(np.sum(np.conj(u) * np.matmul(a_dot, np.conj(_across(vh))), axis=-2))
