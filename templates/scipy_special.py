"""SciPy's special functions of one real argument, and of pairs that play equal parts.

The sections of the DLMF (dlmf.nist.gov) that are named give the derivatives. Beyond a function's
real domain, where SciPy returns nan, so does the derivative.
"""

FAMILY = "elementwise"
HOLOMORPHIC = """
erf erfc erfi expm1 log1p xlogy xlog1py gamma expi exp1 spence wrightomega
"""

# ---------------------------------------------------------------------------- error functions


def erf(x):
    """DLMF 7.2.1."""
    y = special.erf(x)
    x_bar = y_bar * (2.0 / np.pi**0.5) * np.exp(-(x**2))


def erfc(x):
    y = special.erfc(x)
    x_bar = -(y_bar * (2.0 / np.pi**0.5) * np.exp(-(x**2)))


def erfcx(x):
    """DLMF 7.10.1; for large x by the asymptotic series 7.12.1, of which nothing cancels."""
    y = special.erfcx(x)
    x_bar = y_bar * _erfcx_slope(x, y)


def erfi(x):
    y = special.erfi(x)
    x_bar = y_bar * (2.0 / np.pi**0.5) * np.exp(x**2)


def dawsn(x):
    """DLMF 7.10.1; for large x by the asymptotic series, of which nothing cancels."""
    y = special.dawsn(x)
    x_bar = y_bar * _dawsn_slope(x, y)


def erfinv(x: unit):
    """At -1 and 1 the derivative is infinite."""
    y = special.erfinv(x)
    x_bar = y_bar * (0.5 * np.pi**0.5) * np.exp(y**2)


def erfcinv(x: positive):
    """At 0 and 2 the derivative is minus infinite."""
    y = special.erfcinv(x)
    x_bar = -(y_bar * (0.5 * np.pi**0.5) * np.exp(y**2))


# ---------------------------------------------------------------------------- normal distribution


def ndtr(x):
    y = special.ndtr(x)
    x_bar = y_bar * np.exp(-0.5 * x**2) / (2.0 * np.pi) ** 0.5


def log_ndtr(x):
    """The ratio of density and distribution by erfcx, exact in both tails."""
    y = special.log_ndtr(x)
    x_bar = y_bar * (2.0 / np.pi) ** 0.5 / special.erfcx(-(x / 2.0**0.5))


def ndtri(x: probability):
    """At 0 and 1 the derivative is infinite."""
    y = special.ndtri(x)
    x_bar = y_bar * (2.0 * np.pi) ** 0.5 * np.exp(0.5 * y**2)


def ndtri_exp(x: negative):
    y = special.ndtri_exp(x)
    x_bar = y_bar * (2.0 * np.pi) ** 0.5 * np.exp(x + 0.5 * y**2)


# ---------------------------------------------------------------------------- logistic


def expit(x):
    y = special.expit(x)
    x_bar = y_bar * y * (1.0 - y)


def log_expit(x):
    y = special.log_expit(x)
    x_bar = y_bar * special.expit(-x)


def logit(x: probability):
    y = special.logit(x)
    x_bar = y_bar / (x * (1.0 - x))


def softplus(x):
    y = special.softplus(x)
    x_bar = y_bar * special.expit(x)


# ---------------------------------------------------------------------------- exp and log


def expm1(x):
    y = special.expm1(x)
    x_bar = y_bar * (y + 1.0)


def exp2(x):
    y = special.exp2(x)
    x_bar = y_bar * y * math.log(2.0)


def exp10(x):
    y = special.exp10(x)
    x_bar = y_bar * y * math.log(10.0)


def exprel(x):
    """A Kummer function (DLMF 13.6.1), which at 0 has nothing to divide by."""
    y = special.exprel(x)
    x_bar = y_bar * 0.5 * special.hyp1f1(2.0, 3.0, x)


def log1p(x: positive):
    y = special.log1p(x)
    x_bar = y_bar / (1.0 + x)


def cosm1(x):
    y = special.cosm1(x)
    x_bar = -(y_bar * np.sin(x))


def cbrt(x: nonzero):
    """At 0 the derivative is infinite."""
    y = special.cbrt(x)
    x_bar = y_bar / (3.0 * y**2)


