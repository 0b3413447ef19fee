"""SciPy's incomplete gamma and beta functions, and the distribution functions made of them.

Of single precision each stays what it is (.astype), though SciPy mixes it with its own numbers.
No closed form gives the derivatives with respect to shapes: for those there is no rule.
"""

FAMILY = "elementwise"


def gammainc(a: sample(1.5, 2.0), x: positive):
    """DLMF 8.8.13."""
    y = special.gammainc(a, x)
    x_bar = y_bar * np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))


def gammaincc(a: sample(1.5, 2.0), x: positive):
    """DLMF 8.8.14."""
    y = special.gammaincc(a, x)
    x_bar = -(y_bar * np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a)))


def gammaincinv(a: sample(1.5, 2.0), x: probability):
    """The inverse of gammainc."""
    y = special.gammaincinv(a, x)
    x_bar = y_bar * np.exp(y + special.gammaln(a) - special.xlogy(a - 1.0, y))


def stdtrit(df: sample(1.5, 4.0), p: probability):
    """The inverse of stdtr, by the density of t."""
    y = special.stdtrit(df, p)
    norm = special.beta(0.5 * df, 0.5) * np.sqrt(df)
    p_bar = y_bar * (norm * (1.0 + y**2 / df) ** (0.5 * df + 0.5)).astype(y.dtype)


def chdtri(v: sample(1.5, 4.0), p: probability):
    """The inverse of chdtrc, by the density of chi-square."""
    y = special.chdtri(v, p)
    log_rate = special.xlogy(0.5 * v - 1.0, y) - 0.5 * y - 0.5 * v * np.log(2.0)
    p_bar = -(y_bar * np.exp(special.gammaln(0.5 * v) - log_rate).astype(y.dtype))


def gammainccinv(a: sample(1.5, 2.0), x: probability):
    """The inverse of gammaincc."""
    y = special.gammainccinv(a, x)
    x_bar = -(y_bar * np.exp(y + special.gammaln(a) - special.xlogy(a - 1.0, y)))


def betainc(a: sample(1.5, 2.0), b: sample(0.5), x: probability):
    """DLMF 8.17.1."""
    y = special.betainc(a, b, x)
    log_rate = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    x_bar = y_bar * np.exp(log_rate - special.betaln(a, b)).astype(y.dtype)


def betaincc(a: sample(1.5, 2.0), b: sample(0.5), x: probability):
    """1 - betainc(a, b, x)."""
    y = special.betaincc(a, b, x)
    log_rate = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    x_bar = -(y_bar * np.exp(log_rate - special.betaln(a, b)).astype(y.dtype))


def betaincinv(a: sample(1.5, 2.0), b: sample(0.5), x: probability):
    """The inverse of betainc."""
    y = special.betaincinv(a, b, x)
    log_rate = special.xlogy(a - 1.0, y) + special.xlog1py(b - 1.0, -y)
    x_bar = y_bar * np.exp(special.betaln(a, b) - log_rate).astype(y.dtype)


def stdtr(df: sample(3.0, 4.5), t):
    """The density of Student's t."""
    y = special.stdtr(df, t)
    log_rate = -0.5 * (df + 1.0) * np.log1p(t**2 / df) - special.betaln(0.5 * df, 0.5)
    t_bar = y_bar * (np.exp(log_rate) / np.sqrt(df)).astype(y.dtype)


def chdtr(v: sample(3.0, 4.5), x: positive):
    """The density of chi squared."""
    y = special.chdtr(v, x)
    log_rate = special.xlogy(0.5 * v - 1.0, 0.5 * x) - 0.5 * x - special.gammaln(0.5 * v)
    x_bar = y_bar * 0.5 * np.exp(log_rate).astype(y.dtype)


def chdtrc(v: sample(3.0, 4.5), x: positive):
    """1 - chdtr(v, x)."""
    y = special.chdtrc(v, x)
    log_rate = special.xlogy(0.5 * v - 1.0, 0.5 * x) - 0.5 * x - special.gammaln(0.5 * v)
    x_bar = -(y_bar * 0.5 * np.exp(log_rate).astype(y.dtype))


def pdtr(k: sample(2.0), m: positive):
    """The sum of Poisson's probabilities up to k (DLMF 8.4.10)."""
    y = special.pdtr(k, m)
    log_rate = special.xlogy(np.floor(k), m) - m - special.gammaln(np.floor(k) + 1.0)
    m_bar = -(y_bar * np.exp(log_rate).astype(y.dtype))


def bdtr(k: sample(2.0), n: sample(5), p: probability):
    """The sum of the binomial probabilities up to k (DLMF 8.17.4)."""
    y = special.bdtr(k, n, p)
    rest = n - np.floor(k)
    log_rate = special.xlogy(np.floor(k), p) + special.xlog1py(rest - 1.0, -p)
    log_scale = special.betaln(np.floor(k) + 1.0, rest)
    p_bar = -(y_bar * np.exp(log_rate - log_scale).astype(y.dtype))


def fdtr(dfn: sample(3.0), dfd: sample(4.5), x: positive):
    """The density of F, by betainc at dfn x / (dfd + dfn x) (DLMF 8.17.1)."""
    y = special.fdtr(dfn, dfd, x)
    share = dfn * x / (dfd + dfn * x)
    log_rate = special.xlogy(0.5 * dfn, share) + special.xlog1py(0.5 * dfd, -share)
    x_bar = y_bar * (np.exp(log_rate - special.betaln(0.5 * dfn, 0.5 * dfd)) / x).astype(y.dtype)


def fdtrc(dfn: sample(3.0), dfd: sample(4.5), x: positive):
    """1 - fdtr: minus the density of F (DLMF 8.17.1)."""
    y = special.fdtrc(dfn, dfd, x)
    share = dfn * x / (dfd + dfn * x)
    log_rate = special.xlogy(0.5 * dfn, share) + special.xlog1py(0.5 * dfd, -share)
    x_bar = -y_bar * (np.exp(log_rate - special.betaln(0.5 * dfn, 0.5 * dfd)) / x).astype(y.dtype)


def gdtr(a: positive, b: sample(1.5, 2.0), x: positive):
    """gammainc(b, a x)."""
    y = special.gdtr(a, b, x)
    rate = np.exp(special.xlogy(b - 1.0, a * x) - a * x - special.gammaln(b)).astype(y.dtype)
    a_bar = y_bar * x * rate
    x_bar = y_bar * a * rate
