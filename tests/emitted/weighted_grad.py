import math

import numpy as np


def weighted_grad(values, weights):
    """Gradient of weighted(values, weights) with respect to values, weights.

    Differentiated in reverse mode by s2sad from functions.py:50-54,
    for float64 arrays values (n,), weights (m,).
    Loop at line 52: keeps nothing, its values are cheap to compute again.
    """
    if values.ndim != 1 or values.dtype.kind in "biu":
        raise ValueError("made for values of rank 1, of floats")
    if weights.ndim != 1 or weights.dtype.kind in "biu":
        raise ValueError("made for weights of rank 1, of floats")

    # -- reverse sweep ---------------------------------------------------
    values_bar = np.zeros_like(values)
    weights_bar = np.zeros_like(weights)

    for k in reversed(range(min(len(values), len(weights)))):
        total_exp = math.exp(values[k])
        weights_bar[k] += total_exp  # 52: for value, weight in zip(values, weights):
        values_bar[k] += weights[k] * total_exp

    return values_bar, weights_bar
