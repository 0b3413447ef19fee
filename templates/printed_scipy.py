"""Functions that right-hand sides for SciPy call, printed into each file that uses them."""

import numpy as np
import scipy.fft
import scipy.signal
import scipy.special


def _erfcx_slope(x, y):
    """Return the derivative of y = erfcx(x), by its series where x > 30."""
    far = x > 30.0
    t = 0.5 / np.where(far, x, 30.0) ** 2
    tail = 105.0 - t * (945.0 - t * (10395.0 - t * 135135.0))
    tail = 1.0 - t * (3.0 - t * (15.0 - t * tail))
    near = np.pi**0.5 * x * np.where(far, 0.0, y) - 1.0
    return 2.0 / np.pi**0.5 * np.where(far, -t * tail, near)


def _dawsn_slope(x, y):
    """Return the derivative of y = dawsn(x), by its series where |x| > 30."""
    far = np.abs(x) > 30.0
    t = 0.5 / np.where(far, x, 30.0) ** 2
    tail = 105.0 + t * (945.0 + t * (10395.0 + t * 135135.0))
    tail = 1.0 + t * (3.0 + t * (15.0 + t * tail))
    return -np.where(far, t * tail, 2.0 * x * y - 1.0)


def _rgamma_slope(x):
    """Return the derivative of 1 / gamma(x), where x < 0.5 by DLMF 5.5.3."""
    low = x < 0.5
    a, b = np.where(low, x, 0.25), np.where(low, 1.0, x)
    turn = np.sin(np.pi * a) * scipy.special.psi(1.0 - a) / np.pi - np.cos(np.pi * a)
    left = scipy.special.gamma(1.0 - a) * turn
    return -np.where(low, left, scipy.special.psi(b) * scipy.special.rgamma(b))


def _softmax(a, axis):
    """Return exp(a) / sum(exp(a)); equal infinities have equal shares."""
    top = np.max(a, axis=axis, keepdims=True)
    shares = np.exp(np.where(a == top, 0.0, np.where(a == top, 0.0, a) - top))
    return shares / np.sum(shares, axis=axis, keepdims=True)


def _cosine_bar(g, inverse, type, axes, norm):
    """Return the adjoint of scipy.fft.dct, or of idct, along one or more axes."""
    transform = scipy.fft.idct if inverse else scipy.fft.dct
    back = {1: 1, 2: 3, 3: 2, 4: 4}[type]
    for axis in np.atleast_1d(range(np.ndim(g)) if axes is None else axes):
        g = np.moveaxis(g, axis, -1)
        w = np.ones(g.shape[-1], g.dtype)
        if norm == "ortho":
            g = (scipy.fft.dct if inverse else scipy.fft.idct)(g, type, norm=norm)
        elif type == 1:
            w[1:-1] = 2.0
            g = w * transform(g / w, 1, norm=norm)
        elif type == 4:
            g = transform(g, 4, norm=norm)
        elif (type == 2) != inverse:
            w[0] = 2.0
            g = transform(g * w, back, norm=norm)
        else:
            w[0] = 0.5
            g = w * transform(g, back, norm=norm)
        g = np.moveaxis(g, -1, axis)
    return g


def _sine_bar(g, inverse, type, axes, norm):
    """Return the adjoint of scipy.fft.dst, or of idst, along one or more axes."""
    transform = scipy.fft.idst if inverse else scipy.fft.dst
    back = {1: 1, 2: 3, 3: 2, 4: 4}[type]
    for axis in np.atleast_1d(range(np.ndim(g)) if axes is None else axes):
        g = np.moveaxis(g, axis, -1)
        w = np.ones(g.shape[-1], g.dtype)
        if norm == "ortho":
            g = (scipy.fft.dst if inverse else scipy.fft.idst)(g, type, norm=norm)
        elif type in (1, 4):
            g = transform(g, type, norm=norm)
        elif (type == 2) != inverse:
            w[-1] = 2.0
            g = transform(g * w, back, norm=norm)
        else:
            w[-1] = 0.5
            g = w * transform(g, back, norm=norm)
        g = np.moveaxis(g, -1, axis)
    return g


def _places(shape1, shape2, mode, late):
    """Return what scipy.signal keeps of a convolution; a late middle lies right."""
    pairs = [(max(m, n), min(m, n), m) for m, n in zip(shape1, shape2)]
    if mode == "valid":
        return tuple(slice(short - 1, long) for long, short, _ in pairs)
    if mode == "same":
        starts = [((long + short - 1 - m + late) // 2, m) for long, short, m in pairs]
        return tuple(slice(start, start + m) for start, m in starts)
    return (slice(None),) * len(shape1)


def _cut(g, shape1, shape2, mode, late):
    """Return what scipy.signal keeps of a full convolution of these shapes."""
    return g[_places(shape1, shape2, mode, late)].copy()


def _uncut(g, shape1, shape2, mode, late):
    """Return g with zeros where scipy.signal cuts off ends of a convolution."""
    whole = np.zeros([m + n - 1 for m, n in zip(shape1, shape2)], g.dtype)
    whole[_places(shape1, shape2, mode, late)] = g
    return whole


def _lags(w, x, count, axis):
    """Return the sums of w[k:] * x[:n-k] along an axis, for k below count."""
    w = np.reshape(np.moveaxis(w, axis, 0), (np.shape(w)[axis], -1))
    x = np.reshape(np.moveaxis(x, axis, 0), w.shape)
    return np.array([np.sum(w[k:] * x[: max(len(x) - k, 0)]) for k in range(count)])


def _fourier_transform(function, x, n, axis):
    """Twin of scipy.fftpack.fft(x, n, axis) and its inverse."""
    return function(x, n, axis)


def _trigonometric_transform(function, x, type, n, axis, norm):
    """Twin of scipy.fftpack.dct(x, type, n, axis, norm) and its kin."""
    return function(x, type, n, axis, norm)
