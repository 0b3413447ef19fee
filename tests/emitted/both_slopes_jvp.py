import math

import numpy as np


def slope_jvp(a, k, a_dot):
    """Value and tangent of slope(a, k)."""
    result_sin = math.sin(k * a)
    return a * result_sin, a_dot * (result_sin + a * k * math.cos(k * a))


def both_slopes_jvp(x, y, x_dot, y_dot):
    """Value of both_slopes(x, y) and its derivative along x_dot, y_dot.

    Differentiated in forward mode by s2sad from functions.py:27-30,
    for floats x, y.
    """
    if any(map(np.iscomplexobj, (x, y))):
        raise ValueError("made for real x, y")

    u, u_dot = slope_jvp(x, 1.0, x_dot)  # 28: u = slope(x)
    v, v_dot = slope_jvp(y, 1.0, y_dot)  # 29: v = slope(y)
    return u * v, u_dot * v + u * v_dot
