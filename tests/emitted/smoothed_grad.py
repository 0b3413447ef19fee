import numpy as np


def smoothed_grad(u, passes):
    """Gradient of smoothed(u, passes) with respect to u.

    Differentiated in reverse mode by s2sad from functions.py:89-93,
    for float64 array u (n, m).
    Loop at line 91: keeps nothing but how often it ran.
    """
    if (
        type(u) is not np.ndarray
        or (u.ndim, u.dtype.kind) != (2, "f")
        or u.shape[0] < 2
        or u.shape[1] < 2
    ):
        raise ValueError("made for float array u (n, m), n >= 2, m >= 2")

    # -- forward sweep ---------------------------------------------------
    u = u.copy()
    for _ in range(passes):
        u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])

    # -- reverse sweep ---------------------------------------------------
    u_bar = 2.0 * u  # 93: return np.sum(u * u)

    for _ in reversed(range(passes)):
        # 92: u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:...
        u_sum_bar = 0.25 * u_bar[1:-1, 1:-1]
        u_bar[1:-1, 1:-1] = 0.0
        u_bar[2:, 1:-1] += u_sum_bar
        u_bar[:-2, 1:-1] += u_sum_bar
        u_bar[1:-1, 2:] += u_sum_bar
        u_bar[1:-1, :-2] += u_sum_bar

    return u_bar
