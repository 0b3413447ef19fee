from numbers import Real

import numpy as np


def horner_grad(coefficients, x):
    """Gradient of horner(coefficients, x) with respect to coefficients, x.

    Differentiated in reverse mode by s2sad from functions.py:71-75,
    for float64 array coefficients (n,), float x.
    Loop at line 73: keeps one y per pass.
    """
    if (
        type(coefficients) is not np.ndarray
        or (coefficients.ndim, coefficients.dtype.kind) != (1, "f")
        or not isinstance(x, Real)
    ):
        raise ValueError("made for float array coefficients (n,), real number x")

    # -- forward sweep ---------------------------------------------------
    y = 0.0 * x
    y_saved = []
    for i in range(len(coefficients)):
        y_saved.append(y)
        y = y * x + coefficients[i]

    # -- reverse sweep ---------------------------------------------------
    y_bar = 1.0  # 75: return y
    x_bar = 0.0
    coefficients_bar = np.zeros_like(coefficients)

    for i in reversed(range(len(coefficients))):
        y = y_saved.pop()
        # 74: y = y * x + coefficients[i]
        x_bar += y * y_bar
        coefficients_bar[i] = y_bar
        y_bar *= x

    x_bar += 0.0 * y_bar  # 72: y = 0.0 * x
    return coefficients_bar, x_bar
