import numpy as np


def mean_squares_grad(A, x, b):
    """Gradient of mean_squares(A, x, b) with respect to A, x.

    Differentiated in reverse mode by s2sad from functions.py:14-16,
    for float64 arrays A (n, m), x (m,), b (n,).
    """
    if (
        not type(A) is type(x) is type(b) is np.ndarray
        or (A.ndim, x.ndim, b.ndim) != (2, 1, 1)
        or A.dtype.kind + x.dtype.kind + b.dtype.kind != "fff"
        or x.shape[0] != A.shape[1]
        or b.shape[0] != A.shape[0]
    ):
        raise ValueError("made for float arrays A (n, m), x (m,), b (n,)")

    # -- forward sweep ---------------------------------------------------
    r = A @ x - b

    # -- reverse sweep ---------------------------------------------------
    r_bar = 2.0 * r / r.size  # 16: return np.mean(r**2)
    return np.outer(r_bar, x), r_bar @ A  # 15: r = A @ x - b
