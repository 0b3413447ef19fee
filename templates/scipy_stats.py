"""SciPy's distributions: logarithms of densities and probabilities, distribution functions.

z is the variable in units of scale, from loc. Where a density is 0, and its logarithm minus
infinite, the derivatives are taken as 0.
"""

FAMILY = "elementwise"

# ---------------------------------------------------------------------------- normal


EACH = "each:pull logpdf:y_bar pdf:y_bar*y"


def norm_each(x, loc=0.0, scale: positive = 1.0):
    y = stats.norm.each(x, loc, scale)
    z = (x - loc) / scale
    x_bar = -(pull * z / scale)
    loc_bar = pull * z / scale
    scale_bar = pull * (z**2 - 1.0) / scale


def norm_cdf(x, loc=0.0, scale: positive = 1.0):
    """Beyond 40 scales from loc the density is 0 in double precision, also at infinity."""
    y = stats.norm.cdf(x, loc, scale)
    z = (x - loc) / scale
    density = np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi) / scale
    x_bar = y_bar * density
    loc_bar = -(y_bar * density)
    scale_bar = -(y_bar * density * np.clip(z, -40.0, 40.0))


def norm_sf(x, loc=0.0, scale: positive = 1.0):
    """Beyond 40 scales from loc the density is 0 in double precision, also at infinity."""
    y = stats.norm.sf(x, loc, scale)
    z = (x - loc) / scale
    density = np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi) / scale
    x_bar = -(y_bar * density)
    loc_bar = y_bar * density
    scale_bar = y_bar * density * np.clip(z, -40.0, 40.0)


def norm_logcdf(x, loc=0.0, scale: positive = 1.0):
    """The ratio of density and distribution by erfcx, exact in both tails."""
    y = stats.norm.logcdf(x, loc, scale)
    z = np.minimum((x - loc) / scale, 40.0)
    rate = (2.0 / np.pi) ** 0.5 / special.erfcx(-(z / 2.0**0.5)) / scale
    x_bar = y_bar * rate
    loc_bar = -(y_bar * rate)
    scale_bar = -(y_bar * rate * z)


def norm_logsf(x, loc=0.0, scale: positive = 1.0):
    """The ratio of density and survival by erfcx, exact in both tails."""
    y = stats.norm.logsf(x, loc, scale)
    z = np.maximum((x - loc) / scale, -40.0)
    rate = (2.0 / np.pi) ** 0.5 / special.erfcx(z / 2.0**0.5) / scale
    x_bar = -(y_bar * rate)
    loc_bar = y_bar * rate
    scale_bar = y_bar * rate * z


def norm_ppf(q: probability, loc=0.0, scale: positive = 1.0):
    """At 0 and 1 the derivative is infinite."""
    y = stats.norm.ppf(q, loc, scale)
    z = special.ndtri(q)
    q_bar = y_bar * scale * (2.0 * np.pi) ** 0.5 * np.exp(0.5 * z**2)
    loc_bar = y_bar
    scale_bar = y_bar * z


def norm_isf(q: probability, loc=0.0, scale: positive = 1.0):
    """At 0 and 1 the derivative is minus infinite."""
    y = stats.norm.isf(q, loc, scale)
    z = -special.ndtri(q)
    q_bar = -(y_bar * scale * (2.0 * np.pi) ** 0.5 * np.exp(0.5 * z**2))
    loc_bar = y_bar
    scale_bar = y_bar * z


def truncnorm_logpdf(x: unit, a: negative, b: wide, loc=0.0, scale: above_one = 1.0):
    """What the ends cut off follows from y itself."""
    y = stats.truncnorm.logpdf(x, a, b, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 0.0, (x - loc) / scale)
    log_rate = 0.5 * z**2 + np.where(outside, 0.0, y)
    x_bar = -(seed * z / scale)
    a_bar = seed * scale * np.exp(log_rate - 0.5 * a**2)
    b_bar = -(seed * scale * np.exp(log_rate - 0.5 * b**2))
    loc_bar = seed * z / scale
    scale_bar = seed * (z**2 - 1.0) / scale


# ---------------------------------------------------------------------------- on the whole line


def t_each(x, df: above_one, loc=0.0, scale: positive = 1.0):
    y = stats.t.each(x, df, loc, scale)
    z = (x - loc) / scale
    rate = (df + 1.0) * z / (df + z**2)
    change = special.psi(0.5 * (df + 1.0)) - special.psi(0.5 * df) - np.log1p(z**2 / df)
    x_bar = -(pull * rate / scale)
    df_bar = pull * 0.5 * (change + (rate * z - 1.0) / df)
    loc_bar = pull * rate / scale
    scale_bar = pull * (rate * z - 1.0) / scale


