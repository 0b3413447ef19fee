"""Products of arrays, spelled back as the user spelled them, by rank; linear in each operand.

Where a rank is not known, a printed function finds the adjoint at run time.
"""

FAMILY = "linear"
HOLOMORPHIC = """
dot_vectors dot_matrix_vector dot_vector_matrix dot_matrices dot matmul_vectors
matmul_matrix_vector matmul_vector_matrix matmul_matrices matmul_by_vector matmul_of_matrix
matmul_by_matrix matmul inner_vectors
inner_matrix_vector inner_matrices inner outer_vectors outer multiply_outer_vectors
multiply_outer add_outer_vectors add_outer subtract_outer_vectors subtract_outer tensordot
tensordot_over_last
kron convolve convolve_part correlate_all
cross_of_any
"""

# ---------------------------------------------------------------------------- np.dot


def dot_vectors(a: (vector, shapes((3,), (0,))), b: (vector, shapes((3,), (0,)))):
    y = np.dot(a, b)
    y = a.dot(b)
    a_bar = y_bar * b
    b_bar = y_bar * a


def dot_matrix_vector(a: (matrix, shapes((3, 2), (2, 0))), b: (vector, shapes((2,), (0,)))):
    y = np.dot(a, b)
    y = a.dot(b)
    a_bar = np.outer(y_bar, b)
    b_bar = np.dot(y_bar, a)


def dot_vector_matrix(a: (vector, shapes((3,), (0,))), b: (matrix, shapes((3, 2), (0, 2)))):
    y = np.dot(a, b)
    y = a.dot(b)
    a_bar = np.dot(b, y_bar)
    b_bar = np.outer(a, y_bar)


def dot_matrices(a: (matrix, shapes((3, 2), (0, 2))), b: (matrix, shapes((2, 4), (2, 3)))):
    y = np.dot(a, b)
    y = a.dot(b)
    a_bar = np.dot(y_bar, b.T)
    b_bar = np.dot(a.T, y_bar)


def dot(
    a: shapes((), (3,), (), (3,), (2, 3), (3,), (2, 3), (2, 4, 3), (2, 3), (2, 4, 3), (3,)),
    b: shapes((), (), (3,), (3,), (3,), (3, 2), (3, 4), (3,), (2, 3, 4), (2, 3, 5), (2, 3, 4)),
):
    y = np.dot(a, b)
    y = a.dot(b)
    a_bar = _dot_bar_a(y_bar, a, b)
    b_bar = _dot_bar_b(y_bar, a, b)


# ---------------------------------------------------------------------------- a @ b


def matmul_vectors(a: (vector, shapes((3,), (0,))), b: (vector, shapes((3,), (0,)))):
    y = a @ b
    y = np.matmul(a, b)
    y = np.linalg.matmul(a, b)
    a_bar = y_bar * b
    b_bar = y_bar * a


def matmul_matrix_vector(a: (matrix, shapes((3, 2), (2, 0))), b: (vector, shapes((2,), (0,)))):
    y = a @ b
    y = np.matmul(a, b)
    y = np.linalg.matmul(a, b)
    a_bar = np.outer(y_bar, b)
    b_bar = y_bar @ a


def matmul_vector_matrix(a: (vector, shapes((3,), (0,))), b: (matrix, shapes((3, 2), (0, 2)))):
    y = a @ b
    y = np.matmul(a, b)
    y = np.linalg.matmul(a, b)
    a_bar = b @ y_bar
    b_bar = np.outer(a, y_bar)


def matmul_matrices(a: (matrix, shapes((3, 2), (0, 2))), b: (matrix, shapes((2, 4), (2, 3)))):
    y = a @ b
    y = np.matmul(a, b)
    y = np.linalg.matmul(a, b)
    a_bar = y_bar @ b.T
    b_bar = a.T @ y_bar


