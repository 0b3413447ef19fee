"""Functions of one matrix, norms, and equations of matrices, in scipy.linalg.

A function of a matrix has its derivative in a corner of the function of a matrix of blocks
(Mathias 1996); one that gives complex numbers is refused where it does.
"""

FAMILY = "explicit"
HOLOMORPHIC = "expm_frechet cosm sinm coshm sinhm tanm tanhm solve_sylvester"
STACKS = "refused"

# ---------------------------------------------------------------------------- functions of matrices


def expm(A: shapes((3, 3))):
    """Al-Mohy and Higham 2009."""
    y = linalg.expm(A)
    A_bar = linalg.expm_frechet(np.swapaxes(A, -1, -2), y_bar, compute_expm=False).astype(y.dtype)
    y_dot = linalg.expm_frechet(A, A_dot, compute_expm=False)


def expm_of_complex(A: (complex, shapes((3, 3)))):
    y = linalg.expm(A)
    A_bar = linalg.expm_frechet(np.swapaxes(A, -1, -2), y_bar, compute_expm=False)
    y_dot = linalg.expm_frechet(A, A_dot, compute_expm=False)


def expm_frechet(A: shapes((3, 3)), E: shapes((3, 3)), *, compute_expm: false):
    y = linalg.expm_frechet(A, E, compute_expm=compute_expm)
    A_bar = _expm_twice(np.swapaxes(A, -1, -2), np.swapaxes(E, -1, -2), y_bar)
    E_bar = linalg.expm_frechet(np.swapaxes(A, -1, -2), y_bar, compute_expm=False)
    y_dot = _expm_twice(A, E, A_dot)
    y_dot = linalg.expm_frechet(A, E_dot, compute_expm=False)


def sqrtm(A: (definite, shapes((3, 3)))):
    """The derivative solves a Sylvester equation (Higham 2008)."""
    y = linalg.sqrtm(A)
    A_bar = linalg.solve_sylvester(np.transpose(_real(y, A)), np.transpose(_real(y, A)), y_bar)
    y_dot = linalg.solve_sylvester(_real(y, A), _real(y, A), A_dot)


def sqrtm_of_complex(A: (complex, definite, shapes((3, 3)))):
    """The derivative solves a Sylvester equation (Higham 2008)."""
    y = linalg.sqrtm(A)
    A_bar = linalg.solve_sylvester(np.transpose(y), np.transpose(y), y_bar)
    y_dot = linalg.solve_sylvester(y, y, A_dot)


def real(a: shapes((3, 3)), like: (constant, shapes((3, 3)))):
    """The printed function, for a derivative that is differentiated again."""
    y = _real(a, like)
    a_bar = y_bar
    y_dot = a_dot


def logm(A: (definite, shapes((3, 3)))):
    y = linalg.logm(A)
    A_bar = _corner(_real(linalg.logm(_blocks(np.transpose(A), y_bar)), A))
    y_dot = _corner(_real(linalg.logm(_blocks(A, A_dot)), A))


def logm_of_complex(A: (complex, definite, shapes((3, 3)))):
    y = linalg.logm(A)
    A_bar = _corner(linalg.logm(_blocks(np.transpose(A), y_bar)))
    y_dot = _corner(linalg.logm(_blocks(A, A_dot)))


def fractional_matrix_power(A: (definite, shapes((3, 3))), t: (scalar, positive, shapes(()))):
    """Of matrices with no negative eigenvalues; the power of a whole number as well."""
    y = linalg.fractional_matrix_power(A, t)
    A_bar = _corner(_real(linalg.fractional_matrix_power(_blocks(np.transpose(A), y_bar), t), A))
    t_bar = np.vdot(y_bar, np.dot(_real(linalg.logm(A), A), _real(y, A)))
    y_dot = _corner(_real(linalg.fractional_matrix_power(_blocks(A, A_dot), t), A))
    y_dot = t_dot * np.dot(_real(linalg.logm(A), A), _real(y, A))


EACH = "cosm sinm coshm sinhm tanm tanhm"


def each(A: shapes((3, 3))):
    y = linalg.each(A)
    A_bar = _corner(linalg.each(_blocks(np.transpose(A), y_bar)))
    y_dot = _corner(linalg.each(_blocks(A, A_dot)))


# ---------------------------------------------------------------------------- values of matrices


def svdvals(a: (spread_out, shapes((3, 3), (4, 2), (2, 4)))):
    y = linalg.svdvals(a)
    a_bar = _singular_bar(y_bar, a)
    y_dot = np.diag(_singular_dot(a_dot, a))


