"""Linear algebra of matrices and of stacks of them; Giles' collected results (2008).

A norm has derivative 0 where it is 0; between equal extremes y_bar is shared out equally.
"""

FAMILY = "explicit"
HOLOMORPHIC = """
solve_vector solve_matrix solve inv inv_of_stack matrix_power tensorsolve tensorinv trace_of_squares
"""

# ---------------------------------------------------------------------------- norms


def norm(x: shapes((4,), (3, 2)), ord: none = None, axis: none = None, keepdims: false = False):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.norm(x, "fro")
    y = np.linalg.norm(x, ord="fro")
    y_squared = np.sum(x**2)
    x_bar = y_bar / (y + (y == 0.0)) * x
    y_dot = np.sum(x * x_dot) / (y + (y == 0.0))


def dist(p: (vector, shapes((4,), (3,))), q: (vector, shapes((4,), (3,)))):
    """At 0 the derivative is taken as 0."""
    y = math.dist(p, q)
    p_bar = y_bar / (y + (y == 0.0)) * (p - q)
    q_bar = y_bar / (y + (y == 0.0)) * (q - p)
    y_dot = np.sum((p - q) * p_dot) / (y + (y == 0.0))
    y_dot = np.sum((q - p) * q_dot) / (y + (y == 0.0))


def hypot_of_vector(*x: (vector, shapes((4,), (3,)))):
    """At 0 the derivative is taken as 0."""
    y = math.hypot(*x)
    x_bar = y_bar / (y + (y == 0.0)) * x
    y_dot = np.dot(x, x_dot) / (y + (y == 0.0))


def norm_along(
    x: (shapes((4,), (3, 2), (2, 3, 2))), ord: none = None, *, axis: axes, keepdims: false = False
):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims)
    y_squared = np.sum(x**2, axis=axis)
    x_bar = np.expand_dims(y_bar / (y + (y == 0.0)), axis) * x
    y_dot = np.sum(x * x_dot, axis=axis) / (y + (y == 0.0))


def norm_kept(x: shapes((4,), (3, 2), (2, 3, 2)), ord: none = None, axis=None, *, keepdims: true):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims)
    y_squared = np.sum(x**2, axis=axis, keepdims=keepdims)
    x_bar = y_bar / (y + (y == 0.0)) * x
    y_dot = np.sum(x * x_dot, axis=axis, keepdims=True) / (y + (y == 0.0))


def norm_2(x: (vector, shapes((4,))), ord: two, axis: none = None, keepdims: false = False):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y_squared = np.sum(x**2)
    x_bar = y_bar / (y + (y == 0.0)) * x
    y_dot = np.sum(x * x_dot) / (y + (y == 0.0))


def vector_norm(
    x: shapes((4,), (3, 2)), *, axis: none = None, keepdims: false = False, ord: two = 2
):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
    y_squared = np.sum(x**2)
    x_bar = y_bar / (y + (y == 0.0)) * x
    y_dot = np.sum(x * x_dot) / (y + (y == 0.0))


def norm_1(x: (vector, nonzero), ord: one, axis: none = None, keepdims: false = False):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
    x_bar = y_bar * np.sign(x)
    y_dot = np.sum(np.sign(x) * x_dot)


def norm_1_along(x: (array, nonzero), ord: one, axis: integer, keepdims=False):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
    x_bar = np.sign(x) * _expand(y_bar, x, axis, keepdims)
    y_dot = np.sum(np.sign(x) * x_dot, axis=axis, keepdims=keepdims)


def norm_inf(
    x: (vector, distinct, shapes((4,))),
    ord: infinite,
    axis: none = None,
    keepdims: false = False,
):
    """Equal extremes share y_bar equally."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
    slope = np.sign(x) * _highest(np.abs(x), 0)
    x_bar = y_bar * slope
    y_dot = np.sum(slope * x_dot)


def norm_inf_along(
    x: (array, distinct, shapes((4,), (3, 2), (2, 3, 2))),
    ord: infinite,
    axis: integer,
    keepdims=False,
):
    """Equal extremes share y_bar equally."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
    slope = np.sign(x) * _highest(np.abs(x), axis)
    x_bar = slope * _expand(y_bar, x, axis, keepdims)
    y_dot = np.sum(slope * x_dot, axis=axis, keepdims=keepdims)


