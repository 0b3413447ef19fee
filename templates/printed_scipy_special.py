"""Functions that right-hand sides for scipy.special call."""

import numpy as np
import scipy.special


def _psi_above(n):
    """Return the digamma function of n + 1, of no n below 0: there its factor is 0."""
    return scipy.special.psi(np.maximum(n, 0.0) + 1.0)


def _voigt_slope(x, sigma, gamma):
    """Return Voigt's slope along x; its imaginary part is that along -gamma."""
    if not np.all(sigma > 0.0):
        raise ValueError("Voigt's profile has no derivative at a sigma of 0")
    z = (x + 1j * gamma) / (sigma * 2.0**0.5)
    w = scipy.special.wofz(z)
    return (2j / np.pi**0.5 - 2.0 * z * w) / (2.0 * np.pi**0.5 * sigma**2)


def _sinh_over(x):
    """Return np.sinh(x) / x, and 1 at 0."""
    safe = np.where(x == 0.0, 1.0, x)
    return np.where(x == 0.0, 1.0, np.sinh(safe) / safe)


def _struve_slope(v, x):
    """Return what the recurrences of Struve's functions add to them (DLMF 11.4.23)."""
    return (0.5 * x) ** v / (np.pi**0.5 * scipy.special.gamma(v + 1.5))


def _legendre_d(phi, m):
    """Return the elliptic integral D, (F - E) / m (DLMF 19.25.13, 19.2.10)."""
    turns = np.round(phi / np.pi)
    s = np.sin(phi - turns * np.pi)
    part = s**3 * scipy.special.elliprd(1.0 - s**2, 1.0 - m * s**2, 1.0)
    whole = scipy.special.elliprd(0.0, 1.0 - m, 1.0)
    return (part + 2.0 * turns * whole) / 3.0


def _carlson(x, y, z, p, i, j, k, n):
    """Return the integral of (t + x)**(-i - 1/2) ... (t + p)**-n over positive t."""
    if np.any(np.less_equal(p, 0.0)):
        raise ValueError("the derivative is that of integrals without a pole")
    wide = np.asarray(np.maximum(np.maximum(x, y), np.maximum(z, p)), float)
    least = np.min(np.minimum(np.minimum(x, y), np.minimum(z, p)) / wide, initial=1.0)
    start = np.log(least) - 37.0 if least > 0.0 else -100.0
    total = np.zeros_like(wide)
    for u in np.arange(start, 37.0 / (0.5 + i + j + k + n), 0.5):
        t = wide * np.exp(u)
        halves = (t + x) ** (-i - 0.5) * (t + y) ** (-j - 0.5) * (t + z) ** (-k - 0.5)
        total = total + 0.5 * t * halves * (t + p) ** (-n)
    return total.astype(np.result_type(x, y, z, p))
