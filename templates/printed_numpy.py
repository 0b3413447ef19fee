"""Twins of rarer uses of NumPy's functions."""

import numpy as np


def _of_real(a, x):
    """Return a, where x is real."""
    if np.iscomplexobj(x):
        raise ValueError("a fractional power is complex here: no derivative")
    return a


def _upright(a, b):
    """Return a with as many axes more as b has."""
    return np.reshape(a, np.shape(a) + (1,) * np.ndim(b))


def _of_every_pair(function, a, b):
    """Twin of np.maximum.outer(a, b) and its kin."""
    return function(_upright(a, b), b)


def _running_logaddexp_first(a):
    """Twin of np.logaddexp.accumulate(a)."""
    found = np.empty_like(a)
    found[0] = a[0]
    for k in range(1, len(a)):
        found[k] = np.logaddexp(found[k - 1], a[k])
    return found


def _running_logaddexp(a, axis):
    """Twin of np.logaddexp.accumulate(a, axis)."""
    rows = np.moveaxis(a, axis, 0)
    found = np.empty_like(rows)
    found[0] = rows[0]
    for k in range(1, len(rows)):
        found[k] = np.logaddexp(found[k - 1], rows[k])
    return np.moveaxis(found, 0, axis)


def _var_about(a, axis, mean, ddof, keepdims):
    """Twin of np.var(a, axis, mean=mean)."""
    total = np.sum((a - mean) ** 2, axis=axis, keepdims=keepdims)
    return total / (np.size(a) // np.size(total) - ddof)


def _std_about(a, axis, mean, ddof, keepdims):
    """Twin of np.std(a, axis, mean=mean)."""
    total = np.linalg.norm(a - mean, axis=axis, keepdims=keepdims)
    return total / np.sqrt(np.size(a) // np.size(total) - ddof)


def _average_kept(a, axis, weights):
    """Twin of np.average(a, axis, weights, keepdims=True)."""
    total = np.sum(np.moveaxis(a, axis, -1) * weights, axis=-1)
    return np.expand_dims(total / np.sum(weights), axis)


def _polyfit_weighted(x, z, deg, w):
    """Twin of np.polyfit(x, z, deg, w=w)."""
    rows = np.expand_dims(x, 1) ** np.arange(deg, -1, -1) * np.expand_dims(w, 1)
    return np.linalg.lstsq(rows, z * w, rcond=None)[0]


def _condition(a, p):
    """Twin of np.linalg.cond(a, p) of one matrix or of a stack of them."""
    if p in (None, 2, -2):
        values = np.linalg.svd(a, compute_uv=False)
        first, last = values[..., 0], values[..., -1]
        return last / first if p == -2 else first / last
    norm = np.linalg.norm(a, p, axis=(-2, -1))
    return norm * np.linalg.norm(np.linalg.inv(a), p, axis=(-2, -1))


def _differences_between(a, to_end, to_begin):
    """Twin of np.ediff1d(a, to_end, to_begin)."""
    steps = np.diff(np.ravel(a))
    return np.concatenate((np.ravel(to_begin), steps, np.ravel(to_end)))


def _interp_sides(x, xp, fp, left, right):
    """Twin of np.interp(x, xp, fp, left, right)."""
    inside = np.interp(x, xp, fp)
    return np.where(x < xp[0], left, np.where(x > xp[-1], right, inside))


def _interp_left(x, xp, fp, left):
    """Twin of np.interp(x, xp, fp, left=left)."""
    return np.where(x < xp[0], left, np.interp(x, xp, fp))


def _quantile_by(a, q, axis, method, keepdims):
    """Twin of np.quantile(a, q, axis, method=method), between two ranks."""
    ranked = np.sort(_columns(a, axis), axis=0)
    # nanquantile has no derivative by q with a method: a q that varies is refused
    levels = np.ravel(np.asarray(q))
    ranks = np.nanquantile(np.arange(1.0 * len(ranked)), levels, method=method)
    lower = np.floor(ranks).astype(int)
    upper = np.ceil(ranks).astype(int)
    part = np.expand_dims((ranks - lower).astype(ranked.dtype), 1)
    found = (1.0 - part) * ranked[lower] + part * ranked[upper]
    shape = np.shape(np.sum(a, axis=axis, keepdims=keepdims))
    return np.reshape(found, np.shape(q) + shape)


def _corrcoef_of_two(m, z):
    """Twin of np.corrcoef(m, z)."""
    return np.corrcoef(np.concatenate((m, z)))


def _cov_of_two(m, z, rowvar, bias, ddof):
    """Twin of np.cov(m, z)."""
    both = np.concatenate((m, z)) if rowvar else np.concatenate((m, z), axis=1).T
    centred = both - np.mean(both, axis=1, keepdims=True)
    less = (not bias) if ddof is None else ddof
    return np.dot(centred, centred.T) / (both.shape[1] - less)


def _interp_periodic(x, xp, fp, period):
    """Twin of np.interp(x, xp, fp, period=period)."""
    length = abs(period)
    order = np.argsort(xp % length)
    points, values = (xp % length)[order], fp[order]
    around = np.concatenate([points[-1:] - length, points, points[:1] + length])
    values = np.concatenate([values[-1:], values, values[:1]])
    return np.interp(x % length, around, values)


def _take_clipped(a, indices, axis):
    """Twin of np.take(a, indices, axis, mode="clip")."""
    count = np.size(a) if axis is None else np.shape(a)[axis]
    return np.take(a, np.clip(indices, 0, count - 1), axis=axis)


def _take_wrapped(a, indices, axis):
    """Twin of np.take(a, indices, axis, mode="wrap")."""
    count = np.size(a) if axis is None else np.shape(a)[axis]
    return np.take(a, np.mod(indices, count), axis=axis)


def _gradients(f, axis, edge_order):
    """Twin of np.gradient(f, axis=axis, edge_order=edge_order) along several axes."""
    axes = range(np.ndim(f)) if axis is None else axis
    return tuple([np.gradient(f, axis=i, edge_order=edge_order) for i in axes])


def _gradients_even(dx, f, axis, edge_order):
    """Twin of np.gradient(f, dx, axis=axis, edge_order=edge_order)."""
    axes = range(np.ndim(f)) if axis is None else axis
    return tuple([np.gradient(f, dx, axis=i, edge_order=edge_order) for i in axes])


def _gradients_of_two(x, z, f, axis, edge_order):
    """Twin of np.gradient(f, x, z, axis=axis, edge_order=edge_order)."""
    first, second = (0, 1) if axis is None else axis
    along = _gradient_by(x, f, first, edge_order)
    return along, _gradient_by(z, f, second, edge_order)


def _gradients_of_three(x, z, w, f, axis, edge_order):
    """Twin of np.gradient(f, x, z, w, axis=axis, edge_order=edge_order)."""
    first, second, third = (0, 1, 2) if axis is None else axis
    along = _gradient_by(x, f, first, edge_order)
    across = _gradient_by(z, f, second, edge_order)
    return along, across, _gradient_by(w, f, third, edge_order)


def _gradient_by(x, f, axis, edge_order):
    """Twin of np.gradient(f, x, axis=axis, edge_order=edge_order)."""
    if np.ndim(x) == 0:
        return np.gradient(f, x, axis=axis, edge_order=edge_order)
    rows = np.moveaxis(f, axis, -1)
    h = np.diff(x)
    a, b = h[:-1], h[1:]
    before, here, after = rows[..., :-2], rows[..., 1:-1], rows[..., 2:]
    inner = (b - a) * here / (a * b)
    inner = inner - b * before / (a * (a + b)) + a * after / (b * (a + b))
    first = (rows[..., 1:2] - rows[..., :1]) / h[:1]
    last = (rows[..., -1:] - rows[..., -2:-1]) / h[-1:]
    if edge_order == 2:
        first = _first_of_three(rows, h)
        last = -_first_of_three(rows[..., ::-1], h[::-1])
    return np.moveaxis(np.concatenate([first, inner, last], axis=-1), -1, axis)


def _first_of_three(rows, h):
    """Return the slope at the first of three points, by the parabola through them."""
    a, b = h[:1], h[1:2]
    first, second, third = rows[..., :1], rows[..., 1:2], rows[..., 2:3]
    return (
        -(2.0 * a + b) / (a * (a + b)) * first
        + (a + b) / (a * b) * second
        - a / (b * (a + b)) * third
    )


def _vecdot_along(a, b, axis):
    """Twin of np.vecdot(a, b, axis=axis) of real values."""
    return np.sum(np.moveaxis(a, axis, -1) * np.moveaxis(b, axis, -1), axis=-1)


def _vector_norm(x, axis, keepdims, ord):
    """Twin of np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)."""
    sizes = np.abs(x)
    if ord == np.inf:
        return np.max(sizes, axis=axis, keepdims=keepdims, initial=0.0)
    if ord == -np.inf:
        return np.min(sizes, axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((sizes != 0).astype(sizes.dtype), axis=axis, keepdims=keepdims)
    if ord == 2:
        return np.linalg.vector_norm(x, axis=axis, keepdims=keepdims)
    if ord < 0:
        # beside a 0 nothing counts: the norm is 0
        is_whole = np.all(sizes != 0.0, axis=axis, keepdims=True)
        sizes_or_1 = np.where(is_whole, sizes, 1.0)
        total = np.sum(sizes_or_1**ord, axis=axis, keepdims=keepdims)
        is_whole = np.all(sizes != 0.0, axis=axis, keepdims=keepdims)
        return total ** (1.0 / ord) * is_whole.astype(sizes.dtype)
    total = np.sum(sizes**ord, axis=axis, keepdims=keepdims)
    return np.where(total == 0.0, 1.0, total) ** (1.0 / ord) * (total != 0.0)


def _norm_over(x, axis, keepdims):
    """Twin of linalg.norm(x, None, axis, keepdims)."""
    return np.linalg.norm(x, axis=axis, keepdims=keepdims)


def _matrix_norm(x, axis, keepdims, ord):
    """Twin of np.linalg.norm(x, ord, axis, keepdims) of matrices in two axes."""
    rows, columns = axis[0] % x.ndim, axis[1] % x.ndim
    if ord in ("nuc", 2, -2):
        matrices = np.moveaxis(x, (rows, columns), (-2, -1))
        values = np.linalg.svd(matrices, compute_uv=False)
        one = values[..., 0 if ord == 2 else -1]
        found = np.sum(values, axis=-1) if ord == "nuc" else one
        return np.expand_dims(found, (rows, columns)) if keepdims else found
    if ord in ("fro", "f"):
        return np.linalg.norm(x, axis=(rows, columns), keepdims=keepdims)
    along, across = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = np.sum(np.abs(x), axis=along, keepdims=keepdims)
    last = across if keepdims or across < along else across - 1
    if ord > 0:
        return np.max(sums, axis=last, keepdims=keepdims)
    return np.min(sums, axis=last, keepdims=keepdims)


def _over_axes(function, a, axes):
    """Twin of np.apply_over_axes(function, a, axes)."""
    found = a
    for axis in np.atleast_1d(axes):
        found = function(found, axis=int(axis), keepdims=True)
    return found


def _pad_ramps(array, pad_width, end_values):
    """Twin of np.pad(array, pad_width, "linear_ramp", end_values=end_values)."""
    widths = np.broadcast_to(pad_width, (np.ndim(array), 2)).tolist()
    ends = np.broadcast_to(end_values, (np.ndim(array), 2)).tolist()
    found = array
    for axis in range(np.ndim(array)):
        (before, behind), (first, last) = widths[axis], ends[axis]
        rows = np.moveaxis(found, axis, -1)
        left = first + (rows[..., :1] - first) * (np.arange(before) / max(before, 1))
        falling = np.arange(behind)[::-1] / max(behind, 1)
        right = last + (rows[..., -1:] - last) * falling
        found = np.moveaxis(np.concatenate((left, rows, right), axis=-1), -1, axis)
    return found.astype(array.dtype)


def _pad_statistics(array, pad_width, mode, stat_length):
    """Twin of np.pad(array, pad_width, mode, stat_length=stat_length)."""
    widths = np.broadcast_to(pad_width, (np.ndim(array), 2)).tolist()
    lengths = stat_length
    if stat_length is not None:
        lengths = np.broadcast_to(stat_length, (np.ndim(array), 2))
    found = array
    for axis in range(np.ndim(array)):
        before, behind = widths[axis]
        rows = np.moveaxis(found, axis, -1)
        size = rows.shape[-1]
        first, last = (size, size) if lengths is None else lengths[axis].tolist()
        left = np.repeat(_statistic(rows[..., :first], mode), before, axis=-1)
        end = rows[..., max(size - last, 0) :]
        right = np.repeat(_statistic(end, mode), behind, axis=-1)
        found = np.moveaxis(np.concatenate((left, rows, right), axis=-1), -1, axis)
    return found


def _statistic(rows, mode):
    """Return what np.pad writes beside rows."""
    if mode == "maximum":
        return np.max(rows, axis=-1, keepdims=True)
    if mode == "minimum":
        return np.min(rows, axis=-1, keepdims=True)
    if mode == "mean":
        return np.mean(rows, axis=-1, keepdims=True)
    return np.median(rows, axis=-1, keepdims=True)


def _pad_odd(array, pad_width, mode):
    """Twin of np.pad(array, pad_width, mode, reflect_type="odd") of short widths."""
    widths = np.broadcast_to(pad_width, (np.ndim(array), 2)).tolist()
    found = array
    for axis in range(np.ndim(array)):
        before, behind = widths[axis]
        rows = np.moveaxis(found, axis, -1)
        size = rows.shape[-1]
        skip = 1 if mode == "reflect" else 0
        if max(before, behind) > size - skip:
            raise ValueError("odd reflections reach no further than the array is long")
        left = 2 * rows[..., :1] - rows[..., skip : before + skip][..., ::-1]
        reflected = rows[..., size - behind - skip : size - skip][..., ::-1]
        right = 2 * rows[..., -1:] - reflected
        found = np.moveaxis(np.concatenate((left, rows, right), axis=-1), -1, axis)
    return found
