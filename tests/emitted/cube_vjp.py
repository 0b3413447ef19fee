import numpy as np


def _sum_to(x, shape):
    """Sum x over what broadcasting from this shape added or stretched."""
    if np.shape(x) == shape:
        return x
    extra = np.ndim(x) - len(shape)
    added = tuple(range(extra))
    stretched = tuple(extra + i for i, n in enumerate(shape) if n == 1)
    total = np.sum(x, axis=added + stretched)
    if len(shape) == 0:
        return total
    return np.reshape(total, shape)


def cube_vjp(x, scale=2.0, *, seed):
    """Adjoints of x, pulled back from seed through cube(x, scale).

    Differentiated in reverse mode by s2sad from functions.py:19-20.
    """
    # -- reverse sweep ---------------------------------------------------
    x_bar = 3.0 * x**2 * _sum_to(seed * scale, np.shape(x))  # 20: return scale * x**3
    return x_bar
