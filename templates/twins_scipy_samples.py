"""Twins of SciPy's statistics of samples: moments, means, scores, and lines of best fit."""

FAMILY = "twin"

# ---------------------------------------------------------------------------- moments


def skew(
    a: shapes((5,), (4, 3)),
    axis: sample(1, None) = 0,
    bias: sample(False) = True,
    *,
    keepdims: sample(True) = False,
):
    y = stats.skew(a, axis, bias, keepdims=keepdims)
    twin = _skew(a, axis, bias, keepdims)


def kurtosis(
    a: shapes((5,), (4, 5)),
    axis: sample(1, None) = 0,
    fisher: sample(False) = True,
    bias: sample(False) = True,
    *,
    keepdims: sample(True) = False,
):
    y = stats.kurtosis(a, axis, fisher, bias, keepdims=keepdims)
    twin = _kurtosis(a, axis, fisher, bias, keepdims)


def moment(a: shapes((5,), (4, 3)), order: (integer, sample(3, 2)), axis: sample(1, None) = 0):
    y = stats.moment(a, order, axis)
    twin = _moment(a, order, axis, False)


def sem(
    a: shapes((5,), (4, 3)),
    axis: sample(1, None) = 0,
    ddof: sample(0) = 1,
    *,
    keepdims: sample(True) = False,
):
    y = stats.sem(a, axis, ddof, keepdims=keepdims)
    twin = _sem(a, axis, ddof, keepdims)


def variation(
    a: (positive, shapes((5,), (4, 3))), axis: sample(1, None) = 0, *, ddof: sample(1) = 0
):
    y = stats.variation(a, axis, ddof=ddof)
    twin = _variation(a, axis, ddof)


# ---------------------------------------------------------------------------- means


EACH = "each:same gmean:_geometric_mean hmean:_harmonic_mean"


def each(
    a: (positive, shapes((5,), (4, 3))),
    axis: sample(1, None) = 0,
    *,
    keepdims: sample(True) = False,
):
    """Of numbers above 0."""
    y = stats.each(a, axis, keepdims=keepdims)
    twin = same(a, axis, keepdims)


def gmean_weighted(
    a: (positive, shapes((5,), (4, 3))),
    axis: sample(-1) = 0,
    *,
    weights: (positive, shapes((5,), (4, 3))),
):
    y = stats.gmean(a, axis, weights=weights)
    twin = _weighted_geometric_mean(a, axis, weights)


def gstd(a: (positive, shapes((5,), (4, 3))), axis: sample(1, None) = 0, ddof: sample(0) = 1):
    y = stats.gstd(a, axis, ddof)
    twin = _geometric_std(a, axis, ddof)


def trim_mean(
    a: (distinct, shapes((6,), (5, 3))),
    proportiontocut: (number, sample(0.2, 0.4)),
    axis: sample(1, None) = 0,
):
    y = stats.trim_mean(a, proportiontocut, axis)
    twin = _trimmed_mean(a, proportiontocut, axis)


# ---------------------------------------------------------------------------- scores, spreads


def zscore(a: shapes((5,), (4, 3)), axis: sample(1, None) = 0, ddof: sample(1) = 0):
    y = stats.zscore(a, axis, ddof)
    twin = _zscore(a, axis, ddof)


def iqr(x: (distinct, shapes((6,), (4, 3))), axis: sample(0) = None):
    y = stats.iqr(x, axis)
    twin = _interquartile_range(x, axis)


def median_abs_deviation(x: (distinct, shapes((6,), (5, 3))), axis: sample(1, None) = 0):
    y = stats.median_abs_deviation(x, axis)
    twin = _median_deviation(x, axis)


def entropy(pk: (positive, shapes((5,), (4, 3))), *, axis: sample(1) = 0):
    y = stats.entropy(pk, axis=axis)
    twin = _entropy(pk, axis)


def entropy_to_base(
    pk: (positive, shapes((5,), (4, 3))), *, base: (number, sample(2, 10.0)), axis: sample(1) = 0
):
    y = stats.entropy(pk, base=base, axis=axis)
    twin = _entropy_to_base(pk, base, axis)


def entropy_of_two(
    pk: (positive, shapes((5,), (4, 3))),
    qk: (positive, shapes((5,), (4, 3))),
    *,
    axis: sample(1) = 0,
):
    y = stats.entropy(pk, qk, axis=axis)
    twin = _relative_entropy(pk, qk, axis)