def powm1(x: positive, z):
    y = special.powm1(x, z)
    x_bar = y_bar * z * x ** (z - 1.0)
    z_bar = y_bar * (y + 1.0) * np.log(x)


def boxcox(x: positive, lmbda):
    """With exprel, so that lmbda = 0 is a point like any other."""
    y = special.boxcox(x, lmbda)
    log_x = np.log(x)
    x_bar = y_bar * x ** (lmbda - 1.0)
    lmbda_bar = y_bar * 0.5 * log_x**2 * special.hyp1f1(2.0, 3.0, lmbda * log_x)


def boxcox1p(x: positive, lmbda):
    """With exprel, so that lmbda = 0 is a point like any other."""
    y = special.boxcox1p(x, lmbda)
    log_x = np.log1p(x)
    x_bar = y_bar * (1.0 + x) ** (lmbda - 1.0)
    lmbda_bar = y_bar * 0.5 * log_x**2 * special.hyp1f1(2.0, 3.0, lmbda * log_x)


def inv_boxcox(x: positive, lmbda: probability):
    y = special.inv_boxcox(x, lmbda)
    log_y = np.log(y)
    rate = y ** (1.0 - lmbda)
    x_bar = y_bar * rate
    lmbda_bar = -(y_bar * 0.5 * rate * log_y**2 * special.hyp1f1(2.0, 3.0, lmbda * log_y))


def inv_boxcox1p(x: positive, lmbda: probability):
    y = special.inv_boxcox1p(x, lmbda)
    log_y = np.log1p(y)
    rate = (1.0 + y) ** (1.0 - lmbda)
    x_bar = y_bar * rate
    lmbda_bar = -(y_bar * 0.5 * rate * log_y**2 * special.hyp1f1(2.0, 3.0, lmbda * log_y))


# ---------------------------------------------------------------------------- entropies


def entr(x: positive):
    """At 0 the derivative is infinite."""
    y = special.entr(x)
    x_bar = -(y_bar * (np.log(x) + 1.0))


def xlogy(x, z: positive):
    """At x = 0, z receives 0, also where z is 0."""
    y = special.xlogy(x, z)
    x_bar = y_bar * np.log(z)
    z_bar = y_bar * x / (z + (x == 0))


def xlog1py(x, z: positive):
    """At x = 0, z receives 0, also where z is -1."""
    y = special.xlog1py(x, z)
    x_bar = y_bar * np.log1p(z)
    z_bar = y_bar * x / (1.0 + z + (x == 0))


def rel_entr(x: positive, z: positive):
    """At x = 0 the derivative is minus infinite; z receives 0, also where z is 0."""
    y = special.rel_entr(x, z)
    x_bar = y_bar * (np.log(x / z) + 1.0)
    z_bar = -(y_bar * x / (z + (x == 0)))


def kl_div(x: positive, z: positive):
    """At x = 0 the derivative is minus infinite."""
    y = special.kl_div(x, z)
    x_bar = y_bar * np.log(x / z)
    z_bar = y_bar * (1.0 - x / (z + (x == 0)))


def huber(delta: above_one, r: apart):
    y = special.huber(delta, r)
    delta_bar = y_bar * np.maximum(np.abs(r) - delta, 0.0)
    r_bar = y_bar * np.clip(r, -delta, delta)


def pseudo_huber(delta: positive, r: nonzero):
    """At r = 0 both receive 0, also where delta is 0."""
    y = special.pseudo_huber(delta, r)
    slant = np.hypot(delta, r) + (r == 0)
    delta_bar = y_bar * (slant - delta - (r == 0)) ** 2 / slant
    r_bar = y_bar * delta * r / slant


# ---------------------------------------------------------------------------- gamma function


def gamma(x: positive):
    """DLMF 5.2.2."""
    y = special.gamma(x)
    x_bar = y_bar * y * special.psi(x)


def gammaln(x: positive):
    y = special.gammaln(x)
    y = special.loggamma(x)
    x_bar = y_bar * special.psi(x)


