import math

import numpy as np


def both_slopes_value_and_grad(x, y):
    """Value and gradient of both_slopes(x, y) with respect to x, y.

    Differentiated in reverse mode by s2sad from functions.py:27-30,
    for floats x, y.
    """
    if any(map(np.iscomplexobj, (x, y))):
        raise ValueError("made for real x, y")

    # -- forward sweep ---------------------------------------------------
    sin_x = math.sin(x)
    u = x * sin_x
    sin_y = math.sin(y)
    v = y * sin_y
    value = u * v

    # -- reverse sweep ---------------------------------------------------
    # 28: u = slope(x)
    return value, (v * (sin_x + x * math.cos(x)), u * (sin_y + y * math.cos(y)))
