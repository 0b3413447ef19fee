import math

import numpy as np


def weighted_grad(values, weights):
    """Gradient of weighted(values, weights) with respect to values, weights.

    Differentiated in reverse mode by s2sad from functions.py:50-54,
    for float64 arrays values (n,), weights (m,).
    Loop at line 52: keeps nothing.
    """
    if (
        values.ndim != 1
        or weights.ndim != 1
        or values.dtype.kind + weights.dtype.kind != "ff"
    ):
        raise ValueError(
            "made for values (n,), weights (m,), floats in values and weights"
        )

    # -- reverse sweep ---------------------------------------------------
    values_bar = np.zeros_like(values)
    weights_bar = np.zeros_like(weights)

    for k in reversed(range(min(len(values), len(weights)))):
        value = values[k]
        weight = weights[k]
        exp_value = math.exp(value)
        # 52: for value, weight in zip(values, weights):
        weights_bar[k] += exp_value
        values_bar[k] += weight * exp_value

    return values_bar, weights_bar
