"""SciPy's linear systems, inverses and determinants (Giles 2008), of one matrix.

Where a function reads one triangle of a matrix only, that triangle receives what belongs to both.
"""

FAMILY = "explicit"
HOLOMORPHIC = """
solve_vector solve solve_lower solve_upper solve_lower_transposed solve_triangular
solve_triangular_transposed triangle lu_solve_kept lu_solve_kept_transposed inv inv_of_stack det
det_of_stack
"""
STACKS = "refused"

# ---------------------------------------------------------------------------- systems


def solve_vector(a: (matrix, regular, shapes((3, 3))), b: (vector, shapes((3,)))):
    y = linalg.solve(a, b)
    y = linalg.solve(a, b, assume_a="gen")
    back = linalg.solve(a.T, y_bar)
    a_bar = -np.outer(back, y)
    b_bar = back
    y_dot = -linalg.solve(a, np.dot(a_dot, y))
    y_dot = linalg.solve(a, b_dot)


def solve(a: (regular, shapes((3, 3), (3, 3))), b: shapes((3, 2), (3,))):
    y = linalg.solve(a, b)
    y = linalg.solve(a, b, assume_a="gen")
    back = linalg.solve(np.transpose(a), y_bar)
    a_bar = -_outer(back, y)
    b_bar = back
    y_dot = -linalg.solve(a, np.dot(a_dot, y))
    y_dot = linalg.solve(a, b_dot)


def solve_transposed(
    a: (regular, shapes((3, 3), (3, 3))), b: shapes((3, 2), (3,)), *, transposed: true
):
    y = linalg.solve(a, b, transposed=transposed)
    back = linalg.solve(a, y_bar)
    a_bar = -_outer(y, back)
    b_bar = back
    y_dot = -linalg.solve(a, np.dot(np.transpose(a_dot), y), transposed=True)
    y_dot = linalg.solve(a, b_dot, transposed=True)


EACH = "each:inverse folded:unfolded unfolded:folded"


def each(s: shapes((3, 3)), lower: sample(True, False)):
    """The printed function, for a derivative that is differentiated again."""
    y = _each(s, lower)
    s_bar = _inverse(y_bar, lower)
    y_dot = _each(s_dot, lower)


EACH = "pos sym"


def solve_each(
    a: (definite, shapes((3, 3), (3, 3))), b: shapes((3, 2), (3,)), lower: sample(True) = False
):
    """Only one triangle of a is read."""
    y = linalg.solve(a, b, lower, assume_a="each")
    back = linalg.solve(a, y_bar, lower=lower, assume_a="each")
    a_bar = -_folded(_outer(back, y), lower)
    b_bar = back
    y_dot = -linalg.solve(a, np.dot(_unfolded(a_dot, lower), y), lower=lower, assume_a="each")
    y_dot = linalg.solve(a, b_dot, lower=lower, assume_a="each")


# ---------------------------------------------------------------------------- triangular systems


def solve_lower(a: (matrix, triangular, shapes((3, 3))), b: (vector, shapes((3,))), *, lower: true):
    """Only the lower triangle of a is read."""
    y = linalg.solve_triangular(a, b, lower=lower)
    back = linalg.solve_triangular(a, y_bar, trans="T", lower=True)
    a_bar = -np.tril(np.outer(back, y))
    b_bar = back
    y_dot = -linalg.solve_triangular(a, np.dot(np.tril(a_dot), y), lower=True)
    y_dot = linalg.solve_triangular(a, b_dot, lower=True)


def solve_upper(
    a: (matrix, triangular, shapes((3, 3))), b: (vector, shapes((3,))), *, lower: false = False
):
    """Only the upper triangle of a is read."""
    y = linalg.solve_triangular(a, b, lower=lower)
    back = linalg.solve_triangular(a, y_bar, trans="T")
    a_bar = -np.triu(np.outer(back, y))
    b_bar = back
    y_dot = -linalg.solve_triangular(a, np.dot(np.triu(a_dot), y))
    y_dot = linalg.solve_triangular(a, b_dot)


def solve_lower_transposed(
    a: (matrix, triangular, shapes((3, 3))), b: (vector, shapes((3,))), *, lower: true
):
    """Only the lower triangle of a is read."""
    y = linalg.solve_triangular(a, b, trans=1, lower=lower)
    y = linalg.solve_triangular(a, b, trans="T", lower=lower)
    y = linalg.solve_triangular(a, b, 1, lower=lower)
    y = linalg.solve_triangular(a, b, "T", lower=lower)
    back = linalg.solve_triangular(a, y_bar, lower=True)
    a_bar = -np.tril(np.outer(y, back))
    b_bar = back
    y_dot = -linalg.solve_triangular(a, np.dot(np.tril(a_dot).T, y), trans="T", lower=True)
    y_dot = linalg.solve_triangular(a, b_dot, trans="T", lower=True)


