"""Series of orthogonal polynomials by their coefficients: values, derivatives and integrals.

Derivatives and integrals are linear in the coefficients: their matrix is that of np.eye.
"""

FAMILY = "linear"
HOLOMORPHIC = """
legval legder legint chebval chebder chebint
hermval hermder hermint hermeval hermeder hermeint
lagval lagder lagint
"""


# ---------------------------------------------------------------------------- Legendre


def legval(x: shapes((4,), (), (2, 3)), c: (vector, shapes((4,), (2,), (3,)))):
    y = np.polynomial.legendre.legval(x, c)
    y = np.polynomial.Legendre(c)(x)
    x_bar = y_bar * np.polynomial.legendre.legval(x, np.polynomial.legendre.legder(c))
    c_bar = np.dot(np.ravel(y_bar), np.polynomial.legendre.legvander(np.ravel(x), c.size - 1))
    y_dot = x_dot * np.polynomial.legendre.legval(x, np.polynomial.legendre.legder(c))
    y_dot = np.polynomial.legendre.legval(x, c_dot)


def legder(c: (vector, shapes((5,), (4,), (2,))), m: sample(1, 2) = 1):
    y = np.polynomial.legendre.legder(c, m)
    c_bar = np.dot(y_bar, np.polynomial.legendre.legder(np.eye(c.size, dtype=c.dtype), m))


def legint(c: (vector, shapes((4,), (1,))), m: sample(1, 2) = 1):
    y = np.polynomial.legendre.legint(c, m)
    c_bar = np.dot(y_bar, np.polynomial.legendre.legint(np.eye(c.size, dtype=c.dtype), m))


# ---------------------------------------------------------------------------- Chebyshev


def chebval(x: shapes((4,), (), (2, 3)), c: (vector, shapes((4,), (2,), (3,)))):
    y = np.polynomial.chebyshev.chebval(x, c)
    y = np.polynomial.Chebyshev(c)(x)
    x_bar = y_bar * np.polynomial.chebyshev.chebval(x, np.polynomial.chebyshev.chebder(c))
    c_bar = np.dot(np.ravel(y_bar), np.polynomial.chebyshev.chebvander(np.ravel(x), c.size - 1))
    y_dot = x_dot * np.polynomial.chebyshev.chebval(x, np.polynomial.chebyshev.chebder(c))
    y_dot = np.polynomial.chebyshev.chebval(x, c_dot)


def chebder(c: (vector, shapes((5,), (4,), (2,))), m: sample(1, 2) = 1):
    y = np.polynomial.chebyshev.chebder(c, m)
    c_bar = np.dot(y_bar, np.polynomial.chebyshev.chebder(np.eye(c.size, dtype=c.dtype), m))


def chebint(c: (vector, shapes((4,), (1,))), m: sample(1, 2) = 1):
    y = np.polynomial.chebyshev.chebint(c, m)
    c_bar = np.dot(y_bar, np.polynomial.chebyshev.chebint(np.eye(c.size, dtype=c.dtype), m))


# ---------------------------------------------------------------------------- Hermite, of the weight exp(-x**2)


def hermval(x: shapes((4,), (), (2, 3)), c: (vector, shapes((4,), (2,), (3,)))):
    y = np.polynomial.hermite.hermval(x, c)
    y = np.polynomial.Hermite(c)(x)
    x_bar = y_bar * np.polynomial.hermite.hermval(x, np.polynomial.hermite.hermder(c))
    c_bar = np.dot(np.ravel(y_bar), np.polynomial.hermite.hermvander(np.ravel(x), c.size - 1))
    y_dot = x_dot * np.polynomial.hermite.hermval(x, np.polynomial.hermite.hermder(c))
    y_dot = np.polynomial.hermite.hermval(x, c_dot)


def hermder(c: (vector, shapes((5,), (4,), (2,))), m: sample(1, 2) = 1):
    y = np.polynomial.hermite.hermder(c, m)
    c_bar = np.dot(y_bar, np.polynomial.hermite.hermder(np.eye(c.size, dtype=c.dtype), m))


def hermint(c: (vector, shapes((4,), (1,))), m: sample(1, 2) = 1):
    y = np.polynomial.hermite.hermint(c, m)
    c_bar = np.dot(y_bar, np.polynomial.hermite.hermint(np.eye(c.size, dtype=c.dtype), m))


# ---------------------------------------------------------------------------- Hermite, of the weight exp(-x**2 / 2)


def hermeval(x: shapes((4,), (), (2, 3)), c: (vector, shapes((4,), (2,), (3,)))):
    y = np.polynomial.hermite_e.hermeval(x, c)
    y = np.polynomial.HermiteE(c)(x)
    x_bar = y_bar * np.polynomial.hermite_e.hermeval(x, np.polynomial.hermite_e.hermeder(c))
    c_bar = np.dot(np.ravel(y_bar), np.polynomial.hermite_e.hermevander(np.ravel(x), c.size - 1))
    y_dot = x_dot * np.polynomial.hermite_e.hermeval(x, np.polynomial.hermite_e.hermeder(c))
    y_dot = np.polynomial.hermite_e.hermeval(x, c_dot)


def hermeder(c: (vector, shapes((5,), (4,), (2,))), m: sample(1, 2) = 1):
    y = np.polynomial.hermite_e.hermeder(c, m)
    c_bar = np.dot(y_bar, np.polynomial.hermite_e.hermeder(np.eye(c.size, dtype=c.dtype), m))


def hermeint(c: (vector, shapes((4,), (1,))), m: sample(1, 2) = 1):
    y = np.polynomial.hermite_e.hermeint(c, m)
    c_bar = np.dot(y_bar, np.polynomial.hermite_e.hermeint(np.eye(c.size, dtype=c.dtype), m))


# ---------------------------------------------------------------------------- Laguerre


def lagval(x: shapes((4,), (), (2, 3)), c: (vector, shapes((4,), (2,), (3,)))):
    y = np.polynomial.laguerre.lagval(x, c)
    y = np.polynomial.Laguerre(c)(x)
    x_bar = y_bar * np.polynomial.laguerre.lagval(x, np.polynomial.laguerre.lagder(c))
    c_bar = np.dot(np.ravel(y_bar), np.polynomial.laguerre.lagvander(np.ravel(x), c.size - 1))
    y_dot = x_dot * np.polynomial.laguerre.lagval(x, np.polynomial.laguerre.lagder(c))
    y_dot = np.polynomial.laguerre.lagval(x, c_dot)


def lagder(c: (vector, shapes((5,), (4,), (2,))), m: sample(1, 2) = 1):
    y = np.polynomial.laguerre.lagder(c, m)
    c_bar = np.dot(y_bar, np.polynomial.laguerre.lagder(np.eye(c.size, dtype=c.dtype), m))


def lagint(c: (vector, shapes((4,), (1,))), m: sample(1, 2) = 1):
    y = np.polynomial.laguerre.lagint(c, m)
    c_bar = np.dot(y_bar, np.polynomial.laguerre.lagint(np.eye(c.size, dtype=c.dtype), m))
