import numpy as np


def rosenbrock_grad(x):
    """Gradient of rosenbrock(x) with respect to x.

    Differentiated in reverse mode by s2sad from functions.py:10-11,
    for float64 array x (n,).
    """
    if x.ndim != 1 or x.dtype.kind in "biu":
        raise ValueError("made for x of rank 1, of floats")

    # -- forward sweep ---------------------------------------------------
    result_term = x[:-1]

    # -- reverse sweep ---------------------------------------------------
    x_bar = np.zeros_like(x)

    # 11: return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
    result_term_bar = 200.0 * (x[1:] - result_term**2)
    x_bar[:-1] -= 2.0 * (1.0 - x[:-1]) + 2.0 * result_term * result_term_bar
    x_bar[1:] += result_term_bar
    return x_bar
