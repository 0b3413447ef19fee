from numbers import Real

import numpy as np


def cube_vjp(x, scale=2.0, *, seed):
    """Adjoints of x, pulled back from seed through cube(x, scale).

    Differentiated in reverse mode by s2sad from functions.py:19-20,
    for float scale.
    """
    if (
        not (type(x) is np.ndarray or np.isscalar(x))
        or np.asarray(x).dtype.kind not in "biufU"
        or not (type(seed) in (np.ndarray, list, tuple) or np.isscalar(seed))
        or np.asarray(seed).dtype.kind not in "biufU"
        or not isinstance(scale, Real)
        or getattr(seed, "shape", ()) != np.shape(x)
    ):
        raise ValueError(
            "made for real numbers or plain arrays x, seed, real number scale, seed "
            "of the result's shape"
        )

    # -- reverse sweep ---------------------------------------------------
    return 3.0 * x**2 * (scale * seed)  # 20: return scale * x**3
