"""Triangles, diagonals and borders of arrays: linear, the tangent is the call itself."""

FAMILY = "linear"
HOLOMORPHIC = """
tril triu tril_any triu_any diag_of_vector diag_of_square diag diagonal diagonal_of_stack diagonal_of_last
trace trace_of_stack trace_of_last diagflat pad pad_with pad_out pad_vector
"""

# ---------------------------------------------------------------------------- diagonals


def tril(m: (stacked, shapes((3, 2), (2, 3))), k: sample(0, 1) = 0):
    y = np.tril(m, k)
    m_bar = np.tril(y_bar, k)


def triu(m: (stacked, shapes((3, 2), (2, 3))), k: sample(0, 1) = 0):
    y = np.triu(m, k)
    m_bar = np.triu(y_bar, k)


EACH = "tril triu"


def each_any(m: shapes((3,), (3, 2)), k: sample(0, 1) = 0):
    """A vector becomes the rows of a matrix."""
    y = np.each(m, k)
    m_bar = _sum_to(np.each(y_bar, k), m.shape)


def diag_of_vector(v: vector, k: sample(0, 1, -2) = 0):
    y = np.diag(v, k)
    v_bar = np.diag(y_bar, k)


def diag_of_square(v: (square, shapes((3, 3))), k: zero = 0):
    y = np.diag(v, k)
    y = np.diagonal(v, k)
    y = v.diagonal(k)
    v_bar = np.diag(y_bar)


def diag(v: shapes((3,), (3, 3), (2, 4), (4, 2)), k: sample(0, 1, -1) = 0):
    y = np.diag(v, k)
    v_bar = _diag_bar(y_bar, v, k)


def diagonal(a: (matrix, shapes((3, 3), (2, 4), (4, 2))), offset: sample(1, -1) = 0):
    y = np.diagonal(a, offset)
    y = np.linalg.diagonal(a, offset=offset)
    y = a.diagonal(offset)
    a_bar = _diag_bar(y_bar, a, offset)


def diagonal_of_stack(
    a: shapes((3, 3), (3, 2, 4)),
    offset: sample(1, -1) = 0,
    axis1: sample(0, -1) = 0,
    axis2: sample(1) = 1,
):
    y = np.diagonal(a, offset, axis1, axis2)
    y = a.diagonal(offset, axis1, axis2)
    a_bar = _diagonal_bar(y_bar, a, offset, axis1, axis2)


def diagonal_of_last(a: shapes((3, 3), (3, 2, 4)), offset: sample(1, -1) = 0):
    y = np.linalg.diagonal(a, offset=offset)
    a_bar = _diagonal_bar(y_bar, a, offset, -2, -1)


def trace(a: (matrix, shapes((3, 3), (2, 4))), offset: (integer, sample(0, 1)) = 0):
    y = np.trace(a, offset)
    y = np.linalg.trace(a, offset=offset)
    y = a.trace(offset)
    a_bar = y_bar * np.eye(a.shape[0], a.shape[1], offset, dtype=a.dtype)


def trace_of_stack(
    a: shapes((3, 3), (2, 4), (3, 2, 4)),
    offset: (integer, sample(0, 1)) = 0,
    axis1: sample(0, -1) = 0,
    axis2: sample(1) = 1,
):
    y = np.trace(a, offset, axis1, axis2)
    y = a.trace(offset, axis1, axis2)
    a_bar = _trace_bar(y_bar, a, offset, axis1, axis2)


def trace_of_last(a: shapes((3, 3), (2, 4), (3, 2, 4)), offset: (integer, sample(0, 1)) = 0):
    y = np.linalg.trace(a, offset=offset)
    a_bar = _trace_bar(y_bar, a, offset, -2, -1)


def diagflat(v: shapes((3,), (2, 2)), k: (integer, sample(1, -2)) = 0):
    y = np.diagflat(v, k)
    v_bar = np.reshape(np.diag(y_bar, k), v.shape)


# ---------------------------------------------------------------------------- borders


def pad(array: shapes((4,), (3, 2)), pad_width: sample(1, 0, (1, 2))):
    y = np.pad(array, pad_width)
    y = np.pad(array, pad_width, "constant")
    y = np.pad(array, pad_width, mode="constant")
    array_bar = _pad_bar(y_bar, array, pad_width)


def pad_with(
    array: shapes((4,), (3, 2)),
    pad_width: sample(1, (1, 2)),
    mode: sample("constant") = "constant",
    *,
    constant_values: sample((3.0, 1.0)),
):
    y = np.pad(array, pad_width, constant_values=constant_values)
    y = np.pad(array, pad_width, "constant", constant_values=constant_values)
    y = np.pad(array, pad_width, mode="constant", constant_values=constant_values)
    array_bar = _pad_bar(y_bar, array, pad_width)
    y_dot = np.pad(array_dot, pad_width)


def pad_with_scalar(
    array: shapes((4,), (3, 2)),
    pad_width: sample(1, (1, 2)),
    *,
    constant_values: (scalar, shapes(())),
):
    y = np.pad(array, pad_width, constant_values=constant_values)
    y = np.pad(array, pad_width, "constant", constant_values=constant_values)
    y = np.pad(array, pad_width, mode="constant", constant_values=constant_values)
    array_bar = _pad_bar(y_bar, array, pad_width)
    constant_values_bar = np.sum(y_bar) - np.sum(_pad_bar(y_bar, array, pad_width))
    y_dot = np.pad(array_dot, pad_width)
    y_dot = constant_values_dot * np.pad(np.zeros_like(array), pad_width, constant_values=1.0)


def pad_out(
    array: shapes((4,), (3, 2)),
    pad_width: sample(1, (1, 2), 2),
    mode: (copying, sample("edge", "reflect", "symmetric", "wrap")),
):
    y = np.pad(array, pad_width, mode)
    y = np.pad(array, pad_width, mode, reflect_type="even")
    source = np.pad(np.reshape(np.arange(array.size), array.shape), pad_width, mode)
    array_bar = _take_bar(y_bar, array, source, None)


def pad_vector(array: vector, pad_width: (integer, sample(1, 2))):
    y = np.pad(array, pad_width)
    y = np.pad(array, pad_width, "constant")
    y = np.pad(array, pad_width, mode="constant")
    array_bar = y_bar[pad_width : pad_width + len(array)]
