"""Twins of SciPy's log-densities."""

import numpy as np
import scipy.special


def _maxwell_logpdf(x, loc, scale):
    """Twin of scipy.stats.maxwell.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = 0.5 * np.log(2.0 / np.pi) + 2.0 * np.log(z) - 0.5 * z**2
    return np.where(inside, value - np.log(scale), -np.inf)


def _gumbel_l_logpdf(x, loc, scale):
    """Twin of scipy.stats.gumbel_l.logpdf."""
    z = (x - loc) / scale
    value = z - np.exp(z)
    return value - np.log(scale)


def _levy_logpdf(x, loc, scale):
    """Twin of scipy.stats.levy.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = -0.5 * np.log(2.0 * np.pi) - 1.5 * np.log(z) - 0.5 / z
    return np.where(inside, value - np.log(scale), -np.inf)


def _wald_logpdf(x, loc, scale):
    """Twin of scipy.stats.wald.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = -0.5 * np.log(2.0 * np.pi * z**3) - 0.5 * (z - 1.0) ** 2 / z
    return np.where(inside, value - np.log(scale), -np.inf)


def _invgauss_logpdf(x, mu, loc, scale):
    """Twin of scipy.stats.invgauss.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = -0.5 * np.log(2.0 * np.pi * z**3) - 0.5 * (z / mu - 1.0) ** 2 / z
    return np.where(inside, value - np.log(scale), -np.inf)


def _hypsecant_logpdf(x, loc, scale):
    """Twin of scipy.stats.hypsecant.logpdf."""
    z = (x - loc) / scale
    value = np.log(2.0 / np.pi) - np.logaddexp(z, -z)
    return value - np.log(scale)


def _arcsine_logpdf(x, loc, scale):
    """Twin of scipy.stats.arcsine.logpdf."""
    z = (x - loc) / scale
    inside = (z > 0.0) & (z < 1.0)
    z = np.where(inside, z, 0.5)
    value = -np.log(np.pi) - 0.5 * np.log(z * (1.0 - z))
    return np.where(inside, value - np.log(scale), -np.inf)


def _semicircular_logpdf(x, loc, scale):
    """Twin of scipy.stats.semicircular.logpdf."""
    z = (x - loc) / scale
    inside = (z > -1.0) & (z < 1.0)
    z = np.where(inside, z, 0.0)
    value = np.log(2.0 / np.pi) + 0.5 * np.log(1.0 - z**2)
    return np.where(inside, value - np.log(scale), -np.inf)


def _genextreme_logpdf(x, c, loc, scale):
    """Twin of scipy.stats.genextreme.logpdf."""
    z = (x - loc) / scale
    inside = c * z < 1.0
    z = np.where(inside, z, 0.0)
    value = (1.0 / c - 1.0) * np.log1p(-c * z) - (1.0 - c * z) ** (1.0 / c)
    return np.where(inside, value - np.log(scale), -np.inf)


def _genpareto_logpdf(x, c, loc, scale):
    """Twin of scipy.stats.genpareto.logpdf."""
    z = (x - loc) / scale
    inside = z >= 0.0
    z = np.where(inside, z, 0.5)
    value = -(1.0 / c + 1.0) * np.log1p(c * z)
    return np.where(inside, value - np.log(scale), -np.inf)


def _skewnorm_logpdf(x, a, loc, scale):
    """Twin of scipy.stats.skewnorm.logpdf."""
    z = (x - loc) / scale
    value = np.log(2.0 / np.pi) / 2.0 - 0.5 * z**2
    value = value + scipy.special.log_ndtr(a * z)
    return value - np.log(scale)


def _loggamma_logpdf(x, c, loc, scale):
    """Twin of scipy.stats.loggamma.logpdf."""
    z = (x - loc) / scale
    value = c * z - np.exp(z) - scipy.special.gammaln(c)
    return value - np.log(scale)


