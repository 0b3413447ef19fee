"""SciPy's special functions with an order or parameters beside the variable.

No closed form gives the derivative with respect to most of these parameters: for those there is
no rule. Sections are of the DLMF (dlmf.nist.gov).
"""

FAMILY = "elementwise"
HOLOMORPHIC = "jv yv iv kv hyp0f1 hyp1f1 hyp2f1 spherical_jn spherical_yn"

# ---------------------------------------------------------------------------- Bessel functions


def j0(x):
    """DLMF 10.6.3."""
    y = special.j0(x)
    x_bar = -(y_bar * special.j1(x))


def j1(x):
    """DLMF 10.6.1, which at 0 has nothing to divide by."""
    y = special.j1(x)
    x_bar = y_bar * 0.5 * (special.j0(x) - special.jv(2, x))


EACH = "jv jve yv yve"


def each(v: sample(1, 2.5), z: positive):
    """DLMF 10.6.1; scaled ones by what is 1 for real z."""
    y = special.each(v, z)
    z_bar = y_bar * 0.5 * (special.each(v - 1, z) - special.each(v + 1, z))


def y0(x: positive):
    """DLMF 10.6.3."""
    y = special.y0(x)
    x_bar = -(y_bar * special.y1(x))


def y1(x: positive):
    """DLMF 10.6.1."""
    y = special.y1(x)
    x_bar = y_bar * 0.5 * (special.y0(x) - special.yv(2, x))


def yn(n: sample(0, 2), x: positive):
    """DLMF 10.6.1."""
    y = special.yn(n, x)
    x_bar = y_bar * 0.5 * (special.yn(n - 1, x) - special.yn(n + 1, x))


def i0(x):
    """DLMF 10.29.3."""
    y = special.i0(x)
    x_bar = y_bar * special.i1(x)


def i1(x):
    """DLMF 10.29.1, which at 0 has nothing to divide by."""
    y = special.i1(x)
    x_bar = y_bar * 0.5 * (special.i0(x) + special.iv(2, x))


def iv(v: sample(1, 2.5), z: positive):
    """DLMF 10.29.1."""
    y = special.iv(v, z)
    z_bar = y_bar * 0.5 * (special.iv(v - 1, z) + special.iv(v + 1, z))


def i0e(x: nonzero):
    """DLMF 10.29.3; at 0, between the slopes -1 and 1, the derivative is taken as 0."""
    y = special.i0e(x)
    x_bar = y_bar * (special.i1e(x) - np.sign(x) * y)


def i1e(x: nonzero):
    """DLMF 10.29.1."""
    y = special.i1e(x)
    x_bar = y_bar * (0.5 * (special.i0e(x) + special.ive(2, x)) - np.sign(x) * y)


def ive(v: sample(1, 2.5), z: positive):
    """DLMF 10.29.1."""
    y = special.ive(v, z)
    z_bar = y_bar * (0.5 * (special.ive(v - 1, z) + special.ive(v + 1, z)) - np.sign(z) * y)


def k0(x: positive):
    """DLMF 10.29.3."""
    y = special.k0(x)
    x_bar = -(y_bar * special.k1(x))


def k1(x: positive):
    """DLMF 10.29.1."""
    y = special.k1(x)
    x_bar = -(y_bar * 0.5 * (special.k0(x) + special.kv(2, x)))


def kv(v: sample(1, 2.5), z: positive):
    """DLMF 10.29.1."""
    y = special.kv(v, z)
    z_bar = -(y_bar * 0.5 * (special.kv(v - 1, z) + special.kv(v + 1, z)))


def kn(n: sample(1, 3), x: positive):
    """DLMF 10.29.1."""
    y = special.kn(n, x)
    x_bar = -(y_bar * 0.5 * (special.kv(n - 1, x) + special.kv(n + 1, x)))


def k0e(x: positive):
    """DLMF 10.29.3."""
    y = special.k0e(x)
    x_bar = y_bar * (y - special.k1e(x))


def k1e(x: positive):
    """DLMF 10.29.1."""
    y = special.k1e(x)
    x_bar = y_bar * (y - 0.5 * (special.k0e(x) + special.kve(2, x)))


def kve(v: sample(1, 2.5), z: positive):
    """DLMF 10.29.1."""
    y = special.kve(v, z)
    z_bar = y_bar * (y - 0.5 * (special.kve(v - 1, z) + special.kve(v + 1, z)))


# ---------------------------------------------------------------------------- spherical Bessel


EACH = "jn yn in kn"


def spherical_each(n: sample(0, 2), z: positive, derivative: false = False):
    """DLMF 10.51.2 and 10.51.5."""
    y = special.spherical_each(n, z, derivative)
    z_bar = y_bar * special.spherical_each(n, z, True)


EACH = "jn yn"


def spherical_each_slope(n: sample(0, 2), z: positive, derivative: true):
    """DLMF 10.51.1."""
    y = special.spherical_each(n, z, derivative)
    upper = (n + 1) * special.spherical_each(n + 1, z, True)
    z_bar = y_bar * (n * special.spherical_each(n - (n > 0), z, True) - upper) / (2 * n + 1)


def spherical_in_slope(n: sample(0, 2), z: positive, derivative: true):
    """DLMF 10.51.4."""
    y = special.spherical_in(n, z, derivative)
    upper = (n + 1) * special.spherical_in(n + 1, z, True)
    z_bar = y_bar * (n * special.spherical_in(n - (n > 0), z, True) + upper) / (2 * n + 1)


