"""Linear algebra of matrices (not of stacks of them); Giles' collected results."""

FAMILY = "explicit"


def norm(x: shapes((4,), (3, 2)), ord: none = None, axis: none = None, keepdims: false = False):
    """At 0 the derivative does not exist: nan."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    x_bar = y_bar / y * x
    y_dot = np.sum(x * x_dot) / y


def norm_along(
    x: (shapes((4,), (3, 2), (2, 3, 2))), ord: none = None, *, axis: axes, keepdims: false = False
):
    """At 0 the derivative does not exist: nan."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    x_bar = np.expand_dims(y_bar / y, axis) * x
    y_dot = np.sum(x * x_dot, axis=axis) / y


def norm_kept(x: shapes((4,), (3, 2), (2, 3, 2)), ord: none = None, axis=None, *, keepdims: true):
    """At 0 the derivative does not exist: nan."""
    y = np.linalg.norm(x, ord, axis, keepdims=keepdims)
    x_bar = y_bar / y * x
    y_dot = np.sum(x * x_dot, axis=axis, keepdims=True) / y


def norm_2(x: (vector, shapes((4,))), ord: two):
    """At 0 the derivative does not exist: nan."""
    y = np.linalg.norm(x, ord)
    x_bar = y_bar / y * x
    y_dot = np.sum(x * x_dot) / y


def norm_1(x: (vector, nonzero), ord: one):
    """At 0 the derivative is taken as 0."""
    y = np.linalg.norm(x, ord)
    x_bar = y_bar * np.sign(x)
    y_dot = np.sum(np.sign(x) * x_dot)


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


def solve(a: (regular, shapes((3, 3))), b: shapes((3,), (3, 2))):
    y = np.linalg.solve(a, b)
    back = np.linalg.solve(np.transpose(_one_matrix(a)), y_bar)
    a_bar = -_outer(back, y)
    b_bar = back
    y_dot = -np.linalg.solve(a, np.dot(_one_matrix(a_dot), y))
    y_dot = np.linalg.solve(_one_matrix(a), b_dot)


def inv(a: (matrix, regular, shapes((3, 3)))):
    y = np.linalg.inv(a)
    a_bar = -np.dot(y.T, np.dot(y_bar, y.T))
    y_dot = -np.dot(y, np.dot(a_dot, y))


def inv_of_stack(a: (regular, shapes((3, 3), (2, 3, 3)))):
    y = np.linalg.inv(a)
    back = np.swapaxes(y, -1, -2)
    a_bar = -np.matmul(back, np.matmul(y_bar, back))
    y_dot = -np.matmul(y, np.matmul(a_dot, y))


def det(a: (matrix, regular, shapes((3, 3)))):
    y = np.linalg.det(a)
    a_bar = y_bar * y * np.linalg.inv(a).T
    y_dot = y * np.trace(np.linalg.solve(a, a_dot))


def det_of_stack(a: (regular, shapes((3, 3), (2, 3, 3)))):
    y = np.linalg.det(a)
    a_bar = np.expand_dims(y_bar * y, (-1, -2)) * np.swapaxes(np.linalg.inv(a), -1, -2)
    y_dot = y * np.sum(np.linalg.inv(a) * np.swapaxes(a_dot, -1, -2), axis=(-1, -2))
