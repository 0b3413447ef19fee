"""Twins of SciPy's statistics of samples."""

import numpy as np
import scipy.special
import scipy.stats


def _count_along(a, axis):
    """Return how many elements a has along an axis, or in all."""
    return np.size(a) if axis is None else np.shape(a)[axis]


def _moment(a, order, axis, keepdims):
    """Twin of scipy.stats.moment(a, order, axis, keepdims=keepdims)."""
    centred = a - np.mean(a, axis=axis, keepdims=True)
    return np.mean(centred**order, axis=axis, keepdims=keepdims)


def _skew(a, axis, bias, keepdims):
    """Twin of scipy.stats.skew(a, axis, bias, keepdims=keepdims)."""
    n = _count_along(a, axis)
    found = _moment(a, 3, axis, keepdims) / _moment(a, 2, axis, keepdims) ** 1.5
    if not bias and n > 2:
        found = found * (np.sqrt(n * (n - 1.0)).item() / (n - 2.0))
    return found


def _kurtosis(a, axis, fisher, bias, keepdims):
    """Twin of scipy.stats.kurtosis(a, axis, fisher, bias, keepdims=keepdims)."""
    n = _count_along(a, axis)
    found = _moment(a, 4, axis, keepdims) / _moment(a, 2, axis, keepdims) ** 2
    if not bias and n > 3:
        found = (n**2 - 1.0) * found - 3.0 * (n - 1.0) ** 2
        found = found / ((n - 2.0) * (n - 3.0)) + 3.0
    return found - 3.0 if fisher else found


def _sem(a, axis, ddof, keepdims):
    """Twin of scipy.stats.sem(a, axis, ddof, keepdims=keepdims)."""
    spread = np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)
    return spread / np.sqrt(_count_along(a, axis)).item()


def _variation(a, axis, ddof):
    """Twin of scipy.stats.variation(a, axis, ddof=ddof)."""
    return np.std(a, axis=axis, ddof=ddof) / np.mean(a, axis=axis)


def _geometric_mean(a, axis, keepdims):
    """Twin of scipy.stats.gmean(a, axis, keepdims=keepdims)."""
    return np.exp(np.mean(np.log(a), axis=axis, keepdims=keepdims))


def _weighted_geometric_mean(a, axis, weights):
    """Twin of scipy.stats.gmean(a, axis, weights=weights), a weight each."""
    return np.exp(np.sum(weights * np.log(a), axis=axis) / np.sum(weights, axis=axis))


def _harmonic_mean(a, axis, keepdims):
    """Twin of scipy.stats.hmean(a, axis, keepdims=keepdims), of numbers above 0."""
    return 1.0 / np.mean(1.0 / a, axis=axis, keepdims=keepdims)


def _geometric_std(a, axis, ddof):
    """Twin of scipy.stats.gstd(a, axis, ddof)."""
    return np.exp(np.std(np.log(a), axis=axis, ddof=ddof))


def _trimmed_mean(a, proportiontocut, axis):
    """Twin of scipy.stats.trim_mean(a, proportiontocut, axis)."""
    ranked = np.sort(_columns(a, axis), axis=0)
    cut = int(proportiontocut * len(ranked))
    found = np.mean(ranked[cut : len(ranked) - cut], axis=0)
    return np.reshape(found, np.shape(np.sum(a, axis=axis)))


def _zscore(a, axis, ddof):
    """Twin of scipy.stats.zscore(a, axis, ddof)."""
    centred = a - np.mean(a, axis=axis, keepdims=True)
    return centred / np.std(a, axis=axis, ddof=ddof, keepdims=True)


def _interquartile_range(x, axis):
    """Twin of scipy.stats.iqr(x, axis)."""
    return np.quantile(x, 0.75, axis=axis) - np.quantile(x, 0.25, axis=axis)


def _median_deviation(x, axis):
    """Twin of scipy.stats.median_abs_deviation(x, axis)."""
    return np.median(np.abs(x - np.median(x, axis=axis, keepdims=True)), axis=axis)