def svdvals_of_complex(a: (complex, spread_out, shapes((3, 3), (4, 2), (2, 4)))):
    y = linalg.svdvals(a)
    y = linalg.svd(a, compute_uv=False)
    a_bar = _complex_singular_values_bar(y_bar, a)
    y_dot = _complex_singular_values_dot(a, a_dot)


def svd_values(a: (spread_out, shapes((3, 3), (4, 2), (2, 4))), *, compute_uv: false):
    y = linalg.svd(a, compute_uv=compute_uv)
    a_bar = _singular_bar(y_bar, a)
    y_dot = np.diag(_singular_dot(a_dot, a))


def eigvalsh_general(
    a: (symmetric, shapes((3, 3))), b: (definite, shapes((3, 3))), *, lower: sample(False) = True
):
    """Of a v = w b v; only one triangle of each is read."""
    y = linalg.eigvalsh(a, b, lower=lower)
    a_bar = _folded(_general_values_bar(y_bar, a, b, lower), lower)
    b_bar = -_folded(_general_values_bar(y_bar * y, a, b, lower), lower)
    y_dot = _general_values_dot(_unfolded(a_dot, lower), a, b, lower)
    y_dot = -(y * _general_values_dot(_unfolded(b_dot, lower), a, b, lower))


def eigvalsh_of_complex(a: (complex, symmetric, shapes((3, 3))), *, lower: sample(False) = True):
    """Of Hermitian matrices the real part of the diagonal is read."""
    y = linalg.eigvalsh(a, lower=lower)
    v = linalg.eigh(a, lower=lower)[1]
    a_bar = _on_hermitian_triangle(_hermitian_values_bar(y_bar, v), lower)
    y_dot = _hermitian_values_dot(_hermitian(a_dot, lower), v)


def eigvalsh(a: (symmetric, shapes((3, 3))), *, lower: sample(False) = True):
    """Only one triangle of a is read."""
    y = linalg.eigvalsh(a, lower=lower)
    y = linalg.eigh(a, lower=lower, eigvals_only=True)
    a_bar = _folded(_spectrum_bar(y_bar, a, lower), lower)
    y_dot = _spectrum_dot(_unfolded(a_dot, lower), a, lower)


STACKS = ""

# ---------------------------------------------------------------------------- norms


def norm(a: shapes((4,), (3, 2)), ord: none = None, axis: none = None, keepdims: false = False):
    """At 0 the derivative is taken as 0."""
    y = linalg.norm(a, ord, axis, keepdims)
    y_squared = np.sum(a**2)
    a_bar = y_bar / (y + (y == 0.0)) * a
    y_dot = np.sum(a * a_dot) / (y + (y == 0.0))


def norm_along(a: shapes((4,), (3, 2)), ord: none = None, *, axis: axes, keepdims: false = False):
    """At 0 the derivative is taken as 0."""
    y = linalg.norm(a, ord, axis, keepdims=keepdims)
    y_squared = np.sum(a**2, axis=axis)
    a_bar = np.expand_dims(y_bar / (y + (y == 0.0)), axis) * a
    y_dot = np.sum(a * a_dot, axis=axis) / (y + (y == 0.0))


def norm_2(a: (vector, shapes((4,))), ord: two):
    """At 0 the derivative is taken as 0."""
    y = linalg.norm(a, ord)
    y_squared = np.sum(a**2)
    a_bar = y_bar / (y + (y == 0.0)) * a
    y_dot = np.sum(a * a_dot) / (y + (y == 0.0))


def norm_1(a: (vector, nonzero), ord: one):
    """At 0 the derivative is taken as 0."""
    y = linalg.norm(a, ord)
    a_bar = y_bar * np.sign(a)
    y_dot = np.sum(np.sign(a) * a_dot)


def norm_frobenius(a: (matrix, shapes((3, 2)))):
    """At 0 the derivative is taken as 0."""
    y = linalg.norm(a, "fro")
    y = linalg.norm(a, ord="fro")
    y_squared = np.sum(a**2)
    a_bar = y_bar / (y + (y == 0.0)) * a
    y_dot = np.sum(a * a_dot) / (y + (y == 0.0))


STACKS = "refused"

# ---------------------------------------------------------------------------- equations


def signm(A: (signed, shapes((3, 3)))):
    """Along N = A y the move of y solves a Sylvester equation (Higham 2008, theorem 5.3)."""
    y = linalg.signm(A)
    size = np.dot(A, y)
    back = linalg.solve_sylvester(np.transpose(size), np.transpose(size), y_bar)
    A_bar = back - np.dot(np.transpose(y), np.dot(back, np.transpose(y)))
    y_dot = linalg.solve_sylvester(size, size, A_dot - np.dot(y, np.dot(A_dot, y)))


