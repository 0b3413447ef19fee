import numpy as np


def mean_squares_grad(A, x, b):
    """Gradient of mean_squares(A, x, b) with respect to A, x.

    Differentiated in reverse mode by s2sad from functions.py:14-16,
    for float64 arrays A (m, n), x (n,), b (m,).
    """
    if A.ndim != 2:
        raise ValueError("made for A of rank 2")
    if x.ndim != 1:
        raise ValueError("made for x of rank 1")
    if b.ndim != 1:
        raise ValueError("made for b of rank 1")
    if A.shape[0] != b.shape[0]:
        raise ValueError("made for A and b of equal length")

    # -- forward sweep ---------------------------------------------------
    r = A @ x - b

    # -- reverse sweep ---------------------------------------------------
    r_bar = 2.0 * r / r.size         # 16: return np.mean(r**2)
    A_bar = np.outer(r_bar, x)       # 15: r = A @ x - b
    x_bar = r_bar @ A
    return A_bar, x_bar