def _entropy(pk, axis):
    """Twin of scipy.stats.entropy(pk, axis=axis)."""
    shares = pk / np.sum(pk, axis=axis, keepdims=True)
    return np.sum(scipy.special.entr(shares), axis=axis)


def _entropy_to_base(pk, base, axis):
    """Twin of scipy.stats.entropy(pk, base=base, axis=axis)."""
    return _entropy(pk, axis) / np.log(base).item()


def _relative_entropy(pk, qk, axis):
    """Twin of scipy.stats.entropy(pk, qk, axis=axis)."""
    shares = pk / np.sum(pk, axis=axis, keepdims=True)
    others = qk / np.sum(qk, axis=axis, keepdims=True)
    return np.sum(scipy.special.rel_entr(shares, others), axis=axis)


def _tail_of_correlation(r, n):
    """Return how likely n unrelated pairs correlate by r or more, of either sign."""
    half = 0.5 * n - 1.0
    rest = 0.5 * (1.0 - np.minimum(np.abs(r), 1.0))
    return 2.0 * scipy.special.betainc(half, half, rest)


def _pearsonr(x, z):
    """Twin of scipy.stats.pearsonr(x, z): how much, and how likely by chance."""
    left = x - np.mean(x)
    right = z - np.mean(z)
    r = np.dot(left, right) / np.sqrt(np.dot(left, left) * np.dot(right, right))
    return r, _tail_of_correlation(r, len(x))


def _spearmanr(a, b):
    """Twin of scipy.stats.spearmanr(a, b), of two rows of numbers."""
    return _pearsonr(scipy.stats.rankdata(a), scipy.stats.rankdata(b))


def _linregress(x, z):
    """Twin of scipy.stats.linregress(x, z), of more than two pairs."""
    left = x - np.mean(x)
    right = z - np.mean(z)
    width = np.dot(left, left)
    slope = np.dot(left, right) / width
    intercept = np.mean(z) - slope * np.mean(x)
    r = np.dot(left, right) / np.sqrt(width * np.dot(right, right))
    error = np.sqrt((1.0 - r**2) * np.dot(right, right) / width / (len(x) - 2.0))
    return slope, intercept, r, _tail_of_correlation(r, len(x)), error


def _beyond(freedom, t, alternative):
    """Return how probable a t is that lies as far out, on one side or on both."""
    if alternative == "less":
        return scipy.special.stdtr(freedom, t)
    if alternative == "greater":
        return scipy.special.stdtr(freedom, -t)
    return 2.0 * scipy.special.stdtr(freedom, -np.abs(t))


def _ttest_1samp(a, popmean, axis, alternative):
    """Twin of scipy.stats.ttest_1samp(a, popmean, axis, alternative=alternative)."""
    n = np.shape(a)[axis]
    error = np.std(a, axis=axis, ddof=1) / np.sqrt(n).item()
    t = (np.mean(a, axis=axis) - popmean) / error
    return t, _beyond(n - 1.0, t, alternative)


def _ttest_ind(a, b, axis, alternative):
    """Twin of scipy.stats.ttest_ind(a, b, axis=axis, alternative=alternative)."""
    m, n = np.shape(a)[axis], np.shape(b)[axis]
    spread = np.var(a, axis=axis, ddof=1) * (m - 1.0)
    spread = spread + np.var(b, axis=axis, ddof=1) * (n - 1.0)
    error = np.sqrt(spread * ((1.0 / m + 1.0 / n) / (m + n - 2.0)))
    t = (np.mean(a, axis=axis) - np.mean(b, axis=axis)) / error
    return t, _beyond(m + n - 2.0, t, alternative)


def _ttest_welch(a, b, axis, alternative):
    """Twin of scipy.stats.ttest_ind(a, b, equal_var=False, alternative=alternative)."""
    m, n = np.shape(a)[axis], np.shape(b)[axis]
    first, second = np.var(a, axis=axis, ddof=1) / m, np.var(b, axis=axis, ddof=1) / n
    freedom = (first + second) ** 2 / (first**2 / (m - 1.0) + second**2 / (n - 1.0))
    t = (np.mean(a, axis=axis) - np.mean(b, axis=axis)) / np.sqrt(first + second)
    tails = _student_tails(freedom, t)
    if alternative == "two-sided":
        return t, tails
    is_near = t > 0.0 if alternative == "greater" else t < 0.0
    return t, np.where(is_near, 0.5 * tails, 1.0 - 0.5 * tails)[()]


