"""SciPy's special functions that give complex values, of real operands too."""

FAMILY = "elementwise"
HOLOMORPHIC = """
wofz lambertw hankel1 hankel2 loggamma
"""


def wofz(z):
    """The Faddeeva function (DLMF 7.10.2)."""
    y = special.wofz(z)
    z_bar = y_bar * (2j / np.pi**0.5 - 2.0 * z * y)


def lambertw(z: positive, k: (integer, sample(0)) = 0):
    """The derivative of the inverse of w * np.exp(w) (DLMF 4.13.4); infinite at -1/e."""
    y = special.lambertw(z, k)
    z_bar = y_bar / (z + np.exp(y))


EACH = "hankel1 hankel2"


def each(v: sample(1, 2.5), z: positive):
    """DLMF 10.6.1."""
    y = special.each(v, z)
    z_bar = y_bar * 0.5 * (special.each(v - 1, z) - special.each(v + 1, z))


def loggamma(z: complex):
    """DLMF 5.2.2."""
    y = special.loggamma(z)
    z_bar = y_bar * special.psi(z)
