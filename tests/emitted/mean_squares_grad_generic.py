import numpy as np


def _sum_to(x, shape):
    """Sum x over what broadcasting from this shape added or stretched."""
    axes = tuple(i for i in range(-np.ndim(x), 0) if i < -len(shape) or shape[i] == 1)
    return np.reshape(np.sum(x, axis=axes) if axes else x, shape)[()]


def mean_squares_grad(A, x, b):
    """Gradient of mean_squares(A, x, b) with respect to A, x.

    Differentiated in reverse mode by s2sad from functions.py:14-16,
    for float64 arrays A (n, m), x (m,).
    """
    if (
        not (type(b) in (np.ndarray, list, tuple) or np.isscalar(b))
        or np.asarray(b).dtype.kind not in "biufU"
        or not all(
            (type(each) in (np.ndarray, list, tuple) or np.isscalar(each))
            and np.asarray(each).dtype.kind == "f"
            for each in (A, x)
        )
        or (np.ndim(A), np.ndim(x)) != (2, 1)
        or np.shape(x)[0] != np.shape(A)[1]
    ):
        raise ValueError(
            "made for real numbers or plain arrays b, floats or plain arrays of "
            "floats A, x, A (n, m), x (m,)"
        )

    # -- forward sweep ---------------------------------------------------
    r_term = A @ x
    r = r_term - b

    # -- reverse sweep ---------------------------------------------------
    # 15: r = A @ x - b
    r_term_bar = _sum_to(2.0 * r / np.size(r), np.shape(r_term))
    return np.outer(r_term_bar, x), r_term_bar @ A
