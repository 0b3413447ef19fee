import numpy as np


def row_products_grad(A, b):
    """Gradient of row_products(A, b) with respect to A, b.

    Differentiated in reverse mode by s2sad from functions.py:43-47,
    for float64 arrays A (n, m), b (m,).
    Loop at line 45: keeps nothing.
    """
    if (
        not type(A) is type(b) is np.ndarray
        or (A.ndim, b.ndim, A.dtype.kind + b.dtype.kind) != (2, 1, "ff")
        or b.shape[0] != A.shape[1]
    ):
        raise ValueError("made for float arrays A (n, m), b (m,)")

    # -- reverse sweep ---------------------------------------------------
    A_bar, b_bar = np.zeros_like(A), np.zeros_like(b)

    for k in reversed(range(len(A))):
        row = A[k]
        # 46: total += np.dot(row, b) ** 2
        total_term_bar = 2.0 * np.dot(row, b)
        b_bar += total_term_bar * row
        A_bar[k] = total_term_bar * b  # 45: for row in A:

    return A_bar, b_bar
