import math

import numpy as np


def _zeros_of(x):
    """Return zeros for what x holds, in lists for lists and tuples."""
    if isinstance(x, dict):
        return {key: _zeros_of(part) for key, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [_zeros_of(part) for part in x]
    if not isinstance(x, np.ndarray):
        return 0.0
    return np.zeros(x.shape) if x.dtype.kind in "biu" else np.zeros_like(x)


def clipped_path_grad(x, steps):
    """Gradient of clipped_path(x, steps) with respect to x, steps.

    Differentiated in reverse mode by s2sad from functions.py:78-86,
    for float64 array steps (n,), float x.
    Loop at line 81: keeps one x per pass.
    """
    if steps.ndim != 1 or steps.dtype.kind in "biu":
        raise ValueError("made for steps of rank 1, of floats")
    if np.ndim(x) != 0:
        raise ValueError("made for a number x")

    # -- forward sweep ---------------------------------------------------
    path = []
    path.append(x)
    x_saved = []
    for i in range(len(steps)):
        x_saved.append(x)
        x = x + steps[i] * math.cos(x)
        if x < 0.0:
            x = 0.5 * x
        path.append(x)

    # -- reverse sweep ---------------------------------------------------
    path_bar = _zeros_of(path)
    path_bar[0] += path[-1]          # 86: return path[-1] * path[0]
    path_bar[-1] += path[0]
    x_bar = 0.0
    steps_bar = np.zeros_like(steps)

    for i in reversed(range(len(steps))):
        x = x_saved.pop()
        cos_x = math.cos(x)
        x_term = path_bar.pop()
        x_bar += x_term              # 85: path.append(x)
        if x + steps[i] * cos_x < 0.0:
            x_bar = 0.5 * x_bar      # 84: x = 0.5 * x
        steps_bar[i] += x_bar * cos_x  # 82: x = x + steps[i] * math.cos(x)
        x_bar -= x_bar * steps[i] * math.sin(x)

    x_term = path_bar.pop()
    x_bar += x_term                  # 80: path.append(x)
    return x_bar, steps_bar
