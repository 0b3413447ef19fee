"""Sums, means, extremes and products along axes: y_bar is spread out again over a.

Each has up to four templates: everything, along axes, with the axes kept, and whatever the
arguments turn out to be at run time (`_expand`). Between equal extremes y_bar is shared out
equally.
"""

FAMILY = "linear"
HOLOMORPHIC = """
sum_scalar sum sum_vector sum_first sum_along sum_kept sum_of_axis sum_any mean mean_vector
average average_vector average_along average_weighted mean_first mean_along mean_axes mean_kept mean_of_axis mean_any builtin_sum prod prod_along prod_any
"""

# ---------------------------------------------------------------------------- sum


def sum_scalar(a: scalar, axis: (only_axis, sample((None,))) = None):
    y = np.sum(a, axis)
    y = np.mean(a, axis)
    y = np.average(a, axis)
    y = np.nansum(a, axis)
    a_bar = y_bar


def sum(a, axis: none = None, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = np.full_like(a, y_bar)


def sum_of_vector(a: vector):
    y = math.fsum(a)
    a_bar = np.full_like(a, y_bar)


def sum_vector(a: vector, axis: only_axis = None, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = np.full_like(a, y_bar)


def sum_first(a: (stacked, shapes((3, 2), (0, 2))), axis: zero, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(y_bar, a.shape)


def sum_along(a: stacked, axis: integer, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(np.expand_dims(y_bar, axis), a.shape)


def sum_axes(
    a: (stacked, shapes((3, 2, 4), (2, 3, 2))),
    axis: (axes, sample((0, 2), (1, -1))),
    keepdims: false = False,
):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(np.expand_dims(y_bar, axis), a.shape)


def sum_kept(a, axis=None, *, keepdims: true):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(y_bar, a.shape)


def sum_of_axis(a: shapes((3,), (3, 2), (2, 3, 2)), axis: integer, keepdims: false = False):
    y = np.sum(a, axis, keepdims=keepdims)
    y = a.sum(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(np.expand_dims(y_bar, axis), a.shape)


def sum_any(a: shapes((3,), (3, 2)), axis: sample((0,)) = None, keepdims=False):
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


def mean_axes(
    a: (stacked, shapes((3, 2, 4), (2, 3, 2))),
    axis: (axes, sample((0, 2), (1, -1))),
    keepdims: false = False,
):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(np.expand_dims(y_bar * y.size / a.size, axis), a.shape)


def mean_kept(a, axis: integer, keepdims: true):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(y_bar / a.shape[axis], a.shape)


def mean_of_axis(a: shapes((3,), (3, 2), (2, 3, 2)), axis: integer, keepdims: false = False):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = np.broadcast_to(np.expand_dims(y_bar / a.shape[axis], axis), a.shape)


def mean_any(a, axis=None, keepdims=False):
    y = np.mean(a, axis, keepdims=keepdims)
    y = np.average(a, axis, keepdims=keepdims)
    y = a.mean(axis, keepdims=keepdims)
    a_bar = _expand(y_bar / _count(a, axis), a, axis, keepdims)


# ---------------------------------------------------------------------------- var, std


def var(a, axis: none = None, ddof=0, keepdims: false = False):
    y = np.var(a, axis, ddof=ddof, keepdims=keepdims)
    y = np.var(a, axis, correction=ddof, keepdims=keepdims)
    y = a.var(axis, ddof=ddof, keepdims=keepdims)
    a_bar = 2.0 * y_bar / (a.size - ddof) * (a - np.mean(a))
    y_dot = 2.0 * np.sum((a - np.mean(a)) * a_dot) / (a.size - ddof)


def var_along(a: shapes((3,), (3, 2), (4, 3)), axis: integer, ddof=0, keepdims: false = False):
    y = np.var(a, axis, ddof=ddof, keepdims=keepdims)
    y = np.var(a, axis, correction=ddof, keepdims=keepdims)
    y = a.var(axis, ddof=ddof, keepdims=keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    a_bar = np.expand_dims(2.0 * y_bar / (a.shape[axis] - ddof), axis) * centred
    y_dot = 2.0 * np.sum(centred * a_dot, axis=axis) / (a.shape[axis] - ddof)


def var_kept(a: shapes((3, 2), (4, 3)), axis: integer, ddof=0, *, keepdims: true):
    y = np.var(a, axis, ddof=ddof, keepdims=keepdims)
    y = np.var(a, axis, correction=ddof, keepdims=keepdims)
    y = a.var(axis, ddof=ddof, keepdims=keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    a_bar = centred * (2.0 * y_bar / (a.shape[axis] - ddof))
    y_dot = 2.0 * np.sum(centred * a_dot, axis=axis, keepdims=True) / (a.shape[axis] - ddof)


def var_any(a, axis=None, ddof=0, keepdims=False):
    y = np.var(a, axis, ddof=ddof, keepdims=keepdims)
    y = np.var(a, axis, correction=ddof, keepdims=keepdims)
    y = a.var(axis, ddof=ddof, keepdims=keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    y_term_bar = _expand(2.0 * y_bar / (_count(a, axis) - ddof), a, axis, keepdims)
    a_bar = centred * y_term_bar
    y_dot = np.sum(centred * a_dot, axis=axis, keepdims=keepdims) * 2.0 / (_count(a, axis) - ddof)


def std(a: shapes((4,), (3, 2), (2, 3, 2)), axis: none = None, ddof=0, keepdims: false = False):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.std(a, axis, ddof=ddof, keepdims=keepdims)
    y = np.std(a, axis, correction=ddof, keepdims=keepdims)
    y = a.std(axis, ddof=ddof, keepdims=keepdims)
    y_squared = np.var(a, ddof=ddof)
    a_bar = y_bar / ((y + (y == 0.0)) * (a.size - ddof)) * (a - np.mean(a))
    y_dot = np.sum((a - np.mean(a)) * a_dot) / ((y + (y == 0.0)) * (a.size - ddof))


def std_along(a: shapes((3,), (3, 2), (4, 3)), axis: integer, ddof=0, keepdims: false = False):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.std(a, axis, ddof=ddof, keepdims=keepdims)
    y = np.std(a, axis, correction=ddof, keepdims=keepdims)
    y = a.std(axis, ddof=ddof, keepdims=keepdims)
    y_squared = np.var(a, axis=axis, ddof=ddof)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    a_bar = centred * np.expand_dims(y_bar / ((y + (y == 0.0)) * (a.shape[axis] - ddof)), axis)
    y_dot = np.sum(centred * a_dot, axis=axis) / ((y + (y == 0.0)) * (a.shape[axis] - ddof))


def std_kept(a: shapes((3, 2), (4, 3)), axis: integer, ddof=0, *, keepdims: true):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.std(a, axis, ddof=ddof, keepdims=keepdims)
    y = np.std(a, axis, correction=ddof, keepdims=keepdims)
    y = a.std(axis, ddof=ddof, keepdims=keepdims)
    y_squared = np.var(a, axis=axis, ddof=ddof, keepdims=keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    a_bar = centred * (y_bar / ((y + (y == 0.0)) * (a.shape[axis] - ddof)))
    y_dot = np.sum(centred * a_dot, axis=axis, keepdims=True) / (
        (y + (y == 0.0)) * (a.shape[axis] - ddof)
    )


def std_any(a: shapes((4, 3), (3, 2), (2, 3, 2)), axis=None, ddof=0, keepdims=False):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.std(a, axis, ddof=ddof, keepdims=keepdims)
    y = np.std(a, axis, correction=ddof, keepdims=keepdims)
    y = a.std(axis, ddof=ddof, keepdims=keepdims)
    y_squared = np.var(a, axis=axis, ddof=ddof, keepdims=keepdims)
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
    a: (stacked, shapes((3, 2), (2, 3, 2), (2, 3, 2))),
    axis: (axes, sample(0, 1, (0, 2))),
    weights: (stacked, positive, shapes((3, 2), (2, 3, 2), (2, 3, 2))),
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

EACH = "each:alias max:amax min:amin"


def extreme(a: distinct, axis: none = None, keepdims: false = False):
    """Equal extremes share y_bar equally."""
    y = np.each(a, axis, keepdims=keepdims)
    y = np.alias(a, axis, keepdims=keepdims)
    y = a.each(axis, keepdims=keepdims)
    hit = a == y
    a_bar = hit * (y_bar / np.sum(hit, dtype=a.dtype))
    y_dot = np.sum(hit * a_dot) / np.sum(hit, dtype=a.dtype)


def extreme_along(
    a: (distinct, shapes((3,), (3, 2), (2, 3, 2))), axis: integer, keepdims: false = False
):
    """Equal extremes share y_bar equally."""
    y = np.each(a, axis, keepdims=keepdims)
    y = np.alias(a, axis, keepdims=keepdims)
    y = a.each(axis, keepdims=keepdims)
    hit = a == np.expand_dims(y, axis)
    share = hit / np.sum(hit, axis=axis, keepdims=True, dtype=a.dtype)
    a_bar = share * np.expand_dims(y_bar, axis)
    y_dot = np.sum(share * a_dot, axis=axis)


def extreme_along_axes(
    a: (distinct, stacked, shapes((3, 2, 4), (2, 3, 2))),
    axis: (axes, sample((0, 2), (1, -1))),
    keepdims: false = False,
):
    """Equal extremes share y_bar equally."""
    y = np.each(a, axis, keepdims=keepdims)
    y = np.alias(a, axis, keepdims=keepdims)
    y = a.each(axis, keepdims=keepdims)
    hit = a == np.expand_dims(y, axis)
    share = hit / np.sum(hit, axis=axis, keepdims=True, dtype=a.dtype)
    a_bar = share * np.expand_dims(y_bar, axis)
    y_dot = np.sum(share * a_dot, axis=axis)


def extreme_of_axis(a: (vector, distinct), axis: only_axis = 0, keepdims: false = False):
    """Equal extremes share y_bar equally."""
    y = np.each(a, axis, keepdims=keepdims)
    y = np.alias(a, axis, keepdims=keepdims)
    y = a.each(axis, keepdims=keepdims)
    hit = a == y
    a_bar = hit * (y_bar / np.sum(hit, dtype=a.dtype))
    y_dot = np.sum(hit * a_dot) / np.sum(hit, dtype=a.dtype)


def extreme_kept(a: distinct, axis=None, *, keepdims: true):
    """Equal extremes share y_bar equally."""
    y = np.each(a, axis, keepdims=keepdims)
    y = np.alias(a, axis, keepdims=keepdims)
    y = a.each(axis, keepdims=keepdims)
    hit = a == y
    share = hit / np.sum(hit, axis=axis, keepdims=True, dtype=a.dtype)
    a_bar = share * y_bar
    y_dot = np.sum(share * a_dot, axis=axis, keepdims=True)


def extreme_any(a: distinct, axis=None, keepdims=False):
    """Equal extremes share y_bar equally."""
    y = np.each(a, axis, keepdims=keepdims)
    y = np.alias(a, axis, keepdims=keepdims)
    y = a.each(axis, keepdims=keepdims)
    hit = a == _expand(y, a, axis, keepdims)
    share = hit / np.sum(hit, axis=axis, keepdims=True, dtype=a.dtype)
    a_bar = share * _expand(y_bar, a, axis, keepdims)
    y_dot = np.sum(share * a_dot, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------------------- log of summed exponentials


def logaddexp_of_axis(a: vector, axis: only_axis = 0):
    y = np.logaddexp.reduce(a, axis)
    a_bar = y_bar * np.exp(a - np.maximum(y, -1e308))
    y_dot = np.sum(np.exp(a - np.maximum(y, -1e308)) * a_dot)


def logaddexp_along(a: stacked, axis: integer = 0):
    y = np.logaddexp.reduce(a, axis)
    a_bar = np.expand_dims(y_bar, axis) * np.exp(a - np.expand_dims(np.maximum(y, -1e308), axis))
    y_dot = np.sum(np.exp(a - np.expand_dims(np.maximum(y, -1e308), axis)) * a_dot, axis=axis)


def logaddexp_any(a, axis=0, keepdims=False):
    y = np.logaddexp.reduce(a, axis, keepdims=keepdims)
    a_bar = _expand(y_bar, a, axis, keepdims) * np.exp(a - _expand(y, a, axis, keepdims))
    y_dot = np.sum(np.exp(a - _expand(y, a, axis, keepdims)) * a_dot, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------------------- products


def prod(a, axis: none = None, keepdims: false = False):
    y = np.prod(a, axis, keepdims=keepdims)
    y = a.prod(axis, keepdims=keepdims)
    a_bar = y_bar * _others(a, None)
    y_dot = np.sum(_others(a, None) * a_dot)


def prod_of_numbers(a: (vector, shapes((4,), (1,)))):
    y = math.prod(a)
    a_bar = y_bar * _others(a, None)
    y_dot = np.sum(_others(a, None) * a_dot)


def prod_from(a: (vector, shapes((4,), (1,))), *, start: (scalar, shapes((), ()))):
    y = math.prod(a, start=start)
    a_bar = y_bar * start * _others(a, None)
    start_bar = y_bar * math.prod(a)
    y_dot = start * np.sum(_others(a, None) * a_dot)
    y_dot = start_dot * math.prod(a)


def prod_any(a: shapes((3, 2), (2, 3, 2)), axis: sample((0, 1), (-1,)) = None, keepdims=False):
    y = np.prod(a, axis, keepdims=keepdims)
    y = a.prod(axis, keepdims=keepdims)
    others = _others_of_axes(a, axis)
    a_bar = _expand(y_bar, a, axis, keepdims) * others
    y_dot = np.sum(others * a_dot, axis=axis, keepdims=keepdims)


def prod_of_vector(a: vector, axis: integer, keepdims: false = False):
    y = np.prod(a, axis, keepdims=keepdims)
    y = a.prod(axis, keepdims=keepdims)
    a_bar = y_bar * _others(a, axis)
    y_dot = np.sum(_others(a, axis) * a_dot)


def prod_of_axis(a: (stacked, shapes((3, 2), (2, 3, 2))), axis: integer, keepdims: false = False):
    y = np.prod(a, axis, keepdims=keepdims)
    y = a.prod(axis, keepdims=keepdims)
    a_bar = np.expand_dims(y_bar, axis) * _others(a, axis)
    y_dot = np.sum(_others(a, axis) * a_dot, axis=axis)


def prod_along(a, axis: integer, keepdims=False):
    y = np.prod(a, axis, keepdims=keepdims)
    y = a.prod(axis, keepdims=keepdims)
    a_bar = _expand(y_bar, a, axis, keepdims) * _others(a, axis)
    y_dot = np.sum(_others(a, axis) * a_dot, axis=axis, keepdims=keepdims)
