import numpy as np


def rosenbrock_grad(x):
    """Gradient of rosenbrock(x) with respect to x.

    Differentiated in reverse mode by s2sad from functions.py:10-11,
    for float64 array x (n,).
    """
    if (
        type(x) is not np.ndarray
        or (x.ndim, x.dtype.kind) != (1, "f")
        or x.shape[0] < 1
    ):
        raise ValueError("made for float array x (n,), n >= 1")

    # -- reverse sweep ---------------------------------------------------
    # 11: return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
    result_term_bar = 200.0 * (x[1:] - x[:-1] ** 2)
    x_bar = np.zeros_like(x)
    x_bar[1:] = result_term_bar
    x_bar[:-1] -= 2.0 * (x[:-1] * result_term_bar + (1.0 - x[:-1]))
    return x_bar