def matmul_by_vector(
    a: shapes((3,), (2, 3), (2, 4, 3), (0,)), b: (vector, shapes((3,), (3,), (3,), (0,)))
):
    y = a @ b
    y = np.matmul(a, b)
    y = np.linalg.matmul(a, b)
    a_bar = np.expand_dims(y_bar, -1) * b
    b_bar = np.tensordot(y_bar, a, np.ndim(y_bar))


def matmul_of_matrix(
    a: (matrix, shapes((2, 3), (2, 3), (2, 3))), b: shapes((3,), (3, 4), (5, 3, 4))
):
    y = a @ b
    y = np.matmul(a, b)
    y = np.linalg.matmul(a, b)
    a_bar = _matmul_bar_a(y_bar, a, b)
    b_bar = a.T @ y_bar


def matmul_by_matrix(
    a: shapes((3,), (2, 3), (5, 2, 3)), b: (matrix, shapes((3, 4), (3, 4), (3, 4)))
):
    y = a @ b
    y = np.matmul(a, b)
    y = np.linalg.matmul(a, b)
    a_bar = y_bar @ b.T
    b_bar = np.tensordot(a, y_bar, axes=[range(np.ndim(a) - 1)] * 2)


def matmul(
    a: shapes((3,), (2, 3), (3,), (2, 3), (2, 4, 3), (3,), (2, 3), (2, 4, 3), (2, 1, 4, 3)),
    b: shapes((3,), (3,), (3, 2), (3, 4), (3,), (2, 3, 4), (5, 3, 4), (2, 3, 5), (5, 3, 2)),
):
    y = a @ b
    y = np.matmul(a, b)
    y = np.linalg.matmul(a, b)
    a_bar = _matmul_bar_a(y_bar, a, b)
    b_bar = _matmul_bar_b(y_bar, a, b)


# ---------------------------------------------------------------------------- others


def vdot(a: shapes((3,), (2, 3), ()), b: shapes((3,), (3, 2), ())):
    y = np.vdot(a, b)
    a_bar = np.reshape(y_bar * np.ravel(b), a.shape)
    b_bar = np.reshape(y_bar * np.ravel(a), b.shape)


def vdot_vectors(a: (vector, shapes((3,), (0,))), b: (vector, shapes((3,), (0,)))):
    y = np.vdot(a, b)
    y = np.vecdot(a, b)
    y = np.linalg.vecdot(a, b)
    a_bar = y_bar * b
    b_bar = y_bar * a


def vecdot(
    a: shapes((2, 3), (3,), (2, 4, 3), (4, 3)), b: shapes((2, 3), (2, 3), (4, 3), (2, 4, 3))
):
    y = np.vecdot(a, b)
    y = np.linalg.vecdot(a, b)
    a_bar = _sum_to(np.expand_dims(y_bar, -1) * b, a.shape)
    b_bar = _sum_to(np.expand_dims(y_bar, -1) * a, b.shape)


def matvec(a: shapes((2, 3), (4, 2, 3), (4, 2, 3), (2, 3)), b: shapes((3,), (3,), (4, 3), (4, 3))):
    y = np.matvec(a, b)
    a_bar = _sum_to(np.expand_dims(y_bar, -1) * np.expand_dims(b, -2), a.shape)
    b_bar = _sum_to(np.vecmat(y_bar, a), b.shape)


def vecmat(a: shapes((2,), (2,), (4, 2), (4, 2)), b: shapes((2, 3), (4, 2, 3), (4, 2, 3), (2, 3))):
    y = np.vecmat(a, b)
    a_bar = _sum_to(np.matvec(b, y_bar), a.shape)
    b_bar = _sum_to(np.expand_dims(a, -1) * np.expand_dims(y_bar, -2), b.shape)


def inner_vectors(a: (vector, shapes((3,), (0,))), b: (vector, shapes((3,), (0,)))):
    y = np.inner(a, b)
    a_bar = y_bar * b
    b_bar = y_bar * a


