"""Twins of rarer uses of NumPy's functions, in terms of their usual ones."""

FAMILY = "twin"

# ---------------------------------------------------------------------------- of every pair


def divide_outer(a: shapes((3,), (2, 3), ()), b: (positive, shapes((4,), (2,), (3,)))):
    y = np.divide.outer(a, b)
    twin = _divide_outer(a, b)


def power_outer(a: (positive, shapes((3,), (2, 3))), b: shapes((4,), (2,))):
    y = np.power.outer(a, b)
    twin = _power_outer(a, b)


def arctan2_outer(a: (positive, shapes((3,), (2, 3))), b: (positive, shapes((4,), (2,)))):
    y = np.arctan2.outer(a, b)
    twin = _arctan2_outer(a, b)


def maximum_outer(a: (distinct, shapes((3,), (2, 3))), b: shapes((4,), (2,))):
    y = np.maximum.outer(a, b)
    twin = _maximum_outer(a, b)


def minimum_outer(a: (distinct, shapes((3,), (2, 3))), b: shapes((4,), (2,))):
    y = np.minimum.outer(a, b)
    twin = _minimum_outer(a, b)


# ---------------------------------------------------------------------------- reductions


def sum_of_axes(a: shapes((3, 4), (2, 3, 4)), axis: sample((0, 1)), keepdims: sample(True) = False):
    y = np.add.reduce(a, axis, keepdims=keepdims)
    twin = _sum(a, axis, keepdims)


def product_first(a: (nonzero, shapes((4,), (3, 4)))):
    y = np.multiply.reduce(a)
    y = np.multiply.reduce(a, 0)
    twin = _product_first(a)


def running_product(a: (nonzero, shapes((4,), (3, 4))), axis: (integer, sample(-1)) = 0):
    y = np.multiply.accumulate(a, axis)
    twin = _running_product(a, axis)


def running_logaddexp(a: shapes((4,), (3, 2)), axis: (integer, sample(-1)) = 0):
    y = np.logaddexp.accumulate(a, axis)
    twin = _running_logaddexp(a, axis)


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


def cond_of_columns(x: (regular, shapes((3, 3)))):
    y = np.linalg.cond(x, 1)
    y = np.linalg.cond(x, p=1)
    twin = _condition_of_columns(x)


def cond_of_rows(x: (regular, shapes((3, 3)))):
    y = np.linalg.cond(x, np.inf)
    y = np.linalg.cond(x, p=np.inf)
    twin = _condition_of_rows(x)


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
    y = np.cov(m, z, rowvar=rowvar, bias=bias, ddof=ddof)
    twin = _cov_of_two(m, z, rowvar, bias, ddof)


def corrcoef_of_two_matrices(m: (matrix, shapes((2, 4))), z: (matrix, shapes((3, 4)))):
    y = np.corrcoef(m, z)
    twin = _corrcoef_of_two(m, z)
