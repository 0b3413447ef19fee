"""SciPy's special functions that give complex values, of real operands too."""

FAMILY = "elementwise"
HOLOMORPHIC = """
wofz lambertw
"""


def wofz(z):
    """The Faddeeva function (DLMF 7.10.2)."""
    y = special.wofz(z)
    z_bar = y_bar * (2j / np.pi**0.5 - 2.0 * z * y)


def lambertw(z: positive, k: (integer, sample(0)) = 0):
    """The derivative of the inverse of w * np.exp(w) (DLMF 4.13.4); infinite at -1/e."""
    y = special.lambertw(z, k)
    z_bar = y_bar / (z + np.exp(y))