def inner_matrix_vector(a: (matrix, shapes((3, 2), (2, 0))), b: (vector, shapes((2,), (0,)))):
    y = np.inner(a, b)
    a_bar = np.outer(y_bar, b)
    b_bar = np.dot(y_bar, a)


def inner_matrices(a: (matrix, shapes((3, 2))), b: (matrix, shapes((4, 2)))):
    y = np.inner(a, b)
    a_bar = np.dot(y_bar, b)
    b_bar = np.dot(y_bar.T, a)


def inner(
    a: shapes((), (3,), (3,), (2, 3), (2, 4, 3), (2, 3)),
    b: shapes((), (), (3,), (3,), (5, 3), (2, 4, 3)),
):
    y = np.inner(a, b)
    a_bar = _inner_bar_a(y_bar, a, b)
    b_bar = _inner_bar_b(y_bar, a, b)


def outer_vectors(a: vector, b: (vector, shapes((3,)))):
    y = np.outer(a, b)
    y = np.linalg.outer(a, b)
    a_bar = np.dot(y_bar, b)
    b_bar = np.dot(a, y_bar)


def outer(a: shapes((2, 2), (), (3,)), b: shapes((3,), (2, 2), (3, 2))):
    y = np.outer(a, b)
    a_bar = np.reshape(np.dot(y_bar, np.ravel(b)), a.shape)
    b_bar = np.reshape(np.dot(np.ravel(a), y_bar), b.shape)


def multiply_outer_vectors(A: vector, B: (vector, shapes((3,)))):
    y = np.multiply.outer(A, B)
    A_bar = np.dot(y_bar, B)
    B_bar = np.dot(A, y_bar)


def multiply_outer(A: shapes((2, 2), (), (3,), (2,)), B: shapes((3,), (2, 2), (3, 2), ())):
    y = np.multiply.outer(A, B)
    A_bar = np.tensordot(y_bar, B, B.ndim)
    B_bar = np.tensordot(A, y_bar, A.ndim)


def add_outer_vectors(A: vector, B: (vector, shapes((3,)))):
    y = np.add.outer(A, B)
    A_bar = np.sum(y_bar, axis=1)
    B_bar = np.sum(y_bar, axis=0)
    y_dot = A_dot[:, None] + np.zeros_like(B)
    y_dot = np.zeros_like(A)[:, None] + B_dot


def subtract_outer_vectors(A: vector, B: (vector, shapes((3,)))):
    y = np.subtract.outer(A, B)
    A_bar = np.sum(y_bar, axis=1)
    B_bar = -np.sum(y_bar, axis=0)
    y_dot = A_dot[:, None] - np.zeros_like(B)
    y_dot = np.zeros_like(A)[:, None] - B_dot


def add_outer(A: shapes((2, 2), (), (3,), (2,)), B: shapes((3,), (2, 2), (3, 2), ())):
    y = np.add.outer(A, B)
    A_bar = np.tensordot(y_bar, np.ones_like(B), B.ndim)
    B_bar = np.tensordot(np.ones_like(A), y_bar, A.ndim)
    y_dot = np.add.outer(A_dot, np.zeros_like(B))
    y_dot = np.add.outer(np.zeros_like(A), B_dot)


def subtract_outer(A: shapes((2, 2), (), (3,), (2,)), B: shapes((3,), (2, 2), (3, 2), ())):
    y = np.subtract.outer(A, B)
    A_bar = np.tensordot(y_bar, np.ones_like(B), B.ndim)
    B_bar = -np.tensordot(np.ones_like(A), y_bar, A.ndim)
    y_dot = np.add.outer(A_dot, np.zeros_like(B))
    y_dot = np.subtract.outer(np.zeros_like(A), B_dot)


def tensordot_over_last(
    a: shapes((2, 3), (3, 2, 4), (2, 3, 4)),
    b: shapes((2, 3), (2, 4, 3), (3, 4, 5)),
    axes: (integer, sample(0)) = 2,
):
    y = np.tensordot(a, b, axes)
    a_bar = _tensordot_bar_a(y_bar, a, b, axes)
    b_bar = np.tensordot(a, y_bar, axes=[range(np.ndim(a) - axes)] * 2)


