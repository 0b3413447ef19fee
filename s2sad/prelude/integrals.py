"""Functions of SciPy that are made of others: integrals of integrals, a sum, factors that solve."""

# mypy: ignore-errors

from typing import Any

import numpy as np

from s2sad.prelude.rotations import Rotation


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """Return the integral of func(y, x), y from gfun(x) to hfun(x), x from a to b, and its error."""
    from scipy.integrate import quad

    def inner(x):
        low = gfun(x) if callable(gfun) else gfun
        high = hfun(x) if callable(hfun) else hfun
        return quad(lambda y: func(y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel)[0]

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


OWN = {
    "scipy.integrate": {"dblquad": dblquad, "fixed_quad": fixed_quad},
    "scipy.sparse.linalg": {"factorized": factorized},
    "scipy.spatial.transform": {"Rotation": Rotation},
}


def as_written_out(function: Any) -> Any:
    """Return what a function of SciPy's is made of in lines that are lowered, None of others."""
    module = str(getattr(function, "__module__", ""))
    found = (named for name, named in OWN.items() if module.startswith(name))
    return next(found, {}).get(getattr(function, "__name__", ""))