def solve_lower_columns(
    a: (matrix, triangular, shapes((3, 3))), b: (matrix, shapes((3, 2))), *, lower: true
):
    """Only the lower triangle of a is read."""
    y = linalg.solve_triangular(a, b, lower=lower)
    back = linalg.solve_triangular(a, y_bar, trans="T", lower=True)
    a_bar = -np.tril(back @ y.T)
    b_bar = back
    y_dot = -linalg.solve_triangular(a, np.tril(a_dot) @ y, lower=True)
    y_dot = linalg.solve_triangular(a, b_dot, lower=True)


def solve_upper_columns(
    a: (matrix, triangular, shapes((3, 3))), b: (matrix, shapes((3, 2))), *, lower: false = False
):
    """Only the upper triangle of a is read."""
    y = linalg.solve_triangular(a, b, lower=lower)
    back = linalg.solve_triangular(a, y_bar, trans="T")
    a_bar = -np.triu(back @ y.T)
    b_bar = back
    y_dot = -linalg.solve_triangular(a, np.triu(a_dot) @ y)
    y_dot = linalg.solve_triangular(a, b_dot)


def solve_lower_transposed_columns(
    a: (matrix, triangular, shapes((3, 3))), b: (matrix, shapes((3, 2))), *, lower: true
):
    """Only the lower triangle of a is read."""
    y = linalg.solve_triangular(a, b, trans=1, lower=lower)
    y = linalg.solve_triangular(a, b, trans="T", lower=lower)
    y = linalg.solve_triangular(a, b, 1, lower=lower)
    y = linalg.solve_triangular(a, b, "T", lower=lower)
    back = linalg.solve_triangular(a, y_bar, lower=True)
    a_bar = -np.tril(y @ back.T)
    b_bar = back
    y_dot = -linalg.solve_triangular(a, np.tril(a_dot).T @ y, trans="T", lower=True)
    y_dot = linalg.solve_triangular(a, b_dot, trans="T", lower=True)


def solve_triangular(
    a: (triangular, shapes((3, 3), (3, 3))),
    b: shapes((3, 2), (3,)),
    trans: sample(0, "N") = 0,
    lower: sample(True) = False,
    unit_diagonal: sample(True) = False,
):
    """Only one triangle of a is read."""
    y = linalg.solve_triangular(a, b, "N", lower, unit_diagonal)
    y = linalg.solve_triangular(a, b, lower=lower, unit_diagonal=unit_diagonal)
    back = linalg.solve_triangular(a, y_bar, "T", lower, unit_diagonal)
    a_bar = -_triangle(_outer(back, y), lower, unit_diagonal)
    b_bar = back
    y_dot = -linalg.solve_triangular(
        a, np.dot(_triangle(a_dot, lower, unit_diagonal), y), 0, lower, unit_diagonal
    )
    y_dot = linalg.solve_triangular(a, b_dot, 0, lower, unit_diagonal)


def solve_triangular_transposed(
    a: (triangular, shapes((3, 3), (3, 3))),
    b: shapes((3, 2), (3,)),
    lower: sample(True) = False,
    unit_diagonal: sample(True) = False,
):
    """Only one triangle of a is read."""
    y = linalg.solve_triangular(a, b, 1, lower, unit_diagonal)
    y = linalg.solve_triangular(a, b, "T", lower, unit_diagonal)
    back = linalg.solve_triangular(a, y_bar, 0, lower, unit_diagonal)
    a_bar = -_triangle(_outer(y, back), lower, unit_diagonal)
    b_bar = back
    y_dot = -linalg.solve_triangular(
        a,
        np.dot(np.transpose(_triangle(a_dot, lower, unit_diagonal)), y),
        "T",
        lower,
        unit_diagonal,
    )
    y_dot = linalg.solve_triangular(a, b_dot, "T", lower, unit_diagonal)


def triangle(s: shapes((3, 3)), lower: sample(True, False), unit: sample(True, False)):
    """The printed function, for a derivative that is differentiated again."""
    y = _triangle(s, lower, unit)
    s_bar = _triangle(y_bar, lower, unit)
    y_dot = _triangle(s_dot, lower, unit)


# ---------------------------------------------------------------------------- factors known


def cho_solve(
    c: (triangular, shapes((3, 3), (3, 3))), lower: sample(True, False), b: shapes((3, 2), (3,))
):
    """Only one triangle of c is read."""
    y = linalg.cho_solve((c, lower), b)
    back = linalg.cho_solve((c, lower), y_bar)
    c_bar = -_factor_bar(_outer(back, y), c, lower)
    b_bar = back
    y_dot = -linalg.cho_solve((c, lower), np.dot(_factor_dot(c, c_dot, lower), y))
    y_dot = linalg.cho_solve((c, lower), b_dot)


def lu_solve(
    lu: (regular, shapes((3, 3), (3, 3))), piv: sample([1, 2, 2]), b: shapes((3, 2), (3,))
):
    y = linalg.lu_solve((lu, piv), b)
    back = linalg.lu_solve((lu, piv), y_bar, trans=1)
    lu_bar = -_lu_factor_bar(_outer(back, y), lu, piv)
    b_bar = back
    y_dot = -linalg.lu_solve((lu, piv), np.dot(_lu_factor_dot(lu, lu_dot, piv), y))
    y_dot = linalg.lu_solve((lu, piv), b_dot)


