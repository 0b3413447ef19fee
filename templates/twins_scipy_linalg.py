"""Twins of SciPy's functions of matrices: of stacks of them, and of two results at once."""

FAMILY = "twin"


def expm_of_stack(A: (stacked, small, shapes((2, 3, 3), (2, 1, 2, 2)))):
    y = linalg.expm(A)
    twin = _expm_of_stack(A)


def expm_frechet(A: (small, shapes((3, 3), (2, 2))), E: shapes((3, 3), (2, 2))):
    y = linalg.expm_frechet(A, E)
    twin = _expm_and_frechet(A, E)


def eigvalsh_tridiagonal(d: (vector, shapes((4,), (3,))), e: (vector, shapes((3,), (2,)))):
    """Of the symmetric matrix with d on its diagonal and e beside it."""
    y = linalg.eigvalsh_tridiagonal(d, e)
    twin = _tridiagonal_values(d, e)


def hessenberg(a: (matrix, shapes((4, 4), (2, 2)))):
    y = linalg.hessenberg(a)
    twin = _hessenberg(a)


def hessenberg_and_what_turns_to_it(a: (matrix, shapes((4, 4), (2, 2)))):
    y = linalg.hessenberg(a, True)
    twin = _hessenberg_and_turn(a)


def khatri_rao(a: shapes((2, 3), (3, 2)), b: shapes((4, 3), (1, 2))):
    y = linalg.khatri_rao(a, b)
    twin = _khatri_rao(a, b)


def orthogonal_procrustes(A: shapes((4, 3), (3, 3)), B: shapes((4, 3), (3, 3))):
    """Of real matrices; A.T @ B has to be regular."""
    y = linalg.orthogonal_procrustes(A, B)
    twin = _orthogonal_procrustes(A, B)


# ---------------------------------------------------------------------------- norms


def norm_of_vectors(
    a: (array, nonzero, distinct, shapes((4,), (3, 2))),
    ord: sample(1, 2, -1, 2.5),
    axis: (integer, sample(0, -1)),
    keepdims: sample(True) = False,
):
    y = linalg.norm(a, ord, axis, keepdims)
    twin = _vector_norm(a, axis, keepdims, ord)


def norm_of_vector(
    a: (vector, nonzero, distinct, shapes((4,))),
    ord: sample(1, 2, -1, 2.5),
    axis: none = None,
    keepdims: sample(True) = False,
):
    y = linalg.norm(a, ord, axis, keepdims)
    twin = _vector_norm(a, axis, keepdims, ord)


def norm_of_matrix(
    a: (matrix, spread_out, shapes((3, 2), (3, 3))),
    ord: (no_array, sample(1, -1, 2, -2, "fro", "nuc")),
    axis: none = None,
    keepdims: sample(True) = False,
):
    """Equal extremes share y_bar equally; singular values have that of NumPy's order."""
    y = linalg.norm(a, ord, axis, keepdims)
    twin = _matrix_norm(a, (0, 1), keepdims, ord)


def norm_of_matrices(
    a: (stacked, regular, shapes((3, 2), (2, 3, 2))),
    ord: (no_array, sample(1, -1, 2, -2, "fro", "nuc")),
    axis: (two_axes, sample((0, 1), (-1, 0))),
    keepdims: sample(True) = False,
):
    """Equal extremes share y_bar equally; singular values have that of NumPy's order."""
    y = linalg.norm(a, ord, axis, keepdims)
    twin = _matrix_norm(a, axis, keepdims, ord)


def norm_of_axes(
    a: (array, nonzero, shapes((4,), (3, 2))),
    ord: none = None,
    *,
    axis: sample(0, (0, 1)),
    keepdims: sample(True),
):
    y = linalg.norm(a, ord, axis, keepdims)
    twin = _norm_over(a, axis, keepdims)


def lu_permuted(a: (regular, shapes((3, 3))), *, permute_l: true):
    """While the pivots stay; of square matrices."""
    y = linalg.lu(a, permute_l=permute_l)
    twin = _lu_permuted(a)


def qr_alone(a: (regular, shapes((3, 3), (4, 2)))):
    """Of matrices with as many rows as columns or more."""
    y = linalg.qr(a, mode="r")
    twin = _qr_r(a)
