"""Twins of SciPy's special functions, for parameters with respect to which no closed form is known."""

FAMILY = "twin"


def zeta_of_exponent(x: (above_one, shapes((3,), ())), q: (positive, shapes((3,), ()))):
    """By Euler and Maclaurin's formula (DLMF 25.11.28), of x above 1 and positive q."""
    y = special.zeta(x, q)
    twin = _hurwitz_zeta(x, q)


def riemann_zeta(x: (above_one, shapes((3,), ()))):
    y = special.zeta(x)
    twin = _hurwitz_zeta(x, 1.0)
