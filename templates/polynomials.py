"""Polynomials by their coefficients, of which NumPy has two orders."""

FAMILY = "linear"
HOLOMORPHIC = """
polyval polyval_at_points polyval_ascending polyder polyder_often polyder_ascending polyint
polyint_often polyint_ascending polyadd polysub vander vander_of_degree
"""


def polyval(p: (row, shapes((3,), (4,), (1,), (3,))), x: shapes((4,), (), (3,), (2, 3))):
    y = np.polyval(p, x)
    y = np.poly1d(p)(x)
    p_bar = np.dot(np.ravel(y_bar), _powers(x, len(p)))
    x_bar = y_bar * _polyval_slope(p, x)
    y_dot = np.polyval(p_dot, x)
    y_dot = x_dot * _polyval_slope(p, x)


def polyval_at_points(p: (vector, shapes((3,), (1,))), x: (vector, precise, shapes((4,), (3,)))):
    y = np.polyval(p, x)
    p_bar = np.dot(y_bar, np.vander(x, p.size))
    x_bar = y_bar * np.polyval(np.polyder(p), x)
    y_dot = np.polyval(p_dot, x)
    y_dot = x_dot * np.polyval(np.polyder(p), x)


def polyval_ascending(x: shapes((4,), (), (2, 3)), c: (vector, shapes((3,), (2,), (1,)))):
    y = np.polynomial.polynomial.polyval(x, c)
    y = np.polynomial.Polynomial(c)(x)
    x_bar = y_bar * _polyval_slope(c[::-1], x)
    c_bar = np.dot(np.ravel(y_bar), _powers(x, len(c)))[::-1]
    y_dot = x_dot * _polyval_slope(c[::-1], x)
    y_dot = np.polyval(c_dot[::-1], x)


def polyder(p: (vector, shapes((4,), (1,), (2,)))):
    y = np.polyder(p)
    y = np.polyder(p, 1)
    p_bar = np.append(np.arange(p.size - 1.0, 0.0, -1.0) * y_bar, 0.0)


def polyder_often(p: (vector, shapes((5,), (4,), (2,))), m: (integer, sample(2, 3))):
    y = np.polyder(p, m)
    p_bar = np.append(y_bar * _falling(p.size, m)[: y.size], np.zeros(min(m, p.size)))


def polyint(p: (vector, shapes((4,), (1,)))):
    y = np.polyint(p)
    y = np.polyint(p, 1)
    p_bar = y_bar[:-1] / np.arange(p.size, 0, -1)


def polyint_often(p: (vector, shapes((4,), (1,))), m: (integer, sample(2, 3))):
    y = np.polyint(p, m)
    p_bar = y_bar[: p.size] / _falling(p.size + m, m)[: p.size]


def polyder_ascending(c: (vector, shapes((5,), (4,), (2,))), m: sample(1, 2) = 1):
    y = np.polynomial.polynomial.polyder(c, m)
    c_bar = np.dot(y_bar, np.polynomial.polynomial.polyder(np.eye(c.size, dtype=c.dtype), m))


def polyint_ascending(c: (vector, shapes((4,), (1,))), m: sample(1, 2) = 1):
    y = np.polynomial.polynomial.polyint(c, m)
    c_bar = np.dot(y_bar, np.polynomial.polynomial.polyint(np.eye(c.size, dtype=c.dtype), m))


def polyadd(a1: (vector, shapes((4,), (2,), (3,))), a2: (vector, shapes((2,), (4,), (3,)))):
    y = np.polyadd(a1, a2)
    a1_bar = y_bar[y.size - a1.size :]
    a2_bar = y_bar[y.size - a2.size :]
    y_dot = np.polyadd(a1_dot, np.zeros_like(a2))
    y_dot = np.polyadd(np.zeros_like(a1), a2_dot)


def polysub(a1: (vector, shapes((4,), (2,), (3,))), a2: (vector, shapes((2,), (4,), (3,)))):
    y = np.polysub(a1, a2)
    a1_bar = y_bar[y.size - a1.size :]
    a2_bar = -y_bar[y.size - a2.size :]
    y_dot = np.polysub(a1_dot, np.zeros_like(a2))
    y_dot = np.polysub(np.zeros_like(a1), a2_dot)


def polymul(a1: (vector, shapes((4,), (2,), (3,))), a2: (vector, shapes((2,), (4,), (3,)))):
    """NumPy leaves leading zeros out: they receive what a small number there would."""
    y = np.polymul(a1, a2)
    whole = np.pad(y_bar, (a1.size + a2.size - 1 - y.size, 0))
    a1_bar = np.correlate(whole, a2, "valid")
    a2_bar = np.correlate(whole, a1, "valid")
    y_dot = np.convolve(a1_dot, a2)[-y.size :]
    y_dot = np.convolve(a1, a2_dot)[-y.size :]


def roots(p: (vector, nonzero, shapes((3,), (4,)))):
    """Of single roots."""
    y = np.roots(p)
    slope = np.polyval(np.polyder(p), y)
    p_bar = -np.dot(y_bar / slope, np.vander(y, p.size))
    y_dot = -np.polyval(p_dot, y) / slope


def poly(seq_of_zeros: (vector, distinct, shapes((3,), (4,)))):
    y = np.poly(seq_of_zeros)
    seq_of_zeros_bar = _poly_bar(y_bar, seq_of_zeros)
    y_dot = _poly_dot(seq_of_zeros, seq_of_zeros_dot)


def vander(x: (vector, shapes((3,), (4,)))):
    y = np.vander(x)
    x_bar = np.sum(y_bar * _vander_slope(x, x.size, False), axis=1)
    y_dot = np.expand_dims(x_dot, 1) * _vander_slope(x, x.size, False)


def vander_of_degree(
    x: (vector, shapes((3,), (4,))),
    N: (integer, sample(3, 1)),
    increasing: sample(True, False) = False,
):
    y = np.vander(x, N, increasing)
    x_bar = np.sum(y_bar * _vander_slope(x, N, increasing), axis=1)
    y_dot = np.expand_dims(x_dot, 1) * _vander_slope(x, N, increasing)


def polyfit(
    x: (vector, increasing, shapes((4,), (5,))),
    z: (vector, shapes((4,), (5,))),
    deg: (integer, sample(1, 2)),
):
    """The solution of least squares; Golub and Pereyra, 1973."""
    y = np.polyfit(x, z, deg)
    back = _least_norm(np.vander(x, deg + 1), y_bar)
    again = np.polyfit(x, back, deg)
    slope = np.polyval(np.polyder(y), x)
    x_bar = (z - np.polyval(y, x)) * np.polyval(np.polyder(again), x) - back * slope
    z_bar = back
    y_dot = _polyfit_dot(x, x_dot, z, y)
    y_dot = np.polyfit(x, z_dot, deg)


# ---------------------------------------------------------------------------- made before


def polynomial_in_powers(p: (of(np.poly1d), one_row), x):
    y = p(x)
    x_bar = y_bar * np.polyval(np.polyder(p.coeffs), x)
    y_dot = x_dot * np.polyval(np.polyder(p.coeffs), x)


def polynomial(p: (of(np.polynomial._polybase.ABCPolyBase), one_row), x):
    y = p(x)
    x_bar = y_bar * p.deriv()(x)
    y_dot = x_dot * p.deriv()(x)


def polynomial_derived(
    p: (of(np.polynomial._polybase.ABCPolyBase), one_row), x, m: sample(1, 2) = 1
):
    y = p.deriv(m)(x)
    x_bar = y_bar * p.deriv(m + 1)(x)
    y_dot = x_dot * p.deriv(m + 1)(x)
