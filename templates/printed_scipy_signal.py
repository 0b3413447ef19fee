"""Twins of SciPy's smoothing and resampling."""

import numpy as np
import scipy.signal


def _savgol(x, width, polyorder, deriv, delta, axis, mode, cval):
    """Twin of scipy.signal.savgol_filter."""
    if width % 2 == 0:
        raise ValueError("the derivative is that of windows of odd length")
    half = width // 2
    fitted = [
        scipy.signal.savgol_coeffs(width, polyorder, deriv, delta, place, use="dot")
        for place in range(width)
    ]
    if mode != "interp":
        return _correlated1d(x, np.array(fitted[half], x.dtype), axis, mode, cval)
    fitted = np.array(fitted, x.dtype)
    line = np.moveaxis(x, axis, 0)
    windows = np.lib.stride_tricks.sliding_window_view(line, width, axis=0)
    first = np.tensordot(fitted[:half], line[:width], axes=1)
    last = np.tensordot(fitted[half + 1 :], line[-width:], axes=1)
    middle = np.tensordot(windows, fitted[half], axes=1)
    return np.moveaxis(np.concatenate((first, middle, last)), 0, axis)


def _resampled(x, num, axis):
    """Twin of scipy.signal.resample(x, num, axis=axis), of real values."""
    count = np.shape(x)[axis]
    freqs = np.fft.rfft(x, axis=axis)
    shorter = min(num, count)
    kept = np.take(freqs, np.arange(shorter // 2 + 1), axis=axis)
    if shorter % 2 == 0 and num != count:
        # the highest frequency stands for two, or for half of two
        factor = np.ones(shorter // 2 + 1)
        factor[-1] = 2.0 if num < count else 0.5
        kept = np.moveaxis(np.moveaxis(kept, axis, -1) * factor, -1, axis)
    return np.fft.irfft(kept, num, axis=axis) * (num / count)


def _upfirdn(h, x, up, down):
    """Twin of scipy.signal.upfirdn, of one row of values."""
    if np.ndim(x) != 1:
        raise ValueError("the derivative is that of one row of values")
    wide = np.zeros((len(x) - 1) * up + 1, x.dtype)
    wide[::up] = x
    return np.convolve(wide, h)[::down]


def _lfilter_from(b, a, x, zi):
    """Twin of scipy.signal.lfilter(b, a, x, zi=zi): its memory comes in first."""
    start = np.zeros_like(x)
    start[: len(zi)] = zi
    y = scipy.signal.lfilter(b, a, x) + scipy.signal.lfilter(a[:1], a, start)
    zf = np.zeros_like(zi)
    for k in range(len(zi)):
        for past in range(len(zi) - k):
            if k + 1 + past < len(b):
                zf[k] += b[k + 1 + past] * x[-1 - past] / a[0]
            if k + 1 + past < len(a):
                zf[k] -= a[k + 1 + past] * y[-1 - past] / a[0]
    return y, zf
