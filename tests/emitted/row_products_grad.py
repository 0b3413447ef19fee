import numpy as np


def row_products_grad(A, b):
    """Gradient of row_products(A, b) with respect to A, b.

    Differentiated in reverse mode by s2sad from functions.py:43-47,
    for float64 arrays A (m, n), b (n,).
    Loop at line 45: keeps nothing.
    """
    if A.ndim != 2 or A.dtype.kind in "biu":
        raise ValueError("made for A of rank 2, of floats")
    if b.ndim != 1 or b.dtype.kind in "biu":
        raise ValueError("made for b of rank 1, of floats")
    if A.shape[1] != b.shape[0]:
        raise ValueError("made for A and b of equal length")

    # -- reverse sweep ---------------------------------------------------
    A_bar = np.zeros_like(A)
    b_bar = np.zeros_like(b)

    for k in reversed(range(len(A))):
        total_term_bar = 2.0 * np.dot(A[k], b)  # 46: total += np.dot(row, b) ** 2
        b_bar += total_term_bar * A[k]
        A_bar[k] += total_term_bar * b  # 45: for row in A:

    return A_bar, b_bar
