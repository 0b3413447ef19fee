import numpy as np


def cube_vjp(x, scale=2.0, *, seed):
    """Adjoints of x, pulled back from seed through cube(x, scale).

    Differentiated in reverse mode by s2sad from functions.py:19-20,
    for float scale.
    """
    if np.ndim(scale) != 0 or np.shape(seed) != np.shape(x):
        raise ValueError("made for number scale, seed of the result's shape")

    # -- reverse sweep ---------------------------------------------------
    x_bar = 3.0 * x**2 * (scale * seed)  # 20: return scale * x**3
    return x_bar