def norm_p(
    x: (vector, nonzero),
    ord: (positive_number, sample(3, 2.5)),
    axis: none = None,
    keepdims: false = False,
):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
    x_bar = y_bar * _norm_slope(x, y, ord)
    y_dot = np.sum(_norm_slope(x, y, ord) * x_dot)


def norm_p_along(
    x: (array, nonzero), ord: (positive_number, sample(3, 2.5)), axis: integer, keepdims=False
):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    y = np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
    slope = _norm_slope(x, _expand(y, x, axis, keepdims), ord)
    x_bar = slope * _expand(y_bar, x, axis, keepdims)
    y_dot = np.sum(slope * x_dot, axis=axis, keepdims=keepdims)


def norm_of_columns(x: (matrix, distinct, shapes((3, 2), (2, 3))), ord: one):
    """Equal extremes share y_bar equally."""
    y = np.linalg.norm(x, ord)
    slope = np.sign(x) * _highest(np.sum(np.abs(x), axis=0), 0)
    x_bar = y_bar * slope
    y_dot = np.sum(slope * x_dot)


def norm_of_rows(x: (matrix, distinct, shapes((3, 2), (2, 3))), ord: infinite):
    """Equal extremes share y_bar equally."""
    y = np.linalg.norm(x, ord)
    slope = np.sign(x) * _highest(np.sum(np.abs(x), axis=1, keepdims=True), 0)
    x_bar = y_bar * slope
    y_dot = np.sum(slope * x_dot)


def norm_spectral(x: (matrix, spread_out, shapes((3, 3), (3, 2), (2, 3))), ord: two):
    """Of equal singular values the first that NumPy gives has it."""
    y = np.linalg.norm(x, ord)
    y = np.linalg.matrix_norm(x, ord=ord)
    x_bar = y_bar * _steepest(x)
    y_dot = np.sum(_steepest(x) * x_dot)


def norm_nuclear(x: (matrix, spread_out, shapes((3, 3), (3, 2), (2, 3)))):
    """A singular value of 0 has a direction as any other."""
    y = np.linalg.norm(x, "nuc")
    y = np.linalg.norm(x, ord="nuc")
    y = np.linalg.matrix_norm(x, ord="nuc")
    x_bar = y_bar * _directions(x)
    y_dot = np.sum(_directions(x) * x_dot)


def matrix_norm(x: (shapes((3, 2), (2, 3, 2))), *, keepdims: false = False):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.matrix_norm(x, keepdims=keepdims)
    y = np.linalg.matrix_norm(x, keepdims=keepdims, ord="fro")
    x_bar = np.expand_dims(y_bar / (y + (y == 0.0)), (-1, -2)) * x
    y_dot = np.sum(x * x_dot, axis=(-1, -2)) / (y + (y == 0.0))


def cond(x: (matrix, spread_out, shapes((3, 3), (3, 2))), p: none = None):
    """Of equal singular values the first that NumPy gives has it."""
    y = np.linalg.cond(x, p)
    least = np.linalg.svd(x, compute_uv=False)[-1]
    slope = (_steepest(x) - y * _flattest(x)) / least
    x_bar = y_bar * slope
    y_dot = np.sum(slope * x_dot)


# ---------------------------------------------------------------------------- equations


def solve_vector(a: (matrix, regular, shapes((3, 3))), b: (vector, shapes((3,)))):
    y = np.linalg.solve(a, b)
    back = np.linalg.solve(a.T, y_bar)
    a_bar = -np.outer(back, y)
    b_bar = back
    y_dot = -np.linalg.solve(a, np.dot(a_dot, y))
    y_dot = np.linalg.solve(a, b_dot)


def solve_matrix(a: (matrix, regular, shapes((3, 3))), b: (matrix, shapes((3, 2)))):
    y = np.linalg.solve(a, b)
    back = np.linalg.solve(a.T, y_bar)
    a_bar = -np.dot(back, y.T)
    b_bar = back
    y_dot = -np.linalg.solve(a, np.dot(a_dot, y))
    y_dot = np.linalg.solve(a, b_dot)


