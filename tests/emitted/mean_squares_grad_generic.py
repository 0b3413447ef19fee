import numpy as np


def _sum_to(x, shape):
    """Sum x over what broadcasting from this shape added or stretched."""
    if np.shape(x) == shape:
        return x
    added = np.ndim(x) - len(shape)
    stretched = tuple(added + i for i, n in enumerate(shape) if n == 1)
    total = np.sum(x, axis=tuple(range(added)) + stretched)
    return np.reshape(total, shape) if shape else total


def _matmul_bar_a(y_bar, a, b):
    """Return the adjoint of a in a @ b, whatever the ranks."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * b
    if np.ndim(b) == 1:
        back = np.expand_dims(y_bar, -1) * b
    elif np.ndim(a) == 1:
        back = np.sum(np.expand_dims(y_bar, -2) * b, axis=-1)
    else:
        back = np.matmul(y_bar, np.swapaxes(b, -1, -2))
    return _sum_to(back, np.shape(a))


def _matmul_bar_b(y_bar, a, b):
    """Return the adjoint of b in a @ b, whatever the ranks."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    if np.ndim(a) == 1:
        back = np.expand_dims(a, -1) * np.expand_dims(y_bar, -2)
    elif np.ndim(b) == 1:
        back = np.expand_dims(y_bar, -1) * a
    else:
        back = np.matmul(np.swapaxes(a, -1, -2), y_bar)
    return _sum_to(back, np.shape(b))


def _are_real(*values, kinds="biufU"):
    """Tell whether values are real numbers, words, plain arrays or lists of these."""
    return all(
        (np.isscalar(each) or type(each) in (np.ndarray, list, tuple))
        and np.asarray(each).dtype.kind in kinds
        for each in values
    )


def mean_squares_grad(A, x, b):
    """Gradient of mean_squares(A, x, b) with respect to A, x.

    Differentiated in reverse mode by s2sad from functions.py:14-16.
    """
    if not _are_real(A, x, b):
        raise ValueError("made for real numbers or plain arrays A, x, b")

    # -- forward sweep ---------------------------------------------------
    r_term = A @ x
    r = r_term - b

    # -- reverse sweep ---------------------------------------------------
    r_bar = 2.0 * r / np.size(r)  # 16: return np.mean(r**2)

    # 15: r = A @ x - b
    r_term_bar = _sum_to(r_bar, np.shape(r_term))
    return _matmul_bar_a(r_term_bar, A, x), _matmul_bar_b(r_term_bar, A, x)
