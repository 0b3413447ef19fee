import numpy as np


def _sum_to(x, shape):
    """Sum x over what broadcasting from this shape added or stretched."""
    axes = tuple(i for i in range(-np.ndim(x), 0) if i < -len(shape) or shape[i] == 1)
    return np.reshape(np.sum(x, axis=axes) if axes else x, shape)[()]


def _matmul_bar_a(y_bar, a, b):
    """Return the adjoint of a in a @ b, whatever the ranks."""
    if np.ndim(b) == 1:
        return np.expand_dims(y_bar, -1) * b
    rows = np.expand_dims(y_bar, -2) if np.ndim(a) == 1 else y_bar
    return _sum_to(rows @ np.swapaxes(b, -1, -2), np.shape(a))


def _matmul_bar_b(y_bar, a, b):
    """Return the adjoint of b in a @ b, whatever the ranks."""
    if np.ndim(b) == 1:
        return np.tensordot(y_bar, a, np.ndim(y_bar))
    rows = np.expand_dims(y_bar, -2) if np.ndim(a) == 1 else y_bar
    return _sum_to(np.swapaxes(np.atleast_2d(a), -1, -2) @ rows, np.shape(b))


def mean_squares_grad(A, x, b):
    """Gradient of mean_squares(A, x, b) with respect to A, x.

    Differentiated in reverse mode by s2sad from functions.py:14-16.
    """
    if not all(
        (type(each) in (np.ndarray, list, tuple) or np.isscalar(each))
        and np.asarray(each).dtype.kind in "biufU"
        for each in (A, x, b)
    ):
        raise ValueError("made for real numbers or plain arrays A, x, b")

    # -- forward sweep ---------------------------------------------------
    r_term = A @ x
    r = r_term - b

    # -- reverse sweep ---------------------------------------------------
    # 15: r = A @ x - b
    r_term_bar = _sum_to(2.0 * r / np.size(r), np.shape(r_term))
    return _matmul_bar_a(r_term_bar, A, x), _matmul_bar_b(r_term_bar, A, x)