def solve_of_matrix(
    a: (matrix, regular, shapes((3, 3), (3, 3), (3, 3))), b: shapes((3,), (3, 2), (2, 3, 2))
):
    y = np.linalg.solve(a, b)
    back = np.linalg.solve(a.T, y_bar)
    a_bar = _solve_bar_a(back, a, y)
    b_bar = back
    y_dot = _solve_dot(a, a_dot, y)
    y_dot = np.linalg.solve(a, b_dot)


def solve(
    a: (regular, shapes((3, 3), (2, 3, 3), (2, 3, 3), (3, 3))),
    b: shapes((3,), (3,), (2, 3, 2), (2, 3, 2)),
):
    y = np.linalg.solve(a, b)
    back = _solve_back(y_bar, a, y)
    a_bar = _solve_bar_a(back, a, y)
    b_bar = _sum_to(back, b.shape)
    y_dot = _solve_dot(a, a_dot, y)
    y_dot = np.linalg.solve(a, b_dot)


def inv(a: (matrix, regular, shapes((3, 3)))):
    y = np.linalg.inv(a)
    a_bar = -np.dot(y.T, np.dot(y_bar, y.T))
    y_dot = -np.dot(y, np.dot(a_dot, y))


def inv_of_stack(a: (regular, shapes((3, 3), (2, 3, 3)))):
    y = np.linalg.inv(a)
    back = np.swapaxes(y, -1, -2)
    a_bar = -np.matmul(back, np.matmul(y_bar, back))
    y_dot = -np.matmul(y, np.matmul(a_dot, y))


def pinv(a: (regular, shapes((3, 3), (4, 2), (2, 4), (2, 4, 3)))):
    """While the rank stays as it is (Golub and Pereyra 1973)."""
    y = np.linalg.pinv(a)
    a_bar = _inverse_bar(y_bar, a, y)
    y_dot = _inverse_bar(a_dot, np.swapaxes(a, -1, -2), np.swapaxes(y, -1, -2))


def pinv_of_complex(a: (complex, regular, shapes((3, 3), (4, 2), (2, 4), (2, 4, 3)))):
    """While the rank stays as it is (Golub and Pereyra 1973)."""
    y = np.linalg.pinv(a)
    a_bar = _complex_inverse_bar(y_bar, a, y)
    y_dot = _complex_inverse_dot(a_dot, a, y)


def matrix_power(a: (regular, shapes((3, 3), (2, 3, 3))), n: (integer, sample(3, 1, 0, -1, -2))):
    y = np.linalg.matrix_power(a, n)
    a_bar = _power_sum(np.swapaxes(a, -1, -2), y_bar, n)
    y_dot = _power_sum(a, a_dot, n)


def tensorsolve(a: (regular, shapes((3, 3), (2, 3, 6))), b: shapes((3,), (2, 3))):
    y = np.linalg.tensorsolve(a, b)
    back = np.linalg.solve(np.reshape(a, (b.size, b.size)).T, np.ravel(y_bar))
    a_bar = -np.reshape(np.outer(back, np.ravel(y)), a.shape)
    b_bar = np.reshape(back, b.shape)
    y_dot = -np.linalg.tensorsolve(a, np.tensordot(a_dot, y, y.ndim))
    y_dot = np.linalg.tensorsolve(a, b_dot)


def tensorinv(a: (regular, shapes((3, 3), (6, 2, 3))), ind: (integer, sample(1))):
    y = np.linalg.tensorinv(a, ind)
    back = np.tensordot(
        y_bar, y, (list(range(y.ndim - ind, y.ndim)), list(range(y.ndim - ind, y.ndim)))
    )
    a_bar = -np.tensordot(y, back, (list(range(y.ndim - ind)), list(range(y.ndim - ind))))
    y_dot = -np.tensordot(y, np.tensordot(a_dot, y, a.ndim - ind), ind)


# ---------------------------------------------------------------------------- determinants


def trace_of_squares(a: (matrix, shapes((3, 2), (2, 2)))):
    """Of a.T @ a and a @ a.T: the sum of the squares of all elements of a."""
    y = np.trace(a.T @ a)
    y = np.trace(a @ a.T)
    a_bar = 2.0 * y_bar * a
    y_dot = 2.0 * np.sum(a * a_dot)


def det(a: (matrix, regular, shapes((3, 3), (1, 1)))):
    y = np.linalg.det(a)
    a_bar = y_bar * _cofactors(a)
    y_dot = np.sum(_cofactors(a) * a_dot)


