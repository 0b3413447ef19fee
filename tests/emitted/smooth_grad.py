from numbers import Real

import numpy as np


def smooth_grad(u, c):
    """Gradient of smooth(u, c) with respect to u, c.

    Differentiated in reverse mode by s2sad from primal.py:19-24,
    for float64 array u (n,), float c.
    """
    if (
        type(u) is not np.ndarray
        or (u.ndim, u.dtype.kind) != (1, "f")
        or not isinstance(c, Real)
        or u.shape[0] < 2
    ):
        raise ValueError("made for float array u (n,), real number c, n >= 2")

    # -- forward sweep ---------------------------------------------------
    u = u.copy()
    u_term = u[2:] - 2.0 * u[1:-1] + u[:-2]
    u[1:-1] += c * u_term
    u[0] = u[1]
    u[-1] = u[-2]

    # -- reverse sweep ---------------------------------------------------
    u_bar = 2.0 * u  # 24: return np.sum(u**2)

    # 23: u[-1] = u[-2]
    u_bar[-2] += u_bar[-1]
    u_bar[-1] = 0.0

    # 22: u[0] = u[1]
    u_bar[1] += u_bar[0]
    u_bar[0] = 0.0

    # 21: u[1:-1] += c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    u_term_bar = c * u_bar[1:-1]
    c_bar = u_bar[1:-1] @ u_term
    u_bar[2:] += u_term_bar
    u_bar[1:-1] -= 2.0 * u_term_bar
    u_bar[:-2] += u_term_bar
    return u_bar, c_bar
