import math

import numpy as np


def relaxed_grad(x, low):
    """Gradient of relaxed(x, low) with respect to x, low.

    Differentiated in reverse mode by s2sad from functions.py:33-40,
    for floats x, low.
    Loop at line 36: keeps nothing.
    Loop at line 37: keeps one t per pass.
    """
    if any(map(np.iscomplexobj, (x, low))):
        raise ValueError("made for real x, low")

    # -- forward sweep ---------------------------------------------------
    # the smaller of two starts
    t = x if x > low else low
    t_saved = []
    for p in range(3):
        for q in range(2):
            t_saved.append(t)
            t = t * math.sin(t + q)
        t = t + x * p

    # -- reverse sweep ---------------------------------------------------
    t_bar = 1.0  # 40: return t
    x_bar = 0.0

    for p in reversed(range(3)):
        x_bar += t_bar * p  # 39: t = t + x * p
        for q in reversed(range(2)):
            t = t_saved.pop()
            # 38: t = t * math.sin(t + q)
            t_bar *= math.sin(t + q) + t * math.cos(t + q)

    # 35: t = x if x > low else low
    x_bar += t_bar if x > low else 0.0
    low_bar = 0.0 if x > low else t_bar
    return x_bar, low_bar