def solve_sylvester(
    a: (definite, shapes((3, 3))), b: (definite, shapes((2, 2))), q: shapes((3, 2))
):
    """a y + y b = q."""
    y = linalg.solve_sylvester(a, b, q)
    back = linalg.solve_sylvester(np.transpose(a), np.transpose(b), y_bar)
    a_bar = -np.dot(back, np.transpose(y))
    b_bar = -np.dot(np.transpose(y), back)
    q_bar = back
    y_dot = -linalg.solve_sylvester(a, b, np.dot(a_dot, y))
    y_dot = -linalg.solve_sylvester(a, b, np.dot(y, b_dot))
    y_dot = linalg.solve_sylvester(a, b, q_dot)


def solve_continuous_lyapunov(a: (definite, shapes((3, 3))), q: shapes((3, 3))):
    """a y + y a.T = q."""
    y = linalg.solve_continuous_lyapunov(a, q)
    y = linalg.solve_lyapunov(a, q)
    back = linalg.solve_continuous_lyapunov(np.transpose(a), y_bar)
    a_bar = -(np.dot(back, np.transpose(y)) + np.dot(np.transpose(back), y))
    q_bar = back
    y_dot = -linalg.solve_continuous_lyapunov(a, np.dot(a_dot, y) + np.dot(y, np.transpose(a_dot)))
    y_dot = linalg.solve_continuous_lyapunov(a, q_dot)


def solve_discrete_lyapunov(
    a: (small, shapes((3, 3))), q: shapes((3, 3)), method: sample("bilinear") = None
):
    """a y a.T - y + q = 0."""
    y = linalg.solve_discrete_lyapunov(a, q, method)
    back = linalg.solve_discrete_lyapunov(np.transpose(a), y_bar, method)
    a_bar = np.dot(back, np.dot(a, np.transpose(y))) + np.dot(np.transpose(back), np.dot(a, y))
    q_bar = back
    y_dot = linalg.solve_discrete_lyapunov(a, _congruence_dot(a, a_dot, y), method)
    y_dot = linalg.solve_discrete_lyapunov(a, q_dot, method)


def solve_continuous_are(
    a: (definite, shapes((3, 3))),
    b: shapes((3, 2)),
    q: (definite, shapes((3, 3))),
    r: (definite, shapes((2, 2))),
):
    """a.T y + y a - y b r**-1 b.T y + q = 0, q and r read as symmetric."""
    y = linalg.solve_continuous_are(a, b, q, r)
    gain = np.linalg.solve(r, np.dot(np.transpose(b), y))
    back = linalg.solve_continuous_lyapunov(
        a - np.dot(b, gain), -0.5 * (y_bar + np.transpose(y_bar))
    )
    a_bar = 2.0 * np.dot(y, back)
    b_bar = -2.0 * np.dot(y, np.dot(back, np.transpose(gain)))
    q_bar = back
    r_bar = np.dot(gain, np.dot(back, np.transpose(gain)))
    y_dot = _care_dot(a - np.dot(b, gain), 2.0 * np.dot(np.transpose(a_dot), y))
    y_dot = _care_dot(a - np.dot(b, gain), -2.0 * np.dot(y, np.dot(b_dot, gain)))
    y_dot = _care_dot(a - np.dot(b, gain), q_dot)
    y_dot = _care_dot(a - np.dot(b, gain), np.dot(np.transpose(gain), np.dot(r_dot, gain)))


def solve_discrete_are(
    a: (definite, shapes((3, 3))),
    b: shapes((3, 2)),
    q: (definite, shapes((3, 3))),
    r: (definite, shapes((2, 2))),
):
    """a.T y a - y - a.T y b (r + b.T y b)**-1 b.T y a + q = 0, q and r read as symmetric."""
    y = linalg.solve_discrete_are(a, b, q, r)
    gain = np.linalg.solve(
        r + np.dot(np.transpose(b), np.dot(y, b)), np.dot(np.transpose(b), np.dot(y, a))
    )
    closed = a - np.dot(b, gain)
    back = linalg.solve_discrete_lyapunov(closed, 0.5 * (y_bar + np.transpose(y_bar)))
    a_bar = 2.0 * np.dot(y, np.dot(closed, back))
    b_bar = -2.0 * np.dot(y, np.dot(closed, np.dot(back, np.transpose(gain))))
    q_bar = back
    r_bar = np.dot(gain, np.dot(back, np.transpose(gain)))
    y_dot = _dare_dot(closed, 2.0 * np.dot(np.transpose(a_dot), np.dot(y, closed)))
    y_dot = _dare_dot(closed, -2.0 * np.dot(np.transpose(closed), np.dot(y, np.dot(b_dot, gain))))
    y_dot = _dare_dot(closed, q_dot)
    y_dot = _dare_dot(closed, np.dot(np.transpose(gain), np.dot(r_dot, gain)))
