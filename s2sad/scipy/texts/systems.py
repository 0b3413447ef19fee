"""Roots of systems, fixed points of vectors and minima, by the implicit function theorem.

f(x, *args) = 0      dx = -J**-1 f_k dk      J = df/dx
"""

import numpy as np

from s2sad.scipy.primitives import along, by_rest, by_unknown, results, squares, weighted

# mypy: ignore-errors


def jacobian(f, x, args):
    """Return the matrix of derivatives of a function by x, row by row."""
    pull = by_unknown(weighted(f))
    return np.array([pull(x, *args, row) for row in np.eye(len(x))])


def system_reverse(f, *args, x, x_bar):
    """Pull x_bar back through the x at which a function is 0, by the implicit function theorem."""
    seed = -np.linalg.solve(jacobian(f, x, args).T, x_bar)
    return results(by_rest(weighted(f))(x, *args, seed))


def system_forward(f, *args, x, dots):
    """Tangent of the x at which a function is 0, by the implicit function theorem."""
    return -np.linalg.solve(jacobian(f, x, args), along(f)(x, *args, *dots))


def fixed_reverse(f, *args, x, x_bar):
    """Pull x_bar back through the x which a function gives for x."""
    rest = np.eye(len(x)) - jacobian(f, x, args)
    return results(by_rest(weighted(f))(x, *args, np.linalg.solve(rest.T, x_bar)))


def fixed_forward(f, *args, x, dots):
    """Tangent of the x which a function gives for x."""
    rest = np.eye(len(x)) - jacobian(f, x, args)
    return np.linalg.solve(rest, along(f)(x, *args, *dots))


def minimum_reverse(f, *args, x, x_bar):
    """Pull x_bar back through the x at which a function is lowest: its gradient is 0 there."""
    slope = by_unknown(f)
    seed = -np.linalg.solve(jacobian(slope, x, args).T, x_bar)
    return results(by_rest(weighted(slope))(x, *args, seed))


def minimum_forward(f, *args, x, dots):
    """Tangent of the x at which a function is lowest: its gradient is 0 there."""
    slope = by_unknown(f)
    return -np.linalg.solve(jacobian(slope, x, args), along(slope)(x, *args, *dots))


def fit_reverse(f, *args, x, x_bar):
    """Pull x_bar back through the x at which the squares of what a function gives are lowest."""
    slope = by_unknown(squares(f))
    seed = -np.linalg.solve(jacobian(slope, x, args).T, x_bar)
    return results(by_rest(weighted(slope))(x, *args, seed))


def fit_forward(f, *args, x, dots):
    """Tangent of the x at which the squares of what a function gives are lowest."""
    slope = by_unknown(squares(f))
    return -np.linalg.solve(jacobian(slope, x, args), along(slope)(x, *args, *dots))
