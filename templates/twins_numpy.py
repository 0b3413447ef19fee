"""Twins of rarer uses of NumPy's functions, in terms of their usual ones."""

FAMILY = "twin"

# ---------------------------------------------------------------------------- of every pair


def divide_outer(a: shapes((3,), (2, 3), ()), b: (positive, shapes((4,), (2,), (3,)))):
    y = np.divide.outer(a, b)
    twin = _of_every_pair(np.divide, a, b)


def power_outer(a: (positive, shapes((3,), (2, 3))), b: shapes((4,), (2,))):
    y = np.power.outer(a, b)
    twin = _of_every_pair(np.power, a, b)


def arctan2_outer(a: (positive, shapes((3,), (2, 3))), b: (positive, shapes((4,), (2,)))):
    y = np.arctan2.outer(a, b)
    twin = _of_every_pair(np.arctan2, a, b)


EACH = "maximum minimum"


def each_outer(a: (distinct, shapes((3,), (2, 3))), b: shapes((4,), (2,))):
    y = np.each.outer(a, b)
    twin = _of_every_pair(np.each, a, b)


# ---------------------------------------------------------------------------- reductions


def running_logaddexp_first(a: shapes((4,), (3, 2))):
    y = np.logaddexp.accumulate(a)
    y = np.logaddexp.accumulate(a, 0)
    twin = _running_logaddexp_first(a)


def running_logaddexp(a: shapes((4,), (3, 2)), axis: (integer, sample(-1))):
    y = np.logaddexp.accumulate(a, axis)
    twin = _running_logaddexp(a, axis)


def var_about(
    a: shapes((4,), (3, 2)),
    axis: sample(None, 1) = None,
    *,
    mean: shapes((), ()),
    ddof=0,
    keepdims=False,
):
    y = np.var(a, axis, mean=mean, ddof=ddof, keepdims=keepdims)
    y = a.var(axis, mean=mean, ddof=ddof, keepdims=keepdims)
    twin = _var_about(a, axis, mean, ddof, keepdims)


def std_about(
    a: shapes((4,), (3, 2)),
    axis: sample(None, 1) = None,
    *,
    mean: shapes((), ()),
    ddof=0,
    keepdims=False,
):
    y = np.std(a, axis, mean=mean, ddof=ddof, keepdims=keepdims)
    y = a.std(axis, mean=mean, ddof=ddof, keepdims=keepdims)
    twin = _std_about(a, axis, mean, ddof, keepdims)


def average_kept(
    a: shapes((3, 4), (2, 3, 4)),
    axis: (integer, sample(1, -1)),
    weights: (positive, shapes((4,), (3,), (4,))),
    *,
    keepdims: true,
):
    y = np.average(a, axis, weights, keepdims=keepdims)
    twin = _average_kept(a, axis, weights)


# ---------------------------------------------------------------------------- fits and differences


def polyfit_weighted(
    x: (increasing, shapes((5,))),
    z: shapes((5,)),
    deg: (integer, sample(1, 2)),
    *,
    w: (positive, shapes((5,))),
):
    y = np.polyfit(x, z, deg, w=w)
    twin = _polyfit_weighted(x, z, deg, w)


def cond(x: (regular, shapes((3, 3), (2, 3, 3))), p: sample(1, -1, "fro", "nuc", -2, 2) = None):
    y = np.linalg.cond(x, p)
    twin = _condition(x, p)


def ediff1d_between(a: shapes((4,), (2, 3)), to_end: shapes((2,), ()), to_begin: shapes((1,), ())):
    y = np.ediff1d(a, to_end, to_begin)
    twin = _differences_between(a, to_end, to_begin)


def interp_sides(
    x: (wild, shapes((5,), ())),
    xp: (increasing, shapes((4,), (4,))),
    fp: shapes((4,), (4,)),
    left: (scalar, shapes((), ())),
    right: (scalar, shapes((), ())),
):
    y = np.interp(x, xp, fp, left, right)
    twin = _interp_sides(x, xp, fp, left, right)


def interp_left(
    x: (wild, shapes((5,), ())),
    xp: (increasing, shapes((4,), (4,))),
    fp: shapes((4,), (4,)),
    *,
    left: (scalar, shapes((), ())),
):
    y = np.interp(x, xp, fp, left=left)
    twin = _interp_left(x, xp, fp, left)


