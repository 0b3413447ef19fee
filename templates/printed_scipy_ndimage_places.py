"""Twins of what SciPy gives between the elements of an image, by splines, and a transpose."""

import numpy as np
import scipy.ndimage
import scipy.special


def _spline_bar(g, order, mode):
    """Return the adjoint of input in scipy.ndimage.spline_filter(input, order)."""
    for axis in range(np.ndim(g)):
        g = _spline_bar1d(g, order, axis, mode)
    return g


def _spline_bar1d(g, order, axis, mode):
    """Return the adjoint of input in scipy.ndimage.spline_filter1d(input, order)."""
    unit = np.eye(np.shape(g)[axis])
    rows = scipy.ndimage.spline_filter1d(unit, order, axis=1, mode=mode)
    return np.moveaxis(np.tensordot(rows, g, axes=(1, axis)), 0, axis)


def _between(input, coordinates, order, mode, cval):
    """Twin of scipy.ndimage.map_coordinates(input, coordinates)."""
    if order not in (0, 1, 3):
        raise ValueError("the derivative is that of the orders 0, 1 and 3")
    if mode == "grid-constant":
        raise ValueError("the mode grid-constant has no derivative: use another mode")
    if order < 3:
        return _blended(input, coordinates, order, mode, cval)
    if mode == "nearest":
        wide = np.pad(input, 12, "edge")
        factors = scipy.ndimage.spline_filter(wide, order, mode=mode)
        return _blended(factors, coordinates + 12.0, order, mode, cval)
    factors = scipy.ndimage.spline_filter(input, order, mode=mode)
    return _blended(factors, coordinates, order, mode, cval)


def _blended(factors, coordinates, order, mode, cval):
    """Return what splines of such factors are at places between them."""
    flat, rank = np.ravel(factors), np.ndim(factors)
    total = np.zeros_like(coordinates[0])
    for corner in range((order + 1) ** rank):
        weight = np.ones_like(coordinates[0])
        place = np.zeros_like(coordinates[0], dtype=int)
        for k in range(rank):
            count = np.shape(factors)[k]
            at = _inside_again(coordinates[k], count, mode)
            low = _below(at, count, order, mode)
            which = corner // (order + 1) ** k % (order + 1)
            weight = weight * _spline_weight(at - low, which, order)
            place = place * count + _element(low + which - order // 2, count, mode)
        total = total + weight * flat[place]
    if mode == "constant":
        ends = (-1,) + (1,) * (np.ndim(coordinates) - 1)
        ends = np.reshape(np.shape(factors), ends) - 1
        inside = np.all((coordinates >= 0.0) & (coordinates <= ends), axis=0)
        return np.where(inside, total, cval)
    return total


def _inside_again(at, count, mode):
    """Return places where an image is the same as there, and that lie inside of it."""
    last = max(count - 1, 1)
    if mode == "mirror":
        return np.clip(np.abs(np.mod(at + last, 2 * last) - last), 0.0, count - 1)
    if mode in ("reflect", "grid-mirror"):
        return np.abs(np.mod(at + 0.5 + count, 2 * count) - count) - 0.5
    if mode == "wrap":
        before = at + last * (np.floor(-at / last) + 1.0)
        beyond = np.where(at > last, at - last * np.floor(at / last), at)
        return np.where(at < 0.0, before, beyond)
    if mode == "grid-wrap":
        return np.mod(at, count)
    return np.clip(at, 0.0, count - 1)


def _below(at, count, order, mode):
    """Return the element below a place, or beside it."""
    if order == 0:
        return np.floor(at + 0.5).astype(int)
    low = np.floor(at).astype(int)
    if order == 1 and mode in ("constant", "nearest", "mirror", "wrap"):
        return np.clip(low, 0, max(count - 2, 0))
    return low


def _spline_weight(share, which, order):
    """Return how much an element counts for a place that is so far above it."""
    if order == 0:
        return np.ones_like(share)
    if order == 1:
        return share if which else 1.0 - share
    far = np.abs(share + 1.0 - which)
    near = (4.0 - 6.0 * far**2 + 3.0 * far**3) / 6.0
    return np.where(far < 1.0, near, (2.0 - far) ** 3 / 6.0)


def _element(place, count, mode):
    """Return the element at a place, beyond the ends as the splines go on."""
    if mode in ("reflect", "grid-mirror"):
        place = np.mod(place, 2 * count)
        return np.minimum(place, 2 * count - 1 - place)
    if mode == "grid-wrap":
        return np.mod(place, count)
    if mode == "nearest":
        return np.clip(place, 0, count - 1)
    period = max(2 * count - 2, 1)
    place = np.mod(place, period)
    return np.minimum(place, period - place)


def _between_two(input, a, b, order, mode, cval):
    """Twin of scipy.ndimage.map_coordinates(input, [a, b])."""
    return _between(input, np.stack((a, b)), order, mode, cval)


def _transformed(input, matrix, offset, output_shape, order, mode, cval):
    """Twin of scipy.ndimage.affine_transform, of a matrix as wide as high."""
    if np.ndim(matrix) != 2 or np.shape(matrix)[0] != np.shape(matrix)[1]:
        raise ValueError("made for a square matrix, with the offset beside it")
    shape = np.shape(input) if output_shape is None else output_shape
    places = np.moveaxis(np.indices(shape), 0, -1) @ np.transpose(matrix) + offset
    return _between(input, np.moveaxis(places, -1, 0), order, mode, cval)


def _turned(input, angle, reshape, order, mode, cval):
    """Twin of scipy.ndimage.rotate, of a matrix."""
    if np.ndim(input) != 2:
        raise ValueError("the derivative is that of images of two axes")
    c, s = scipy.special.cosdg(angle), scipy.special.sindg(angle)
    high, wide = np.shape(input)
    height, width = high, wide
    if reshape:
        height = int(high * abs(c) + wide * abs(s) + 0.5)
        width = int(high * abs(s) + wide * abs(c) + 0.5)
    i, j = np.arange(height)[:, None], np.arange(width)
    i, j = i - 0.5 * (height - 1), j - 0.5 * (width - 1)
    a, b = c * i + s * j + 0.5 * (high - 1), c * j - s * i + 0.5 * (wide - 1)
    return _between(input, np.stack((a, b)), order, mode, cval)


def _moved(input, shift, order, mode, cval):
    """Twin of scipy.ndimage.shift by a number or a vector that vary."""
    places = np.moveaxis(np.indices(np.shape(input)), 0, -1) - shift
    return _between(input, np.moveaxis(places, -1, 0), order, mode, cval)