def det_of_stack(a: (regular, shapes((3, 3), (2, 3, 3)))):
    y = np.linalg.det(a)
    a_bar = np.expand_dims(y_bar, (-1, -2)) * _cofactors(a)
    y_dot = np.sum(_cofactors(a) * a_dot, axis=(-1, -2))


# ---------------------------------------------------------------------------- factors, values


def cholesky(a: (definite, shapes((3, 3), (2, 3, 3)))):
    """Only the lower triangle of a is read (Murray 2016)."""
    y = np.linalg.cholesky(a)
    a_bar = _cholesky_back(y_bar, y)
    y_dot = _cholesky_move(a_dot, y)


def cholesky_of_complex(a: (complex, definite, shapes((3, 3), (2, 3, 3)))):
    """Only the lower triangle of a is read, and the real part of its diagonal (Murray 2016)."""
    y = np.linalg.cholesky(a)
    a_bar = _hermitian_cholesky_bar(y_bar, y)
    y_dot = _hermitian_cholesky_dot(a_dot, y)


def r_of_qr(a: (regular, shapes((3, 3), (4, 2), (2, 4)))):
    """Walter and Lehmann, 2012."""
    y = np.linalg.qr(a, "r")
    q = np.linalg.qr(a)[0]
    a_bar = _qr_back(np.zeros_like(q), y_bar, q, y)
    y_dot = _r_move(a_dot, np.linalg.qr(a)[0], y)


def eigvalsh(a: (symmetric, shapes((3, 3))), UPLO: sample("U") = "L"):
    """Only one triangle of a is read."""
    y = np.linalg.eigvalsh(a, UPLO)
    v = np.linalg.eigh(a, UPLO)[1]
    a_bar = _on_triangle(np.matmul(v * np.expand_dims(y_bar, -2), np.swapaxes(v, -1, -2)), UPLO)
    y_dot = _eigenvalues_dot(_symmetric(a_dot, UPLO), np.linalg.eigh(a, UPLO)[1])


def eigvalsh_of_complex(a: (complex, symmetric, shapes((3, 3))), UPLO: sample("U") = "L"):
    """Of Hermitian matrices the real part of the diagonal is read."""
    y = np.linalg.eigvalsh(a, UPLO)
    v = np.linalg.eigh(a, UPLO)[1]
    a_bar = _on_hermitian_triangle(_hermitian_values_bar(y_bar, v), UPLO)
    y_dot = _hermitian_values_dot(_hermitian(a_dot, UPLO), np.linalg.eigh(a, UPLO)[1])


def eigvals(a: (regular, shapes((3, 3)))):
    """Whether they are complex is decided by the numbers (Giles 2008)."""
    y = np.linalg.eigvals(a)
    a_bar = _eig_bar(_on_diagonal(y_bar), np.linalg.eig(a)[1], a)
    y_dot = _eigenvalue_dots(a_dot, np.linalg.eig(a)[1])


def singular_values(
    a: (spread_out, shapes((3, 3), (4, 2), (2, 4))), full_matrices: sample(False) = True
):
    y = np.linalg.svd(a, full_matrices, False)
    y = np.linalg.svd(a, full_matrices, compute_uv=False)
    a_bar = _singular_values_bar(y_bar, a)
    y_dot = _singular_values_dot(a, a_dot)


def svd_values_of_complex(
    a: (complex, spread_out, shapes((3, 3), (4, 2), (2, 4))),
    full_matrices=True,
    *,
    compute_uv: false,
):
    y = np.linalg.svd(a, full_matrices, compute_uv=compute_uv)
    a_bar = _complex_singular_values_bar(y_bar, a)
    y_dot = _complex_singular_values_dot(a, a_dot)


def svdvals_of_complex(a: (complex, spread_out, shapes((3, 3), (4, 2), (2, 4)))):
    y = np.linalg.svdvals(a)
    a_bar = _complex_singular_values_bar(y_bar, a)
    y_dot = _complex_singular_values_dot(a, a_dot)


def svdvals(a: (spread_out, shapes((3, 3), (4, 2), (2, 4)))):
    y = np.linalg.svdvals(a)
    a_bar = _singular_values_bar(y_bar, a)
    y_dot = _singular_values_dot(a, a_dot)
