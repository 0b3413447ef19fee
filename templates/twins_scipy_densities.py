"""Twins of SciPy's log-densities: their formulas, z being the variable in units of scale, from loc.

Beyond the ends of a distribution nothing varies.
"""

FAMILY = "twin"


def maxwell_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.maxwell.logpdf(x, loc, scale)
    twin = _maxwell_logpdf(x, loc, scale)


def gumbel_l_logpdf(
    x: shapes((4,), (2, 3), ()),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.gumbel_l.logpdf(x, loc, scale)
    twin = _gumbel_l_logpdf(x, loc, scale)


def levy_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.levy.logpdf(x, loc, scale)
    twin = _levy_logpdf(x, loc, scale)


def wald_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.wald.logpdf(x, loc, scale)
    twin = _wald_logpdf(x, loc, scale)


def invgauss_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    mu: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.invgauss.logpdf(x, mu, loc, scale)
    twin = _invgauss_logpdf(x, mu, loc, scale)


def hypsecant_logpdf(
    x: shapes((4,), (2, 3), ()),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.hypsecant.logpdf(x, loc, scale)
    twin = _hypsecant_logpdf(x, loc, scale)


def arcsine_logpdf(
    x: (probability, shapes((4,), (2, 3), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (wide, shapes((), (), ())) = 1.0,
):
    y = stats.arcsine.logpdf(x, loc, scale)
    twin = _arcsine_logpdf(x, loc, scale)


def semicircular_logpdf(
    x: (probability, shapes((4,), (2, 3), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (wide, shapes((), (), ())) = 1.0,
):
    y = stats.semicircular.logpdf(x, loc, scale)
    twin = _semicircular_logpdf(x, loc, scale)


def genextreme_logpdf(
    x: (probability, shapes((4,), (2, 3), ())),
    c: sample(0.3, -0.2),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (wide, shapes((), (), ())) = 1.0,
):
    y = stats.genextreme.logpdf(x, c, loc, scale)
    twin = _genextreme_logpdf(x, c, loc, scale)


def genpareto_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    c: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.genpareto.logpdf(x, c, loc, scale)
    twin = _genpareto_logpdf(x, c, loc, scale)


def skewnorm_logpdf(
    x: shapes((4,), (2, 3), ()),
    a: shapes((), (3,), ()),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.skewnorm.logpdf(x, a, loc, scale)
    twin = _skewnorm_logpdf(x, a, loc, scale)


def loggamma_logpdf(
    x: shapes((4,), (2, 3), ()),
    c: (positive, shapes((), (3,), ())),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.loggamma.logpdf(x, c, loc, scale)
    twin = _loggamma_logpdf(x, c, loc, scale)


def gennorm_logpdf(
    x: (nonzero, shapes((4,), (2, 3), ())),
    beta: (above_one, shapes((), (3,), ())),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.gennorm.logpdf(x, beta, loc, scale)
    twin = _gennorm_logpdf(x, beta, loc, scale)


def exponnorm_logpdf(
    x: shapes((4,), (2, 3), ()),
    K: (positive, shapes((), (3,), ())),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.exponnorm.logpdf(x, K, loc, scale)
    twin = _exponnorm_logpdf(x, K, loc, scale)


def powerlaw_logpdf(
    x: (probability, shapes((4,), (2, 3), ())),
    a: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (wide, shapes((), (), ())) = 1.0,
):
    y = stats.powerlaw.logpdf(x, a, loc, scale)
    twin = _powerlaw_logpdf(x, a, loc, scale)


def fisk_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    c: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.fisk.logpdf(x, c, loc, scale)
    twin = _fisk_logpdf(x, c, loc, scale)


def nakagami_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    nu: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.nakagami.logpdf(x, nu, loc, scale)
    twin = _nakagami_logpdf(x, nu, loc, scale)


def rice_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    b: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.rice.logpdf(x, b, loc, scale)
    twin = _rice_logpdf(x, b, loc, scale)


def gompertz_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    c: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.gompertz.logpdf(x, c, loc, scale)
    twin = _gompertz_logpdf(x, c, loc, scale)


def dweibull_logpdf(
    x: (nonzero, shapes((4,), (2, 3), ())),
    c: (positive, shapes((), (3,), ())),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.dweibull.logpdf(x, c, loc, scale)
    twin = _dweibull_logpdf(x, c, loc, scale)


def f_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    dfn: (above_one, shapes((), (3,), ())),
    dfd: (above_one, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.f.logpdf(x, dfn, dfd, loc, scale)
    twin = _f_logpdf(x, dfn, dfd, loc, scale)


def burr12_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    c: (positive, shapes((), (3,), ())),
    d: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.burr12.logpdf(x, c, d, loc, scale)
    twin = _burr12_logpdf(x, c, d, loc, scale)


def johnsonsu_logpdf(
    x: shapes((4,), (2, 3), ()),
    a: shapes((), (3,), ()),
    b: (positive, shapes((), (3,), ())),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.johnsonsu.logpdf(x, a, b, loc, scale)
    twin = _johnsonsu_logpdf(x, a, b, loc, scale)


def exponweib_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    a: (positive, shapes((), (3,), ())),
    c: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.exponweib.logpdf(x, a, c, loc, scale)
    twin = _exponweib_logpdf(x, a, c, loc, scale)
