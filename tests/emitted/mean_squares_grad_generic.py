import numpy as np


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
        or np.broadcast_shapes(np.shape(b), (np.shape(A)[0],)) != (np.shape(A)[0],)
    ):
        raise ValueError(
            "made for real numbers or plain arrays b, floats or plain arrays of "
            "floats A, x, A (n, m), x (m,), b that fit (n,)"
        )

    # -- forward sweep ---------------------------------------------------
    r = A @ x - b

    # -- reverse sweep ---------------------------------------------------
    r_bar = 2.0 * r / r.size  # 16: return np.mean(r**2)
    return np.outer(r_bar, x), r_bar @ A  # 15: r = A @ x - b
