import numpy as np


def polar_jvp(x, y, x_dot, y_dot):
    """Value of polar(x, y) and its derivative along x_dot, y_dot.

    Differentiated in forward mode by s2sad from functions.py:96-99,
    for float64 arrays x (n,), y (n,).
    """
    if (
        not type(x) is type(y) is type(x_dot) is type(y_dot) is np.ndarray
        or (x.ndim, y.ndim, x.dtype.kind + y.dtype.kind) != (1, 1, "ff")
        or y.shape[0] != x.shape[0]
        or (x_dot.shape, x_dot.dtype.kind) != (x.shape, "f")
        or (y_dot.shape, y_dot.dtype.kind) != (y.shape, "f")
    ):
        raise ValueError(
            "made for float arrays x (n,), y (n,), x_dot and y_dot of their shapes"
        )

    r = np.sqrt(x**2 + y**2)
    r_dot = (x * x_dot + y * y_dot) / r
    # 98: phi = np.arctan2(y, x)
    phi_dot = (y_dot * x - x_dot * y) / (y**2 + x**2)
    phi = np.arctan2(y, x)
    return (r, phi), (r_dot, phi_dot)
