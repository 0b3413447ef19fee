"""NumPy's classes of polynomials and of other series."""

# mypy: ignore-errors

import numpy as np
from numpy import polynomial
from numpy.polynomial import polyutils


def as_series(alist, trim=True):
    """Return series as arrays of floats, without the zeros at their ends if that is asked for."""
    made = [np.atleast_1d(each) * 1.0 for each in alist]
    return [_trimmed(each, "b") for each in made] if trim else made


def _trimmed(coefficients, side):
    """Return coefficients without the zeros at a side, at least one."""
    places = np.flatnonzero(coefficients)
    if len(places) == 0:
        return coefficients[:1]
    return coefficients[: places[-1] + 1] if side == "b" else coefficients[places[0] :]


class Poly1d:
    """np.poly1d: coefficients, the highest first."""

    def __init__(self, c_or_r, r=False, variable=None):
        """Hold coefficients without the zeros in front, or those of given roots."""
        given = np.poly(c_or_r) if r else np.atleast_1d(c_or_r)
        self.coeffs = _trimmed(given, "f")
        self.variable = "x" if variable is None else variable

    @property
    def order(self):
        """Return the highest power."""
        return len(self.coeffs) - 1

    @property
    def roots(self):
        """Return where it is 0."""
        return np.roots(self.coeffs)

    c = coef = coefficients = property(lambda self: self.coeffs)
    o = order
    r = roots

    def __len__(self):
        """Return the highest power."""
        return self.order

    def __call__(self, val):
        """Return its value."""
        return np.polyval(self.coeffs, val)

    def __getitem__(self, val):
        """Return the coefficient of a power."""
        return self.coeffs[self.order - val] if 0 <= val <= self.order else 0.0

    def deriv(self, m=1):
        """Return the m-th derivative."""
        return Poly1d(np.polyder(self.coeffs, m))

    def integ(self, m=1):
        """Return the m-th antiderivative, with nothing added."""
        return Poly1d(np.polyint(self.coeffs, m))

    def __neg__(self):
        """Return it with the other sign."""
        return Poly1d(-self.coeffs)

    def __add__(self, other):
        """Return a sum."""
        return Poly1d(np.polyadd(self.coeffs, _coefficients(other)))

    def __sub__(self, other):
        """Return a difference."""
        return Poly1d(np.polysub(self.coeffs, _coefficients(other)))

    def __rsub__(self, other):
        """Return a difference."""
        return Poly1d(np.polysub(_coefficients(other), self.coeffs))

    def __mul__(self, other):
        """Return a product."""
        return Poly1d(np.polymul(self.coeffs, _coefficients(other)))

    __radd__ = __add__
    __rmul__ = __mul__


def _coefficients(other):
    """Return the coefficients of a polynomial, or what stands for them."""
    return other.coeffs if isinstance(other, Poly1d) else np.atleast_1d(other)


