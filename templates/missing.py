"""Reductions that pass over nan: an element that is nan receives nothing."""

FAMILY = "linear"
HOLOMORPHIC = "nansum nansum_any nanmean nanmean_any"


def nansum(a: gaps, axis: none = None, keepdims: false = False):
    y = np.nansum(a, axis, keepdims=keepdims)
    a_bar = np.where(np.isnan(a), 0.0, np.full_like(a, y_bar))
    y_dot = np.sum(np.where(np.isnan(a), 0.0, a_dot))


def nansum_any(a: gaps, axis=None, keepdims=False):
    y = np.nansum(a, axis, keepdims=keepdims)
    a_bar = np.where(np.isnan(a), 0.0, _expand(y_bar, a, axis, keepdims))
    y_dot = np.sum(np.where(np.isnan(a), 0.0, a_dot), axis=axis, keepdims=keepdims)


def nanmean(a: gaps, axis: none = None, keepdims: false = False):
    y = np.nanmean(a, axis, keepdims=keepdims)
    count = np.count_nonzero(~np.isnan(a))
    a_bar = np.where(np.isnan(a), 0.0, np.full_like(a, y_bar / count))
    y_dot = np.sum(np.where(np.isnan(a), 0.0, a_dot)) / count


def nanmean_any(a: gaps, axis=None, keepdims=False):
    y = np.nanmean(a, axis, keepdims=keepdims)
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims, dtype=a.dtype)
    a_bar = np.where(np.isnan(a), 0.0, _expand(y_bar / count, a, axis, keepdims))
    y_dot = np.sum(np.where(np.isnan(a), 0.0, a_dot), axis=axis, keepdims=keepdims) / count


def nanvar_any(a: gaps, axis=None, ddof=0, keepdims=False):
    y = np.nanvar(a, axis, ddof=ddof, keepdims=keepdims)
    centred = _centred(a, axis)
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims, dtype=a.dtype) - ddof
    a_bar = np.where(np.isnan(a), 0.0, centred * _expand(2.0 * y_bar / count, a, axis, keepdims))
    y_dot = 2.0 * np.nansum(centred * a_dot, axis=axis, keepdims=keepdims) / count


def nanstd_any(a: (gaps, shapes((4, 3), (3, 4), (2, 3, 3))), axis=None, ddof=0, keepdims=False):
    """Where all elements are equal the derivative is taken as 0."""
    y = np.nanstd(a, axis, ddof=ddof, keepdims=keepdims)
    centred = _centred(a, axis)
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims, dtype=a.dtype) - ddof
    share = _expand(y_bar / (count * (y + (y == 0.0))), a, axis, keepdims)
    a_bar = np.where(np.isnan(a), 0.0, centred * share)
    y_dot = np.nansum(centred * a_dot, axis=axis, keepdims=keepdims) / (count * (y + (y == 0.0)))


def nanextreme(a: (gaps, distinct), axis: none = None, keepdims: false = False):
    """Equal extremes share y_bar equally."""
    y = np.nanmax(a, axis, keepdims=keepdims)
    y = np.nanmin(a, axis, keepdims=keepdims)
    hit = a == y
    a_bar = np.where(hit, y_bar / np.sum(hit, dtype=a.dtype), 0.0)
    y_dot = np.sum(np.where(hit, a_dot, 0.0)) / np.sum(hit, dtype=a.dtype)


def nanextreme_any(a: (gaps, distinct), axis=None, keepdims=False):
    """Equal extremes share y_bar equally."""
    y = np.nanmax(a, axis, keepdims=keepdims)
    y = np.nanmin(a, axis, keepdims=keepdims)
    hit = a == _expand(y, a, axis, keepdims)
    count = np.sum(hit, axis=axis, keepdims=True, dtype=a.dtype)
    a_bar = np.where(hit, _expand(y_bar, a, axis, keepdims) / count, 0.0)
    y_dot = np.sum(np.where(hit, a_dot, 0.0) / count, axis=axis, keepdims=keepdims)


def nanprod(a: gaps, axis: none = None):
    y = np.nanprod(a, axis)
    others = _others(np.where(np.isnan(a), 1.0, a), None)
    a_bar = np.where(np.isnan(a), 0.0, y_bar * others)
    y_dot = np.sum(np.where(np.isnan(a), 0.0, others * a_dot))


def nanprod_along(a: gaps, axis: integer, keepdims=False):
    y = np.nanprod(a, axis, keepdims=keepdims)
    others = _others(np.where(np.isnan(a), 1.0, a), axis)
    a_bar = np.where(np.isnan(a), 0.0, _expand(y_bar, a, axis, keepdims) * others)
    y_dot = np.sum(np.where(np.isnan(a), 0.0, others * a_dot), axis=axis, keepdims=keepdims)


def nanprod_of_axes(
    a: (gaps, shapes((3, 4), (2, 3, 3))), axis: sample((0, 1)) = None, keepdims=False
):
    y = np.nanprod(a, axis, keepdims=keepdims)
    others = _others_of_axes(np.where(np.isnan(a), 1.0, a), axis)
    a_bar = np.where(np.isnan(a), 0.0, _expand(y_bar, a, axis, keepdims) * others)
    y_dot = np.sum(np.where(np.isnan(a), 0.0, others * a_dot), axis=axis, keepdims=keepdims)


def nancumsum(a: gaps, axis: none = None):
    y = np.nancumsum(a, axis)
    a_bar = np.where(np.isnan(a), 0.0, np.reshape(np.cumsum(y_bar[::-1])[::-1], a.shape))
    y_dot = np.cumsum(np.where(np.isnan(a), 0.0, a_dot))


def nancumsum_along(a: gaps, axis: integer):
    y = np.nancumsum(a, axis)
    a_bar = np.where(np.isnan(a), 0.0, np.flip(np.cumsum(np.flip(y_bar, axis), axis=axis), axis))
    y_dot = np.cumsum(np.where(np.isnan(a), 0.0, a_dot), axis=axis)


def nancumprod(a: gaps, axis=None):
    y = np.nancumprod(a, axis)
    filled = np.where(np.isnan(a), 1.0, a)
    a_bar = np.where(np.isnan(a), 0.0, _cumprod_bar(y_bar, filled, y, axis))
    y_dot = _cumprod_dot(filled, np.where(np.isnan(a), 0.0, a_dot), axis)


# ---------------------------------------------------------------------------- by rank


def nanquantile(
    a: (gaps, shapes((4,), (5,), (3, 4))), q: sample(0.3, 0.5), axis=None, keepdims=False
):
    """Equal elements keep their order."""
    y = np.nanquantile(a, q, axis, keepdims=keepdims)
    a_bar = _quantile_bar(y_bar, a, q, axis, keepdims)
    y_dot = _quantile_dot(a, a_dot, q, axis, keepdims)


def nanpercentile(
    a: (gaps, shapes((4,), (5,), (3, 4))), q: sample(30, 50.0), axis=None, keepdims=False
):
    """Equal elements keep their order."""
    y = np.nanpercentile(a, q, axis, keepdims=keepdims)
    a_bar = _quantile_bar(y_bar, a, np.divide(q, 100.0), axis, keepdims)
    y_dot = _quantile_dot(a, a_dot, np.divide(q, 100.0), axis, keepdims)


def nanmedian(a: (gaps, shapes((4,), (5,), (3, 4))), axis=None, keepdims=False):
    """Equal elements keep their order."""
    y = np.nanmedian(a, axis, keepdims=keepdims)
    a_bar = _quantile_bar(y_bar, a, 0.5, axis, keepdims)
    y_dot = _quantile_dot(a, a_dot, 0.5, axis, keepdims)
