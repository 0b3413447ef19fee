import numpy as np


def newton_sqrt_grad(a, tol):
    """Gradient of newton_sqrt(a, tol) with respect to a.

    Differentiated in reverse mode by s2sad from primal.py:27-31,
    for floats a, tol.
    Loop at line 29: keeps one x per pass.
    """
    if any(map(np.iscomplexobj, (a, tol))):
        raise ValueError("made for real a, tol")

    # -- forward sweep ---------------------------------------------------
    x = a
    x_saved = []
    while abs(x * x - a) > tol:
        x_saved.append(x)
        x = 0.5 * (x + a / x)

    # -- reverse sweep ---------------------------------------------------
    x_bar = 1.0  # 31: return x
    a_bar = 0.0

    for x in reversed(x_saved):
        # 30: x = 0.5 * (x + a / x)
        x_numerator_bar = 0.5 * x_bar / x
        a_bar += x_numerator_bar
        x_bar = 0.5 * x_bar - x_numerator_bar * (a / x)

    a_bar += x_bar  # 28: x = a
    return a_bar
