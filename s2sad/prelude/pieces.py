"""np.piecewise: each of its functions is called with the elements for which its condition holds."""

# mypy: ignore-errors

import numpy as np


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
