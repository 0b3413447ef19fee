"""Distribution functions of SciPy that have a slope in their shape, logarithms of tails, and counts.

Of a logarithm the slope is the density over what it is the logarithm of.
"""

FAMILY = "elementwise"

# ---------------------------------------------------------------------------- with a shape


def lognorm_cdf(x: positive, s: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.lognorm.cdf(x, s, loc, scale)
    density = stats.lognorm.pdf(x, s, loc, scale)
    span = np.where(x > loc, x - loc, scale)
    x_bar = y_bar * density
    s_bar = -(y_bar * density * span * np.log(span / scale) / s)
    loc_bar = -(y_bar * density)
    scale_bar = -(y_bar * density * span / scale)


def lognorm_sf(x: positive, s: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.lognorm.sf(x, s, loc, scale)
    density = stats.lognorm.pdf(x, s, loc, scale)
    span = np.where(x > loc, x - loc, scale)
    x_bar = -(y_bar * density)
    s_bar = y_bar * density * span * np.log(span / scale) / s
    loc_bar = y_bar * density
    scale_bar = y_bar * density * span / scale


def weibull_min_cdf(x: positive, c: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.weibull_min.cdf(x, c, loc, scale)
    density = stats.weibull_min.pdf(x, c, loc, scale)
    span = np.where(x > loc, x - loc, scale)
    x_bar = y_bar * density
    c_bar = y_bar * density * span * np.log(span / scale) / c
    loc_bar = -(y_bar * density)
    scale_bar = -(y_bar * density * span / scale)


def weibull_min_sf(x: positive, c: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.weibull_min.sf(x, c, loc, scale)
    density = stats.weibull_min.pdf(x, c, loc, scale)
    span = np.where(x > loc, x - loc, scale)
    x_bar = -(y_bar * density)
    c_bar = -(y_bar * density * span * np.log(span / scale) / c)
    loc_bar = y_bar * density
    scale_bar = y_bar * density * span / scale


def weibull_min_logsf(x: positive, c: positive, loc: negative = 0.0, scale: positive = 1.0):
    """Minus a power; where nothing is left out the slope is 0."""
    y = stats.weibull_min.logsf(x, c, loc, scale)
    span = np.where(x > loc, x - loc, scale)
    x_bar = y_bar * y * c / span
    c_bar = y_bar * y * np.log(span / scale)
    loc_bar = -(y_bar * y * c / span)
    scale_bar = -(y_bar * y * c / scale)


def lognorm_logsf(x: positive, s: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.lognorm.logsf(x, s, loc, scale)
    rate = np.exp(stats.lognorm.logpdf(x, s, loc, scale) - y)
    span = np.where(x > loc, x - loc, scale)
    x_bar = -(y_bar * rate)
    s_bar = y_bar * rate * span * np.log(span / scale) / s
    loc_bar = y_bar * rate
    scale_bar = y_bar * rate * span / scale


# ---------------------------------------------------------------------------- logarithms of tails

EACH = "expon cauchy logistic"


def each_logcdf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.each.logcdf(x, loc, scale)
    rate = np.exp(stats.each.logpdf(x, loc, scale) - y)
    x_bar = y_bar * rate
    loc_bar = -(y_bar * rate)
    scale_bar = -(y_bar * rate * (x - loc) / scale)


def each_logsf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.each.logsf(x, loc, scale)
    rate = np.exp(stats.each.logpdf(x, loc, scale) - y)
    x_bar = -(y_bar * rate)
    loc_bar = y_bar * rate
    scale_bar = y_bar * rate * (x - loc) / scale


EACH = "each:shape t:df chi2:df gamma:a"


def each_logcdf(x: positive, shape: sample(1.5, 2.5), loc: negative = 0.0, scale: positive = 1.0):
    """For shape there is no rule."""
    y = stats.each.logcdf(x, shape, loc, scale)
    rate = np.exp(stats.each.logpdf(x, shape, loc, scale) - y)
    x_bar = y_bar * rate
    loc_bar = -(y_bar * rate)
    scale_bar = -(y_bar * rate * (x - loc) / scale)


def each_logsf(x: positive, shape: sample(1.5, 2.5), loc: negative = 0.0, scale: positive = 1.0):
    """For shape there is no rule."""
    y = stats.each.logsf(x, shape, loc, scale)
    rate = np.exp(stats.each.logpdf(x, shape, loc, scale) - y)
    x_bar = -(y_bar * rate)
    loc_bar = y_bar * rate
    scale_bar = y_bar * rate * (x - loc) / scale


# ---------------------------------------------------------------------------- counts


def poisson_cdf(k: sample(0, 3), mu: positive, loc: sample(0) = 0):
    y = stats.poisson.cdf(k, mu, loc)
    mu_bar = -(y_bar * stats.poisson.pmf(np.floor(k), mu, loc))


def poisson_sf(k: sample(0, 3), mu: positive, loc: sample(0) = 0):
    y = stats.poisson.sf(k, mu, loc)
    mu_bar = y_bar * stats.poisson.pmf(np.floor(k), mu, loc)


def binom_cdf(k: sample(0, 3), n: sample(5), p: probability, loc: sample(0) = 0):
    y = stats.binom.cdf(k, n, p, loc)
    p_bar = -(y_bar * n * stats.binom.pmf(np.floor(k), n - 1, p, loc))


def binom_sf(k: sample(0, 3), n: sample(5), p: probability, loc: sample(0) = 0):
    y = stats.binom.sf(k, n, p, loc)
    p_bar = y_bar * n * stats.binom.pmf(np.floor(k), n - 1, p, loc)
