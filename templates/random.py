"""Random numbers with parameters: what is drawn moves with them, the draw itself stays.

y = loc + scale * e for an e that has no parameters, so that y tells e again. Where a scale is 0
it does not: nan. The parameters of shape (of gamma, beta, ...) are refused.
"""

FAMILY = "elementwise"

# ---------------------------------------------------------------------------- place and scale


def placed(rng: (fixed, generator), loc=0.0, scale: positive = 1.0, size: sample((3, 4)) = None):
    y = rng.normal(loc, scale, size)
    y = rng.laplace(loc, scale, size)
    y = rng.logistic(loc, scale, size)
    y = rng.gumbel(loc, scale, size)
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def placed_globally(loc=0.0, scale: positive = 1.0, size: sample((3, 4)) = None):
    y = np.random.normal(loc, scale, size)
    y = np.random.laplace(loc, scale, size)
    y = np.random.logistic(loc, scale, size)
    y = np.random.gumbel(loc, scale, size)
    loc_bar = y_bar
    scale_bar = y_bar * (y - loc) / scale


def uniform(
    rng: (fixed, generator), low: unit = 0.0, high: above_one = 1.0, size: sample((3, 4)) = None
):
    y = rng.uniform(low, high, size)
    low_bar = y_bar * (high - y) / (high - low)
    high_bar = y_bar * (y - low) / (high - low)


def uniform_globally(low: unit = 0.0, high: above_one = 1.0, size: sample((3, 4)) = None):
    y = np.random.uniform(low, high, size)
    low_bar = y_bar * (high - y) / (high - low)
    high_bar = y_bar * (y - low) / (high - low)


def scaled(rng: (fixed, generator), scale: positive = 1.0, size: sample((3, 4)) = None):
    y = rng.exponential(scale, size)
    y = rng.rayleigh(scale, size)
    scale_bar = y_bar * y / scale


def scaled_globally(scale: positive = 1.0, size: sample((3, 4)) = None):
    y = np.random.exponential(scale, size)
    y = np.random.rayleigh(scale, size)
    scale_bar = y_bar * y / scale


def gamma(
    rng: (fixed, generator), shape: sample(2.0), scale: positive = 1.0, size: sample((3, 4)) = None
):
    """A shape that varies is refused."""
    y = rng.gamma(shape, scale, size)
    scale_bar = y_bar * y / scale


def gamma_globally(shape: sample(2.0), scale: positive = 1.0, size: sample((3, 4)) = None):
    """A shape that varies is refused."""
    y = np.random.gamma(shape, scale, size)
    scale_bar = y_bar * y / scale


# ---------------------------------------------------------------------------- powers


def lognormal(
    rng: (fixed, generator), mean=0.0, sigma: positive = 1.0, size: sample((3, 4)) = None
):
    y = rng.lognormal(mean, sigma, size)
    mean_bar = y_bar * y
    sigma_bar = y_bar * y * (np.log(y) - mean) / sigma


def lognormal_globally(mean=0.0, sigma: positive = 1.0, size: sample((3, 4)) = None):
    y = np.random.lognormal(mean, sigma, size)
    mean_bar = y_bar * y
    sigma_bar = y_bar * y * (np.log(y) - mean) / sigma


def weibull(rng: (fixed, generator), a: positive, size: sample((3, 4)) = None):
    y = rng.weibull(a, size)
    y = rng.power(a, size)
    a_bar = -(y_bar * y * np.log(y) / a)


def weibull_globally(a: positive, size: sample((3, 4)) = None):
    y = np.random.weibull(a, size)
    y = np.random.power(a, size)
    a_bar = -(y_bar * y * np.log(y) / a)


def pareto(rng: (fixed, generator), a: positive, size: sample((3, 4)) = None):
    y = rng.pareto(a, size)
    a_bar = -(y_bar * (1.0 + y) * np.log1p(y) / a)


def pareto_globally(a: positive, size: sample((3, 4)) = None):
    y = np.random.pareto(a, size)
    a_bar = -(y_bar * (1.0 + y) * np.log1p(y) / a)