def interp_periodic(
    x: (spread, shapes((5,), ())),
    xp: (increasing, shapes((4,), (4,))),
    fp: shapes((4,), (4,)),
    *,
    period: sample(3.7, 5.0),
):
    """The points are in order within a period that begins anywhere."""
    y = np.interp(x, xp, fp, period=period)
    twin = _interp_periodic(x, xp, fp, period)


# ---------------------------------------------------------------------------- along axes


def vecdot_along(
    a: shapes((2, 3), (4, 3)), b: shapes((2, 3), (4, 3)), *, axis: (integer, sample(0, -2))
):
    """Of real values."""
    y = np.vecdot(a, b, axis=axis)
    y = np.linalg.vecdot(a, b, axis=axis)
    twin = _vecdot_along(a, b, axis)


def vector_norm(
    x: (nonzero, distinct, shapes((3, 2), (2, 3, 2))),
    *,
    axis: sample((0, 1), -1) = None,
    ord: sample(1, 2, 3, -1, -2.5),
    keepdims: sample(True) = False,
):
    y = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
    twin = _vector_norm(x, axis, keepdims, ord)


def norm_of_vectors(
    x: (array, nonzero, distinct, shapes((4,), (3, 2))),
    ord: sample(-1, -2.5, 1),
    axis: (integer, sample(0, -1)),
    keepdims: sample(True) = False,
):
    y = np.linalg.norm(x, ord, axis, keepdims)
    twin = _vector_norm(x, axis, keepdims, ord)


def norm_of_vector(
    x: (vector, nonzero, distinct, shapes((4,))),
    ord: sample(-1, -2.5, 1),
    axis: none = None,
    keepdims: sample(True) = False,
):
    y = np.linalg.norm(x, ord, axis, keepdims)
    twin = _vector_norm(x, axis, keepdims, ord)


def norm_of_matrix(
    x: (matrix, spread_out, shapes((3, 2), (3, 3))),
    ord: (no_array, sample(1, -1, 2, -2, "fro", "nuc")),
    axis: none = None,
    keepdims: sample(True) = False,
):
    """Equal extremes share y_bar equally; singular values have that of NumPy's order."""
    y = np.linalg.norm(x, ord, axis, keepdims)
    twin = _matrix_norm(x, (0, 1), keepdims, ord)


def norm_of_matrices(
    x: (stacked, regular, shapes((3, 2), (2, 3, 2))),
    ord: (no_array, sample(1, -1, 2, -2, "fro", "nuc")),
    axis: (two_axes, sample((0, 1), (-1, 0))),
    keepdims: sample(True) = False,
):
    """Equal extremes share y_bar equally; singular values have that of NumPy's order."""
    y = np.linalg.norm(x, ord, axis, keepdims)
    twin = _matrix_norm(x, axis, keepdims, ord)


def matrix_norm(
    x: (stacked, regular, shapes((3, 2), (2, 3, 3))),
    *,
    keepdims: sample(True) = False,
    ord: (no_array, sample(1, -1, 2, -2, "nuc")),
):
    """Equal extremes share y_bar equally; singular values have that of NumPy's order."""
    y = np.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)
    twin = _matrix_norm(x, (-2, -1), keepdims, ord)


EACH = "sum mean prod max min"


def each_over_axes(a: (distinct, shapes((3, 4), (2, 3, 2))), axes: sample([0, 1], (0,), 1)):
    y = np.apply_over_axes(np.each, a, axes)
    twin = _over_axes(np.each, a, axes)


# ---------------------------------------------------------------------------- choices


EACH = "each:how clipped:clip wrapped:wrap"


def take_each(
    a: shapes((4,), (3, 2)),
    indices: (constant, sample([1, 9, -20], [[0, 7], [1, 2]], 5)),
    axis: sample(0, -1) = None,
):
    y = np.take(a, indices, axis, mode="how")
    y = a.take(indices, axis, mode="how")
    twin = _take_each(a, indices, axis)


# ---------------------------------------------------------------------------- slopes


def gradients(
    f: (stacked, shapes((2, 3, 2), (3, 4))),
    axis: sample((0, 1), (1, 0)) = None,
    edge_order: (integer, sample(1)) = 1,
):
    y = np.gradient(f, axis=axis, edge_order=edge_order)
    twin = _gradients(f, axis, edge_order)


def gradients_even(
    f: (stacked, shapes((2, 3, 2), (3, 4))),
    dx: (scalar, positive, shapes((), ())),
    axis: sample((0, 1), (1, 0)) = None,
    edge_order: (integer, sample(1)) = 1,
):
    y = np.gradient(f, dx, axis=axis, edge_order=edge_order)
    twin = _gradients_even(dx, f, axis, edge_order)


