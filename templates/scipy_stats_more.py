"""More of SciPy's distributions: densities, distribution functions, and what is left of them.

z is the variable in units of scale, from loc. Where a density is 0, its derivatives are taken as 0.
"""

FAMILY = "elementwise"

# ---------------------------------------------------------------------------- logarithms


def gumbel_r_logpdf(x, loc=0.0, scale: positive = 1.0):
    y = stats.gumbel_r.logpdf(x, loc, scale)
    z = (x - loc) / scale
    rate = -np.expm1(-z)
    x_bar = -(y_bar * rate / scale)
    loc_bar = y_bar * rate / scale
    scale_bar = y_bar * (rate * z - 1.0) / scale


def halfnorm_logpdf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.halfnorm.logpdf(x, loc, scale)
    seed = np.where(y == -np.inf, 0.0, y_bar)
    z = (x - loc) / scale
    x_bar = -(seed * z / scale)
    loc_bar = seed * z / scale
    scale_bar = seed * (z**2 - 1.0) / scale


def halfcauchy_logpdf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.halfcauchy.logpdf(x, loc, scale)
    seed = np.where(y == -np.inf, 0.0, y_bar)
    z = (x - loc) / scale
    rate = 2.0 * z / (1.0 + z**2)
    x_bar = -(seed * rate / scale)
    loc_bar = seed * rate / scale
    scale_bar = seed * (rate * z - 1.0) / scale


def rayleigh_logpdf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.rayleigh.logpdf(x, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 1.0, (x - loc) / scale)
    x_bar = seed * (1.0 / z - z) / scale
    loc_bar = -(seed * (1.0 / z - z) / scale)
    scale_bar = seed * (z**2 - 2.0) / scale


def pareto_logpdf(x: wide, b: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.pareto.logpdf(x, b, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 1.0, (x - loc) / scale)
    x_bar = -(seed * (b + 1.0) / (z * scale))
    b_bar = seed * (1.0 / b - np.log(z))
    loc_bar = seed * (b + 1.0) / (z * scale)
    scale_bar = seed * b / scale


def invgamma_logpdf(x: positive, a: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.invgamma.logpdf(x, a, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 1.0, (x - loc) / scale)
    rate = (1.0 / z - a - 1.0) / z
    x_bar = seed * rate / scale
    a_bar = -(seed * (np.log(z) + special.psi(a)))
    loc_bar = -(seed * rate / scale)
    scale_bar = seed * (a - 1.0 / z) / scale


# ---------------------------------------------------------------------------- densities


def expon_pdf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.expon.pdf(x, loc, scale)
    x_bar = -(y_bar * y / scale)
    loc_bar = y_bar * y / scale
    scale_bar = y_bar * y * ((x - loc) / scale - 1.0) / scale


def cauchy_pdf(x, loc=0.0, scale: positive = 1.0):
    y = stats.cauchy.pdf(x, loc, scale)
    z = (x - loc) / scale
    rate = 2.0 * z / (1.0 + z**2)
    x_bar = -(y_bar * y * rate / scale)
    loc_bar = y_bar * y * rate / scale
    scale_bar = y_bar * y * (rate * z - 1.0) / scale


def chi2_pdf(x: positive, df: above_one, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.chi2.pdf(x, df, loc, scale)
    z = np.where(y == 0, 1.0, (x - loc) / scale)
    rate = (0.5 * df - 1.0) / (z + (df == 2)) - 0.5
    x_bar = y_bar * y * rate / scale
    df_bar = y_bar * y * 0.5 * (np.log(0.5 * z) - special.psi(0.5 * df))
    loc_bar = -(y_bar * y * rate / scale)
    scale_bar = y_bar * y * 0.5 * (z - df) / scale


def lognorm_pdf(x: positive, s: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.lognorm.pdf(x, s, loc, scale)
    z = np.where(y == 0, 1.0, (x - loc) / scale)
    rate = np.log(z) / s**2
    x_bar = -(y_bar * y * (rate + 1.0) / (z * scale))
    s_bar = y_bar * y * (rate * np.log(z) - 1.0) / s
    loc_bar = y_bar * y * (rate + 1.0) / (z * scale)
    scale_bar = y_bar * y * rate / scale


def weibull_min_pdf(x: positive, c: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.weibull_min.pdf(x, c, loc, scale)
    z = np.where(y == 0, 1.0, (x - loc) / scale)
    rate = (c - 1.0) / (z + (c == 1)) - c * z ** (c - 1.0)
    x_bar = y_bar * y * rate / scale
    c_bar = y_bar * y * (1.0 / c + np.log(z) * (1.0 - z**c))
    loc_bar = -(y_bar * y * rate / scale)
    scale_bar = y_bar * y * c * (z**c - 1.0) / scale


def poisson_pmf(k: sample(0, 3), mu: positive, loc: sample(0) = 0):
    y = stats.poisson.pmf(k, mu, loc)
    count = k - loc
    mu_bar = y_bar * y * (count / (mu + (count == 0)) - 1.0)


def binom_pmf(k: sample(0, 3, 5), n: sample(5), p: probability, loc: sample(0) = 0):
    y = stats.binom.pmf(k, n, p, loc)
    hits = k - loc
    rest = n - hits
    p_bar = y_bar * y * (hits / (p + (hits == 0)) - rest / (1.0 - p + (rest == 0)))


# ---------------------------------------------------------------------------- distribution functions

EACH = "expon cauchy logistic"


def each_cdf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.each.cdf(x, loc, scale)
    density = stats.each.pdf(x, loc, scale)
    x_bar = y_bar * density
    loc_bar = -(y_bar * density)
    scale_bar = -(y_bar * density * (x - loc) / scale)


def each_sf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.each.sf(x, loc, scale)
    density = stats.each.pdf(x, loc, scale)
    x_bar = -(y_bar * density)
    loc_bar = y_bar * density
    scale_bar = y_bar * density * (x - loc) / scale


EACH = "each:shape t:df chi2:df"


def each_cdf(x: positive, shape: sample(1.5, 2.5), loc: negative = 0.0, scale: positive = 1.0):
    """For shape there is no rule."""
    y = stats.each.cdf(x, shape, loc, scale)
    density = stats.each.pdf(x, shape, loc, scale)
    x_bar = y_bar * density
    loc_bar = -(y_bar * density)
    scale_bar = -(y_bar * density * (x - loc) / scale)


EACH = "each:shape t:df chi2:df gamma:a"


def each_sf(x: positive, shape: sample(1.5, 2.5), loc: negative = 0.0, scale: positive = 1.0):
    """For shape there is no rule."""
    y = stats.each.sf(x, shape, loc, scale)
    density = stats.each.pdf(x, shape, loc, scale)
    x_bar = -(y_bar * density)
    loc_bar = y_bar * density
    scale_bar = y_bar * density * (x - loc) / scale
