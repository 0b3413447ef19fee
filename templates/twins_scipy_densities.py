"""Twins of SciPy's log-densities: their formulas, z being the variable in units of scale, from loc.

Beyond the ends of a distribution nothing varies.
"""

FAMILY = "twin"


EACH = "maxwell levy wald"


def each_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.each.logpdf(x, loc, scale)
    twin = _each_logpdf(x, loc, scale)


EACH = "gumbel_l hypsecant"


def each_logpdf(
    x: shapes((4,), (2, 3), ()),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.each.logpdf(x, loc, scale)
    twin = _each_logpdf(x, loc, scale)


EACH = "each:shape invgauss:mu genpareto:c fisk:c nakagami:nu rice:b gompertz:c"


def each_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    shape: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.each.logpdf(x, shape, loc, scale)
    twin = _each_logpdf(x, shape, loc, scale)


EACH = "arcsine semicircular"


def each_logpdf(
    x: (probability, shapes((4,), (2, 3), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (wide, shapes((), (), ())) = 1.0,
):
    y = stats.each.logpdf(x, loc, scale)
    twin = _each_logpdf(x, loc, scale)


def genextreme_logpdf(
    x: (probability, shapes((4,), (2, 3), ())),
    c: sample(0.3, -0.2),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (wide, shapes((), (), ())) = 1.0,
):
    y = stats.genextreme.logpdf(x, c, loc, scale)
    twin = _genextreme_logpdf(x, c, loc, scale)


def skewnorm_logpdf(
    x: shapes((4,), (2, 3), ()),
    a: shapes((), (3,), ()),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.skewnorm.logpdf(x, a, loc, scale)
    twin = _skewnorm_logpdf(x, a, loc, scale)


EACH = "each:shape loggamma:c exponnorm:K"


def each_logpdf(
    x: shapes((4,), (2, 3), ()),
    shape: (positive, shapes((), (3,), ())),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.each.logpdf(x, shape, loc, scale)
    twin = _each_logpdf(x, shape, loc, scale)


EACH = "each:shape:kind gennorm:beta:above_one dweibull:c:positive"


def each_logpdf(
    x: (nonzero, shapes((4,), (2, 3), ())),
    shape: (kind, shapes((), (3,), ())),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.each.logpdf(x, shape, loc, scale)
    twin = _each_logpdf(x, shape, loc, scale)


def powerlaw_logpdf(
    x: (probability, shapes((4,), (2, 3), ())),
    a: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (wide, shapes((), (), ())) = 1.0,
):
    y = stats.powerlaw.logpdf(x, a, loc, scale)
    twin = _powerlaw_logpdf(x, a, loc, scale)


def f_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    dfn: (above_one, shapes((), (3,), ())),
    dfd: (above_one, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.f.logpdf(x, dfn, dfd, loc, scale)
    twin = _f_logpdf(x, dfn, dfd, loc, scale)


EACH = "each:shape:other burr12:c:d exponweib:a:c"


def each_logpdf(
    x: (positive, shapes((4,), (2, 3), ())),
    shape: (positive, shapes((), (3,), ())),
    other: (positive, shapes((), (3,), ())),
    loc: (negative, shapes((), (3,), ())) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.each.logpdf(x, shape, other, loc, scale)
    twin = _each_logpdf(x, shape, other, loc, scale)


def johnsonsu_logpdf(
    x: shapes((4,), (2, 3), ()),
    a: shapes((), (3,), ()),
    b: (positive, shapes((), (3,), ())),
    loc: shapes((), (3,), ()) = 0.0,
    scale: (positive, shapes((), (), ())) = 1.0,
):
    y = stats.johnsonsu.logpdf(x, a, b, loc, scale)
    twin = _johnsonsu_logpdf(x, a, b, loc, scale)
