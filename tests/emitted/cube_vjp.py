from numbers import Real

import numpy as np


def _are_real(x, kinds="biufU"):
    """Tell whether x is a real number, a word, a plain array or a list of these."""
    if type(x) in (list, tuple):
        return all(_are_real(each, kinds) for each in x)
    is_plain = type(x) is np.ndarray or np.isscalar(x)
    return is_plain and np.asarray(x).dtype.kind in kinds


def cube_vjp(x, scale=2.0, *, seed):
    """Adjoints of x, pulled back from seed through cube(x, scale).

    Differentiated in reverse mode by s2sad from functions.py:19-20,
    for float scale.
    """
    if (
        not _are_real((x, seed))
        or not isinstance(scale, Real)
        or np.shape(seed) != np.shape(x)
    ):
        raise ValueError(
            "made for real numbers or plain arrays x, seed, real number scale, seed "
            "of the result's shape"
        )

    # -- reverse sweep ---------------------------------------------------
    return 3.0 * x**2 * (scale * seed)  # 20: return scale * x**3
