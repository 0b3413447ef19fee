import numpy as np


def horner_vjp(coefficients, x, seed):
    """Adjoints of coefficients, x, pulled back from seed through horner(...).

    Differentiated in reverse mode by s2sad from functions.py:71-75,
    for float64 arrays coefficients (n,), x (m,).
    Loop at line 73: keeps one y per pass.
    """
    if (
        not type(coefficients) is type(x) is type(seed) is np.ndarray
        or (coefficients.ndim, x.ndim) != (1, 1)
        or coefficients.dtype.kind + x.dtype.kind != "ff"
        or (seed.shape, seed.dtype.kind) != (x.shape, "f")
    ):
        raise ValueError(
            "made for float arrays coefficients (n,), x (m,), a float array seed of "
            "the result's shape"
        )

    # -- forward sweep ---------------------------------------------------
    y = 0.0 * x
    y_saved = []
    for i in range(len(coefficients)):
        y_saved.append(y)
        y = y * x + coefficients[i]

    # -- reverse sweep ---------------------------------------------------
    y_bar = seed  # 75: return y
    coefficients_bar, x_bar = np.zeros_like(coefficients), np.zeros_like(x)

    for i in reversed(range(len(coefficients))):
        y = y_saved.pop()
        # 74: y = y * x + coefficients[i]
        x_bar += y_bar * y
        coefficients_bar[i] = np.sum(y_bar)
        y_bar = y_bar * x

    x_bar += 0.0 * y_bar  # 72: y = 0.0 * x
    return coefficients_bar, x_bar
