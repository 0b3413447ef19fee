from numbers import Real

import numpy as np


def huber_grad(r, delta):
    """Gradient of huber(r, delta) with respect to r, delta.

    Differentiated in reverse mode by s2sad from primal.py:34-42,
    for float64 array r (n,), float delta.
    Loop at line 36: keeps nothing.
    """
    if (
        type(r) is not np.ndarray
        or (r.ndim, r.dtype.kind) != (1, "f")
        or not isinstance(delta, Real)
    ):
        raise ValueError("made for float array r (n,), real number delta")

    # -- reverse sweep ---------------------------------------------------
    delta_bar = 0.0
    r_bar = np.zeros_like(r)

    for i in reversed(range(len(r))):
        a = abs(r[i])
        if a <= delta:
            r_bar[i] += r[i]  # 39: total += 0.5 * r[i] ** 2
        else:
            delta_bar += a - delta  # 41: total += delta * (a - 0.5 * delta)
            r_bar[i] += delta * np.sign(r[i])  # 37: a = abs(r[i])

    return r_bar, delta_bar
