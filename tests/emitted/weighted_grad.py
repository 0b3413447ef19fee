import math

import numpy as np


def weighted_grad(values, weights):
    """Gradient of weighted(values, weights) with respect to values, weights.

    Differentiated in reverse mode by s2sad from functions.py:50-54,
    for float64 arrays values (n,), weights (n,).
    Loop at line 52: keeps nothing.
    """
    if (
        not type(values) is type(weights) is np.ndarray
        or (values.ndim, weights.ndim) != (1, 1)
        or values.dtype.kind + weights.dtype.kind != "ff"
        or weights.shape[0] != values.shape[0]
    ):
        raise ValueError("made for float arrays values (n,), weights (n,)")

    # -- reverse sweep ---------------------------------------------------
    values_bar, weights_bar = np.zeros_like(values), np.zeros_like(weights)

    for k in reversed(range(len(values))):
        value, weight = values[k], weights[k]
        exp_value = math.exp(value)
        # 52: for value, weight in zip(values, weights):
        weights_bar[k] = exp_value
        values_bar[k] = weight * exp_value

    return values_bar, weights_bar
