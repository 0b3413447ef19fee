"""Factorisations with several results, of matrices and of stacks of them.

Where eigen- or singular values are equal, what would flow between their vectors is refused when the
derivative runs: its limit cannot be had from the parts. All else, the values included, has its own.
"""

FAMILY = "parts"


def slogdet(a: (matrix, regular, shapes((3, 3)))):
    y = np.linalg.slogdet(a)
    a_bar = y_bar[1] * np.linalg.inv(a).T
    y_dot[1] = np.trace(np.linalg.solve(a, a_dot))


def slogdet_of_stack(a: (regular, shapes((3, 3), (2, 3, 3)))):
    y = np.linalg.slogdet(a)
    a_bar = np.expand_dims(y_bar[1], (-1, -2)) * np.swapaxes(np.linalg.inv(a), -1, -2)
    y_dot[1] = np.sum(np.linalg.inv(a) * np.swapaxes(a_dot, -1, -2), axis=(-1, -2))


def slogdet_of_complex(a: (complex, regular, shapes((3, 3), (2, 3, 3)))):
    """The logarithm of det(a) moves by trace(inv(a) a_dot): sign by its imaginary part (Giles 2008)."""
    y = np.linalg.slogdet(a)
    a_bar = np.expand_dims(y_bar[1], (-1, -2)) * np.swapaxes(np.linalg.inv(a), -1, -2)
    a_bar = np.expand_dims(1j * np.imag(y_bar[0] * y[0]), (-1, -2)) * np.swapaxes(
        np.linalg.inv(a), -1, -2
    )
    y_dot[0] = 1j * y[0] * np.imag(_log_det_dot(a_dot, a))
    y_dot[1] = np.real(_log_det_dot(a_dot, a))


def eigh(a: (symmetric, shapes((3, 3))), UPLO: sample("U") = "L"):
    """Only one triangle of a is read (Giles 2008)."""
    y = np.linalg.eigh(a, UPLO)
    a_bar = _on_triangle(
        np.matmul(y[1] * np.expand_dims(y_bar[0], -2), np.swapaxes(y[1], -1, -2)), UPLO
    )
    a_bar = _on_triangle(_eigenvectors_bar(y_bar[1], y[0], y[1]), UPLO)
    y_dot[0] = _eigenvalues_dot(_symmetric(a_dot, UPLO), y[1])
    y_dot[1] = _eigenvectors_dot(_symmetric(a_dot, UPLO), y[0], y[1])


def eigh_of_complex(a: (complex, symmetric, shapes((3, 3))), UPLO: sample("U") = "L"):
    """Of Hermitian matrices the real part of the diagonal is read."""
    y = np.linalg.eigh(a, UPLO)
    a_bar = _on_hermitian_triangle(_hermitian_values_bar(y_bar[0], y[1]), UPLO)
    a_bar = _on_hermitian_triangle(_hermitian_vectors_bar(y_bar[1], y[0], y[1], UPLO), UPLO)
    y_dot[0] = _hermitian_values_dot(_hermitian(a_dot, UPLO), y[1])
    y_dot[1] = _hermitian_vectors_dot(_hermitian(a_dot, UPLO), y[0], y[1], UPLO)


def eig(a: (regular, shapes((3, 3)))):
    """Whether values and vectors are complex is decided by the numbers (Giles 2008)."""
    y = np.linalg.eig(a)
    a_bar = _eig_bar(_on_diagonal(y_bar[0]), y[1], a)
    a_bar = _eig_bar(_eig_inner(y_bar[1], y[0], y[1]), y[1], a)
    y_dot[0] = _eigenvalue_dots(a_dot, y[1])
    y_dot[1] = _eigenvector_dots(a_dot, y[0], y[1])


def svd(a: (spread_out, shapes((3, 3), (4, 2), (2, 4))), full_matrices: false):
    """Townsend 2016."""
    y = np.linalg.svd(a, full_matrices)
    y = np.linalg.svd(a, full_matrices=full_matrices)
    a_bar = np.matmul(y[0] * np.expand_dims(y_bar[1], -2), y[2])
    a_bar = _singular_vectors_bar(y_bar[0], y_bar[2], y[0], y[1], y[2])
    y_dot[0] = _left_vectors_dot(a_dot, y[0], y[1], y[2])
    y_dot[1] = np.sum(y[0] * np.matmul(a_dot, np.swapaxes(y[2], -1, -2)), axis=-2)
    y_dot[2] = _right_vectors_dot(a_dot, y[0], y[1], y[2])


def svd_of_complex(a: (complex, spread_out, shapes((3, 3), (4, 2), (2, 4))), full_matrices: false):
    """Wan and Zhang 2019."""
    y = np.linalg.svd(a, full_matrices)
    y = np.linalg.svd(a, full_matrices=full_matrices)
    a_bar = np.conj(np.matmul(y[0] * np.expand_dims(y_bar[1], -2), y[2]))
    a_bar = _unitary_factors_bar(y_bar[0], y_bar[2], y[0], y[1], y[2])
    y_dot[0] = _unitary_factors_dot(a_dot, y[0], y[1], y[2])[0]
    y_dot[1] = _complex_singular_values_dot(a, a_dot)
    y_dot[2] = _unitary_factors_dot(a_dot, y[0], y[1], y[2])[1]


