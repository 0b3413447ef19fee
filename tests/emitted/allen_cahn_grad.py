from numbers import Real

import numpy as np


def allen_cahn_grad(u, nu, dt, nt):
    """Gradient of allen_cahn(u, nu, dt, nt) with respect to u, nu.

    Differentiated in reverse mode by s2sad from primal.py:12-16,
    for float64 array u (n,), floats nu, dt.
    Loop at line 13: keeps one u per pass.
    """
    if (
        type(u) is not np.ndarray
        or (u.ndim, u.dtype.kind) != (1, "f")
        or not isinstance(nu, Real)
        or not isinstance(dt, Real)
    ):
        raise ValueError("made for float array u (n,), real numbers nu, dt")

    # -- forward sweep ---------------------------------------------------
    u_saved = []
    for t in range(nt):
        lap = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
        u_saved.append(u)
        u = u + dt * (nu * lap + u - u**3)

    # -- reverse sweep ---------------------------------------------------
    u_bar = u.copy()  # 16: return 0.5 * np.sum(u**2)
    nu_bar = 0.0

    for u in reversed(u_saved):
        lap = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
        # 15: u = u + dt * (nu * lap + u - u**3)
        u_term_bar = dt * u_bar
        nu_bar += u_term_bar @ lap
        lap_bar = nu * u_term_bar
        u_bar = u_bar + u_term_bar - 3.0 * u**2 * u_term_bar
        # 14: lap = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
        u_bar += np.roll(lap_bar, -1) - 2.0 * lap_bar + np.roll(lap_bar, 1)

    return u_bar, nu_bar