def spherical_kn_slope(n: sample(0, 2), z: positive, derivative: true):
    """DLMF 10.51.4."""
    y = special.spherical_kn(n, z, derivative)
    upper = (n + 1) * special.spherical_kn(n + 1, z, True)
    z_bar = -(y_bar * (n * special.spherical_kn(n - (n > 0), z, True) + upper) / (2 * n + 1))


# ---------------------------------------------------------------------------- polynomials


def eval_legendre(n: sample(1, 3), x: unit):
    """By a Gegenbauer polynomial (DLMF 18.9.19): -1 and 1 are points like any other."""
    y = special.eval_legendre(n, x)
    x_bar = y_bar * special.eval_gegenbauer(n - 1, 1.5, x)


def eval_jacobi(n: sample(1, 3), alpha: sample(0.5), beta: sample(1.5), x: unit):
    """DLMF 18.9.15."""
    y = special.eval_jacobi(n, alpha, beta, x)
    rate = 0.5 * (n > 0) * (n + alpha + beta + 1.0)
    x_bar = y_bar * rate * special.eval_jacobi(n - (n > 0), alpha + 1.0, beta + 1.0, x)


def eval_chebyt(n: sample(1, 3), x: unit):
    """DLMF 18.9.21."""
    y = special.eval_chebyt(n, x)
    x_bar = y_bar * n * special.eval_chebyu(n - 1, x)


def eval_chebyu(n: sample(1, 3), x: unit):
    """By a Gegenbauer polynomial (DLMF 18.7.4, 18.9.19)."""
    y = special.eval_chebyu(n, x)
    x_bar = y_bar * 2.0 * special.eval_gegenbauer(n - 1, 2.0, x)


def eval_gegenbauer(n: sample(1, 3), alpha: sample(1.5), x: unit):
    """DLMF 18.9.19."""
    y = special.eval_gegenbauer(n, alpha, x)
    x_bar = y_bar * 2.0 * alpha * special.eval_gegenbauer(n - 1, alpha + 1.0, x)


def eval_hermite_0(n: (zero, sample(0)), x):
    y = special.eval_hermite(n, x)
    y = special.eval_hermitenorm(n, x)


def eval_hermite(n: sample(1, 3), x):
    """DLMF 18.9.25."""
    y = special.eval_hermite(n, x)
    x_bar = y_bar * 2.0 * n * special.eval_hermite(n - (n > 0), x)


def eval_hermitenorm(n: sample(1, 3), x):
    """DLMF 18.9.27."""
    y = special.eval_hermitenorm(n, x)
    x_bar = y_bar * n * special.eval_hermitenorm(n - (n > 0), x)


def eval_laguerre(n: sample(1, 3), x):
    """DLMF 18.9.23."""
    y = special.eval_laguerre(n, x)
    x_bar = -(y_bar * special.eval_genlaguerre(n - 1, 1.0, x))


def eval_genlaguerre(n: sample(1, 3), alpha: sample(0.5), x):
    """DLMF 18.9.23."""
    y = special.eval_genlaguerre(n, alpha, x)
    x_bar = -(y_bar * special.eval_genlaguerre(n - 1, alpha + 1.0, x))


# ---------------------------------------------------------------------------- hypergeometric


def hyp0f1(v: sample(1.5), z):
    """DLMF 16.3.1."""
    y = special.hyp0f1(v, z)
    z_bar = y_bar * special.hyp0f1(v + 1.0, z) / v


def hyp1f1(a: sample(0.5, 2.0), b: sample(1.5), x):
    """DLMF 13.3.15."""
    y = special.hyp1f1(a, b, x)
    x_bar = y_bar * (a / b) * special.hyp1f1(a + 1.0, b + 1.0, x)


def hyp2f1(a: sample(0.5), b: sample(1.0, 0.5), c: sample(2.0), z: unit):
    """DLMF 15.5.1."""
    y = special.hyp2f1(a, b, c, z)
    z_bar = y_bar * (a * b / c) * special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, z)


def hyperu(a: sample(0.5, 1.0), b: sample(1.5), x: positive):
    """DLMF 13.3.22."""
    y = special.hyperu(a, b, x)
    x_bar = -(y_bar * a * special.hyperu(a + 1.0, b + 1.0, x))


def wright_bessel(a: sample(0.5), b: sample(1.5), x: positive):
    """The defining series, term by term (DLMF 10.46.1)."""
    y = special.wright_bessel(a, b, x)
    x_bar = y_bar * special.wright_bessel(a, b + a, x)


def expn(n: sample(1, 3), x: positive):
    """DLMF 8.19.13; 8.19.2 where n is 0."""
    y = special.expn(n, x)
    x_bar = -(y_bar * np.where(n == 0, y + y / x, special.expn(n - (n > 0), x)))


def expn_number(n: (positive_number, sample(1, 3)), x: positive):
    """DLMF 8.19.13."""
    y = special.expn(n, x)
    x_bar = -(y_bar * special.expn(n - 1, x))


def expn_0(n: zero, x: positive):
    """DLMF 8.19.2."""
    y = special.expn(n, x)
    x_bar = -(y_bar * (y + y / x))


def lpmv(m: sample(0, 1), v: sample(2.0, 3.0), x: unit):
    """DLMF 14.10.5. At -1 and 1 it divides by zero: nan."""
    y = special.lpmv(m, v, x)
    rise = (v + 1.0) * x * y - (v - m + 1.0) * special.lpmv(m, v + 1.0, x)
    x_bar = y_bar * rise / (1.0 - x**2)
