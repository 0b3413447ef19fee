"""Functions that right-hand sides for SciPy's functions call, printed where they are used."""

import numpy as np
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
