import numpy as np


def polar_vjp(x, y, seed):
    """Adjoints of x, y, pulled back from seed through polar(x, y).

    Differentiated in reverse mode by s2sad from functions.py:96-99,
    for floats x, y.
    """
    if any(map(np.iscomplexobj, (x, y))) or np.shape(seed) != (2,):
        raise ValueError("made for real x, y, seed of 2 numbers")

    # -- forward sweep ---------------------------------------------------
    r = np.sqrt(x**2 + y**2)

    # -- reverse sweep ---------------------------------------------------
    phi_square = y**2 + x**2

    # 97: r = np.sqrt(x**2 + y**2)
    r_term_bar = 0.5 * seed[0] / r
    x_bar = 2.0 * x * r_term_bar - seed[1] * y / phi_square
    return x_bar, seed[1] * x / phi_square + 2.0 * y * r_term_bar
