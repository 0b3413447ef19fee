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


def _widened(x, axis, before, after, mode, cval):
    """Return x with so many elements more at both ends, as scipy.ndimage has them."""
    if mode == "constant":
        widths = [(0, 0)] * np.ndim(x)
        widths[axis] = (before, after)
        return np.pad(x, widths, constant_values=cval)
    modes = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge"}
    place = np.arange(np.shape(x)[axis])
    place = np.pad(place, (before, after), modes.get(mode, mode))
    return np.take(x, place, axis=axis)


def _correlated(input, weights, mode, cval):
    """Twin of scipy.ndimage.correlate(input, weights)."""
    wide = input
    for axis in range(np.ndim(input)):
        size = np.shape(weights)[axis]
        wide = _widened(wide, axis, size // 2, size - 1 - size // 2, mode, cval)
    return scipy.signal.correlate(wide, weights, "valid", "direct")


def _convolved(input, weights, mode, cval):
    """Twin of scipy.ndimage.convolve(input, weights)."""
    wide = input
    for axis in range(np.ndim(input)):
        size = np.shape(weights)[axis]
        wide = _widened(wide, axis, size - 1 - size // 2, size // 2, mode, cval)
    return scipy.signal.convolve(wide, weights, "valid", "direct")


def _along(weights, axis, rank):
    """Return weights as an array of so many axes, with one that is not of length 1."""
    return np.moveaxis(np.reshape(weights, (-1,) + (1,) * (rank - 1)), 0, axis)


def _correlated1d(input, weights, axis, mode, cval):
    """Twin of scipy.ndimage.correlate1d(input, weights, axis)."""
    return _correlated(input, _along(weights, axis, np.ndim(input)), mode, cval)


def _convolved1d(input, weights, axis, mode, cval):
    """Twin of scipy.ndimage.convolve1d(input, weights, axis)."""
    return _convolved(input, _along(weights, axis, np.ndim(input)), mode, cval)


def _averaged1d(input, size, axis, mode, cval):
    """Twin of scipy.ndimage.uniform_filter1d(input, size, axis)."""
    weights = np.full(size, 1.0 / size, input.dtype)
    return _correlated1d(input, weights, axis, mode, cval)


def _averaged(input, size, mode, cval):
    """Twin of scipy.ndimage.uniform_filter(input, size)."""
    total = input
    for axis in range(np.ndim(input)):
        total = _averaged1d(total, size, axis, mode, cval)
    return total


def _between(input, coordinates, mode, cval):
    """Twin of scipy.ndimage.map_coordinates(input, coordinates, order=1)."""
    if mode not in ("constant", "nearest"):
        raise ValueError("the derivative is that of the modes constant and nearest")
    flat, rank = np.ravel(input), np.ndim(input)
    total = np.zeros_like(coordinates[0])
    for corner in range(2**rank):
        weight = np.ones_like(coordinates[0])
        place = np.zeros_like(coordinates[0], dtype=int)
        for k in range(rank):
            last = np.shape(input)[k] - 1
            at = np.clip(coordinates[k], 0.0, last)
            low = np.clip(np.floor(at), 0, max(last - 1, 0)).astype(int)
            upper = (corner >> k) % 2
            weight = weight * (at - low if upper else 1.0 - (at - low))
            place = place * (last + 1) + low + upper
        total = total + weight * flat[place]
    if mode == "constant":
        ends = (-1,) + (1,) * (np.ndim(coordinates) - 1)
        ends = np.reshape(np.shape(input), ends) - 1
        inside = np.all((coordinates >= 0.0) & (coordinates <= ends), axis=0)
        return np.where(inside, total, cval)
    return total


def _between_two(input, a, b, mode, cval):
    """Twin of scipy.ndimage.map_coordinates(input, [a, b], order=1)."""
    return _between(input, np.stack((a, b)), mode, cval)


def _gaussian1d(input, sigma, axis, order, mode, cval, truncate):
    """Twin of scipy.ndimage.gaussian_filter1d."""
    radius = int(truncate * float(sigma) + 0.5)
    unit = np.zeros(2 * radius + 1, input.dtype)
    unit[radius] = 1.0
    # what the filter makes of a single 1 are its weights, backwards
    weights = scipy.ndimage.gaussian_filter1d(
        unit, sigma, order=order, mode="constant", truncate=truncate
    )
    return _correlated1d(input, weights[::-1], axis, mode, cval)


def _gaussian(input, sigma, order, mode, cval, truncate):
    """Twin of scipy.ndimage.gaussian_filter."""
    smooth = input
    for axis in range(np.ndim(input)):
        smooth = _gaussian1d(smooth, sigma, axis, order, mode, cval, truncate)
    return smooth


def _slope_along(input, sigma, along, order, mode, cval):
    """Return a derivative along one axis of the image, smoothed along each."""
    smooth = input
    for axis in range(np.ndim(input)):
        times = order * (axis == along)
        smooth = _gaussian1d(smooth, sigma, axis, times, mode, cval, 4.0)
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


def _edges(input, along, middle, mode, cval):
    """Twin of scipy.ndimage.sobel (middle 2) and of its prewitt (middle 1)."""
    along = along % np.ndim(input)
    slope = np.array([-1.0, 0.0, 1.0], input.dtype)
    slopes = _correlated1d(input, slope, along, mode, cval)
    for axis in range(np.ndim(input)):
        if axis != along:
            across = np.array([1.0, middle, 1.0], input.dtype)
            slopes = _correlated1d(slopes, across, axis, mode, cval)
    return slopes


def _neighbours(input, size, mode, cval):
    """Return what lies in the window around each element, along a last axis."""
    if np.ndim(size) != 0:
        raise ValueError("the derivative is that of windows as wide along every axis")
    wide = input
    for axis in range(np.ndim(input)):
        wide = _widened(wide, axis, size // 2, size - 1 - size // 2, mode, cval)
    windows = np.lib.stride_tricks.sliding_window_view(wide, (size,) * np.ndim(input))
    return np.reshape(windows, np.shape(input) + (-1,))


def _ranked(input, size, mode, cval):
    """Twin of scipy.ndimage.median_filter: the middle, or the one behind it."""
    ranked = np.sort(_neighbours(input, size, mode, cval), axis=-1)
    return ranked[..., np.shape(ranked)[-1] // 2]


def _window_maximum(input, size, mode, cval):
    """Twin of scipy.ndimage.maximum_filter."""
    return np.max(_neighbours(input, size, mode, cval), axis=-1)


def _window_minimum(input, size, mode, cval):
    """Twin of scipy.ndimage.minimum_filter."""
    return np.min(_neighbours(input, size, mode, cval), axis=-1)


def _rows_around(input, size, axis, mode, cval):
    """Return what lies around each element along an axis, along a last one."""
    wide = _widened(input, axis, size // 2, size - 1 - size // 2, mode, cval)
    return np.lib.stride_tricks.sliding_window_view(wide, size, axis=axis)


def _row_maximum(input, size, axis, mode, cval):
    """Twin of scipy.ndimage.maximum_filter1d."""
    return np.max(_rows_around(input, size, axis, mode, cval), axis=-1)


def _row_minimum(input, size, axis, mode, cval):
    """Twin of scipy.ndimage.minimum_filter1d."""
    return np.min(_rows_around(input, size, axis, mode, cval), axis=-1)


def _center_of_mass(input):
    """Twin of scipy.ndimage.center_of_mass(input)."""
    places, total = np.indices(np.shape(input)), np.sum(input)
    return tuple([np.sum(input * place) / total for place in places])


def _percentile(input, percentile, size, mode, cval):
    """Twin of scipy.ndimage.percentile_filter."""
    ranked = np.sort(_neighbours(input, size, mode, cval), axis=-1)
    count = np.shape(ranked)[-1]
    share = percentile % 100 if percentile < 0 else percentile
    return ranked[..., count - 1 if share == 100 else int(count * share / 100.0)]


def _dilated(input, size, mode, cval):
    """Twin of scipy.ndimage.grey_dilation: even windows reach further back."""
    return np.flip(_window_maximum(np.flip(input), size, mode, cval))


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
