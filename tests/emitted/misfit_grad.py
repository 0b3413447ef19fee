import numpy as np


def misfit_grad(W, m, d):
    """Gradient of misfit(W, m, d) with respect to W, m.

    Differentiated in reverse mode by s2sad from primal.py:6-9,
    for float64 arrays W (n, k), m (k,), d (n,).
    """
    if (
        not type(W) is type(m) is type(d) is np.ndarray
        or (W.ndim, m.ndim, d.ndim) != (2, 1, 1)
        or W.dtype.kind + m.dtype.kind + d.dtype.kind != "fff"
        or m.shape[0] != W.shape[1]
        or d.shape[0] != W.shape[0]
    ):
        raise ValueError("made for float arrays W (n, k), m (k,), d (n,)")

    # -- forward sweep ---------------------------------------------------
    r = np.dot(W, m) - d
    s = np.tanh(r)

    # -- reverse sweep ---------------------------------------------------
    r_bar = s * (1.0 - s**2)  # 8: s = np.tanh(r)
    return np.outer(r_bar, m), r_bar @ W  # 7: r = np.dot(W, m) - d