def _student_tails(freedom, t):
    """Return how probable a t as far out is: the integral of a power of cosine."""
    angle = np.arctan2(np.sqrt(freedom), np.abs(t))
    total = np.zeros_like(angle)
    for u in np.arange(-3.2, 3.25, 0.1):
        share = 1.0 / (1.0 + np.exp(-np.pi * np.sinh(u)))
        weight = 0.1 * np.pi * np.cosh(u) * share * (1.0 - share)
        total = total + weight * np.sin(angle * share) ** (freedom - 1.0)
    half = 0.5 * freedom
    log_factor = scipy.special.gammaln(half + 0.5) - scipy.special.gammaln(half)
    return 2.0 / np.sqrt(np.pi) * np.exp(log_factor) * angle * total


def _f_oneway(samples):
    """Twin of scipy.stats.f_oneway(*samples), each a row of numbers."""
    pooled = np.concatenate(samples)
    centre = np.mean(pooled)
    within = sum([np.sum((each - np.mean(each)) ** 2) for each in samples])
    between = sum([len(each) * (np.mean(each) - centre) ** 2 for each in samples])
    groups, rest = len(samples) - 1.0, len(pooled) - float(len(samples))
    f = (between / groups) / (within / rest)
    return f, scipy.special.fdtrc(groups, rest, f)


def _mean_direction(samples, high, low, axis):
    """Return the mean sine and cosine of angles that go once round from low to high."""
    angle = samples * (2.0 * np.pi / (high - low))
    return np.mean(np.sin(angle), axis=axis), np.mean(np.cos(angle), axis=axis)


def _circmean(samples, high, low, axis):
    """Twin of scipy.stats.circmean(samples, high, low, axis)."""
    sine, cosine = _mean_direction(samples, high, low, axis)
    mean = np.arctan2(sine, cosine) * ((high - low) / (2.0 * np.pi))
    return (mean - low) % (high - low) + low


def _circular_length(samples, high, low, axis):
    """Return how long the mean of angles is, as a vector: 1 where all are equal."""
    sine, cosine = _mean_direction(samples, high, low, axis)
    return np.sqrt(sine**2 + cosine**2)


def _circvar(samples, high, low, axis):
    """Twin of scipy.stats.circvar(samples, high, low, axis)."""
    return 1.0 - _circular_length(samples, high, low, axis)


def _circstd(samples, high, low, axis, normalize):
    """Twin of scipy.stats.circstd(samples, high, low, axis, normalize=normalize)."""
    length = np.minimum(_circular_length(samples, high, low, axis), 1.0)
    spread = np.sqrt(-2.0 * np.log(length))
    return spread if normalize else spread * ((high - low) / (2.0 * np.pi))


def _gaussian_kde(dataset, bw_method, points):
    """Twin of scipy.stats.gaussian_kde(dataset, bw_method)(points)."""
    data, at = np.atleast_2d(dataset), np.atleast_2d(points)
    axes, count = np.shape(data)
    factor = count ** (-1.0 / (axes + 4))
    if bw_method == "silverman":
        factor = (count * (axes + 2) / 4.0) ** (-1.0 / (axes + 4))
    elif not (bw_method is None or bw_method == "scott"):
        factor = bw_method
    centred = data - np.mean(data, axis=1, keepdims=True)
    spread = np.dot(centred, centred.T) * (factor**2 / (count - 1))
    half = np.linalg.cholesky(spread)
    apart = np.expand_dims(at, 2) - np.expand_dims(data, 1)
    along = np.linalg.solve(half, np.reshape(apart, (axes, -1)))
    density = np.exp(-0.5 * np.reshape(np.sum(along**2, axis=0), (-1, count)))
    scale = count * (2.0 * np.pi) ** (0.5 * axes) * np.prod(np.diag(half))
    return np.sum(density, axis=1) / scale