def lu_solve_transposed(
    lu: (regular, shapes((3, 3), (3, 3))), piv: sample([1, 2, 2]), b: shapes((3, 2), (3,))
):
    y = linalg.lu_solve((lu, piv), b, 1)
    y = linalg.lu_solve((lu, piv), b, trans=1)
    back = linalg.lu_solve((lu, piv), y_bar)
    lu_bar = -_lu_factor_bar(_outer(y, back), lu, piv)
    b_bar = back
    y_dot = -linalg.lu_solve(
        (lu, piv), np.dot(np.transpose(_lu_factor_dot(lu, lu_dot, piv)), y), trans=1
    )
    y_dot = linalg.lu_solve((lu, piv), b_dot, trans=1)


def cho_solve_kept(
    c_and_lower: (fixed, cholesky_pair, shapes((3, 3), (3, 3))), b: shapes((3, 2), (3,))
):
    """Of the pair that cho_factor returned, as a whole: it does not vary."""
    y = linalg.cho_solve(c_and_lower, b)
    b_bar = linalg.cho_solve(c_and_lower, y_bar)
    y_dot = linalg.cho_solve(c_and_lower, b_dot)


def lu_solve_kept(lu_and_piv: (fixed, lu_pair, shapes((3, 3), (3, 3))), b: shapes((3, 2), (3,))):
    """Of the pair that lu_factor returned, as a whole: it does not vary."""
    y = linalg.lu_solve(lu_and_piv, b)
    b_bar = linalg.lu_solve(lu_and_piv, y_bar, trans=1)
    y_dot = linalg.lu_solve(lu_and_piv, b_dot)


def lu_solve_kept_transposed(
    lu_and_piv: (fixed, lu_pair, shapes((3, 3), (3, 3))), b: shapes((3, 2), (3,))
):
    """Of the pair that lu_factor returned, as a whole: it does not vary."""
    y = linalg.lu_solve(lu_and_piv, b, 1)
    b_bar = linalg.lu_solve(lu_and_piv, y_bar)
    y_dot = linalg.lu_solve(lu_and_piv, b_dot, trans=1)


# ---------------------------------------------------------------------------- inverses


def inv(a: (matrix, regular, shapes((3, 3)))):
    y = linalg.inv(a)
    a_bar = -np.dot(y.T, np.dot(y_bar, y.T))
    y_dot = -np.dot(y, np.dot(a_dot, y))


def inv_of_stack(a: (regular, shapes((3, 3), (2, 3, 3)))):
    y = linalg.inv(a)
    back = np.swapaxes(y, -1, -2)
    a_bar = -np.matmul(back, np.matmul(y_bar, back))
    y_dot = -np.matmul(y, np.matmul(a_dot, y))


def pinv(a: (regular, shapes((3, 3), (4, 2), (2, 4)))):
    """While the rank stays as it is (Golub and Pereyra 1973)."""
    y = linalg.pinv(a)
    a_bar = _pinv_bar(y_bar, a, y)
    y_dot = _pinv_bar(a_dot, np.transpose(a), np.transpose(y))


def pinvh(a: (definite, shapes((3, 3))), *, lower: sample(False) = True):
    """Of real symmetric matrices, of which one triangle is read (Golub and Pereyra 1973)."""
    y = linalg.pinvh(a, lower=lower)
    a_bar = _folded(_pinv_bar(y_bar, _unfolded(a, lower), y), lower)
    y_dot = _pinv_bar(_unfolded(a_dot, lower), _unfolded(a, lower), y)


def pinv_of_complex(a: (complex, regular, shapes((3, 3), (4, 2), (2, 4)))):
    """While the rank stays as it is (Golub and Pereyra 1973)."""
    y = linalg.pinv(a)
    a_bar = _complex_inverse_bar(y_bar, a, y)
    y_dot = _complex_inverse_dot(a_dot, a, y)


def det(a: (matrix, regular, shapes((3, 3)))):
    """The matrix has to be regular."""
    y = linalg.det(a)
    a_bar = y_bar * y * linalg.inv(a).T
    y_dot = y * np.trace(linalg.solve(a, a_dot))


def det_of_stack(a: (regular, shapes((3, 3), (2, 3, 3)))):
    """The matrices have to be regular."""
    y = linalg.det(a)
    a_bar = np.expand_dims(y_bar * y, (-1, -2)) * np.swapaxes(linalg.inv(a), -1, -2)
    y_dot = y * np.sum(linalg.inv(a) * np.swapaxes(a_dot, -1, -2), axis=(-1, -2))


# ---------------------------------------------------------------------------- Cholesky


def cholesky(a: (definite, shapes((3, 3))), lower: sample(True) = False):
    """Only one triangle of a is read (Murray 2016)."""
    y = linalg.cholesky(a, lower)
    a_bar = _cholesky_bar(y_bar, y, lower)
    y_dot = _cholesky_dot(a_dot, y, lower)
