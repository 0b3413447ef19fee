"""SciPy's factorisations of one matrix, which give several results.

Where eigen- or singular values are equal, what would flow between their vectors is refused when the
derivative runs: its limit cannot be had from the parts. All else, the values included, has its own.
"""

FAMILY = "parts"
HOLOMORPHIC = "lu_factor lu"
STACKS = "refused"

# ---------------------------------------------------------------------------- Cholesky and LU


def cho_factor(a: (definite, shapes((3, 3))), lower: sample(True) = False):
    """Only one triangle of a is read, and only that of c receives anything (Murray 2016)."""
    y = linalg.cho_factor(a, lower)
    a_bar = _cholesky_bar(y_bar[0], _triangle(y[0], lower, False), lower)
    y_dot[0] = _cholesky_dot(a_dot, _triangle(y[0], lower, False), lower)


def lu_factor(a: (regular, shapes((3, 3)))):
    """While the pivots stay; of square matrices (Giles 2008, by the product rule)."""
    y = linalg.lu_factor(a)
    a_bar = _lu_bar(y_bar[0], y[0], y[1])
    y_dot[0] = _lu_dot(a_dot, y[0], y[1])


def lu(a: (regular, shapes((3, 3)))):
    """While the pivots stay; of square matrices."""
    y = linalg.lu(a)
    a_bar = _lu_apart_bar(y_bar[1], y_bar[2], y[0], y[1], y[2])
    y_dot[1] = np.dot(y[1], _below_and_above(y[0].T @ a_dot, y[1], y[2])[0])
    y_dot[2] = np.dot(_below_and_above(y[0].T @ a_dot, y[1], y[2])[1], y[2])


# ---------------------------------------------------------------------------- QR


def qr(a: (regular, shapes((3, 3), (4, 2), (2, 4)))):
    """Walter and Lehmann, 2012."""
    y = linalg.qr(a, mode="economic")
    a_bar = _qr_back(y_bar[0], y_bar[1], y[0], y[1])
    y_dot[0] = _q_move(a_dot, y[0], y[1])
    y_dot[1] = _r_move(a_dot, y[0], y[1])


def qr_square(a: (regular, shapes((3, 3), (2, 4)))):
    """Of columns of q beside those of a nothing may come (Walter and Lehmann 2012)."""
    y = linalg.qr(a)
    a_bar = _qr_bar(y_bar[0], y_bar[1], y[0], y[1])
    y_dot[0] = _full_q_dot(a_dot, y[0], y[1])
    y_dot[1] = _full_r_dot(a_dot, y[0], y[1])


def polar(a: (regular, shapes((3, 3), (4, 2)))):
    """Of matrices with full column rank: the turn solves a Sylvester equation."""
    y = linalg.polar(a)
    a_bar = np.dot(y[0], y_bar[1])
    a_bar = _turn_bar(-np.dot(y_bar[1], y[1]), y[0], y[1])
    a_bar = _turn_bar(np.dot(np.transpose(y[0]), y_bar[0]), y[0], y[1])
    a_bar = _beside(y_bar[0], y[0], y[1])
    y_dot[0] = np.dot(y[0], _turn(a_dot, y[0], y[1])) + _beside(a_dot, y[0], y[1])
    y_dot[1] = np.dot(np.transpose(y[0]), a_dot) - np.dot(_turn(a_dot, y[0], y[1]), y[1])


# ---------------------------------------------------------------------------- eigenvalues


def eigh(a: (symmetric, shapes((3, 3))), *, lower: sample(False) = True):
    """Only one triangle of a is read (Giles 2008)."""
    y = linalg.eigh(a, lower=lower)
    a_bar = _folded(np.dot(y[1] * y_bar[0], y[1].T), lower)
    a_bar = _folded(_vectors_bar(y_bar[1], y[0], y[1]), lower)
    y_dot[0] = np.diag(np.dot(y[1].T, np.dot(_unfolded(a_dot, lower), y[1])))
    y_dot[1] = _vectors_dot(_unfolded(a_dot, lower), y[0], y[1])


def eigh_of_complex(a: (complex, symmetric, shapes((3, 3))), *, lower: sample(False) = True):
    """Of Hermitian matrices the real part of the diagonal is read."""
    y = linalg.eigh(a, lower=lower)
    a_bar = _on_hermitian_triangle(_hermitian_values_bar(y_bar[0], y[1]), lower)
    back = _hermitian_vectors_bar(y_bar[1], y[0], y[1], lower)
    a_bar = _on_hermitian_triangle(back, lower)
    y_dot[0] = _hermitian_values_dot(_hermitian(a_dot, lower), y[1])
    y_dot[1] = _hermitian_vectors_dot(_hermitian(a_dot, lower), y[0], y[1], lower)