def svd_of_complex_square(
    a: (complex, square, spread_out, shapes((3, 3))), full_matrices: true = True
):
    """Wan and Zhang 2019."""
    y = np.linalg.svd(a, full_matrices)
    a_bar = _complex_singular_values_bar(y_bar[1], a)
    a_bar = _unitary_factors_bar(y_bar[0], y_bar[2], y[0], y[1], y[2])
    y_dot[0] = _unitary_factors_dot(a_dot, y[0], y[1], y[2])[0]
    y_dot[1] = _complex_singular_values_dot(a, a_dot)
    y_dot[2] = _unitary_factors_dot(a_dot, y[0], y[1], y[2])[1]


def svd_of_square(a: (square, spread_out, shapes((3, 3))), full_matrices: true = True):
    """Townsend 2016."""
    y = np.linalg.svd(a, full_matrices)
    a_bar = _singular_values_bar(y_bar[1], a)
    a_bar = _singular_vectors_bar(y_bar[0], y_bar[2], y[0], y[1], y[2])
    y_dot[0] = _left_vectors_dot(a_dot, y[0], y[1], y[2])
    y_dot[1] = _singular_values_dot(a, a_dot)
    y_dot[2] = _right_vectors_dot(a_dot, y[0], y[1], y[2])


def svd_full(a: (spread_out, shapes((3, 3), (4, 3), (2, 3))), full_matrices: true = True):
    """Vectors without a value are arbitrary but for how they span: what hangs on more is refused."""
    y = np.linalg.svd(a, full_matrices)
    a_bar = _singular_values_bar(y_bar[1], a)
    a_bar = _all_vectors_bar(y_bar[0], y_bar[2], y[0], y[1], y[2])
    y_dot[0] = _all_left_vectors_dot(a_dot, y[0], y[1], y[2])
    y_dot[1] = _singular_values_dot(a, a_dot)
    y_dot[2] = _all_right_vectors_dot(a_dot, y[0], y[1], y[2])


def qr(a: (regular, shapes((3, 3), (4, 2), (2, 4)))):
    """Walter and Lehmann, 2012."""
    y = np.linalg.qr(a)
    a_bar = _qr_back(y_bar[0], y_bar[1], y[0], y[1])
    y_dot[0] = _q_move(a_dot, y[0], y[1])
    y_dot[1] = _r_move(a_dot, y[0], y[1])


def lstsq(
    a: (regular, shapes((4, 2), (4, 2), (3, 3), (2, 4))),
    b: shapes((4,), (4, 3), (3,), (2,)),
    rcond: none = None,
):
    """While the rank stays as it is (Golub and Pereyra 1973)."""
    y = np.linalg.lstsq(a, b, rcond)
    a_bar = _least_squares_bar(y_bar[0], a, b, y[0])
    a_bar = -_outer(_squares_bar(y_bar[1], a, b, y[0]), y[0])
    a_bar = _singular_values_bar(y_bar[3], a)
    b_bar = np.dot(np.linalg.pinv(a).T, y_bar[0])
    b_bar = _squares_bar(y_bar[1], a, b, y[0])
    y_dot[0] = _least_squares_dot(a_dot, a, b, y[0])
    y_dot[1] = -_squares_dot(y[1], a, b, y[0], np.dot(a_dot, y[0]))
    y_dot[3] = _singular_values_dot(a, a_dot)
    y_dot[0] = np.dot(np.linalg.pinv(a), b_dot)
    y_dot[1] = _squares_dot(y[1], a, b, y[0], b_dot)


def lstsq_of_full_rank(
    a: (regular, shapes((4, 2), (4, 2), (3, 3), (2, 4))),
    b: shapes((4,), (4, 3), (3,), (2,)),
    rcond: sample(1e-12, 1e-9),
):
    """Where nothing is cut off: what is cut has no derivative (Golub and Pereyra 1973)."""
    y = np.linalg.lstsq(a, b, rcond)
    a_bar = _least_squares_bar(y_bar[0], _of_full_rank(a, y[2]), b, y[0])
    a_bar = -_outer(_squares_bar(y_bar[1], a, b, y[0]), y[0])
    a_bar = _singular_values_bar(y_bar[3], a)
    b_bar = np.dot(np.linalg.pinv(_of_full_rank(a, y[2])).T, y_bar[0])
    b_bar = _squares_bar(y_bar[1], a, b, y[0])
    y_dot[0] = _least_squares_dot(a_dot, _of_full_rank(a, y[2]), b, y[0])
    y_dot[1] = -_squares_dot(y[1], a, b, y[0], np.dot(a_dot, y[0]))
    y_dot[3] = _singular_values_dot(a, a_dot)
    y_dot[0] = np.dot(np.linalg.pinv(_of_full_rank(a, y[2])), b_dot)
    y_dot[1] = _squares_dot(y[1], a, b, y[0], b_dot)
