"""Sums, means, extremes and products along axes: y_bar is spread out again over a.

Each has up to four templates: everything, along axes, with the axes kept, and whatever the
arguments turn out to be at run time (`_expand`). Between equal extremes y_bar is shared out
equally.
"""

FAMILY = "linear"
HOLOMORPHIC = """
sum_scalar sum sum_vector sum_first sum_along sum_kept sum_any mean mean_vector
mean_first mean_along mean_kept mean_any builtin_sum prod prod_along cumsum_vector
cumsum cumsum_along cumprod cumprod_along diff_vector diff_twice diff diff_often
diff_before diff_behind diff_after_vector ediff1d add_reduceat trapezoid trapezoid_even
trapezoid_along trapezoid_even_along
"""

# ---------------------------------------------------------------------------- sum


def sum_scalar(a: scalar, axis: none = None):
    y = np.sum(a, axis)
    y = np.mean(a, axis)
    y = np.average(a, axis)
    y = np.nansum(a, axis)
    a_bar = y_bar


def sum(a, axis: none = None, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    y = np.add.reduce(a, None)
    y = np.add.reduce(a, axis=None)
    a_bar = np.full_like(a, y_bar)


def sum_vector(a: vector, axis: only_axis = None, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    y = np.add.reduce(a, axis)
    a_bar = np.full_like(a, y_bar)


def sum_first(a: (stacked, shapes((3, 2), (0, 2))), axis: zero, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    y = np.add.reduce(a, axis, keepdims=keepdims)
    y = np.add.reduce(a)
    a_bar = np.broadcast_to(y_bar, a.shape)


def sum_along(a: stacked, axis: integer, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    y = np.add.reduce(a, axis, keepdims=keepdims)
    a_bar = np.broadcast_to(np.expand_dims(y_bar, axis), a.shape)


def sum_kept(a, axis=None, *, keepdims: true):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(y_bar, a.shape)


def sum_any(a, axis=None, keepdims=False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = _expand(y_bar, a, axis, keepdims)


# ---------------------------------------------------------------------------- mean


def mean(a, axis: none = None, keepdims: false = False):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = np.full_like(a, y_bar / a.size)


def mean_vector(a: vector, axis: only_axis = None, keepdims: false = False):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = np.full_like(a, y_bar / a.size)


def mean_first(a: (stacked, shapes((3, 2), (2, 3))), axis: zero, keepdims: false = False):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(y_bar / a.shape[0], a.shape)


def mean_along(a: stacked, axis: integer, keepdims: false = False):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(np.expand_dims(y_bar / a.shape[axis], axis), a.shape)


def mean_kept(a, axis: integer, keepdims: true):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(y_bar / a.shape[axis], a.shape)


def mean_any(a, axis=None, keepdims=False):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = _expand(y_bar / _count(a, axis), a, axis, keepdims)


# ---------------------------------------------------------------------------- var, std


def var(a, axis: none = None, ddof=0, keepdims: false = False):
    y = np.var(a, axis, ddof=ddof, keepdims=keepdims)
    y = a.var(axis, ddof=ddof, keepdims=keepdims)
    a_bar = 2.0 * y_bar / (a.size - ddof) * (a - np.mean(a))
    y_dot = 2.0 * np.sum((a - np.mean(a)) * a_dot) / (a.size - ddof)


def var_along(a: (stacked, shapes((3, 2), (4, 3))), axis: integer, ddof=0, keepdims: false = False):
    y = np.var(a, axis, ddof=ddof, keepdims=keepdims)
    y = a.var(axis, ddof=ddof, keepdims=keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    a_bar = centred * np.expand_dims(2.0 * y_bar / (a.shape[axis] - ddof), axis)
    y_dot = 2.0 * np.sum(centred * a_dot, axis=axis) / (a.shape[axis] - ddof)


def var_any(a, axis=None, ddof=0, keepdims=False):
    y = np.var(a, axis, ddof=ddof, keepdims=keepdims)
    y = a.var(axis, ddof=ddof, keepdims=keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    y_term_bar = _expand(2.0 * y_bar / (_count(a, axis) - ddof), a, axis, keepdims)
    a_bar = centred * y_term_bar
    y_dot = np.sum(centred * a_dot, axis=axis, keepdims=keepdims) * 2.0 / (_count(a, axis) - ddof)


def std(a: shapes((4,), (3, 2), (2, 3, 2)), axis: none = None, ddof=0, keepdims: false = False):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.std(a, axis, ddof=ddof, keepdims=keepdims)
    y = a.std(axis, ddof=ddof, keepdims=keepdims)
    a_bar = y_bar / ((y + (y == 0.0)) * (a.size - ddof)) * (a - np.mean(a))
    y_dot = np.sum((a - np.mean(a)) * a_dot) / ((y + (y == 0.0)) * (a.size - ddof))


def std_along(a: (stacked, shapes((3, 2), (4, 3))), axis: integer, ddof=0, keepdims: false = False):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.std(a, axis, ddof=ddof, keepdims=keepdims)
    y = a.std(axis, ddof=ddof, keepdims=keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    a_bar = centred * np.expand_dims(y_bar / ((y + (y == 0.0)) * (a.shape[axis] - ddof)), axis)
    y_dot = np.sum(centred * a_dot, axis=axis) / ((y + (y == 0.0)) * (a.shape[axis] - ddof))


def std_any(a: shapes((4, 3), (3, 2), (2, 3, 2)), axis=None, ddof=0, keepdims=False):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.std(a, axis, ddof=ddof, keepdims=keepdims)
    y = a.std(axis, ddof=ddof, keepdims=keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    y_term_bar = _expand(y_bar / ((y + (y == 0.0)) * (_count(a, axis) - ddof)), a, axis, keepdims)
    a_bar = centred * y_term_bar
    y_dot = np.sum(centred * a_dot, axis=axis, keepdims=keepdims) / (
        (y + (y == 0.0)) * (_count(a, axis) - ddof)
    )


def ptp(a: distinct, axis: none = None):
    """Equal extremes share y_bar equally."""
    y = np.ptp(a, axis)
    top = a == np.max(a)
    bottom = a == np.min(a)
    share = top / np.sum(top, dtype=a.dtype) - bottom / np.sum(bottom, dtype=a.dtype)
    a_bar = y_bar * share
    y_dot = np.sum(share * a_dot)


def ptp_any(a: distinct, axis=None, keepdims=False):
    """Equal extremes share y_bar equally."""
    y = np.ptp(a, axis, keepdims=keepdims)
    share = _highest(a, axis) - _highest(-a, axis)
    a_bar = share * _expand(y_bar, a, axis, keepdims)
    y_dot = np.sum(share * a_dot, axis=axis, keepdims=keepdims)


def builtin_sum(iterable: shapes((4,), (3, 2))):
    y = sum(iterable)
    iterable_bar = np.full_like(iterable, y_bar)


def average(
    a: shapes((4,), (3, 2)), axis: none = None, *, weights: (positive, shapes((4,), (3, 2)))
):
    y = np.average(a, axis, weights)
    share = y_bar / np.sum(weights)
    a_bar = weights * share
    weights_bar = (a - y) * share
    y_dot = np.sum(weights * a_dot) / np.sum(weights)
    y_dot = np.sum((a - y) * weights_dot) / np.sum(weights)


def average_vector(
    a: (vector, shapes((4,))), axis: only_axis, weights: (vector, positive, shapes((4,)))
):
    y = np.average(a, axis, weights)
    share = y_bar / np.sum(weights)
    a_bar = weights * share
    weights_bar = (a - y) * share
    y_dot = np.dot(weights, a_dot) / np.sum(weights)
    y_dot = np.dot(a - y, weights_dot) / np.sum(weights)


def average_along(
    a: (stacked, shapes((3, 3), (2, 3, 3))),
    axis: (integer, sample(1, -1)),
    weights: (vector, positive, shapes((3,), (3,))),
):
    y = np.average(a, axis, weights)
    a_bar = np.moveaxis(np.multiply.outer(weights / np.sum(weights), y_bar), 0, axis)
    weights_bar = np.tensordot(np.moveaxis(a, axis, 0) - y, y_bar, y.ndim) / np.sum(weights)
    y_dot = np.average(a_dot, axis, weights)
    y_dot = np.tensordot(weights_dot, np.moveaxis(a, axis, 0) - y, 1) / np.sum(weights)


def average_weighted(
    a: (stacked, shapes((3, 2), (2, 3, 2))),
    axis: integer,
    weights: (stacked, positive, shapes((3, 2), (2, 3, 2))),
):
    y = np.average(a, axis, weights)
    share = np.expand_dims(y_bar / np.sum(weights, axis=axis), axis)
    a_bar = weights * share
    weights_bar = (a - np.expand_dims(y, axis)) * share
    y_dot = np.sum(weights * a_dot, axis=axis) / np.sum(weights, axis=axis)
    y_dot = np.sum((a - np.expand_dims(y, axis)) * weights_dot, axis=axis) / np.sum(
        weights, axis=axis
    )


# ---------------------------------------------------------------------------- extremes


def extreme(a: distinct, axis: none = None, keepdims: false = False):
    """Equal extremes share y_bar equally."""
    y = np.max(a, axis, keepdims=keepdims)
    y = np.min(a, axis, keepdims=keepdims)
    y = np.amax(a, axis, keepdims=keepdims)
    y = np.amin(a, axis, keepdims=keepdims)
    y = a.max(axis, keepdims=keepdims)
    y = np.nanmax(a, axis, keepdims=keepdims)
    y = a.min(axis, keepdims=keepdims)
    y = np.nanmin(a, axis, keepdims=keepdims)
    y = np.maximum.reduce(a, axis=None)
    y = np.minimum.reduce(a, axis=None)
    hit = a == y
    a_bar = hit * (y_bar / np.sum(hit, dtype=a.dtype))
    y_dot = np.sum(hit * a_dot) / np.sum(hit, dtype=a.dtype)


def extreme_along(a: (stacked, distinct), axis: integer, keepdims: false = False):
    """Equal extremes share y_bar equally."""
    y = np.max(a, axis, keepdims=keepdims)
    y = np.min(a, axis, keepdims=keepdims)
    y = np.amax(a, axis, keepdims=keepdims)
    y = np.amin(a, axis, keepdims=keepdims)
    y = a.max(axis, keepdims=keepdims)
    y = np.nanmax(a, axis, keepdims=keepdims)
    y = a.min(axis, keepdims=keepdims)
    y = np.nanmin(a, axis, keepdims=keepdims)
    y = np.maximum.reduce(a, axis, keepdims=keepdims)
    y = np.minimum.reduce(a, axis, keepdims=keepdims)
    hit = a == np.expand_dims(y, axis)
    share = hit / np.sum(hit, axis=axis, keepdims=True, dtype=a.dtype)
    a_bar = share * np.expand_dims(y_bar, axis)
    y_dot = np.sum(share * a_dot, axis=axis)


def extreme_of_axis(a: (vector, distinct), axis: only_axis = 0, keepdims: false = False):
    """Equal extremes share y_bar equally."""
    y = np.max(a, axis, keepdims=keepdims)
    y = np.min(a, axis, keepdims=keepdims)
    y = np.amax(a, axis, keepdims=keepdims)
    y = np.amin(a, axis, keepdims=keepdims)
    y = a.max(axis, keepdims=keepdims)
    y = np.nanmax(a, axis, keepdims=keepdims)
    y = a.min(axis, keepdims=keepdims)
    y = np.nanmin(a, axis, keepdims=keepdims)
    y = np.maximum.reduce(a, axis)
    y = np.minimum.reduce(a, axis)
    hit = a == y
    a_bar = hit * (y_bar / np.sum(hit, dtype=a.dtype))
    y_dot = np.sum(hit * a_dot) / np.sum(hit, dtype=a.dtype)


def extreme_any(a: distinct, axis=None, keepdims=False):
    """Equal extremes share y_bar equally."""
    y = np.max(a, axis, keepdims=keepdims)
    y = np.min(a, axis, keepdims=keepdims)
    y = np.amax(a, axis, keepdims=keepdims)
    y = np.amin(a, axis, keepdims=keepdims)
    y = a.max(axis, keepdims=keepdims)
    y = np.nanmax(a, axis, keepdims=keepdims)
    y = a.min(axis, keepdims=keepdims)
    y = np.nanmin(a, axis, keepdims=keepdims)
    hit = a == _expand(y, a, axis, keepdims)
    share = hit / np.sum(hit, axis=axis, keepdims=True, dtype=a.dtype)
    a_bar = share * _expand(y_bar, a, axis, keepdims)
    y_dot = np.sum(share * a_dot, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------------------- products


def prod(a, axis: none = None, keepdims: false = False):
    y = np.prod(a, axis, keepdims=keepdims)
    y = a.prod(axis, keepdims=keepdims)
    y = np.multiply.reduce(a, axis=None)
    a_bar = y_bar * _others(a, None)
    y_dot = np.sum(_others(a, None) * a_dot)


def prod_along(a, axis: integer, keepdims=False):
    y = np.prod(a, axis, keepdims=keepdims)
    y = a.prod(axis, keepdims=keepdims)
    y = np.multiply.reduce(a, axis, keepdims=keepdims)
    a_bar = _expand(y_bar, a, axis, keepdims) * _others(a, axis)
    y_dot = np.sum(_others(a, axis) * a_dot, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------------------- running


def cumsum_vector(a: vector, axis: only_axis = None):
    y = np.cumsum(a, axis)
    y = a.cumsum(axis)
    y = np.add.accumulate(a, axis)
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
    y = np.add.accumulate(a, axis)
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
    y = np.multiply.accumulate(a, axis)
    y = np.cumulative_prod(a, axis=axis)
    a_bar = _cumprod_bar(y_bar, a, y, axis)
    y_dot = _cumprod_dot(a, a_dot, axis)


def diff_vector(a: vector, n: one = 1):
    y = np.diff(a, n)
    a_bar = -np.diff(np.pad(y_bar, 1))[: a.size]


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
    array: (vector, shapes((5,), (4,))), indices: (constant, sample([0, 2], [1, 0, 3]))
):
    y = np.add.reduceat(array, indices)
    array_bar = _reduceat_bar(y_bar, array, indices)


# ---------------------------------------------------------------------------- slopes


def gradient(
    f: (array, shapes((4,), (2,), (3, 4))),
    dx: (scalar, positive, shapes(())) = 1.0,
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
    dx: (scalar, positive, shapes(())) = 1.0,
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
    x: (fixed, vector, increasing, shapes((4,), (3,))),
    *,
    edge_order: (integer, sample(1, 2)) = 1,
):
    """The points are taken as they are: their own derivative is refused."""
    y = np.gradient(f, x, edge_order=edge_order)
    f_bar = _gradient_bar(y_bar, f, np.diff(x), 0, edge_order)
    y_dot = np.gradient(f_dot, x, edge_order=edge_order)


# ---------------------------------------------------------------------------- integrals


def trapezoid(u: (vector, shapes((4,), (1,))), x: (vector, shapes((4,), (1,)))):
    y = np.trapezoid(u, x)
    y = np.trapz(u, x)
    u_bar = y_bar * _trapezoid_weights(x)
    x_bar = -(0.5 * y_bar * np.diff(np.pad(u[1:] + u[:-1], 1)))


def trapezoid_even(u: (vector, shapes((4,), (1,))), *, dx: (positive, shapes((), ())) = 1.0):
    y = np.trapezoid(u, dx=dx)
    y = np.trapz(u, dx=dx)
    weights = _trapezoid_weights(np.cumsum(np.ones_like(u)))
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
    dx: (positive, shapes((), ())) = 1.0,
    axis: integer = -1,
):
    y = np.trapezoid(u, dx=dx, axis=axis)
    weights = _trapezoid_weights(np.arange(u.shape[axis], dtype=u.dtype))
    u_bar = np.moveaxis(np.multiply.outer(dx * weights, y_bar), 0, axis)
    dx_bar = np.sum(y_bar * np.trapezoid(u, axis=axis))
