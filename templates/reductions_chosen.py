"""Reductions of the elements that `where` chooses, from an `initial` value, or of another dtype."""

FAMILY = "joint"
HOLOMORPHIC = "sum_where sum_from mean_where"

# ---------------------------------------------------------------------------- sums, means


def sum_where(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis=None,
    keepdims=False,
    *,
    initial: (scalar, shapes(())) = 0.0,
    where: (constant, boolean, shapes((4,), (2,), (2, 3, 2), (3, 1))),
):
    y = np.sum(a, axis, keepdims=keepdims, initial=initial, where=where)
    y = a.sum(axis, keepdims=keepdims, initial=initial, where=where)
    a_bar = np.where(where, _expand(y_bar, a, axis, keepdims), 0.0)
    initial_bar = np.sum(y_bar)


def sum_from(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis=None,
    keepdims=False,
    *,
    initial: (scalar, shapes(())),
):
    y = np.sum(a, axis, keepdims=keepdims, initial=initial)
    y = a.sum(axis, keepdims=keepdims, initial=initial)
    a_bar = _expand(y_bar, a, axis, keepdims)
    initial_bar = np.sum(y_bar)


def sum_as(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis=None,
    keepdims=False,
    *,
    dtype: (float_type, sample(np.float64, float, np.float32)),
):
    """The sum has the dtype, a_bar that of a."""
    y = np.sum(a, axis, dtype, keepdims=keepdims)
    y = a.sum(axis, dtype, keepdims=keepdims)
    a_bar = _expand(y_bar, a, axis, keepdims)


def mean_as(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis=None,
    keepdims=False,
    *,
    dtype: (float_type, sample(np.float64, float, np.float32)),
):
    """The mean has the dtype, a_bar that of a."""
    y = np.mean(a, axis, dtype, keepdims=keepdims)
    y = a.mean(axis, dtype, keepdims=keepdims)
    a_bar = _expand(y_bar / _count(a, axis), a, axis, keepdims)


def mean_where(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis=None,
    keepdims=False,
    *,
    where: (constant, boolean, shapes((4,), (2,), (2, 3, 2), (3, 1))),
):
    y = np.mean(a, axis, keepdims=keepdims, where=where)
    y = a.mean(axis, keepdims=keepdims, where=where)
    count = np.sum(np.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims)
    a_bar = np.where(where, _expand(y_bar / count, a, axis, keepdims), 0.0)


# ---------------------------------------------------------------------------- var, std


def var_where(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis=None,
    ddof=0,
    keepdims=False,
    *,
    where: (constant, boolean, shapes((4,), (2,), (2, 3, 2), (3, 1))),
):
    y = np.var(a, axis, ddof=ddof, keepdims=keepdims, where=where)
    y = a.var(axis, ddof=ddof, keepdims=keepdims, where=where)
    count = np.sum(np.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims) - ddof
    centred = np.where(where, a - np.mean(a, axis=axis, keepdims=True, where=where), 0.0)
    a_bar = centred * _expand(2.0 * y_bar / count, a, axis, keepdims)
    y_dot = 2.0 * np.sum(centred * a_dot, axis=axis, keepdims=keepdims) / count


def std_where(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis=None,
    ddof=0,
    keepdims=False,
    *,
    where: (constant, boolean, shapes((4,), (2,), (2, 3, 2), (3, 1))),
):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.std(a, axis, ddof=ddof, keepdims=keepdims, where=where)
    y = a.std(axis, ddof=ddof, keepdims=keepdims, where=where)
    y_squared = np.var(a, axis=axis, ddof=ddof, keepdims=keepdims, where=where)
    count = np.sum(np.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims) - ddof
    centred = np.where(where, a - np.mean(a, axis=axis, keepdims=True, where=where), 0.0)
    a_bar = centred * _expand(y_bar / (count * (y + (y == 0.0))), a, axis, keepdims)
    y_dot = np.sum(centred * a_dot, axis=axis, keepdims=keepdims) / (count * (y + (y == 0.0)))


# ---------------------------------------------------------------------------- extremes

EACH = "each:alias max:amax min:amin"


def extreme_from(
    a: (distinct, shapes((4,), (3, 2), (2, 3, 2), (3, 2))),
    axis=None,
    keepdims=False,
    *,
    initial: (scalar, shapes(())),
):
    """What equals the extreme shares y_bar equally, `initial` with it."""
    y = np.each(a, axis, keepdims=keepdims, initial=initial)
    y = np.alias(a, axis, keepdims=keepdims, initial=initial)
    y = a.each(axis, keepdims=keepdims, initial=initial)
    hit = a == _expand(y, a, axis, keepdims)
    count = np.sum(hit, axis=axis, keepdims=keepdims, dtype=a.dtype) + (y == initial)
    a_bar = hit * _expand(y_bar / count, a, axis, keepdims)
    initial_bar = np.sum((y == initial) * y_bar / count)
    y_dot = (
        np.sum(hit * a_dot, axis=axis, keepdims=keepdims) + (y == initial) * initial_dot
    ) / count


def extreme_where(
    a: (distinct, shapes((4,), (3, 2), (2, 3, 2), (3, 2))),
    axis=None,
    keepdims=False,
    *,
    initial: (scalar, shapes(())),
    where: (constant, boolean, shapes((4,), (2,), (2, 3, 2), (3, 1))),
):
    """What equals the extreme shares y_bar equally, `initial` with it."""
    y = np.each(a, axis, keepdims=keepdims, initial=initial, where=where)
    y = np.alias(a, axis, keepdims=keepdims, initial=initial, where=where)
    y = a.each(axis, keepdims=keepdims, initial=initial, where=where)
    hit = where & (a == _expand(y, a, axis, keepdims))
    count = np.sum(hit, axis=axis, keepdims=keepdims, dtype=a.dtype) + (y == initial)
    a_bar = hit * _expand(y_bar / count, a, axis, keepdims)
    initial_bar = np.sum((y == initial) * y_bar / count)
    y_dot = (
        np.sum(hit * a_dot, axis=axis, keepdims=keepdims) + (y == initial) * initial_dot
    ) / count


# ---------------------------------------------------------------------------- products


def prod_where(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis: (one_axis, sample(0, -1)) = None,
    keepdims=False,
    *,
    where: (constant, boolean, shapes((4,), (2,), (2, 3, 2), (3, 1))),
):
    y = np.prod(a, axis, keepdims=keepdims, where=where)
    y = a.prod(axis, keepdims=keepdims, where=where)
    others = np.where(where, _others(np.where(where, a, 1.0), axis), 0.0)
    a_bar = _expand(y_bar, a, axis, keepdims) * others
    y_dot = np.sum(others * a_dot, axis=axis, keepdims=keepdims)


def prod_from(
    a: shapes((4,), (3, 2), (2, 3, 2), (3, 2)),
    axis: (one_axis, sample(0, -1)) = None,
    keepdims=False,
    *,
    initial: (scalar, shapes(())),
):
    y = np.prod(a, axis, keepdims=keepdims, initial=initial)
    y = a.prod(axis, keepdims=keepdims, initial=initial)
    others = _others(a, axis)
    a_bar = _expand(y_bar * initial, a, axis, keepdims) * others
    initial_bar = np.sum(y_bar * np.prod(a, axis=axis, keepdims=keepdims))
    y_dot = initial * np.sum(others * a_dot, axis=axis, keepdims=keepdims) + (
        initial_dot * np.prod(a, axis=axis, keepdims=keepdims)
    )