# ---------------------------------------------------------------------------- of two samples


EACH = "pearsonr linregress"


def each(x: (vector, shapes((6,), (5,))), z: (vector, shapes((6,), (5,)))):
    y = stats.each(x, z)
    twin = _each(x, z)


def spearmanr(a: (vector, distinct, shapes((6,))), b: (vector, distinct, shapes((6,)))):
    """Ranks jump where elements are equal: elsewhere they do not vary."""
    y = stats.spearmanr(a, b)
    twin = _spearmanr(a, b)


# ---------------------------------------------------------------------------- tests of means


def ttest_1samp(
    a: shapes((6,), (5, 2)),
    popmean: number,
    axis: (integer, sample(1)) = 0,
    *,
    alternative: sample("less", "greater") = "two-sided",
):
    y = stats.ttest_1samp(a, popmean, axis, alternative=alternative)
    twin = _ttest_1samp(a, popmean, axis, alternative)


def ttest_rel(
    a: shapes((6,), (5, 2)),
    b: shapes((6,), (5, 2)),
    axis: (integer, sample(1)) = 0,
    *,
    alternative: sample("less", "greater") = "two-sided",
):
    y = stats.ttest_rel(a, b, axis, alternative=alternative)
    twin = _ttest_1samp(a - b, 0.0, axis, alternative)


def ttest_ind(
    a: shapes((6,), (5, 2)),
    b: shapes((5,), (5, 2)),
    *,
    axis: (integer, sample(1)) = 0,
    alternative: sample("less", "greater") = "two-sided",
):
    """Of samples that vary equally, as SciPy takes them to."""
    y = stats.ttest_ind(a, b, axis=axis, alternative=alternative)
    twin = _ttest_ind(a, b, axis, alternative)


def ttest_of_welch(
    a: shapes((6,), (5, 2)),
    b: shapes((5,), (5, 2)),
    *,
    axis: (integer, sample(1)) = 0,
    alternative: sample("less", "greater") = "two-sided",
):
    """Of samples that vary as they do: the degrees of freedom vary, too."""
    y = stats.ttest_ind(a, b, axis=axis, equal_var=False, alternative=alternative)
    twin = _ttest_welch(a, b, axis, alternative)


def f_oneway(a: (vector, shapes((6,))), b: (vector, shapes((5,)))):
    y = stats.f_oneway(a, b)
    twin = _f_oneway((a, b))


def f_oneway_of_three(
    a: (vector, shapes((6,))), b: (vector, shapes((5,))), c: (vector, shapes((4,)))
):
    y = stats.f_oneway(a, b, c)
    twin = _f_oneway((a, b, c))


def f_oneway_of_four(
    a: (vector, shapes((6,))),
    b: (vector, shapes((5,))),
    c: (vector, shapes((4,))),
    d: (vector, shapes((3,))),
):
    y = stats.f_oneway(a, b, c, d)
    twin = _f_oneway((a, b, c, d))


# ---------------------------------------------------------------------------- of angles


EACH = "circmean circvar"


def each(
    samples: shapes((6,), (5, 3)),
    high: sample(180.0) = 2.0 * np.pi,
    low: sample(-180.0) = 0.0,
    axis: sample(0, 1) = None,
):
    y = stats.each(samples, high, low, axis)
    twin = _each(samples, high, low, axis)


def circstd(
    samples: shapes((6,), (5, 3)),
    high: sample(180.0) = 2.0 * np.pi,
    low: sample(-180.0) = 0.0,
    axis: sample(0, 1) = None,
    *,
    normalize: sample(True) = False,
):
    y = stats.circstd(samples, high, low, axis, normalize=normalize)
    twin = _circstd(samples, high, low, axis, normalize)


# ---------------------------------------------------------------------------- densities


def gaussian_kde(
    dataset: shapes((6,), (2, 7)),
    bw_method: sample("silverman", 0.4) = None,
    *,
    points: shapes((3,), (2, 3)),
):
    """Of the points with one row for each axis."""
    y = stats.gaussian_kde(dataset, bw_method)(points)
    y = stats.gaussian_kde(dataset, bw_method).evaluate(points)
    y = stats.gaussian_kde(dataset, bw_method).pdf(points)
    twin = _gaussian_kde(dataset, bw_method, points)
