"""SciPy's elliptic integrals, complete and incomplete. Sections are of the DLMF (dlmf.nist.gov)."""

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