def tensordot(
    a: shapes((2, 3), (2, 3, 4), (2, 3, 4), (3, 2, 3)),
    b: shapes((2, 3), (3, 4, 2), (4, 3, 5), (3, 3, 2)),
    axes: sample(((0,), (0,)), ((-1,), (-2,)), ([1, 2], [1, 0])) = 2,
):
    y = np.tensordot(a, b, axes)
    y = np.linalg.tensordot(a, b, axes=axes)
    a_bar = _tensordot_bar_a(y_bar, a, b, axes)
    b_bar = _tensordot_bar_b(y_bar, a, b, axes)


def kron(a: shapes((2,), (2, 3)), b: shapes((3,), (3, 2))):
    y = np.kron(a, b)
    a_bar = _kron_bar_a(y_bar, a, b)
    b_bar = _kron_bar_b(y_bar, a, b)


def convolve(a: shapes((5,), (3,), (2,)), v: shapes((3,), (3,), (4,))):
    y = np.convolve(a, v)
    y = np.convolve(a, v, "full")
    y = np.convolve(a, v, mode="full")
    a_bar = np.correlate(y_bar, np.conj(v), "valid")
    v_bar = np.correlate(y_bar, np.conj(a), "valid")


def convolve_part(
    a: shapes((5,), (3,), (2,)), v: shapes((3,), (3,), (4,)), mode: sample("same", "valid", 0, 1)
):
    y = np.convolve(a, v, mode)
    a_bar = np.correlate(_convolve_whole(y_bar, a, v, mode), np.conj(v), "valid")
    v_bar = np.correlate(_convolve_whole(y_bar, a, v, mode), np.conj(a), "valid")


def correlate_all(a: shapes((5,), (3,), (2,)), v: shapes((3,), (3,), (4,))):
    y = np.correlate(a, v, "full")
    a_bar = np.convolve(y_bar, np.conj(v), "valid")
    v_bar = np.conj(np.correlate(y_bar, np.conj(a), "valid")[::-1])


def correlate_middle(a: shapes((5,), (4,), (2,), (3,)), v: shapes((3,), (2,), (5,), (4,))):
    y = np.correlate(a, v, "same")
    whole = _correlate_whole(y_bar, a, v)
    a_bar = np.convolve(whole, v, "valid")
    v_bar = np.correlate(whole, a, "valid")[::-1]


def correlate(a: shapes((5,), (3,), (2,)), v: shapes((3,), (3,), (4,))):
    y = np.correlate(a, v)
    a_bar = _correlate_bar_a(y_bar, a, v)
    v_bar = _correlate_bar_v(y_bar, a, v)


def cross_between_axes(
    a: (matrix, shapes((3, 2), (3, 1))),
    b: (matrix, shapes((2, 3), (2, 3))),
    axisa: (integer, sample(0)),
    axisb: (integer, sample(1)) = -1,
    axisc: (integer, sample(0, 1)) = -1,
):
    y = np.cross(a, b, axisa, axisb, axisc)
    a_bar = _sum_to(np.cross(b, y_bar, axisb, axisc, axisa), a.shape)
    b_bar = _sum_to(np.cross(y_bar, a, axisc, axisa, axisb), b.shape)
    y_dot = np.cross(a_dot, b, axisa, axisb, axisc)
    y_dot = np.cross(a, b_dot, axisa, axisb, axisc)


def cross_of_any(
    a: shapes((2,), (2,), (2,), (3,), (3, 2)), b: shapes((2,), (3,), (2, 2), (2, 3), (3,))
):
    y = np.cross(a, b)
    a_bar = _cross_bar(y_bar, b, a)
    b_bar = -_cross_bar(y_bar, a, b)