def eigh_general(
    a: (symmetric, shapes((3, 3))), b: (definite, shapes((3, 3))), *, lower: sample(False) = True
):
    """Of a v = w b v; only one triangle of each is read (Giles 2008, with vectors of norm 1 in b)."""
    y = linalg.eigh(a, b, lower=lower)
    a_bar = _folded(np.dot(y[1] * y_bar[0], y[1].T), lower)
    a_bar = _folded(_vectors_bar(y_bar[1], y[0], y[1]), lower)
    b_bar = -_folded(np.dot(y[1] * (y_bar[0] * y[0]), y[1].T), lower)
    b_bar = _folded(_vectors_metric_bar(y_bar[1], y[0], y[1]), lower)
    y_dot[0] = np.diag(np.dot(y[1].T, np.dot(_unfolded(a_dot, lower), y[1])))
    y_dot[0] = -(y[0] * np.diag(np.dot(y[1].T, np.dot(_unfolded(b_dot, lower), y[1]))))
    y_dot[1] = _vectors_dot(_unfolded(a_dot, lower), y[0], y[1])
    y_dot[1] = _vectors_metric_dot(_unfolded(b_dot, lower), y[0], y[1])


def schur(a: (symmetric, shapes((3, 3)))):
    """Of real eigenvalues, which differ; a block of two complex ones is refused."""
    y = linalg.schur(a)
    a_bar = _schur_bar(y_bar[0], y_bar[1], y[0], y[1])
    y_dot[0] = _schur_dot(a_dot, y[0], y[1])[0]
    y_dot[1] = _schur_dot(a_dot, y[0], y[1])[1]


def eig(a: (regular, shapes((3, 3)))):
    """Vectors are of length 1, their largest part real, as LAPACK has them (Giles 2008)."""
    y = linalg.eig(a)
    a_bar = _eig_bar(_on_diagonal(y_bar[0]), y[1], a)
    a_bar = _eig_bar(_eig_inner(y_bar[1], y[0], y[1]), y[1], a)
    y_dot[0] = _eigenvalue_dots(a_dot, y[1])
    y_dot[1] = _eigenvector_dots(a_dot, y[0], y[1])


# ---------------------------------------------------------------------------- singular values


def svd(a: (spread_out, shapes((3, 3), (4, 2), (2, 4))), full_matrices: false):
    """Townsend 2016."""
    y = linalg.svd(a, full_matrices)
    a_bar = np.dot(y[0] * y_bar[1], y[2])
    a_bar = _singular_vectors_bar(y_bar[0], y_bar[2], y[0], y[1], y[2])
    y_dot[0] = _left_vectors_dot(a_dot, y[0], y[1], y[2])
    y_dot[1] = np.diag(np.dot(y[0].T, np.dot(a_dot, y[2].T)))
    y_dot[2] = _right_vectors_dot(a_dot, y[0], y[1], y[2])


def svd_of_complex(a: (complex, spread_out, shapes((3, 3), (4, 2), (2, 4))), full_matrices: false):
    """Wan and Zhang 2019."""
    y = linalg.svd(a, full_matrices)
    a_bar = np.conj(np.dot(y[0] * y_bar[1], y[2]))
    a_bar = _unitary_factors_bar(y_bar[0], y_bar[2], y[0], y[1], y[2])
    y_dot[0] = _unitary_factors_dot(a_dot, y[0], y[1], y[2])[0]
    y_dot[1] = _complex_singular_values_dot(a, a_dot)
    y_dot[2] = _unitary_factors_dot(a_dot, y[0], y[1], y[2])[1]


def svd_full(a: (spread_out, shapes((3, 3), (4, 3), (2, 3))), full_matrices: true = True):
    """Vectors without a value are arbitrary but for how they span: what hangs on more is refused."""
    y = linalg.svd(a, full_matrices)
    a_bar = _singular_values_bar(y_bar[1], a)
    a_bar = _all_vectors_bar(y_bar[0], y_bar[2], y[0], y[1], y[2])
    y_dot[0] = _all_left_vectors_dot(a_dot, y[0], y[1], y[2])
    y_dot[1] = _singular_values_dot(a, a_dot)
    y_dot[2] = _all_right_vectors_dot(a_dot, y[0], y[1], y[2])


# ---------------------------------------------------------------------------- least squares


def lstsq(
    a: (regular, shapes((4, 2), (4, 2), (3, 3), (2, 4))), b: shapes((4,), (4, 3), (3,), (2,))
):
    """While the rank stays as it is (Golub and Pereyra 1973)."""
    y = linalg.lstsq(a, b)
    a_bar = _lstsq_bar(y_bar[0], a, b, y[0])
    a_bar = -_outer(_residues_bar(y_bar[1], a, b, y[0]), y[0])
    a_bar = _singular_bar(y_bar[3], a)
    b_bar = np.dot(linalg.pinv(a).T, y_bar[0])
    b_bar = _residues_bar(y_bar[1], a, b, y[0])
    y_dot[0] = _lstsq_dot(a_dot, a, b, y[0])
    y_dot[1] = -_residues_dot(y[1], a, b, y[0], np.dot(a_dot, y[0]))
    y_dot[3] = np.diag(_singular_dot(a_dot, a))
    y_dot[0] = np.dot(linalg.pinv(a), b_dot)
    y_dot[1] = _residues_dot(y[1], a, b, y[0], b_dot)