def gradients_of_two(
    f: (stacked, shapes((3, 4), (2, 3))),
    x: (increasing, shapes((3,), ())),
    z: (increasing, shapes((4,), (3,))),
    axis: sample((0, 1)) = None,
    edge_order: (integer, sample(1)) = 1,
):
    y = np.gradient(f, x, z, axis=axis, edge_order=edge_order)
    twin = _gradients_of_two(x, z, f, axis, edge_order)


def gradients_of_three(
    f: (stacked, shapes((3, 4, 2), (2, 3, 2))),
    x: (increasing, shapes((3,), ())),
    z: (increasing, shapes((4,), (3,))),
    w: (increasing, shapes((2,), ())),
    axis: sample((0, 1, 2)) = None,
    edge_order: (integer, sample(1)) = 1,
):
    y = np.gradient(f, x, z, w, axis=axis, edge_order=edge_order)
    twin = _gradients_of_three(x, z, w, f, axis, edge_order)


def gradient_by_points(
    f: (vector, shapes((4,), (3,))),
    x: (vector, increasing, shapes((4,), (3,))),
    axis: only_axis = None,
    edge_order: (integer, sample(1, 2)) = 1,
):
    y = np.gradient(f, x, axis=axis, edge_order=edge_order)
    twin = _gradient_by(x, f, 0, edge_order)


def gradient_of_rows_by_points(
    f: (stacked, shapes((4, 2), (3, 2))),
    x: (vector, increasing, shapes((4,), (3,))),
    axis: (integer, sample(0)),
    edge_order: (integer, sample(1, 2)) = 1,
):
    y = np.gradient(f, x, axis=axis, edge_order=edge_order)
    twin = _gradient_by(x, f, axis, edge_order)


# ---------------------------------------------------------------------------- statistics


def quantile_by(
    a: (distinct, shapes((5,), (4, 3))),
    q: sample(0.3, [0.1, 0.8]),
    axis: sample(0) = None,
    *,
    method: sample("hazen", "lower", "inverted_cdf", "median_unbiased"),
    keepdims: sample(True) = False,
):
    y = np.quantile(a, q, axis, method=method, keepdims=keepdims)
    twin = _quantile_by(a, q, axis, method, keepdims)


def percentile_by(
    a: (distinct, shapes((5,), (4, 3))),
    q: sample(30, [10.0, 80.0]),
    axis: sample(0) = None,
    *,
    method: sample("weibull", "higher", "nearest"),
    keepdims: sample(True) = False,
):
    y = np.percentile(a, q, axis, method=method, keepdims=keepdims)
    twin = _quantile_by(a, np.divide(q, 100.0), axis, method, keepdims)


def cov_of_two_matrices(
    m: (matrix, shapes((2, 4))),
    z: (matrix, shapes((3, 4))),
    *,
    rowvar: sample(True) = True,
    bias: sample(True) = False,
    ddof: sample(0) = None,
):
    y = np.cov(m, z, rowvar, bias, ddof)
    twin = _cov_of_two(m, z, rowvar, bias, ddof)


def corrcoef_of_two_matrices(m: (matrix, shapes((2, 4))), z: (matrix, shapes((3, 4)))):
    y = np.corrcoef(m, z)
    twin = _corrcoef_of_two(m, z)


# ---------------------------------------------------------------------------- pads


def pad_ramps(
    array: shapes((4,), (3, 2)),
    pad_width: sample(2, (1, 3)),
    mode: (ramp, sample("linear_ramp")),
    *,
    end_values: sample(0.5, (1.0, -2.0)) = 0,
):
    y = np.pad(array, pad_width, mode, end_values=end_values)
    twin = _pad_ramps(array, pad_width, end_values)


def pad_statistics(
    array: (distinct, shapes((4,), (3, 2))),
    pad_width: sample(2, (1, 3)),
    mode: (statistic, sample("mean", "median", "maximum", "minimum")),
    *,
    stat_length: sample(2, (1, 2)) = None,
):
    y = np.pad(array, pad_width, mode, stat_length=stat_length)
    twin = _pad_statistics(array, pad_width, mode, stat_length)


def pad_odd(
    array: shapes((4,), (4, 3)),
    pad_width: sample(2, (1, 2)),
    mode: (copying, sample("reflect", "symmetric")),
    *,
    reflect_type: (odd, sample("odd")),
):
    """No further than the array is long."""
    y = np.pad(array, pad_width, mode, reflect_type=reflect_type)
    twin = _pad_odd(array, pad_width, mode)
