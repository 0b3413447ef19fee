"""Functions of NumPy that call another for each number or row, and of SciPy that are made of others."""

# mypy: ignore-errors

import math
from typing import Any

import numpy as np

from s2sad.operators.marks import of_one_kind
from s2sad.prelude.mappings import Namespace
from s2sad.prelude.rotations import Rotation

# of functions of one row or two, by the names that are usual
OF_ROWS = ("(n)->()", "(n)->(n)", "(n)->(m)", "(n),(n)->()", "(n),(n)->(n)", "(n),(m)->()")
OF_ROWS = (*OF_ROWS, "(m)->()", "(i)->()", "(d)->()", "(m),(m)->()", "(i),(i)->()", "(d),(d)->()")


class Vectorized:
    """A function of numbers as one of arrays: it is called for each element."""

    def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        """Hold a function; options that say what it takes or gives are not followed."""
        if excluded is not None:
            raise NotImplementedError("np.vectorize with excluded arguments")
        if signature is not None and signature not in OF_ROWS:
            raise NotImplementedError("np.vectorize with a signature other than (n)->() of rows")
        if otypes is not None and len(otypes) != 1:
            raise NotImplementedError("np.vectorize of a function that gives several results")
        self.pyfunc = pyfunc
        self.otypes = otypes
        self.signature = signature

    def __call__(self, *args, **named):
        """Return what the function gives for each element of the arguments."""
        kind = None if self.otypes is None else self.otypes[0]
        return for_arrays(self.pyfunc, kind, self.signature, *args, **named)


def for_arrays(pyfunc, kind, signature, *args, **named):
    """Return what a function gives for each element of arrays, or each row, as numbers of a kind."""
    function = by_place(pyfunc, tuple(named)) if named else pyfunc
    arrays = (*args, *named.values())
    if signature is not None:
        return for_each_row(function, *arrays)
    if kind is not None:
        return for_each_as(function, kind, *arrays)
    return for_each(function, *arrays)


def by_place(function, names):
    """Return a function of arguments of which the last ones have names as one of arguments by place."""

    def called(*values):
        count = len(values) - len(names)
        return function(*values[:count], **dict(zip(names, values[count:], strict=True)))

    return called


def from_function(func, nin, nout, *, identity=None):
    """Return a function of numbers as one of arrays: np.frompyfunc."""
    if nout != 1:
        raise NotImplementedError("np.frompyfunc of a function that gives several results")
    return Vectorized(func)


def for_each_as(function, kind, first, *others):
    """Return what a function gives for each element, as numbers of a kind that need not be asked."""
    return for_each(function, first, *others, is_asked=False).astype(kind)


def for_each(function, first, *others, is_asked=True):
    """Return what a function gives for each element of one array, or of several."""
    if len(others) == 0:
        row = _in_a_row(first)
        if is_asked:
            function(row[0])  # np.vectorize asks what it gives: it may draw, or count
            made = np.array([of_one_kind(function(a)) for a in row])
        else:
            made = np.array([function(a) for a in row])
        return made if np.ndim(first) == 1 else made.reshape(np.shape(first))
    if len(others) > 1:
        return _for_each_of_several(function, is_asked, first, *others)
    shape = np.broadcast_shapes(np.shape(first), np.shape(others[0]))
    left, right = _stretched(first, shape), _stretched(others[0], shape)
    if is_asked:
        function(left[0], right[0])
    pairs = zip(left, right, strict=True)
    made = np.array([of_one_kind(function(a, b)) if is_asked else function(a, b) for a, b in pairs])
    return made.reshape(shape)


def _for_each_of_several(function, is_asked, *arrays):
    """Return what a function gives for each element of three arrays or more."""
    shape = np.broadcast_shapes(*[np.shape(each) for each in arrays])
    rows = tuple(_stretched(each, shape) for each in arrays)
    if is_asked:
        function(*[row[0] for row in rows])
    items = zip(*rows, strict=True)
    made = np.array([of_one_kind(function(*x)) if is_asked else function(*x) for x in items])
    return made.reshape(shape)


def for_each_row(function, first, *others):
    """Return what a function gives for each row of one array, or of two."""
    if len(others) == 0:
        return apply_along_axis(function, -1, first)
    if len(others) > 1:
        raise NotImplementedError("np.vectorize of a function of more than two arrays")
    lead = np.broadcast_shapes(np.shape(first)[:-1], np.shape(others[0])[:-1])
    pairs = zip(_rows(first, lead), _rows(others[0], lead), strict=True)
    made = np.array([of_one_kind(function(a, b)) for a, b in pairs])
    return made.reshape(lead + made.shape[1:])


def _rows(values, lead):
    """Return the rows of an array that is broadcast to leading axes."""
    length = np.shape(values)[-1:]
    return np.reshape(np.broadcast_to(values, lead + length), (-1, *length))


def broadcast(*args):
    """Return what np.broadcast tells of arrays that are stretched to each other."""
    shape = np.broadcast_shapes(*[np.shape(each) for each in args])
    return Namespace(shape=shape, ndim=len(shape), nd=len(shape), size=math.prod(shape))


def fromiter(iter, dtype, count=-1, *, like=None):
    """Return what an iterator gives as a vector."""
    if count == -1:
        return np.array([item for item in iter], dtype)  # noqa: C416
    items = [item for _, item in zip(range(count), iter, strict=False)]
    if len(items) != count:
        raise ValueError("iterator too short")
    return np.array(items, dtype)


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    """Return what a function gives of the places of an array, an array for each axis."""
    places = np.indices(shape, dtype)
    return function(*[places[k] for k in range(len(shape))], **kwargs)


