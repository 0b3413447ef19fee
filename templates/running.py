"""Running sums and products, differences, slopes and integrals along an axis."""

FAMILY = "linear"
HOLOMORPHIC = """
cumsum_vector cumsum cumsum_along cumprod cumprod_along diff_twice diff
diff_often diff_before diff_behind diff_after_vector ediff1d add_reduceat add_reduceat_along trapezoid
trapezoid_even trapezoid_along trapezoid_even_along gradient gradient_vector
gradient_at_points
"""

# ---------------------------------------------------------------------------- running


def cumsum_vector(a: vector, axis: only_axis = None):
    y = np.cumsum(a, axis)
    y = a.cumsum(axis)
    y = np.cumulative_sum(a, axis=axis)
    a_bar = np.cumsum(y_bar[::-1])[::-1]


def cumsum(a, axis: none = None):
    y = np.cumsum(a, axis)
    y = np.cumulative_sum(a)
    y = a.cumsum(axis)
    a_bar = np.reshape(np.cumsum(y_bar[::-1])[::-1], a.shape)


def cumsum_along(a, axis: integer):
    y = np.cumsum(a, axis)
    y = a.cumsum(axis)
    y = np.cumulative_sum(a, axis=axis)
    a_bar = np.flip(np.cumsum(np.flip(y_bar, axis), axis=axis), axis)


def cumprod(a, axis: none = None):
    y = np.cumprod(a, axis)
    y = np.cumulative_prod(a)
    y = a.cumprod(axis)
    a_bar = _cumprod_bar(y_bar, a, y, None)
    y_dot = _cumprod_dot(a, a_dot, None)


def cumprod_along(a, axis: integer):
    y = np.cumprod(a, axis)
    y = a.cumprod(axis)
    y = np.cumulative_prod(a, axis=axis)
    a_bar = _cumprod_bar(y_bar, a, y, axis)
    y_dot = _cumprod_dot(a, a_dot, axis)


def diff_twice(a: vector, n: two):
    y = np.diff(a, n)
    a_bar = np.diff(np.pad(y_bar, 2), 2)[: a.size]


def diff(a, n: one = 1, axis: integer = -1):
    y = np.diff(a, n, axis)
    a_bar = _diff_bar(y_bar, a, axis)


def diff_often(a: shapes((5,), (4, 4)), n: (integer, sample(2, 3)), axis: integer = -1):
    y = np.diff(a, n, axis)
    a_bar = _diffs_bar(y_bar, a, n, axis)


def diff_before(a: vector, *, prepend: scalar):
    y = np.diff(a, prepend=prepend)
    a_bar = -np.diff(np.pad(y_bar, (0, 1)))
    prepend_bar = -np.sum(y_bar[:1])
    y_dot = np.diff(a_dot, prepend=0.0)
    y_dot = -np.pad(np.reshape(prepend_dot, 1), (0, y.size - 1))


def diff_behind(a: vector, *, append: scalar):
    y = np.diff(a, append=append)
    a_bar = -np.diff(np.pad(y_bar, (1, 0)))
    append_bar = np.sum(y_bar[-1:])
    y_dot = np.diff(a_dot, append=0.0)
    y_dot = np.pad(np.reshape(append_dot, 1), (y.size - 1, 0))


def diff_after_vector(
    a: (vector, shapes((4,), (0,), (3,))), prepend: (vector, shapes((1,), (2,), (2,)))
):
    y = np.diff(a, prepend=prepend)
    back = -np.diff(np.pad(y_bar, 1))
    a_bar = back[prepend.size :]
    prepend_bar = back[: prepend.size]
    y_dot = np.diff(a_dot, prepend=np.zeros_like(prepend))
    y_dot = np.diff(np.zeros_like(a), prepend=prepend_dot)


def ediff1d(ary: shapes((4,), (3, 2))):
    y = np.ediff1d(ary)
    ary_bar = np.reshape(-np.diff(np.pad(y_bar, 1)), ary.shape)


def add_reduceat(
    array: shapes((5,), (4, 3)), indices: (constant, sample([0, 2], [1, 0, 3])), axis: zero = 0
):
    y = np.add.reduceat(array, indices, axis)
    array_bar = _reduceat_bar(y_bar, array, indices)


def add_reduceat_along(
    array: shapes((3, 4), (2, 4, 3)), indices: (constant, sample([0, 2], [1, 0])), axis: integer
):
    y = np.add.reduceat(array, indices, axis)
    by_rows = _reduceat_bar(np.moveaxis(y_bar, axis, 0), np.moveaxis(array, axis, 0), indices)
    array_bar = np.moveaxis(by_rows, 0, axis)


# ---------------------------------------------------------------------------- slopes


