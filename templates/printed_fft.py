"""Functions for Fourier transforms that a right-hand side may call."""

import numpy as np


def _fitted(a, shape):
    """Return a with each axis cut, or filled up with zeros, to this shape."""
    kept = a[tuple(slice(0, n) for n in shape)]
    return np.pad(kept, [(0, n - m) for n, m in zip(shape, np.shape(kept))])


def _inside_twice(half, y, axis):
    """Double what stands for two frequencies, of half of those of a real y."""
    lines = np.moveaxis(half, axis, 0)
    count = np.shape(y)[axis]
    k = np.arange(len(lines))
    twice = np.where((k > 0) & (2 * k < count), 2.0, 1.0).astype(np.result_type(y))
    weights = np.reshape(twice, (-1,) + (1,) * (np.ndim(half) - 1))
    return np.moveaxis(weights * lines, 0, axis)


def _rfft_bar(y_bar, a, n, axis, norm):
    """Return the adjoint of a in np.fft.rfft(a, n, axis, norm)."""
    count = np.shape(a)[axis] if n is None else n
    back = np.real(np.fft.fft(y_bar, count, axis, norm))
    return _fitted(back, np.shape(a))


def _ihfft_bar(y_bar, a, n, axis, norm):
    """Return the adjoint of a in np.fft.ihfft(a, n, axis, norm)."""
    count = np.shape(a)[axis] if n is None else n
    back = np.real(np.fft.ifft(y_bar, count, axis, norm))
    return _fitted(back, np.shape(a))


def _irfft_bar(y_bar, a, axis, norm):
    """Return the adjoint of a in np.fft.irfft(a, axis=axis, norm=norm)."""
    back = np.moveaxis(np.fft.ihfft(y_bar, axis=axis, norm=norm), axis, -1)
    # each of these stands for two frequencies
    back[..., 1 : (y_bar.shape[axis] + 1) // 2] *= 2.0
    half = np.zeros(a.shape, back.dtype)
    known = min(a.shape[axis], back.shape[-1])
    np.moveaxis(half, axis, -1)[..., :known] = back[..., :known]
    return half


def _all_axes(a, axes):
    """Return the axes that a transform goes along."""
    return tuple(range(np.ndim(a))) if axes is None else tuple(axes)


def _shape_along(a, axes):
    """Return the lengths of the axes that a transform goes along."""
    return [np.shape(a)[axis] for axis in _all_axes(a, axes)]


def _rfftn_bar(y_bar, a, axes, norm):
    """Return the adjoint of a in np.fft.rfftn(a, axes=axes, norm=norm)."""
    back = np.fft.fftn(y_bar, _shape_along(a, axes), _all_axes(a, axes), norm)
    return np.real(back)


def _irfftn_bar(y_bar, a, axes, norm):
    """Return the adjoint of a in np.fft.irfftn(a, axes=axes, norm=norm)."""
    axes = _all_axes(a, axes)
    half = np.fft.ihfft(y_bar, axis=axes[-1], norm=norm)
    back = _inside_twice(half, y_bar, axes[-1])
    return _fitted(np.fft.ifftn(back, axes=axes[:-1], norm=norm), np.shape(a))
