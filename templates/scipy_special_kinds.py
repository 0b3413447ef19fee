"""SciPy's relatives of the Bessel functions: Struve's, Kelvin's, and derivatives of any order.

Sections are of the DLMF (dlmf.nist.gov). Orders have no derivative.
"""

FAMILY = "elementwise"


def struve(v: sample(1, 0, 1.5), x: positive):
    """DLMF 11.4.23 and 11.4.24."""
    y = special.struve(v, x)
    x_bar = (
        y_bar * 0.5 * (_struve_slope(v, x) + special.struve(v - 1, x) - special.struve(v + 1, x))
    )


def modstruve(v: sample(1, 0, 1.5), x: positive):
    """DLMF 11.4.25 and 11.4.26."""
    y = special.modstruve(v, x)
    x_bar = (
        y_bar
        * 0.5
        * (_struve_slope(v, x) + special.modstruve(v - 1, x) + special.modstruve(v + 1, x))
    )


def struve_slope(v: sample(1, 0, 1.5), x: positive):
    """The printed function, for a derivative that is differentiated again."""
    y = _struve_slope(v, x)
    x_bar = y_bar * v * y / x


# ---------------------------------------------------------------------------- Kelvin functions


def ber(x):
    y = special.ber(x)
    x_bar = y_bar * special.berp(x)


def bei(x):
    y = special.bei(x)
    x_bar = y_bar * special.beip(x)


def ker(x: positive):
    y = special.ker(x)
    x_bar = y_bar * special.kerp(x)


def kei(x: positive):
    y = special.kei(x)
    x_bar = y_bar * special.keip(x)


def berp(x: nonzero):
    """DLMF 10.61.3."""
    y = special.berp(x)
    x_bar = -(y_bar * (special.bei(x) + y / x))


def beip(x: nonzero):
    """DLMF 10.61.3."""
    y = special.beip(x)
    x_bar = y_bar * (special.ber(x) - y / x)


def kerp(x: positive):
    """DLMF 10.61.3."""
    y = special.kerp(x)
    x_bar = -(y_bar * (special.kei(x) + y / x))


def keip(x: positive):
    """DLMF 10.61.3."""
    y = special.keip(x)
    x_bar = y_bar * (special.ker(x) - y / x)


# ---------------------------------------------------------------------------- derivatives


EACH = "jvp yvp ivp kvp"


def each(v: sample(1, 2), z: positive, n: sample(2) = 1):
    y = special.each(v, z, n)
    z_bar = y_bar * special.each(v, z, n + 1)
