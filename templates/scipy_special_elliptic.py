"""SciPy's elliptic integrals, complete and incomplete, and symmetric ones. Sections are of the DLMF (dlmf.nist.gov)."""

FAMILY = "elementwise"


def ellipk(m: unit):
    """DLMF 19.4.1, by a hypergeometric function: m = 0 is a point like any other."""
    y = special.ellipk(m)
    rate = special.hyp2f1(0.5, 0.5, 2.0, m).astype(y.dtype)
    m_bar = y_bar * (np.pi / 8.0) * rate / (1.0 - m)


def ellipkm1(p: probability):
    """ellipk(1 - p)."""
    y = special.ellipkm1(p)
    rate = special.hyp2f1(0.5, 0.5, 2.0, 1.0 - p).astype(y.dtype)
    p_bar = -(y_bar * (np.pi / 8.0) * rate / p)


def ellipe(m: unit):
    """DLMF 19.4.2, by a hypergeometric function; at m = 1 minus infinite."""
    y = special.ellipe(m)
    rate = special.hyp2f1(0.5, 0.5, 2.0, m).astype(y.dtype)
    m_bar = y_bar * (np.pi / 8.0 * rate - 0.5 * special.ellipk(m))


def ellipkinc(phi: wild, m: unit):
    """DLMF 19.2.4, 19.4.5."""
    y = special.ellipkinc(phi, m)
    root = np.sqrt(1.0 - m * np.sin(phi) ** 2)
    phi_bar = y_bar / root
    m_bar = y_bar * (y - _legendre_d(phi, m) - 0.5 * np.sin(2.0 * phi) / root) / (2.0 - 2.0 * m)


def ellipeinc(phi: wild, m: unit):
    """DLMF 19.2.5, 19.4.6."""
    y = special.ellipeinc(phi, m)
    phi_bar = y_bar * np.sqrt(1.0 - m * np.sin(phi) ** 2)
    m_bar = -0.5 * y_bar * _legendre_d(phi, m)


def legendre_d(phi: wild, m: unit):
    """DLMF 19.2.6, 19.4.5."""
    y = _legendre_d(phi, m)
    root = np.sqrt(1.0 - m * np.sin(phi) ** 2)
    part = special.ellipkinc(phi, m) - 2.0 * y - 0.5 * np.sin(2.0 * phi) / root
    phi_bar = y_bar * np.sin(phi) ** 2 / root
    m_bar = y_bar * (part + m * y) / (2.0 * m * (1.0 - m))


def elliprf(x: positive, v: positive, z: positive):
    """DLMF 19.18.1."""
    y = special.elliprf(x, v, z)
    x_bar = -(y_bar * special.elliprd(v, z, x) / 6.0)
    v_bar = -(y_bar * special.elliprd(z, x, v) / 6.0)
    z_bar = -(y_bar * special.elliprd(x, v, z) / 6.0)


def elliprg(x: positive, v: positive, z: positive):
    """DLMF 19.18.1, 19.18.4."""
    y = special.elliprg(x, v, z)
    x_bar = y_bar * (special.elliprf(x, v, z) - x * special.elliprd(v, z, x) / 3.0) / 4.0
    v_bar = y_bar * (special.elliprf(x, v, z) - v * special.elliprd(z, x, v) / 3.0) / 4.0
    z_bar = y_bar * (special.elliprf(x, v, z) - z * special.elliprd(x, v, z) / 3.0) / 4.0


def elliprc(x: positive, v: positive):
    """elliprf(x, v, v), of positive v."""
    y = special.elliprc(x, v)
    x_bar = -(y_bar * special.elliprd(v, v, x) / 6.0)
    v_bar = -(y_bar * special.elliprd(x, v, v) / 3.0)


def elliprd(x: positive, v: positive, z: positive):
    """DLMF 19.16.5, differentiated under the integral."""
    y = special.elliprd(x, v, z)
    x_bar = -0.75 * y_bar * _carlson(x, v, z, 1.0, 1, 0, 1, 0)
    v_bar = -0.75 * y_bar * _carlson(x, v, z, 1.0, 0, 1, 1, 0)
    z_bar = -2.25 * y_bar * _carlson(x, v, z, 1.0, 0, 0, 2, 0)


def elliprj(x: positive, v: positive, z: positive, p: positive):
    """DLMF 19.16.2, differentiated under the integral; of positive p."""
    y = special.elliprj(x, v, z, p)
    x_bar = -0.75 * y_bar * _carlson(x, v, z, p, 1, 0, 0, 1)
    v_bar = -0.75 * y_bar * _carlson(x, v, z, p, 0, 1, 0, 1)
    z_bar = -0.75 * y_bar * _carlson(x, v, z, p, 0, 0, 1, 1)
    p_bar = -1.5 * y_bar * _carlson(x, v, z, p, 0, 0, 0, 2)


def carlson(
    x: positive,
    v: positive,
    z: positive,
    p: positive,
    i: (integer, sample(0)),
    j: (integer, sample(1)),
    k: (integer, sample(1)),
    n: (integer, sample(0, 1)),
):
    """The printed function, for a derivative that is differentiated again."""
    y = _carlson(x, v, z, p, i, j, k, n)
    x_bar = -(y_bar * (i + 0.5) * _carlson(x, v, z, p, i + 1, j, k, n))
    v_bar = -(y_bar * (j + 0.5) * _carlson(x, v, z, p, i, j + 1, k, n))
    z_bar = -(y_bar * (k + 0.5) * _carlson(x, v, z, p, i, j, k + 1, n))
    p_bar = -(y_bar * n * _carlson(x, v, z, p, i, j, k, n + 1))