class Series:
    """A series of numpy.polynomial: coefficients, the lowest first, and an interval."""

    whole = (-1.0, 1.0)

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        """Hold coefficients, and the interval that is mapped to the window."""
        self.coef = np.atleast_1d(coef) * 1.0
        self.domain = np.array(self.whole) if domain is None else np.asarray(domain) * 1.0
        self.window = np.array(self.whole) if window is None else np.asarray(window) * 1.0
        self.symbol = symbol
        self.is_mapped = domain is not None or window is not None

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        """Return the series nearest to values at places, on the interval of these."""
        if full:
            raise ValueError("full=True is not differentiated")
        window = np.array(cls.whole) if window is None else np.asarray(window) * 1.0
        if domain is None:
            domain = np.array([np.min(x), np.max(x)])
        domain = window if len(domain) == 0 else np.asarray(domain) * 1.0
        places = polyutils.mapdomain(x, domain, window)
        return cls(cls._nearest(places, y, deg, rcond, w), domain, window, symbol)

    @classmethod
    def _nearest(cls, places, y, deg, rcond, w):
        """Return the coefficients of least squares."""
        return cls._fit(places, y, deg, rcond=rcond, w=w)

    @classmethod
    def basis(cls, deg, domain=None, window=None, symbol="x"):
        """Return one polynomial of the series."""
        return cls([0.0] * deg + [1.0], domain, window, symbol)

    def mapparms(self):
        """Return offset and scale of the map to the window."""
        return polyutils.mapparms(self.domain, self.window) if self.is_mapped else (0.0, 1.0)

    def _with(self, coef):
        """Return a series of other coefficients."""
        made = type(self)(coef)
        made.domain, made.window = self.domain, self.window
        made.symbol, made.is_mapped = self.symbol, self.is_mapped
        return made

    def __call__(self, arg):
        """Return its value."""
        if self.is_mapped:
            offset, scale = self.mapparms()
            arg = offset + scale * arg
        return self._val(arg, self.coef)

    def __len__(self):
        """Return how many coefficients there are."""
        return len(self.coef)

    def degree(self):
        """Return the highest power."""
        return len(self.coef) - 1

    def copy(self):
        """Return it again."""
        return self._with(self.coef.copy())

    def deriv(self, m=1):
        """Return the m-th derivative: a matrix times the coefficients."""
        _, scale = self.mapparms()
        return self._with(self._der(np.eye(len(self.coef)), m, scale) @ self.coef)

    def integ(self, m=1, k=(), lbnd=None):
        """Return the m-th antiderivative: a matrix times the coefficients, and what is added."""
        offset, scale = self.mapparms()
        lower = 0.0 if lbnd is None else offset + scale * lbnd
        basis = np.eye(len(self.coef))
        coef = self._int(basis, m, (), lower, 1.0 / scale) @ self.coef
        if not (isinstance(k, tuple) and len(k) == 0):
            coef = coef + self._int(basis[0] * 0.0, m, k, lower, 1.0 / scale)
        return self._with(coef)

    def linspace(self, n=100, domain=None):
        """Return points of the interval, and the values there."""
        first, last = self.domain if domain is None else domain
        points = np.linspace(first, last, n)
        return points, self(points)

    def __neg__(self):
        """Return it with the other sign."""
        return self._with(-self.coef)

    def __add__(self, other):
        """Return a sum."""
        return self._with(self._add(self.coef, self._of(other)))

    def __sub__(self, other):
        """Return a difference."""
        return self._with(self._sub(self.coef, self._of(other)))

    def __rsub__(self, other):
        """Return a difference."""
        return self._with(self._sub(self._of(other), self.coef))

    def __mul__(self, other):
        """Return a product."""
        if not isinstance(other, Series) and np.ndim(other) == 0:
            return self._with(self.coef * other)
        return self._with(self._mul(self.coef, self._of(other)))

    def __truediv__(self, other):
        """Return a part."""
        return self._with(self.coef / other)

    def _of(self, other):
        """Return the coefficients of a series, or what stands for them."""
        return other.coef if isinstance(other, Series) else np.atleast_1d(other) * 1.0

    __radd__ = __add__
    __rmul__ = __mul__


def _functions(cls):
    """Return NumPy's functions of the coefficients of a class of series."""
    words = ("val", "der", "int", "add", "sub", "mul", "fit")
    return (vars(cls)[f"_{word}"] for word in words)


class Polynomial(Series):
    """A series of powers."""

    @classmethod
    def _nearest(cls, places, y, deg, rcond, w):
        """Return the coefficients of least squares, by np.polyfit where it takes the same."""
        if rcond is None and isinstance(deg, int):
            return np.polyfit(places, y, deg, w=w)[::-1]
        return cls._fit(places, y, deg, rcond=rcond, w=w)

    def convert(self):
        """Return it in powers of the place itself, by Horner's scheme."""
        offset, scale = self.mapparms()
        line = np.array([offset, scale])
        coef = self.coef[-1:]
        for each in self.coef[-2::-1]:
            coef = np.convolve(coef, line)
            coef[0] += each
        return type(self)(coef)

    _val, _der, _int, _add, _sub, _mul, _fit = _functions(polynomial.Polynomial)


class Chebyshev(Series):
    """A series of Chebyshev polynomials."""

    _val, _der, _int, _add, _sub, _mul, _fit = _functions(polynomial.Chebyshev)


class Legendre(Series):
    """A series of Legendre polynomials."""

    _val, _der, _int, _add, _sub, _mul, _fit = _functions(polynomial.Legendre)


class Hermite(Series):
    """A series of Hermite polynomials."""

    _val, _der, _int, _add, _sub, _mul, _fit = _functions(polynomial.Hermite)


class HermiteE(Series):
    """A series of Hermite polynomials of probability."""

    _val, _der, _int, _add, _sub, _mul, _fit = _functions(polynomial.HermiteE)


class Laguerre(Series):
    """A series of Laguerre polynomials."""

    _val, _der, _int, _add, _sub, _mul, _fit = _functions(polynomial.Laguerre)
    whole = (0.0, 1.0)


SERIES = {
    getattr(polynomial, each.__name__): each
    for each in (Polynomial, Chebyshev, Legendre, Hermite, HermiteE, Laguerre)
}
