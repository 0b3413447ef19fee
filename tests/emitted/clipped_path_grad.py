import math
from numbers import Real

import numpy as np


def clipped_path_grad(x, steps):
    """Gradient of clipped_path(x, steps) with respect to x, steps.

    Differentiated in reverse mode by s2sad from functions.py:78-86,
    for float64 array steps (n,), float x.
    Loop at line 81: keeps one x and one taken per pass.
    """
    if (
        type(steps) is not np.ndarray
        or (steps.ndim, steps.dtype.kind) != (1, "f")
        or not isinstance(x, Real)
    ):
        raise ValueError("made for float array steps (n,), real number x")

    # -- forward sweep ---------------------------------------------------
    path = []
    path.append(x)
    x_saved, taken_saved = [], []
    for i in range(len(steps)):
        x_saved.append(x)
        x = x + steps[i] * math.cos(x)
        taken = x < 0.0
        if taken:
            x = 0.5 * x
        taken_saved.append(taken)
        path.append(x)

    # -- reverse sweep ---------------------------------------------------
    path_bar = [0.0] * len(path)

    # 86: return path[-1] * path[0]
    path_bar[-1] += path[0]
    path_bar[0] += path[-1]
    x_bar = 0.0
    steps_bar = np.zeros_like(steps)

    for i in reversed(range(len(steps))):
        x_bar += path_bar.pop()  # 85: path.append(x)
        taken = taken_saved.pop()
        if taken:
            x_bar = 0.5 * x_bar  # 84: x = 0.5 * x
        x = x_saved.pop()
        # 82: x = x + steps[i] * math.cos(x)
        steps_bar[i] = x_bar * math.cos(x)
        x_bar -= steps[i] * x_bar * math.sin(x)

    x_bar += path_bar.pop()  # 80: path.append(x)
    return x_bar, steps_bar
