"""The functions of np.emath on the real domain, where they are NumPy's own; beyond it they are complex."""

# mypy: ignore-errors

import numpy as np


def _not_negative(x):
    x = np.asarray(x) if isinstance(x, (list, tuple)) else x
    if not np.iscomplexobj(x) and np.any(x < 0):
        raise ValueError("np.emath gives complex numbers below 0: add 0j to what may be below 0")
    return x


def _up_to_one(x):
    x = np.asarray(x) if isinstance(x, (list, tuple)) else x
    if not np.iscomplexobj(x) and np.any(np.abs(x) > 1):
        raise ValueError("np.emath gives complex numbers beyond 1: add 0j to what may be beyond 1")
    return x


OF_EMATH = {
    np.emath.sqrt: lambda x: np.sqrt(_not_negative(x)),
    np.emath.log: lambda x: np.log(_not_negative(x)),
    np.emath.log2: lambda x: np.log2(_not_negative(x)),
    np.emath.log10: lambda x: np.log10(_not_negative(x)),
    np.emath.logn: lambda n, x: np.log(_not_negative(x)) / np.log(_not_negative(n)),
    np.emath.power: lambda x, p: np.power(_not_negative(x), p),
    np.emath.arccos: lambda x: np.arccos(_up_to_one(x)),
    np.emath.arcsin: lambda x: np.arcsin(_up_to_one(x)),
    np.emath.arctanh: lambda x: np.arctanh(_up_to_one(x)),
}
