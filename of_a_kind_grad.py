# Made by s2sad 0.2.0 (source dc3a90317a88, text fbf55ec034d8)

import numpy as np


def of_a_kind_grad(u, kind="Kind.CUBIC"):
    """Gradient of of_a_kind(u, kind) with respect to u.

    Differentiated in reverse mode by s2sad from notebooks.py,
    for float64 array u (n,).
    """
    if (
        str(kind) != "Kind.CUBIC"
        or type(u) is not np.ndarray
        or (u.ndim, u.dtype.kind) != (1, "f")
        or u.dtype != np.float64
    ):
        raise ValueError("made for kind=Kind.CUBIC, float array u (n,), u of dtype float64")

    # -- reverse sweep ---------------------------------------------------
    return 3.0 * u**2  # return np.sum(u**3)