def rgamma(x: nonzero):
    """Also at 0, -1, -2, ..., where the derivative is (-1)**n n! (DLMF 5.7.1)."""
    y = special.rgamma(x)
    x_bar = y_bar * _rgamma_slope(x)


def psi(x: positive):
    """The trigamma function, as Hurwitz' zeta function (DLMF 25.11.12)."""
    y = special.psi(x)
    x_bar = y_bar * special.zeta(2.0, x)


def polygamma(n: sample(1, 2), x: positive):
    """DLMF 5.15.1."""
    y = special.polygamma(n, x)
    x_bar = y_bar * special.polygamma(n + 1, x)


def multigammaln(a: above_one, d: sample(1, 3)):
    """The logarithm of a product of gamma functions (DLMF 35.3.4)."""
    y = special.multigammaln(a, d)
    a_bar = y_bar * np.sum(special.psi(np.expand_dims(a, -1) - 0.5 * np.arange(d)), axis=-1)


def beta(a: positive, b: positive):
    """DLMF 5.12.1."""
    y = special.beta(a, b)
    a_bar = y_bar * y * (special.psi(a) - special.psi(a + b))
    b_bar = y_bar * y * (special.psi(b) - special.psi(a + b))


def betaln(a: positive, b: positive):
    y = special.betaln(a, b)
    a_bar = y_bar * (special.psi(a) - special.psi(a + b))
    b_bar = y_bar * (special.psi(b) - special.psi(a + b))


def poch(z: positive, m: positive):
    """DLMF 5.2.5."""
    y = special.poch(z, m)
    z_bar = y_bar * y * (special.psi(z + m) - special.psi(z))
    m_bar = y_bar * y * special.psi(z + m)


def binom(n: above_one, k: unit):
    """The binomial coefficient of real numbers, by gamma functions (DLMF 5.4.4)."""
    y = special.binom(n, k)
    n_bar = y_bar * y * (special.psi(n + 1.0) - special.psi(n - k + 1.0))
    k_bar = y_bar * y * (special.psi(n - k + 1.0) - special.psi(k + 1.0))


# ---------------------------------------------------------------------------- integrals


def expi(x: nonzero):
    """DLMF 6.2.5; at 0 minus infinite."""
    y = special.expi(x)
    x_bar = y_bar * np.exp(x) / x


def exp1(x: positive):
    """DLMF 6.2.1."""
    y = special.exp1(x)
    x_bar = -(y_bar * np.exp(-x) / x)


def spence(x: positive):
    """DLMF 25.12.2, in SciPy's variable; at 1 the limit -1."""
    y = special.spence(x)
    x_bar = y_bar * (np.log(x) - (x == 1)) / (1.0 - x + (x == 1))


def owens_t(h, a):
    y = special.owens_t(h, a)
    h_bar = -(y_bar * np.exp(-0.5 * h**2) * special.erf(a * h / 2.0**0.5) / (8.0 * np.pi) ** 0.5)
    a_bar = y_bar * np.exp(-0.5 * h**2 * (1.0 + a**2)) / (2.0 * np.pi * (1.0 + a**2))


# ---------------------------------------------------------------------------- angles in degrees


def sindg(x):
    y = special.sindg(x)
    x_bar = y_bar * (np.pi / 180.0) * special.cosdg(x)


def cosdg(x):
    y = special.cosdg(x)
    x_bar = -(y_bar * (np.pi / 180.0) * special.sindg(x))


def tandg(x):
    y = special.tandg(x)
    x_bar = y_bar * (np.pi / 180.0) * (1.0 + y**2)


def cotdg(x: nonzero):
    y = special.cotdg(x)
    x_bar = -(y_bar * (np.pi / 180.0) * (1.0 + y**2))


# ---------------------------------------------------------------------------- others


def wrightomega(x):
    """The solution of y + log(y) = x."""
    y = special.wrightomega(x)
    x_bar = y_bar * y / (1.0 + y)


def zeta(x: sample(2.0, 3.5), q: positive):
    """Hurwitz' zeta function (DLMF 25.11.17). For x there is no rule."""
    y = special.zeta(x, q)
    q_bar = -(y_bar * x * special.zeta(x + 1.0, q))
