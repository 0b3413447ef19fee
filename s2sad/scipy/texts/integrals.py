"""Integrals, by Leibniz' rule.

y = quad(f, a, b, args)[0]      dy = f(b) db - f(a) da + quad(f_k, a, b, args)[0] dk
"""

import numpy as np

from s2sad.scipy.primitives import added, along, by_each, each, results, total, weighted

# mypy: ignore-errors


def integral_reverse(f, solve, a, b, *args, moves, y, y_bar):
    """Pull y_bar back through an integral, by Leibniz' rule."""
    start = (-y_bar * f(a, *args),) if moves[0] else ()
    end = (y_bar * f(b, *args),) if moves[1] else ()
    rest = each(lambda slope: y_bar * solve(slope, a, b, args), by_each(f))
    return results((*start, *end, *rest))


def integral_forward(f, solve, a, b, *args, moves, y, dots):
    """Tangent of an integral, by Leibniz' rule."""
    start = (-f(a, *args),) if moves[0] else ()
    end = (f(b, *args),) if moves[1] else ()
    rest = each(lambda slope: solve(slope, a, b, args), by_each(f))
    return total((*start, *end, *rest), dots)


def vector_reverse(f, solve, a, b, *args, moves, y, y_bar):
    """Pull y_bar back through an integral of arrays, by Leibniz' rule."""
    start = (-np.sum(y_bar * f(a, *args)),) if moves[0] else ()
    end = (np.sum(y_bar * f(b, *args)),) if moves[1] else ()
    pulls = by_each(weighted(f))
    rest = each(lambda pull: solve(pull, a, b, (*args, y_bar)), pulls)
    return results((*start, *end, *rest))


def vector_forward(f, solve, a, b, *args, moves, y, dots):
    """Tangent of an integral of arrays, by Leibniz' rule."""
    start = (-f(a, *args),) if moves[0] else ()
    end = (f(b, *args),) if moves[1] else ()
    ends = (*start, *end)
    rest = dots[len(ends) :]
    inner = (solve(along(f), a, b, (*args, *rest)),) if len(rest) > 0 else ()
    return added((*each(lambda slope, dot: slope * dot, ends, dots), *inner))