def cauchy_logpdf(x, loc=0.0, scale: positive = 1.0):
    y = stats.cauchy.logpdf(x, loc, scale)
    z = (x - loc) / scale
    rate = 2.0 / (1.0 + z**2)
    x_bar = -(y_bar * rate * z / scale)
    loc_bar = y_bar * rate * z / scale
    scale_bar = y_bar * (1.0 - rate) / scale


def logistic_each(x, loc=0.0, scale: positive = 1.0):
    y = stats.logistic.each(x, loc, scale)
    z = (x - loc) / scale
    rate = np.tanh(0.5 * z)
    x_bar = -(pull * rate / scale)
    loc_bar = pull * rate / scale
    scale_bar = pull * (rate * z - 1.0) / scale


def laplace_logpdf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    """At loc, where the density has a kink, x and loc receive 0."""
    y = stats.laplace.logpdf(x, loc, scale)
    z = (x - loc) / scale
    x_bar = -(y_bar * np.sign(z) / scale)
    loc_bar = y_bar * np.sign(z) / scale
    scale_bar = y_bar * (np.abs(z) - 1.0) / scale


def vonmises_logpdf(x, kappa: positive, loc=0.0, scale: positive = 1.0):
    y = stats.vonmises.logpdf(x, kappa, loc, scale)
    z = (x - loc) / scale
    rate = kappa * np.sin(z)
    x_bar = -(y_bar * rate / scale)
    kappa_bar = y_bar * (np.cos(z) - special.i1e(kappa) / special.i0e(kappa))
    loc_bar = y_bar * rate / scale
    scale_bar = y_bar * (rate * z - 1.0) / scale


# ---------------------------------------------------------------------------- above loc


