"""Inverses of SciPy's distribution functions, by the density at what they give; loc and scale move it.

At probabilities 0 and 1 the derivative of most is infinite, as the density is 0 there.
"""

FAMILY = "elementwise"

EACH = "expon cauchy logistic"


def each_ppf(q: probability, loc=0.0, scale: positive = 1.0):
    y = stats.each.ppf(q, loc, scale)
    q_bar = y_bar / stats.each.pdf(y, loc, scale)
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def each_isf(q: probability, loc=0.0, scale: positive = 1.0):
    y = stats.each.isf(q, loc, scale)
    q_bar = -(y_bar / stats.each.pdf(y, loc, scale))
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def uniform_ppf(q: probability, loc=0.0, scale: positive = 1.0):
    y = stats.uniform.ppf(q, loc, scale)
    q_bar = y_bar * scale
    loc_bar = y_bar
    scale_bar = y_bar * q


def laplace_ppf(q: probability, loc=0.0, scale: positive = 1.0):
    """The density falls by one factor on both sides."""
    y = stats.laplace.ppf(q, loc, scale)
    q_bar = y_bar * scale / np.minimum(q, 1.0 - q)
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def gumbel_r_ppf(q: probability, loc=0.0, scale: positive = 1.0):
    """q = exp(-exp(-z))."""
    y = stats.gumbel_r.ppf(q, loc, scale)
    q_bar = -(y_bar * scale / (q * np.log(q)))
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


# ---------------------------------------------------------------------------- with a shape


def lognorm_ppf(q: probability, s: positive, loc=0.0, scale: positive = 1.0):
    y = stats.lognorm.ppf(q, s, loc, scale)
    z = special.ndtri(q)
    q_bar = y_bar * (y - loc) * s * (2.0 * np.pi) ** 0.5 * np.exp(0.5 * z**2)
    s_bar = y_bar * (y - loc) * z
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def weibull_min_ppf(q: probability, c: positive, loc=0.0, scale: positive = 1.0):
    """1 - q = exp(-z**c)."""
    y = stats.weibull_min.ppf(q, c, loc, scale)
    rate = -np.log1p(-q)
    q_bar = y_bar * (y - loc) / (c * rate * (1.0 - q))
    c_bar = -(y_bar * (y - loc) * np.log(rate) / c**2)
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


EACH = "each:shape t:df chi2:df gamma:a"


def each_ppf(q: probability, shape: sample(1.5, 2.5), loc=0.0, scale: positive = 1.0):
    """For shape there is no rule."""
    y = stats.each.ppf(q, shape, loc, scale)
    q_bar = y_bar / stats.each.pdf(y, shape, loc, scale)
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def each_isf(q: probability, shape: sample(1.5, 2.5), loc=0.0, scale: positive = 1.0):
    """For shape there is no rule."""
    y = stats.each.isf(q, shape, loc, scale)
    q_bar = -(y_bar / stats.each.pdf(y, shape, loc, scale))
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def beta_ppf(q: probability, a: sample(1.5, 2.0), b: sample(0.5), loc=0.0, scale: positive = 1.0):
    """For a and b there is no rule."""
    y = stats.beta.ppf(q, a, b, loc, scale)
    q_bar = y_bar / stats.beta.pdf(y, a, b, loc, scale)
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale
