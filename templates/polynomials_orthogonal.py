"""Series of orthogonal polynomials by their coefficients: values, derivatives and integrals.

Derivatives and integrals are linear in the coefficients: their matrix is that of np.eye.
"""

FAMILY = "linear"
HOLOMORPHIC = """
legval legder legint chebval chebder chebint
hermval hermder hermint hermeval hermeder hermeint
lagval lagder lagint
"""


# ---------------------------------------------------------------------------- values

# Hermite's of the weight exp(-x**2), and (hermite_e) of exp(-x**2 / 2)
EACH = """
each:module:Series:slope:powers
legval:legendre:Legendre:legder:legvander
chebval:chebyshev:Chebyshev:chebder:chebvander
hermval:hermite:Hermite:hermder:hermvander
hermeval:hermite_e:HermiteE:hermeder:hermevander
lagval:laguerre:Laguerre:lagder:lagvander
"""


def each(x: shapes((4,), (), (2, 3)), c: (vector, shapes((4,), (2,), (3,)))):
    y = np.polynomial.module.each(x, c)
    y = np.polynomial.Series(c)(x)
    x_bar = y_bar * np.polynomial.module.each(x, np.polynomial.module.slope(c))
    c_bar = np.dot(np.ravel(y_bar), np.polynomial.module.powers(np.ravel(x), c.size - 1))
    y_dot = x_dot * np.polynomial.module.each(x, np.polynomial.module.slope(c))
    y_dot = np.polynomial.module.each(x, c_dot)


# ---------------------------------------------------------------------------- derivatives and integrals

EACH = """
each:module
legder:legendre legint:legendre
chebder:chebyshev chebint:chebyshev
hermder:hermite hermint:hermite
hermeder:hermite_e hermeint:hermite_e
lagder:laguerre lagint:laguerre
"""


def each(c: (vector, shapes((5,), (4,), (2,), (1,))), m: sample(1, 2) = 1):
    y = np.polynomial.module.each(c, m)
    c_bar = np.dot(y_bar, np.polynomial.module.each(np.eye(c.size, dtype=c.dtype), m))
