from numbers import Real

import numpy as np


def first_crossing_grad(v, level, dt):
    """Gradient of first_crossing(v, level, dt) with respect to v, dt.

    Differentiated in reverse mode by s2sad from primal.py:62-68,
    for float64 array v (n,), floats level, dt.
    Loop at line 64: keeps nothing but how often it ran.
    """
    if (
        type(v) is not np.ndarray
        or (v.ndim, v.dtype.kind) != (1, "f")
        or not isinstance(level, Real)
        or not isinstance(dt, Real)
    ):
        raise ValueError("made for float array v (n,), real numbers level, dt")

    # -- forward sweep ---------------------------------------------------
    x = 0.0
    left = False
    passes = 0
    for t in range(len(v)):
        passes += 1
        x = x + dt * v[t]
        if x > level:
            left = True
            break

    # -- reverse sweep ---------------------------------------------------
    if left:
        x_bar = 2.0 * x  # 67: return x * x
    else:
        x_bar = 1.0  # 68: return x
    dt_bar = 0.0
    v_bar = np.zeros_like(v)

    for t in reversed(range(len(v))[:passes]):
        # 65: x = x + dt * v[t]
        dt_bar += x_bar * v[t]
        v_bar[t] += dt * x_bar

    return v_bar, dt_bar