def gradient_even(
    f: (array, shapes((4,), (2,), (3, 4))),
    dx: (scalar, positive, shapes(())) = 1.0,
    *,
    axis: integer,
    edge_order: one = 1,
):
    y = np.gradient(f, dx, axis=axis, edge_order=edge_order)
    f_bar = _even_gradient_bar(y_bar, dx, axis)
    dx_bar = -np.sum(y_bar * y) / dx
    y_dot = np.gradient(f_dot, dx, axis=axis)
    y_dot = -(y * dx_dot / dx)


def gradient_vector_even(
    f: (vector, shapes((4,), (2,), (3,))),
    dx: (scalar, positive, shapes(())) = 1.0,
    *,
    edge_order: one = 1,
):
    y = np.gradient(f, dx, edge_order=edge_order)
    f_bar = _even_gradient_bar(y_bar, dx, 0)
    dx_bar = -np.sum(y_bar * y) / dx
    y_dot = np.gradient(f_dot, dx)
    y_dot = -(y * dx_dot / dx)


def gradient(
    f: (array, shapes((4,), (2,), (3, 4))),
    dx: (scalar, real, positive, shapes(())) = 1.0,
    *,
    axis: integer,
    edge_order: (integer, sample(1)) = 1,
):
    y = np.gradient(f, dx, axis=axis, edge_order=edge_order)
    f_bar = _gradient_bar(y_bar, f, dx, axis, edge_order)
    dx_bar = -np.sum(y_bar * y) / dx
    y_dot = np.gradient(f_dot, dx, axis=axis, edge_order=edge_order)
    y_dot = -(y * dx_dot / dx)


def gradient_vector(
    f: (vector, shapes((4,), (3,))),
    dx: (scalar, real, positive, shapes(())) = 1.0,
    *,
    edge_order: (integer, sample(1, 2)) = 1,
):
    y = np.gradient(f, dx, edge_order=edge_order)
    f_bar = _gradient_bar(y_bar, f, dx, 0, edge_order)
    dx_bar = -np.sum(y_bar * y) / dx
    y_dot = np.gradient(f_dot, dx, edge_order=edge_order)
    y_dot = -(y * dx_dot / dx)


def gradient_at_points(
    f: (vector, shapes((4,), (3,))),
    x: (fixed, vector, real, increasing, shapes((4,), (3,))),
    *,
    axis: only_axis = None,
    edge_order: (integer, sample(1, 2)) = 1,
):
    """The points are taken as they are: their own derivative is refused."""
    y = np.gradient(f, x, axis=axis, edge_order=edge_order)
    f_bar = _gradient_bar(y_bar, f, np.diff(x), 0, edge_order)
    y_dot = np.gradient(f_dot, x, edge_order=edge_order)


# ---------------------------------------------------------------------------- integrals


def trapezoid(
    u: (vector, shapes((4,), (1,))), x: (vector, shapes((4,), (1,))), axis: only_axis = -1
):
    y = np.trapezoid(u, x, axis=axis)
    y = np.trapz(u, x, axis=axis)
    u_bar = y_bar * _trapezoid_weights(x)
    x_bar = -(0.5 * y_bar * np.diff(np.pad(u[1:] + u[:-1], 1)))


def trapezoid_even(
    u: (vector, shapes((4,), (1,))),
    *,
    dx: (scalar, positive, shapes((), ())) = 1.0,
    axis: only_axis = -1,
):
    y = np.trapezoid(u, dx=dx, axis=axis)
    y = np.trapz(u, dx=dx, axis=axis)
    weights = _even_weights(u)
    u_bar = dx * y_bar * weights
    dx_bar = y_bar * np.dot(weights, u)


def trapezoid_along(
    u: (stacked, shapes((3, 3), (2, 3, 3))),
    x: (vector, shapes((3,), (3,))),
    axis: (integer, sample(1, -1)) = -1,
):
    y = np.trapezoid(u, x, axis=axis)
    pairs = np.moveaxis(u, axis, 0)[1:] + np.moveaxis(u, axis, 0)[:-1]
    u_bar = np.moveaxis(np.multiply.outer(_trapezoid_weights(x), y_bar), 0, axis)
    x_bar = -0.5 * np.diff(np.pad(np.tensordot(pairs, y_bar, y.ndim), 1))


def trapezoid_even_along(
    u: (stacked, shapes((3, 3), (2, 3, 3))),
    *,
    dx: (scalar, positive, shapes((), ())) = 1.0,
    axis: integer = -1,
):
    y = np.trapezoid(u, dx=dx, axis=axis)
    weights = _trapezoid_weights(np.arange(u.shape[axis], dtype=u.dtype))
    u_bar = np.moveaxis(np.multiply.outer(dx * weights, y_bar), 0, axis)
    dx_bar = np.sum(y_bar * np.trapezoid(u, axis=axis))
