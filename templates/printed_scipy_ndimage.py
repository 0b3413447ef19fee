"""Twins of SciPy's filters of images, and a transpose."""

import numpy as np
import scipy.ndimage
import scipy.signal


def _zoom_bar(g, input, zoom, order, mode):
    """Return the adjoint of input in scipy.ndimage.zoom(input, zoom)."""
    factors = zoom if isinstance(zoom, (list, tuple)) else [zoom] * np.ndim(input)
    for axis, factor in enumerate(factors):
        unit = np.eye(np.shape(input)[axis], dtype=g.dtype)
        zoomed = scipy.ndimage.zoom
        rows = [zoomed(each, factor, order=order, mode=mode) for each in unit]
        g = np.moveaxis(np.tensordot(rows, g, axes=(1, axis)), 0, axis)
    return g


def _shift_bar(g, input, shift, order, mode):
    """Return the adjoint of input in scipy.ndimage.shift(input, shift)."""
    is_one = not isinstance(shift, (list, tuple, np.ndarray))
    steps = [shift] * np.ndim(input) if is_one else shift
    for axis, step in enumerate(steps):
        unit = np.eye(np.shape(input)[axis], dtype=g.dtype)
        moved = scipy.ndimage.shift
        rows = [moved(each, step, order=order, mode=mode) for each in unit]
        g = np.moveaxis(np.tensordot(rows, g, axes=(1, axis)), 0, axis)
    return g


def _at(value, k):
    """Return what holds for the k-th axis: one for all of them, or one of several."""
    return value[k] if isinstance(value, (tuple, list, np.ndarray)) else value


def _axes_of(input, axes, mode):
    """Return the axes of a filter: those that are given, or all."""
    if axes is not None:
        return axes if isinstance(axes, (tuple, list)) else (axes,)
    if isinstance(mode, tuple):  # written out, for each is filtered in its own way
        return (0, 1, 2, 3)[: len(mode)]
    return range(np.ndim(input))


def _widened(x, axis, before, after, mode, outside):
    """Return x with so many elements more at both ends, as scipy.ndimage has them."""
    place = np.arange(np.shape(x)[axis])
    if mode in ("constant", "grid-constant"):
        wide = np.insert(x, np.shape(x)[axis], outside, axis=axis)
        places = np.pad(place, (before, after), constant_values=-1)
        return np.take(wide, places, axis=axis)
    modes = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge"}
    modes |= {"grid-mirror": "symmetric", "grid-wrap": "wrap"}
    return np.take(x, np.pad(place, (before, after), modes.get(mode, mode)), axis=axis)


def _correlated(input, weights, mode, cval, origin):
    """Twin of scipy.ndimage.correlate(input, weights)."""
    wide = input
    for axis in range(np.ndim(input)):
        size, late = np.shape(weights)[axis], _at(origin, axis)
        before = size // 2 + late
        wide = _widened(wide, axis, before, size - 1 - before, mode, cval)
    return scipy.signal.correlate(wide, weights, "valid", "direct")


def _convolved(input, weights, mode, cval, origin):
    """Twin of scipy.ndimage.convolve(input, weights)."""
    wide = input
    for axis in range(np.ndim(input)):
        size, late = np.shape(weights)[axis], _at(origin, axis)
        after = size // 2 + late
        wide = _widened(wide, axis, size - 1 - after, after, mode, cval)
    return scipy.signal.convolve(wide, weights, "valid", "direct")


def _correlated1d(input, weights, axis, mode, cval, origin):
    """Twin of scipy.ndimage.correlate1d(input, weights, axis)."""
    return _rows_around(input, len(weights), axis, mode, cval, origin) @ weights


def _convolved1d(input, weights, axis, mode, cval, origin):
    """Twin of scipy.ndimage.convolve1d(input, weights, axis)."""
    late = -origin - (len(weights) + 1) % 2
    return _rows_around(input, len(weights), axis, mode, cval, late) @ weights[::-1]


def _averaged1d(input, size, axis, mode, cval, origin):
    """Twin of scipy.ndimage.uniform_filter1d(input, size, axis)."""
    weights = np.full(size, 1.0 / size, input.dtype)
    return _correlated1d(input, weights, axis, mode, cval, origin)


