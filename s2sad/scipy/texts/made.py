"""Functions that are made of the one that a solver is given."""

import numpy as np

# mypy: ignore-errors


def applied(f, *args):
    """Return what the function that the solver is given gives."""
    return f(*args)


def weighted_sum(f, *args, weight):
    """Return the sum of what a function gives times a weight."""
    value = f(*args)
    return np.sum(weight * (np.array(value) if isinstance(value, (list, tuple)) else value))


def half_squares(f, *args):
    """Return half the sum of the squares of what a function gives."""
    value = f(*args)
    return 0.5 * np.sum(np.square(np.array(value) if isinstance(value, (list, tuple)) else value))