def _in_a_row(values):
    """Return the elements of an array as a vector."""
    return values if np.ndim(values) == 1 else np.reshape(values, -1)


def _stretched(values, shape):
    """Return the elements of an array as it is broadcast to a shape."""
    return _in_a_row(np.broadcast_to(values, shape))


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """Return what a function gives for each row along an axis."""
    last = np.moveaxis(arr, axis, -1)
    rows = last if arr.ndim == 2 else last.reshape(-1, last.shape[-1])
    made = np.array([of_one_kind(func1d(row, *args, **kwargs)) for row in rows])
    if arr.ndim != 2:
        made = made.reshape(last.shape[:-1] + made.shape[1:])
    return np.moveaxis(made, -1, axis) if made.ndim == arr.ndim else made


def unstack(x, /, *, axis=0):
    """Return the parts of an array along an axis."""
    return tuple([part for part in np.moveaxis(x, axis, 0)])  # noqa: C416


def piecewise(x, condlist, funclist, *args, **kw):
    """Return an array in pieces: later ones are written over earlier ones."""
    elements = np.atleast_1d(x)
    made = np.zeros_like(elements)
    is_one = not isinstance(condlist, (list, tuple)) and np.ndim(condlist) <= np.ndim(x)
    tests = (condlist,) if is_one else tuple(condlist)
    every = (*tests, _rest(tests)) if len(funclist) > len(tests) else tests
    for test, piece in zip(every, funclist, strict=False):
        where = np.atleast_1d(test)
        made[where] = piece(elements[where], *args, **kw) if callable(piece) else piece
    return made if np.ndim(x) > 0 else np.reshape(made, ())


def _rest(tests):
    """Return where no condition holds."""
    found = tests[0]
    for test in tests[1:]:
        found = np.logical_or(found, test)
    return np.logical_not(found)


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """Return the integral of func(y, x), y from gfun(x) to hfun(x), x from a to b, and its error."""
    from scipy.integrate import quad

    def inner(x):
        low = gfun(x) if callable(gfun) else gfun
        high = hfun(x) if callable(hfun) else hfun
        return quad(lambda y: func(y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel)[0]

    return quad(inner, a, b, epsabs=epsabs, epsrel=epsrel)


def tplquad(func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """Return the integral of func(z, y, x), z from qfun(x, y) to rfun(x, y), and its error."""
    from scipy.integrate import quad

    def inner(x):
        low = gfun(x) if callable(gfun) else gfun
        high = hfun(x) if callable(hfun) else hfun

        def middle(y):
            first = qfun(x, y) if callable(qfun) else qfun
            last = rfun(x, y) if callable(rfun) else rfun
            along_z = quad(
                lambda z: func(z, y, x, *args), first, last, epsabs=epsabs, epsrel=epsrel
            )
            return along_z[0]

        return quad(middle, low, high, epsabs=epsabs, epsrel=epsrel)[0]

    return quad(inner, a, b, epsabs=epsabs, epsrel=epsrel)


def fixed_quad(func, a, b, args=(), n=5):
    """Return the integral of func from a to b by n points, and None."""
    from scipy.special import roots_legendre

    if np.isinf(a) or np.isinf(b):
        raise ValueError("Gaussian quadrature is only available for finite limits.")
    points, weights = roots_legendre(n)
    values = func((b - a) * (np.real(points) + 1) / 2.0 + a, *args)
    return (b - a) / 2.0 * np.sum(weights * values, axis=-1), None


def factorized(A):
    """Return what solves a system of equations with a sparse matrix, whose factors are found once."""
    from scipy.sparse.linalg import splu

    factors = splu(A)
    return lambda b: factors.solve(b)


def require(a, dtype=None, requirements=None):
    """Return an array, in an order where that is asked; memory of its own may be asked by a copy."""
    asked = [requirements] if isinstance(requirements, str) else list(requirements or [])
    order = "K"
    for word in asked:
        if word.upper() in ("O", "OWNDATA"):
            raise ValueError("np.require of memory of its own: use np.array(a)")
        if word.upper() in ("F", "F_CONTIGUOUS", "FORTRAN"):
            order = "F"
        elif word.upper() in ("C", "C_CONTIGUOUS", "CONTIGUOUS"):
            order = "C"
    return np.asarray(a, dtype=dtype) if order == "K" else np.asarray(a, dtype=dtype, order=order)


def _at(ufunc):
    """Return a method np.multiply.at as a loop: an element that is named twice is changed twice."""

    def at(a, indices, b):
        places = np.arange(a.size).reshape(a.shape)[indices]
        values = np.broadcast_to(b, np.shape(places))
        for place, value in zip(np.ravel(places), np.ravel(values), strict=True):
            if a.ndim == 1:
                a[place] = ufunc(a[place], value)
            else:
                a.flat[place] = ufunc(a.flat[place], value)

    return at


AT = {
    ufunc.at: _at(ufunc)
    for ufunc in (np.multiply, np.divide, np.maximum, np.minimum, np.fmax, np.fmin, np.power)
}
OWN = {
    "scipy.integrate": {"dblquad": dblquad, "tplquad": tplquad, "fixed_quad": fixed_quad},
    "scipy.sparse.linalg": {"factorized": factorized},
    "scipy.spatial.transform": {"Rotation": Rotation},
}


def as_written_out(function: Any) -> Any:
    """Return what a function of SciPy's is made of in lines that are lowered, None of others."""
    module = str(getattr(function, "__module__", ""))
    found = (named for name, named in OWN.items() if module.startswith(name))
    return next(found, {}).get(getattr(function, "__name__", ""))