def _averaged(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.uniform_filter(input, size)."""
    total = input
    for k, axis in enumerate(_axes_of(input, axes, mode)):
        own = _at(size, k), axis, _at(mode, k), cval, _at(origin, k)
        total = _averaged1d(total, *own)
    return total


def _gaussian1d(input, sigma, axis, order, mode, cval, truncate, radius):
    """Twin of scipy.ndimage.gaussian_filter1d."""
    if radius is None:
        radius = int(truncate * float(sigma) + 0.5)
    weights = _gaussian_weights(sigma, order, radius)[::-1].astype(input.dtype)
    return _correlated1d(input, weights, axis, mode, cval, 0)


def _gaussian_weights(sigma, order, radius):
    """Return a Gaussian, or a derivative of it, at whole numbers up to a radius."""
    at = np.arange(-radius, radius + 1)
    density = np.exp(-0.5 / sigma**2 * at**2)
    before, factor = np.zeros(2 * radius + 1), np.ones(2 * radius + 1)
    for n in range(order):
        before, factor = factor, -(at * factor + n * before) / sigma**2
    return factor * density / np.sum(density)


def _gaussian(input, sigma, order, mode, cval, truncate, radius, axes):
    """Twin of scipy.ndimage.gaussian_filter."""
    smooth = input
    for k, axis in enumerate(_axes_of(input, axes, mode)):
        width, times, reach = _at(sigma, k), _at(order, k), _at(radius, k)
        if width > 1e-15:
            own = width, axis, times, _at(mode, k), cval, truncate, reach
            smooth = _gaussian1d(smooth, *own)
    return smooth


def _slope_along(input, sigma, along, order, mode, cval):
    """Return a derivative along one axis of the image, smoothed along each."""
    smooth = input
    for k, axis in enumerate(_axes_of(input, None, mode)):
        width, times = _at(sigma, k), order * (axis == along)
        smooth = _gaussian1d(smooth, width, axis, times, _at(mode, k), cval, 4.0, None)
    return smooth


def _gaussian_laplace(input, sigma, mode, cval):
    """Twin of scipy.ndimage.gaussian_laplace."""
    total = np.zeros_like(input)
    for axis in range(np.ndim(input)):
        total = total + _slope_along(input, sigma, axis, 2, mode, cval)
    return total


def _gaussian_gradient(input, sigma, mode, cval):
    """Twin of scipy.ndimage.gaussian_gradient_magnitude."""
    total = np.zeros_like(input)
    for axis in range(np.ndim(input)):
        total = total + _slope_along(input, sigma, axis, 1, mode, cval) ** 2
    return np.sqrt(total)


def _bent(input, mode, cval):
    """Twin of scipy.ndimage.laplace."""
    total = np.zeros_like(input)
    second = np.array([1.0, -2.0, 1.0], input.dtype)
    for k, axis in enumerate(_axes_of(input, None, mode)):
        total = total + _correlated1d(input, second, axis, _at(mode, k), cval, 0)
    return total


def _edges(input, along, middle, mode, cval):
    """Twin of scipy.ndimage.sobel (middle 2) and of its prewitt (middle 1)."""
    slope = np.array([-1.0, 0.0, 1.0], input.dtype)
    across = np.array([1.0, middle, 1.0], input.dtype)
    slopes = _correlated1d(input, slope, along, _at(mode, along), cval, 0)
    for k, axis in enumerate(_axes_of(input, None, mode)):
        if axis != along % np.ndim(input):
            slopes = _correlated1d(slopes, across, axis, _at(mode, k), cval, 0)
    return slopes


def _neighbours(input, size, mode, cval, origin, axes):
    """Return what lies in the window around each element, along a last axis."""
    place = np.reshape(np.arange(np.size(input)), np.shape(input))
    for k, axis in enumerate(_axes_of(input, axes, mode)):
        width, late = _at(size, k), _at(origin, k)
        before, after = width // 2 + late, width - 1 - width // 2 - late
        place = _widened(place, axis, before, after, _at(mode, k), np.size(input))
    around = np.reshape(_windows(place, size, axes), np.shape(input) + (-1,))
    if "constant" in mode or "grid-constant" in mode:
        outside = np.full(1, cval, input.dtype)
        return np.take(np.concatenate((np.ravel(input), outside)), around)
    return np.take(input, around)


def _windows(place, size, axes):
    """Return the windows of an array, of one size along its axes or of several."""
    if axes is not None:
        return np.lib.stride_tricks.sliding_window_view(place, size, axis=axes)
    if not isinstance(size, (tuple, list)):
        size = (size,) * np.ndim(place)
    return np.lib.stride_tricks.sliding_window_view(place, size)


def _neighbours_in(input, footprint, mode, cval, origin):
    """Return what lies under a footprint around each element, along a last axis."""
    around = _neighbours(input, np.shape(footprint), mode, cval, origin, None)
    return around[..., np.flatnonzero(footprint)]


def _middle(around):
    """Return the middle of what lies around each element, or the one behind it."""
    return np.sort(around, axis=-1)[..., np.shape(around)[-1] // 2]


def _of_rank(around, rank):
    """Return of what lies around each element that of a rank, or from the end."""
    return np.sort(around, axis=-1)[..., rank]


def _of_percentile(around, percentile):
    """Return a percentile of what lies around each element: one of them."""
    count = np.shape(around)[-1]
    share = percentile % 100 if percentile < 0 else percentile
    return _of_rank(around, count - 1 if share == 100 else int(count * share / 100.0))


def _ranked(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.median_filter."""
    return _middle(_neighbours(input, size, mode, cval, origin, axes))


def _ranked_in(input, footprint, mode, cval, origin):
    """Twin of scipy.ndimage.median_filter under a footprint."""
    return _middle(_neighbours_in(input, footprint, mode, cval, origin))


def _at_rank(input, rank, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.rank_filter."""
    return _of_rank(_neighbours(input, size, mode, cval, origin, axes), rank)


def _percentile(input, percentile, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.percentile_filter."""
    around = _neighbours(input, size, mode, cval, origin, axes)
    return _of_percentile(around, percentile)


def _window_maximum(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.maximum_filter."""
    return np.max(_neighbours(input, size, mode, cval, origin, axes), axis=-1)


def _window_minimum(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.minimum_filter."""
    return np.min(_neighbours(input, size, mode, cval, origin, axes), axis=-1)


def _maximum_in(input, footprint, mode, cval, origin):
    """Twin of scipy.ndimage.maximum_filter under a footprint."""
    return np.max(_neighbours_in(input, footprint, mode, cval, origin), axis=-1)


def _minimum_in(input, footprint, mode, cval, origin):
    """Twin of scipy.ndimage.minimum_filter under a footprint."""
    return np.min(_neighbours_in(input, footprint, mode, cval, origin), axis=-1)


def _rows_around(input, size, axis, mode, cval, origin):
    """Return what lies around each element along an axis, along a last one."""
    before, after = size // 2 + origin, size - 1 - size // 2 - origin
    wide = _widened(input, axis, before, after, mode, cval)
    return np.lib.stride_tricks.sliding_window_view(wide, size, axis=axis)


def _row_maximum(input, size, axis, mode, cval, origin):
    """Twin of scipy.ndimage.maximum_filter1d."""
    return np.max(_rows_around(input, size, axis, mode, cval, origin), axis=-1)


def _row_minimum(input, size, axis, mode, cval, origin):
    """Twin of scipy.ndimage.minimum_filter1d."""
    return np.min(_rows_around(input, size, axis, mode, cval, origin), axis=-1)


def _dilated(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.grey_dilation: its windows are turned round."""
    count = np.ndim(input) if axes is None else len(axes)
    late = [-_at(origin, k) - (_at(size, k) + 1) % 2 for k in range(count)]
    return _window_maximum(input, size, mode, cval, late, axes)


def _dilated_in(input, footprint, mode, cval, origin):
    """Twin of scipy.ndimage.grey_dilation under a footprint, which is turned round."""
    size = np.shape(footprint)
    late = [-_at(origin, k) - (size[k] + 1) % 2 for k in range(len(size))]
    return _maximum_in(input, np.flip(footprint), mode, cval, late)


def _opened(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.grey_opening."""
    low = _window_minimum(input, size, mode, cval, origin, axes)
    return _dilated(low, size, mode, cval, origin, axes)


def _closed(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.grey_closing."""
    high = _dilated(input, size, mode, cval, origin, axes)
    return _window_minimum(high, size, mode, cval, origin, axes)


def _above_opened(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.white_tophat."""
    return input - _opened(input, size, mode, cval, origin, axes)


def _below_closed(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.black_tophat."""
    return _closed(input, size, mode, cval, origin, axes) - input


def _high_above_low(input, size, mode, cval, origin, axes):
    """Twin of scipy.ndimage.morphological_gradient."""
    low = _window_minimum(input, size, mode, cval, origin, axes)
    return _dilated(input, size, mode, cval, origin, axes) - low


def _center_of_mass(input):
    """Twin of scipy.ndimage.center_of_mass(input)."""
    places, total = np.indices(np.shape(input)), np.sum(input)
    return tuple([np.sum(input * place) / total for place in places])


def _of_labels(g, input, labels, index):
    """Return for each element of input what g has for its label, or 0."""
    if index is None:
        return np.where(np.greater(labels, 0), g, 0.0).astype(input.dtype)
    known, which = np.unique(index, return_inverse=True)
    each = np.bincount(np.ravel(which), np.ravel(g))
    place = np.minimum(np.searchsorted(known, labels), len(known) - 1)
    return np.where(known[place] == labels, each[place], 0.0).astype(input.dtype)


def _mean_of_labels(input, labels, index):
    """Twin of scipy.ndimage.mean(input, labels, index)."""
    counts = scipy.ndimage.sum_labels(np.ones(np.shape(input)), labels, index)
    return scipy.ndimage.sum_labels(input, labels, index) / counts


def _variance_of_labels(input, labels, index):
    """Twin of scipy.ndimage.variance(input, labels, index)."""
    mean = _mean_of_labels(input, labels, index)
    centred = input - _of_labels(mean, input, labels, index)
    return _mean_of_labels(centred**2, labels, index)


def _deviation_of_labels(input, labels, index):
    """Twin of scipy.ndimage.standard_deviation(input, labels, index)."""
    return np.sqrt(_variance_of_labels(input, labels, index))