def expon_logpdf(x: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.expon.logpdf(x, loc, scale)
    seed = np.where(y == -np.inf, 0.0, y_bar)
    x_bar = -(seed / scale)
    loc_bar = seed / scale
    scale_bar = seed * ((x - loc) / scale - 1.0) / scale


def gamma_logpdf(x: positive, a: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.gamma.logpdf(x, a, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 1.0, (x - loc) / scale)
    rate = (a - 1.0) / (z + (a == 1)) - 1.0
    x_bar = seed * rate / scale
    a_bar = seed * (np.log(z) - special.psi(a))
    loc_bar = -(seed * rate / scale)
    scale_bar = seed * (z - a) / scale


def chi2_logpdf(x: positive, df: above_one, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.chi2.logpdf(x, df, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 1.0, (x - loc) / scale)
    rate = (0.5 * df - 1.0) / (z + (df == 2)) - 0.5
    x_bar = seed * rate / scale
    df_bar = seed * 0.5 * (np.log(0.5 * z) - special.psi(0.5 * df))
    loc_bar = -(seed * rate / scale)
    scale_bar = seed * 0.5 * (z - df) / scale


def lognorm_logpdf(x: positive, s: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.lognorm.logpdf(x, s, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 1.0, (x - loc) / scale)
    rate = np.log(z) / s**2
    x_bar = -(seed * (rate + 1.0) / (z * scale))
    s_bar = seed * (rate * np.log(z) - 1.0) / s
    loc_bar = seed * (rate + 1.0) / (z * scale)
    scale_bar = seed * rate / scale


def weibull_min_logpdf(x: positive, c: positive, loc: negative = 0.0, scale: positive = 1.0):
    y = stats.weibull_min.logpdf(x, c, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 1.0, (x - loc) / scale)
    rate = (c - 1.0) / (z + (c == 1)) - c * z ** (c - 1.0)
    x_bar = seed * rate / scale
    c_bar = seed * (1.0 / c + np.log(z) * (1.0 - z**c))
    loc_bar = -(seed * rate / scale)
    scale_bar = seed * c * (z**c - 1.0) / scale


def gamma_cdf(x: positive, a: sample(1.5, 2.0), loc: negative = 0.0, scale: positive = 1.0):
    """DLMF 8.8.13. For a there is no rule."""
    y = stats.gamma.cdf(x, a, loc, scale)
    z = (x - loc) / scale
    density = stats.gamma.pdf(z, a) / scale
    x_bar = y_bar * density
    loc_bar = -(y_bar * density)
    scale_bar = -(y_bar * density * z)


def gamma_pdf(x: positive, a: positive, loc: negative = 0.0, scale: positive = 1.0):
    """Where the density is 0: 0."""
    y = stats.gamma.pdf(x, a, loc, scale)
    z = np.where(y == 0, 1.0, (x - loc) / scale)
    rate = (a - 1.0) / (z + (a == 1)) - 1.0
    x_bar = y_bar * y * rate / scale
    a_bar = y_bar * y * (np.log(z) - special.psi(a))
    loc_bar = -(y_bar * y * rate / scale)
    scale_bar = y_bar * y * (z - a) / scale


# ---------------------------------------------------------------------------- between two ends


def uniform_logpdf(
    x: (constant, probability), loc: (constant, sample(-0.5)) = 0.0, scale: wide = 1.0
):
    """Nothing changes with x and loc, until x leaves."""
    y = stats.uniform.logpdf(x, loc, scale)
    scale_bar = -(np.where(y == -np.inf, 0.0, y_bar) / scale)


def beta_logpdf(x: probability, a: positive, b: positive, loc: negative = 0.0, scale: wide = 1.0):
    y = stats.beta.logpdf(x, a, b, loc, scale)
    outside = y == -np.inf
    seed = np.where(outside, 0.0, y_bar)
    z = np.where(outside, 0.5, (x - loc) / scale)
    rate = (a - 1.0) / (z + (a == 1)) - (b - 1.0) / (1.0 - z + (b == 1))
    x_bar = seed * rate / scale
    a_bar = seed * (np.log(z) - special.psi(a) + special.psi(a + b))
    b_bar = seed * (np.log1p(-z) - special.psi(b) + special.psi(a + b))
    loc_bar = -(seed * rate / scale)
    scale_bar = -(seed * (1.0 + z * rate) / scale)


def beta_pdf(x: probability, a: positive, b: positive, loc: negative = 0.0, scale: wide = 1.0):
    """Where the density is 0: 0."""
    y = stats.beta.pdf(x, a, b, loc, scale)
    z = np.where(y == 0, 0.5, (x - loc) / scale)
    rate = (a - 1.0) / (z + (a == 1)) - (b - 1.0) / (1.0 - z + (b == 1))
    x_bar = y_bar * y * rate / scale
    a_bar = y_bar * y * (np.log(z) - special.psi(a) + special.psi(a + b))
    b_bar = y_bar * y * (np.log1p(-z) - special.psi(b) + special.psi(a + b))
    loc_bar = -(y_bar * y * rate / scale)
    scale_bar = -(y_bar * y * (1.0 + z * rate) / scale)


def beta_cdf(
    x: probability,
    a: sample(1.5, 2.0),
    b: sample(0.5),
    loc: negative = 0.0,
    scale: wide = 1.0,
):
    """DLMF 8.17.1. For a and b there is no rule."""
    y = stats.beta.cdf(x, a, b, loc, scale)
    z = (x - loc) / scale
    density = stats.beta.pdf(z, a, b) / scale
    x_bar = y_bar * density
    loc_bar = -(y_bar * density)
    scale_bar = -(y_bar * density * z)


# ---------------------------------------------------------------------------- counts


def poisson_logpmf(k: sample(0, 3), mu: positive, loc: sample(0) = 0):
    y = stats.poisson.logpmf(k, mu, loc)
    count = k - loc
    mu_bar = np.where(y == -np.inf, 0.0, y_bar * (count / (mu + (count == 0)) - 1.0))


def binom_logpmf(k: sample(0, 3, 5), n: sample(5), p: probability, loc: sample(0) = 0):
    y = stats.binom.logpmf(k, n, p, loc)
    hits = k - loc
    rest = n - hits
    seed = np.where(y == -np.inf, 0.0, y_bar)
    p_bar = seed * (hits / (p + (hits == 0)) - rest / (1.0 - p + (rest == 0)))


def bernoulli_logpmf(k: sample(0, 1), p: probability, loc: sample(0) = 0):
    y = stats.bernoulli.logpmf(k, p, loc)
    hits = k - loc
    seed = np.where(y == -np.inf, 0.0, y_bar)
    p_bar = seed * (hits / (p + (hits == 0)) - (1.0 - hits) / (1.0 - p + (hits == 1)))


def geom_logpmf(k: sample(1, 3), p: probability, loc: sample(0) = 0):
    y = stats.geom.logpmf(k, p, loc)
    misses = k - loc - 1
    seed = np.where(y == -np.inf, 0.0, y_bar)
    p_bar = seed * (1.0 / p - misses / (1.0 - p + (misses == 0)))


def nbinom_logpmf(k: sample(0, 3), n: positive, p: probability, loc: sample(0) = 0):
    y = stats.nbinom.logpmf(k, n, p, loc)
    misses = k - loc
    seed = np.where(y == -np.inf, 0.0, y_bar)
    n_bar = seed * (special.psi(misses + n) - special.psi(n) + np.log(p))
    p_bar = seed * (n / p - misses / (1.0 - p + (misses == 0)))