def _gennorm_logpdf(x, beta, loc, scale):
    """Twin of scipy.stats.gennorm.logpdf."""
    z = (x - loc) / scale
    value = np.log(0.5 * beta) - scipy.special.gammaln(1.0 / beta)
    value = value - np.abs(z) ** beta
    return value - np.log(scale)


def _exponnorm_logpdf(x, K, loc, scale):
    """Twin of scipy.stats.exponnorm.logpdf."""
    z = (x - loc) / scale
    value = 0.5 / K**2 - z / K + scipy.special.log_ndtr(z - 1.0 / K) - np.log(K)
    return value - np.log(scale)


def _powerlaw_logpdf(x, a, loc, scale):
    """Twin of scipy.stats.powerlaw.logpdf."""
    z = (x - loc) / scale
    inside = (z > 0.0) & (z < 1.0)
    z = np.where(inside, z, 0.5)
    value = np.log(a) + (a - 1.0) * np.log(z)
    return np.where(inside, value - np.log(scale), -np.inf)


def _fisk_logpdf(x, c, loc, scale):
    """Twin of scipy.stats.fisk.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = np.log(c) + (c - 1.0) * np.log(z) - 2.0 * np.log1p(z**c)
    return np.where(inside, value - np.log(scale), -np.inf)


def _nakagami_logpdf(x, nu, loc, scale):
    """Twin of scipy.stats.nakagami.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = np.log(2.0) + nu * np.log(nu) - scipy.special.gammaln(nu)
    value = value + (2.0 * nu - 1.0) * np.log(z) - nu * z**2
    return np.where(inside, value - np.log(scale), -np.inf)


def _rice_logpdf(x, b, loc, scale):
    """Twin of scipy.stats.rice.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = np.log(z * scipy.special.i0e(z * b)) - 0.5 * (z - b) ** 2
    return np.where(inside, value - np.log(scale), -np.inf)


def _gompertz_logpdf(x, c, loc, scale):
    """Twin of scipy.stats.gompertz.logpdf."""
    z = (x - loc) / scale
    inside = z >= 0.0
    z = np.where(inside, z, 0.5)
    value = np.log(c) + z - c * np.expm1(z)
    return np.where(inside, value - np.log(scale), -np.inf)


def _dweibull_logpdf(x, c, loc, scale):
    """Twin of scipy.stats.dweibull.logpdf."""
    z = (x - loc) / scale
    value = np.log(0.5 * c) + (c - 1.0) * np.log(np.abs(z)) - np.abs(z) ** c
    return value - np.log(scale)


def _f_logpdf(x, dfn, dfd, loc, scale):
    """Twin of scipy.stats.f.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = 0.5 * dfn * np.log(dfn / dfd) + (0.5 * dfn - 1.0) * np.log(z)
    value = value - 0.5 * (dfn + dfd) * np.log1p(dfn * z / dfd)
    value = value - scipy.special.betaln(0.5 * dfn, 0.5 * dfd)
    return np.where(inside, value - np.log(scale), -np.inf)


def _burr12_logpdf(x, c, d, loc, scale):
    """Twin of scipy.stats.burr12.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = np.log(c * d) + (c - 1.0) * np.log(z) - (d + 1.0) * np.log1p(z**c)
    return np.where(inside, value - np.log(scale), -np.inf)


def _johnsonsu_logpdf(x, a, b, loc, scale):
    """Twin of scipy.stats.johnsonsu.logpdf."""
    z = (x - loc) / scale
    value = np.log(b) - 0.5 * np.log(2.0 * np.pi * (1.0 + z**2))
    value = value - 0.5 * (a + b * np.arcsinh(z)) ** 2
    return value - np.log(scale)


def _exponweib_logpdf(x, a, c, loc, scale):
    """Twin of scipy.stats.exponweib.logpdf."""
    z = (x - loc) / scale
    inside = z > 0.0
    z = np.where(inside, z, 0.5)
    value = np.log(a * c) + (a - 1.0) * np.log(-np.expm1(-(z**c))) - z**c
    value = value + (c - 1.0) * np.log(z)
    return np.where(inside, value - np.log(scale), -np.inf)
