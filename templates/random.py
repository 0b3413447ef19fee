"""Random numbers with parameters: what is drawn moves with them, the draw itself stays.

y = loc + scale * e for an e that has no parameters, so that y tells e again. Where a scale is 0
it does not: nan. The parameters of shape (of gamma, beta, ...) are refused.
"""

FAMILY = "elementwise"

# ---------------------------------------------------------------------------- place and scale

EACH = "each:rng own:rng globally:np.random"


def placed_each(
    rng: (fixed, generator), loc=0.0, scale: positive = 1.0, size: sample((3, 4)) = None
):
    y = rng.normal(loc, scale, size)
    y = rng.laplace(loc, scale, size)
    y = rng.logistic(loc, scale, size)
    y = rng.gumbel(loc, scale, size)
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def uniform_each(
    rng: (fixed, generator), low: unit = 0.0, high: above_one = 1.0, size: sample((3, 4)) = None
):
    y = rng.uniform(low, high, size)
    low_bar = y_bar * (high - y) / (high - low)
    high_bar = y_bar * (y - low) / (high - low)


def scaled_each(rng: (fixed, generator), scale: positive = 1.0, size: sample((3, 4)) = None):
    y = rng.exponential(scale, size)
    y = rng.rayleigh(scale, size)
    scale_bar = y_bar * y / scale


def gamma_each(
    rng: (fixed, generator), shape: sample(2.0), scale: positive = 1.0, size: sample((3, 4)) = None
):
    """A shape that varies is refused."""
    y = rng.gamma(shape, scale, size)
    scale_bar = y_bar * y / scale


# ---------------------------------------------------------------------------- powers


def lognormal_each(
    rng: (fixed, generator), mean=0.0, sigma: positive = 1.0, size: sample((3, 4)) = None
):
    y = rng.lognormal(mean, sigma, size)
    mean_bar = y_bar * y
    sigma_bar = y_bar * y * (np.log(y) - mean) / sigma


def weibull_each(rng: (fixed, generator), a: positive, size: sample((3, 4)) = None):
    y = rng.weibull(a, size)
    y = rng.power(a, size)
    a_bar = -(y_bar * y * np.log(y) / a)


def pareto_each(rng: (fixed, generator), a: positive, size: sample((3, 4)) = None):
    y = rng.pareto(a, size)
    a_bar = -(y_bar * (1.0 + y) * np.log1p(y) / a)
